"""What the server answers to right, odd and wrong requests, over raw sockets, for every back end.

    http_conformance.py TEST_SERVER [BACKEND...]

Each row says what is sent and what must come: a status, or "closed" for a connection closed without
an answer. Where Crow differs from the built-in server, its own answer stands in CROW: an expected,
documented difference (docs/http-server.md), and a failure should it ever change unnoticed.
"""

import gzip
import json
import subprocess
import sys

from http_client import TIMEOUT, Reader, Server, ask, get, post

H = b"Host: test\r\n"
LONG = b"a" * 9000

# name, request, status
REFUSED = [
    ("no version", b"GET /x\r\n" + H + b"\r\n", 400),
    ("version 0.9", b"GET /x HTTP/0.9\r\n" + H + b"\r\n", 400),
    ("version 2.0", b"GET /x HTTP/2.0\r\n" + H + b"\r\n", 400),
    ("version 3.0", b"GET /x HTTP/3.0\r\n" + H + b"\r\n", 400),
    ("version in lower case", b"GET /x http/1.1\r\n" + H + b"\r\n", 400),
    ("version without digits", b"GET /x HTTP/x.y\r\n" + H + b"\r\n", 400),
    ("HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    ("TLS hello", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 40, 400),
    ("bare LF lines", b"GET /x HTTP/1.1\nHost: test\n\n", 400),
    ("bare LF in the header", b"GET /x HTTP/1.1\r\nHost: test\nA: b\r\n\r\n", 400),
    ("bare CR in a value", b"GET /x HTTP/1.1\r\n" + H + b"A: b\rc\r\n\r\n", 400),
    ("NUL in a value", b"GET /x HTTP/1.1\r\n" + H + b"A: b\0c\r\n\r\n", 400),
    ("NUL in the target", b"GET /x\0y HTTP/1.1\r\n" + H + b"\r\n", 400),
    ("space before the colon", b"GET /x HTTP/1.1\r\n" + H + b"A : b\r\n\r\n", 400),
    ("space in a name", b"GET /x HTTP/1.1\r\n" + H + b"A b: c\r\n\r\n", 400),
    ("empty name", b"GET /x HTTP/1.1\r\n" + H + b": c\r\n\r\n", 400),
    ("line without a colon", b"GET /x HTTP/1.1\r\n" + H + b"nothing\r\n\r\n", 400),
    ("folded line", b"GET /x HTTP/1.1\r\n" + H + b"A: b\r\n c\r\n\r\n", 400),
    ("space before the first name", b"GET /x HTTP/1.1\r\n Host: test\r\n\r\n", 400),
    ("two spaces after the method", b"GET  /x HTTP/1.1\r\n" + H + b"\r\n", 400),
    ("space in the target", b"GET /x y HTTP/1.1\r\n" + H + b"\r\n", 400),
    ("no target", b"GET HTTP/1.1\r\n" + H + b"\r\n", 400),
    ("control byte in the method", b"G\x01T /x HTTP/1.1\r\n" + H + b"\r\n", 400),
    ("raw UTF-8 in the target", "GET /ö HTTP/1.1\r\nHost: test\r\n\r\n".encode(), 400),
    ("fragment in the target", get("/x#y"), 400),
    ("relative target", get("x"), 400),
    ("no Host", b"GET /x HTTP/1.1\r\n\r\n", 400),
    ("two Hosts", b"GET /x HTTP/1.1\r\n" + H + H + b"\r\n", 400),
    ("empty Host", b"GET /x HTTP/1.1\r\nHost:\r\n\r\n", 400),
    ("Host with a path", b"GET /x HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    ("Host as a list", b"GET /x HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
    ("length and chunked", b"POST /echo HTTP/1.1\r\n" + H
     + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("chunked and length", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 400),
    ("gzip coding, then length", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", 501),
    ("two lengths", b"POST /echo HTTP/1.1\r\n" + H
     + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400),
    ("the same length twice", b"POST /echo HTTP/1.1\r\n" + H
     + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400),
    ("lengths as a list", b"POST /echo HTTP/1.1\r\n" + H
     + b"Content-Length: 5, 5\r\n\r\nhello", 400),
    ("length +5", b"POST /echo HTTP/1.1\r\n" + H + b"Content-Length: +5\r\n\r\nhello", 400),
    ("length -5", b"POST /echo HTTP/1.1\r\n" + H + b"Content-Length: -5\r\n\r\nhello", 400),
    ("length 0x5", b"POST /echo HTTP/1.1\r\n" + H + b"Content-Length: 0x5\r\n\r\nhello", 400),
    ("empty length", b"POST /echo HTTP/1.1\r\n" + H + b"Content-Length:\r\n\r\nhello", 400),
    ("length beyond 64 bits", b"POST /echo HTTP/1.1\r\n" + H
     + b"Content-Length: 99999999999999999999\r\n\r\nhello", 400),
    ("coding xchunked", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
    ("coding gzip, chunked", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
    ("coding identity", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: identity\r\n\r\n", 501),
    ("chunked twice", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("chunked in HTTP/1.0", b"POST /echo HTTP/1.0\r\n" + H
     + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("chunk size not hexadecimal", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n", 400),
    ("negative chunk size", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n", 400),
    ("chunk size beyond 64 bits", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello\r\n0\r\n\r\n", 400),
    ("chunk longer than said", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n", 400),
    ("endless chunk extension", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: chunked\r\n\r\n5;" + b"a" * 90000, 400),
    ("unknown expectation", post("/echo", b"x", "Expect: a-miracle\r\n"), 417),
    ("header over the limit", b"GET /x HTTP/1.1\r\n" + H + b"A: " + LONG + b"\r\n\r\n", 431),
    ("target over the limit", b"GET /" + LONG + b" HTTP/1.1\r\n" + H + b"\r\n", 431),
    ("many headers", b"GET /x HTTP/1.1\r\n" + H + b"A: b\r\n" * 200 + b"\r\n", 431),
    ("body over the limit by length", b"POST /echo HTTP/1.1\r\n" + H
     + b"Content-Length: 2000000\r\n\r\n", 413),
    ("body over the limit, chunked", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: chunked\r\n\r\n200000\r\n", 413),
    ("unknown method", b"BREW /x HTTP/1.1\r\n" + H + b"\r\n", 501),
    ("CONNECT", b"CONNECT test:80 HTTP/1.1\r\n" + H + b"\r\n", 400),
]

ANSWERED = [
    ("plain GET", get("/x"), 200),
    ("HTTP/1.0", b"GET /x HTTP/1.0\r\n\r\n", 200),
    ("absolute form", get("http://test/x"), 200),
    ("header names in any case", b"GET /x HTTP/1.1\r\nhOsT: test\r\n\r\n", 200),
    ("value with spaces around", b"GET /x HTTP/1.1\r\nHost: \t test \t\r\n\r\n", 200),
    ("no such path", get("/nothing"), 404),
    ("trailing slash", get("/x/"), 404),
    ("two slashes", get("//x"), 404),
    ("encoded literal", get("/%78"), 404),
    ("dot segment", get("/files/./a"), 404),
    ("dot-dot segment", get("/files/../x"), 404),
    ("encoded dot-dot", get("/files/%2e%2e/x"), 404),
    ("dot-dot and encoded slash", get("/files/..%2fx"), 404),
    ("encoded slash", get("/echo/a%2Fb"), 404),
    ("encoded NUL", get("/echo/a%00b"), 404),
    ("encoded backslash", get("/echo/a%5cb"), 404),
    ("bad escape", get("/echo/a%zz"), 404),
    ("cut escape", get("/echo/a%2"), 404),
    ("overlong UTF-8", get("/echo/%c0%af"), 404),
    ("surrogate in UTF-8", get("/echo/%ed%a0%80"), 404),
    ("clean UTF-8", get("/echo/%c3%b6"), 200),
    ("rest of the path", get("/files/a/b.js"), 200),
    ("number", get("/number/42"), 200),
    ("not a number", get("/number/4x"), 404),
    ("leading zero", get("/number/042"), 404),
    ("number beyond 64 bits", get("/number/99999999999999999999"), 404),
    ("id", get("/game/00112233445566778899aabbccddeeff/events/7"), 200),
    ("short id", get("/game/0011/events/7"), 404),
    ("query", get("/echo/a?a=1&b=%20+x"), 200),
    ("unknown query parameter", get("/echo/a?c=1"), 400),
    ("query parameter twice", get("/echo/a?a=1&a=2"), 400),
    ("bad escape in the query", get("/echo/a?a=%2"), 400),
    ("NUL in the query", get("/echo/a?a=%00"), 400),
    ("method not there", b"DELETE /x HTTP/1.1\r\n" + H + b"\r\n", 405),
    ("OPTIONS", b"OPTIONS /x HTTP/1.1\r\n" + H + b"\r\n", 204),
    ("OPTIONS *", b"OPTIONS * HTTP/1.1\r\n" + H + b"\r\n", 204),
    ("handler that throws", get("/throw"), 500),
    ("handler that injects a header", get("/inject"), 500),
    ("handler that drops its reply", get("/dropped"), 500),
    ("handler that answers later", get("/later/20"), 200),
    ("no content", get("/none"), 204),
    ("body by length", post("/echo", b"hello"), 200),
    ("body of the largest size", post("/echo", b"a" * 1048576), 200),
    ("larger body where the route takes it", post("/large", b"a" * 3000000), 200),
    ("chunked body with extension and trailer", b"POST /echo HTTP/1.1\r\n" + H
     + b"Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\n\r\n", 200),
]

# Crow's own answers where they differ. Most of what it cannot parse it closes without a word.
CROW = {
    **dict.fromkeys([
        "version in lower case", "version without digits", "HTTP/2 preface", "TLS hello",
        "bare CR in a value", "NUL in a value", "NUL in the target", "space before the colon",
        "space in a name", "empty name", "line without a colon", "space before the first name",
        "space in the target", "no target", "control byte in the method",
        "raw UTF-8 in the target", "fragment in the target", "relative target",
        "length and chunked", "chunked and length", "gzip coding, then length", "two lengths",
        "the same length twice", "lengths as a list", "length +5", "length -5", "length 0x5",
        "length beyond 64 bits", "coding xchunked", "coding identity",
        "chunk size not hexadecimal", "negative chunk size", "chunk size beyond 64 bits",
        "chunk longer than said", "endless chunk extension", "unknown method", "CONNECT",
    ], "closed"),
    # It takes these for good requests.
    **dict.fromkeys([
        "no version", "version 0.9", "version 2.0", "version 3.0", "bare LF lines",
        "bare LF in the header", "folded line", "two spaces after the method", "two Hosts",
        "empty Host", "Host with a path", "Host as a list", "empty length",
        "coding gzip, chunked", "chunked twice", "chunked in HTTP/1.0", "unknown expectation",
        "header over the limit", "many headers",
    ], 200),
    "target over the limit": 404,
    # It waits for all of the body, and only then can our 413 be said.
    "body over the limit by length": "timeout",
    "body over the limit, chunked": "timeout",
    "absolute form": 404,
    "OPTIONS *": 404,
}


def check_rows(server, backend, failures):
    for name, raw, expected in REFUSED + ANSWERED:
        if backend == "crow":
            expected = CROW.get(name, expected)
        answer = ask(server, raw, timeout=1 if expected == "timeout" else TIMEOUT)
        got = "closed" if answer is None else getattr(answer, "status", answer)
        if got != expected:
            failures.append(f"{name}: {got}, expected {expected}")
        elif backend == "builtin" and got >= 400:
            problem = json.loads(answer.body)
            if (answer.headers["content-type"] != "application/problem+json"
                    or problem["status"] != got or not problem["code"]):
                failures.append(f"{name}: not a problem document: {answer}")
            if "secret" in str(answer.body):
                failures.append(f"{name}: leaks")


def check_refused_are_closed(server, failures):
    """After a request it could not read, the server must not take what follows for another one."""
    for name, raw, _ in REFUSED:
        sock = server.connect()
        reader = Reader(sock)
        try:
            sock.sendall(raw + get("/echo/smuggled"))
        except ConnectionError:
            pass
        if not reader.closed(4):
            failures.append(f"{name}: the connection stays open")
        if b"smuggled" in reader.data:
            failures.append(f"{name}: what followed was taken for a request")
        sock.close()


class Checks:
    """One method per behaviour; each raises AssertionError."""

    def __init__(self, server, backend):
        self.server, self.backend = server, backend

    def pipelined_requests_are_answered_in_order(self):
        sock = self.server.connect()
        sock.sendall(b"".join(get(f"/echo/{i}") for i in range(10)))
        reader = Reader(sock)
        for i in range(10):
            answer = reader.answer()
            assert json.loads(answer.body)["values"]["text"] == str(i), answer
        sock.close()

    def pipelined_requests_to_the_pool_keep_their_order(self):
        sock = self.server.connect()
        paths = ["/sleep/60", "/echo/a", "/later/30", "/pool", "/big/300000", "/echo/b"]
        sock.sendall(b"".join(get(path) for path in paths))
        reader = Reader(sock)
        bodies = [reader.answer().body for _ in paths]
        assert bodies[0] == b"slept" and b'"a"' in bodies[1] and bodies[2] == b"later"
        assert len(bodies[3]) == 600 and len(bodies[4]) == 300000 and b'"b"' in bodies[5]
        sock.close()

    def a_request_byte_by_byte_is_understood(self):
        for raw in (post("/echo", b"hello"), b"POST /echo HTTP/1.1\r\n" + H
                    + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                    b"POST /echo HTTP/1.1\r\n" + H
                    + b"Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\r\n"):
            sock = self.server.connect()
            for byte in raw:
                sock.sendall(bytes([byte]))
            answer = Reader(sock).answer()
            assert answer.status == 200, answer
            sock.close()

    def a_connection_is_kept_until_told(self):
        sock = self.server.connect()
        reader = Reader(sock)
        for _ in range(5):
            sock.sendall(get("/x"))
            assert reader.answer().status == 200
        sock.sendall(get("/x", "Connection: close\r\n"))
        answer = reader.answer()
        if self.backend == "builtin":  # Crow says Keep-Alive, and closes
            assert answer.headers["connection"] == "close", answer
        assert reader.closed(4)
        sock.close()

    def a_body_over_the_limit_is_refused(self):
        body = b"a" * 2000000
        assert ask(self.server, post("/echo", body)).status == 413
        chunked = b"POST /echo HTTP/1.1\r\n" + H + b"Transfer-Encoding: chunked\r\n\r\n"
        chunk = b"1000\r\n" + b"a" * 4096 + b"\r\n"
        assert ask(self.server, chunked + chunk * 400 + b"0\r\n\r\n").status == 413

    def head_is_get_without_a_body(self):
        answer = ask(self.server, b"HEAD /x HTTP/1.1\r\n" + H + b"\r\n", head=True)
        assert answer.status == 200 and answer.headers["content-length"] == "600", answer

    def allow_lists_the_methods(self):
        answer = ask(self.server, b"DELETE /x HTTP/1.1\r\n" + H + b"\r\n")
        allow = {word.strip() for word in answer.headers["allow"].split(",")}
        assert allow == {"OPTIONS", "GET", "HEAD", "POST"}, allow

    def continue_is_sent_before_the_body(self):
        sock = self.server.connect()
        sock.sendall(b"POST /echo HTTP/1.1\r\n" + H
                     + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        reader = Reader(sock)
        assert reader.answer().status == 100
        sock.sendall(b"hello")
        assert reader.answer().status == 200
        sock.close()

    def large_text_is_compressed_where_accepted(self):
        plain = ask(self.server, get("/text/50000"))
        packed = ask(self.server, get("/text/50000", "Accept-Encoding: br, gzip;q=0.5\r\n"))
        refused = ask(self.server, get("/text/50000", "Accept-Encoding: gzip;q=0\r\n"))
        large = ask(self.server, get("/text/500000", "Accept-Encoding: gzip\r\n"))
        assert "content-encoding" not in plain.headers and plain.headers["vary"]
        assert packed.headers["content-encoding"] == "gzip" and packed.headers["vary"]
        assert packed.headers["etag"] == 'W/"v1"' and plain.headers["etag"] == '"v1"'
        assert gzip.decompress(packed.body) == plain.body
        assert len(gzip.decompress(large.body)) == 500000
        assert "content-encoding" not in refused.headers and refused.body == plain.body
        small = ask(self.server, get("/text/100", "Accept-Encoding: gzip\r\n"))
        assert "content-encoding" not in small.headers

    def every_answer_has_an_id(self):
        ids = {ask(self.server, get("/x")).headers["x-request-id"] for _ in range(5)}
        assert len(ids) == 5

    def large_answers_arrive_whole(self):
        answer = ask(self.server, get("/big/8000000"))
        assert len(answer.body) == 8000000 and answer.body.endswith(b'"}')

    def a_stream_delivers_events_and_ends(self):
        sock = self.server.connect()
        sock.sendall(get("/stream"))
        reader = Reader(sock)
        if self.backend == "crow":
            answer = reader.answer()
            assert answer.status == 501 and json.loads(answer.body)["code"] == "no_streams"
            return
        assert b"text/event-stream" in reader.until(b"\r\n\r\n")
        for _ in range(3):
            assert ask(self.server, post("/tick/1/10")).status == 204
        while b"id: 3\n" not in reader.data:
            assert reader.more()
        assert ask(self.server, post("/end")).status == 204
        while not reader.data.endswith(b"0\r\n\r\n"):
            assert reader.more()
        reader.data = b""
        sock.sendall(get("/x"))  # the connection goes on
        assert reader.answer().status == 200
        sock.close()


def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    listed = subprocess.run([program, "--list"], capture_output=True, check=True, text=True)
    failures = []
    for backend in wanted or listed.stdout.split():
        found = []
        with Server(program, backend, workers=4) as server:
            check_rows(server, backend, found)
            if backend == "builtin":
                check_refused_are_closed(server, found)
            checks = Checks(server, backend)
            names = [name for name in dir(Checks) if not name.startswith("_")]
            for name in names:
                try:
                    getattr(checks, name)()
                except (AssertionError, AttributeError, KeyError, OSError) as error:
                    found.append(f"{name}: {type(error).__name__} {error}")
            seconds, code = server.terminate()
            if code != 0 or seconds > 5:
                found.append(f"ended with {code} after {seconds:.1f} s")
        count = len(REFUSED) + len(ANSWERED) + len(names)
        print(f"{backend}: {count} checks, {len(found)} failures")
        failures += [f"{backend}: {line}" for line in found]
    for line in failures:
        print(line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
