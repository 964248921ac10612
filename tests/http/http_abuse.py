"""The built-in server under clients that mean it no good, or are merely very many.

    http_abuse.py TEST_SERVER [--scale PERCENT]

Every check runs on loopback against a server process of its own with deadlines of one or two
seconds, and also shows that a well-behaved client is served meanwhile. --scale shrinks the numbers
of connections, for builds that are slowed down by a sanitizer, and leaves out the memory limits,
which hold only without one.
"""

import json
import os
import resource
import select
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from http_client import Reader, Server, ask, get, post

SCALE = 100


def scaled(number):
    return max(10, number * SCALE // 100)


def served_quickly(server, seconds=1.0):
    start = time.monotonic()
    answer = ask(server, get("/x"))
    assert answer is not None and answer != "timeout" and answer.status == 200, answer
    took = time.monotonic() - start
    assert took < seconds, f"a good client waited {took:.2f} s"


def wait_closed(socks, seconds):
    """How many of them the server closes within that time. What it says before is thrown away."""
    open_socks, end = {sock.fileno(): sock for sock in socks}, time.monotonic() + seconds
    poll = select.poll()
    for fd in open_socks:
        poll.register(fd, select.POLLIN)
    closed = 0
    while open_socks and time.monotonic() < end:
        for fd, _ in poll.poll(100):
            try:
                data = open_socks[fd].recv(65536)
            except ConnectionError:
                data = b""
            if not data:
                poll.unregister(fd)
                open_socks.pop(fd)
                closed += 1
    return closed


def wait_cut(server, count, seconds=12):
    """Waits until the server has cut that many for missing a deadline."""
    end = time.monotonic() + seconds
    while server.counts()["cut"] < count and time.monotonic() < end:
        time.sleep(0.2)
    cut = server.counts()["cut"]
    assert cut == count, f"{cut} of {count} slow clients were cut"


def close_all(socks):
    for sock in socks:
        sock.close()


def idle_connections(program):
    count = scaled(10000)
    with Server(program, "builtin", idle=6) as server:
        served_quickly(server)
        before = server.memory()
        start = time.monotonic()
        socks = [server.connect() for _ in range(count)]
        took = time.monotonic() - start
        assert took < 5.5, f"opening {count} connections took {took:.1f} s"
        served_quickly(server)
        each = (server.memory() - before) / count
        if SCALE == 100:
            assert each <= 8192, f"{each:.0f} bytes per idle connection"
        closed = wait_closed(socks, 10)
        assert closed == count, f"only {closed} of {count} idle connections were closed"
        served_quickly(server)
        close_all(socks)
        return f"{count} connections, {each:.0f} bytes each"


def trickle(socks, byte, seconds):
    """One byte per half second on each; ends early when all are closed."""
    end = time.monotonic() + seconds
    left = list(socks)
    while left and time.monotonic() < end:
        for sock in list(left):
            try:
                sock.sendall(byte)
            except OSError:
                left.remove(sock)
        time.sleep(0.5)
    return len(left)


def slow_headers(program):
    with Server(program, "builtin", deadline=2) as server:
        socks = [server.connect() for _ in range(200)]
        for sock in socks:
            sock.sendall(b"GET /x HTTP/1.1\r\nHost: test\r\nX-Slow: ")
        served_quickly(server)
        left = trickle(socks, b"a", 8)
        assert left == 0, f"{left} of 200 slow clients were not cut"
        wait_cut(server, 200)
        close_all(socks)


def slow_bodies(program):
    with Server(program, "builtin", deadline=2) as server:
        socks = [server.connect() for _ in range(100)]
        for i, sock in enumerate(socks):
            chunked = b"Transfer-Encoding: chunked\r\n\r\nfff\r\n"
            sock.sendall(b"POST /echo HTTP/1.1\r\nHost: test\r\n"
                         + (chunked if i % 2 else b"Content-Length: 1000\r\n\r\n"))
        served_quickly(server)
        left = trickle(socks, b"a", 8)
        assert left == 0, f"{left} of 100 slow clients were not cut"
        close_all(socks)


def slow_client_is_told_why(program):
    with Server(program, "builtin", deadline=1) as server:
        sock = server.connect()
        sock.sendall(b"GET /x HTT")
        answer = Reader(sock).answer()
        assert answer.status == 408 and json.loads(answer.body)["code"] == "too_slow", answer
        sock.close()


def a_large_upload_may_take_its_time(program):
    """Deadlines grow with what has arrived, so an honest slow line is not cut."""
    with Server(program, "builtin", deadline=1) as server:
        body = b"a" * 400000
        sock = server.connect()
        sock.sendall(post("/echo", body)[:-len(body)])
        for i in range(0, len(body), 50000):
            sock.sendall(body[i:i + 50000])
            time.sleep(0.4)
        assert Reader(sock).answer().status == 200
        sock.close()


def slow_readers(program):
    with Server(program, "builtin", deadline=2) as server:
        socks = [server.connect(receive_buffer=4096) for _ in range(8)]
        for sock in socks:
            sock.sendall(get("/big/8000000"))
        time.sleep(0.3)
        for _ in range(5):
            served_quickly(server)
        wait_cut(server, 8)
        close_all(socks)


def slow_stream_readers(program):
    with Server(program, "builtin", deadline=2, io=2) as server:
        slow = [server.connect(receive_buffer=4096) for _ in range(20)]
        good = server.connect()
        for sock in slow + [good]:
            sock.sendall(get("/stream"))
        reader = Reader(good)
        reader.until(b"\r\n\r\n")
        before = server.memory()
        assert ask(server, post("/tick/5000/4000")).status == 204
        events, data = 0, b""
        while events < 5000:
            assert reader.more()
            data, reader.data = data[-20:] + reader.data, b""
            events += data.count(b"event: tick\n") - data[:20].count(b"event: tick\n")
        # The events themselves are held once, 20 MB; each slow reader has a small buffer.
        grown = server.memory() - before
        assert grown < 60e6 or SCALE < 100, f"memory grew by {grown / 1e6:.0f} MB"
        wait_cut(server, 20)
        assert server.counts()["streams"] == 1, "a slow reader kept its stream"
        close_all(slow + [good])


def many_streams(program):
    count = scaled(1000)
    with Server(program, "builtin", io=2) as server:
        socks = [server.connect() for _ in range(count)]
        for sock in socks:
            sock.sendall(get("/stream"))
        for sock in socks:
            assert Reader(sock).until(b"\r\n\r\n")
        served_quickly(server)
        start = time.monotonic()
        assert ask(server, post("/tick/10/100")).status == 204
        data = {sock.fileno(): b"" for sock in socks}
        by_fd = {sock.fileno(): sock for sock in socks}
        poll = select.poll()
        for fd in by_fd:
            poll.register(fd, select.POLLIN)
        while by_fd and time.monotonic() < start + 10:
            for fd, _ in poll.poll(1000):
                data[fd] += by_fd[fd].recv(65536)
                if b"id: 10\n" in data[fd] and data[fd].endswith(b"\n\n\r\n"):
                    poll.unregister(fd)
                    by_fd.pop(fd)
        took = time.monotonic() - start
        assert not by_fd, f"{len(by_fd)} streams missed events"
        assert all(text.count(b"event: tick") == 10 for text in data.values())
        seconds, code = server.terminate()
        assert code == 0 and seconds < 4, f"ended with {code} after {seconds:.1f} s"
        ends = sum(sock.recv(65536).endswith(b"0\r\n\r\n") for sock in socks)
        assert ends == count, f"only {ends} of {count} streams were ended properly"
        close_all(socks)
        return f"{count} streams, 10 events each in {took:.2f} s"


def heartbeats(program):
    with Server(program, "builtin", heartbeat=1) as server:
        sock = server.connect()
        sock.sendall(get("/stream"))
        reader = Reader(sock)
        reader.until(b"\r\n\r\n")
        assert reader.until(b"3\r\n:\n\n\r\n") == b""
        assert reader.until(b"3\r\n:\n\n\r\n") == b""
        sock.close()


def streams_that_leave(program):
    with Server(program, "builtin") as server:
        for _ in range(50):
            sock = server.connect()
            sock.sendall(get("/stream"))
            Reader(sock).until(b"\r\n\r\n")
            sock.close()
        time.sleep(0.3)
        assert server.counts()["streams"] == 0, server.counts()
        assert ask(server, post("/tick/5/10")).status == 204
        served_quickly(server)


def too_many_connections(program):
    with Server(program, "builtin", connections=50) as server:
        socks = [server.connect() for _ in range(50)]
        for sock in socks:
            sock.sendall(get("/x"))
            assert Reader(sock).answer().status == 200
        answer = ask(server, get("/x"))
        assert answer.status == 503 and answer.headers["retry-after"] == "5", answer
        close_all(socks)
        time.sleep(0.3)
        served_quickly(server)


def full_queue(program):
    with Server(program, "builtin", workers=1, queued=5) as server:
        socks = [server.connect() for _ in range(30)]
        for sock in socks:
            sock.sendall(get("/sleep/100"))
        statuses = [Reader(sock).answer().status for sock in socks]
        assert 5 <= statuses.count(200) <= 7, statuses
        assert statuses.count(200) + statuses.count(503) == 30, statuses
        served_quickly(server)
        close_all(socks)


def deep_pipelining(program):
    """The server takes no more than it can answer, so the client's own sending stalls."""
    with Server(program, "builtin") as server:
        sock = server.connect()
        count = 20000
        sender = threading.Thread(target=sock.sendall, args=(get("/x") * count,))
        sender.start()
        before = server.memory()
        time.sleep(0.5)
        grown = server.memory() - before
        assert grown < 8e6 or SCALE < 100, f"memory grew by {grown / 1e6:.0f} MB"
        reader = Reader(sock)
        for _ in range(count):
            assert reader.answer().status == 200
        sender.join()
        sock.close()


def oversized(program):
    with Server(program, "builtin") as server:
        before = server.memory()
        for raw in (b"POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 300000000\r\n\r\n",
                    b"POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n",
                    b"GET /x HTTP/1.1\r\nHost: test\r\nX-Long: "):
            sock = server.connect()
            sent = 0
            try:
                sock.sendall(raw)
                chunk = b"10000\r\n" + b"a" * 65536 + b"\r\n"
                while sent < 20e6:
                    sock.sendall(chunk)
                    sent += len(chunk)
            except OSError:
                pass
            assert sent < 20e6, "the server went on reading"
            sock.close()
        grown = server.memory() - before
        assert grown < 16e6 or SCALE < 100, f"memory grew by {grown / 1e6:.0f} MB"
        served_quickly(server)


def random_bytes(program):
    """Whatever comes, the server stays up: mutated requests from a fixed seed."""
    import random
    rng = random.Random(20260601)
    seeds = [get("/echo/a?a=1"), post("/echo", b"hello"),
             b"POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
             b"5;a=b\r\nhello\r\n0\r\nA: b\r\n\r\n"]
    with Server(program, "builtin") as server:
        for _ in range(scaled(1500)):
            raw = bytearray(rng.choice(seeds) * rng.randint(1, 2))
            for _ in range(rng.randint(1, 6)):
                at = rng.randrange(len(raw))
                kind = rng.randrange(3)
                if kind == 0:
                    raw[at] = rng.randrange(256)
                elif kind == 1:
                    del raw[at:at + rng.randint(1, 8)]
                else:
                    raw[at:at] = rng.choice([b"\r\n", b"\0", b":", b" ", b"0", b"\r", b"\n", b"%"])
                if not raw:
                    raw = bytearray(b"x")
            sock = server.connect()
            try:
                cut = rng.randrange(len(raw) + 1)
                sock.sendall(raw[:cut])
                sock.sendall(raw[cut:])
            except OSError:
                pass
            sock.close()
        served_quickly(server)
        seconds, code = server.terminate()
        assert code == 0, f"ended with {code} after {seconds:.1f} s"


def drain(program):
    with Server(program, "builtin", workers=4, io=2) as server:
        idle = server.connect()
        idle.sendall(get("/x"))
        Reader(idle).answer()
        running = [server.connect() for _ in range(4)]
        for i, sock in enumerate(running):
            sock.sendall(get("/sleep/1500" if i % 2 else "/later/1500"))
        stream = server.connect()
        stream.sendall(get("/stream"))
        Reader(stream).until(b"\r\n\r\n")
        time.sleep(0.3)
        seconds, code = server.terminate()
        assert code == 0 and 1.0 < seconds < 4, f"ended with {code} after {seconds:.1f} s"
        for sock in running:
            answer = Reader(sock).answer()
            assert answer is not None and answer.status == 200, answer
            assert answer.headers["connection"] == "close", answer
        assert Reader(stream).until(b"0\r\n\r\n") == b""
        assert Reader(idle).closed(1)
        try:
            server.connect(1).close()
            raise AssertionError("it still listens")
        except ConnectionRefusedError:
            pass
        close_all(running + [idle, stream])


def drain_has_an_end(program):
    with Server(program, "builtin", grace=500) as server:
        sock = server.connect()
        sock.sendall(get("/later/60000"))
        time.sleep(0.2)
        seconds, code = server.terminate()
        assert code == 0 and seconds < 3, f"ended with {code} after {seconds:.1f} s"
        sock.close()


def behind_a_proxy(program):
    with Server(program, "builtin", proxy=1) as server:
        answer = ask(server, get("/echo/a", "X-Forwarded-For: 6.6.6.6, 192.0.2.7\r\n"
                                            "X-Request-Id: abc-1\r\n"))
        assert json.loads(answer.body)["peer"] == "192.0.2.7", answer
        assert answer.headers["x-request-id"] == "abc-1", answer
        answer = ask(server, get("/echo/a", "X-Forwarded-For: nonsense\r\n"))
        assert json.loads(answer.body)["peer"] == "127.0.0.1", answer
    with Server(program, "builtin") as server:
        answer = ask(server, get("/echo/a", "X-Forwarded-For: 6.6.6.6\r\n"))
        assert json.loads(answer.body)["peer"] == "127.0.0.1", answer


def tls(program):
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "cert.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out",
                        certificate, "-days", "2", "-subj", "/CN=localhost"],
                       check=True, capture_output=True)
        context = ssl.create_default_context(cafile=certificate)
        with Server(program, "builtin", cert=certificate, key=key, deadline=2) as server:
            def connect():
                return context.wrap_socket(server.connect(), server_hostname="localhost")
            sock = connect()
            reader = Reader(sock)
            for raw, size in ((get("/x"), 600), (get("/big/5000000"), 5000000)):
                sock.sendall(raw)
                answer = reader.answer()
                assert answer.status == 200 and len(answer.body) == size
            sock.sendall(post("/large", b"a" * 3000000))
            assert json.loads(reader.answer().body)["body_bytes"] == 3000000
            sock.sendall(get("/x") * 50)
            assert all(reader.answer().status == 200 for _ in range(50))
            stream = connect()
            stream.sendall(get("/stream"))
            events = Reader(stream)
            sock.sendall(post("/tick/3/10"))
            assert reader.answer().status == 204
            assert events.until(b"id: 3\n") is not None
            plain = server.connect()
            plain.sendall(get("/x"))
            silent = server.connect()
            assert wait_closed([plain, silent], 5) == 2, "not TLS, but not closed"
            close_all([sock, stream, plain, silent])
            seconds, code = server.terminate()
            assert code == 0, f"ended with {code} after {seconds:.1f} s"


