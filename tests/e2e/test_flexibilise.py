#!/usr/bin/env python3
"""Meshes made flexible, and the round trip: the skin of a solved scene becomes that scene again."""
import json
import math
import re
import shutil
import unittest
from pathlib import Path

import filum_cli

HERE = Path(__file__).resolve().parent


def farthest(points, line):
    """The largest distance of some points from a line of chords."""
    def off(p, a, b):
        way = [y - x for x, y in zip(a, b)]
        t = sum((x - y) * w for x, y, w in zip(p, a, way)) / sum(w * w for w in way)
        return math.dist(p, [x + min(max(t, 0), 1) * w for x, w in zip(a, way)])
    return max(min(off(p, a, b) for a, b in zip(line, line[1:])) for p in points)


class Flexibilise(filum_cli.CliTest):
    def test_round_trip(self):
        self.expect(0, "solve", filum_cli.SCENES / "wiring-harness.yaml", "-o", "r")
        solved = json.loads((self.folder / "r/result.json").read_text(encoding="utf-8"))["states"][-1]["rods"]
        for form, name, unit in (("obj", "result.obj", []), ("stl", "result.stl", []), ("gltf", "result.glb", [])):
            self.expect(0, "export", "r", "--to", form)
            done = self.expect(0, "flexibilise", f"r/{name}", "-o", f"{form}.yaml", *unit)
            self.assertIn("5 branches, 2 junctions, 4 ends", done.stdout)
            self.assertEqual("unit" in done.stderr, form != "gltf", "the unit is told where it is guessed")
            again = json.loads(self.expect(0, "solve", f"{form}.yaml", "--json", "--set", "gravity=[0, 0, 0]").stdout)
            lengths = sorted(rod["length"] for rod in again["states"][-1]["rods"].values())
            for found, true in zip(lengths, sorted(rod["length"] for rod in solved.values())):
                self.assertLess(abs(found / true - 1), 2e-4)
            # the same places: every end, and each node of a rod near the line of one
            for rod in again["states"][-1]["rods"].values():
                off = min(max(farthest(way, true["positions"]), math.dist(way[0], true["positions"][0]), math.dist(way[-1], true["positions"][-1]))
                          for true in solved.values() for way in (rod["positions"], rod["positions"][::-1]))
                self.assertLess(off, 2e-4)

    def test_round_trip_of_sections(self):
        """Sections of every shape, bent and twisted by their ends: found again as what they are."""
        shapes = {
            "circle": "shape: circle, radius: 3 mm",
            "tube": "shape: tube, outer_radius: 5 mm, inner_radius: 3.6 mm",
            "rectangle": "shape: rectangle, width: 12 mm, height: 3.2 mm",
            "ellipse": "shape: ellipse, radii: [5 mm, 2.6 mm]",
            "bundle": "shape: bundle, bundle: [{wire: FLRY-B 0.5, count: 12}], tape: 0.3 mm",
        }
        text = "filum: 1\nmaterials: {soft: {young: 8 MPa, poisson: 0.45, density: 1200}}\nsections:\n"
        text += "".join(f"  {name}: {{{shape}}}\n" for name, shape in shapes.items()) + "rods:\n"
        for k, name in enumerate(shapes):
            made = "" if name == "bundle" else "material: soft, "
            text += f"  {name}: {{{made}section: {name}, length: 0.36, segments: 60, normal: [0, 0, 1], shape: {{line: [[0, {k / 4}, 0], [0.36, {k / 4}, 0]]}}}}\n"
        text += "holds:\n"
        for k, name in enumerate(shapes):
            text += f"  - {{name: {name} a, rod: {name}, at: start, fix: [position, orientation]}}\n"
            text += f"  - {{name: {name} b, rod: {name}, at: end, fix: [position, orientation], position: [0.29, {k / 4 + 0.05}, 0.02], "
            text += "orientation: {tangent: [1, -0.4, 0.3], normal: [0, 0.5, 1]}}\n"
        self.write(text)
        self.expect(0, "solve", "scene.yaml", "-o", "r")
        solved = json.loads((self.folder / "r/result.json").read_text(encoding="utf-8"))["states"][-1]["rods"]
        for form, name in (("obj", "result.obj"), ("stl", "result.stl"), ("gltf", "result.glb")):
            self.expect(0, "export", "r", "--to", form)
            self.assertIn("5 branches, 0 junctions, 10 ends", self.expect(0, "flexibilise", f"r/{name}", "-o", "again.yaml").stdout)
            sections = (self.folder / "again.yaml").read_text(encoding="utf-8").split("rods:")[0]
            for shape in ("rectangle", "ellipse", "tube"):
                self.assertEqual(sections.count(f"shape: {shape}"), 1, sections)
            # the wall of the pipe
            inner = float(re.search(r"inner_radius: ([\d.]+)", sections).group(1))
            self.assertLess(abs(inner / 3.6e-3 - 1), 2e-3)
            # it rests as it is drawn, twist included, and so it stays
            state = json.loads(self.expect(0, "solve", "again.yaml", "--json", "--set", "gravity=[0, 0, 0]").stdout)["states"][-1]
            self.assertLess(state["energy"]["elastic"], 1e-12)
            for true in solved.values():
                rod = min(state["rods"].values(), key=lambda each: min(math.dist(true["positions"][0], each["positions"][k]) for k in (0, -1)))
                for found, half in zip(sorted(rod["outline"]), sorted(true["outline"])):
                    self.assertLess(abs(found / half - 1), 5e-3)
                self.assertLess(abs(rod["length"] / true["length"] - 1), 1e-3)
                # between their vertices both lines are chords
                self.assertLess(max(farthest(rod["positions"], true["positions"]), farthest(true["positions"], rod["positions"])), 2e-4)

    def test_between_two_points(self):
        self.expect(0, "solve", filum_cli.SCENES / "wiring-harness.yaml", "-o", "r")
        self.expect(0, "export", "r", "--to", "obj")
        ends = ("--from", "0.2,0.0018,0.014", "--to", "0.8,0.028,-0.039")
        done = self.expect(0, "flexibilise", "r/result.obj", "-o", "part.yaml", *ends)
        self.assertIn("2 branches, 1 junctions, 2 ends, 1 other pieces", done.stdout)
        self.assertIn("stay a mesh", done.stderr)
        self.assertIn("part-rest.obj", (self.folder / "part.yaml").read_text(encoding="utf-8"))
        self.expect(0, "solve", "part.yaml")
        self.assertIn("no tube at (9, 9, 9)", self.refused("flexibilise", "r/result.obj", "--from", "9,9,9", "--to", "0,0,0"))
        self.assertIn("x,y,z", self.refused("flexibilise", "r/result.obj", "--from", "0.2,0", "--to", "0,0,0"))
        self.assertIn("go together", self.refused("flexibilise", "r/result.obj", "--from", "0,0,0"))

    def test_refused(self):
        self.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n", "solid.obj")
        self.write("nothing\n", "none.obj")
        self.assertIn("no tube", self.refused("flexibilise", "solid.obj", "--unit", "mm"))
        self.assertRegex(self.refused("flexibilise", "none.obj"), re.escape("none.obj"))
        self.write("", "empty.stl")
        self.assertIn("empty.stl: this file is empty", self.refused("flexibilise", "empty.stl"))
        # beyond whose end the importer reads on
        head = b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        head += b"element face 1\nproperty list uchar int vertex_indices\nend_header\n"
        for there in (0, 30, 36, 40):
            (self.folder / "cut.ply").write_bytes(head + b"\x03" * there)
            self.assertIn("ends before its mesh does", self.refused("flexibilise", "cut.ply"))
        self.assertIn("--unit", self.refused("flexibilise", "solid.obj", "--unit", "ell"))
        self.assertIn("expected a mesh", self.refused("flexibilise", "scene.docx") if self.write("x", "scene.docx") else "")

    def test_step_solid(self):
        """A cylinder of 5 mm radius and 100 mm length, if the program was built with OCCT; without it the refusal names the package."""
        shutil.copy(HERE / "cylinder.step", self.folder)
        self.write("ISO-10303-21;\nHEADER;\n", "cut.step")
        built = self.filum("flexibilise", "cylinder.step", "-o", "solid.yaml")
        if built.returncode != 0:
            self.assertIn("libocct-data-exchange-dev", built.stderr)
            self.assertFalse((self.folder / "solid.yaml").exists())
            return
        self.assertIn("1 branches, 0 junctions, 2 ends", built.stdout)
        scene = (self.folder / "solid.yaml").read_text(encoding="utf-8")
        self.assertRegex(scene, r"radius: (0\.005|5 mm)\b")
        rod = next(iter(json.loads(self.expect(0, "solve", "solid.yaml", "--json", "--set", "gravity=[0, 0, 0]").stdout)["states"][-1]["rods"].values()))
        self.assertLess(abs(rod["length"] - 0.1), 1e-6)
        self.assertIn("cut.step", self.refused("flexibilise", "cut.step"))


if __name__ == "__main__":
    unittest.main()
