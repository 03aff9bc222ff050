#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""embed.py NAME FILE

Prints C source with the text of FILE, which is JSON, as the string NAME.
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
