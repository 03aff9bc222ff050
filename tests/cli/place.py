#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the place in an answer of tma why -j: place.py ANSWER SOURCE CONDITION

Most samples outside the kernel must be at places for which the condition is true. The condition is
Python with these names: place (its members are named as in JSON), notes, and line(TEXT), which
gives the numbers of the source's lines with this text."""
import json
import sys


class Place:
    def __init__(self, values):
        self.__dict__.update(values)


def main():
    with open(sys.argv[1]) as file:
        answer = json.loads(file.read().splitlines()[-1])
    with open(sys.argv[2]) as file:
        source = file.read().splitlines()

    def line(text):
        return [i for i, words in enumerate(source, 1) if text in words]

    def holds(values):
        return eval(f"({sys.argv[3]})", {"place": Place(values), "notes": answer["notes"],
                                         "line": line})

    assert answer["sampled"][-1]["samples"] > 20, answer["sampled"]
    kernel = sum(p["percent"][-1] for p in answer["where"] if p["object"] == "[kernel]")
    share = sum(p["percent"][-1] for p in answer["where"] if holds(p))
    share *= 100 / (100 - kernel)
    assert share > 60, (share, answer["notes"], answer["where"][:4])


main()