CHECKS = [idle_connections, slow_headers, slow_bodies, slow_client_is_told_why,
          a_large_upload_may_take_its_time, slow_readers, slow_stream_readers, many_streams,
          heartbeats, streams_that_leave, too_many_connections, full_queue, deep_pipelining,
          oversized, random_bytes, drain, drain_has_an_end, behind_a_proxy, tls]


def main():
    global SCALE
    program = sys.argv[1]
    if "--scale" in sys.argv:
        SCALE = int(sys.argv[sys.argv.index("--scale") + 1])
    only = [name for name in sys.argv[2:] if not name.startswith("--") and not name.isdigit()]
    # The child inherits it: both ends need a descriptor per connection.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < 10500:
        SCALE = min(SCALE, max(1, hard // 110))
        print(f"only {hard} open files are allowed: running at {SCALE} % of the connections")
    failed = 0
    for check in CHECKS:
        if only and check.__name__ not in only:
            continue
        start = time.monotonic()
        try:
            note = check(program) or ""
            verdict = "ok"
        except (AssertionError, AttributeError, OSError, KeyError, ValueError) as error:
            note, verdict, failed = f"{type(error).__name__} {error}", "FAILED", failed + 1
        print(f"{verdict:6} {check.__name__} ({time.monotonic() - start:.1f} s) {note}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
