"""Results are whole: runs that are killed, run out of disk or meet each other leave one result, old or new."""
import json
import os
import random
import resource
import signal
import struct
import subprocess
import time
import unittest

from filum_cli import CANTILEVER, FILUM, CliTest

# ten in the short test, a hundred in the long one; the same moments each time as far as the machine allows
MOMENTS = 100 if os.environ.get("FILUM_LONG") else 10

OLD = CANTILEVER.replace("Cantilever", "Old") + """\
simulation: {step: 1/1000, end: 0.05}
record: {every: 0.01}
"""
NEW = OLD.replace("Old", "New").replace("end: 0.05", "end: 3")
ASIDE = ".filum-part"


def frames(path):
    """Title and records of frames.bin, each checked to be whole; a record cut off at the end is passed over."""
    data = path.read_bytes()
    assert data[:8] == b"FILUMFRM"
    version, length = struct.unpack_from("<II", data, 8)
    assert version == 3
    title, at, records = json.loads(data[16:16 + length])["title"], 16 + length, {}
    while at + 8 <= len(data):
        size, = struct.unpack_from("<Q", data, at)
        record = data[at + 8:at + 8 + size]
        if at + 16 + size > len(data):
            break
        records[struct.unpack_from("<d", record)[0]] = record
        at += 16 + size
    return title, records


