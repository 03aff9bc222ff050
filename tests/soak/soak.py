#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""soak.py [--rows N] [--seconds S] [--svg FILE] [--only PATTERN] BUILD

Long runs of tma stat -I: a day of rows in stepped time on simulated machines whose CPUs go offline
and come back, and S seconds in real time on this computer, while tasks come and go. Rows go through
a pipe into a log with 1,000 rows per file; three files are kept.

Meanwhile it looks at the memory (Rss) and the open descriptors of the process, and at how late each
row is: by how much its time exceeds a whole number of intervals. It fails if a row is missing or
comes twice, if memory grows by more than 100 kB and 1 % after the first twentieth of the rows, or
if descriptors grow in the second half. Prints a table, and draws a picture of it.
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

LOG_ROWS, KEPT = 1000, 3
STEPPED_MS = 1000
POINTS = 200  # of a line in the picture
GROWTH_KB, GROWTH = 100, 0.01
OPENED = 2  # descriptors that may be open for a moment
HOTPLUG = ";".join(f"offline={cpu}@{hour * 3600 + 100}s-{hour * 3600 + 700}s"
                   for hour, cpu in enumerate((3, 5, 6, 7)))
CHURN = "while :; do sh -c 'i=0; while [ $i -lt 200 ]; do i=$((i+1)); done'; done"

# A name, a machine ("-" for this computer, in real time), and the arguments of tma stat.
RUNS = [
    ("-a --topdown", "sapphirerapids", ["-a", "--topdown"]),
    ("-a -M TopdownL4 --error", "skylakex", ["-a", "-M", "TopdownL4", "--error"]),
    ("-a --per-core --verdict", "icelakex", ["-a", "--per-core", "--topdown", "--verdict"]),
    ("-a -A, hybrid", "alderlake", ["-a", "-A", "--topdown"]),
    ("-a, real time", "-", ["-a", "-e", "cpu-clock,context-switches"]),
    ("-p of a shell that forks, real time", "-", ["-p", "@PID", "-e", "task-clock,page-faults"]),
]


class Log:
    """Files with LOG_ROWS rows each; the oldest files are removed."""

    def __init__(self):
        self.dir = tempfile.TemporaryDirectory(prefix="tma-soak.")
        self.files, self.rows, self.out = [], 0, None

    def add(self, line):
        if self.rows % LOG_ROWS == 0:
            if self.out:
                self.out.close()
            name = os.path.join(self.dir.name, f"log.{self.rows // LOG_ROWS}")
            self.out = open(name, "w", encoding="utf-8")
            self.files.append(name)
            if len(self.files) > KEPT:
                os.unlink(self.files.pop(0))
        self.out.write(line)
        self.rows += 1

    def close(self):
        if self.out:
            self.out.close()
        self.dir.cleanup()


def resident(pid):
    """The memory of a process, in kB. (VmRSS is wrong by some pages on each CPU.)"""
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as pages:
        for line in pages:
            if line.startswith("Rss:"):
                return int(line.split()[1])
    raise ProcessLookupError(f"{pid} has ended")


class Soak:
    """Samples of a run: (row, kB, descriptors, how late in ms)."""

    def __init__(self, name, rows):
        self.name, self.rows, self.seen, self.wrong = name, rows, [], []
        self.count, self.last, self.latest = 0, 0.0, 0.0

    def row(self, pid, stamp, interval):
        late = (stamp - round(stamp / interval) * interval) * 1000
        if stamp <= self.last:
            self.wrong.append(f"the row at {stamp} follows that at {self.last}")
        elif round((stamp - self.last) / interval) != 1:
            self.wrong.append(f"no row between {self.last} and {stamp}")
        self.last = stamp
        self.count += 1
        self.latest = max(self.latest, late)
        if self.count % max(1, self.rows // POINTS):
            return
        self.look(self.count, [pid], late)

    def look(self, at, pids, third):
        """Notes the memory and descriptors of processes, and other numbers that are drawn."""
        try:
            self.seen.append((at, sum(resident(pid) for pid in pids),
                              sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in pids), third))
        except OSError:
            pass  # one has ended

    def judge(self):
        if self.count != self.rows:
            self.wrong.append(f"{self.count} rows, not {self.rows}")
        self.judge_growth()

    def judge_growth(self):
        early = [s for s in self.seen if s[0] * 20 >= self.rows]
        if not early:
            self.wrong.append("nothing was seen")
            return
        first, last = early[0], early[-1]
        if last[1] > first[1] + GROWTH_KB and last[1] > first[1] * (1 + GROWTH):
            self.wrong.append(f"memory grew from {first[1]} to {last[1]} kB")
        # CPUs that come back have their tasks again.
        half = len(self.seen) // 2
        most = [max(s[2] for s in part) for part in (self.seen[:half], self.seen[half:]) if part]
        if most[-1] > most[0] + OPENED:
            self.wrong.append(f"descriptors grew from {most[0]} to {most[-1]}")

    def line(self):
        memory = [s[1] for s in self.seen] or [0]
        files = [s[2] for s in self.seen] or [0]
        return (f"{self.name:<38} {self.count:>7} {memory[0]:>7} {max(memory):>7} {memory[-1]:>7} "
                f"{min(files):>5} {max(files):>5} {self.latest:>9.2f}  "
                f"{'; '.join(self.wrong[:3]) or 'ok'}")


