#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads pages of --format=html as their own program does, and reports what is wrong with them.

    page.py form FILE           one document that loads nothing, runs only its own program, and is
                                not too large
    page.py values FILE JSON    the same values and status as in the rows of --format=json
    page.py text FILE WORDS     the page has this text for a reader without JavaScript
"""

import base64
import hashlib
import json
import re
import struct
import sys
from collections import defaultdict
from html.parser import HTMLParser

BESIDE_DATA = 100000  # bytes that a page may have besides its data
PROGRAM_BYTES = 30000
FOR_A_VALUE = 20
VOID = {"meta", "link", "br", "img", "input", "hr", "wbr"}
LOADS = {"src", "href", "srcset", "action", "data", "poster", "formaction", "xlink:href", "background"}


class Wrong(Exception):
    """A page has a mistake."""


def expect(truth, message):
    if not truth:
        raise Wrong(message)


class Page(HTMLParser):
    """A page: its scripts, styles and text; its elements must be closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.policy, self.policies, self.breaks = [], "", 0, False
        self.scripts, self.styles, self.texts = [], [], []
        self.feed(text)
        self.close()
        expect(not self.open, f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.breaks = tag == "wbr"  # a line may end there, within a word
        for name, value in attrs:
            expect(not name.startswith("on"), f"<{tag} {name}=...>")
            expect(name not in LOADS or value.startswith("data:,") or value.startswith("#"),
                   f"<{tag} {name}={value!r}> loads something")
            expect(name != "style", f"<{tag} style=...> is against the policy")
        attributes = dict(attrs)
        expect(tag not in ("iframe", "object", "embed", "base", "form"), f"there is a <{tag}>")
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
            self.policies += 1
        if tag == "script":
            self.scripts.append([attributes.get("class"), attributes.get("type"), ""])
        if tag == "style":
            self.styles.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        expect(self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}")
        self.open.pop()

    def handle_data(self, data):
        if self.breaks and self.texts:
            data = self.texts.pop() + data
        self.breaks = False
        if self.open and self.open[-1] == "script":
            self.scripts[-1][2] += data
        elif self.open and self.open[-1] == "style":
            self.styles[-1] += data
        else:
            self.texts.append(data)

    def data(self, kind):
        return [json.loads(text) for of, _, text in self.scripts if of == kind]

    def data_bytes(self):
        return sum(len(text) for of, _, text in self.scripts if of)


def digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def doubles(text):
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // 8}d", data)


def skipped(ranges, series):
    return sum(max(0, min(nr, series - first)) for first, nr in ranges or [])


def is_in(ranges, series):
    return any(first <= series < first + nr for first, nr in ranges or [])


def values_of(page):
    """For each run: {(time in ns, name): sorted list of (value or status)}; the total has the time
    None."""
    runs = []
    for run in page.data("r"):
        number = run["run"]
        names = [column["n"] for column in run["columns"]]
        nr_rows, found = len(run["rows"]), defaultdict(list)
        codes, now = {0: "counted"}, {}
        for chunk in page.data("d"):
            if chunk["r"] != number:
                continue
            codes.update({code: status for code, status, _ in chunk.get("w") or []})
            times, values = doubles(chunk["t"]), doubles(chunk["v"])
            changes = {(series, row): code for series, row, code in chunk.get("s") or []}
            for row in range(chunk["n"]):
                for series in range(len(names) * nr_rows):
                    now[series] = changes.get((series, row), now.get(series, 0))
                    value = None
                    if is_in(chunk.get("z"), series):
                        value = 0.0
                    elif not is_in(chunk.get("a"), series):
                        at = series - sum(skipped(chunk.get(key), series) for key in "az")
                        value = values[at * chunk["n"] + row]
                    if codes[now[series]] != "absent":
                        found[round(times[row]), names[series // nr_rows]].append(
                            (value, codes[now[series]]))
        for whole in page.data("w"):
            if whole["r"] != number or "v" not in whole:
                continue
            codes.update({code: status for code, status, _ in whole.get("w") or []})
            status = base64.b64decode(whole["s"])
            for series, value in enumerate(doubles(whole["v"])):
                if codes[status[series]] != "absent":
                    found[None, names[series // nr_rows]].append((value, codes[status[series]]))
        runs.append(found)
    return runs


def check_form(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    page = Page(text)
    expect(text.startswith("<!DOCTYPE html>"), "no document type")
    expect(text.rstrip().endswith("</html>"), "it does not end")
    expect(page.policies == 1 and "default-src 'none'" in page.policy, f"policy {page.policy!r}")
    programs = [script for script in page.scripts if script[1] != "application/json"]
    expect(len(programs) == 1 and len(page.styles) == 1, "one program and one style")
    expect(len(programs[0][2].encode()) <= PROGRAM_BYTES, f"a program of {len(programs[0][2])} bytes")
    expect(digest(programs[0][2]) in page.policy, "the policy forbids its own program")
    expect(digest(page.styles[0]) in page.policy, "the policy forbids its own style")
    expect("unsafe" not in page.policy and "http" not in page.policy, page.policy)
    expect(not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text),
           "control characters")
    beside = len(text.encode()) - page.data_bytes()
    expect(beside <= BESIDE_DATA, f"{beside} bytes beside the data")
    values = sum(chunk["n"] * len(run["columns"]) * len(run["rows"]) for run in page.data("r")
                 for chunk in page.data("d") if chunk["r"] == run["run"])
    if values > 10000:
        expect(page.data_bytes() <= FOR_A_VALUE * values,
               f"{page.data_bytes()} bytes for {values} values")


def as_cell(value, status):
    number = None if value is None or value != value else float(f"{value:.15g}")
    return (status, -1.0 if number is None else number)


def check_values(path, rows):
    with open(path, encoding="utf-8", newline="") as file:
        run = values_of(Page(file.read()))[0]
    wanted = defaultdict(list)
    with open(rows, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("{"):
                continue
            row = json.loads(line)
            if row["type"] not in ("event", "metric"):
                continue
            time = None if row["row"] == "run" else round(row["time"] * 1e9)
            wanted[time, row["name"]].append(as_cell(row["value"], row["status"]))
    names = {name for _, name in run}
    wanted = {key: cells for key, cells in wanted.items() if key[1] in names}
    expect(wanted, f"{rows} has no rows of what is in the page")
    expect({time for time, _ in wanted} == {time for time, _ in run}, "not the same rows")
    for key, cells in wanted.items():
        got = sorted(as_cell(*cell) for cell in run.get(key, []))
        expect(got == sorted(cells), f"{key}: {got[:4]} for {sorted(cells)[:4]}")


def check_text(path, words):
    with open(path, encoding="utf-8", newline="") as file:
        text = " ".join(" ".join(Page(file.read()).texts).split())
    expect(words in text, f"no {words!r} in {text[:2000]!r}")


def main():
    checks = {"form": check_form, "values": check_values, "text": check_text}
    if len(sys.argv) < 3 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    try:
        checks[sys.argv[1]](*sys.argv[2:])
    except (Wrong, ValueError, KeyError) as error:
        sys.exit(f"{sys.argv[2]}: {error!r}")


if __name__ == "__main__":
    main()
