#!/usr/bin/env python3
"""What is exported is read by the programs that others read it with: OCCT's command line, Khronos's validator of glTF, a
reader of USD. A test whose program is not there says so and is skipped; ctest has one for each program and shows it as
skipped."""
import csv
import json
import math
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import filum_cli

HERE = Path(__file__).resolve().parent
DRAW = next((found for name in ("occt-draw", "occt-draw-7.6", "DRAWEXE") if (found := shutil.which(name))), None)
NODE = shutil.which("node")
# the page's packages, unless others are named
MODULES = os.environ.get("FILUM_NODE_MODULES", str(HERE.parents[1] / "web/node_modules"))


def tangent(quaternion):
    """Where a frame turns z to; [w, x, y, z]."""
    w, x, y, z = quaternion
    return (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))


def norm(vector):
    return math.sqrt(sum(x * x for x in vector))


def angle(a, b):
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return math.atan2(norm(cross), sum(x * y for x, y in zip(a, b)))


class Step(filum_cli.CliTest):
    def edges_of(self, file):
        """The curves that OCCT finds in a STEP file: length, and place and direction at both ends, millimetres."""
        if DRAW is None:
            self.skipTest("occt-draw is not installed (Debian: occt-draw, libocct-draw-dev): STEP is not read by OCCT")
        script = f"""pload MODELING DATAEXCHANGE
stepread {file} a *
set edges [explode a_1 E]
foreach e $edges {{
  mkcurve c $e
  bounds c u v
  puts "EDGE [length c 1e-10]"
  foreach w {{u v}} {{ cvalue c $w x y z dx dy dz; puts "END [dval x] [dval y] [dval z] [dval dx] [dval dy] [dval dz]" }}
}}
exit
"""
        self.write(script, "read.tcl")
        done = subprocess.run([DRAW, "-b", "-f", "read.tcl"], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        lengths = [float(found) for found in re.findall(r"EDGE The length c is ([-+.\deE]+)", done.stdout)]
        ends = [[float(x) for x in line.split()[1:]] for line in done.stdout.splitlines() if line.startswith("END ")]
        self.assertEqual(len(ends), 2 * len(lengths), done.stdout + done.stderr)
        return [(length, ends[2 * k], ends[2 * k + 1]) for k, length in enumerate(lengths)]

    def test_step_is_read_by_occt(self):
        self.expect(0, "solve", filum_cli.SCENES / "wiring-harness.yaml", "-o", "r")
        self.expect(0, "export", "r", "--to", "step")
        rods = json.loads((self.folder / "r/result.json").read_text(encoding="utf-8"))["states"][-1]["rods"]
        edges = self.edges_of("r/result.step")
        self.assertEqual(len(edges), len(rods))
        for (length, *ends), rod in zip(edges, rods.values()):
            for end, k in zip(ends, (0, -1)):
                self.assertLess(norm([1e-3 * x - y for x, y in zip(end[:3], rod["positions"][k])]), 1e-6)
                self.assertLess(angle(end[3:], tangent(rod["frames"][k])), 1e-4)
            # as long as the rod lies there, which the ends alone do not tell
            self.assertLess(abs(1e-3 * length / self.lain(rod) - 1), 1e-6)

    @staticmethod
    def lain(rod):
        """The length of cubics from node to node, by Simpson's rule on many pieces: an oracle of its own."""
        total = 0
        for a in range(len(rod["s"]) - 1):
            h = rod["s"][a + 1] - rod["s"][a]
            p, q = rod["positions"][a], rod["positions"][a + 1]
            t, u = tangent(rod["frames"][a]), tangent(rod["frames"][a + 1])

            def speed(x):
                return norm([6 * x * (1 - x) * (q[k] - p[k]) + h * ((1 - x) * (1 - 3 * x) * t[k] + x * (3 * x - 2) * u[k]) for k in range(3)])

            total += sum((1 if i in (0, 8) else 4 if i % 2 else 2) * speed(i / 8) for i in range(9)) / 24
        return total

    def test_bends_are_read_by_occt(self):
        self.expect(0, "solve", filum_cli.SCENES / "wiring-harness.yaml", "-o", "r")
        self.expect(0, "export", "r", "--to", "bends", "--tolerance", "0.5")
        with (self.folder / "r/bends.csv").open(encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
        wanted = sum(float(row["straight before [mm]"]) + float(row["arc [mm]"]) for row in rows)
        self.assertLess(max(float(row["rod off at most [mm]"]) for row in rows), 0.5)
        edges = self.edges_of("r/bends.step")
        self.assertLess(abs(sum(length for length, *_ in edges) / wanted - 1), 1e-6)
        # one piece goes on where and as the one before ends, but from rod to rod
        gaps = [norm([x - y for x, y in zip(a[2][:3], b[1][:3])]) for a, b in zip(edges, edges[1:])]
        turns = [angle(a[2][3:], b[1][3:]) for a, b in zip(edges, edges[1:])]
        names = len({row["rod"] for row in rows})
        self.assertLessEqual(sum(1 for gap, turn in zip(gaps, turns) if gap > 1e-6 or turn > 1e-6), names - 1)


class InNode(filum_cli.CliTest):
    def answers(self, script, *files):
        """What a reader in node says of files, one object each."""
        if NODE is None:
            self.skipTest("node is not installed")
        done = subprocess.run([NODE, str(HERE / script), *files], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "FILUM_NODE_MODULES": MODULES})
        if done.returncode == 3:
            self.skipTest(f"its package is not installed in {MODULES}")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def motion(self):
        self.expect(0, "run", filum_cli.SCENES / "flexible-pendulum.yaml", "-o", "m", "--set", "simulation.end=0.2")


class Gltf(InNode):
    def test_gltf_has_no_errors(self):
        self.motion()
        self.expect(0, "export", "m", "--to", "animation")
        self.expect(0, "export", "m", "--to", "gltf")
        self.expect(0, "solve", filum_cli.SCENES / "wiring-harness.yaml", "-o", "r")
        self.expect(0, "export", "r", "--to", "gltf")
        for report in self.answers("read_gltf.mjs", "m/motion.glb", "m/result.glb", "r/result.glb"):
            self.assertEqual(report["issues"]["numErrors"], 0, report["issues"]["messages"])
            self.assertEqual(report["issues"]["numWarnings"], 0, report["issues"]["messages"])
        # and it does find some
        broken = (self.folder / "r/result.glb").read_bytes()
        (self.folder / "broken.glb").write_bytes(broken[: len(broken) // 2])
        self.assertGreater(self.answers("read_gltf.mjs", "broken.glb")[0]["issues"]["numErrors"], 0)


class Usd(InNode):
    def test_usd_is_read(self):
        self.motion()
        self.expect(0, "export", "m", "--to", "usd")
        text = (self.folder / "m/motion.usda").read_text(encoding="utf-8")
        self.write(text.replace("def BasisCurves", "def BasisCurves {", 1), "broken.usda")
        good, broken = self.answers("read_usd.mjs", "m/motion.usda", "broken.usda")
        self.assertTrue(good["read"], good["why"])
        self.assertFalse(broken["read"])
        # and what is in it is the run
        rods = json.loads((self.folder / "m/result.json").read_text(encoding="utf-8"))["states"][-1]["rods"]
        self.assertEqual(len(good["curves"]), len(rods))
        for curve, rod in zip(good["curves"].values(), rods.values()):
            self.assertEqual(curve["times"][0], 0)
            self.assertAlmostEqual(curve["times"][-1], 0.2)
            self.assertEqual(curve["times"], sorted(curve["times"]))
            self.assertEqual(curve["extents"], len(curve["times"]))
            self.assertEqual(curve["counts"], [len(rod["positions"])])
            self.assertEqual(len(curve["widths"]), len(rod["positions"]))
            self.assertEqual(len(curve["first"]), 3 * len(rod["positions"]))
            for found, true in zip(curve["last"], (x for position in rod["positions"] for x in position)):
                self.assertLess(abs(found - true), 1e-6)


if __name__ == "__main__":
    unittest.main()
