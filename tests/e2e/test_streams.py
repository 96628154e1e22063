"""Streams in trouble, and the progress bar on a terminal."""
import os
import pty
import signal
import subprocess
import unittest

from filum_cli import CANTILEVER, FILUM, CliTest


class Streams(CliTest):
    def test_reader_gone(self):
        self.write(CANTILEVER)
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as gone:
            done = self.expect(0, "solve", "scene.yaml", "--json", stdout=gone)
        self.assertEqual(done.stderr, "")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full here")
    def test_disk_full(self):
        self.write(CANTILEVER)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.expect(2, "solve", "scene.yaml", "--json", stdout=full)
        self.assertIn("standard output", done.stderr)

    def test_closed_stdout(self):
        self.write(CANTILEVER)
        done = self.expect(2, "solve", "scene.yaml", stdout=None, preexec_fn=lambda: os.close(1))
        self.assertIn("standard output", done.stderr)
        # nothing meant for stdout landed in a file that took its number
        text = (self.folder / "scene.result/result.json").read_text(encoding="utf-8")
        self.assertTrue(text.startswith("{"))


class Terminal(CliTest):
    def on_terminal(self, *arguments, stop_at=None, code=0):
        """What a person sees who runs `filum ARGUMENTS` with both outputs on a terminal, and presses Ctrl-C once
        `stop_at` is there."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([FILUM, *arguments], cwd=self.folder, stdout=theirs, stderr=theirs, close_fds=True)
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # how Linux says that the other side is closed
                break
            if not part:
                break
            seen += part
            if stop_at and stop_at.encode() in seen:
                process.send_signal(signal.SIGINT)
                stop_at = None
        os.close(ours)
        self.assertEqual(process.wait(timeout=120), code)
        return seen.decode()

    def test_no_bar_for_what_is_quick(self):
        self.write(CANTILEVER)
        seen = self.on_terminal("solve", "scene.yaml")
        self.assertIn("Cantilever", seen)
        self.assertNotIn("\r\033[K", seen)

    def test_bar_for_what_is_slow(self):
        # far more steps than anybody waits for, stopped as soon as the bar is there
        self.write(CANTILEVER + "simulation: {step: 1/100, end: 36000}\nrecord: {every: 1}\n")
        seen = self.on_terminal("run", "scene.yaml", stop_at="░", code=3)
        self.assertIn("running", seen)
        # the table comes after the bar is wiped away
        self.assertIn("stopped on request", seen.rsplit("\r\033[K", 1)[1])


class Bench(CliTest):
    # the yardstick is the quickest of all benches
    def test_table(self):
        lines = self.expect(0, "bench", "yardstick").stdout.splitlines()
        self.assertEqual(len(lines), 2, "a head and one bench")
        self.assertIn("yardsticks", lines[0])
        self.assertRegex(lines[1], r"^yardstick .* node .* [0-9a-f]{16}$")

    def test_json(self):
        rows = self.json("bench", "yardstick", "--json")
        self.assertIn("yardstick", str(rows))

    def test_refused(self):
        message = self.refused("bench", "none")
        self.assertIn("there is no bench 'none'; there are: yardstick, ", message)
        self.assertIn("newton-iteration-200", message)


if __name__ == "__main__":
    unittest.main()
