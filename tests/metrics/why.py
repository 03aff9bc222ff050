#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares where "tma why" ends on simulated machines with what their files say limits them.

    why.py TMA MACHINE_FILE ...          how many mixes have the right answer, and each that has not
    why.py -v TMA MACHINE_FILE ...       before this, a line for each mix

A mix is a machine whose slots are lost in other ways than in the file, and some of whose events are
more or less frequent. All this is random, with a fixed seed. Mixes whose limit no earlier mix of
the machine has are taken first. truth.py computes the truth from the file: from the first level
down, the largest child that is over its threshold, until a node has no children, or none over their
thresholds. Without thresholds it is the largest child.

Each mix is searched on a machine (-a), and half of the mixes also for a command. In half of the
mixes, the lost slots change within each second: groups that take turns count different phases. An
answer is right if it ends where the truth ends. It is undecided if it says so, and all nodes that
it names as certain are on the true way. Otherwise it is wrong. The program fails if an answer is
wrong, or if less than 85 % are right.
"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

import expression
import machine
import truth

LEAST_RIGHT = 0.85
CANDIDATES = 60  # random mixes tried for one of a new kind
PHASES_MS = (35, 55, 45, 65)  # whole rounds in a second, which a window lasts
SPREAD = 0.15  # factor by which lost slots increase and decrease in phases
SPAN = 0, 10 * 10 ** 9  # ns, of whole rounds of phases
COMMAND = 'true',  # on a CPU for as long as TMA_SIM_COMMAND gives
COMMANDS = 0, 3  # mixes of four that are searched for a command, too
OUTCOMES = {'leaf': 'leaf', 'no-child-over': 'under', 'no-loss-over': 'no loss'}


class Mix:
    """The random choices: shares of the slots in each phase, and factors of rates by event."""

    def __init__(self, chance, lines, phases):
        self.phases = phases
        self.lets = self.shares(chance, [line.split()[1] for line in lines
                                         if line.startswith('let ')])
        rates = self.rates_of_cores(lines)
        self.factors = {name: math.exp(chance.uniform(math.log(0.1), math.log(12)))
                        for name in chance.sample(rates, min(len(rates), chance.choice((0, 2, 6))))}

    @staticmethod
    def rates_of_cores(lines):
        found, core = [], False
        for line in lines:
            core = not line.startswith('pmu ') and (core or line == 'kind core')
            if core and line.startswith('rate '):
                found.append(line.split()[1])
        return found

    def shares(self, chance, names):
        """The formulas of lets that decide how slots are used."""
        kind = chance.choice(('even', 'frontend', 'bad', 'memory', 'core', 'useful'))
        weights = {'retiring': 3.5, 'bad': 0.8, 'frontend': 1.5, 'memory': 2, 'core': 1.5}
        for name in weights:
            weights[name] *= chance.uniform(0.5, 1.5)
        for name in {'useful': ('retiring',)}.get(kind, (kind,)):
            if name in weights:
                weights[name] *= chance.uniform(3, 12)
        drawn = []
        for phase in range(self.phases):
            now = {name: weight * (1 + SPREAD * math.cos(math.pi * phase + ord(name[0])))
                   for name, weight in weights.items()} if self.phases > 1 else weights
            total = sum(now.values())
            now = {name: weight / total for name, weight in now.items()}
            drawn.append({
                'retiring': now['retiring'], 'bad_spec': now['bad'], 'fe_bound': now['frontend'],
                'per_retiring': 1 / now['retiring'], 'mem_bound': now['memory'],
                'mem_share': now['memory'] / (now['memory'] + now['core'])})
        lets = {name: [phase[name] for phase in drawn] for name in drawn[0] if name in names}
        if 'mem_share' in lets:
            lets.pop('mem_bound', None)
        return lets

    def text(self, lines):
        """The text of the machine. Lines in @lines have no lists, except for lets that change."""
        out, core = [], False
        for line in lines:
            keyword, _, rest = line.partition(' ')
            name, _, formula = rest.partition(' ')
            core = keyword != 'pmu' and (core or line == 'kind core')
            if keyword == 'let' and name in self.lets:
                line = f'let {name} ' + ' '.join(f'{value:.6f}' for value in self.lets[name])
            elif keyword == 'rate' and core and name in self.factors:
                factor = self.factors[name]
                line = f'rate {name} ' + re.sub(r'([^-+]+)',
                                                lambda term: f' {factor:.4f}*{term[0].strip()} ',
                                                re.sub(r'(?<=\d)e-', 'E', formula)).strip()
            out.append(line)
            if keyword == 'cpuid' and self.phases > 1:
                out.append('phases ' + ' '.join(f'{ms}ms' for ms in PHASES_MS))
        return '\n'.join(out) + '\n'


