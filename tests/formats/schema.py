#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks JSON that tma printed with a schema of Documentation: schema.py SCHEMA FILE

FILE has one array, or a JSON object on each line that begins with '{'; other lines are skipped.
Readers must accept keys that they do not know, and so does the schema; but here each key that this
version prints must be in the schema.
"""
import json
import sys

import check


def parts_of(schema):
    """The schemas that may describe a value; one of them must."""
    if '$ref' in schema:
        yield from parts_of(check.DEFINITIONS[schema['$ref']])
        return
    yield schema
    for key in ('oneOf', 'anyOf', 'allOf'):
        for part in schema.get(key, []):
            yield from parts_of(part)
    for key in ('then', 'else'):
        if key in schema:
            yield from parts_of(schema[key])


def check_keys(value, schemas, where):
    """Every key, at any depth, must be in a schema that describes the key's object."""
    parts = [part for schema in schemas for part in parts_of(schema)]
    if isinstance(value, list):
        items = [part['items'] for part in parts if 'items' in part]
        for item in value:
            check_keys(item, items, where + '[]')
    if not isinstance(value, dict) or not any('properties' in part for part in parts):
        return
    for key, inner in value.items():
        known = [part['properties'][key] for part in parts if key in part.get('properties', {})]
        check.expect(known, f'{where}.{key} is not in the schema')
        check_keys(inner, known, f'{where}.{key}')


def values_of(path):
    with open(path, encoding='utf-8') as file:
        lines = [line for line in file if not line.startswith('tma: ')]
    if lines and lines[0].startswith('['):
        return [json.loads(''.join(lines))]
    return [json.loads(line) for line in lines if line.startswith('{')]


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        schema = json.load(file)
    for name, part in schema.get('$defs', {}).items():
        check.DEFINITIONS[f'#/$defs/{name}'] = part
    values = values_of(sys.argv[2])
    assert values, 'there is no JSON'
    for value in values:
        check.check_schema(value, schema, '')
        check_keys(value, [schema], '')


if __name__ == '__main__':
    main()
