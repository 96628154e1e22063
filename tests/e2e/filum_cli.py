"""What the command-line tests share: running the program in a folder of its own."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

FILUM = os.environ.get("FILUM", "filum")
# whether the program is built with a sanitizer, which keeps memory of its own
SANITIZED = bool(os.environ.get("FILUM_SANITIZED"))
SCENES = Path(__file__).resolve().parents[2] / "scenes"

CANTILEVER = """\
# A wire that hangs from a wall.
filum: 1
title: Cantilever
sections:
  wire: {shape: circle, radius: 1 mm}   # thin
rods:
  wire:
    material: steel
    section: wire
    segments: 20
    shape: {line: [[0, 0, 0], [1, 0, 0]]}
    limits: {min_bend_radius: 10 mm}
holds:
  - {name: wall, rod: wire, at: start, fix: [position, orientation]}
"""


class CliTest(unittest.TestCase):
    """Each test has an empty working folder, `self.folder`."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def filum(self, *arguments, **options):
        """Runs `filum ARGUMENTS`; the finished process with its texts. What does not end is ended: sanitizers are slow."""
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **options}
        return subprocess.run([FILUM, *map(str, arguments)], cwd=self.folder, text=True, timeout=600, **options)

    def expect(self, code, *arguments, **options):
        """Runs `filum ARGUMENTS` and insists on the exit code."""
        done = self.filum(*arguments, **options)
        self.assertEqual(done.returncode, code, f"filum {arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def refused(self, *arguments):
        """Runs what must be refused: exit code 2, silent stdout, no new file; the one message."""
        before = self.files()
        done = self.expect(2, *arguments)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("filum: "), done.stderr)
        self.assertEqual(self.files(), before, "something was written")
        return done.stderr

    def json(self, *arguments):
        """The JSON that a successful run prints, and nothing but JSON."""
        done = self.expect(0, *arguments)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def write(self, text, name="scene.yaml"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name
