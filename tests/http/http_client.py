"""Raw sockets for the HTTP tests. No HTTP library: what is sent is exactly what a test says."""

import json
import os
import select
import signal
import socket
import subprocess
import time

TIMEOUT = 8.0


class Server:
    """The test server as a child process on a free port."""

    def __init__(self, program, backend, **flags):
        command = [program, "--http", backend]
        for name, value in flags.items():
            command += ["--" + name, str(value)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def connect(self, timeout=TIMEOUT, receive_buffer=None):
        sock = socket.socket()
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(timeout)
        sock.connect(("127.0.0.1", self.port))
        return sock

    def terminate(self):
        """SIGTERM; seconds until it ended, and its exit code."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(TIMEOUT * 2)
        return time.monotonic() - start, code

    def counts(self):
        return json.loads(ask(self, get("/counts")).body)

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def __repr__(self):
        return f"{self.status} {self.headers} {self.body[:80]!r}"


class Reader:
    """Takes answers off a socket one after the other."""

    def __init__(self, sock):
        self.sock = sock
        self.data = b""

    def more(self):
        try:
            data = self.sock.recv(65536)
        except ConnectionError:
            data = b""
        self.data += data
        return bool(data)

    def until(self, mark):
        while mark not in self.data:
            if not self.more():
                return None
        found, self.data = self.data.split(mark, 1)
        return found

    def exactly(self, size):
        while len(self.data) < size:
            if not self.more():
                return None
        found, self.data = self.data[:size], self.data[size:]
        return found

    def answer(self, head=False):
        """The next answer; None when the server closes without one."""
        block = self.until(b"\r\n\r\n")
        if block is None:
            return None
        lines = block.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, value = line.split(":", 1)
            headers[name.lower()] = value.strip()
        status = int(lines[0].split()[1])
        body = b""
        if head or status in (100, 204, 304):
            return Answer(status, headers, body)
        if headers.get("transfer-encoding") == "chunked":
            while True:
                size = int(self.until(b"\r\n"), 16)
                body += self.exactly(size)
                self.until(b"\r\n")
                if size == 0:
                    break
        else:
            body = self.exactly(int(headers.get("content-length", 0)))
        return Answer(status, headers, body)

    def closed(self, seconds=TIMEOUT):
        """True when the server closes within that time; what it still says is kept in data."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.sock], [], [], left)[0]:
                return False
            if not self.more():
                return True


def ask(server, raw, head=False, timeout=TIMEOUT):
    """Sends on a connection of its own; the answer, None when closed without one, or "timeout"."""
    sock = server.connect(timeout)
    try:
        try:
            sock.sendall(raw)
        except ConnectionError:
            pass
        return Reader(sock).answer(head)
    except socket.timeout:
        return "timeout"
    finally:
        sock.close()


def get(path, extra=""):
    return f"GET {path} HTTP/1.1\r\nHost: test\r\n{extra}\r\n".encode("latin-1")


def post(path, body=b"", extra=""):
    head = f"POST {path} HTTP/1.1\r\nHost: test\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
    return head.encode("latin-1") + body
