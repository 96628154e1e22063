"""filum modes: what it prints, what it writes, what it refuses."""
import json
import math
import unittest

from filum_cli import CANTILEVER, CliTest

STRAIGHT = CANTILEVER + "gravity: [0, 0, 0]\n"


class Modes(CliTest):
    def test_table_and_files(self):
        self.write(STRAIGHT)
        done = self.expect(0, "modes", "scene.yaml", "-n", "4")
        for word in ("Cantilever", "frequency", "period", "ω²", "damping left out", "modes.html"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "", "quiet when piped")
        self.assertEqual(self.files(), ["scene.modes", "scene.modes/modes.html", "scene.modes/modes.json", "scene.yaml"])
        page = (self.folder / "scene.modes/modes.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<figure"), 8, "four modes in two planes")
        self.assertNotIn("http://www.w3.org/1999/xlink", page)

    def test_cantilever_frequency(self):
        self.write(STRAIGHT)
        result = self.json("modes", "scene.yaml", "--json", "--set", "rods.wire.segments=50")
        self.assertEqual(self.files(), ["scene.yaml"], "JSON writes no files")
        self.assertEqual(len(result["modes"]), 10)
        # Euler-Bernoulli, structural steel: ω = β² √(EI/ρA), EI/ρA = E r²/(4ρ)
        omega = 1.8751041**2 * math.sqrt(210e9 * 1e-6 / (4 * 7850))
        first = result["modes"][0]
        # second order in the mesh: 1.5e-4 at 50 segments
        self.assertAlmostEqual(first["frequency"], omega / (2 * math.pi), delta=4e-4 * omega / (2 * math.pi))
        self.assertAlmostEqual(first["eigenvalue"], (2 * math.pi * first["frequency"]) ** 2, delta=1e-9 * first["eigenvalue"])
        shape = first["rods"]["wire"]["displacement"]
        self.assertEqual(len(shape), 51)
        self.assertEqual(shape[0], [0, 0, 0])
        self.assertAlmostEqual(math.hypot(*shape[-1]), 1)

    def test_free_and_unstable(self):
        self.write(STRAIGHT.replace("fix: [position, orientation]", "fix: [position]"))
        self.assertIn("moves freely", self.expect(0, "modes", "scene.yaml").stdout)
        # twice Euler's load, π²EI/4L² = 0.41 N
        self.write(STRAIGHT + "forces: [{rod: wire, at: end, force: [-0.8, 0, 0]}]\n")
        result = self.json("modes", "scene.yaml", "--json")
        self.assertEqual([m.get("remark") for m in result["modes"]].count("unstable"), 2)
        self.assertIs(result["solve"]["stable"], False)

    def test_refusals(self):
        self.write(STRAIGHT + "torques: [{rod: wire, at: end, torque: [0.001, 0, 0]}]\n")
        self.assertIn("torque", self.refused("modes", "scene.yaml"))
        self.write(STRAIGHT)
        self.refused("modes", "scene.yaml", "-n", "0")
        self.refused("modes", "scene.yaml", "--at", "soon")

    def test_no_equilibrium(self):
        self.write(CANTILEVER.split("holds:")[0])
        done = self.expect(3, "modes", "scene.yaml")
        self.assertIn("no equilibrium", done.stdout)


if __name__ == "__main__":
    unittest.main()
