# SPDX-License-Identifier: GPL-2.0-only Recordings as later perfs write them of a group with slots,
# TopDown events and an event that samples (:S), whose samples have the counts of the whole group;
# and others by their samples alone.
#
#   perf_samples.py tasks|cpus|short|plain|compressed [--swap] PROGRAM FILE
#
# PROGRAM has the functions f0 and f1. Prints the contents of the file: "all EVENT COUNT", "FUNCTION
# EVENT COUNT", and "FUNCTION retiring PERCENT". With --swap, the records of each round are in the
# wrong order; STEPS=N makes a short file.
import os
import struct
import subprocess
import sys

how, swap = sys.argv[1], "--swap" in sys.argv
program, output = os.path.abspath(sys.argv[-2]), sys.argv[-1]
PARTS = ["retiring", "bad-spec", "fe-bound", "be-bound"]
NAMES = ["slots", *["topdown-" + part for part in PARTS], "cycles"]
CONFIGS = [0x400, 0x8000, 0x8100, 0x8200, 0x8300, 0x3c]
# Counts of events in 1,000 cycles of each function.
RATES = {
    "f0": [6000, 4200, 120, 480, 1200, 1000],
    "f1": [6000, 1200, 120, 480, 4200, 1000],
}
IDENTIFIER, IP, TID, TIME = 1 << 16, 1 << 0, 1 << 1, 1 << 2
CPU, PERIOD, READ = 1 << 7, 1 << 8, 1 << 4
TOTAL_TIMES, ID, GROUP, LOST = 3, 4, 8, 16
PERIOD_OF_SAMPLES = 1000003
if how == "plain":
    NAMES, CONFIGS = ["cycles", "instructions"], [0x3c, 0xc0]
    RATES = {name: [1000, 1500] for name in RATES}
plain = how == "plain"
cpus = [0, 1] if how == "cpus" else [0]
sample_type = IDENTIFIER | IP | TID | TIME | CPU | (PERIOD if plain else READ)
read_format = ID if plain else TOTAL_TIMES | ID | GROUP
# Mappings have build ids in place of inodes, as by default in perf since 6.18.
with_lost = with_ids = how == "cpus"
read_format |= LOST if with_lost else 0


def attr(config, samples):
    flags = 1 << 18 | (1 << 1 if how != "cpus" else 0)  # sample_id_all, inherit
    period = PERIOD_OF_SAMPLES if samples else 0
    body = struct.pack("<IIQQQQQ", 4, 136, config, period, sample_type, read_format, flags)
    return body.ljust(136, b"\0")


def event_id(event, cpu):
    return 100 + event * 10 + cpu


