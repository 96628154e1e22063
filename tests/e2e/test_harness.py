#!/usr/bin/env python3
"""From harness data to tables and back to CAD: import, solve, report, export."""
import csv
import io
import math
import random
import re
import unittest
import zipfile

import filum_cli


def kbl(segments, seed=1, wires=3):
    """A tree of straight segments as KBL, clips on every third, wires from the root to every end."""
    draw = random.Random(seed)
    nodes, parents, headings, branches = [(0.0, 0.0, 0.0)], [-1], [0.0], []
    while len(branches) < segments:
        parent = max(0, len(nodes) - 1 - int(draw.random() ** 2 * len(nodes)))
        angle = headings[parent] + draw.uniform(-0.9, 0.9)
        x, y, z = nodes[parent]
        length = draw.uniform(150, 300)
        nodes.append((x + length * math.cos(angle), y + length * math.sin(angle), z + draw.uniform(-30, 30)))
        parents.append(parent)
        headings.append(angle)
        branches.append((parent, len(nodes) - 1))
    text = ['<?xml version="1.0"?>', '<kbl:KBL_container xmlns:kbl="http://www.prostep.org/Car_electric_container/KBL2.3/KBLSchema" '
            'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="k">']
    for i, point in enumerate(nodes):
        text.append(f'<Cartesian_point id="p{i}">' + "".join(f"<Coordinates>{x!r}</Coordinates>" for x in point) + "</Cartesian_point>")
        text.append(f'<Node id="n{i}"><Id>N{i}</Id><Cartesian_point>p{i}</Cartesian_point>'
                    '<Referenced_components>plug</Referenced_components></Node>')
    text.append('<Fixing id="clip"><Fixing_type>clip</Fixing_type></Fixing>')
    text.append('<General_wire id="gw"><Cross_section_area id="q"><Unit_component>mm2</Unit_component><Value_component>2.5</Value_component>'
                '</Cross_section_area><Outside_diameter id="d"><Unit_component>mm</Unit_component><Value_component>2.9</Value_component>'
                '</Outside_diameter></General_wire>')
    text.append('<Harness id="h"><Connector_occurrence id="plug"><Id>plug</Id></Connector_occurrence>')
    children = set(parents)
    ends = [i for i in range(len(nodes)) if i not in children]
    for i in range(len(branches)):
        if i % 3 == 0:
            text.append(f'<Fixing_occurrence id="f{i}"><Id>F{i}</Id><Part>clip</Part></Fixing_occurrence>')
    for end in ends:
        for k in range(wires):
            text.append(f'<General_wire_occurrence xsi:type="kbl:Wire_occurrence" id="w{end}_{k}"><Part>gw</Part>'
                        f'<Wire_number>W{end}.{k}</Wire_number></General_wire_occurrence>')
    text.append("</Harness>")
    for i, (a, b) in enumerate(branches):
        length = math.dist(nodes[a], nodes[b])
        fixing = (f'<Fixing_assignment id="fa{i}"><Location>0.5</Location><Fixing>f{i}</Fixing></Fixing_assignment>'
                  if i % 3 == 0 else "")
        text.append(f'<Segment id="s{i}"><Id>S{i}</Id><Physical_length id="l{i}"><Unit_component>mm</Unit_component>'
                    f'<Value_component>{1.02 * length!r}</Value_component></Physical_length><End_node>n{b}</End_node>'
                    f'<Start_node>n{a}</Start_node>{fixing}</Segment>')
    for end in ends:
        route, at = [], end
        while at:
            route.append(f"s{at - 1}")
            at = parents[at]
        for k in range(wires):
            text.append(f'<Routing id="r{end}_{k}"><Routed_wire>w{end}_{k}</Routed_wire><Segments>{" ".join(reversed(route))}'
                        '</Segments></Routing>')
    for unit, square in (("mm", ""), ("mm2", "<Si_dimension>square</Si_dimension>")):
        text.append(f'<Unit id="{unit}"><Unit_name>{unit}</Unit_name><Si_unit_name>metre</Si_unit_name><Si_prefix>milli</Si_prefix>{square}</Unit>')
    text.append("</kbl:KBL_container>")
    return "\n".join(text) + "\n"


