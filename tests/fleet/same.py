#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that the rules of two files agree: same.py RULES.yml GLOBAL.rules.yml

Each series that the second file makes from sums is made in the same way by the first file. The
second file has all series of clusters and cgroups that the first file makes.
"""
import re
import sys

# Names of series: one file sums them over hosts, and the other over shards.
SUMS = re.compile(r'(cluster|cgroup):tma_slots(_of)?:rate5m$')


def rules_of(path):
    """Return: the texts of the rules for each name."""
    rules = {}
    with open(path, encoding='utf-8') as file:
        text = re.sub(r'(?m)^ *#.*\n|^  - name: .*\n|^    rules:\n', '', file.read())
    for rule in re.split(r'(?m)^      - ', text)[1:]:
        rules.setdefault(rule.split('\n')[0].split(': ')[1], []).append(rule.strip())
    return rules


def main():
    whole, above = rules_of(sys.argv[1]), rules_of(sys.argv[2])
    mistakes = [f'{name}: is another' for name, rules in above.items()
                if not SUMS.match(name) and rules != whole.get(name)]
    mistakes += [f'{name}: is not there' for name in whole
                 if name.startswith(('cluster:', 'cgroup:')) and name not in above]
    for mistake in mistakes:
        print(mistake)
    print(f'{len(above)} rules')
    return bool(mistakes)


if __name__ == '__main__':
    sys.exit(main())
