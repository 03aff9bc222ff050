# SPDX-License-Identifier: GPL-2.0-only
"""The rates that pmu/tma_pmu.c has in each state, computed independently: the true counts of a row
follow from the ns that it spent in each state.
"""

import json
import re
import subprocess

STATES = 8
SLOTS = 0x0400
SHIFT = 16
PERCENT = (
    (40, 10, 20, 30, 8, 6, 12, 18),
    (10, 5, 15, 70, 2, 4, 9, 60),
    (70, 5, 15, 10, 20, 3, 5, 4),
    (20, 40, 30, 10, 4, 35, 20, 5),
    (15, 5, 60, 20, 5, 2, 45, 8),
    (30, 20, 10, 40, 3, 15, 4, 10),
    (50, 0, 5, 45, 30, 0, 2, 30),
    (5, 10, 5, 80, 1, 9, 3, 75),
)
# The lowest bit of each term in the event register, and in the second register, config1.
TERMS = {"event": 0, "umask": 8, "edge": 18, "any": 21, "inv": 23, "cmask": 24, "in_tx": 32,
         "in_tx_cp": 33}
TERMS1 = ("offcore_rsp", "ldlat", "frontend")
WORD = (1 << 64) - 1


def mix(key, nr):
    x = (key + (nr + 1) * 0x9e3779b97f4a7c15) & WORD
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & WORD
    x = (x ^ x >> 27) * 0x94d049bb133111eb & WORD
    return x ^ x >> 31


def rate(config, config1, state):
    """Return: events per ns in a state."""
    key = config ^ (config1 * 0x9e3779b97f4a7c15 & WORD)
    cycles = ((3 << SHIFT) >> 8) * (192 + mix(0x3c, state) % 128)
    value = 16384 + (mix(key, 100) & 0xffff)
    code = config & 0xff
    if config == 0x3c:
        return cycles / (1 << SHIFT)
    if config == 0x0300:
        return 2.0
    if config == SLOTS:
        return 6 * cycles / (1 << SHIFT)
    if 0x8000 <= config <= 0x8700 and not code:
        return 6 * cycles // 100 * PERCENT[state][config >> 8 & 7] / (1 << SHIFT)
    if config == 0xc0:
        value = 4 << SHIFT
    elif code in (0xc3, 0xc5, 0xcd) or 0xd0 <= code <= 0xd4:
        value //= 128
    return (value * (64 + mix(key, state) % 448) >> 8) / (1 << SHIFT)


def configs(terms):
    """Return: the values of both registers. terms: event=0x3c,umask=..."""
    config = [0, 0]
    for term in terms.split(","):
        name, _, value = term.partition("=")
        number = int(value, 0) if value else 1
        if name in TERMS:
            config[0] |= number << TERMS[name]
        elif name in TERMS1:
            config[1] |= number
    return tuple(config)


class Events:
    """The events of a CPU, by the names in rows."""

    def __init__(self, tma, machine, cpuid):
        listed = subprocess.run([tma, "--machine", machine, "list", "-j", "--details", "event"],
                                env={"PERF_CPUID": cpuid}, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, check=True).stdout
        self.terms = {}
        for event in json.loads(listed):
            encoding = re.fullmatch(r"cpu/(.*)/", event.get("Encoding", ""))
            if encoding:
                self.terms[event["EventName"].lower()] = encoding[1]
        self.rates = {}

    def of(self, name):
        """Return: the event's rate in each state, or None if the name does not mean a core event."""
        if name not in self.rates:
            given = re.fullmatch(r"cpu/(.*)/", name)
            first, _, more = (given[1] if given else name).partition(",")
            terms = self.terms.get(first.lower())
            if terms is None and "=" in first:
                terms = first
            if terms is not None and more:
                changed = {t.partition("=")[0] for t in more.split(",")}
                kept = [t for t in terms.split(",") if t.partition("=")[0] not in changed]
                terms = ",".join(kept + [more])
            self.rates[name] = terms and [rate(*configs(terms), s) for s in range(STATES)]
        return self.rates[name]

    def count(self, name, times):
        """Return: the event's count. times: ns in each state."""
        rates = self.of(name)
        return rates and sum(r * t for r, t in zip(rates, times))
