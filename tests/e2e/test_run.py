"""filum run: what it prints and writes, how it goes on, how it stops, what it refuses."""
import json
import os
import re
import signal
import subprocess
import time
import unittest

from filum_cli import CANTILEVER, FILUM, CliTest

SWING = CANTILEVER + """\
drivers:
  - {hold: wall, path: [{t: 0}, {t: 0.4, position: [0.1, 0, 0], turns: 2}]}
simulation: {step: 1/100, end: 1}
record: {every: 0.1, probes: [{name: tip, rod: wire, at: end}]}
"""

# A light load on two steel ropes, either of which alone would hold it.
TWO_ROPES = """\
filum: 1
title: Two ropes
materials: {steel: {young: 1.0e11, poisson: 0.3, density: 7850}}
sections: {rope: {shape: circle, radius: 5 mm}}
rods:
  left: {material: steel, section: rope, segments: 10, shape: {line: [[-0.5, 0, 0], [0.3, 0, -2]]}}
  right: {material: steel, section: rope, segments: 10, shape: {line: [[0.5, 0, 0], [0.3, 0, -2]]}}
bodies:
  load: {box: [0.2, 0.2, 0.2], mass: 5, position: [0.3, 0, -2], motion: free}
holds:
  - {name: left top, rod: left, at: start, fix: [position]}
  - {name: right top, rod: right, at: start, fix: [position]}
  - {name: left eye, rod: left, at: end, fix: [position], body: load}
  - {name: right eye, rod: right, at: end, fix: [position], body: load}
simulation: {formulation: chain, mode: dynamics, step: 1/60, end: 1}
"""


class Run(CliTest):
    def result(self, folder="scene.result"):
        return json.loads((self.folder / folder / "result.json").read_text(encoding="utf-8"))

    def test_table_and_files(self):
        self.write(SWING)
        done = self.expect(0, "run", "scene.yaml")
        for word in ("Cantilever", "100 steps", "real time", "energy error", "largest |F|", "wall", "bend radius",
                     "to its end", "report.html"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "", "quiet when piped")
        self.assertNotIn("\033", done.stdout, "plain when piped")
        result = self.result()
        self.assertTrue(result["run"]["completed"])
        self.assertEqual(result["run"]["steps"], 100)
        self.assertGreater(result["run"]["seconds"], 0, "the run was timed")
        self.assertEqual([state["t"] for state in result["states"]], [0, 1], "first and last")
        self.assertEqual(self.files(), ["scene.result"] + [f"scene.result/{name}" for name in (
            "frames.bin", "report.html", "result.json", "result.scene.yaml", "state.bin")] + ["scene.yaml"])

    def test_records(self):
        self.write(SWING)
        history = self.json("run", "scene.yaml", "--json")["history"]
        self.assertEqual(len(history["t"]), 11)
        for row, t in enumerate(history["t"]):
            self.assertAlmostEqual(t, 0.1 * row, delta=1e-9)

    def test_the_hold_arrives_and_turns(self):
        self.write(SWING)
        last = self.json("run", "scene.yaml", "--json")["states"][-1]
        self.assertEqual(last["rods"]["wire"]["positions"][0], [0.1, 0, 0])
        self.assertEqual(self.files(), ["scene.yaml"], "--json alone writes no files")

    def test_same_input_same_bits(self):
        self.write(SWING)
        first, second = (self.json("run", "scene.yaml", "--json") for _ in range(2))
        for result in (first, second):
            result["run"].pop("seconds")
        self.assertEqual(json.dumps(first), json.dumps(second))

    def test_from_equilibrium(self):
        self.write(SWING)
        still = self.json("run", "scene.yaml", "--json", "--set", "simulation.start=equilibrium",
                          "--set", "drivers=[]", "--set", "simulation.end=0.3")
        self.assertTrue(still["solve"]["converged"])
        first, last = (state["rods"]["wire"]["positions"][-1] for state in still["states"])
        # the equilibrium is exact to a residual of 1e-10, and nothing disturbs it
        for before, after in zip(first, last):
            self.assertAlmostEqual(before, after, delta=1e-6)

    def test_sweeps(self):
        self.write(TWO_ROPES)
        self.assertNotIn("short of convergence", self.expect(0, "run", "scene.yaml").stdout)
        self.assertEqual(self.result()["run"]["unconverged_steps"], 0)
        # few sweeps do not do, and this is told; many do
        few = self.expect(0, "run", "scene.yaml", "--set", "simulation.chain.sweeps=3")
        self.assertRegex(few.stdout, r"\d+ accepted short of convergence")
        self.assertGreater(self.result()["run"]["unconverged_steps"], 10)
        many = self.expect(0, "run", "scene.yaml", "--set", "simulation.chain.sweeps=300")
        self.assertNotIn("short of convergence", many.stdout)


