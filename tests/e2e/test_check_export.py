"""filum check and filum export."""
import unittest

from filum_cli import CANTILEVER, CliTest


class Check(CliTest):
    def test_kept(self):
        self.write(CANTILEVER)
        self.assertIn("kept", self.expect(0, "check", "scene.yaml").stdout)
        self.assertEqual(self.files(), ["scene.yaml"], "checking writes nothing")

    def test_violated(self):
        self.write(CANTILEVER)
        done = self.expect(1, "check", "scene.yaml", "--set", "rods.wire.limits.min_bend_radius=100")
        self.assertIn("VIOLATED", done.stdout)
        self.assertIn("bend radius", done.stdout)

    def test_a_stored_result_gives_the_same_verdict(self):
        self.write(CANTILEVER.replace("10 mm}", "100}"))
        self.expect(0, "solve", "scene.yaml")
        from_scene = self.expect(1, "check", "scene.yaml").stdout
        self.assertEqual(self.expect(1, "check", "scene.result").stdout, from_scene)
        self.assertEqual(self.expect(1, "check", "scene.result/result.json").stdout, from_scene)

    def test_no_limits(self):
        self.write(CANTILEVER.replace("    limits: {min_bend_radius: 10 mm}\n", ""))
        self.assertIn("no limits", self.expect(0, "check", "scene.yaml").stdout)

    def test_scenery_that_a_rod_passes_through(self):
        self.write(CANTILEVER + "scenery:\n  bracket: {mesh: bracket.obj, scale: 0.001, position: [0.5, 0, 0]}\n")
        # nobody has the mesh: that is told, and nothing else
        done = self.expect(0, "check", "scene.yaml")
        self.assertIn("scenery 'bracket'", done.stderr)
        self.assertIn("kept", done.stdout)
        # a wall across the wire, in millimetres
        self.write("v 0 -500 -500\nv 0 500 -500\nv 0 500 500\nv 0 -500 500\nf 1 2 3\nf 1 3 4\n", "bracket.obj")
        done = self.expect(1, "check", "scene.yaml")
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"passes through.*")
        self.assertIn("scenery 'bracket'", done.stdout)
        self.assertIn("kept", self.expect(0, "check", "scene.yaml", "--set", "scenery.bracket.position=[2, 0, 0]").stdout)

    def test_refused(self):
        self.refused("check", "none.yaml")
        (self.folder / "empty").mkdir()
        self.assertIn("empty", self.refused("check", "empty"))
        self.write("{", "broken.json")
        self.assertIn("broken.json", self.refused("check", "broken.json"))



class Thread(CliTest):
    PATH = ("--path", "0,0,-0.08", "--path", "0,0,0.08")

    def test_passes_or_says_what_sticks(self):
        self.expect(0, "new", "connector-through-panel")
        scene = "connector-through-panel.yaml"
        done = self.expect(0, "thread", scene, *self.PATH)
        self.assertRegex(done.stdout, r"body 'plug' +passes")
        self.assertRegex(done.stdout, r"body 'flat plug' +passes")
        self.assertRegex(done.stdout, r"rod 'cable' +passes")
        self.assertEqual(self.files(), [scene], "threading writes nothing")
        # it would have to turn
        done = self.expect(1, "thread", scene, *self.PATH, "--kept")
        self.assertRegex(done.stdout, r"body 'plug' +passes")
        self.assertRegex(done.stdout, r"body 'flat plug' +STICKS.*'panel")

    def test_a_proposed_cable(self):
        self.expect(0, "new", "routed-cable")
        done = self.expect(0, "route", "routed-cable.yaml", "--clearance", "0.01")
        self.assertRegex(done.stdout, r"length .* bend radius .* clearance .* 'bulkhead'")
        self.assertEqual(self.files(), ["routed-cable-routed.yaml", "routed-cable.yaml"])
        self.expect(0, "check", "routed-cable-routed.yaml", "--set", "rods.cable.limits.min_clearance=9.8 mm")
        self.assertIn("no rod 'b'", self.expect(2, "route", "routed-cable.yaml", "--rod", "b").stderr)

    def test_bad_arguments(self):
        self.expect(0, "new", "connector-through-panel")
        scene = "connector-through-panel.yaml"
        self.assertIn("two points or more", self.expect(2, "thread", scene, "--path", "0,0,1").stderr)
        self.assertIn("expected three numbers", self.expect(2, "thread", scene, "--path", "0,0").stderr)
        self.assertIn("no obstacle 'door'", self.expect(2, "thread", scene, *self.PATH, "--through", "door").stderr)
        self.assertIn("--clearance", self.expect(2, "thread", scene, *self.PATH, "--clearance", "-1").stderr)


