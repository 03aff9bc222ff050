#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Find marks of AsciiDoc that remain in man pages, and print FILE:LINE: TEXT. The exit status is 1
if there are any.
"""
import re
import sys

# A mark that asciidoctor did not understand: an asterisk or underscore on one side of a word, a
# backtick, or an attribute.
STRAY = re.compile(
    r"""(?:^|[\s(\[|,:#])\*+(?:[\w<-]|\ ?-)   # *word, *- which was *+-*
      | [\w\])'>=]\*+(?:$|[\s,.;:)\]|])       # word*
      | (?:^|[\s(])_[A-Za-z]+_ | _[A-Za-z]_   # _word_
      | ` | \{[a-z]+\} | \*[\]_] | [\[_]\*""",
    re.VERBOSE)
# Texts with an asterisk: patterns, pointers.
MEANT = re.compile(
    r'"make\*"|offcore_rsp=\*|protected_\*|uncore_imc_\*|char \*|\[\]\{\}\(\)\|\*\+\?\^\$')
FONT = re.compile(r"\\f(?:[BIRP]|\(\w\w)|\\[&/:]")
ESCAPES = {"\\-": "-", "\\(aq": "'", "\\(lq": '"', "\\(rq": '"', "\\(ha": "^", "\\(ti": "~"}


def text_of(line):
    text = FONT.sub("", line)
    for escape, character in ESCAPES.items():
        text = text.replace(escape, character)
    return text


def stray(name):
    """Yield the number and the text of each line with marks, but not in literal blocks."""
    literal = False
    with open(name, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            literal = line.startswith(".nf") or (literal and not line.startswith(".fi"))
            text = text_of(line.rstrip("\n"))
            comment = line.startswith((".\\\"", "'\\\""))
            if not literal and not comment and STRAY.search(MEANT.sub("", text)):
                yield number, text


def main():
    found = [(name, *line) for name in sys.argv[1:] for line in stray(name)]
    for name, number, text in found:
        print(f"{name}:{number}: {text}")
    return 1 if found else 0


sys.exit(main())
