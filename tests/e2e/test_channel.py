"""filum channel: what it prints, what it writes, what it refuses."""
import json
import math
import unittest

from filum_cli import SCENES, CliTest

BEND = """\
title: Bend
channel:
  centreline: {arc: {centre: [0, 1], start: [0, 0], angle: 90 deg}}
  width: 0.1
beam: {EI: 2.4674011}
load: {force: [-200, -200]}
search: {links: 30, k: 2}
"""


class Channel(CliTest):
    def test_table_and_files(self):
        self.write(BEND, "bend.yaml")
        done = self.expect(0, "channel", "bend.yaml")
        for word in ("Bend", "U = FL/EI", "contacts", "report.html"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "", "quiet when piped")
        self.assertEqual(self.files(), ["bend.result", "bend.result/report.html", "bend.result/result.json",
                                        "bend.result/shapes.csv", "bend.yaml"])
        page = (self.folder / "bend.result/report.html").read_text(encoding="utf-8")
        self.assertIn("<svg", page)
        self.assertNotIn("nan", page.lower().replace("finance", ""))

    def test_json(self):
        self.write(BEND, "bend.yaml")
        result = json.loads(self.expect(0, "channel", "bend.yaml", "--json").stdout)
        self.assertEqual(self.files(), ["bend.yaml"], "JSON writes no files")
        self.assertTrue(result["solve"]["converged"])
        shape = result["shapes"][0]
        self.assertEqual(len(shape["positions"]), 31)
        self.assertLess(shape["breach"], 1e-9)
        # walls and clamp carry the load
        for axis in (0, 1):
            total = shape["end_force"][axis] + shape["clamp"]["force"][axis]
            total += sum(contact["force"][axis] for contact in shape["contacts"])
            self.assertAlmostEqual(total, 0, delta=1e-6)
        # links keep their length
        for a, b in zip(shape["positions"], shape["positions"][1:]):
            self.assertAlmostEqual(math.dist(a, b), math.pi / 2 / 30, delta=1e-12)
        self.assertEqual([step["what"] for step in shape["refinement"]][0], "lattice")
        energies = [each["energy"] for each in result["shapes"]]
        self.assertEqual(energies, sorted(energies))

    def test_load_path(self):
        self.write(BEND.replace("{force: [-200, -200]}", "{push: [0.01, 0.02, 0.03]}"), "bend.yaml")
        self.expect(0, "channel", "bend.yaml", "-o", "out")
        self.assertIn("out/path.csv", self.files())
        result = json.loads((self.folder / "out/result.json").read_text(encoding="utf-8"))
        for step in result["path"]:
            self.assertAlmostEqual(step["tip"]["along"], math.pi / 2 - step["load"]["push"], delta=1e-9)
            self.assertGreater(step["push_force"], 0)

    def test_every_example_runs(self):
        for file in sorted((SCENES / "channel").glob("*.yaml")):
            with self.subTest(file=file.name):
                result = json.loads(self.expect(0, "channel", file, "--json").stdout)
                self.assertTrue(result["solve"]["converged"])

    def test_refusals(self):
        for change, word in ((("width: 0.1", "width: 0"), "no width"), (("width: 0.1", "width: -1"), "negative"),
                             (("width: 0.1", "width: 3"), "beyond the centre"), (("EI: 2.4674011", "EI: .nan"), "stiffness"),
                             (("links: 30", "links: 1"), "links"), (("title", "tilte"), "tilte"),
                             (("beam: {", "beam: {length: 9, "), "longer than the channel"),
                             (("{force: [-200, -200]}", "{push: 3}"), "leaves nothing")):
            self.write(BEND.replace(*change), "bad.yaml")
            self.assertIn(word, self.refused("channel", "bad.yaml"))
        self.write("", "empty.yaml")
        self.refused("channel", "empty.yaml")
        self.refused("channel", "none.yaml")

    def test_what_cannot_rest_is_told(self):
        # so large a load folds the tip back
        self.write(BEND.replace("-200, -200", "-900, -900"), "bend.yaml")
        done = self.expect(3, "channel", "bend.yaml")
        self.assertIn("folds back", done.stdout)
        self.assertIn("bend.result/report.html", self.files(), "the best state is written all the same")


if __name__ == "__main__":
    unittest.main()
