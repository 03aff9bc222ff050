#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""screens.py [--all] [--show] [--top] BUILD [PATTERN]: no line is wider than the terminal.

Commands run on terminals of several sizes, on simulated machines of each kind and without counters;
lines that are wider than the terminal are printed. --all runs more commands, on all machines. With
--top, the screens of tma top are checked, in which nothing may be cut. PATTERN is a regular
expression that is searched for in "MACHINE COMMAND WIDTHxHEIGHT". --show prints the screens.
"""
import argparse
import concurrent.futures
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import screen  # noqa: E402

SIZES = ((40, 12), (80, 24), (100, 30), (120, 40))
MORE_SIZES = ((60, 15), (90, 30), (200, 50))
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
    """Return: the output of a command on its own terminal."""
    terminal, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    with subprocess.Popen(words, stdin=its, stdout=its, stderr=its, env=environment,
                          start_new_session=True) as process:
        os.close(its)
        raw = screen.read_all(terminal)
        os.close(terminal)
        process.wait()
    return raw.decode(errors="replace")


def look(build, machine, command, size, nothing):
    """Return: the lines of a screen, and how many of them are too wide."""
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


# --- tma top ------------------------------------------------------------------------------------

SEQUENCE = re.compile(r"\x1b(?:\[([?0-9;]*)([A-Za-z])|[=>78]|[()][A-Za-z0-9])|\x0f")
PATIENCE_S = 60


class Terminal:
    """A terminal whose cursor a program moves."""

    def __init__(self, words, columns, lines, environment):
        self.columns = columns
        self.cells = [[" "] * columns for _ in range(lines)]
        self.row = self.column = 0
        self.rest = ""
        self.master, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process = subprocess.Popen(
            words, stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(its)

    def lines(self):
        return ["".join(line).rstrip() for line in self.cells]

    def put(self, text):
        at = 0
        while at < len(text):
            found = SEQUENCE.match(text, at)
            if found:
                self.obey(found[1] or "", found[2])
                at = found.end()
                continue
            if text[at] == "\x1b":  # the rest has not arrived yet
                break
            if text[at] == "\r":
                self.column = 0
            elif text[at] == "\n":
                self.row += 1
            elif self.column < self.columns:
                self.cells[self.row][self.column] = text[at]
                self.column += 1
            at += 1
        self.rest = text[at:]

    def obey(self, numbers, letter):
        if letter == "H":
            where = [int(n) for n in numbers.split(";")] if numbers else [1, 1]
            self.row, self.column = where[0] - 1, where[-1] - 1
        elif letter == "K":
            self.cells[self.row][self.column:] = [" "] * (self.columns - self.column)
        elif letter == "J":
            self.cells = [[" "] * self.columns for _ in self.cells]

    def show(self, words):
        """Wait until the screen has these words and no longer changes."""
        end = time.monotonic() + PATIENCE_S
        while not re.search(words, "\n".join(self.lines())) and time.monotonic() < end:
            self.read(1)
        while self.read(0.05):
            pass
        return self.lines()

    def read(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.put(self.rest + os.read(self.master, 65536).decode(errors="replace"))
        return True

    def type(self, keys):
        os.write(self.master, keys)

    def end(self):
        self.type(b"q")
        self.process.wait()
        os.close(self.master)


HELP = ("select a metric", "functions of all", "history of the selected metric", "quit")
LEVEL_1 = ("retiring", "frontend_bound", "bad_speculation", "backend_bound")


def wrong_of_top(lines, machine, size):
    """Yield: the faults of the first screen."""
    text = "\n".join(lines)
    if machine != NONE and not re.search(r"[0-9] IPC", text):
        yield "no IPC in the first lines"
    if machine != NONE and "simulated" not in text:
        yield "it does not say that the machine is simulated"
    if not re.search(r"\d CPUs, [0-9.]+ busy", text):
        yield "the first lines do not say how busy it is"
    if machine == NONE and not re.search(r"context-switches +[0-9.e+]+ ?/s", text):
        yield "no context switches"
    if not re.search(r"^ *(PID )?PROCESS .*CPUs", text, re.MULTILINE):
        yield "no heading of rows"
    tree = text[text.find("METRIC"):text.find("PROCESS")]
    for cut in ("\u2026", "tma_[a-z_]*\u2026") if size[0] >= 80 else ():
        if re.search(cut, tree):
            yield "a name in the tree is cut"
    if size >= (80, 24) and machine != NONE:
        places = [re.search(rf"^(tma_)?{part} ", tree, re.MULTILINE) for part in LEVEL_1]
        if None in places or [p.start() for p in places] != sorted(p.start() for p in places):
            yield "the first level is not in its order"


def wrong_of_functions(lines, machine, size):
    """Yield: the faults of the screen of functions."""
    text = "\n".join(lines)
    rows = text[text.find("functions of"):]
    if "functions of all processes" not in rows or not re.search(r"^FUNCTION .*SHARE", rows, re.MULTILINE):
        yield "no heading of functions"
    if size >= (80, 24) and "estimated" not in rows:
        yield "it does not say that functions are estimated"
    if not re.search(r"^\S.* [0-9.]+ %", rows, re.MULTILINE):
        yield "no share of a function"
    if machine != NONE and "near" not in rows:
        yield "functions whose addresses are made up are not near"
    if machine != NONE and size >= (80, 24):
        heading = re.search("^FUNCTION.*$", rows, re.MULTILINE)[0]
        if not re.search(" RET[A-Z]* +FRONT.* +BAD.* +BACK.* BOTTLENECK", heading):
            yield "the parts of functions are not in their order"
    if machine != NONE and "\u2026" in rows:
        yield "a word of functions is cut"


def look_at_functions(terminal, machine, size):
    """Return: the lines of the screen of functions; and the faults of this screen and of the way
    back."""
    terminal.type(b"f")
    shown = terminal.show(r"functions of[^$]*FUNCTION.*SHARE[^$]*\n\S[^$\n]* [0-9.]+ %")
    wrong = list(wrong_of_functions(shown, machine, size))
    terminal.type(b"f")
    back = terminal.show(r"PROCESS .*CPUs")
    if "functions of" in "\n".join(back):
        wrong.append("f does not go back")
    return shown, wrong


def look_at_top(build, machine, _, size, nothing):
    """Return: the lines of the screen and of its help, and their faults."""
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    words = [os.path.join(build, "tma")]
    if machine == NONE:
        environment["SYSFS_PATH"] = nothing
    else:
        words += ["--machine", machine]
    terminal = Terminal(words + ["top", "-d", "0.2"], *size, environment)
    shown = terminal.show(r"busy[^$]*METRIC.*NOW[^$]*[0-9] ?(%|/s)")
    wrong = list(wrong_of_top(shown, machine, size))
    terminal.type(b"?")
    helped = terminal.show("key.*: back")
    text = " ".join(" ".join(helped).split())
    for words in HELP[:1] if size[1] < 24 else HELP:
        if words not in text:
            wrong.append(f"the help does not have {words!r}")
    terminal.type(b"x")
    terminal.show("METRIC")
    functions, wrong_functions = look_at_functions(terminal, machine, size)
    terminal.end()
    return shown + helped + functions, wrong + wrong_functions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--top", action="store_true")
    parser.add_argument("build")
    parser.add_argument("pattern", nargs="?", default="")
    args = parser.parse_args()
    commands = {**COMMANDS, **(MORE if args.all else {})}
    commands = {"top": ""} if args.top else commands
    machines = MACHINES
    if args.all:
        machines = sorted(name for name in os.listdir(os.path.join(args.build, "machines"))
                          if not name.endswith(".part"))
    if args.top:  # these guests have reasons and no values, and long reasons are cut
        machines = [name for name in machines if not re.search("-guest-(none|arch)", name)]
    wrong = nr = 0
    with tempfile.TemporaryDirectory() as nothing, \
            concurrent.futures.ThreadPoolExecutor(max_workers=2 + 4 * args.top) as pool:
        screens = [(f"{machine} {name} {size[0]}x{size[1]}",
                    (args.build, machine, command, size, nothing))
                   for machine in (*machines, NONE) for name, command in commands.items()
                   for size in (*SIZES, *(MORE_SIZES if args.all else ()))]
        screens = [each for each in screens if re.search(args.pattern, each[0])]
        looks = look_at_top if args.top else look
        for (title, _), (lines, wide) in zip(screens, pool.map(lambda s: looks(*s[1]), screens)):
            nr += 1
            wrong += bool(wide)
            if args.show:
                print("=== " + title, *lines, sep="\n")
            for line in wide[:3]:
                print(f"{title}: {line}" if args.top else f"{title}: {width(line)} columns: {line}")
    print(f"{nr} screens, {wrong} with {'mistakes' if args.top else 'lines that are too wide'}")
    sys.exit(1 if wrong or not nr else 0)


if __name__ == "__main__":
    main()