def command_of(tma, machine, words, rows, fd, pid):
    words = [word.replace("@PID", str(pid)) for word in words]
    return ([tma] + ([] if machine == "-" else ["--machine", machine]) +
            ["stat", "-x,", "-I", str(STEPPED_MS), "--interval-count", str(rows),
             "--log-fd", str(fd)] + words)


def run(tma, name, machine, words, rows):
    soak, log = Soak(name, rows), Log()
    env = dict(os.environ, LC_ALL="C")
    if machine != "-":
        env.update(TMA_SIM_STEP=str(STEPPED_MS), TMA_SIM_FAULT=HOTPLUG)
    churn = subprocess.Popen(["sh", "-c", CHURN], start_new_session=True) if machine == "-" else None
    ours, theirs = os.pipe()
    child = subprocess.Popen(
        command_of(tma, machine, words, rows, theirs, churn.pid if churn else 0), env=env,
        pass_fds=[theirs], stderr=subprocess.DEVNULL)
    os.close(theirs)
    with os.fdopen(ours, encoding="utf-8") as rows_in:
        stamp = None
        for text in rows_in:
            log.add(text)
            field = text.split(",", 1)[0].strip()
            if field == stamp or not field.replace(".", "", 1).isdigit():
                continue
            stamp = field
            soak.row(child.pid, float(field), STEPPED_MS / 1000)
    status = child.wait()
    if churn:
        os.killpg(churn.pid, signal.SIGKILL)
        churn.wait()
    log.close()
    if status:
        soak.wrong.append(f"exit status {status}")
    soak.judge()
    return soak


def curve(points, left, top, width, height, low, high):
    span = (high - low) or 1
    first, last = points[0][0], points[-1][0]
    return " ".join(f"{left + width * (x - first) / ((last - first) or 1):.1f},"
                    f"{top + height * (1 - (y - low) / span):.1f}" for x, y in points)


def picture(soaks, heading, titles, unit):
    """An SVG picture: for each run a row of three small plots, under these titles."""
    width, height, gap, left, head = 230, 60, 50, 20, 60
    step = height + 70
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + 3 * (width + gap)}" '
           f'height="{head + step * len(soaks)}" font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{left}" y="24" font-size="15">{heading}</text>']
    for number, soak in enumerate(soaks):
        top = head + number * step
        out.append(f'<text x="{left}" y="{top}" font-weight="bold">{soak.name}: '
                   f'{soak.count:,} {unit}</text>')
        for plot, title in enumerate(titles):
            x = left + plot * (width + gap)
            points = [(s[0], s[plot + 1]) for s in soak.seen]
            if not points:
                continue
            high = max(y for _, y in points)
            high = max(high * 1.1, 0.1)
            out += [f'<text x="{x}" y="{top + 17}" fill="#555">{title}: at most '
                    f'{max(y for _, y in points):,.2f}</text>'.replace(".00<", "<"),
                    f'<rect x="{x}" y="{top + 24}" width="{width}" height="{height}" '
                    'fill="none" stroke="#bbb"/>',
                    f'<polyline fill="none" stroke="#06c" stroke-width="1.5" points="'
                    f'{curve(points, x, top + 24, width, height, 0, high)}"/>']
    return "\n".join(out + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--rows", type=int, default=86400)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--svg")
    parser.add_argument("--only", default="")
    parser.add_argument("build")
    options = parser.parse_args()
    tma = os.path.join(os.path.abspath(options.build), "tma")
    begin, soaks = time.monotonic(), []
    print(f"{'run':<38} {'rows':>7} {'kB':>7} {'most':>7} {'last':>7} {'fds':>5} {'most':>5} "
          f"{'late ms':>9}")
    for name, machine, words in RUNS:
        rows = options.rows if machine != "-" else options.seconds
        if not rows or not re.search(options.only, name):
            continue
        soaks.append(run(tma, name, machine, words, rows))
        print(soaks[-1].line(), flush=True)
    print(f"{time.monotonic() - begin:.0f} s")
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(picture(
                soaks, "tma stat -I 1000: memory, descriptors and lateness along long runs",
                ("memory, kB", "descriptors", "late, ms"), "rows"))
    return 1 if any(soak.wrong for soak in soaks) else 0


if __name__ == "__main__":
    sys.exit(main())
