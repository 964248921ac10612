#!/usr/bin/env python3
"""`wardiary serve` under clients that mean it no good, or are merely many. What the HTTP server
itself withstands is tested in tests/http; this is the whole service, with its store and games."""

import http.client
import json
import os
import pathlib
import random
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "http"))
from diary_service import COMMAND, Service, key, wait_until  # noqa: E402
from http_client import Reader, ask, get, post  # noqa: E402

SLOW = ("--header-deadline", "2", "--body-deadline", "2", "--write-deadline", "2")

# Each: name, bytes, the statuses that are right. "closed": no answer at all.
MALFORMED = [
    ("no version", b"GET /games\r\n\r\n", (400,)),
    ("HTTP/3.0", b"GET /games HTTP/3.0\r\nHost: x\r\n\r\n", (400, 505)),
    ("no host", b"GET /games HTTP/1.1\r\n\r\n", (400,)),
    ("two hosts", b"GET /games HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", (400,)),
    ("bare line feeds", b"GET /games HTTP/1.1\nHost: x\n\n", (400,)),
    ("space before the colon", b"GET /games HTTP/1.1\r\nHost : x\r\n\r\n", (400,)),
    ("folded line", b"GET /games HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", (400,)),
    ("NUL in a header", b"GET /games HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n", (400,)),
    ("bare CR in a header", b"GET /games HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", (400,)),
    ("unknown method", b"BREW /games HTTP/1.1\r\nHost: x\r\n\r\n", (501, 405, 400)),
    ("lower-case method", b"get /games HTTP/1.1\r\nHost: x\r\n\r\n", (501, 405, 400)),
    ("length and chunked", b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
     b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", (400,)),
    ("two lengths", b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
     b"Content-Length: 3\r\n\r\n{}x", (400,)),
    ("length +2", b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n{}", (400,)),
    ("length 0x2", b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Length: 0x2\r\n\r\n{}", (400,)),
    ("negative length", b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Length: -2\r\n\r\n{}", (400,)),
    ("xchunked", b"POST /games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n",
     (400, 501)),
    ("gzip, chunked", b"POST /games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
     (400, 501)),
    ("chunk size not hexadecimal", b"POST /games HTTP/1.1\r\nHost: x\r\n"
     b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", (400,)),
    ("chunk size too large", b"POST /games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
     b"fffffffffffffffff\r\n", (400, 413)),
    ("path up", b"GET /games/../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", (400, 404)),
    ("encoded path up", b"GET /assets/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
     (400, 404)),
    ("encoded slash", b"GET /assets/..%2f..%2fmaster.key HTTP/1.1\r\nHost: x\r\n\r\n", (400, 404)),
    ("encoded NUL", b"GET /assets/index.html%00.js HTTP/1.1\r\nHost: x\r\n\r\n", (400, 404)),
    ("double encoding", b"GET /assets/%252e%252e/master.key HTTP/1.1\r\nHost: x\r\n\r\n", (400, 404)),
    ("backslashes", b"GET /assets/..\\..\\master.key HTTP/1.1\r\nHost: x\r\n\r\n", (400, 404)),
    ("wrong escape", b"GET /games/%zz HTTP/1.1\r\nHost: x\r\n\r\n", (400, 404)),
    ("overlong UTF-8", b"GET /assets/%c0%ae%c0%ae/x HTTP/1.1\r\nHost: x\r\n\r\n", (400, 404)),
    ("no slash", b"GET games HTTP/1.1\r\nHost: x\r\n\r\n", (400,)),
    ("id in upper case with junk", b"GET /games/XYZ HTTP/1.1\r\nHost: x\r\n\r\n", (404,)),
    ("parameter twice", b"GET /games?limit=1&limit=2 HTTP/1.1\r\nHost: x\r\n\r\n", (400,)),
    ("unknown parameter", b"GET /games?limits=1 HTTP/1.1\r\nHost: x\r\n\r\n", (400,)),
    ("number too large", b"GET /games?limit=99999999999999999999 HTTP/1.1\r\nHost: x\r\n\r\n", (400,)),
    ("negative number", b"GET /games?limit=-1 HTTP/1.1\r\nHost: x\r\n\r\n", (400,)),
    ("huge header", b"GET /games HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 70_000 + b"\r\n\r\n", (431,)),
    ("many headers", b"GET /games HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 500 + b"\r\n", (431,)),
    ("long target", b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", (414, 431)),
    ("unknown expectation", b"POST /games HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n"
     b"Content-Length: 2\r\n\r\n{}", (417,)),
]

BODIES = [
    ("not JSON", b"{"), ("not an object", b"[]"), ("deep", b"[" * 100_000),
    ("deep object", b'{"a":' * 5_000), ("key twice", b'{"system":"a","system":"b"}'),
    ("bad UTF-8", b'{"system":"\xff\xfe"}'), ("number bomb", b'{"system":1' + b"0" * 500_000 + b"}"),
    ("exponent", b'{"system":1e999999999}'), ("NaN", b'{"system":NaN}'), ("NUL", b'{"system":"\0"}'),
    ("unknown field", b'{"system":"freeform","scenario":"duel","admin":true}'),
    ("wrong type", b'{"system":{"a":[]},"scenario":7}'), ("empty", b""),
    ("many fields", json.dumps({f"f{i}": i for i in range(20_000)}).encode()),
    ("comments", b'{"system":"freeform" /* x */}'), ("trailing text", b'{} {}'),
]


def is_well(service):
    answer = service.get("/games?limit=1")
    assert answer.status == 200, answer


class Abuse(unittest.TestCase):
    def test_malformed_requests_get_an_answer_and_nothing_else(self):
        with Service() as service:
            for name, raw, right in MALFORMED:
                with self.subTest(name):
                    answer = ask(service, raw)
                    self.assertNotEqual(answer, "timeout")
                    self.assertIsNotNone(answer, "closed without an answer")
                    self.assertIn(answer.status, right)
                    self.assertNotIn(b"root:", answer.body)
            is_well(service)

    def test_bodies_that_are_wrong_are_refused_and_make_no_game(self):
        with Service() as service:
            for name, body in BODIES:
                with self.subTest(name):
                    answer = service.ask("POST", "/games", body)
                    self.assertEqual(answer.status, 400, answer)
                    self.assertEqual(answer.type, "application/problem+json")
                    self.assertIn("code", answer.json)
            self.assertEqual(service.get("/games").json["games"], [])
            large = service.connect()
            large.sendall(b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n")
            self.assertEqual(Reader(large).answer().status, 413)
            large.close()

    def test_one_request_cannot_hide_another(self):
        """CL+TE, TE+CL and a body that looks like a request: never a second answer."""
        hidden = b"GET /admin/tokens HTTP/1.1\r\nHost: x\r\n\r\n"
        with Service() as service:
            for head in (b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
                         b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
                         b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
                         b"Transfer-Encoding: identity, chunked\r\n",
                         b"Transfer-Encoding:\x0bchunked\r\n"):
                sock = service.connect()
                sock.sendall(b"POST /games HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n0\r\n\r\n" + hidden)
                reader = Reader(sock)
                self.assertIn(reader.answer().status, (400, 501))
                self.assertTrue(reader.closed())
                self.assertNotIn(b"HTTP/1.1", reader.data)
                sock.close()

    def test_chunked_bodies_and_pipelining_are_served(self):
        with Service() as service:
            body = json.dumps({"system": "freeform", "scenario": "duel"}).encode()
            chunks = b"".join(b"%x\r\n%s\r\n" % (1, body[i:i + 1]) for i in range(len(body)))
            answer = ask(service, b"POST /games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                         b"\r\n" + chunks + b"0\r\n\r\n")
            self.assertEqual(answer.status, 201)
            sock = service.connect()
            sock.sendall(get("/games") * 20 + get("/healthz"))
            reader = Reader(sock)
            for _ in range(20):
                self.assertEqual(len(json.loads(reader.answer().body)["games"]), 1)
            self.assertEqual(reader.answer().body, b"ok\n")
            sock.close()

    def test_slow_clients_are_cut_and_hold_up_nobody(self):
        with Service(*SLOW) as service:
            game = service.new_game()
            slow = [service.connect() for _ in range(100)]
            for i, sock in enumerate(slow):
                sock.sendall(b"GET /games HTTP/1.1\r\nHo" if i % 2 else
                             b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{")
            readers = [service.connect(receive_buffer=4096) for _ in range(5)]
            for sock in readers:  # ask for much and read nothing
                sock.sendall(get(game["branch"] + "/events?limit=1000") * 200)
            end = time.monotonic() + 6
            while time.monotonic() < end:
                for sock in slow:
                    try:
                        sock.send(b"x")  # one byte a while keeps nothing alive
                    except OSError:
                        pass
                start = time.monotonic()
                is_well(service)
                self.assertLess(time.monotonic() - start, 5)
                time.sleep(0.5)
            closed = 0
            for sock in slow:
                sock.settimeout(5)
                try:
                    while sock.recv(4096):
                        pass
                    closed += 1
                except ConnectionError:
                    closed += 1
                except TimeoutError:
                    pass
            self.assertEqual(closed, len(slow))
            for sock in slow + readers:
                sock.close()

    def test_guessing_tokens_is_slowed_down(self):
        with Service() as service:
            game = service.new_game()
            good = game["tokens"]["referee"]
            self.assertEqual(service.get(game["path"] + "/tokens", token=good).status, 200)
            client = service.client()
            statuses = [service.get(game["path"], token="wd_" + f"{i:064x}", client=client).status
                        for i in range(30)]
            self.assertEqual(set(statuses[:20]), {401})
            self.assertEqual(set(statuses[20:]), {429})
            answer = service.get(game["path"], token="wd_" + "f" * 64)
            self.assertGreater(int(answer.headers["retry-after"]), 0)
            # A right one that was not seen before waits too; one that was is served.
            self.assertEqual(service.get(game["path"], token=game["tokens"]["seats"]["red"]).status, 429)
            self.assertEqual(service.get(game["path"] + "/tokens", token=good).status, 200)
            self.assertEqual(service.get(game["path"]).status, 200)

    def test_ten_thousand_idle_connections(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        count = min(10_000, hard - 500)
        with Service() as service:
            before = memory(service)
            socks = [service.connect() for _ in range(count)]
            is_well(service)
            wait_until(lambda: metric(service, "wardiary_connections") >= count, 60, "connecting")
            each = (memory(service) - before) / count
            print(f"{count} idle connections, {each:.0f} bytes each", flush=True)
            self.assertLess(each, 8192)
            for sock in socks:
                sock.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def test_a_thousand_streams_on_one_game_hear_every_commit(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        with Service() as service:
            game = service.new_game()
            socks = {}
            for _ in range(1_000):
                sock = service.connect()
                sock.sendall(get(game["branch"] + "/stream"))
                socks[sock.fileno()] = (sock, bytearray())
            last = game["version"]
            for i in range(20):
                facts = [{"type": "UnitChanged", "unit": "R1", "attribute": "steps", "to": i % 2 + 1}]
                answer = service.post(game["branch"] + "/facts", {"facts": facts},
                                      token=game["tokens"]["referee"])
                if answer.status == 200:
                    last = answer.json["last"]
            wanted = f'{{"version":{last}}}'.encode()
            left, end = set(socks), time.monotonic() + 60
            poll = select.poll()
            for fd in socks:
                poll.register(fd, select.POLLIN)
            while left and time.monotonic() < end:
                for fd, _ in poll.poll(200):
                    sock, data = socks[fd]
                    data += sock.recv(65536)
                    if wanted in data:
                        left.discard(fd)
                        poll.unregister(fd)
            self.assertEqual(len(left), 0, "streams that did not hear the last commit")
            for sock, _ in socks.values():
                sock.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def test_killed_during_orders_a_retry_finds_what_was_done(self):
        """kill -9 at random moments: what was answered is there, and a retry with the same key
        never does it twice."""
        rng = random.Random(7)
        with Service() as service:
            game = service.new_game()
            token = game["tokens"]["referee"]
            acknowledged = {}
            step = 0
            for round_ in range(6):
                stop = threading.Timer(rng.uniform(0.05, 0.6), service.process.kill)
                stop.start()
                pending = None
                client = service.client()
                while True:
                    step += 1
                    name = key()
                    facts = {"facts": [{"type": "Ruling", "by": "test", "rule": "", "text": f"s{step}"}]}
                    pending = (name, facts)
                    try:
                        answer = service.ask("POST", game["branch"] + "/facts", facts, token=token,
                                             headers={"Idempotency-Key": name}, client=client)
                    except (OSError, http.client.HTTPException):
                        break
                    self.assertEqual(answer.status, 200, answer)
                    acknowledged[step] = answer.json["last"]
                    pending = None
                stop.join()
                service.process.wait()
                service.start()
                first = service.ask("POST", game["branch"] + "/facts", pending[1], token=token,
                                    headers={"Idempotency-Key": pending[0]})
                again = service.ask("POST", game["branch"] + "/facts", pending[1], token=token,
                                    headers={"Idempotency-Key": pending[0]})
                self.assertEqual((first.status, again.status), (200, 200), (first, again))
                self.assertEqual(first.json["last"], again.json["last"])
                self.assertTrue(again.json["duplicate"])
                acknowledged[step] = first.json["last"]
            texts, after = {}, 0
            while after is not None:
                page = service.get(f"{game['branch']}/events?after={after}&limit=1000", token=token).json
                for event in page["events"]:
                    if event["type"] == "Ruling":
                        self.assertNotIn(event["text"], texts, "done twice")
                        texts[event["text"]] = event["version"]
                after = page["next"]
            for number, version in acknowledged.items():
                self.assertEqual(texts.get(f"s{number}"), version)
            self.assertTrue(service.get(game["path"] + "/audit").json["clean"])
            print(f"{len(acknowledged)} orders over 6 kills, none lost, none twice", flush=True)

    def test_sigterm_finishes_requests_and_ends_streams(self):
        with Service() as service:
            game = service.new_game()
            stream = service.connect()
            stream.sendall(get(game["branch"] + "/stream"))
            reader = Reader(stream)
            self.assertIsNotNone(reader.until(b"\r\n\r\n"))
            self.assertIsNotNone(reader.until(b"data: "))
            code = service.stop()
            self.assertEqual(code, 0)
            self.assertTrue(reader.closed())
            self.assertTrue(reader.data.endswith(b"0\r\n\r\n"), "the stream ended properly")
            stream.close()

    def test_random_bytes_and_mutations(self):
        rng = random.Random(11)
        with Service(*SLOW) as service:
            game = service.new_game()
            seeds = [get(game["path"]), post("/games", b'{"system":"freeform","scenario":"duel"}'),
                     get(game["branch"] + "/when?condition=turn%20%3D%3D%201"),
                     post(game["branch"] + "/orders", b'{"order":{"type":"x"}}')]
            for _ in range(300):
                raw = bytearray(rng.choice(seeds))
                for _ in range(rng.randint(1, 8)):
                    raw[rng.randrange(len(raw))] = rng.randrange(256)
                sock = service.connect(timeout=0.05)
                try:
                    sock.sendall(raw)
                    data = sock.recv(65536)
                    self.assertFalse(data.startswith(b"HTTP/1.1 500"), raw)
                except OSError:
                    pass
                sock.close()
            is_well(service)
            self.assertIsNone(service.process.poll())


class SetUp(unittest.TestCase):
    def run_it(self, *arguments, expect=0, **environment):
        done = subprocess.run([str(COMMAND), *arguments], capture_output=True, text=True,
                              env={**os.environ, **environment}, timeout=60)
        self.assertEqual(done.returncode, expect, done)
        return done

    def test_settings_come_from_file_environment_and_flags(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "wardiary.conf"
            file.write_text("# ours\nlisten = 127.0.0.1:1\nworkers = 3\nlog = json\n")
            shown = self.run_it("config", "check", "--config", str(file), "--json", "--workers", "5",
                                WARDIARY_LOG="off", WARDIARY_DATA=folder)
            said = {s["name"]: (s["value"], s["from"]) for s in json.loads(shown.stdout)["settings"]}
            self.assertEqual(said["listen"], ("127.0.0.1:1", f"line 2 of {file}"))
            self.assertEqual(said["log"], ("off", "WARDIARY_LOG"))
            self.assertEqual(said["workers"], ("5", "--workers"))
            self.assertEqual(said["idle-deadline"], ("60", "default"))
            for line, complaint in (("colour = red", "colour"), ("workers = many", "workers"),
                                    ("listen", "NAME = VALUE"), ("tls-key = /nowhere", "tls"),
                                    ("admin-only = yes", "true or false"),
                                    ("log = text\nlog = json", "second time")):
                file.write_text(line + "\n")
                wrong = self.run_it("config", "check", "--config", str(file), expect=2)
                self.assertIn(complaint, wrong.stderr)
                self.run_it("serve", "--config", str(file), "--data", folder, expect=2)

    def test_https(self):
        with tempfile.TemporaryDirectory() as folder:
            chain, secret = folder + "/chain.pem", folder + "/key.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj",
                            "/CN=localhost", "-keyout", secret, "-out", chain, "-days", "1"],
                           check=True, capture_output=True)
            with Service("--tls-certificate", chain, "--tls-key", secret, tls=True) as service:
                game = service.new_game()
                self.assertEqual(service.get(game["path"]).json["name"], "duel")

    def test_a_private_service_shows_games_only_to_their_people(self):
        with Service("--private") as service:
            game, other = service.new_game(), service.new_game()
            guest = service.post(game["path"] + "/tokens", {"role": "spectator"},
                                 token=game["tokens"]["referee"]).json["token"]
            self.assertEqual(service.get("/games").json["games"], [])
            self.assertEqual(service.get(game["path"]).status, 404)
            self.assertEqual(service.get(game["path"], token=guest).status, 200)
            self.assertEqual(service.get(other["path"], token=guest).status, 404)
            listed = service.get("/games", token=guest).json["games"]
            self.assertEqual([g["id"] for g in listed], [game["id"]])

    def test_only_the_administrator_creates_where_it_is_so(self):
        with Service("--admin-only") as service:
            wish = {"system": "freeform", "scenario": "duel"}
            self.assertEqual(service.post("/games", wish).status, 403)
            self.assertEqual(service.ask("POST", "/imports", b"x").status, 403)
            service.stop()
            admin = subprocess.run([str(COMMAND), "token", "admin", "--data", str(service.data)],
                                   capture_output=True, text=True, check=True).stdout.strip()
            service.start()
            self.assertEqual(service.post("/games", wish, token=admin).status, 201)


def memory(service):
    with open(f"/proc/{service.process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def metric(service, name):
    for line in service.get("/metrics").body.decode().splitlines():
        if line.startswith(name + " "):
            return float(line.split()[1])
    raise AssertionError(name + " is not among the metrics")


if __name__ == "__main__":
    unittest.main()
