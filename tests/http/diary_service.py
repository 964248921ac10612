"""The real service, `wardiary serve`, as a child process on a free port, and a plain client for it."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("WARDIARY_BUILD", ROOT / "build/release"))
COMMAND = BUILD / "wardiary"


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def type(self):
        return self.headers.get("content-type", "").split(";")[0]

    def __repr__(self):
        return f"{self.status} {self.type} {self.body[:300]!r}"


class Service:
    """Starts the service on a data directory (a fresh one if none is given)."""

    def __init__(self, *flags, data=None, tls=False):
        self.own_data = data is None
        self.data = pathlib.Path(data or tempfile.mkdtemp(prefix="wardiary-service-"))
        self.flags, self.tls = flags, tls
        self.process = self.log = None
        self.start()

    def start(self):
        self.release()
        command = [str(COMMAND), "serve", "--data", str(self.data), "--listen", "127.0.0.1:0",
                   "--log", "json", *self.flags]
        self.log = open(self.data.with_suffix(".log"), "ab")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the service did not start: " + self.log_text()[-2000:])
        self.port = int(line.rstrip().rstrip("/").rsplit(":", 1)[1])

    def log_text(self):
        return self.data.with_suffix(".log").read_text(errors="replace")

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        code = self.process.wait(60)
        self.release()
        return code

    def release(self):
        """What is held of a process that has ended."""
        if self.process:
            self.process.stdout.close()
            self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)
        if self.own_data:
            shutil.rmtree(self.data, ignore_errors=True)
            self.data.with_suffix(".log").unlink(missing_ok=True)

    def connect(self, timeout=30.0, receive_buffer=None):
        sock = socket.socket()
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(timeout)
        sock.connect(("127.0.0.1", self.port))
        return sock

    def client(self):
        if self.tls:
            context = ssl._create_unverified_context()
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=120, context=context)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def ask(self, method, path, body=None, token=None, headers=None, client=None):
        sent = dict(headers or {})
        if token:
            sent["Authorization"] = "Bearer " + token
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        one = client or self.client()
        one.request(method, path, body, sent)
        response = one.getresponse()
        answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()},
                        response.read())
        if client is None:
            one.close()
        return answer

    def get(self, path, **how):
        return self.ask("GET", path, **how)

    def post(self, path, body, **how):
        return self.ask("POST", path, body, **how)

    def new_game(self, **wish):
        body = {"system": "freeform", "scenario": "duel", "keeping": "scribed", **wish}
        answer = self.post("/games", body)
        assert answer.status == 201, answer
        game = answer.json
        game["path"] = "/games/" + game["id"]
        game["branch"] = game["path"] + "/branches/" + game["mainline"]
        return game


def key():
    return uuid.uuid4().hex


def wait_until(true, seconds=30, what="it"):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"{what} did not happen within {seconds} s"
        time.sleep(0.02)