def step_lengths(text):
    """By name the length of every curve of a STEP file whose knots are double: cubics of four points each, by many chords."""
    points = {n: tuple(map(float, xyz.split(","))) for n, xyz in re.findall(r"#(\d+)=CARTESIAN_POINT\('',\(([^)]*)\)\)", text)}
    lengths = {}
    for name, refs, knots in re.findall(
            r"B_SPLINE_CURVE_WITH_KNOTS\('([^']*)',3,\(([^)]*)\),\.UNSPECIFIED\.,\.F\.,\.F\.,\([^)]*\),\(([^)]*)\)", text):
        control = [points[ref[1:]] for ref in refs.split(",")]
        u = [float(knot) for knot in knots.split(",")]
        # what joins two pieces lies between their inner points, as their knots part it
        corners = [control[0]]
        for k in range(1, len(u) - 1):
            share = (u[k] - u[k - 1]) / (u[k + 1] - u[k - 1])
            corners.append(tuple((1 - share) * a + share * b for a, b in zip(control[2 * k], control[2 * k + 1])))
        corners.append(control[-1])
        total = 0
        for k in range(len(u) - 1):
            a, b, c, d = corners[k], control[2 * k + 1], control[2 * k + 2], corners[k + 1]
            spots = [tuple((1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * q + 3 * (1 - t) * t * t * r + t ** 3 * s for p, q, r, s in zip(a, b, c, d))
                     for t in (i / 200 for i in range(201))]
            total += sum(math.dist(p, q) for p, q in zip(spots, spots[1:]))
        lengths[name] = total
    return lengths


class Harness(filum_cli.CliTest):
    def rows(self, name):
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text(encoding="utf-8"))))

    def test_from_kbl_to_step(self):
        self.write(kbl(12), "loom.kbl")
        self.assertRegex(self.expect(0, "import", "loom.kbl", "-o", "loom.yaml").stdout, r"\d+ rods, \d+ junctions")
        scene = (self.folder / "loom.yaml").read_text(encoding="utf-8")
        self.assertIn("# assumed", scene)
        self.expect(0, "solve", "loom.yaml", "-o", "r")
        said = self.expect(0, "report", "r", "--harness", "--extra", "3", "--allowance", "20", "--round", "5").stdout
        for name in ("report.html", "segments.csv", "clips.csv", "wires.csv"):
            self.assertIn(f"r/{name}", said)
        # lengths along a route add up
        found = {}
        for row in self.rows("r/segments.csv"):
            found[row["rod"]] = found.get(row["rod"], 0) + float(row["found [mm]"])
        for row in self.rows("r/wires.csv"):
            along = sum(found[rod] for rod in row["along"].split(", "))
            self.assertLess(abs(along - float(row["found [mm]"])), 1e-6)
            cut = float(row["cut [mm]"])
            self.assertGreaterEqual(cut, 1.03 * along + 20 - 1e-6)
            self.assertLess(cut, 1.03 * along + 25)
            self.assertAlmostEqual(cut / 5, round(cut / 5))
        self.assertEqual(len(self.rows("r/clips.csv")), scene.count("fix: ["))
        page = (self.folder / "r/report.html").read_text(encoding="utf-8")
        for heading in ("Segments", "Clips", "Wires", "Bundles"):
            self.assertIn(f"<h2>{heading}</h2>", page)
        # and back to CAD: a curve a rod
        self.expect(0, "export", "r", "--to", "step")
        step = (self.folder / "r/result.step").read_text(encoding="utf-8")
        self.assertEqual(step.count("B_SPLINE_CURVE_WITH_KNOTS"), len(found))
        # as long as the report says, but for what tension and chords take
        for name, length in step_lengths(step).items():
            self.assertLess(abs(length / found[name] - 1), 5e-4, name)

    def test_zipped(self):
        with zipfile.ZipFile(self.folder / "loom.zip", "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr("readme.txt", "nothing here")
            package.writestr("loom.kbl", kbl(4))
        self.assertIn(" rods", self.expect(0, "import", "loom.zip").stdout)
        self.assertIn("loom.yaml", self.files())
        with zipfile.ZipFile(self.folder / "none.zip", "w") as package:
            package.writestr("readme.txt", "nothing here")
        self.assertIn("holds no file", self.refused("import", "none.zip"))

    def test_large(self):
        self.write(kbl(180, wires=1), "big.kbl")
        self.expect(0, "import", "big.kbl")
        self.expect(0, "solve", "big.yaml", "-o", "r")
        self.expect(0, "report", "r", "--harness")
        self.assertGreaterEqual(len(self.rows("r/segments.csv")), 180)

    def test_refused(self):
        good = kbl(4)
        self.write(good[:len(good) // 2], "cut.kbl")
        self.write("<x/>\n", "root.kbl")
        self.write('<!DOCTYPE x [<!ENTITY a "aaaa">]>\n<KBL_container>&a;</KBL_container>\n', "bomb.kbl")
        self.write(good.replace("<Start_node>n0<", "<Start_node>nowhere<", 1), "dangling.kbl")
        self.write(good.replace("<Si_unit_name>metre</Si_unit_name>", "").replace("<Unit_name>mm<", "<Unit_name>cubit<"), "unit.kbl")
        for name, word in (("cut", "XML"), ("root", "KBL_container"), ("bomb", "DTD"), ("dangling", "nowhere"), ("unit", "cubit")):
            message = self.refused("import", f"{name}.kbl", "-o", "out.yaml")
            self.assertRegex(message, rf"{name}\.kbl:\d+")
            self.assertIn(word, message)
        self.assertNotIn("out.yaml", self.files())
        self.assertIn("expected by-file", self.refused("import", "cut.kbl", "--curve", "maybe"))

    def test_report_needs_its_scene(self):
        self.assertIn("none", self.refused("report", "none"))


if __name__ == "__main__":
    unittest.main()
