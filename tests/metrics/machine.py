# SPDX-License-Identifier: GPL-2.0-only
"""Machine files (tma-machine(5)): what a machine counts in an interval, according to the file
alone.

Nothing here knows how lib/sim counts, except for two things that the manual leaves open: how the
rate of an event without a line follows from its config; and that rates are whole numbers of 2^-48
events per nanosecond, which decides how half a 255th is rounded.
"""

import math
import os
import random
import re

NANOSECONDS = {'us': 10 ** 3, 'ms': 10 ** 6, 's': 10 ** 9}
FACTORS = {'k': 1e3, 'M': 1e6, 'G': 1e9}
WORDS = {'config': 0, 'config1': 1, 'config2': 2, 'config3': 3}
BITS = (1 << 64) - 1
STEPPED_START = 1000 * 10 ** 9  # ns: where the clock of TMA_SIM_STEP begins
RATE_UNIT = 2 ** 48
MOST_PHASES = 64

NUMBER = re.compile(r'(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)([kMG]?)(?!\w)')


class Mistake(Exception):
    """An error in a machine file."""


def nanoseconds(text):
    found = re.fullmatch(r'(\d+)(us|ms|s)', text)
    if not found:
        raise Mistake(f'{text}: no time')
    return int(found[1]) * NANOSECONDS[found[2]]


def cpu_list(text):
    cpus = []
    for part in text.split(','):
        first, _, last = part.partition('-')
        cpus += range(int(first), int(last or first) + 1)
    return cpus


def number(text):
    found = NUMBER.fullmatch(text)
    return float(found[1]) * FACTORS.get(found[2], 1) if found else None


def mix(value):
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9 & BITS
    value = (value ^ value >> 27) * 0x94d049bb133111eb & BITS
    return value ^ value >> 31


class Pattern:
    """The events that a line applies to: config words with masks, and terms that have a range."""

    def __init__(self, pmu, text):
        self.pmu, self.ranges = pmu, []
        self.value, self.fixed, self.named = [0] * 4, [0] * 4, [0] * 4
        for word in text.split(','):
            name, _, value = word.partition('=')
            self.add(name, value or '1')

    def add(self, name, value):
        low, dash, high = value.partition('-')
        for index, bit, _ in self.pmu.places(name):
            self.named[index] |= 1 << bit
        if value == '*':
            return
        if dash:
            self.ranges.append((name, int(low, 0), int(high, 0)))
            return
        for index, bit, place in self.pmu.places(name):
            self.fixed[index] |= 1 << bit
            self.value[index] |= (int(value, 0) >> place & 1) << bit

    def matches(self, config, exact):
        for index, word in enumerate(config):
            if (word ^ self.value[index]) & self.fixed[index]:
                return False
            if exact and word & ~self.named[index]:
                return False
        return all(low <= self.pmu.term_of(config, name) <= high for name, low, high in self.ranges)


class Pmu:
    """A PMU. Its rates are lists with a number for each phase, in events per second."""

    def __init__(self, machine, name):
        self.machine, self.name, self.kind = machine, name, None
        self.formats, self.events, self.files, self.lets = {}, {}, {}, {}
        self.rates, self.metrics, self.slots = [], [], None
        self.cpus = None
        self.bounds = None

    def places(self, name):
        """The place of a bit of a term: (word, bit, bit of the value)."""
        if name not in self.formats:
            raise Mistake(f'{self.name}: no term {name}')
        return self.formats[name]

    def term_of(self, config, name):
        return sum((config[index] >> bit & 1) << place for index, bit, place in self.places(name))

    def config_of(self, terms):
        """Return: the config words made from terms. A term that is not in "format" is one of perf's
        own."""
        config = [0] * 4
        for word in terms.split(','):
            name, _, value = word.partition('=')
            if name in ('period', 'cpu'):
                continue
            value = int(value or '1', 0)
            for index, bit, place in self.places(name):
                config[index] = config[index] & ~(1 << bit) | (value >> place & 1) << bit
        return tuple(config)

    def add_format(self, name, bits):
        word, _, ranges = bits.partition(':')
        self.formats[name] = [(WORDS[word], bit, place)
                              for place, bit in enumerate(cpu_list(ranges))]

    def rate(self, config):
        """Return: the rate of an event, and whether a line of the file gives it."""
        for pattern, rate in self.rates:
            if pattern.matches(config, True):
                return rate, True
        return self.hashed(config), False

    def hashed(self, config):
        value = 0x9e3779b97f4a7c15
        for word in config:
            value = mix((value + word) & BITS)
        share = (value >> 40) / 2.0 ** 24
        lows, highs = self.bounds
        return [max(low, 1e-3) * (max(high, low, 1e-3) / max(low, 1e-3)) ** share
                for low, high in zip(lows, highs)]

    def is_metric(self, config):
        """Return: whether the hardware has this event as a share of slots, in 8 bits."""
        return any(pattern.matches(config, False) for pattern in self.metrics)


