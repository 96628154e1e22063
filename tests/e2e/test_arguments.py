"""The command line itself: help, version, what is refused and how."""
import unittest

from filum_cli import CANTILEVER, CliTest


class Arguments(CliTest):
    def test_version_and_help(self):
        self.assertRegex(self.expect(0, "--version").stdout, r"^filum \d+\.\d+\.\d+\n$")
        for command in ("solve", "run", "modes", "check", "export", "examples", "new", "validate", "bench"):
            self.assertIn(command, self.expect(0, "--help").stdout)
            self.assertIn("Usage", self.expect(0, command, "--help").stdout)

    def test_no_command(self):
        self.assertIn("command", self.refused())

    def test_unknown_command_option_and_argument(self):
        self.assertIn("unknown command 'sovle'", self.refused("sovle", "x.yaml"))
        self.write(CANTILEVER)
        self.assertIn("--fast", self.refused("solve", "scene.yaml", "--fast"))
        self.assertIn("more", self.refused("solve", "scene.yaml", "more"))
        self.assertIn("SCENE", self.refused("solve"))

    def test_bad_option_values(self):
        self.write(CANTILEVER)
        self.assertIn("--path", self.refused("solve", "scene.yaml", "--path", "many"))
        self.assertIn("--path", self.refused("solve", "scene.yaml", "--path", "-3"))
        self.assertIn("--at", self.refused("solve", "scene.yaml", "--at", "nan"))

    def test_one_state_or_many(self):
        self.write(CANTILEVER)
        for order in (("--at", "0", "--path", "3"), ("--path", "3", "--at", "1")):
            message = self.refused("solve", "scene.yaml", *order)
            self.assertIn("--at", message)
            self.assertIn("--path", message)
            self.assertEqual(message.count("\n"), 1)

    def test_a_path_needs_a_driver(self):
        self.write(CANTILEVER)
        self.assertEqual(self.refused("solve", "scene.yaml", "--path", "3"),
                         "filum: scene.yaml:2:1: nothing in this scene changes with time: --path needs a driver\n")

    def test_an_empty_name(self):
        self.write(CANTILEVER)
        for command in (("solve", "scene.yaml"), ("new", "brake-hose"), ("export", "scene.result", "--to", "csv")):
            for option in (("-o", ""), ("--output", ""), ("--output=",)):
                self.assertIn("--output", self.refused(*command, *option))

    def test_unknown_validation_case(self):
        self.assertIn("there is no validation case 'none-such'", self.refused("validate", "none-such"))


if __name__ == "__main__":
    unittest.main()
