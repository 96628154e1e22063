"""The workbench's server, driven without a browser: who is let in, what pages see, what hurts nobody."""
import json
import os
import random
import signal
import socket
import statistics
import time
import unittest
import zipfile
from io import BytesIO

from filum_cli import FILUM, SANITIZED, SCENES, CliTest
from ws_client import Refused, Server, wait_until

# the plain run does a tenth of what takes long
LONG = bool(os.environ.get("FILUM_LONG"))

# a hundred segments: what the latency is measured with
HOSE = """\
# A hose between two fittings.
filum: 1
title: Hose
sections: {hose: {shape: tube, outer_radius: 5.2 mm, inner_radius: 1.6 mm}} # bought
materials: {epdm: {young: 7 MPa, poisson: 0.49, density: 1150}}
rods:
  hose:
    material: epdm
    section: hose
    length: 0.42
    segments: 100
    shape: {line: [[0, 0, 0], [0.4, 0, 0]]}
    limits: {min_bend_radius: 25 mm}
holds:
  - {name: frame end, rod: hose, at: start, fix: [position, orientation]}
  - {name: wheel end, rod: hose, at: end, fix: [position, orientation]} # moves
simulation: {formulation: kirchhoff, mode: statics}
"""


class Serve(CliTest):
    def serve(self, *arguments):
        self.write(HOSE)
        server = Server(FILUM, str(self.folder / "scene.yaml"), *arguments)
        self.addCleanup(server.__exit__)
        return server

    # who is let in

    def test_the_door(self):
        server = self.serve()
        self.assertEqual(server.get("/")[0], 200)
        self.assertEqual(server.get("/", token=False)[0], 403)
        self.assertEqual(server.get("/?token=" + "0" * 32, token=False)[0], 403)
        self.assertEqual(server.get("/api/scene.yaml", token=False)[0], 403)
        self.assertEqual(server.get("/api/scene.yaml", token=False, headers={"X-Filum-Token": server.token})[0], 200)
        self.assertEqual(server.get("/", headers={"Host": f"evil.example:{server.port}"})[0], 403)
        self.assertEqual(server.get("/api/examples", headers={"Origin": "http://evil.example"})[0], 403)
        self.assertEqual(server.get("/none.js")[0], 404)
        self.assertEqual(server.get("/../../etc/passwd")[0], 404)
        for trouble in ({"token": "0" * 32}, {"token": ""}, {"origin": "http://evil.example"}, {"host": "evil.example"}):
            with self.assertRaises(Refused, msg=trouble):
                server.connect(**trouble)
        with server.connect(origin=f"http://127.0.0.1:{server.port}") as page:
            self.assertEqual(page.wait("hello")["protocol"], 1)

    def test_it_listens_on_this_machine_alone(self):
        server = self.serve()
        with open("/proc/net/tcp", encoding="ascii") as file:
            own = [line.split()[1] for line in file if line.split()[1].endswith(f":{server.port:04X}")]
        self.assertIn(f"0100007F:{server.port:04X}", own)
        self.assertNotIn(f"00000000:{server.port:04X}", own)

    def test_bad_scenes_and_ports_are_told(self):
        self.write("filum: 1\nrods: 3\n")
        done = self.expect(2, "serve", "scene.yaml", "--no-open")
        self.assertIn("scene.yaml:2:7", done.stderr)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            done = self.expect(2, "serve", "--no-open", "--port", str(taken.getsockname()[1]))
        self.assertIn("cannot listen", done.stderr)

    # what pages see

    def test_a_drag_is_seen_by_every_page_and_undone_to_the_bit(self):
        server = self.serve()
        with server.connect() as first, server.connect() as second:
            for page in (first, second):
                page.wait("hello")
                page.wait("frame")
            self.assertEqual(first.frame.hash, second.frame.hash)
            before = first.frame.hash
            first.do("grab", hand="mouse", hold="wheel end")
            for k in range(20):
                first.do("move", hand="mouse", position=[0.4 - 0.005 * k, 0.003 * k, 0])
            first.do("drop", hand="mouse")
            self.assertAlmostEqual(first.frame.hold_positions[1][0], 0.305, places=6)
            after = first.frame.hash
            second.wait("frame", lambda frame: frame.hash == after)
            second.wait("state", lambda state: state["document"]["dirty"])
            second.do("undo")
            self.assertEqual(second.frame.hash, before)
            first.wait("frame", lambda frame: frame.number >= second.frame.number)
            self.assertEqual(first.frame.hash, before)
            first.do("redo")
            self.assertEqual(first.frame.hash, after)

    def test_a_released_hold_lets_the_cable_fall(self):
        server = self.serve()
        with server.connect() as page:
            page.wait("frame")
            height = page.frame.positions[0][-1][2]
            page.do("play")
            page.do("release", hold="wheel end")
            # on a busy machine some time has passed by now
            released = page.frame.time
            page.wait("frame", lambda frame: frame.time > released + 0.3)
            self.assertLess(page.frame.positions[0][-1][2], height - 0.02)
            page.wait("state", lambda state: state["loop"]["rate"] == 60 and state["time"] > released + 0.3)
            page.do("pause")

    def test_reconnecting_loses_nothing(self):
        server = self.serve()
        with server.connect() as page:
            page.wait("frame")
            page.do("set_length", rod="hose", length=0.45)
            kept = page.frame.hash
        with server.connect() as page:
            page.wait("frame")
            self.assertEqual(page.frame.hash, kept)
            self.assertEqual(page.scene["rods"][0]["length"], 0.45)
            self.assertEqual(page.state["undo"]["depth"], 1)

    def test_a_page_that_goes_drops_what_it_held(self):
        server = self.serve()
        with server.connect() as watcher:
            watcher.wait("frame")
            page = server.connect()
            page.wait("frame")
            page.do("grab", hand="m", rod="hose", s=0.2)
            page.do("move", hand="m", position=[0.2, 0.05, 0])
            watcher.wait("state", lambda state: len(state["grabbed"]) == 1)
            page.close()
            watcher.wait("state", lambda state: not state["grabbed"] and state["clients"] == 1)
            self.assertEqual(len(watcher.scene["holds"]), 2)

    def test_saved_and_opened_it_is_the_same(self):
        server = self.serve()
        with server.connect() as page:
            page.wait("frame")
            page.do("add_hold", rod="hose", at="50 %", name="clip")
            page.do("place_hold", hold="wheel end", position=[0.33, 0.02, 0])
            saved = page.do("save")["path"]
            self.assertEqual(saved, str((self.folder / "scene.yaml").resolve()))
            scene = page.scene
            text = (self.folder / "scene.yaml").read_text()
            self.assertIn("# A hose between two fittings.\n", text)
            self.assertIn("# bought", text)
            self.assertIn("# moves", text)
            page.do("new")
            page.do("open", path=saved)
            while page.scene["revision"] < page.frame.revision:
                page.take()
            for key in ("rods", "holds", "sections", "materials", "simulation"):
                self.assertEqual(page.scene[key], scene[key])
            self.assertEqual(server.get("/api/scene.yaml")[1].decode(), text)

    def test_files_up_and_down(self):
        server = self.serve()
        examples = json.loads(server.get("/api/examples")[1])
        self.assertEqual({e["name"] for e in examples}, {p.stem for p in SCENES.glob("*.yaml")})
        for example in examples:
            self.assertTrue(example["title"] and example["about"], example)
            status, picture = server.get(example["thumbnail"])
            self.assertTrue(status == 200 and picture.startswith(b"<svg"), example["name"])
        status, body = server.get("/api/result.json")
        self.assertEqual(status, 200)
        json.loads(body)
        self.assertIn(b"<html", server.get("/api/report.html")[1])
        self.assertIn(b"v ", server.get("/api/export?format=obj")[1])
        self.assertEqual(server.get("/api/export?format=gltf")[1][:4], b"glTF")
        status, body = server.get("/api/export?format=csv")
        if body[:2] == b"PK":
            self.assertIsNone(zipfile.ZipFile(BytesIO(body)).testzip())
        self.assertEqual(server.get("/api/export?format=exe")[0], 400)
        self.assertEqual(server.get("/api/scene?name=x.yaml", data=b"filum: 2\n")[0], 400)
        upload = (SCENES / "ribbon.yaml").read_bytes()
        self.assertEqual(server.get("/api/scene?name=ribbon.yaml", data=upload)[0], 200)
        self.assertEqual(server.get("/api/scene.yaml")[1], upload)
        status, body = server.get("/api/meshes?name=part%201.obj", data=b"v 0 0 0\n")
        self.assertEqual(json.loads(body)["scenery"], "part 1")
        with server.connect() as page:
            page.wait("frame")
            mesh = page.scene["scenery"][0]
        self.assertEqual((mesh["mesh"], mesh["bytes"]), ("part 1.obj", 8))
        self.assertEqual(server.get(mesh["address"])[1], b"v 0 0 0\n")
        self.assertEqual(server.get("/api/meshes?name=part.exe", data=b"x")[0], 400)
        self.assertEqual(server.get("/api/meshes?name=a.obj", data=b"v" * ((64 << 20) + 1))[0], 413)

    # what hurts nobody

    def test_fuzzed_messages(self):
        server = self.serve()
        chance = random.Random(1)
        seeds = [
            json.dumps(message).encode()
            for message in (
                {"id": 1, "cmd": "set", "path": "rods.hose.length", "value": 0.43},
                {"id": 2, "cmd": "grab", "hand": "m", "rod": "hose", "s": 0.2},
                {"id": 3, "cmd": "move", "hand": "m", "position": [0.2, 0, 0.01]},
                {"id": 4, "cmd": "drop", "hand": "m", "attach": True},
                {"id": 5, "cmd": "undo"},
                {"id": 6, "cmd": "add_hold", "rod": "hose", "at": "25 %", "fix": ["position"]},
                {"id": 7, "cmd": "new_cable", "from": [0, 0, 0], "to": [0.1, 0, 0], "segments": 3},
                {"id": 8, "cmd": "rename", "kind": "rod", "name": "hose", "to": "hose"},
            )
        ]
        page = server.connect()
        page.wait("frame")
        for k in range(10_000 if LONG else 1_000):
            message = bytearray(chance.choice(seeds))
            for _ in range(chance.randrange(1, 6)):
                at = chance.randrange(len(message))
                message[at : at + chance.randrange(4)] = bytes(
                    chance.choice(b'{}[]",:0123456789.-eE \\truefalsn\x00\xff') for _ in range(chance.randrange(4))
                )
            text = bytes(message).decode("utf-8", "replace").encode()
            page.send_raw(text, opcode=1)
            page.wait("reply")
            if k % 500 == 0:
                page.do("open", path=str(self.folder / "scene.yaml"))
        # binary, broken UTF-8, and far too much: the connection may end, the server does not
        for payload, opcode in ((b"\x00" * 100, 2), (b"\xff\xfe", 1), (b"x" * (2 << 20), 1), (b"[" * (1 << 20), 1)):
            with server.connect() as other:
                other.wait("frame")
                try:
                    other.send_raw(payload, opcode)
                    while True:
                        kind, message = other.take()
                        if kind == "reply":
                            self.assertFalse(message["ok"])
                            break
                except (ConnectionError, BrokenPipeError, ConnectionResetError):
                    pass
        with socket.create_connection((server.host, server.port)) as raw:
            raw.sendall(b"\x16\x03\x01 hello\r\n\r\n")
            raw.recv(1000)
        page.do("open", path=str(self.folder / "scene.yaml"))
        self.assertEqual(page.frame.rods, 1)
        page.close()
        self.assertIsNone(server.process.poll())

    @unittest.skipIf(SANITIZED, "a sanitizer has a memory of its own")
    def test_a_hundred_reconnects_leak_nothing(self):
        server = self.serve()

        def visits(count):
            for _ in range(count):
                with server.connect() as page:
                    page.wait("frame")
                    page.do("grab", hand="m", rod="hose", s=0.2)
                    page.do("move", hand="m", position=[0.2, 0.02, 0])
            with server.connect() as page:
                page.wait("state", lambda state: state["clients"] == 1)
            return server.memory()

        # undo keeps what was done, up to two hundred things: fill that first
        visits(220 if LONG else 20)
        before = visits(10)
        after = visits(100 if LONG else 20)
        # a page's buffers and message queues are some 100 kB: one in a hundred that stays would show
        self.assertLess(after - before, 2 << 20)

    def test_a_slow_page_slows_nobody(self):
        server = self.serve()
        with server.connect() as quick, server.connect(receive_buffer=4096) as slow:
            quick.wait("frame")
            # in motion every frame is another
            quick.do("play")
            quick.do("release", hold="wheel end")
            start, first = quick.frame.time, quick.frame.number
            # the slow one reads nothing all the while; a frame is at most a tenth of a second
            quick.wait("frame", lambda frame: frame.time > start + 4)
            quick.do("pause")
            last = quick.frame.number
            self.assertGreaterEqual(last - first, 39)
            memory = server.memory()
            slow.wait("frame", lambda frame: frame.number >= last)
            # whatever the quick one got, the slow one was not sent all there were
            self.assertLess(slow.frames, last - first)
            self.assertLess(server.memory() - memory, 8 << 20)

    def test_interrupt_ends_it_cleanly(self):
        for stop in (signal.SIGINT, signal.SIGTERM):
            server = self.serve()
            with server.connect() as page:
                page.wait("frame")
                page.do("play")
                server.process.send_signal(stop)
                with self.assertRaises((ConnectionError, OSError)):
                    while True:
                        page.take()
            self.assertEqual(server.process.wait(timeout=120), 0)

    def test_a_page_may_stop_it(self):
        server = self.serve()
        with server.connect() as page:
            page.wait("frame")
            self.assertTrue(page.say("stop")["ok"])
            self.assertTrue(wait_until(lambda: server.process.poll() is not None))
        self.assertEqual(server.process.returncode, 0)

    # how fast, told and not judged: the machine may be busy

    def test_latency(self):
        server = self.serve()
        with server.connect() as page:
            page.wait("frame")
            page.do("grab", hand="m", hold="wheel end")
            times = []
            for k in range(200):
                begin = time.perf_counter()
                page.do("move", hand="m", position=[0.4 - 0.0005 * k, 0.0003 * k, 0])
                times.append(1e3 * (time.perf_counter() - begin))
            page.do("drop", hand="m")
            times.sort()
            print(
                f"drag command to frame, 100 segments, laid: median {statistics.median(times):.2f} ms, "
                f"p99 {times[int(0.99 * len(times))]:.2f} ms"
            )
            page.do("play")
            page.do("grab", hand="m", hold="wheel end")
            times = []
            for k in range(100):
                begin = time.perf_counter()
                page.do("move", hand="m", position=[0.3 + 0.0005 * k, 0.06, 0])
                times.append(1e3 * (time.perf_counter() - begin))
            print(f"the same while it plays: median {statistics.median(times):.2f} ms (a tick is 16.7 ms)")
            page.wait("state", lambda state: state["playing"])
            print(f"loop: {page.state['loop']}, real time {page.state['real_time']:.2f}")


if __name__ == "__main__":
    unittest.main()
