"""filum examples and filum new: the scenes that are built into the program, and those that move."""
import json
import unittest

from filum_cli import SCENES, CliTest


class ExampleTest(CliTest):
    def run_json(self, *arguments):
        """As `json`, but free rods are warned of."""
        return json.loads(self.expect(0, "run", *arguments, "--json").stdout)


class Examples(ExampleTest):
    def test_all_are_listed_with_a_sentence(self):
        lines = dict(line.split(None, 1) for line in self.expect(0, "examples").stdout.split("\n\n")[0].splitlines())
        self.assertEqual(sorted(lines), sorted(scene.stem for scene in SCENES.rglob("*.yaml")))
        for name, sentence in lines.items():
            self.assertGreater(len(sentence), 10, name)

    def test_new_copies_byte_by_byte(self):
        self.assertEqual(self.expect(0, "new", "brake-hose").stdout, "brake-hose.yaml\n")
        self.assertEqual((self.folder / "brake-hose.yaml").read_bytes(), (SCENES / "brake-hose.yaml").read_bytes())
        self.expect(0, "solve", "brake-hose.yaml")

    def test_new_under_another_name(self):
        self.expect(0, "new", "brake-hose", "-o", "mine.yaml")
        self.assertEqual(self.files(), ["mine.yaml"])

    def test_new_never_overwrites(self):
        self.write("precious", "brake-hose.yaml")
        self.assertIn("exists", self.refused("new", "brake-hose"))
        self.assertEqual((self.folder / "brake-hose.yaml").read_text(encoding="utf-8"), "precious")

    def test_new_refused(self):
        self.assertIn("garden-hose", self.refused("new", "garden-hose"))
        self.refused("new", "brake-hose", "-o", "none/such/folder.yaml")

    def test_every_example_that_moves_runs(self):
        moving = [scene for scene in sorted(SCENES.glob("*.yaml"))
                  if "mode: dynamics" in scene.read_text(encoding="utf-8")]
        self.assertGreaterEqual(len(moving), 6)
        for scene in moving:
            with self.subTest(scene=scene.name):
                result = self.run_json(scene, "--set", "simulation.end=0.2")
                run = result["run"]
                self.assertTrue(run["completed"])
                # where rods fall on rods, or flat ones on things by their edge, a step may have to be divided
                text = scene.read_text(encoding="utf-8")
                blows = "rods: true" in text or ("shape: rectangle" in text and "obstacles:" in text)
                self.assertLessEqual(run["failed_steps"], run["steps"] // 8 if blows else 0)
                self.assertAlmostEqual(result["states"][-1]["t"], 0.2)
                # the scenes' own steps are short enough for this; a step that is too long loses or makes far more. What
                # hangs still moves by round-off
                first = result["states"][0]["energy"]
                if run["energy_scale"] > 1e-6 * (first["elastic"] + abs(first["gravity"])):
                    self.assertLess(run["max_energy_error"], 0.02 * run["energy_scale"])


class Motion(ExampleTest):
    """What the moving examples are there to show."""

    def test_a_torsional_pendulum_keeps_its_period(self):
        result = self.run_json(SCENES / "torsional-pendulum.yaml", "--set", "simulation.end=4",
                           "--set", "record.every=0")
        t, turns = result["history"]["t"], result["history"]["turns"]["wire"]
        zeros = [t[i] - turns[i] * (t[i + 1] - t[i]) / (turns[i + 1] - turns[i])
                 for i in range(1, len(t) - 1) if turns[i] * turns[i + 1] < 0]
        # 2π·√(I·L/GJ) with GJ = E/2(1+ν)·π/2·r⁴ is 3.2335 s; a body that turns by 0.1 rad a step is slower by up to
        # 0.1²/12, and the zero lies between two records
        self.assertAlmostEqual(2 * (zeros[1] - zeros[0]) / 3.2335, 1, delta=1e-3)

    def test_a_square_knot_holds_by_friction_alone(self):
        # four seconds of processor time each: the knot is tightened in 2 s and pulled from 2.4 s on
        for friction, holds in ((0.4, True), (0, False)):
            result = self.run_json(SCENES / "square-knot.yaml", "--set", f"contact.friction={friction}",
                                   "--set", "simulation.end=3")
            self.assertTrue(result["run"]["completed"])
            pulled = result["states"][-1]["rods"]["right"]["positions"][0][0]
            # the cords are 0.4 m long: a knot that runs has let go by more than that
            self.assertEqual(pulled < 0.4, holds, f"friction {friction}: {pulled}")

    def test_michells_ring_leaves_its_plane_beyond_the_critical_twist_only(self):
        for twist, leaves in (("1.65 turns", False), ("1.9 turns", True)):
            result = self.run_json(SCENES / "michell-ring.yaml", "--set", "simulation.end=1.2",
                               "--set", f"rods.ring.twist={twist}")
            height = max(abs(point[2]) for point in result["states"][-1]["rods"]["ring"]["positions"])
            self.assertEqual(height > 0.02, leaves, f"{twist}: {height}")


if __name__ == "__main__":
    unittest.main()
