"""The workbench's server against mishaps and malice: paths, memory, time, the end of its folders."""
import json
import os
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import unittest

from filum_cli import FILUM, SANITIZED, CliTest
from ws_client import Server, wait_until

HOSE = """\
filum: 1
sections: {{hose: {{shape: tube, outer_radius: 5.2 mm, inner_radius: 1.6 mm}}}}
materials: {{epdm: {{young: 7 MPa, poisson: 0.49, density: 1150}}}}
rods:
  hose:
    material: epdm
    section: hose
    length: 0.42
    segments: {segments}
    shape: {{line: [[0, 0, 0], [0.4, 0, 0]]}}
holds:
  - {{name: frame end, rod: hose, at: start, fix: [position, orientation]}}
  - {{name: wheel end, rod: hose, at: end, fix: [position, orientation]}}
simulation: {{formulation: {formulation}, mode: {mode}, step: 1 ms, end: 1 s}}
"""


class SafeServe(CliTest):
    def setUp(self):
        super().setUp()
        self.state = self.folder / "state"
        self.work = self.folder / "work"
        self.work.mkdir()
        self.scene = self.work / "scene.yaml"

    def serve(self, *arguments, segments=50, formulation="kirchhoff", mode="statics", scene=True, write=True, **options):
        if write:
            self.scene.write_text(HOSE.format(segments=segments, formulation=formulation, mode=mode))
        environment = {**os.environ, "XDG_STATE_HOME": str(self.state), **options.pop("environment", {})}
        options = {"cwd": self.work, "env": environment, **options}
        server = Server(FILUM, *([str(self.scene)] if scene else []), *arguments, **options)
        self.addCleanup(server.__exit__)
        return server

    # paths

    def test_names_with_a_nul_write_nothing(self):
        server = self.serve()
        victim = self.work / ".bashrc"
        victim.write_text("alias ls=ls\n")
        with server.connect() as page:
            page.wait("frame")
            for path in (f"{victim}\0.yaml", f"{victim}", "x\0.yaml", "", "/", "..", f"{self.work}/../../x.yaml"):
                reply = page.say("save", path=path, overwrite=True)
                self.assertFalse(reply["ok"] and path, path)
            self.assertEqual(victim.read_text(), "alias ls=ls\n")
            for name in (".profile%00.obj", "..%2f.profile%00.obj", "a%00.obj", ".obj", "%0a.obj", ".hidden.obj"):
                self.assertEqual(server.get(f"/api/meshes?name={name}", data=b"evil")[0], 400, name)
            self.assertFalse(page.say("open", text="filum: 1\n", name="../../x")["ok"])
        self.assertEqual(sorted(p.name for p in self.work.iterdir()), [".bashrc", "scene.yaml"])

    def test_only_the_folders_it_was_started_for(self):
        outside = self.folder / "outside"
        outside.mkdir()
        (outside / "other.yaml").write_text("filum: 1\n")
        (self.work / "link").symlink_to(outside)
        (self.work / "alias.yaml").symlink_to(outside / "other.yaml")
        server = self.serve()
        with server.connect() as page:
            page.wait("frame")
            for path in (outside / "new.yaml", "../outside/new.yaml", "link/new.yaml", "alias.yaml"):
                reply = page.say("save", path=str(path), overwrite=True)
                self.assertFalse(reply["ok"], path)
            self.assertFalse(page.say("open", path=str(outside / "other.yaml"))["ok"])
            self.assertTrue(page.say("save", path="inside.yaml")["ok"])
        self.assertEqual((outside / "other.yaml").read_text(), "filum: 1\n")
        self.assertEqual([p.name for p in outside.iterdir()], ["other.yaml"])
        allowed = self.serve("--folder", str(outside))
        with allowed.connect() as page:
            page.wait("frame")
            self.assertTrue(page.say("save", path=str(outside / "new.yaml"))["ok"])

    def test_files_that_a_scene_names(self):
        """Points, meshes and results outside are not read, however the scene comes."""
        outside = self.folder / "outside"
        outside.mkdir()
        (outside / "secret.txt").write_text("0 0 0\n0.4 0 0\n")
        (self.work / "points.txt").write_text("0 0 0\n0.4 0 0\n")
        (self.work / "link.txt").symlink_to(outside / "secret.txt")
        (outside / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        (self.work / "link.obj").symlink_to(outside / "part.obj")
        (self.work / "way").symlink_to(outside)
        server = self.serve()
        text = self.scene.read_text()
        line = 1 + [k for k, row in enumerate(text.splitlines()) if "shape:" in row and "line:" in row][0]
        shape = re.search(r"shape: (\{line: .*?\]\]\})", text).group(1)
        with server.connect() as page:
            page.wait("frame")
            for file in (outside / "secret.txt", "../outside/secret.txt", "link.txt", "way/secret.txt", "/etc/passwd"):
                value = f"{{file: {file}}}"
                self.assertRegex(page.say("set", path="rods.hose.shape", value=value)["error"], "outside|link")
                (self.work / "evil.yaml").write_text(text.replace(shape, value))
                opened = page.say("open", path="evil.yaml")
                self.assertRegex(opened["error"], "outside|link")
                self.assertEqual(opened["line"], line)
                posted = page.say("open", text=text.replace(shape, value), name="evil")
                self.assertRegex(posted["error"], "outside|link")
            for mesh in (outside / "part.obj", "../outside/part.obj", "link.obj", "way/part.obj"):
                posted = page.say("open", text=text + f"obstacles: [{{mesh: {mesh}}}]\n", name="evil")
                self.assertRegex(posted["error"], "outside|link")
                self.assertEqual(posted["line"], len(text.splitlines()) + 1)
            for folder in ("../outside", str(outside), "way/x"):
                start = page.say("set", path="simulation.start", value=f"{{result: {folder}}}")
                self.assertIn("outside", start["error"], folder)
            # nor from where it is saved
            (self.work / "deep").mkdir()
            (self.work / "deep/points.txt").write_text("0 0 0\n0.4 0 0\n")
            (self.work / "deep/good.yaml").write_text(text.replace(shape, "{file: ../deep/../points.txt}"))
            (self.work / "points.txt").write_text("0 0 0\n0.4 0 0\n")
            self.assertTrue(page.say("open", path="deep/good.yaml")["ok"])
            self.assertIn("outside", page.say("save", path="moved.yaml")["error"])
            self.assertFalse((self.work / "moved.yaml").exists())
            # what lies inside is read
            (self.work / "good.yaml").write_text(text.replace(shape, "{file: points.txt}"))
            self.assertTrue(page.say("open", path="good.yaml")["ok"])
        # and so it is for the scene that the server is begun with
        (self.work / "evil.yaml").write_text(text.replace(shape, f"{{file: {outside}/secret.txt}}"))
        begun = subprocess.run([FILUM, "serve", "evil.yaml", "--no-open"], cwd=self.work, text=True, timeout=120,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(begun.returncode, 2)
        self.assertIn("outside the folders", begun.stderr)

    def test_a_refused_save_writes_no_mesh(self):
        server = self.serve()
        self.assertEqual(server.get("/api/meshes?name=part.obj", data=b"v 0 0 0\n")[0], 200)
        with server.connect() as page:
            page.wait("frame")
            (self.work / "there.yaml").write_text("filum: 1\n")
            for path in ("there.yaml", "bad.txt", str(self.folder / "x.yaml")):
                self.assertFalse(page.say("save", path=path)["ok"])
            self.assertFalse((self.work / "part.obj").exists())
            self.assertFalse((self.folder / "part.obj").exists())
            self.assertTrue(page.say("save")["ok"])
            self.assertEqual((self.work / "part.obj").read_bytes(), b"v 0 0 0\n")

    def test_a_file_that_changed_outside_is_asked_about_and_keeps_its_mode(self):
        server = self.serve()
        self.scene.chmod(0o600)
        with server.connect() as page:
            page.wait("frame")
            page.do("set_length", rod="hose", length=0.45)
            self.assertTrue(page.say("save")["ok"])
            self.assertEqual(stat.S_IMODE(self.scene.stat().st_mode), 0o600)
            by_hand = self.scene.read_text() + "# by hand\n"
            self.scene.write_text(by_hand)
            page.do("set_length", rod="hose", length=0.46)
            reply = page.say("save")
            self.assertEqual((reply["ok"], reply.get("changed")), (False, True))
            self.assertEqual(self.scene.read_text(), by_hand)
            self.assertTrue(page.say("save", overwrite=True)["ok"])
            self.assertTrue(page.say("save")["ok"])

    # no exception ends it

    def test_folders_that_go_away(self):
        gone = self.folder / "gone"
        gone.mkdir()
        self.scene.write_text(HOSE.format(segments=20, formulation="kirchhoff", mode="statics"))
        server = self.serve(cwd=gone, environment={"TMPDIR": str(self.folder / "nowhere")})
        shutil.rmtree(gone)
        with server.connect() as page:
            page.wait("frame")
            self.assertFalse(page.say("save", path="new.yaml")["ok"])
            self.assertFalse(page.say("open", path="new.yaml")["ok"])
            status, body = server.get("/api/export?format=csv")
            self.assertEqual(status, 500)
            self.assertIn("error", json.loads(body))
            self.assertTrue(page.say("save")["ok"])
        self.assertIsNone(server.process.poll())

    def test_too_much_is_refused_before(self):
        server = self.serve(formulation="cosserat")
        with server.connect() as page:
            page.wait("frame")
            before = page.frame.hash
            reply = page.say("set", path="rods.hose.segments", value=1_000_000)
            self.assertIn("at most 100000", reply["error"])
            page.do("settle")
            self.assertEqual(page.frame.hash, before)

    @unittest.skipIf(SANITIZED, "a sanitizer has a memory of its own")
    def test_out_of_memory_loses_nothing(self):
        def little():
            resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))

        server = self.serve(formulation="cosserat", preexec_fn=little)
        with server.connect() as page:
            page.wait("frame")
            page.do("set_length", rod="hose", length=0.45)
            reply = page.say("set", path="rods.hose.segments", value=99_000)
            self.assertFalse(reply["ok"])
            self.assertRegex(reply["error"], r"not enough memory .* about \d+ MB, and \d+ MB are left")
            self.assertEqual(page.do("text")["text"].count("segments: 50"), 1)
            page.do("set_length", rod="hose", length=0.44)
            self.assertEqual(page.say("undo")["ok"], True)
        self.assertIsNone(server.process.poll())

    # who is let in

    def test_not_on_loopback(self):
        server = self.serve("--host", "0.0.0.0", "--name", "bench.example")
        for word in ("warning", "not encrypted", "http://bench.example:"):
            self.assertIn(word, server.said)
        port = server.port
        self.assertEqual(server.get("/")[0], 200)
        self.assertEqual(server.get("/", headers={"Host": f"bench.example:{port}"})[0], 200)
        self.assertEqual(server.get("/", headers={"Host": f"evil.example:{port}"})[0], 403)
        self.assertEqual(server.get("/api/examples", headers={"Origin": f"http://evil.example:{port}"})[0], 403)
        self.assertEqual(server.get("/api/examples", headers={"Origin": f"http://bench.example:{port}"})[0], 200)
        self.assertNotIn("warning", self.serve().said)

    def test_strangers_lock_nobody_out(self):
        server = self.serve()
        idle = [socket.create_connection((server.host, server.port)) for _ in range(300)]
        try:
            with server.connect() as page:
                page.wait("frame")
            self.assertEqual(server.get("/api/scene.yaml")[0], 200)
        finally:
            for each in idle:
                each.close()

    def test_a_stranger_uploads_nothing(self):
        server = self.serve()
        with socket.create_connection((server.host, server.port)) as raw:
            head = f"POST /api/scene?name=a.yaml HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 50000000\r\n\r\n"
            raw.sendall(head.encode())
            self.assertIn(b" 403 ", raw.recv(100))

    # what was not saved

    def journals(self):
        return sorted((self.state / "filum").glob("*.journal")) if self.state.exists() else []

    def crash(self, server):
        server.process.kill()
        server.process.wait(timeout=60)

    def test_unsaved_work_outlives_a_crash(self):
        server = self.serve()
        with server.connect() as page:
            page.wait("frame")
            self.assertIsNone(page.state["left_behind"] if page.state else None)
            page.do("set_length", rod="hose", length=0.47)
            self.assertTrue(wait_until(self.journals))
            self.assertEqual(stat.S_IMODE(self.journals()[0].stat().st_mode), 0o600)
            page.do("set_length", rod="hose", length=0.48)
            self.assertTrue(wait_until(lambda: "0.48" in self.journals()[0].read_text()))
            self.crash(server)
        before = self.scene.read_text()
        again = self.serve(write=False)
        self.assertIn("unsaved work", again.said)
        with again.connect() as page:
            page.wait("state", lambda state: state["left_behind"])
            self.assertEqual(page.scene["rods"][0]["length"], 0.42)
            page.do("restore")
            while page.scene["revision"] < page.frame.revision:
                page.take()
            self.assertEqual(page.scene["rods"][0]["length"], 0.48)
            page.wait("state", lambda state: state["document"]["dirty"] and not state["left_behind"])
            self.assertEqual(self.scene.read_text(), before)
            # what was restored is unsaved still, and safe
            self.assertTrue(wait_until(self.journals))
            self.assertTrue(page.say("save")["ok"])
            self.assertIn("0.48", self.scene.read_text())
            self.assertTrue(wait_until(lambda: not self.journals()))

    def test_dropped_meshes_outlive_a_crash(self):
        server = self.serve()
        bytes_ = bytes(range(256)) * 40
        self.assertEqual(server.get("/api/meshes?name=part.stl", data=bytes_)[0], 200)
        self.assertTrue(wait_until(self.journals))
        self.assertTrue(wait_until(lambda: list((self.state / "filum").rglob("part.stl"))))
        for path in (self.state / "filum").rglob("part.stl"):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.crash(server)
        again = self.serve(write=False)
        with again.connect() as page:
            page.wait("frame")
            page.do("restore")
            while not page.scene["scenery"]:
                page.take()
            address = page.scene["scenery"][0]["address"]
            self.assertEqual(again.get(address)[1], bytes_)
            self.assertTrue(page.say("save")["ok"])
            self.assertEqual((self.work / "part.stl").read_bytes(), bytes_)
        self.assertTrue(wait_until(lambda: not [f for f in (self.state / "filum").iterdir() if not f.name.startswith("token.")]))

    def test_after_a_crash_its_pages_find_in_again(self):
        server = self.serve()
        self.crash(server)
        again = self.serve("--port", str(server.port), write=False)
        self.assertEqual(again.token, server.token)
        # one that ends takes its token along
        again.process.terminate()
        again.process.wait(timeout=60)
        self.assertEqual(sorted((self.state / "filum").glob("token.*")), [])
        self.assertNotEqual(self.serve("--port", str(server.port), write=False).token, server.token)

    def test_folders_are_listed_where_scenes_may_be_opened(self):
        server = self.serve()
        (self.work / "more").mkdir()
        (self.work / "notes.txt").write_text("not a scene")
        with server.connect() as page:
            page.wait("frame")
            listed = page.do("list")
            self.assertEqual(listed["files"], ["scene.yaml"])
            self.assertIn("more", listed["folders"])
            self.assertIsNone(listed["parent"])
            self.assertEqual(page.do("list", folder=str(self.work / "more"))["parent"], str(self.work))
            self.assertIn("outside", page.say("list", folder="/etc")["error"])

    def test_discarded_it_is_gone(self):
        server = self.serve()
        with server.connect() as page:
            page.wait("frame")
            page.do("set_length", rod="hose", length=0.47)
            self.assertTrue(wait_until(self.journals))
            self.crash(server)
        again = self.serve(write=False)
        with again.connect() as page:
            page.wait("frame")
            self.assertTrue(page.say("discard")["ok"])
            self.assertFalse(page.say("restore")["ok"])
        self.assertEqual(self.journals(), [])
        self.assertNotIn("unsaved work", self.serve(write=False).said)

    def test_a_signal_keeps_and_a_stop_discards(self):
        for ending in ("signal", "stop"):
            server = self.serve()
            with server.connect() as page:
                page.wait("frame")
                if ending == "stop" and page.say("discard")["ok"]:
                    self.assertEqual(self.journals(), [])
                page.do("set_length", rod="hose", length=0.47)
                if ending == "stop":
                    self.assertTrue(wait_until(self.journals))
                    self.assertTrue(page.say("stop")["ok"])
                else:
                    server.process.terminate()
                server.process.wait(timeout=60)
            self.assertEqual(bool(self.journals()), ending == "signal")

    # commands have budgets

    def long_command(self, server, page):
        """A thousand steps of a long rod: minutes, unless somebody ends them."""
        page.wait("frame")
        page.do("set_length", rod="hose", length=0.43)
        hash_before = page.frame.hash
        page.send_raw(json.dumps({"id": "long", "cmd": "step", "n": 1000}).encode())
        return hash_before

    def test_others_go_on_and_cancel(self):
        server = self.serve(segments=5000, mode="dynamics")
        with server.connect() as page, server.connect() as other:
            before = self.long_command(server, page)
            other.wait("busy", lambda busy: busy["cmd"] == "step")
            # reads and new pages do not wait: the command is still at work after them, or there were nothing to cancel
            for path in ("/api/scene.yaml", "/api/result.json", "/api/examples", "/api/export?format=obj"):
                self.assertEqual(server.get(path)[0], 200)
            with server.connect() as late:
                late.wait("frame")
                self.assertEqual(late.scene["rods"][0]["length"], 0.43)
                # whoever asks, the page of the command too
                for reader in (late, other, page):
                    self.assertIn("0.43", reader.say("text")["text"])
                    self.assertTrue(reader.say("check")["ok"])
                    self.assertGreater(len(reader.say("history")["rows"]), 0)
            self.assertTrue(other.say("cancel")["cancelled"])
            reply = page.wait("reply", lambda reply: reply["id"] == "long")
            self.assertEqual((reply["ok"], reply["stopped"]), (False, True))
            other.wait("busy", lambda busy: busy["cmd"] is None)
            # all is as before
            page.do("pause")
            self.assertEqual((page.frame.time, page.frame.hash), (0, before))
            self.assertFalse(other.say("cancel")["cancelled"])

    def test_a_limit_of_time(self):
        server = self.serve("--time-limit", "1", segments=5000, mode="dynamics")
        with server.connect() as page:
            before = self.long_command(server, page)
            reply = page.wait("reply", lambda reply: reply["id"] == "long")
            self.assertIn("limit", reply["error"])
            page.do("pause")
            self.assertEqual(page.frame.hash, before)

    def test_a_signal_ends_it_though_it_is_at_work(self):
        server = self.serve(segments=5000, mode="dynamics")
        with server.connect() as page:
            self.long_command(server, page)
            page.wait("busy")
            server.process.send_signal(signal.SIGTERM)
            # long before the command would
            self.assertEqual(server.process.wait(timeout=20), 0)


if __name__ == "__main__":
    unittest.main()