class GoOn(CliTest):
    def last_state(self, folder):
        return (self.folder / folder / "state.bin").read_bytes()

    def test_to_the_last_bit(self):
        self.write(SWING)
        self.expect(0, "run", "scene.yaml", "-o", "whole")
        self.expect(0, "run", "scene.yaml", "--set", "simulation.end=0.37", "-o", "half")
        done = self.expect(0, "run", "scene.yaml", "--continue", "half", "-o", "rest")
        self.assertIn("t = 0 … 1 s", done.stdout)
        self.assertEqual(self.last_state("rest"), self.last_state("whole"))
        whole, rest = (json.loads((self.folder / name / "result.json").read_text(encoding="utf-8"))
                       for name in ("whole", "rest"))
        for key in ("states", "history", "checks", "events"):
            self.assertEqual(rest[key], whole[key], key)

    def test_it_has_a_folder_of_its_own(self):
        self.write(SWING)
        self.expect(0, "run", "scene.yaml", "--set", "simulation.end=0.37")
        self.assertIn("another folder", self.refused("run", "scene.yaml", "--continue", "scene.result", "-o",
                                                     "./scene.result/"))
        done = self.expect(0, "run", "scene.yaml", "--continue", "scene.result/")
        self.assertIn("scene.result.continued/report.html", done.stdout)
        self.expect(0, "run", "scene.yaml", "-o", "whole")
        self.assertEqual(self.last_state("scene.result.continued"), self.last_state("whole"))

    def test_start_from_a_result(self):
        self.write(SWING)
        self.expect(0, "run", "scene.yaml", "-o", "before")
        before = json.loads((self.folder / "before/result.json").read_text(encoding="utf-8"))
        # the driver begins anew and tears the wall back in one step; the ledger closes all the same
        done = self.expect(0, "run", "scene.yaml", "--json", "--set", "simulation.start={result: before}")
        after = json.loads(done.stdout)
        self.assertLess(after["run"]["max_energy_error"], 1e-6 * after["run"]["energy_scale"])
        self.assertEqual(after["run"]["start"], 0)
        self.assertEqual(after["states"][0]["rods"]["wire"]["positions"], before["states"][-1]["rods"]["wire"]["positions"])

    def test_refusals(self):
        self.write(SWING)
        self.expect(0, "run", "scene.yaml", "-o", "done")
        self.assertIn("nothing to run", self.refused("run", "scene.yaml", "--continue", "done", "-o", "new"))
        self.assertIn("none", self.refused("run", "scene.yaml", "--continue", "none"))
        self.write(SWING.replace("segments: 20", "segments: 21"), "other.yaml")
        self.assertIn("rods.wire.segments (20 then, 21 now)",
                      self.refused("run", "other.yaml", "--set", "simulation.end=2", "--continue", "done", "-o", "new"))
        self.assertIn("does not fit", self.refused("run", "other.yaml", "--set", "simulation.start={result: done}"))
        self.assertIn("scene.yaml", self.refused("run", "scene.yaml", "--continue", "scene.yaml", "-o", "new"))
        # a file cut short, a file of something else
        state = self.folder / "done/state.bin"
        whole = state.read_bytes()
        for bytes_ in (whole[:-9], b"", b"\x00" * 200, whole[:40] + b"\xff" * (len(whole) - 40)):
            state.write_bytes(bytes_)
            self.refused("run", "scene.yaml", "--set", "simulation.end=2", "--continue", "done", "-o", "new")


    def test_what_may_change(self):
        self.write(SWING)
        self.expect(0, "run", "scene.yaml", "--set", "simulation.end=0.1", "-o", "half")
        go_on = ("run", "scene.yaml", "--json", "--set", "simulation.end=0.2", "--continue", "half")
        for path, value, told in (("gravity", "[0, 0, 0]", "gravity ([0, 0, -9.81] then, [0, 0, 0] now)"),
                                  ("rods.wire.damping.air", "0.1", "rods.wire.damping (not there then)"),
                                  ("rods.wire.material", "copper", "rods.wire.material (steel then, copper now)"),
                                  ("sections.wire.radius", "2 mm", "sections.wire.radius (0.001 then, 0.002 now)"),
                                  ("holds.0.position", "[0, 0, 1]", "holds.wall.position (not there then)"),
                                  ("simulation.integrator", "bdf2", "simulation.integrator (not there then)")):
            message = self.refused(*go_on, "--set", f"{path}={value}")
            self.assertRegex(message, rf"^filum: scene.yaml:\d+:\d+: --continue: {re.escape(told)}")
            self.assertEqual(message.count("\n"), 1)
        for setting in ("simulation.step=1/200", "drivers=[]", "record.every=0.05", "title=Other",
                        "rods.wire.limits={max_tension: 5 N}", "simulation.tolerance=1e-4"):
            self.expect(0, *go_on, "--set", setting)


