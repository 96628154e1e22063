"""Lengths that are found, cables that are too short, turns: as `filum solve` tells of them."""
import json
import unittest

from filum_cli import SCENES, CliTest


class Lengths(CliTest):
    def solve(self, *arguments):
        return json.loads(self.expect(0, "solve", *arguments, "--json").stdout)

    def test_a_cable_finds_its_length_between_its_clips(self):
        result = self.solve(SCENES / "laid-cable.yaml")
        lengths = result["lengths"]
        self.assertEqual([part["to"] for part in lengths], ["hold 'first clip'", "hold 'second clip'", "hold 'sensor'"])
        for part in lengths:
            self.assertEqual(part["verdict"], "found")
            # segments are shared anew between the parts: a ten-thousandth
            self.assertAlmostEqual(part["force"], 1.5, delta=3e-4)
        rod = result["states"][-1]["rods"]["cable"]
        self.assertAlmostEqual(rod["s"][-1], sum(part["length"] for part in lengths), places=9)
        # a smaller pull lays it in wider bends
        slack = self.solve(SCENES / "laid-cable.yaml", "--set", "routing.0.pull=0.2")
        self.assertGreater(sum(part["length"] for part in slack["lengths"]), rod["s"][-1] + 0.01)

    def test_what_was_found_is_printed_and_in_the_report(self):
        printed = self.expect(0, "solve", SCENES / "laid-cable.yaml", "-o", "r").stdout
        self.assertIn("found length of", printed)
        self.assertIn("rod 'cable' found its length between hold 'plug' and hold 'first clip'", printed)
        self.assertIn("Lengths found", (self.folder / "r" / "report.html").read_text(encoding="utf-8"))

    def test_a_pulled_cable_keeps_the_length_of_the_open_drawer(self):
        result = self.solve(SCENES / "drawer-cable.yaml", "--path", "21")
        lengths = result["history"]["lengths"][0]
        self.assertEqual(lengths, sorted(lengths))
        self.assertGreater(lengths[10], lengths[0] + 0.2)
        self.assertEqual(lengths[-1], lengths[10])
        self.assertEqual(result["lengths"][0]["verdict"], "kept")

    def test_a_scene_that_cannot_find_a_length_says_why(self):
        text = (SCENES / "laid-cable.yaml").read_text(encoding="utf-8")
        self.write(text.replace("mode: self-finding, pull: 1.5 N", "mode: self-finding"), "s.yaml")
        self.assertIn("a self-finding rod needs one", self.refused("solve", "s.yaml"))


class Reach(CliTest):
    def test_what_is_missing_makes_the_movement_possible(self):
        result = json.loads(self.expect(0, "solve", SCENES / "cluster-removal.yaml", "--path", "31", "--json").stdout)
        missing = {short["rod"]: short for short in result["shortages"]}
        self.assertEqual(sorted(missing), ["aerial", "main"])
        self.assertEqual(result["shortages"][0]["rod"], "main")
        self.assertLess(missing["main"]["stopped"], missing["aerial"]["stopped"])
        self.assertEqual(missing["main"]["from"], "hold 'bulkhead'")
        longer = [item for rod, length in (("main", 0.40), ("aerial", 0.37))
                  for item in ("--set", f"rods.{rod}.length={length + missing[rod]['missing']!r}")]
        enough = json.loads(self.expect(0, "solve", SCENES / "cluster-removal.yaml", "--path", "31", "--json",
                                        *longer).stdout)
        self.assertNotIn("shortages", enough)

    def test_it_is_printed_and_in_the_report(self):
        printed = self.expect(0, "solve", SCENES / "cluster-removal.yaml", "--path", "31", "-o", "r").stdout
        self.assertIn("too short", printed)
        self.assertIn("hold 'bulkhead' and hold 'main plug'", printed)
        self.assertIn("Too short", (self.folder / "r" / "report.html").read_text(encoding="utf-8"))


class Turns(CliTest):
    def test_every_turn_of_the_wrist_is_accounted_for(self):
        result = json.loads(self.expect(0, "solve", SCENES / "wrist-cable.yaml", "--path", "81", "--json").stdout)
        balance = result["history"]["balance"]["cable"]
        for t, turns, twist, writhe, crossings, remainder in zip(
                result["history"]["t"], *(balance[key] for key in ("turns", "twist", "writhe", "crossings", "remainder"))):
            self.assertAlmostEqual(turns, t, places=6)
            self.assertLess(abs(remainder), 1e-7)
            self.assertAlmostEqual(twist + writhe, turns - 2 * crossings, places=6)
        self.assertGreater(balance["crossings"][-1], 0)
        self.assertIn("crossings", self.expect(0, "solve", SCENES / "wrist-cable.yaml", "--path", "81").stdout)


if __name__ == "__main__":
    unittest.main()