class Whole(CliTest):
    def setUp(self):
        super().setUp()
        self.write(OLD, "old.yaml")
        self.write(NEW, "new.yaml")
        self.random = random.Random(7)

    def make_old(self):
        subprocess.run(["rm", "-rf", self.folder / "r", self.folder / "rest"], check=True)
        self.expect(0, "run", "old.yaml", "-o", "r")

    def make_whole(self):
        self.seconds = 60.0
        for _ in range(3):
            began = time.monotonic()
            self.expect(0, "run", "new.yaml", "--checkpoint", "0.02", "-o", "whole")
            self.seconds = min(self.seconds, time.monotonic() - began)
        self.whole_state = (self.folder / "whole/state.bin").read_bytes()
        self.whole_frames = frames(self.folder / "whole/frames.bin")[1]

    def expect_one_result(self, name="r"):
        """All files are of one result; its title."""
        folder = self.folder / name
        title = json.loads((folder / "result.json").read_text(encoding="utf-8"))["title"]
        self.assertEqual(frames(folder / "frames.bin")[0], title)
        self.assertIn(f"title: {title}".encode(), (folder / "state.bin").read_bytes())
        self.assertIn(title, (folder / "report.html").read_text(encoding="utf-8"))
        self.expect(0, "check", name)
        return title

    def expect_goes_on(self):
        """From the last checkpoint to the same bits as the run that was not ended."""
        done = self.expect(0, "run", "new.yaml", "--continue", "r", "-o", "rest")
        self.assertIn("last checkpoint", done.stderr)
        self.assertEqual((self.folder / "rest/state.bin").read_bytes(), self.whole_state)
        self.expect_same("rest", "whole")

    def expect_same(self, name, other):
        """All files of two results are the same but for the time that they took."""
        for file in ("frames.bin", "state.bin"):
            self.assertTrue((self.folder / name / file).read_bytes() == (self.folder / other / file).read_bytes(), file)
        first, second = (json.loads((self.folder / folder / "result.json").read_text(encoding="utf-8"))
                         for folder in (name, other))
        for result in (first, second):
            result["solve"].pop("seconds"), result["run"].pop("seconds")
        self.assertEqual(first, second)

    def settle(self):
        """After whatever happened: one whole result, and the unfinished one can be gone on with."""
        aside = self.folder / "r" / ASIDE
        if (aside / "complete").exists():
            self.expect(0, "check", "r")
            self.expect(0, "export", "r", "--to", "csv", "-o", "csv")
            return "between"
        title = self.expect_one_result()
        if title == "New":
            self.assertEqual((self.folder / "r/state.bin").read_bytes(), self.whole_state)
            return "done"
        if not (aside / "checkpoint.bin").exists():
            return "before"
        self.expect_goes_on()
        return "on the way"

    def test_killed(self):
        self.make_whole()
        seen = {}
        for _ in range(MOMENTS):
            self.make_old()
            process = subprocess.Popen([FILUM, "run", "new.yaml", "--checkpoint", "0.02", "-o", "r"], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            share = self.random.uniform(0, 1)
            time.sleep(share * self.seconds)
            process.kill()
            process.wait()
            with self.subTest(share=share):
                where = self.settle()
                seen[where] = seen.get(where, 0) + 1
        self.assertIn("on the way", seen, seen)

    def test_disk_full(self):
        self.make_whole()
        size = (self.folder / "whole/frames.bin").stat().st_size
        for _ in range(MOMENTS):
            self.make_old()
            limit = self.random.randrange(size)
            done = self.filum("run", "new.yaml", "--checkpoint", "0.02", "-o", "r", preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (limit, limit)))
            with self.subTest(limit=limit):
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, r"^filum: .*: could not be written in full: File too large\n$")
                self.assertIn(self.settle(), ("before", "on the way"))

    def test_a_fresh_run_that_was_killed(self):
        self.write(NEW.replace("end: 3", "end: 36000"), "long.yaml")
        process = subprocess.Popen([FILUM, "run", "long.yaml", "-o", "r"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        state = self.folder / "r" / ASIDE / "checkpoint.bin"
        deadline = time.monotonic() + 60
        while not state.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        # while it runs nobody else may write there, nor go on from it
        for arguments in (("run", "old.yaml", "-o", "r"), ("solve", "old.yaml", "-o", "r")):
            message = self.expect(2, *arguments).stderr
            self.assertRegex(message, r"^filum: r: another run is writing into this folder.*\n$")
        self.assertIn("is writing", self.expect(2, "run", "long.yaml", "--continue", "r", "-o", "rest").stderr)
        self.assertIn("not finished yet", self.expect(2, "check", "r").stderr)
        process.kill()
        process.wait()
        # what is there is told, and its whole frames can be exported
        self.assertIn("ended by force", self.expect(2, "check", "r").stderr)
        exported = self.expect(0, "export", "r", "--to", "csv", "-o", "csv")
        self.assertIn("ended by force", exported.stderr)
        self.assertIn("csv/wire.frames.csv", exported.stdout)
        # and it goes on
        done = self.expect(0, "run", "new.yaml", "--set", "simulation.end=3", "--continue", "r", "-o", "rest")
        self.assertIn("last checkpoint", done.stderr)
        self.make_whole()
        self.assertEqual((self.folder / "rest/state.bin").read_bytes(), self.whole_state)

    def test_continued_twice(self):
        """Ctrl-C at two places, gone on with each time: histories, frames, counts and events are those of one run."""
        self.write(NEW.replace("end: 3", "end: 0.3") + "drivers: [{hold: wall, path: [{t: 0}, {t: 0.2, turns: 3}]}]\n",
                   "driven.yaml")
        self.expect(0, "run", "driven.yaml", "-o", "whole")
        before = ()
        for k, end in enumerate((0.08, 0.2, 0.3)):
            self.expect(0, "run", "driven.yaml", "--set", f"simulation.end={end}", *before, "-o", f"part{k}")
            before = ("--continue", f"part{k}")
        self.expect_same("part2", "whole")

    def test_a_shape_from_a_file(self):
        """The state has the points in it; other points are another scene."""
        self.write("0 0 0\n0.4 0 0\n1 0 0\n", "points.txt")
        self.write(OLD.replace("{line: [[0, 0, 0], [1, 0, 0]]}", "{file: points.txt}"), "shape.yaml")
        self.expect(0, "run", "shape.yaml", "-o", "r")
        go_on = ("run", "shape.yaml", "--set", "simulation.end=0.1", "--continue", "r", "-o", "rest")
        self.expect(0, *go_on)
        self.expect(0, "run", "shape.yaml", "--set", "simulation.end=0.1", "-o", "whole")
        self.expect_same("rest", "whole")
        self.write("0 0 0\n0.4 0 0\n1 0.1 0\n", "points.txt")
        self.assertIn("rods.wire.shape", self.refused(*go_on))

    def test_mixtures_are_refused(self):
        self.make_old()
        self.expect(0, "run", "new.yaml", "--set", "simulation.end=0.05", "-o", "other")
        for file in ("frames.bin", "state.bin"):
            mine = (self.folder / "r" / file).read_bytes()
            (self.folder / "r" / file).write_bytes((self.folder / "other" / file).read_bytes())
            # each command that reads both files
            commands = [("run", "new.yaml", "--set", "simulation.end=0.1", "--continue", "r", "-o", "rest")]
            if file == "frames.bin":
                commands = [("check", "r"), ("export", "r", "--to", "csv", "-o", "csv"),
                            ("run", "old.yaml", "--set", "simulation.end=0.1", "--continue", "r", "-o", "rest")]
            for command in commands:
                message = self.refused(*command)
                self.assertIn("of another run than", message)
            (self.folder / "r" / file).write_bytes(mine)
        self.expect(0, "check", "r")

    def test_exports_and_other_files_stay(self):
        self.make_old()
        self.expect(0, "export", "r", "--to", "obj")
        (self.folder / "r/notes.txt").write_text("mine", encoding="utf-8")
        self.expect(0, "run", "new.yaml", "--set", "simulation.end=0.1", "-o", "r")
        self.assertEqual(self.expect_one_result(), "New")
        self.assertTrue((self.folder / "r/result.obj").exists())
        self.assertEqual((self.folder / "r/notes.txt").read_text(encoding="utf-8"), "mine")
        # a solve leaves nothing of the run
        self.expect(0, "solve", "old.yaml", "-o", "r")
        self.assertEqual(sorted(path.name for path in (self.folder / "r").iterdir()),
                         ["notes.txt", "report.html", "result.json", "result.obj", "result.scene.yaml"])


class Reading(CliTest):
    def test_what_is_no_file(self):
        os.mkfifo(self.folder / "pipe")
        os.mkfifo(self.folder / "pipe.json")
        (self.folder / "r").mkdir()
        os.mkfifo(self.folder / "r/result.json")
        (self.folder / "zero").symlink_to("/dev/zero")
        with open(self.folder / "long.yaml", "wb") as file:
            file.truncate(1 << 40)
        self.write(OLD)
        for path in ("/dev/zero", "pipe", "zero", "long.yaml"):
            for command in ("solve", "check", "modes", "run", "channel"):
                self.assertRegex(self.refused(command, path), "not a file|at most", f"{command} {path}")
            self.assertRegex(self.refused("run", "scene.yaml", "--continue", path), "not a file|at most")
            self.assertRegex(self.refused("export", path, "--to", "csv"), "not a file|at most")
        self.assertIn("not a file", self.refused("check", "pipe.json"))
        self.assertIn("not a file", self.refused("export", "r", "--to", "csv"))
        # a file of points
        self.write(CANTILEVER.replace("{line: [[0, 0, 0], [1, 0, 0]]}", "{file: pipe}"), "points.yaml")
        self.refused("solve", "points.yaml")


if __name__ == "__main__":
    unittest.main()
