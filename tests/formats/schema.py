#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Hold the JSON lines of a file against a schema of Documentation: schema.py SCHEMA FILE"""
import json
import sys

import check


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        schema = json.load(file)
    for name, part in schema.get('$defs', {}).items():
        check.DEFINITIONS[f'#/$defs/{name}'] = part
    with open(sys.argv[2], encoding='utf-8') as file:
        lines = [json.loads(line) for line in file if line.startswith('{')]
    assert lines, 'there is no line of JSON'
    for line in lines:
        check.check_schema(line, schema, '')


if __name__ == '__main__':
    main()
