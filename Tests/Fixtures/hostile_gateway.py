#!/usr/bin/env python3
"""A Hermes gateway that says as many different things as it can: hostile_gateway.py

Listens on a free port of 127.0.0.1 and prints where. Every third upgrade is refused with another status. After `hello` it makes the
device ready, sends errors of ever new codes, messages of ever new types and prompts that nobody knows, and closes with ever new codes
and reasons. Ends by itself after two minutes.
"""
import base64
import hashlib
import itertools
import json
import socketserver
import struct
import threading

turns = itertools.count()


def frame(opcode, payload):
    size = len(payload)
    head = bytes([0x80 | opcode])
    if size < 126:
        return head + bytes([size]) + payload
    return head + bytes([126]) + struct.pack(">H", size) + payload


def text(**members):
    return frame(1, json.dumps(members).encode())


class Device(socketserver.StreamRequestHandler):
    def handle(self):
        turn = next(turns)
        key = None
        while line := self.rfile.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"sec-websocket-key":
                key = value.strip()
        if turn % 3 == 2 or key is None:
            self.wfile.write(b"HTTP/1.1 %d No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % (404 + turn % 190))
            return
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        self.wfile.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )
        self.read_frame()
        out = text(t="ready")
        for index in range(40):
            number = turn * 40 + index
            out += text(t="error", code=f'code {number} "ä/北"\n\\' + "x" * (number % 200), message=f"text {number}", fatal=False)
            out += text(t=f"type-{number}-" + "y" * (number % 200))
            out += text(t="media", id=f"m{number}", kind="image", part=number, parts=1, data="!")
        out += frame(8, struct.pack(">H", 3000 + turn) + f"reason {turn}".encode())
        self.wfile.write(out)
        self.wfile.flush()
        self.read_frame()

    def read_frame(self):
        head = self.rfile.read(2)
        if len(head) < 2:
            return b""
        size = head[1] & 127
        if size == 126:
            size = struct.unpack(">H", self.rfile.read(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.rfile.read(8))[0]
        return self.rfile.read(4 + size)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 256


with Server(("127.0.0.1", 0), Device) as server:
    print(f"listening on ws://127.0.0.1:{server.server_address[1]}/ws", flush=True)
    timer = threading.Timer(120, server.shutdown)
    timer.daemon = True
    timer.start()
    server.serve_forever()
