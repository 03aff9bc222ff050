#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""daemons.py [--seconds S] [--svg FILE] BUILD

Runs programs for a long real time, together on a simulated machine of 64 CPUs: tma serve, which a
client scrapes every 15 s, and tma top on a terminal. Meanwhile tasks start and end on this
computer, and cgroups come and go (as root, if there are cgroups of version 2).

Every few seconds it looks at the memory, the open descriptors and the CPU time of each program and
its children. It fails if a program ends early, if memory or descriptors grow (by the rules of
soak.py), or if metrics are missing. Prints a table, and draws a picture of it.
"""
import argparse
import fcntl
import os
import pty
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

import soak

POINTS = 300
SCRAPE_S = 15
CPUS = 64
TICKS = os.sysconf("SC_CLK_TCK")
# These lines describe 64 CPUs, in two packages of 16 cores; the machine's file has eight CPUs.
LAYOUT = {"cpus": [f"0-{CPUS - 1}"],
          "core": [f"{n},{n + 32} package={n // 16} id={n % 16}" for n in range(32)],
          "node": ["0 0-15,32-47", "1 16-31,48-63"]}


def machine_of_64(build, directory):
    """A machine file for 64 CPUs, next to copies of the files that it includes."""
    machines = os.path.join(directory, "machines")
    shutil.copytree(os.path.join(build, "machines"), machines)
    lines, written = [], set()
    with open(os.path.join(machines, "sapphirerapids"), encoding="utf-8") as file:
        for line in file:
            word = line.split(" ", 1)[0]
            if word not in LAYOUT:
                lines.append(line.replace(" 0-7", f" 0-{CPUS - 1}") if word == "cache" else line)
            elif word not in written:
                written.add(word)
                lines += [f"{word} {rest}\n" for rest in LAYOUT[word]]
    path = os.path.join(machines, "of64")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return path


class Churn:
    """Tasks that come and go, in cgroups that come and go."""

    def __init__(self):
        self.over = threading.Event()
        self.root = self.find_root()
        self.tasks = self.cgroups = 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    @staticmethod
    def find_root():
        with open("/proc/mounts", encoding="utf-8") as mounts:
            for line in mounts:
                _, where, kind = line.split()[:3]
                if kind == "cgroup2" and os.access(where, os.W_OK):
                    return where
        return None

    def task(self, cgroup):
        child = subprocess.Popen(["sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; "
                                              "sleep 2"])
        self.tasks += 1
        if cgroup:
            try:
                with open(os.path.join(cgroup, "cgroup.procs"), "w", encoding="utf-8") as procs:
                    procs.write(f"{child.pid}\n")
            except OSError:
                pass
        return child

    def run(self):
        made = []
        while not self.over.is_set():
            cgroup = None
            if self.root:
                cgroup = os.path.join(self.root, f"soak-{os.getpid()}-{self.cgroups}")
                os.mkdir(cgroup)
                self.cgroups += 1
            made.append((cgroup, [self.task(cgroup) for _ in range(3)]))
            if len(made) > 5:
                self.end(*made.pop(0))
            self.over.wait(0.7)
        for one in made:
            self.end(*one)

    @staticmethod
    def end(cgroup, tasks):
        for task in tasks:
            task.kill()
            task.wait()
        if cgroup:
            for _ in range(100):
                try:
                    os.rmdir(cgroup)
                    return
                except OSError:
                    time.sleep(0.05)

    def stop(self):
        self.over.set()
        self.thread.join()


def family(pid):
    """A process and its children."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as children:
        return [pid] + [int(child) for child in children.read().split()]


def cpu_s(pids):
    """The CPU time of processes, and of their children that have ended."""
    ticks = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            fields = stat.read().rpartition(")")[2].split()
        ticks += sum(int(field) for field in fields[11:15])
    return ticks / TICKS