class TaskTruth(truth.Truth):
    """The truth about a task, without other work on its cores."""

    def literal(self, name):
        return 0.0 if name == '#core_wide' else super().literal(name)


class Way:
    """The end of the true way, for one PMU."""

    def __init__(self, tables, model, pmu):
        self.scope = truth.Truth(tables, model, pmu, SPAN, True)
        self.tables, self.pmu = tables, pmu
        self.evaluator = expression.Evaluator(self, self.scope.constants)
        self.values = self.all_values(self.scope)
        self.shown = self.all_values(truth.Truth(tables, model, pmu, SPAN))
        self.of_task = self.all_values(TaskTruth(tables, model, pmu, SPAN, True))
        self.path, self.end = [], 'no loss'
        self.walk()

    def all_values(self, scope):
        return {metric.name: scope.of(metric) for level in self.tables.levels()
                for metric in self.tables.of_level(level) if metric.pmu == self.pmu}

    def value(self, name):
        """The meaning of a name in a threshold."""
        found = self.scope.find(name)
        return self.scope.of(found) / found.factor if found else self.scope.value(name)

    def over(self, metric, siblings):
        if not metric.threshold:
            losses = [other for other in siblings if not self.useful(other)]
            return metric == max(losses, key=lambda other: self.values[other.name], default=None)
        value = self.evaluator.value(metric.threshold)
        return value not in (0, expression.MISSING) and math.isfinite(value)

    @staticmethod
    def useful(metric):
        return metric.short == 'retiring'

    def walk(self):
        parts = [metric for metric in self.tables.of_level(1) if metric.pmu == self.pmu]
        while True:
            over = [metric for metric in parts if self.over(metric, parts)]
            if not over:
                break
            best = max(over, key=lambda metric: (not self.useful(metric), self.values[metric.name]))
            self.path.append(best.name)
            parts = [child for level in self.tables.levels()
                     for child in self.tables.children(best, level)]
            self.end = 'no loss' if self.useful(best) else 'under' if parts else 'leaf'

    def is_sane(self):
        """Return: whether the machine is possible.

        No part of the slots can be more than all of them: hardware would have other shares. And the
        formulas for a task, which use other events for a core's clocks, must give the same.
        """
        names = [metric.name for metric in self.tables.of_level(1) if metric.pmu == self.pmu]
        top = sum(self.values[name] for name in names)
        shown = all(abs(self.values[name] - self.shown[name]) < 1 for name in names)
        same = all(abs(self.of_task[name] - value) < 1 or math.isnan(value)
                   for name, value in self.values.items())
        return shown and same and abs(top - 100) < 1 and all(0 <= value <= 100 or math.isnan(value)
                                          for value in self.values.values())

    def __str__(self):
        return self.path[-1] + ('' if self.end == 'leaf' else f' ({self.end})') \
            if self.path else self.end


class Score:
    """The results of a machine's answers."""

    def __init__(self):
        self.right = self.undecided = self.wrong = self.steps = self.levels = 0
        self.kinds = set()

    @property
    def answers(self):
        return self.right + self.undecided + self.wrong

    def add(self, other):
        for name in ('right', 'undecided', 'wrong', 'steps', 'levels'):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.kinds |= other.kinds

    HEADING = 'machine          answers  leaves    right  undecided    wrong    steps   levels'

    def text(self, name):
        return (f'{name:<16} {self.answers:7}  {len(self.kinds):6}  {self.right:7}  '
                f'{self.undecided:9}  {self.wrong:7}  {self.steps:7}  {self.levels:7}')


def judged(way, answer):
    """Return: whether an answer is right, undecided or wrong."""
    path = [node['name'] for node in answer['path']]
    outcome = OUTCOMES.get(answer['outcome'])
    if outcome == 'no loss':
        return 'right' if way.end == 'no loss' and path == way.path[:len(path)] else 'wrong'
    if outcome:
        return 'right' if path == way.path and outcome == way.end else 'wrong'
    return 'undecided' if path == way.path[:len(path)] else 'wrong'


def load_tables(tma, path):
    """The tables of a machine: its metrics with their thresholds."""
    tables = truth.Tables(tma, path)
    for metric in tables.metrics.values():
        metric.threshold = None
    for entry in tables.listed(tma, path, 'metric'):
        metric = tables.metrics[entry.get('Unit', 'cpu'), entry['MetricName'].lower()]
        if entry.get('MetricThreshold') and not metric.threshold:
            metric.threshold = expression.parse(entry['MetricThreshold'], expression.RUN_TIME)
    return tables


