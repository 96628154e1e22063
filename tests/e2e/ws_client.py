"""A WebSocket client of the standard library alone, for talking to `filum serve`."""

import base64
import json
import os
import re
import socket
import struct
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request


class Server:
    """`filum serve` as a child; `with Server(filum) as server:`."""

    def __init__(self, filum, *arguments, **options):
        self.state = tempfile.TemporaryDirectory()
        options.setdefault("env", {**os.environ, "XDG_STATE_HOME": self.state.name})
        self.process = subprocess.Popen(
            [filum, "serve", "--no-open", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )
        # what it says before it listens
        self.said = ""
        found = None
        while not found:
            line = self.process.stderr.readline()
            found = re.search(r"is at http://([^/:]+):(\d+)/\?token=([0-9a-f]{32})", line)
            self.said += line
            if not line:
                self.process.kill()
                raise AssertionError(f"no address in {self.said!r}")
        self.host, self.port, self.token = found[1], int(found[2]), found[3]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=120)
        self.state.cleanup()

    def url(self, path, token=True):
        sign = "&" if "?" in path else "?"
        return f"http://{self.host}:{self.port}{path}" + (f"{sign}token={self.token}" if token else "")

    def get(self, path, token=True, headers=None, data=None):
        """Status and body of a request; never raises on a status."""
        request = urllib.request.Request(self.url(path, token), data=data, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def connect(self, **options):
        return Client(self, **options)

    def memory(self):
        """Resident memory, bytes."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Refused(Exception):
    pass


class Client:
    """One page. Messages are read when something is waited for."""

    def __init__(self, server, token=None, origin=None, host=None, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(120)
        self.socket.connect((server.host, server.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.next_id = 0
        self.scene = self.state = self.frame = None
        self.events = []
        self.frames = 0
        lines = [
            f"GET /ws?token={server.token if token is None else token} HTTP/1.1",
            f"Host: {host or f'{server.host}:{server.port}'}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
        ]
        if origin:
            lines.append(f"Origin: {origin}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            self.close()
            raise Refused(head.decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("closed")
        self.buffer += data

    def send_raw(self, payload, opcode=1):
        mask = os.urandom(4)
        length = len(payload)
        if length < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | length)
        elif length < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, length)
        key = (mask * (length // 4 + 1))[:length]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(length, "big") if length else b""
        self.socket.sendall(head + mask + masked)

    def receive(self):
        """The next message: ('text', dict), ('frame', bytes) or ('close', code)."""
        while True:
            while len(self.buffer) < 2:
                self.more()
            opcode, length, at = self.buffer[0] & 15, self.buffer[1] & 127, 2
            if length >= 126:
                size = 2 if length == 126 else 8
                while len(self.buffer) < 2 + size:
                    self.more()
                length, at = int.from_bytes(self.buffer[2 : 2 + size], "big"), 2 + size
            while len(self.buffer) < at + length:
                self.more()
            payload, self.buffer = self.buffer[at : at + length], self.buffer[at + length :]
            if opcode == 9:
                self.send_raw(payload, 10)
            elif opcode == 8:
                return "close", int.from_bytes(payload[:2], "big")
            elif opcode == 1:
                return "text", json.loads(payload)
            elif opcode == 2:
                return "frame", payload

    def take(self):
        """Takes one message in and returns it."""
        kind, message = self.receive()
        if kind == "frame":
            self.frames += 1
            self.frame = Frame(message)
            return "frame", self.frame
        if kind == "text":
            if message["type"] == "scene":
                self.scene = message
            elif message["type"] == "state":
                self.state = message
            elif message["type"] == "events":
                self.events += message["events"]
            return message["type"], message
        raise ConnectionError(f"closed with {message}")

    def wait(self, kind, what=lambda message: True):
        while True:
            found, message = self.take()
            if found == kind and what(message):
                return message

    def send(self, cmd, **fields):
        self.next_id += 1
        self.send_raw(json.dumps({"id": self.next_id, "cmd": cmd, **fields}).encode())
        return self.next_id

    def say(self, cmd, **fields):
        """The reply to a command."""
        number = self.send(cmd, **fields)
        return self.wait("reply", lambda reply: reply["id"] == number)

    def do(self, cmd, **fields):
        """Does it, and waits for the frame that shows it."""
        reply = self.say(cmd, **fields)
        assert reply["ok"], reply
        while self.frame is None or self.frame.number < reply["frame"]:
            self.take()
        return reply


class Frame:
    """The header of a frame, and the positions of its rods where it has them."""

    def __init__(self, data):
        assert data[:4] == b"FLMF", data[:8]
        self.version, self.flags, self.number, self.revision, self.hash, self.time, self.steps = struct.unpack_from(
            "<HHIIQdd", data, 4
        )
        self.rods, self.bodies, self.holds, self.channels = struct.unpack_from("<4I", data, 88)
        self.size = len(data)
        at = 112
        self.positions = []
        for _ in range(self.rods):
            points, flags = struct.unpack_from("<2I", data, at)
            at += 48 + (12 * points if flags & 1 else 0)
            positions = None
            if flags & 2:
                numbers = struct.unpack_from(f"<{3 * points}f", data, at)
                positions = [numbers[i : i + 3] for i in range(0, len(numbers), 3)]
                at += (28 + 4 * self.channels) * points
            self.positions.append(positions)
        at += 40 * self.bodies
        self.hold_positions = [struct.unpack_from("<3f", data, at + 64 * h) for h in range(self.holds)]
        at += 64 * self.holds
        assert at == len(data), (at, len(data))


def wait_until(condition, seconds=120):
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()
