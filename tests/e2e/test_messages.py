"""What names and titles may do to a terminal, a spreadsheet or a browser, and where messages point."""
import re
import unittest

from filum_cli import CANTILEVER, SCENES, CliTest

# a name that clears the screen, turns red, rings and forges a line
EVIL = r'"\e[2J\e[31mwi\are\nfilum: all is well\u009b1A"'
RUN = CANTILEVER + "simulation: {step: 1/100, end: 0.1}\nrecord: {every: 0.05}\n"
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


class Terminals(CliTest):
    def expect_plain(self, text):
        self.assertIsNone(CONTROL.search(text), repr(text))
        for line in text.splitlines():
            self.assertFalse(line.startswith("filum: all is well"), text)

    def test_names_and_titles(self):
        self.write(RUN.replace("name: wall", f"name: {EVIL}").replace("title: Cantilever", f"title: {EVIL}"))
        for command in ("solve", "run", "modes", "check"):
            done = self.expect(0, command, "scene.yaml")
            self.expect_plain(done.stdout + done.stderr)
        self.assertIn(r"\x1b[2J", self.filum("solve", "scene.yaml").stdout)

    def test_rods_limits_and_messages(self):
        text = RUN.replace("wire:\n    material", f"{EVIL}:\n    material").replace("rod: wire", f"rod: {EVIL}")
        self.write(text)
        for command in ("solve", "run", "check"):
            self.expect_plain(self.expect(0, command, "scene.yaml").stdout)
        # refusals quote what they found
        self.write(text.replace("material: steel", f"material: {EVIL}"))
        message = self.refused("solve", "scene.yaml")
        self.expect_plain(message)
        self.assertEqual(message.count("\n"), 1)


class Spreadsheets(CliTest):
    def test_headings_are_no_formulas(self):
        for name in ("=1+1", "+1", "-1", "@sum"):
            self.write(RUN.replace("name: wall", f'name: "{name}"'))
            self.expect(0, "run", "scene.yaml", "-o", "r")
            self.expect(0, "export", "r", "--to", "csv")
            head = (self.folder / "r/history.csv").read_text(encoding="utf-8").splitlines()[0]
            self.assertIn(f"\"'{name} Fx [N]\"", head)


class Pages(CliTest):
    POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    def test_policy(self):
        self.write(RUN)
        self.expect(0, "run", "scene.yaml", "-o", "r")
        self.expect(0, "modes", "scene.yaml", "-o", "m")
        self.expect(0, "channel", next((SCENES / "channel").glob("*.yaml")), "-o", "c")
        for page in ("r/report.html", "m/modes.html", "c/report.html"):
            text = (self.folder / page).read_text(encoding="utf-8")
            self.assertIn(f'<meta http-equiv="Content-Security-Policy" content="{self.POLICY}">', text)
            # what the policy would stop
            for word in ("<script", "<iframe", "<link", "@import", "url(", " onload", "javascript:"):
                self.assertNotIn(word, text)


class Places(CliTest):
    """Refusals of example scenes that somebody changed: every one of them says file, line and column."""

    SETTINGS = [
        "simulation.formulation=cosserat", "simulation.formulation=chain", "simulation.formulation=kirchhoff",
        "simulation.formulation=magic", "simulation.stepper=projection", "simulation.stepper=variational",
        "simulation.stepper=magic", "simulation.integrator=bdf2", "simulation.integrator=magic", "simulation.end=0",
        "simulation.end=-1", "simulation.tolerance=1e-4", "simulation.step=0", "simulation.chain={sweeps: 5}",
        "simulation.iterations=0", "simulation.start=equilibrium", "simulation.start=magic", "drivers=[]",
        "gravity=[0, 0]", "record.every=-1", "simulation.integrator={name: generalised-alpha, spectral_radius: 3}",
        "torques=[{rod: nobody, at: end, torque: [0, 0, 1]}]", "forces=[{rod: nobody, at: end, force: [0, 0, 1]}]",
    ]
    COMMANDS = (("solve",), ("solve", "--path", "2"), ("run",), ("modes",))

    def test_every_refusal_has_its_line(self):
        silent = []
        seen = 0
        for scene in sorted(SCENES.glob("*.yaml")):
            for setting in self.SETTINGS:
                for command in self.COMMANDS:
                    done = self.filum(command[0], scene, *command[1:], "--set", setting, "--dry-run")
                    if done.returncode != 2:
                        self.assertEqual(done.returncode, 0, done.stderr)
                        continue
                    seen += 1
                    if not re.match(rf"filum: (warning: .*\nfilum: )*{re.escape(str(scene))}:\d+:\d+: ", done.stderr):
                        silent.append(f"{command} {scene.name} {setting}: {done.stderr}")
        self.assertGreater(seen, 300)
        self.assertEqual(silent, [], f"{len(silent)} of {seen}")

    def test_states_that_do_not_fit(self):
        """A scene that was changed before it is continued, one that is at its end, one that starts from another's state."""
        self.write(RUN)
        self.expect(0, "run", "scene.yaml", "-o", "r")
        line = 1 + RUN.splitlines().index(next(l for l in RUN.splitlines() if l.startswith("simulation:")))
        self.assertRegex(self.refused("run", "scene.yaml", "--continue", "r", "-o", "s"),
                         rf"^filum: scene.yaml:{line}:\d+: .*nothing to run")
        self.write(RUN.replace("segments: 20", "segments: 21"))
        self.assertRegex(self.refused("run", "scene.yaml", "--continue", "r", "-o", "s"),
                         r"^filum: scene.yaml:10:\d+: --continue: \S+ .*has changed since")
        self.write(RUN.replace("end: 0.1}", "end: 0.1, start: {result: nowhere}}"))
        self.assertRegex(self.refused("run", "scene.yaml", "-o", "s"), rf"^filum: scene.yaml:{line}:\d+: .*nowhere")
        other = RUN.replace("wire", "other")
        self.write(other.replace("end: 0.1}", "end: 0.1, start: {result: r}}"))
        self.assertRegex(self.refused("run", "scene.yaml", "-o", "s"), rf"^filum: scene.yaml:{line}:\d+: .*does not fit")
        self.assertFalse((self.folder / "s").exists())


if __name__ == "__main__":
    unittest.main()
