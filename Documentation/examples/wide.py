#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sum up what tma stat --format=csv-wide printed: wide.py ROWS.csv [SECONDS]

    tma stat -a --topdown -I1000 --format=csv-wide -o rows.csv
    python3 wide.py rows.csv

Prints for each place (CPU, core, cgroup ...) and metric its mean, least and greatest value, and the
time of the greatest; a mean is weighted with the length of the rows. With SECONDS, prints the means
of spans of that length instead. What was not measured is an empty field, and in no mean.
"""

import sys

import pandas

PLACES = ['node', 'socket', 'die', 'cluster', 'cache_level', 'cache', 'core', 'cpu', 'thread',
          'comm', 'cgroup']


def mean(values, lengths):
    """The mean over time; the rows that have no value do not count."""
    lengths = lengths[values.notna()]
    return (values * lengths).sum() / lengths.sum() if lengths.sum() else float('nan')


def rows_of(path):
    rows = pandas.read_csv(path)
    # With --summary there is a row of the whole run behind the others.
    intervals = rows[rows['row'] == 'interval']
    return intervals if len(intervals) else rows


def columns_of(rows):
    """Events and metrics stand between the shares of time and the reason; so do their errors."""
    names = list(rows.columns)
    found = names[names.index('running_percent') + 1:names.index('reason')]
    return [name for name in found if name != 'coverage_percent' and
            not name.endswith((' error', ' spread', ' spread (%)'))]


def sum_up(rows, columns):
    for name in columns:
        values = rows[name]
        if values.notna().any():
            yield {'column': name, 'mean': mean(values, rows['length']), 'least': values.min(),
                   'greatest': values.max(), 'at': rows['time'][values.idxmax()]}


def spans(rows, columns, seconds):
    starts = ((rows['time'] - rows['length']) // seconds) * seconds
    for start, part in rows.groupby(starts):
        yield {'from': start, **{name: mean(part[name], part['length']) for name in columns}}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    rows = rows_of(sys.argv[1])
    columns = columns_of(rows)
    places = [name for name in PLACES if name in rows.columns]
    groups = rows.groupby(places, dropna=False) if places else [('', rows)]
    for place, part in groups:
        if places:
            print(*places, '=', *(place if isinstance(place, tuple) else (place,)))
        if len(sys.argv) > 2:
            found = spans(part, columns, float(sys.argv[2]))
        else:
            found = sum_up(part, columns)
        print(pandas.DataFrame(found).to_string(index=False))


if __name__ == '__main__':
    main()
