#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads the output of tma stat as its readers do, and reports what they would fail on.

    check.py json SCHEMA FILE       every line is JSON of its schema; no two lines have the same
subject
    check.py wide FILE              RFC 4180: every row has the header's columns, values are numbers
    check.py prom FILE              the rules of Prometheus' text format
    check.py slots JSON PROM LEVEL  shares of slots from counters equal the metrics' values, down to
                                    a level; below it, children may be reduced to fit their parents
    check.py all SCHEMA JSON WIDE [PROM]    all of these, and JSON and WIDE have the same values
    check.py trace SCHEMA FILE      an array of events of its schema: places and lanes have names,
                                    slices of a lane do not overlap, counters have one number
    check.py cut SCHEMA FILE        the same for an array that was cut off after a line
    check.py examples PAGE TMA      the program prints the examples of a manual page

FILE may be the standard error of a simulated run: the line about the simulation is skipped.
"""

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys

STATUSES = ['counted', 'scaled', 'partial', 'assumed', 'not counted', 'not supported', 'busy',
            'lost', 'no value']
PLACES = ['row', 'node', 'socket', 'die', 'cluster', 'cache_level', 'cache', 'core', 'cpu',
          'thread', 'comm', 'cgroup']
TYPES = {
    'object': dict, 'string': str, 'boolean': bool, 'null': type(None), 'integer': int,
    'number': (int, float), 'array': list,
}


DEFINITIONS = {}  # of the schema, by what refers to them


class Wrong(Exception):
    """A reader would fail on this."""


def expect(truth, message):
    if not truth:
        raise Wrong(message)


def text_of(path):
    """The text of a file, without the simulator's line."""
    with open(path, encoding='utf-8', newline='') as file:
        lines = file.read().split('\n')
    expect(lines and not lines[-1], f'{path}: the last line has no end')
    return [line for line in lines[:-1] if not line.startswith('tma: simulated machine')]


# --- JSON: the parts of JSON Schema that the schema uses; any other is a mistake in it ----------

def is_type(value, name):
    """In Python a boolean is a number, but not here; and 1.52e3 is an integer."""
    if name == 'integer' and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[name]) and (name == 'boolean' or not isinstance(value, bool))


def fits(value, schema):
    try:
        check_schema(value, schema, '')
        return True
    except Wrong:
        return False


def check_object(value, schema, where):
    for key in schema.get('required', []):
        expect(key in value, f'{where}: no {key}')
    for key, part in schema.get('properties', {}).items():
        if key in value:
            check_schema(value[key], part, f'{where}.{key}')


def check_conditions(value, schema, where):
    if 'oneOf' in schema:
        nr = sum(fits(value, part) for part in schema['oneOf'])
        expect(nr == 1, f'{where}: {nr} of oneOf fit')
    if 'anyOf' in schema:
        expect(any(fits(value, part) for part in schema['anyOf']), f'{where}: none of anyOf fits')
    for part in schema.get('allOf', []):
        check_schema(value, part, where)
    if 'if' in schema:
        branch = schema['then' if fits(value, schema['if']) else 'else']
        check_schema(value, branch, where)


def check_schema(value, schema, where):
    if '$ref' in schema:
        schema = DEFINITIONS[schema['$ref']]
    known = {'$schema', '$defs', 'title', 'description', 'type', 'required', 'properties', 'items',
             'const', 'enum', 'minimum', 'minLength', 'minItems', 'oneOf', 'anyOf', 'allOf', 'if',
             'then', 'else'}
    expect(set(schema) <= known, f'{where}: {set(schema) - known} is not known here')
    if 'type' in schema:
        names = schema['type'] if isinstance(schema['type'], list) else [schema['type']]
        expect(any(is_type(value, name) for name in names), f'{where}: {value!r} is no {names}')
    expect('const' not in schema or value == schema['const'], f'{where}: {value!r}')
    expect('enum' not in schema or value in schema['enum'], f'{where}: {value!r}')
    expect('minimum' not in schema or value is None or value >= schema['minimum'],
           f'{where}: {value!r} is too small')
    expect('minLength' not in schema or len(value) >= schema['minLength'], f'{where}: too short')
    if isinstance(value, dict):
        check_object(value, schema, where)
    if isinstance(value, list):
        expect(len(value) >= schema.get('minItems', 0), f'{where}: too few')
        for item in value:
            check_schema(item, schema['items'], where)
    check_conditions(value, schema, where)


