#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print C source that defines a string whose content is a JSON text: embed.py NAME FILE

NAME is the name of the string; FILE has the text.
"""
import json
import sys


def main():
    name, path = sys.argv[1:]
    with open(path, encoding="ascii") as source:
        text = source.read()
    json.loads(text)
    print(f"extern const char {name}[];\nconst char {name}[] =")
    for line in text.splitlines(keepends=True):
        quoted = line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        print(f'\t"{quoted}"')
    print(";")


if __name__ == "__main__":
    main()
