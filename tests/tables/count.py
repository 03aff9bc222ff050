#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Count the events and metrics of the vendors' JSON, and compare the tables with them.

    count.py LIST ARCH_DIR...

LIST is tests/tables/list of a build. ARCH_DIR is a folder that its tables were made from: one for
each architecture ("arch/x86"), and the overlay's folder after the folder it belongs to. For every
model, the names of events and metrics of each PMU must be the same. For every row of every
mapfile.csv, a CPU id that is made to fit it must lead to the row's model. Python's own parser reads
the JSON.
"""

import collections
import json
import os
import re
import subprocess
import sys

try:
    import re._parser as regex_parser
except ImportError:
    import sre_parse as regex_parser

# Units whose PMU has a name that no rule gives.
PMUS = {
    'CBO': 'uncore_cbox', 'SBO': 'uncore_sbox', 'QPI LL': 'uncore_qpi', 'UPI LL': 'uncore_upi',
    'iMPH-U': 'uncore_arb', 'CPU-M-CF': 'cpum_cf', 'CPU-M-SF': 'cpum_sf',
    'PAI-CRYPTO': 'pai_crypto', 'PAI-EXT': 'pai_ext', 'L3PMC': 'amd_l3', 'DFPMC': 'amd_df',
    'UMCPMC': 'amd_umc',
}
# Units whose PMU has the unit's name.
PMUS.update((name, name) for name in (
    'cpu_core', 'cpu_atom', 'cpu_lowpower', 'imx8_ddr', 'imx9_ddr', 'ali_drw', 'arm_cmn',
    'hisi_sicl,cpa', 'hisi_sccl,ddrc', 'hisi_sccl,hha', 'hisi_sccl,l3c'))

Row = collections.namedtuple('Row', 'arch pattern model')


def pmu_of(unit):
    if not unit:
        return 'default_core'
    return PMUS.get(unit, 'uncore_' + unit.lower())


def elements(folder):
    """All elements in a folder's files, except for files that are an object: these hold something
    else."""
    for name in sorted(os.listdir(folder)):
        if name.endswith('.json'):
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                content = json.load(file)
            if isinstance(content, list):
                yield from content


def standard_events(arch_dir):
    found = {}
    for element in elements(arch_dir):
        for key in ('EventName', 'MetricName'):
            if key in element:
                found[element[key].lower()] = element
    return found


def names_of(folder, standard):
    """The names of a folder's events and of its metrics, each with its PMU."""
    events, metrics = [], []
    for element in elements(folder):
        unit = element.get('Unit')
        if 'ArchStdEvent' in element:
            element = {**standard[element['ArchStdEvent'].lower()], **element}
        pmu = pmu_of(unit or element.get('Unit'))
        if 'EventName' in element:
            events.append((pmu, element['EventName'].lower()))
        if 'MetricName' in element:
            metrics.append((pmu, element['MetricName']))
    return events, metrics


def laid_over(lower, upper):
    hidden = set(upper)
    return [name for name in lower if name not in hidden] + upper


def read_arch(arch_dir, models, rows):
    standard = standard_events(arch_dir)
    for folder, _, files in os.walk(arch_dir):
        if folder == arch_dir or not any(name.endswith('.json') for name in files):
            continue
        key = os.path.relpath(folder, arch_dir)
        events, metrics = names_of(folder, standard)
        below = models.get(key, ([], []))
        models[key] = laid_over(below[0], events), laid_over(below[1], metrics)
    rows[:0] = read_mapfile(arch_dir, models)


def read_mapfile(arch_dir, models):
    arch = os.path.basename(os.path.normpath(arch_dir))
    path = os.path.join(arch_dir, 'mapfile.csv')
    if not os.path.exists(path):
        return [Row(arch, 'testcpu', 'test_soc/cpu')] if 'test_soc/cpu' in models else []
    with open(path, encoding='utf-8') as file:
        lines = [line.strip() for line in file][1:]
    cells = [line.split(',') for line in lines if line and not line.startswith('#')]
    return [Row(arch, cell[0], cell[2]) for cell in cells if cell[2] in models or cell[2] == '-']


# --- CPU ids ---------------------------------------------------------------------------------

def python_pattern(posix):
    return posix.replace('[:xdigit:]', '0-9a-fA-F')


