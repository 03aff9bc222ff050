#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the Grafana dashboard: dashboard.py DASHBOARD.json RULES.yml

Each panel has its own id, and panels do not overlap. Variables in queries are defined. Each series
in a query is recorded by the rules or exported by tma.
"""
import json
import re
import sys

EXPORTED = {'tma_counted_ratio', 'tma_lost_seconds_total', 'tma_restarts_total'}
# A word before "{" or "[": the name of a series.
SERIES = re.compile(r'([a-z_:0-9]+)[{\[]')
VARIABLE = re.compile(r'\$\{?([a-z]+)')


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        dashboard = json.load(file)
    with open(sys.argv[2], encoding='utf-8') as file:
        recorded = set(re.findall(r'- record: (\S+)', file.read()))
    mistakes, places, queries = [], {}, 0
    variables = {variable['name'] for variable in dashboard['templating']['list']}
    ids = [panel['id'] for panel in dashboard['panels']]
    if len(set(ids)) != len(ids):
        mistakes.append('an id is there twice')
    for panel in dashboard['panels']:
        at = panel['gridPos']
        for x in range(at['x'], at['x'] + at['w']):
            for y in range(at['y'], at['y'] + at['h']):
                if x > 23 or places.setdefault((x, y), panel['id']) != panel['id']:
                    mistakes.append(f'{panel["title"]}: lies on another panel')
        for target in panel.get('targets', []):
            queries += 1
            names = set(SERIES.findall(target['expr']))
            mistakes += [f'{panel["title"]}: nothing records {name}'
                         for name in names - recorded - EXPORTED]
            if not names:
                mistakes.append(f'{panel["title"]}: asks for nothing')
            mistakes += [f'{panel["title"]}: there is no variable {name}'
                         for name in set(VARIABLE.findall(target['expr'])) - variables]
    for mistake in sorted(set(mistakes)):
        print(mistake)
    print(f'{queries} queries')
    return bool(mistakes)


if __name__ == '__main__':
    sys.exit(main())
