#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""servers.py [--kind memory|errors|short] [--every N] [--jobs N] BUILD [PATTERN ...]

Runs tma serve on a simulated machine many times, until it answers or ends; and runs tma fleet,
which asks a server (tests/fleet/fake.py). Each run has another fault of a KIND: an allocation fails
(memory.c), or a system call of one of the processes fails or does less than it was asked to (strace
--inject, with the faults of calls.py). A run is right in one of these ways:

* served: /metrics has a complete answer, and SIGTERM ends the server with status 0;
* told: there is no answer, and a line on stderr says why; SIGTERM ends the server;
* refused: the server has ended with status 125, or with 129 because of a file of --web-config, and
  a line on stderr says why.

tma fleet has "served" if it prints the same as without a fault.

A failure is a crash, also of the measurement; a process that does not end or is left running; and a
fault without a message. --every N tries each Nth case, and PATTERNs choose commands by name. Prints
a table. The exit status is 1 if a run was wrong.
"""
import argparse
import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import calls
import commands
import memory

MACHINE = "sapphirerapids"
WAIT_S = 60
TELL_S = 8  # after this, a server that does not serve must have reported why
MOST = 8    # numbers of one call that are tried with one fault
SHOWN = 8
# Messages of libgnutls about its own initialisation are ignored here.
USUAL = re.compile(rb"^(tma: (serving |simulated machine .* synthetic$|warning: )|"
                   rb"Error in GnuTLS init).*\n", re.M)
# Reasons for which a library has to end the process: no memory for a variable of a thread, and a
# kernel that does not close a descriptor (which real kernels always do).
OF_LIBRARIES = re.compile(rb"^cannot allocate memory for thread-local data: ABORT$|"
                          rb"^Fatal error in GNU libmicrohttpd .*Failed to remove FD from epoll",
                          re.M)
CRASH = re.compile(rb"killed by signal (4|6|7|8|11)\b")

WEB_CONFIG = ("basic_auth_users:\n"
              "  other: $2y$05$HM3uGUkYY09PebYFdS2CmOb4IRFImfrcBVeZ6Lu7uV6qbY2HOpplm\n")
USER = b"Authorization: Basic b3RoZXI6c2Vjb25k\r\n"  # other:second

COMMANDS = {
    "serve": [],
    "serve --web-config": ["--web-config", "@WEB"],
    "serve --top-cgroups": ["--top-cgroups", "2", "--td-level", "2"],
    "fleet": ["--by", "instance", "--token-file", "@WEB"],
}
# Calls of the loader and the simulator, which calls.py tries with other commands.
OWN_CALLS = tuple("""
accept4 bind clone close_range connect epoll_create1 epoll_ctl fcntl flock ftruncate getdents64
getsockname getsockopt ioctl listen madvise memfd_create mmap newfstatat openat perf_event_open
poll ppoll prctl pread64 prlimit64 read recvfrom sendmsg sendto setpgid setsockopt shutdown
signalfd4 socket unlink wait4 write writev eventfd2
""".split())
MORE_FAULTS = {
    "accept4": ["error=EMFILE", "error=ECONNABORTED"], "bind": ["error=EADDRINUSE"],
    "close_range": ["error=ENOSYS"], "epoll_ctl": ["error=ENOSPC"],
    "flock": ["error=EAGAIN", "error=ENOLCK"],
    "getsockname": ["error=ENOBUFS"], "getsockopt": ["error=ENOBUFS"],
    "listen": ["error=EADDRINUSE"], "madvise": ["error=EINVAL"], "mmap": ["error=ENOMEM"],
    "prctl": ["error=EINVAL"], "sendmsg": ["error=EPIPE", "error=EAGAIN"],
    "setpgid": ["error=EPERM"], "setsockopt": ["error=ENOPROTOOPT"], "socket": ["error=EMFILE"],
}


class Host:
    """The build, a tree of cgroups, and how a server is run."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.dir = tempfile.mkdtemp(prefix="tma-serve.")
        self.web = os.path.join(self.dir, "web.yml")
        with open(self.web, "w", encoding="ascii") as file:
            file.write(WEB_CONFIG)
        for name in "a", "b":
            os.makedirs(f"{self.dir}/cg/{name}")
            with open(f"{self.dir}/cg/{name}/cpu.stat", "w", encoding="ascii") as file:
                file.write("usage_usec 1000\n")
        os.makedirs(self.dir + "/proc")
        with open(self.dir + "/proc/mounts", "w", encoding="ascii") as file:
            file.write(f"cgroup2 {self.dir}/cg cgroup2 rw 0 0\n")

        # The requests of fleet.
        self.fake = subprocess.Popen([sys.executable, "-B", "tests/fleet/fake.py",
                                      self.dir + "/port", "/dev/null"],
                                     stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(self.dir + "/port"):
            time.sleep(0.02)
        with open(self.dir + "/port", encoding="ascii") as file:
            self.url = f"http://127.0.0.1:{file.read().strip()}/good"
        self.whole = None

    def close(self):
        self.fake.kill()
        self.fake.wait()
        shutil.rmtree(self.dir)

    def start(self, name, path, log, before=(), shim=False, **variables):
        env = commands.environment(self.build, MACHINE,
                                   [self.build + "/tests/fault/memory.so"] if shim else [])
        # Rows come while clients wait for them.
        del env["TMA_SIM_STEP"]
        if "cgroups" in name:
            env["PROCFS_PATH"] = self.dir + "/proc"
        env.update(variables)
        more = [word.replace("@WEB", self.web) for word in COMMANDS[name]]
        words = list(before)
        # The library is preloaded only for tma.
        if before:
            words += ["-E", "LD_PRELOAD=" + env.pop("LD_PRELOAD")]
        words += [self.build + "/tma", name.split()[0]]
        words += ["--prometheus", self.url] if name == "fleet" else \
            ["--listen", "unix:" + path, "-I", "50"]
        return subprocess.Popen([*words, *more], env=env, stdin=subprocess.DEVNULL, stdout=log,
                                stderr=log, start_new_session=True)


def ask(path):
    """An answer's bytes, or nothing."""
    got = b""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as s:
        s.settimeout(2)
        s.connect(path)
        s.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + USER + b"\r\n")
        while part := s.recv(65536):
            got += part
    return got