def example(parsed, last):
    """A text that matches a regular expression, made of its first or of its last alternatives."""
    text = ''
    for op, arg in parsed:
        op = str(op)
        if op == 'LITERAL':
            text += chr(arg)
        elif op == 'ANY':
            text += 'x'
        elif op == 'IN':
            kind, value = arg[-1 if last else 0]
            text += chr(value if str(kind) == 'LITERAL' else value[1 if last else 0])
        elif op == 'BRANCH':
            text += example(arg[1][-1 if last else 0], last)
        elif op == 'SUBPATTERN':
            text += example(arg[-1], last)
        elif op == 'MAX_REPEAT':
            low, high, what = arg
            text += example(what, last) * (min(high, low + 3) if last else low)
        elif op != 'AT':
            raise ValueError('cannot make an example for ' + op)
    return text


def examples(row):
    for last in (False, True):
        cpuid = example(regex_parser.parse(python_pattern(row.pattern)), last)
        if row.arch == 'x86' and cpuid.count('-') < 3:
            cpuid += '-' + '0F'[last]
        elif row.arch == 'arm64' and last:
            cpuid = '0x%016x' % (int(cpuid, 16) + 0x200003)
        yield cpuid


def fits(row, cpuid):
    if row.arch == 'arm64':
        if not re.fullmatch('0x[0-9a-fA-F]+', cpuid):
            return False
        want, has = int(row.pattern, 16), int(cpuid, 16)
        version = [(n >> 20 & 15, n & 15) for n in (has, want)]
        return want | 0xf0000f == has | 0xf0000f and version[0] >= version[1]
    # Dashes in ranges ("[0-9A-F]") count, as in perf.
    if row.arch == 'x86' and row.pattern.count('-') != 3 and cpuid.count('-') == 3:
        cpuid = cpuid.rpartition('-')[0]
    return bool(re.fullmatch(python_pattern(row.pattern), cpuid))


def cpu_ids(rows):
    """CPU ids, each with the model of the first row that it matches."""
    for row in rows:
        for cpuid in examples(row):
            yield cpuid, next(other.model for other in rows if fits(other, cpuid))


# --- The tables -----------------------------------------------------------------------------

def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          encoding='utf-8').stdout.splitlines()


def listed(program):
    models, model = {}, None
    for line in run(program):
        kind, first, *rest = line.split('\t')
        if kind == 'model':
            model = models[first] = ([], [])
        else:
            model[kind == 'metric'].append((first, rest[0]))
    return models


def differences(model, what, wanted, found):
    wanted, found = collections.Counter(wanted), collections.Counter(found)
    for pmu, name in sorted((wanted - found).keys()):
        yield f'{model}: {what} {name} of {pmu} is missing'
    for pmu, name in sorted((found - wanted).keys()):
        yield f'{model}: {what} {name} of {pmu} is not in the JSON, or less often'


def main():
    program, arch_dirs = sys.argv[1], sys.argv[2:]
    by_arch = collections.defaultdict(list)
    for arch_dir in arch_dirs:
        by_arch[os.path.basename(os.path.normpath(arch_dir))].append(arch_dir)
    wanted, ids = {}, {}
    for dirs in by_arch.values():
        models, rows = {}, []
        for arch_dir in dirs:
            read_arch(arch_dir, models, rows)
        wanted.update(models)
        ids.update(cpu_ids(rows))

    found, wrong = listed(program), []
    for model in sorted(wanted.keys() | found.keys()):
        for i, what in enumerate(('event', 'metric')):
            wrong += differences(model, what, wanted.get(model, ([], []))[i],
                                 found.get(model, ([], []))[i])
        if model not in wanted or model not in found:
            wrong.append(f'{model}: only in the ' + ('tables' if model in found else 'JSON'))
    for line in run(program, *ids):
        cpuid, model = line.split('\t')
        if model != ids[cpuid]:
            wrong.append(f'CPU {cpuid}: {model} instead of {ids[cpuid]}')

    print(*wrong, sep='\n', end='\n' if wrong else '')
    print(f'{len(wanted)} models with {sum(len(m[0]) for m in wanted.values())} events and '
          f'{sum(len(m[1]) for m in wanted.values())} metrics, {len(ids)} CPU ids: '
          f'{len(wrong)} differences')
    return 1 if wrong else 0


sys.exit(main())