class Stop(CliTest):
    # far more than anybody waits for
    LONG = SWING.replace("end: 1}", "end: 36000}")

    def stopped_run(self, sign, folder, scene=LONG):
        self.write(scene)
        process = subprocess.Popen([FILUM, "run", "scene.yaml", "-o", folder], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # once the folder is there, frames are being written
        deadline = time.monotonic() + 60
        while not (self.folder / folder).exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(sign)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_interrupt_keeps_what_there_is(self):
        for sign in (signal.SIGINT, signal.SIGTERM):
            folder = f"stopped-{sign.name}"
            code, out, err = self.stopped_run(sign, folder)
            self.assertEqual(code, 3, err)
            self.assertIn("NOT TO ITS END: stopped on request", out)
            result = json.loads((self.folder / folder / "result.json").read_text(encoding="utf-8"))
            self.assertFalse(result["run"]["completed"])
            stopped = result["run"]["end"]
            self.assertGreaterEqual(stopped, 0)
            # and it can be gone on with
            done = self.expect(0, "run", "scene.yaml", "--set", f"simulation.end={stopped + 0.5}", "--continue",
                               folder, "-o", "rest")
            self.assertIn("to its end", done.stdout)

    def test_heard_between_two_frames(self):
        # the next frame would be hours away
        seldom = self.LONG.replace("every: 0.1", "every: 36000")
        code, out, err = self.stopped_run(signal.SIGTERM, "seldom", seldom)
        self.assertEqual(code, 3, err)
        self.assertIn("NOT TO ITS END: stopped on request", out)

    def test_reader_gone(self):
        self.write(SWING)
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as gone:
            done = self.expect(0, "run", "scene.yaml", "--json", stdout=gone)
        self.assertEqual(done.stderr, "")

    def test_folder_cannot_be_made(self):
        self.write(SWING)
        self.write("", "file")
        self.assertIn("file", self.refused("run", "scene.yaml", "-o", "file/result"))


class Refusals(CliTest):
    def test_no_end(self):
        self.write(SWING.replace(", end: 1", ""))
        self.assertRegex(self.refused("run", "scene.yaml"), r"scene\.yaml:\d+:\d+: simulation\.end is missing")

    def test_unknown_stepper(self):
        self.write(SWING.replace("step: 1/100", "step: 1/100, stepper: magic"))
        self.assertRegex(self.refused("run", "scene.yaml"), r"scene\.yaml:\d+:\d+: .*magic")

    def test_a_negative_step(self):
        self.write(SWING.replace("step: 1/100", "step: -1/100"))
        self.assertRegex(self.refused("run", "scene.yaml"), r"scene\.yaml:\d+:\d+: ")

    def test_a_tiny_step(self):
        self.write(SWING.replace("step: 1/100", "step: 1e-300"))
        self.assertIn("step must be at least 1e-12, found 1e-300", self.refused("run", "scene.yaml"))

    def test_an_equilibrium_that_is_not_there(self):
        self.write(SWING.replace("wall, rod: wire, at: start, fix: [position, orientation]",
                                 "wall, rod: wire, at: start, fix: {position: [x]}").replace(", turns: 2", ""))
        done = self.expect(3, "run", "scene.yaml", "--set", "simulation.start=equilibrium")
        self.assertIn("equilibrium to start from", done.stdout)


if __name__ == "__main__":
    unittest.main()