def no_constant(name):
    raise Wrong(f'{name} is no JSON')


def no_key_twice(pairs):
    keys = [key for key, _ in pairs]
    expect(len(keys) == len(set(keys)), f'a key twice: {keys}')
    return dict(pairs)


def objects_of(path):
    return [json.loads(line, parse_constant=no_constant, object_pairs_hook=no_key_twice)
            for line in text_of(path)]


def identity(line):
    return tuple(str(line.get(key)) for key in ['time', 'type', 'name', 'pmu'] + PLACES)


def check_json(schema_path, path):
    with open(schema_path, encoding='utf-8') as file:
        schema = json.load(file)
    DEFINITIONS.update({f'#/$defs/{name}': part for name, part in schema['$defs'].items()})
    seen = set()
    lines = objects_of(path)
    expect(lines, 'nothing was printed')
    for number, line in enumerate(lines, 1):
        check_schema(line, schema, f'line {number}')
        # The schema allows more keys; this program prints only the keys that it names.
        known = set(schema['properties'])
        for part in schema['oneOf']:
            known |= set(part['properties'])
        expect(set(line) <= known, f'line {number}: {set(line) - known} not in the schema')
        expect(identity(line) not in seen, f'line {number}: {identity(line)} twice')
        seen.add(identity(line))


# --- CSV ---------------------------------------------------------------------------------------

def rows_of(path):
    text = '\n'.join(text_of(path)) + '\n'
    rows = list(csv.reader(io.StringIO(text, newline=''), strict=True))
    head = rows[0]
    expect(len(head) == len(set(head)), f'a column twice: {head}')
    for number, row in enumerate(rows[1:], 2):
        expect(len(row) == len(head), f'row {number}: {len(row)} fields, {len(head)} columns')
    return [dict(zip(head, row)) for row in rows[1:]]


def values_of(row):
    """The columns of events and metrics: those between the share of time and the reason."""
    behind = 'coverage_percent', 'estimate', 'simulated'
    row = {name: value for name, value in row.items() if name not in behind}
    names = list(row)
    expect(names[:3] == ['time', 'length', 'row'], f'the columns begin {names[:3]}')
    first = names.index('running_percent') + 1
    expect(names[first - 2] == 'status' and names[-1] == 'reason', f'columns {names}')
    return {name: row[name] for name in names[first:-1]}


def is_share(text):
    return text == '' or 0 <= float(text) <= 100


def check_wide(path):
    rows = rows_of(path)
    expect(rows, 'nothing but a header')
    for row in rows:
        for name, value in values_of(row).items():
            expect(re.fullmatch(r'(-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?)?', value),
                   f'{name}: {value!r} is no number')
        expect(row['status'] in STATUSES, row['status'])
        expect((row['status'] == 'counted') == (row['reason'] == ''), f'{row["reason"]!r}')
        if row['status'] in STATUSES[:3]:
            expect(row['running_percent'] != '', 'no share of time')
        expect(is_share(row.get('coverage_percent', '')), f'no share: {row}')


def heading_of(line, row):
    """If there are several PMUs, metrics and uncore boxes are distinguished by their PMU."""
    unit = f' ({line["unit"]})' if line['unit'] else ''
    apart = f'{line["name"]} [{line["pmu"]}]'
    headings = [apart + unit, apart, line['name'] + unit, line['name']]
    return next((heading for heading in headings if heading in row), headings[-1])


def is_same(text, number):
    """Without --precise, there are six digits, and always all digits before the point."""
    if number is None or text == '':
        return number is None and text == ''
    cut = f'{number:.6g}' if abs(number) < 1e6 else f'{number:.0f}'
    return float(text) == number or text == cut


def place_of(line):
    return tuple('' if line.get(key) is None else str(line[key]) for key in ['time'] + PLACES)


