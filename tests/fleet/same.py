#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that rules of two files are the same: same.py RULES.yml GLOBAL.rules.yml

All that the second file makes of sums, the first makes in the same way, and the second has all that
the first makes of clusters and cgroups.
"""
import re
import sys

# The series that one sums over hosts, and the other over shards.
SUMS = re.compile(r'(cluster|cgroup):tma_slots(_of)?:rate5m$')


def rules_of(path):
    """Return: for each name, the texts of its rules."""
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