class Machine:
    """A machine file and its included files."""

    def __init__(self, path):
        self.cpuid, self.cpus, self.cores = '', [], []
        self.phases, self.stagger, self.loads = [10 ** 9], 0, []
        self.lets, self.pmus, self.pmu = {}, {}, None
        self.at_place = False
        self.read(path)

    def read(self, path):
        with open(path, encoding='ascii') as file:
            for line in file:
                keyword, _, rest = line.partition('#')[0].strip().partition(' ')
                if keyword == 'include':
                    self.read(os.path.join(os.path.dirname(path), rest.strip()))
                elif keyword:
                    self.line(keyword, rest.strip())

    def line(self, keyword, rest):
        # Only the phases are used, not the places.
        if keyword == 'at':
            self.at_place = True
        elif keyword == 'end' and self.at_place:
            self.at_place = False
        elif self.at_place:
            pass
        elif keyword == 'end':
            self.pmu = None
        elif keyword == 'pmu':
            self.pmu = Pmu(self, rest)
            self.pmu.bounds = [1e5] * len(self.phases), [1e8] * len(self.phases)
            self.pmus[rest] = self.pmu
        elif self.pmu:
            self.pmu_line(self.pmu, keyword, rest)
        else:
            self.machine_line(keyword, rest)

    def machine_line(self, keyword, rest):
        words = rest.split()
        if keyword == 'cpuid':
            self.cpuid = rest
        elif keyword == 'cpus':
            self.cpus = cpu_list(rest)
        elif keyword == 'core':
            options = dict(word.split('=') for word in words[1:])
            self.cores.append((cpu_list(words[0]), int(options.get('package', 0))))
        elif keyword == 'phases':
            self.phases = [nanoseconds(word) for word in words]
        elif keyword == 'stagger':
            self.stagger = nanoseconds(rest)
        elif keyword == 'load':
            self.loads.append((cpu_list(words[0]), float(words[1])))
        elif keyword == 'let':
            self.lets[words[0]] = self.formula(rest.partition(' ')[2])

    def pmu_line(self, pmu, keyword, rest):
        words = rest.split()
        if keyword == 'kind':
            pmu.kind = rest
        elif keyword in ('cpus', 'cpumask'):
            pmu.cpus = self.mask(rest)
        elif keyword == 'format':
            pmu.add_format(*words)
        elif keyword == 'event':
            pmu.events[words[0]] = words[1]
        elif keyword == 'file':
            pmu.files[words[0]] = words[-1]
        elif keyword == 'let':
            pmu.lets[words[0]] = self.formula(rest.partition(' ')[2])
        elif keyword == 'rate':
            pmu.rates.append((Pattern(pmu, words[0]), self.formula(rest.partition(' ')[2])))
        elif keyword == 'hash':
            pmu.bounds = self.formula(words[0]), self.formula(words[1])
        elif keyword == 'constraint' and words[1] == 'metric':
            pmu.metrics.append(Pattern(pmu, words[0]))
        elif keyword == 'constraint' and words[-1] == 'slots':
            pmu.slots = pmu.config_of(words[0])

    def mask(self, text):
        """A list of CPUs, or the first one of each core or package."""
        if text == 'cores':
            return [cpus[0] for cpus, _ in self.cores]
        if text == 'packages':
            first = {}
            for cpus, package in self.cores:
                first.setdefault(package, cpus[0])
            return list(first.values())
        return cpu_list(text)

    def formula(self, text):
        """One number for each phase."""
        listed = [number(word) for word in text.split()]
        if len(listed) > 1 and None not in listed:
            if len(listed) != len(self.phases):
                raise Mistake(f'{text}: {len(listed)} values for {len(self.phases)} phases')
            return listed
        total = [0.0] * len(self.phases)
        for sign, product in re.findall(r'([-+]?)\s*([^-+]+)', text):
            factors = [self.factor(word.strip()) for word in product.split('*')]
            for phase in range(len(self.phases)):
                value = math.prod(factor[phase] for factor in factors)
                total[phase] += -value if sign == '-' else value
        return total

    def factor(self, word):
        value = number(word)
        if value is not None:
            return [value] * len(self.phases)
        for lets in (self.pmu.lets if self.pmu else {}, self.lets):
            if word in lets:
                return lets[word]
        raise Mistake(f'{word}: neither a number nor a let')

    def load(self, cpu):
        for cpus, factor in self.loads:
            if cpu in cpus:
                return factor
        return 1.0

    def integral(self, rate, until):
        """Return: the counts from 0 to a time in ns, in RATE_UNITs."""
        rounds, left = divmod(until, sum(self.phases))
        total = rounds * sum(value * phase for value, phase in zip(rate, self.phases))
        for value, phase in zip(rate, self.phases):
            total += value * min(max(left, 0), phase)
            left -= phase
        return total

    def counted(self, pmu, config, cpu, start, end):
        """Return: the counts of a CPU from one time to another, in RATE_UNITs."""
        load = self.load(cpu) if pmu.kind == 'core' else 1.0
        rates = pmu.rate(config)[0]
        rate = [int(math.floor(value / 1e9 * RATE_UNIT + 0.5) * load) for value in rates]
        shift = STEPPED_START + self.stagger * self.cpus.index(cpu)
        return self.integral(rate, end + shift) - self.integral(rate, start + shift)

    def count(self, pmu, config, start, end, exact, cpus=None):
        """Return: the counts of CPUs (or of the whole PMU) in an interval, in ns since the start.

        @exact: as the file says; otherwise metric events are shares in 8 bits, as hardware has
        them, read at the end of the interval.
        """
        total = 0.0
        for cpu in cpus or pmu.cpus or self.cpus:
            value = self.counted(pmu, config, cpu, start, end)
            if not exact and pmu.is_metric(config):
                slots = self.counted(pmu, pmu.slots, cpu, start, end)
                value = slots * min((255 * value + slots // 2) // slots, 255) / 255
            total += value / RATE_UNIT
        return total


def rewritten(path, rewrite, dropped=()):
    """Return: the text of a machine together with its included files; @rewrite is called for each
    formula.
    """
    lines = []

    def add(path):
        with open(path, encoding='ascii') as file:
            for line in file:
                keyword, _, rest = line.partition('#')[0].strip().partition(' ')
                if keyword == 'include':
                    add(os.path.join(os.path.dirname(path), rest.strip()))
                elif keyword in ('let', 'rate', 'software'):
                    name, _, formula = rest.strip().partition(' ')
                    lines.append(f'{keyword} {name} {rewrite(formula.strip())}')
                elif keyword and keyword not in dropped:
                    lines.append(f'{keyword} {rest.strip()}')

    add(path)
    return lines


def listed(text, phases):
    """The words of a list with a number for each phase, or None."""
    words = text.split()
    is_list = len(words) == phases > 1 and all(number(word) is not None for word in words)
    return words if is_list else None


def flattened(path, phase):
    """Return: the text of a machine that stays in one phase of another machine: each list becomes
    one number."""
    phases = len(Machine(path).phases)

    def flat(text):
        words = listed(text, phases)
        return words[phase] if words else text

    return '\n'.join(rewritten(path, flat, ('phases', 'phase-names', 'stagger'))) + '\n'


def without_places(text):
    """Return: the text of a machine without the sections for places of programs."""
    return re.sub(r'(?ms)^at .*?^end *$', '', text)


def lengths_of(how, chance, number):
    """Random lengths of phases, in ms.

    "MS" is their mean, and the rest of a length does not depend on the time so far; "MS-MS" is a
    range in which each value of the logarithm is equally likely; "=MS" is the length of all.
    """
    if how.startswith('='):
        return [float(how[1:])] * number
    if '-' in how:
        low, high = (math.log(float(end)) for end in how.split('-'))
        return [math.exp(chance.uniform(low, high)) for _ in range(number)]
    return [chance.expovariate(1 / float(how)) for _ in range(number)]


def irregular(path, how, seed, stagger_ms=None, late=None):
    """The text of a machine that goes through the phases of another machine at random.

    The lengths of its stays are random too, see lengths_of(). Each CPU is @stagger_ms later than
    the CPU before it; None: as on the other machine. @late: this percentage of turns is late.
    """
    chance, phases = random.Random(seed), len(Machine(path).phases)
    order = [chance.randrange(phases) for _ in range(MOST_PHASES)]
    lengths = [f'{max(1, round(ms))}ms' for ms in lengths_of(how, chance, len(order))]

    def spread(text):
        words = listed(text, phases)
        return ' '.join(words[phase] for phase in order) if words else text

    lines = rewritten(path, spread)
    at = next(i for i, line in enumerate(lines) if line.startswith('phases '))
    lines[at] = f'phases {" ".join(lengths)}'
    if late:
        lines = [line + f'\nmux 4 late {late}' * line.startswith('counters ') for line in lines]
    if stagger_ms is not None:
        lines[at] += f'\nstagger {stagger_ms}ms'
        lines = [line for line in lines if not line.startswith('stagger ')]
    return '\n'.join(lines) + '\n'