class Trial:
    """The mixes of one machine."""

    def __init__(self, tma, path, options):
        self.tma, self.name, self.options = tma, os.path.basename(path), options
        self.tables = load_tables(tma, path)
        # Rates of places, which fit other quantities, would be negative with the random ones.
        flat = machine.without_places(machine.flattened(path, options.phase))
        self.lines = flat.splitlines()
        self.chance = random.Random(f'{options.seed} {self.name}')
        self.score, self.told = Score(), []

    def draw(self, file, phases):
        """Write a mix into a file. Return: the true way for each PMU."""
        known, best = self.score.kinds, None
        for _ in range(CANDIDATES):
            text = Mix(self.chance, self.lines, phases).text(self.lines)
            self.write(file, text)
            try:
                model = machine.Machine(file.name)
                ways = {pmu: Way(self.tables, model, pmu) for pmu in self.tables.pmus()}
            except (ZeroDivisionError, machine.Mistake):
                continue
            below = any(value < 0 for pmu in model.pmus.values() for _, rate in pmu.rates
                        for value in rate)
            if below or not all(way.is_sane() for way in ways.values()):
                continue
            best = text, ways
            if any((pmu, str(way)) not in known for pmu, way in ways.items()):
                break
        self.write(file, best[0])
        return best[1]

    @staticmethod
    def write(file, text):
        file.seek(0)
        file.truncate()
        file.write(text)
        file.flush()

    def search(self, number, path, ways, target):
        command = [self.tma, '--machine', path, 'why', '-j', '--no-sample', *target]
        env = dict(os.environ, TMA_SIM_STEP='10', TMA_SIM_COMMAND='1000')
        result = subprocess.run(command, env=env, check=False,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
        if result.returncode:
            raise RuntimeError(f'{" ".join(command)}: {result.stderr.decode()}')
        answer = json.loads(result.stdout)
        self.score.steps += len(answer['steps'])
        self.score.levels += max(len(way.path) for way in ways.values())
        for found in answer['answers']:
            pmu = found['pmu'] or 'cpu'
            pmu = pmu if pmu in ways else next(iter(ways))
            if found['outcome'] == 'nothing-measured':
                continue  # a command that was never on cores of this type
            verdict = judged(ways[pmu], found)
            setattr(self.score, verdict, getattr(self.score, verdict) + 1)
            end = found['path'][-1]['name'] if found['path'] else '-'
            self.told.append((verdict, f'{verdict:9}  {self.name} {number} {target[0]} {pmu}: '
                              f'{ways[pmu]}; it says {end} ({found["outcome"]})'
                              f'{": " if found["reason"] else ""}{found["reason"]}'))

    def run(self):
        for number in range(self.options.mixes):
            phases = len(PHASES_MS) if number % 2 else 1
            with tempfile.NamedTemporaryFile('w', suffix='.machine') as file:
                ways = self.draw(file, phases)
                self.score.kinds |= {(pmu, str(way)) for pmu, way in ways.items()}
                self.search(number, file.name, ways, ('-a',))
                if number % 4 in COMMANDS and not self.options.no_command:
                    self.search(number, file.name, ways, ('--', *COMMAND))
                if self.options.keep:
                    with open(f'{self.options.keep}/{self.name}.{number}', 'w',
                              encoding='ascii') as kept, open(file.name, encoding='ascii') as text:
                        kept.write(text.read())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('-v', '--verbose', action='store_true', help='print each answer')
    parser.add_argument('-n', '--mixes', type=int, default=8, help='of each machine')
    parser.add_argument('--seed', default='1')
    parser.add_argument('--phase', type=int, default=0, help='of the machines, to begin with')
    parser.add_argument('--no-command', action='store_true', help='search machines alone')
    parser.add_argument('--keep', metavar='DIR', help='leave the machines there')
    parser.add_argument('tma', help='the program')
    parser.add_argument('machines', nargs='+', help='files of machines')
    options = parser.parse_args()

    total, rows = Score(), []
    for path in options.machines:
        trial = Trial(options.tma, path, options)
        trial.run()
        rows.append(trial.score.text(trial.name))
        total.add(trial.score)
        for verdict, text in trial.told:
            if options.verbose or verdict != 'right':
                print(text)
    print(Score.HEADING, *rows, total.text('all'), sep='\n')
    mixes = len(options.machines) * options.mixes
    print(f'{mixes} mixes: {total.right} of {total.answers} answers are right, {total.undecided} '
          f'undecided, {total.wrong} wrong')
    return total.wrong != 0 or total.right < LEAST_RIGHT * total.answers


if __name__ == '__main__':
    sys.exit(main())