def check_same(json_path, wide_path):
    """A row of one format is all objects of the other format with the same time and place."""
    rows = {}
    for row in rows_of(wide_path):
        key = place_of(row)
        expect(key not in rows, f'{key} twice')
        rows[key] = row
    left = {key: {name for name, value in values_of(row).items() if value}
            for key, row in rows.items()}
    worst, estimates = {}, {}
    for line in objects_of(json_path):
        if line['type'] == 'run':
            continue
        line['time'] = f'{line["time"]:.9f}'
        key = place_of(line)
        row = rows[key]
        heading = heading_of(line, row)
        expect(is_same(row[heading], line['value']), f'{heading}: {row[heading]}, {line}')
        left[key].discard(heading)
        for beside, words in ('spread_percent', (' spread (%)', ' spread')), ('error', (' error',)):
            if beside in line:
                aside = next(heading + word for word in words if heading + word in row)
                expect(is_same(row[aside], line[beside]), f'{row[aside]}, {line}')
                left[key].discard(aside)
        if 'estimate' in line:
            estimates[key] = line['estimate']
        worst[key] = max(worst.get(key, 0), STATUSES.index(line['status']))
    for key, row in rows.items():
        expect(not left[key], f'{left[key]} only in csv-wide')
        expect(row.get('estimate', '') == estimates.get(key, ''), f'estimate {row.get("estimate")}')
        expect(row['status'] == STATUSES[worst[key]], f'{row["status"]}, {STATUSES[worst[key]]}')


def check_all(schema, json_path, wide_path, prom_path=None):
    check_json(schema, json_path)
    check_wide(wide_path)
    check_same(json_path, wide_path)
    if prom_path:
        check_prom(prom_path)


# --- Prometheus --------------------------------------------------------------------------------

LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(' + LABEL + '(?:,' + LABEL + r')*)\})? (\S+)')
KINDS = ['counter', 'gauge']


def check_prom(path):
    families, current, seen = {}, None, set()
    for line in text_of(path):
        if line.startswith('# HELP '):
            current = line.split(' ')[2]
            expect(current not in families, f'{current}: a family comes again')
            families[current] = 0
            continue
        if line.startswith('# TYPE '):
            _, _, name, kind = line.split(' ')
            expect(name == current and kind in KINDS, line)
            expect((kind == 'counter') == name.endswith('_total'), line)
            continue
        match = SAMPLE.fullmatch(line)
        expect(match, f'not a sample: {line}')
        name, labels, value = match.groups()
        expect(name == current, f'{name} among {current}')
        names = re.findall(r'([a-zA-Z_]\w*)="', labels or '')
        expect(len(names) == len(set(names)), f'a label twice: {line}')
        expect((name, labels) not in seen, f'a sample twice: {line}')
        seen.add((name, labels))
        expect(re.fullmatch(r'-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?', value), f'no number: {line}')
        families[name] += 1
    expect(families and all(families.values()), f'families without a sample: {families}')
    expect('tma_event_status' in families or 'tma_metric_status' in families or
           'tma_counted_ratio' in families, 'no status')


# --- Traces ------------------------------------------------------------------------------------

COUNTERS = 1e-3  # points that rounding to whole slots may cost
FITTED = 0.2     # and those of children that together are more than their parent


def check_slots(json_path, prom_path, level):
    """The nodes of a TopDown tree, from a single row."""
    values = {line['name']: line['value'] for line in objects_of(json_path)
              if line['type'] == 'metric' and line['unit'] == '%'}
    slots, levels = {}, {}
    for line in text_of(prom_path):
        found = SAMPLE.fullmatch(line)
        if found and found[1] == 'tma_slots_total':
            labels = dict(re.findall(r'(\w+)="([^"]*)"', found[2]))
            slots[labels['metric']] = float(found[3])
            levels[labels['metric']] = int(labels['level'])
    total = slots.pop('total')
    expect(set(slots) == set(values), f'other nodes: {set(slots) ^ set(values)}')
    for name, count in slots.items():
        off = abs(100 * count / total - values[name])
        expect(off <= (COUNTERS if levels[name] <= int(level) else FITTED),
               f'{name}: {100 * count / total} % of the slots, {values[name]} %')


