"""filum solve: what it prints, what it writes, what it refuses."""
import json
import unittest

from filum_cli import CANTILEVER, SCENES, CliTest


class Solve(CliTest):
    def tip(self, result):
        return result["states"][-1]["rods"]["wire"]["positions"][-1]

    def test_table_and_files(self):
        self.write(CANTILEVER)
        done = self.expect(0, "solve", "scene.yaml")
        for word in ("Cantilever", "length", "bend radius", "wall", "iterations", "residual", "stable", "report.html"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "", "quiet when piped")
        self.assertNotIn("\033", done.stdout, "plain when piped")
        self.assertEqual(self.files(), ["scene.result", "scene.result/report.html", "scene.result/result.json", "scene.result/result.scene.yaml", "scene.yaml"])
        result = json.loads((self.folder / "scene.result/result.json").read_text(encoding="utf-8"))
        self.assertTrue(result["solve"]["converged"])
        self.assertTrue(result["solve"]["stable"])
        self.assertGreater(result["solve"]["seconds"], 0, "the solve was timed")

    def test_the_wall_carries_the_weight(self):
        self.write(CANTILEVER)
        hold = self.json("solve", "scene.yaml", "--json")["states"][0]["holds"]["wall"]
        weight = 7850 * 3.141592653589793 * 1e-6 * 9.81  # ρ π r² L g of structural steel, L = 1 m
        # statics is exact at any resolution; what remains is the solver's residual
        self.assertAlmostEqual(hold["force"][2], weight, delta=1e-8 * weight)

    def test_json_writes_no_files(self):
        self.write(CANTILEVER)
        self.assertEqual(self.json("solve", "scene.yaml", "--json")["filum"], 1)
        self.assertEqual(self.files(), ["scene.yaml"])

    def test_json_with_a_folder(self):
        self.write(CANTILEVER)
        printed = self.json("solve", "scene.yaml", "--json", "-o", "deep/er")
        self.assertEqual(printed, json.loads((self.folder / "deep/er/result.json").read_text(encoding="utf-8")))

    def test_result_goes_where_the_user_stands(self):
        (self.folder / "scenes").mkdir()
        self.write(CANTILEVER, "scenes/wire.yaml")
        self.expect(0, "solve", "scenes/wire.yaml")
        self.assertTrue((self.folder / "wire.result/result.json").exists())

    def test_set(self):
        self.write(CANTILEVER)
        shorter = self.json("solve", "scene.yaml", "--json", "--set", "rods.wire.shape.line=[[0, 0, 0], [0.5, 0, 0]]",
                            "--set", "rods.wire.segments=10")
        self.assertEqual(len(shorter["states"][0]["rods"]["wire"]["s"]), 11)
        self.assertLess(self.tip(shorter)[0], 0.51)
        self.assertEqual((self.folder / "scene.yaml").read_text(encoding="utf-8"), CANTILEVER, "the file stays as it is")

    def test_set_refused(self):
        self.write(CANTILEVER)
        self.assertIn("PATH=VALUE", self.refused("solve", "scene.yaml", "--set", "rods.wire.segments"))
        self.assertIn("colour", self.refused("solve", "scene.yaml", "--set", "rods.wire.colour=red"))
        self.assertIn("segments", self.refused("solve", "scene.yaml", "--set", "rods.wire.segments=-4"))

    def test_same_input_same_bits(self):
        self.write(CANTILEVER)
        first, second = (self.expect(0, "solve", "scene.yaml", "--json").stdout.splitlines() for _ in range(2))
        first, second = (json.loads("\n".join(lines)) for lines in (first, second))
        for result in (first, second):
            result["solve"].pop("seconds")
        # numbers are printed with enough digits to tell any two apart
        self.assertEqual(json.dumps(first), json.dumps(second))

    def test_path(self):
        self.write(CANTILEVER + "forces: [{rod: wire, at: end, force: [0, 0, 0.1]}]\n"
                   "drivers: [{force: 0, path: [{t: 0, scale: 0}, {t: 2, scale: 1}]}]\n")
        result = self.json("solve", "scene.yaml", "--json", "--path", "3")
        self.assertEqual([state["t"] for state in result["states"]], [0, 1, 2])
        at_two = self.json("solve", "scene.yaml", "--json", "--at", "2")
        # two ways to the same equilibrium, both converged to a residual of 1e-10
        for ours, theirs in zip(self.tip(result), self.tip(at_two)):
            self.assertAlmostEqual(ours, theirs, delta=1e-7)

    def test_every_example_solves(self):
        for scene in sorted(SCENES.glob("*.yaml")):
            if "mode: dynamics" in scene.read_text(encoding="utf-8"):
                continue  # test_examples runs it
            with self.subTest(scene=scene.name):
                self.expect(0, "solve", scene)
                self.assertTrue((self.folder / f"{scene.stem}.result/report.html").stat().st_size > 1000)


