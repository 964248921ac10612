#!/usr/bin/env python3
"""What a request costs the server, beside the least it could cost.

    bench_http.py FLOOR TEST_SERVER [--rounds N] [--seconds S] [--instructions]

Runs the bare epoll loop (FLOOR) and every compiled back end of TEST_SERVER in turn under wrk, in
short interleaved rounds so that a disturbed machine disturbs all alike, and prints the medians:
requests per second, latency, server CPU per request and its ratio to the floor. One I/O thread
each. CPU per request is the fair column; requests per second are often wrk's own limit. Then the
CPU cost of one event delivered to one of 500 live streams. --instructions counts user-space
instructions per request under callgrind instead: slow, but free of noise, so CI can hold on to it
(--instructions-max).
"""

import argparse
import json
import os
import re
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

TICK = os.sysconf("SC_CLK_TCK")
CASES = (("GET", 32), ("GET", 256), ("POST", 32), ("POST", 256))
POST_SCRIPT = """
wrk.method = "POST"
wrk.body = string.rep("a", 500)
wrk.headers["Content-Type"] = "application/json"
"""


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def stolen_share(before, after):
    delta = [b - a for a, b in zip(before, after)]
    return delta[7] / max(1, sum(delta))


def machine_cpu():
    with open("/proc/stat", encoding="ascii") as file:
        return [int(word) for word in file.readline().split()[1:9]]


def micros(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


def run_wrk(server, path, connections, seconds, script):
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency"]
    if script:
        command += ["-s", script]
    machine, cpu = machine_cpu(), server.cpu_seconds()
    text = subprocess.run(command + [f"http://127.0.0.1:{server.port}{path}"], check=True,
                          capture_output=True, text=True).stdout
    count = int(re.search(r"(\d+) requests in", text).group(1))
    if "Non-2xx" in text:
        sys.exit(f"wrong answers:\n{text}")
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
        "cpu_us": (server.cpu_seconds() - cpu) * 1e6 / count,
        "p50_us": micros(re.search(r"^\s+50%\s+(\S+)", text, re.M).group(1)),
        "p99_us": micros(re.search(r"^\s+99%\s+(\S+)", text, re.M).group(1)),
        "rss_mb": server.memory() / 1e6,
        "stolen": stolen_share(machine, machine_cpu()),
    }


def commands(options):
    listed = subprocess.run([options.server, "--list"], capture_output=True, text=True, check=True)
    found = {"epoll": ([options.floor], "/x")}
    for name in listed.stdout.split():
        command = [options.server, "--http", name, "--io", "1", "--workers", "1"]
        found[name] = (command, "/x")
        if name == "builtin":
            found["builtin+pool"] = (command, "/pool")
    return found


def bench_requests(options):
    results = {}
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(POST_SCRIPT)
        script.flush()
        for _ in range(options.rounds):
            for name, (command, path) in commands(options).items():
                with Server(command) as server:
                    for kind, connections in CASES:
                        if kind == "POST" and path == "/pool":
                            continue
                        lua = script.name if kind == "POST" else None
                        run = run_wrk(server, path, connections, options.seconds, lua)
                        results.setdefault((kind, connections), {}).setdefault(name, []).append(run)
    report = {}
    for (kind, connections), by_name in results.items():
        print(f"\n{kind}, {connections} connections (medians of {options.rounds} rounds of "
              f"{options.seconds} s)")
        print(f"{'server':14}{'req/s':>10}{'p50 us':>9}{'p99 us':>9}{'CPU us/req':>12}"
              f"{'x floor':>9}{'RSS MB':>8}{'stolen':>8}")
        medians = {name: {key: statistics.median(run[key] for run in runs) for key in runs[0]}
                   for name, runs in by_name.items()}
        for name, run in medians.items():
            run["ratio"] = run["cpu_us"] / medians["epoll"]["cpu_us"]
            print(f"{name:14}{run['rate']:10.0f}{run['p50_us']:9.0f}{run['p99_us']:9.0f}"
                  f"{run['cpu_us']:12.2f}{run['ratio']:9.2f}{run['rss_mb']:8.1f}"
                  f"{run['stolen']:8.1%}")
        report[f"{kind} {connections}"] = medians
    return report


def bench_streams(options, streams=500, events=2000):
    server = Server([options.server, "--http", "builtin"])
    poll, by_fd = select.poll(), {}
    for _ in range(streams):
        sock = socket.create_connection(("127.0.0.1", server.port))
        sock.sendall(b"GET /stream HTTP/1.1\r\nHost: bench\r\n\r\n")
        by_fd[sock.fileno()] = sock
        poll.register(sock.fileno(), select.POLLIN)
    time.sleep(0.5)
    producer = socket.create_connection(("127.0.0.1", server.port))
    cpu, start, received = server.cpu_seconds(), time.monotonic(), 0
    producer.sendall(f"POST /tick/{events}/200 HTTP/1.1\r\nHost: bench\r\n"
                     "Content-Length: 0\r\n\r\n".encode())
    while received < streams * events * 200 and time.monotonic() < start + 60:
        for fd, _ in poll.poll(1000):
            received += by_fd[fd].recv(1 << 20).count(b"x")
    took, cpu = time.monotonic() - start, server.cpu_seconds() - cpu
    server.stop()
    print(f"\n{streams} streams, {events} events of 200 bytes each: {took:.2f} s, "
          f"{cpu * 1e6 / (streams * events):.2f} us of server CPU per delivered event")
    return {"cpu_us_per_delivery": cpu * 1e6 / (streams * events)}


def serial_requests(port, raw, count):
    sock = socket.create_connection(("127.0.0.1", port))
    for _ in range(count):
        sock.sendall(raw)
        size = 0
        while size < 600:
            data = sock.recv(65536)
            head = data.find(b"\r\n\r\n")
            size += len(data) - (head + 4 if head >= 0 else 0)
    sock.close()


def count_instructions(options):
    requests = {
        "GET": b"GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "POST": b"POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n" + b"a" * 500,
    }
    worst = 0
    for name, (command, path) in commands(options).items():
        if path != "/x" or name == "epoll":
            continue
        for kind, raw in requests.items():
            totals = []
            for count in (500, 2500):
                with tempfile.NamedTemporaryFile() as out:
                    server = Server(["valgrind", "-q", "--tool=callgrind",
                                     f"--callgrind-out-file={out.name}"] + command)
                    serial_requests(server.port, raw, count)
                    server.stop()
                    text = open(out.name, encoding="ascii").read()
                totals.append(int(re.search(r"^(?:summary|totals): (\d+)", text, re.M).group(1)))
            each = (totals[1] - totals[0]) / 2000
            print(f"{name:14}{kind:5}{each:9.0f} instructions per request")
            if name == "builtin":
                worst = max(worst, each)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("floor")
    parser.add_argument("server")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--instructions-max", type=int, default=15000)
    parser.add_argument("--json", help="write the results here too")
    options = parser.parse_args()
    if options.instructions:
        return 1 if count_instructions(options) > options.instructions_max else 0
    if not shutil.which("wrk"):
        sys.exit("wrk is needed (Debian package wrk)")
    report = {"requests": bench_requests(options), "streams": bench_streams(options)}
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