def check_lane(slices, where):
    """If slices of a thread overlap, readers draw one inside the other, or drop it."""
    slices.sort(key=lambda event: event['ts'])
    for before, after in zip(slices, slices[1:]):
        ends = round((before['ts'] + before['dur']) * 1000)
        expect(ends <= round(after['ts'] * 1000), f'{where}: {before} goes beyond {after}')


def check_events(events):
    named, lanes, counted = set(), {}, set()
    for event in events:
        place = (event['pid'], event.get('tid', 0))
        if event['ph'] == 'M':
            expect((place, event['name']) not in named, f'told twice: {event}')
            named.add((place, event['name']))
            expect('name' not in event['args'] or event['args']['name'], f'no name: {event}')
            continue
        expect((place, 'thread_name' if place[1] else 'process_name') in named, f'no name: {event}')
        if event['ph'] == 'X':
            lanes.setdefault(place, []).append(event)
            continue
        values = list(event['args'].values())
        expect(len(values) == 1 and is_type(values[0], 'number'), f'no number: {event}')
        key = (event['pid'], event['name'], event['ts'])
        expect(key not in counted, f'twice: {event}')
        counted.add(key)
    for place, slices in lanes.items():
        check_lane(slices, place)


def check_trace(schema_path, path, end=''):
    with open(schema_path, encoding='utf-8') as file:
        schema = json.load(file)
    lines = text_of(path)
    expect(lines and lines[0].startswith('[{'), 'readers know a trace by its first characters')
    events = json.loads('\n'.join(lines) + end, parse_constant=no_constant,
                        object_pairs_hook=no_key_twice)
    for number, event in enumerate(events, 1):
        check_schema(event, schema, f'event {number}')
        expect(set(event) <= set(schema['properties']), f'event {number}: {event}')
        expect(event['name'].isprintable(), f'event {number}: a name that some readers refuse')
    check_events(events)


def check_cut(schema_path, path):
    check_trace(schema_path, path, ']')


# --- The manual --------------------------------------------------------------------------------

MARKS = re.compile(
    r'\{"schema":1,"type":"run","simulated".*\n|(# (HELP|TYPE) )?tma_simulated.*\n|'
    r',\{"name":"process_labels".*simulated machine.*\n|'
    r'Simulated machine .* are synthetic\.\n\n|\n simulated machine .*\n|'
    r',(simulated|sapphirerapids)$', re.M)


# A hash of the tables' files, which is different with another KERNEL_SRC.
HASH = re.compile(r'(tables="\w+ )[0-9a-f]{16}"')


def without_marks(text):
    """The examples are from a real machine, so they lack the marks of a simulated one."""
    return MARKS.sub('', text.replace('its counts are', 'are'))


def without_hash(lines):
    return [HASH.sub(r'\1"', line) for line in lines]


def check_examples(page, program):
    """Lines of an example, its marks, its command and its output, without the blanks around them."""
    with open(page, encoding='utf-8') as file:
        examples = re.findall(r'^----\n\$ tma (.*?)\n(.*?)^----$', file.read(), re.M | re.S)
    expect(len(examples) > 4, f'{len(examples)} examples')
    environment = dict(os.environ, TMA_SIM_STEP='10', LC_ALL='C')
    for command, text in examples:
        words = [program, '--machine', 'sapphirerapids'] + shlex.split(command)
        done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, check=False,
                              capture_output=True, text=True)
        notes = done.stderr.splitlines()
        expect(notes and notes[0].startswith('tma: simulated machine'), f'{command}: {notes}')
        got = [line.rstrip() for line in
               without_marks(done.stdout).splitlines() + notes[1:]]
        expect(without_hash(got) == without_hash(text.splitlines()),
               f'{command}: prints\n' + '\n'.join(got))


CHECKS = {'json': check_json, 'wide': check_wide, 'prom': check_prom, 'all': check_all,
          'slots': check_slots, 'trace': check_trace, 'cut': check_cut, 'examples': check_examples}


def main():
    try:
        CHECKS[sys.argv[1]](*sys.argv[2:])
    except (Wrong, ValueError, KeyError) as wrong:
        sys.exit(f'{" ".join(sys.argv[1:])}: {type(wrong).__name__}: {wrong}')


if __name__ == '__main__':
    main()