class NoEquilibrium(CliTest):
    """Gravity pulls on a rod that nothing holds: there is no shape in which the forces balance."""

    def setUp(self):
        super().setUp()
        self.write(CANTILEVER[:CANTILEVER.index("holds:")])

    def told(self, text):
        solve = json.loads(text)["solve"]
        self.assertFalse(solve["converged"])
        self.assertIn("nothing holds", solve["why"])

    def test_the_best_state_and_the_reason_are_written(self):
        done = self.expect(3, "solve", "scene.yaml")
        self.assertIn("NOT CONVERGED", done.stdout)
        self.assertEqual(self.files(), ["scene.result", "scene.result/report.html", "scene.result/result.json", "scene.result/result.scene.yaml", "scene.yaml"])
        self.told((self.folder / "scene.result/result.json").read_text(encoding="utf-8"))

    def test_json(self):
        done = self.expect(3, "solve", "scene.yaml", "--json")
        self.told(done.stdout)
        self.assertIn("did not converge", done.stderr)

    def test_nothing_to_check(self):
        self.assertIn("nothing was checked", self.expect(3, "check", "scene.yaml").stderr)


class Refusals(CliTest):
    def test_byte_order_mark(self):
        (self.folder / "scene.yaml").write_bytes(b"\xef\xbb\xbf" + CANTILEVER[CANTILEVER.index("filum"):].encode())
        self.expect(0, "solve", "scene.yaml", "--set", "rods.wire.segments=5")

    def test_message_names_file_line_and_column(self):
        self.write(CANTILEVER.replace("segments", "segmants"))
        self.assertRegex(self.refused("solve", "scene.yaml"), r"^filum: scene\.yaml:10:\d+: .*segmants")
        self.assertRegex(self.refused("solve", "scene.yaml", "--json"), r"^filum: scene\.yaml:10:\d+: .*segmants")

    def test_what_the_formulation_refuses_has_its_line_too(self):
        self.write(CANTILEVER.replace("segments: 20", "segments: 20001"))
        self.assertRegex(self.refused("solve", "scene.yaml"), r"^filum: scene\.yaml:10:15: rod 'wire' has 20001 segments")
        self.write("filum: 1\n")
        self.assertRegex(self.refused("solve", "scene.yaml"), r"^filum: scene\.yaml:1:1: the scene has no rod")

    def test_one_message(self):
        self.write(CANTILEVER.replace("1 mm}", "-1 mm}"))
        self.assertEqual(self.refused("solve", "scene.yaml").count("\n"), 1)

    def test_missing_scene(self):
        self.assertIn("none.yaml", self.refused("solve", "none.yaml"))
        self.assertIn(".", self.refused("solve", "."))

    def test_not_a_scene(self):
        self.write("\x00\x01", "noise.yaml")
        self.assertIn("noise.yaml", self.refused("solve", "noise.yaml"))
        self.write("", "empty.yaml")
        self.assertIn("empty.yaml", self.refused("solve", "empty.yaml"))

    def test_folder_that_cannot_be_made(self):
        self.write(CANTILEVER)
        self.write("in the way", "taken")
        self.assertIn("taken", self.refused("solve", "scene.yaml", "-o", "taken"))
        self.assertIn("taken", self.refused("solve", "scene.yaml", "-o", "taken/below"))


if __name__ == "__main__":
    unittest.main()