class Export(CliTest):
    def setUp(self):
        super().setUp()
        self.write(CANTILEVER)
        self.expect(0, "solve", "scene.yaml")

    def test_every_format(self):
        for form in ("csv", "vtk", "obj", "gltf"):
            with self.subTest(format=form):
                listed = self.expect(0, "export", "scene.result", "--to", form, "-o", f"out-{form}").stdout.splitlines()
                self.assertTrue(listed)
                for name in listed:
                    self.assertGreater((self.folder / name).stat().st_size, 100, name)

    def test_default_target_is_the_result_folder(self):
        for name in self.expect(0, "export", "scene.result", "--to", "csv").stdout.splitlines():
            self.assertTrue(name.startswith("scene.result/"), name)

    def test_csv_holds_the_tip(self):
        import csv
        name = self.expect(0, "export", "scene.result", "--to", "csv", "-o", "out").stdout.splitlines()[0]
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
        self.assertEqual(len(rows), 1 + 21, "a head and one row per vertex")

    def test_gltf_is_one_binary_file(self):
        self.expect(0, "export", "scene.result", "--to", "gltf", "-o", "hose.glb")
        self.assertEqual((self.folder / "hose.glb").read_bytes()[:4], b"glTF")
        self.assertIn("use a name ending in .glb", self.refused("export", "scene.result", "--to", "gltf", "-o", "hose.gltf"))

    def test_an_instant_of_a_run(self):
        self.write(CANTILEVER + "simulation: {step: 1/100, end: 0.2}\nrecord: {every: 0.05}\n", "run.yaml")
        self.expect(0, "run", "run.yaml")
        texts = {}
        for at in ("0", "0.11", "0.2"):
            self.expect(0, "export", "run.result", "--to", "obj", "--at", at, "-o", f"at-{at}.obj")
            texts[at] = (self.folder / f"at-{at}.obj").read_text(encoding="utf-8").splitlines()
        self.assertIn("t = 0.1 s", texts["0.11"][0], "the nearest recorded one")
        self.assertEqual(len({tuple(text) for text in texts.values()}), 3, "it moves")
        self.assertIn("t = 0.2 s", texts["0.2"][0])
        self.expect(0, "export", "run.result", "--to", "gltf", "--at", "0.1", "-o", "one.glb")
        self.assertEqual(len(self.expect(0, "export", "run.result", "--to", "vtk", "--at", "0.1", "-o", "vtk").stdout
                             .splitlines()), 1, "one state, no series")
        for at in ("0.3", "-1", "nan"):
            self.assertIn("0 … 0.2 s", self.refused("export", "run.result", "--to", "obj", "--at", at))

    def test_cad(self):
        for form, name in (("step", "result.step"), ("vdafs", "result.vda"), ("dxf", "result.dxf"), ("stl", "result.stl"),
                           ("animation", "motion.glb"), ("usd", "motion.usda")):
            self.assertIn(name, self.expect(0, "export", "scene.result", "--to", form).stdout)

    def test_refused(self):
        self.assertIn("iges", self.refused("export", "scene.result", "--to", "iges"))
        self.assertIn("--to", self.refused("export", "scene.result"))
        self.assertIn("none.result", self.refused("export", "none.result", "--to", "csv"))


if __name__ == "__main__":
    unittest.main()