class Daemon:
    """A measured process: its CPU time since the last look, in percent of one CPU."""

    def __init__(self, name, pid):
        self.pid, self.seen = pid, soak.Soak(name, 0)
        self.last = (time.monotonic(), 0.0)

    def look(self, at):
        try:
            pids = family(self.pid)
            now, used = time.monotonic(), cpu_s(pids)
        except OSError:
            self.seen.wrong.append(f"it is not there any more after {at} s")
            return
        share = 100 * (used - self.last[1]) / (now - self.last[0])
        self.last, self.seen.count = (now, used), at
        self.seen.look(at, pids, share)
        self.seen.rows = at

    def line(self):
        memory, files, cpu = ([s[n] for s in self.seen.seen] or [0] for n in (1, 2, 3))
        return (f"{self.seen.name:<30} {memory[0]:>7} {max(memory):>7} {memory[-1]:>7} "
                f"{files[0]:>5} {max(files):>5} {files[-1]:>5} {sum(cpu) / len(cpu):>6.2f} "
                f"{max(cpu):>6.2f}  {'; '.join(self.seen.wrong[:3]) or 'ok'}")


def scrape(path):
    """Return: the number of series in the server's answer; 0 if some are missing."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(20)
        client.connect(path)
        client.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        text = b""
        while True:
            got = client.recv(65536)
            if not got:
                break
            text += got
    whole = text.startswith(b"HTTP/1.1 200") and b"tma_retiring" in text
    return len(re.findall(rb"(?m)^tma_", text)) if whole else 0


def drain(fd):
    while True:
        try:
            if not os.read(fd, 65536):
                return
        except OSError:
            return


def start_top(words, env):
    pid, fd = pty.fork()
    if not pid:
        os.execvpe(words[0], words, env)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
    threading.Thread(target=drain, args=[fd], daemon=True).start()
    return pid


def watch(daemons, path, seconds):
    """Watch the programs until the time is over. Return: the number of series in each answer."""
    begin, every = time.monotonic(), max(1, seconds / POINTS)
    series, next_look, next_scrape = [], every, SCRAPE_S
    while next_look <= seconds:
        time.sleep(max(0, begin + next_look - time.monotonic()))
        for daemon in daemons:
            daemon.look(round(next_look))
        next_look += every
        if time.monotonic() - begin >= next_scrape:
            series.append(scrape(path))
            next_scrape += SCRAPE_S
    return series


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--svg")
    parser.add_argument("build")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    tma, env = os.path.join(build, "tma"), dict(os.environ, LC_ALL="C", TERM="xterm-256color")
    with tempfile.TemporaryDirectory(prefix="tma-soak.") as directory:
        machine, path = machine_of_64(build, directory), os.path.join(directory, "socket")
        churn = Churn()
        server = subprocess.Popen([tma, "--machine", machine, "serve", "-I", "1000",
                                   "--listen", f"unix:{path}"] +
                                  (["--top-cgroups", "5"] if churn.root else []),
                                  env=env, stderr=subprocess.DEVNULL)
        top = start_top([tma, "--machine", machine, "top"], env)
        daemons = [Daemon("serve -I 1000 --top-cgroups 5", server.pid), Daemon("top", top)]
        try:
            series = watch(daemons, path, options.seconds)
        finally:
            churn.stop()
            server.send_signal(signal.SIGTERM)
            os.kill(top, signal.SIGTERM)
            server.wait()
            os.waitpid(top, 0)
    print(f"{'of 64 CPUs':<30} {'kB':>7} {'most':>7} {'last':>7} {'fds':>5} {'most':>5} "
          f"{'last':>5} {'CPU %':>6} {'most':>6}")
    for daemon in daemons:
        daemon.seen.judge_growth()
        print(daemon.line())
    print(f"{options.seconds} s, {churn.tasks} tasks, {churn.cgroups} cgroups, {len(series)} answers "
          f"of {min(series, default=0)} to {max(series, default=0)} series")
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(soak.picture([daemon.seen for daemon in daemons],
                                    "64 simulated CPUs in real time, while tasks and cgroups come "
                                    "and go", ("memory, kB", "descriptors", "CPU, % of one"), "s"))
    return 1 if not all(series) or any(daemon.seen.wrong for daemon in daemons) else 0


if __name__ == "__main__":
    sys.exit(main())