def record(kind, misc, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(time):
    return struct.pack("<IIQIIQ", 1000, 1000, time, 0, 0, event_id(0, 0))


def text(name):
    raw = name.encode() + b"\0"
    return raw + b"\0" * (-len(raw) % 8)


def addresses():
    found = {}
    for line in subprocess.check_output(["nm", program], text=True).splitlines():
        words = line.split()
        if words[-1] in RATES:
            found[words[-1]] = int(words[0], 16) + 4
    return found


def segment():
    """Where the program's code is mapped: its address, offset and length."""
    lines = subprocess.check_output(["readelf", "-lW", program], text=True).splitlines()
    words = [line.split() for line in lines if line.split()[:1] == ["LOAD"] and " E " in line]
    offset, address, _, size = (int(word, 16) for word in words[0][1:5])
    return address, offset, size


def build_id():
    for line in subprocess.check_output(["readelf", "-n", program], text=True).splitlines():
        if "Build ID:" in line:
            return bytes.fromhex(line.split()[-1])
    sys.exit(program + " has no build id")


def mapped():
    address, offset, size = segment()
    inode = os.stat(program).st_ino
    body = struct.pack("<iiQQQ", 1000, 1000, BASE + address, size, offset)
    if with_ids:
        own = build_id()
        body += struct.pack("<BBH20sII", len(own), 0, 0, own, 5, 2)
    else:
        body += struct.pack("<IIQQII", 0, 0, inode, 0, 5, 2)
    return record(10, 2 | (1 << 14 if with_ids else 0), body + text(program) + trailer(1))


def sample(cpu, time, tid, function, counts, times):
    event = next_event[0] if plain else len(NAMES) - 1
    ip = BASE + places[function]
    body = struct.pack("<QQIIQII", event_id(event, cpu), ip, 1000, tid, time, cpu, 0)
    if plain:
        return record(9, 2, body + struct.pack("<Q", PERIOD_OF_SAMPLES))
    body += struct.pack("<QQQ", len(NAMES), times, times)
    for event, count in enumerate(counts):
        body += struct.pack("<QQ", count, event_id(event, cpu)) + (b"\0" * 8 if with_lost else b"")
    return record(9, 2, body)


def string(value):
    raw = value.encode() + b"\0"
    raw += b"\0" * (-len(raw) % 64)
    return struct.pack("<I", len(raw)) + raw


BASE = 0x555500000000
places = addresses()
totals = {name: [0] * len(NAMES) for name in ["all", *RATES]}
next_event = [0]
records = []
# Each task or CPU has its own counters, whose counts differ.
tids = [1000, 1001] if how != "cpus" else [0]
running = {(cpu, tid): [0] * len(NAMES) for cpu in cpus for tid in tids}
time = 1000000000
for step in range(int(os.environ.get("STEPS", 4000))):
    for (cpu, tid), counts in running.items():
        stay = 1 if how == "short" else 40
        function = "f0" if step // stay % 2 == 0 else "f1"
        more = [rate * (1000 + step % 7) for rate in RATES[function]]
        time += 137
        next_event[0] = step % len(NAMES)
        if plain:
            more = [0] * len(NAMES)
            more[next_event[0]] = PERIOD_OF_SAMPLES
        for event, add in enumerate(more):
            counts[event] += add
            totals["all"][event] += add
            totals[function][event] += add
        # Counters of CPUs run whichever task runs.
        thread = tid or 1000 + step % 2
        records.append(sample(cpu, time, thread, function, counts, (step + 1) * 1000))
    time += 250000
    if step % 100 == 99:
        records.append(None)

data = b""
if how == "cpus":
    data += record(73, 0, struct.pack("<Qq16s", 1, -1, b""))  # thread map
else:
    data += record(73, 0, struct.pack("<Qq16s", 1, 1000, b"places"))
data += record(74, 0, struct.pack("<HHHH", 0, 2, 0, 1))  # CPUs 0-1
kernel = struct.pack("<iiQQQ", -1, 0, 1 << 63, 4096, 1 << 63)
data += record(1, 1, kernel + text("[kernel.kallsyms]_text") + trailer(0))
data += record(3, 0, struct.pack("<ii", 1000, 1000) + text("places") + trailer(1))
data += mapped()
if how == "compressed":
    data += record(81, 0, b"\0" * 64)
rounds = [[]]
for one in records:
    if one is None:
        rounds.append([])
    else:
        rounds[-1].append(one)
for round_ in rounds:
    # The buffers follow one after the other.
    data += b"".join(reversed(round_) if swap else round_) + record(68, 0, b"")

attrs, ids = b"", b""
ids_at = 104
for event, config in enumerate(CONFIGS):
    own = b"".join(struct.pack("<Q", event_id(event, cpu)) for cpu in cpus)
    attrs += attr(config, plain or event == len(NAMES) - 1)
    attrs += struct.pack("<QQ", ids_at + len(ids), len(own))
    ids += own
attrs_at = ids_at + len(ids)
data_at = attrs_at + len(attrs)
cpuid = string("GenuineIntel,6,143,8")
events = struct.pack("<II", len(NAMES), 136)
for event, name in enumerate(NAMES):
    own = b"".join(struct.pack("<Q", event_id(event, cpu)) for cpu in cpus)
    events += attr(CONFIGS[event], plain or event == len(NAMES) - 1)
    events += struct.pack("<I", len(cpus)) + string(name) + own
pmus = struct.pack("<II", 1, 4) + string("cpu")
groups = struct.pack("<I", 1) + string("{anon_group}") + struct.pack("<II", 0, len(NAMES))
features = {7: struct.pack("<II", 2, 2), 9: cpuid, 12: events, 16: pmus}
if not plain:
    features[17] = groups
bits = sum(1 << bit for bit in features)
at = data_at + len(data) + 16 * len(features)
table, contents = b"", b""
for bit in sorted(features):
    table += struct.pack("<QQ", at + len(contents), len(features[bit]))
    contents += features[bit]
with open(output, "wb") as file:
    file.write(struct.pack("<QQQQQ", 0x32454C4946524550, 104, 152, attrs_at, len(attrs)))
    file.write(struct.pack("<QQQQ4Q", data_at, len(data), 0, 0, bits, 0, 0, 0))
    file.write(ids + attrs + data + table + contents)
for name, counts in totals.items():
    for event, count in enumerate(counts):
        print(name, NAMES[event], count)
    if not plain and name != "all" and counts[0]:
        print(name, "retiring", 100 * counts[1] / sum(counts[1:5]))
