"""filum examples and filum new: the scenes that are built into the program."""
import unittest

from filum_cli import SCENES, CliTest


class Examples(CliTest):
    def test_all_are_listed_with_a_sentence(self):
        lines = dict(line.split(None, 1) for line in self.expect(0, "examples").stdout.split("\n\n")[0].splitlines())
        self.assertEqual(sorted(lines), sorted(scene.stem for scene in SCENES.glob("*.yaml")))
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


if __name__ == "__main__":
    unittest.main()