def is_whole(answer):
    head, _, text = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    return head.startswith(b"HTTP/1.1 200") and length and int(length[1]) == len(text) and \
        b"\ntma_slots_total{" in text and text.endswith(b"\n")


def end(process, tma):
    """Return: the status of a server after SIGTERM; None if the server does not end."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(tma, signal.SIGTERM)
    try:
        return process.wait(WAIT_S)
    except subprocess.TimeoutExpired:
        return None


def find_server(process, strace):
    """Return: the process id of the server, which may be a child of strace."""
    if not strace:
        return process.pid
    with contextlib.suppress(OSError):
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            return int((file.read().split() or [process.pid])[0])
    return process.pid


def judge(process, path, log_path, strace):
    """Return: how a run ended: one of the words, or a description of the fault."""
    begun, served = time.monotonic(), False
    while not served and process.poll() is None and time.monotonic() < begun + WAIT_S:
        with open(log_path, "rb") as log:
            said = USUAL.sub(b"", log.read())
        if said and time.monotonic() > begun + TELL_S:
            break
        served = is_whole(ask(path))
        time.sleep(0.02)
    status = process.poll()
    if status is None:
        status = end(process, find_server(process, strace))
        how = "served" if served else "told"
    else:
        how = "refused"
    left = status is None or calls.runs_in(process.pid)
    with open(log_path, "rb") as log:
        said = USUAL.sub(b"", log.read())
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if OF_LIBRARIES.search(said) and not left:
        return "refused"
    if left:
        return f"it does not end, or leaves a process behind; it said {said[-160:]!r}"
    if status < 0 or CRASH.search(said):
        return f"status {status}; it said {said[-160:]!r}"
    if how == "served":
        return how if not status else f"served, and status {status}; it said {said[-160:]!r}"
    if how == "refused" and status not in (125, 129):
        return f"status {status}; it said {said[-160:]!r}"
    return how if said.strip() else f"{how}, with status {status} and no word"


def lacks_one(whole, text):
    at = len(os.path.commonprefix([whole, text]))
    return whole[at + 1:] == text[at:]


def judge_fleet(host, process, log_path):
    try:
        status = process.wait(WAIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return "it does not end"
    with open(log_path, "rb") as log:
        said = USUAL.sub(b"", log.read())
    host.whole = host.whole or said
    # If strace lets a write return 1, nothing was written: a byte is lost.
    if not status and (said == host.whole or lacks_one(host.whole, said)):
        return "served"
    # If a library cannot allocate its memory for a thread, the C library ends the program.
    said_why = status == 125 and said.strip() or OF_LIBRARIES.search(said)
    return "refused" if said_why else f"status {status}; it said {said[-160:]!r}"


def judge_any(host, name, process, directory, strace):
    if name == "fleet":
        return judge_fleet(host, process, directory + "/log")
    return judge(process, directory + "/sock", directory + "/log", strace)


def find_calls(host, name):
    """The numbers of each call of the busier process, from the end of the loader until it serves."""
    trace, path = host.dir + "/trace", host.dir + "/sock"
    with open(host.dir + "/log", "wb") as log:
        process = host.start(name, path, log, ["strace", "-f", "-qq", "-o", trace])
    how = judge_any(host, name, process, host.dir, True)
    if how != "served":
        raise SystemExit(f"{name} without a fault: {how}")
    with open(trace, encoding="utf-8", errors="replace") as file:
        text = file.read()
    loaded = text[:text.index("munmap(")]
    before = Counter(re.findall(r"(?m)^\d+ +(\w+)\(", loaded))
    most = Counter()
    for (_, call), number in Counter(re.findall(r"(?m)^(\d+) +(\w+)\(", text)).items():
        most[call] = max(most[call], number)
    return {call: range(before[call] + 1, number + 1) for call, number in most.items()}


def cases_of_calls(host, name, kind):
    faults = {**calls.FAULTS, **MORE_FAULTS} if kind == "errors" else calls.SHORT
    for call, numbers in sorted(find_calls(host, name).items()):
        if call not in OWN_CALLS:
            continue
        step = max(1, len(numbers) // MOST)
        for fault in faults.get(call, []):
            for when in numbers[::step]:
                yield f"inject={call}:{fault}:when={when}"


def cases_of_memory(host, name):
    count, path = host.dir + "/count", host.dir + "/sock"
    with open(host.dir + "/log", "wb") as log:
        process = host.start(name, path, log, shim=True, TMA_MEMORY_COUNT=count)
    how = judge_any(host, name, process, host.dir, False)
    if how != "served":
        raise SystemExit(f"{name} without a fault: {how}")
    # The measurement goes on, on the CPUs that the server began with.
    _, paths = memory.read_counts(count)
    return [f"{number}{'+' if goes_on else ''}" for number, goes_on in
            memory.cases_of_paths(paths)]


def try_case(host, name, kind, case):
    directory = tempfile.mkdtemp(dir=host.dir)
    path, log_path = directory + "/sock", directory + "/log"
    with open(log_path, "wb") as log:
        if kind == "memory":
            process = host.start(name, path, log, shim=True, TMA_MEMORY_FAIL=case)
        else:
            call = case.split("=")[1].split(":")[0]
            process = host.start(name, path, log, ["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                                                   "trace=" + call, "-e", case])
    how = judge_any(host, name, process, directory, kind != "memory")
    shutil.rmtree(directory)
    return how


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--kind", choices=("memory", "errors", "short"), default="memory")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("build")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    if options.kind != "memory" and not shutil.which("strace"):
        print("strace is not installed")
        return 77
    host, wrong, total = Host(options.build), 0, 0
    form = "{:<22}" + 5 * " {:>8}"
    print(form.format(options.kind, "cases", "served", "told", "refused", "wrong"))
    try:
        for name in COMMANDS:
            if not any(re.search(pattern, name) for pattern in options.patterns or [""]):
                continue
            cases = cases_of_memory(host, name) if options.kind == "memory" else \
                list(cases_of_calls(host, name, options.kind))
            cases = cases[::options.every]
            with ThreadPoolExecutor(options.jobs) as pool:
                ends = list(pool.map(lambda c, n=name: try_case(host, n, options.kind, c), cases))
            bad = [(case, how) for case, how in zip(cases, ends)
                   if how not in ("served", "told", "refused")]
            for case, how in bad[:SHOWN]:
                print(f"wrong: {name}: {case}: {how}")
            print(form.format(name, len(ends), *(ends.count(how) for how in
                                                 ("served", "told", "refused")), len(bad)),
                  flush=True)
            wrong, total = wrong + len(bad), total + len(ends)
    finally:
        host.close()
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
