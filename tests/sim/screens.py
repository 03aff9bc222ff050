#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""screens.py [--all] [--show] BUILD [PATTERN]: no line is wider than the terminal.

Commands run on terminals of several sizes, on simulated machines of each kind and without counters;
each line that is wider than the terminal is printed. --all runs more commands on all machines that
there are. PATTERN is a regular expression that is searched for in "MACHINE COMMAND WIDTHxHEIGHT",
and --show prints the screens.
"""
import argparse
import concurrent.futures
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import screen  # noqa: E402

SIZES = ((40, 12), (60, 15), (80, 24), (90, 30), (100, 30), (120, 40), (200, 50))
MACHINES = ("skylakex", "sapphirerapids", "alderlake", "zen5", "neoverse-n2")
NONE = "without"  # counters
TOPDOWN = "stat -a --topdown"
COMMANDS = {
    "interval": f"{TOPDOWN} -I1000 --interval-count 2 --verdict",
    "tree": f"{TOPDOWN} --td-level max --timeout 1000",
    "why": "why -a",
    "plan": "plan --topdown",
}
MORE = {
    "errors": f"{TOPDOWN} -I1000 --interval-count 2 --error",
    "level-2": f"{TOPDOWN} --td-level 2 -I1000 --interval-count 2",
    "sockets": f"{TOPDOWN} --per-socket -I1000 --interval-count 2",
    "cores": f"{TOPDOWN} --per-core --timeout 1000",
    "cpus": f"{TOPDOWN} -A --timeout 1000 --verdict",
    "unfolded": f"{TOPDOWN} --td-level max --timeout 1000 --format=tree --all --error --verdict",
    "task": "stat --topdown --verdict sleep 0.01",
    "all-of-why": "why -a -v",
    "all-of-plan": "plan --topdown --td-level max --schedule=rotate",
}


def width(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def run(words, columns, lines, environment):
    """Return: what a command writes to a terminal of its own."""
    terminal, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    with subprocess.Popen(words, stdin=its, stdout=its, stderr=its, env=environment,
                          start_new_session=True) as process:
        os.close(its)
        raw = read_all(terminal)
        os.close(terminal)
        process.wait()
    return raw.decode(errors="replace")


def read_all(terminal):
    raw = b""
    while True:
        try:
            some = os.read(terminal, 65536)
        except OSError:  # the last that had it open has ended
            break
        if not some:
            break
        raw += some
    return raw


def look(build, machine, command, size, nothing):
    """Return: the lines of a screen, and how many are too wide."""
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PAGER": "cat"}
    words = [os.path.join(build, "tma")]
    if machine == NONE:
        environment["SYSFS_PATH"] = nothing
        command = command.replace("--timeout 1000", "--timeout 10").replace("-I1000", "-I10")
    else:
        environment["TMA_SIM_STEP"] = "20"
        words += ["--machine", machine]
    lines = screen.lines_of(run(words + command.split(), *size, environment))
    return lines, [line for line in lines if width(line) > size[0]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("build")
    parser.add_argument("pattern", nargs="?", default="")
    args = parser.parse_args()
    commands = {**COMMANDS, **(MORE if args.all else {})}
    machines = MACHINES
    if args.all:
        machines = sorted(name for name in os.listdir(os.path.join(args.build, "machines"))
                          if not name.endswith(".part"))
    wrong = nr = 0
    with tempfile.TemporaryDirectory() as nothing, \
            concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        screens = [(f"{machine} {name} {size[0]}x{size[1]}",
                    (args.build, machine, command, size, nothing))
                   for machine in (*machines, NONE) for name, command in commands.items()
                   for size in SIZES]
        screens = [each for each in screens if re.search(args.pattern, each[0])]
        for (title, _), (lines, wide) in zip(screens, pool.map(lambda s: look(*s[1]), screens)):
            nr += 1
            wrong += bool(wide)
            if args.show:
                print("=== " + title, *lines, sep="\n")
            for line in wide[:3]:
                print(f"{title}: {width(line)} columns: {line}")
    print(f"{nr} screens, {wrong} with lines that are too wide")
    sys.exit(1 if wrong or not nr else 0)


if __name__ == "__main__":
    main()
