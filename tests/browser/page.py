#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""page.py BUILD [--browser chromium|firefox] [--pictures DIR] [--day]: use pages of --format=html

Makes pages on simulated machines, opens them in the browsers that are installed, and uses them as a
person does, with pointer and keyboard. Nothing may be loaded, the console must have no messages,
and the values must be those of --format=json. Prints a line "ok NAME", "not ok NAME: why" or "skip
NAME: reason" for each test. --pictures keeps pictures of the pages, and --day also opens a page
with a day of seconds.
"""

import argparse
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from browsers import BROWSERS, Absent

NAME = "</script><img src=x onerror=\"document.title='acted'\">"
FUNCTION = "</script><img/src=x/onerror=title='acted'>"
OPENS_IN = 2.0  # seconds, on an idle computer
TRIES = 3
DAY = 86400


class Wrong(Exception):
    """A browser shows something that is wrong."""


def expect(truth, message):
    if not truth:
        raise Wrong(message)


def expect_equal(what, got, wanted):
    expect(got == wanted, f"{what}: {got!r}, not {wanted!r}")


def tma(build, machine, words, **env):
    """Return: the standard output of a run on a simulated machine."""
    done = subprocess.run([os.path.join(build, "tma"), "--machine", machine] + words, check=False,
                          env=dict(os.environ, LC_ALL="C", **env), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=600)
    expect(done.returncode == 0, f"{words}: status {done.returncode}, {done.stderr[-500:]}")
    return done.stdout


def values(lines, place=""):
    """The values of all intervals by name, from --format=json."""
    found = {}
    for line in lines.splitlines():
        row = json.loads(line) if line.startswith("{") else {}
        if row.get("type") in ("event", "metric") and row["row"] != "run" and \
                str(row.get("place", "")) == place:
            found.setdefault(row["name"], []).append(row["value"])
    return found


class Pages:
    """The pages to test; each page is made when it is first asked for."""

    tree = ["stat", "-a", "--topdown", "--td-level", "2", "-I", "1000", "--interval-count", "40"]
    cpus = ["stat", "-a", "-A", "-e", "cycles,instructions", "-I", "100", "--interval-count", "8"]

    def __init__(self, build, folder):
        self.build, self.folder = build, folder

    def page(self, name, machine, words, **env):
        path = os.path.join(self.folder, name + ".html")
        if not os.path.exists(path):
            words = words[:1] + ["--format=html", "-o", path] + words[1:]
            tma(self.build, machine, words, TMA_SIM_STEP="100", **env)
        return path

    def rows(self, machine, words):
        """A page with --error, as a page has by default: if events take turns and counters are
        read, there are errors.
        """
        return tma(self.build, machine, words[:1] + ["--format=json", "--error"] + words[1:], TMA_SIM_STEP="100")

    def of_tree(self):
        return self.page("tree", "sapphirerapids", self.tree)

    def of_cpus(self):
        return self.page("cpus", "sapphirerapids", self.cpus)

    def of_phases(self):
        """A page of 40 s; in each quarter slots are lost in another way."""
        machine = os.path.join(self.folder, "long")
        with open(os.path.join(self.build, "machines", "sapphirerapids"), encoding="utf-8") as file:
            text = re.sub(r"(?m)^phases .*$", "phases" + 4 * " 10000ms", file.read())
        for part in glob.glob(os.path.join(self.build, "machines", "*.part")):
            shutil.copy(part, self.folder)
        with open(machine, "w", encoding="utf-8") as file:
            file.write(text)
        return self.page("phases", machine, self.tree)

    def of_functions(self):
        """A command in three functions in turn; the name of one of them has a meaning in HTML."""
        places = os.path.join(self.build, "tests", "sim", "places")
        here = os.path.dirname(os.path.abspath(__file__))
        script = os.path.join(here, "..", "sim", "functions.py")
        told = subprocess.run([sys.executable, "-B", script, "machine", "alderlake"], check=True,
                              stdout=subprocess.PIPE, encoding="utf-8").stdout
        machine, program = os.path.join(self.folder, "functions"), places
        with open(os.path.join(here, "..", "sim", "places.c"), encoding="utf-8") as file:
            line = file.read().splitlines().index("FUNCTION(f1)") + 1
        if shutil.which("objcopy"):
            program = os.path.join(self.folder, "places")
            subprocess.run(["objcopy", "--redefine-sym", f"f1={FUNCTION}", places, program], check=True)
            told = told.replace("at f1", f"at places.c:{line}")
            told = told.replace(" f1 ", f" places.c:{line} ")
        part = os.path.abspath(os.path.join(self.build, "machines", "alderlake"))
        with open(machine, "w", encoding="utf-8") as file:
            file.write(f"{told}include {part}\n")
        words = ["stat", "--per-function", "--topdown", "--td-level", "2", program, "wait", "100"]
        return self.page("functions", machine, words, TMA_SIM_COMMAND="40000")

    def of_comparison(self):
        """A page of two recordings, next to each other."""
        path = os.path.join(self.folder, "comparison.html")
        files = [os.path.join(self.folder, name) for name in ("before", "after")]
        if not os.path.exists(path):
            for file in files:
                tma(self.build, "skylakex",
                    ["stat", "record", "-o", file, "--quiet", "-a", "--topdown", "--td-level", "2",
                     "-I", "1000", "--interval-count", "20"], TMA_SIM_STEP="100")
            tma(self.build, "skylakex", ["compare", "--format=html", "-o", path] + files)
        return path

    def of_arm(self):
        return self.page("arm", "neoverse-n2", ["stat", "-a", "--topdown", "-I", "1000", "--interval-count", "10"])

    def of_whole(self):
        return self.page("whole", "skylakex", ["stat", "-a", "--topdown", "--td-level", "3", "--timeout", "2000"])

    def of_types(self):
        return self.page("types", "alderlake", self.tree)


# --- What a person does -------------------------------------------------------------------------


def find(browser, query):
    """Scroll to an element. Return: x and y of its middle, and its width."""
    return browser.run("""const e = document.querySelector(arguments[0]);
        e.scrollIntoView({block: "center"});
        const box = e.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2, box.width];""", query)


def move(x, y):
    return {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y), "origin": "viewport"}


def point(browser, *steps):
    browser.act([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                  "actions": list(steps)}])
    settle(browser)


def settle(browser):
    """Wait until the drawing has followed the pointer."""
    browser.wait("""const done = arguments[arguments.length - 1];
        requestAnimationFrame(() => requestAnimationFrame(() => done(0)));""")


KEYS = {"Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "Shift": "\ue008",
        "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010", "Tab": "\ue004", "Space": "\ue00d"}


def press(browser, *names):
    """Press keys; Shift is held down for the keys after it."""
    actions = []
    for name in names:
        actions.append({"type": "keyDown", "value": KEYS[name]})
        if name != "Shift":
            actions.append({"type": "keyUp", "value": KEYS[name]})
    if "Shift" in names:
        actions.append({"type": "keyUp", "value": KEYS["Shift"]})
    browser.act([{"type": "key", "id": "keys", "actions": actions}])
    settle(browser)


def text(browser, query):
    return browser.run("return document.querySelector(arguments[0])?.textContent ?? null", query)


def open_page(browser, path):
    browser.open(path)
    ready = browser.run("return document.documentElement.dataset.ready ?? null")
    expect(ready is not None, f"the program of {path} did not end: {browser.messages()}")
    settle(browser)


def rows_of_csv(browser):
    rows = list(csv.reader(io.StringIO(browser.run("return tma[0].csv()"))))
    return rows[0], rows[1:]


# --- Tests --------------------------------------------------------------------------------------


def test_quiet(browser, pages):
    """nothing is loaded, and the console has no messages"""
    browser.messages()
    browser.requests()
    for path in (pages.of_tree(), pages.of_cpus(), pages.of_types()):
        open_page(browser, path)
        asked = [url for url in browser.requests() if not url.startswith(("file:", "data:"))]
        expect_equal("requests", asked, [])
        expect_equal("console", browser.messages(), [])


def test_policy(browser, pages):
    """the page's policy forbids everything from elsewhere"""
    open_page(browser, pages.of_tree())
    blocked = browser.wait("""const done = arguments[arguments.length - 1], blocked = [];
        document.addEventListener("securitypolicyviolation", e => blocked.push(e.effectiveDirective));
        const add = (name, values) =>
            document.body.append(Object.assign(document.createElement(name), values));
        add("img", {src: "http://127.0.0.1:9/x.png"});
        add("script", {textContent: "document.title = 'acted'"});
        add("style", {textContent: "body { display: none }"});
        fetch("http://127.0.0.1:9/").catch(() => 0);
        setTimeout(() => done(blocked.map(d => d.split("-elem")[0]).sort()), 500);""")
    expect_equal("blocked", sorted(set(blocked)), ["connect-src", "img-src", "script-src", "style-src"])
    expect(browser.run("return document.title") != "acted", "a script acted")
    browser.messages()


def test_values(browser, pages):
    """all values are those of --format=json"""
    open_page(browser, pages.of_tree())
    wanted = values(pages.rows("sapphirerapids", pages.tree))
    heads, rows = rows_of_csv(browser)
    expect_equal("rows", len(rows), 40)
    names = [re.sub(r" \(.*", "", head) for head in heads]
    expect(wanted and set(wanted) <= set(names), f"{sorted(wanted)} are not all in {names}")
    for name, column in wanted.items():
        got = [float(row[names.index(name)]) for row in rows]
        expect_equal(name, got, [float(f"{value:.15g}") for value in column])
    cell = browser.run("""const t = document.querySelector(".values table"), i = [...t.tHead.rows[0].cells]
        .findIndex(c => c.textContent.startsWith("tma_memory_bound"));
        return [...t.tBodies[0].rows].map(r => r.cells[i].title);""")
    expect_equal("the table", [float(value) for value in cell],
                 [float(f"{value:.15g}") for value in wanted["tma_memory_bound"]])


def test_pointer(browser, pages):
    """the pointer chooses an interval, whose tree is shown, and drags a range"""
    open_page(browser, pages.of_tree())
    heads, rows = rows_of_csv(browser)
    retiring = [head.split(" ")[0] for head in heads].index("tma_retiring")
    x, y, wide = find(browser, ".time svg")
    point(browser, move(x, y))
    said = re.match(r"Interval (\d+) of 40, .*: tma_retiring ([0-9.]+)", text(browser, ".say"))
    expect(said, f"said: {text(browser, '.say')}")
    row = int(said[1]) - 1
    expect(18 <= row <= 22, f"the middle is interval {row + 1}")
    expect(abs(float(rows[row][retiring]) - float(said[2])) < .1, f"{said[0]}: {rows[row][retiring]}")
    expect(f"tma_retiring {said[2]}" in text(browser, ".icicle"), f"tree: {text(browser, '.icicle')}")
    point(browser, move(x - wide / 8, y), {"type": "pointerDown", "button": 0}, move(x, y),
          move(x + wide / 8, y), {"type": "pointerUp", "button": 0})
    point(browser, move(1, 1))
    said = re.match(r"Mean of intervals (\d+) to (\d+), .*: tma_retiring ([0-9.]+)", text(browser, ".say"))
    expect(said, f"said: {text(browser, '.say')}")
    first, last = int(said[1]) - 1, int(said[2]) - 1
    expect(8 <= last - first <= 12, f"{first} to {last}")
    _, part = rows_of_csv(browser)
    expect_equal("rows of the range", part, rows[first:last + 1])
    mean = sum(float(row[retiring]) for row in part) / len(part)
    expect(abs(mean - float(said[3])) < .1, f"{said[0]}: {mean}")


def test_keyboard(browser, pages):
    """arrow keys choose, with Shift a range, Enter zooms and Escape goes back"""
    open_page(browser, pages.of_tree())
    for _ in range(10):
        press(browser, "Tab")
        if browser.run("return document.activeElement.className") == "time":
            break
    expect_equal("focus", browser.run("return document.activeElement.className"), "time")
    press(browser, "Right")
    expect(text(browser, ".say").startswith("Interval 1 of 40"), text(browser, ".say"))
    press(browser, "Right")
    press(browser, "Shift", "Right", "Right")
    expect(text(browser, ".say").startswith("Mean of intervals 2 to 4,"), text(browser, ".say"))
    press(browser, "Enter")
    expect("rows 2 to 4 of 40" in text(browser, ".values caption"), text(browser, ".values caption"))
    press(browser, "Escape")
    press(browser, "Escape")
    expect("rows 1 to 40 of 40" in text(browser, ".values caption"), text(browser, ".values caption"))
    press(browser, "End")
    expect(text(browser, ".say").startswith("Interval 40 of 40"), text(browser, ".say"))
    expect_equal("now", browser.run("return document.querySelector('.time').getAttribute('aria-valuenow')"), "40")


def test_places(browser, pages):
    """CPUs stand beside each other, and one of them is chosen; events have a line"""
    open_page(browser, pages.of_cpus())
    expect_equal("lines", browser.run("return document.querySelectorAll('.live svg g title').length"), 8)
    rows = pages.rows("sapphirerapids", pages.cpus)
    for place in (0, 5):
        browser.run("""const s = document.querySelector('[aria-label=Place]');
            s.value = arguments[0];
            s.dispatchEvent(new Event('change'));""", place)
        heads, got = rows_of_csv(browser)
        wanted = [json.loads(line)["value"] for line in rows.splitlines() if line.startswith("{") and
                  f'"cpu":{place},' in line.replace(" ", "") and '"name":"instructions"' in line.replace(" ", "")]
        expect_equal(f"instructions of CPU {place}", [float(row[heads.index("instructions")]) for row in got], wanted)
    browser.run("document.querySelector('.line').focus()")
    press(browser, "Right")
    expect(text(browser, ".say").startswith("Interval 1 of 8"), text(browser, ".say"))
    expect(browser.run("return document.querySelector('.line path.curve').getAttribute('d').length") > 20, "no line")


def press_heading(browser, table, name):
    browser.run("""const [table, name] = arguments;
        [...document.querySelectorAll(table + " th button")].find(b => b.textContent == name).click();""", table, name)


def column(browser, table, number):
    return browser.run("""const [table, number] = arguments;
        return [...document.querySelectorAll(table + " tr")].slice(1).map(r => r.cells[number].textContent);""", table, number)


def test_phases(browser, pages):
    """phases are a table that sorts, with each one's bottleneck, which is the first thing that is drawn"""
    open_page(browser, pages.of_phases())
    ends = column(browser, ".phases", 4)
    expect_equal("bottlenecks", ends, ["tma_memory_bound", "tma_memory_bound", "tma_fetch_latency", "tma_core_bound"])
    expect_equal("starts", column(browser, ".phases", 1), ["0.000", "10.000", "20.000", "30.000"])
    press_heading(browser, ".phases", "Its value / %")
    shares = numbers(column(browser, ".phases", 5))
    expect_equal("sorted", shares, sorted(shares, reverse=True))
    focus_heading(browser, ".phases", "Its value / %")
    press(browser, "Enter")
    expect_equal("and back", numbers(column(browser, ".phases", 5)), sorted(shares))
    expect_equal("sorted by", sorting(browser, ".phases"), {"Its value / %": "ascending"})
    expect_equal("drawn", text(browser, ".live h3 ~ h3"), "memory (tma_memory_bound) over time, in %")
    press_heading(browser, ".means", "Name")
    names = column(browser, ".means", 0)
    expect(len(names) == 12 and names == sorted(names), f"by name: {names}")


def focus_heading(browser, table, name):
    browser.run("""const [table, name] = arguments;
        [...document.querySelectorAll(table + " th button")]
            .find(b => b.textContent == name).focus();""", table, name)


def sorting(browser, table):
    """The value of aria-sort for each heading that has one."""
    return browser.run("""return Object.fromEntries(
        [...document.querySelectorAll(arguments[0] + " th[aria-sort]")].map(th => [th.textContent, th.getAttribute("aria-sort")]))""", table)


def numbers(texts):
    return [float(re.match("[-0-9.]+", text)[0]) for text in texts if text]


def test_functions(browser, pages):
    """functions are a table with errors and bottleneck, which sorts by pointer and by keys"""
    open_page(browser, pages.of_functions())
    table = ".functions"
    expect_equal("console", browser.messages(), [])
    first = FUNCTION if shutil.which("objcopy") else "f1"
    names = [first, first, "f2", "f2", "f0", "f0"]
    expect_equal("in the order of slots lost", column(browser, table, 0)[:6], names)
    expect_equal("images", browser.run("return document.querySelectorAll('img').length"), 0)
    expect_equal("types", column(browser, table, 1)[:6], ["cpu_core", "cpu_atom"] * 3)
    expect("(tma_memory_bound)" in column(browser, table, 2)[0], column(browser, table, 2))
    shares = column(browser, table, 3)
    expect(all("\u00b1" in share for share in shares if share), shares)
    expect(abs(numbers(shares)[0] - 50) < 5, shares)
    expect_equal("sorted by nothing", sorting(browser, table), {})
    # With the pointer: first the largest share is on top, and lines without a share are last; then
    # the smallest is on top.
    find(browser, table)
    x, y, _ = find(browser, table + " th:nth-child(4) button")
    click = (move(x, y), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})
    point(browser, *click)
    expect_equal("by share", column(browser, table, 0)[:3], [first, "f0", "f2"])
    expect_equal("sorted by", sorting(browser, table), {"share (%)": "descending"})
    expect_equal("lines without a share", column(browser, table, 3)[-3:], ["", "", ""])
    point(browser, *click)
    shares = numbers(column(browser, table, 3))
    expect_equal("by share, upwards", shares, sorted(shares))
    expect_equal("lines without a share", column(browser, table, 3)[-3:], ["", "", ""])
    # With keys: by name, first upwards; lines of the same name keep their order.
    types = dict(zip(zip(column(browser, table, 0), column(browser, table, 1)), range(20)))
    focus_heading(browser, table, "Function")
    press(browser, "Enter")
    got = column(browser, table, 0)
    expect_equal("by name", got[:6], [first, first, "f0", "f0", "f2", "f2"])
    expect_equal("sorted by", sorting(browser, table), {"Function": "ascending"})
    places = [types[key] for key in zip(got, column(browser, table, 1))]
    expect(all(a < b for a, b in zip(places[::2], places[1::2])), f"not stable: {places}")
    press(browser, "Space")
    expect_equal("backwards", column(browser, table, 0)[-6:], ["f2", "f2", "f0", "f0", first, first])
    expect_equal("sorted by", sorting(browser, table), {"Function": "descending"})
    expect_equal("focus", browser.run("return document.activeElement.textContent"), "Function")
    # Each function has a tree, and the lengths of bars are their values.
    options = browser.run("""return [...document.querySelector('[aria-label=Place]').options]
        .map(o => o.textContent)""")
    expect_equal("places", options[:6], [f"{name} {kind}" for name, kind in zip(names, ["cpu_core", "cpu_atom"] * 3)])
    bars = browser.run("""return [...document.querySelectorAll(".live svg g")]
        .map(g => [g.querySelector("text"), g.querySelector(".heat")]).filter(([, bar]) => bar)
        .map(([text, bar]) => [parseFloat(text.textContent), +bar.getAttribute("width")])""")
    expect(len(bars) >= 3, f"bars: {bars}")
    most = max(bars)
    for value, wide in bars:
        expect(abs(wide / most[1] - value / most[0]) < .02, f"bars: {bars}")


def test_without_script(browser, pages):
    """without JavaScript functions and phases are in their order, and nothing is to be pressed"""
    if browser.name != "chromium":
        return "scripts are turned off in chromium alone"
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(pages.of_functions())
        expect_equal("names", column(browser, ".functions", 0)[2:6], ["f2", "f2", "f0", "f0"])
        browser.open(pages.of_phases())
        expect_equal("starts", column(browser, ".phases", 1), ["0.000", "10.000", "20.000", "30.000"])
        expect_equal("buttons", browser.run("return document.querySelectorAll('button').length"), 0)
    finally:
        browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
    return None


def test_comparison(browser, pages):
    """a comparison begins with what changed and with its sides, and its tables sort"""
    open_page(browser, pages.of_comparison())
    expect_equal("console", browser.messages(), [])
    expect_equal("sides", column(browser, ".sides", 0), ["A", "B"])
    heads = browser.run("""return [...document.querySelectorAll('.sides th[scope=col]')]
        .map(e => e.textContent)""")
    expect_equal("known", heads, ["Side", "Command", "Recording", "Simulated machine", "Host",
                                  "Date (UTC)", "Kernel", "Measured"])
    expect("stat record -o" in column(browser, ".sides", 1)[0], column(browser, ".sides", 1))
    press_heading(browser, ".differences", "A")
    shares = numbers(column(browser, ".differences", 1))
    expect(len(shares) > 10 and shares == sorted(shares, reverse=True), shares)


def test_top(browser, pages):
    """what was measured, and the verdict, come before all pictures"""
    open_page(browser, pages.of_phases())
    facts = browser.run("return [...document.querySelectorAll('.facts th')].map(e => e.textContent)")
    expect_equal("facts", facts[:5], ["Simulated", "Host", "Started", "CPU", "Command"])
    order = browser.run("""return [".facts", ".verdict", ".time"]
        .map(q => document.querySelector(q).getBoundingClientRect().top)""")
    expect(order == sorted(order), f"tops: {order}")
    expect("Verdict: tma_backend_bound" in text(browser, ".verdict"), text(browser, ".verdict"))
    keys = browser.run("return [...document.querySelectorAll('.time .key')].map(e => e.textContent)")
    expect_equal("order", [re.search(r"\((.*)\)", key)[1] for key in keys],
                 ["tma_retiring", "tma_frontend_bound", "tma_bad_speculation", "tma_backend_bound"])


def test_first(browser, pages):
    """without thresholds the first thing that is drawn is what most slots are lost to"""
    open_page(browser, pages.of_arm())
    expect_equal("drawn", text(browser, ".live h3 ~ h3"), "back end (backend_bound) over time, in %")
    expect("Verdict: backend_bound" in text(browser, ".verdict"), text(browser, ".verdict"))
    expect("neoverse-n2" in text(browser, ".facts"), text(browser, ".facts"))


def test_whole(browser, pages):
    """a run without intervals has a tree and values with their errors, and nothing over time"""
    open_page(browser, pages.of_whole())
    shown = browser.run("""return [".time", ".line", ".icicle svg", ".means"]
        .map(q => document.querySelector(q).checkVisibility())""")
    expect_equal("shown", shown, [False, False, True, True])
    values_ = column(browser, ".means", 1)
    with_errors = [value.split(" \u00b1\u00a0") for value in values_ if "\u00b1" in value]
    expect(len(with_errors) > 10, f"{values_}")
    for value, error in with_errors:
        expect(float(error) > 0 and len(value.partition(".")[2]) == len(error.partition(".")[2]), f"{value} +- {error}")


def test_copy(browser, pages):
    """a button copies what is shown as CSV"""
    open_page(browser, pages.of_tree())
    if browser.name == "chromium":
        browser.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    find(browser, ".values button:last-of-type")
    x, y, _ = find(browser, ".values button:last-of-type")
    point(browser, move(x, y), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})
    for _ in range(50):
        if text(browser, ".values [role=status]"):
            break
        time.sleep(0.1)
    expect_equal("said", text(browser, ".values [role=status]"), "40 rows are on the clipboard.")
    if browser.name == "chromium":
        copied = browser.wait("navigator.clipboard.readText().then(arguments[0], e => arguments[0](String(e)))")
        expect_equal("copied", copied.replace("\r", ""), browser.run("return tma[0].csv()"))


# Words whose contrast is below 4.5 (WCAG 2). Words of the tree are drawn on a box.
FAINT = """
    const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
    const linear = c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
    const light = ([r, g, b]) =>
        .2126 * linear(r / 255) + .7152 * linear(g / 255) + .0722 * linear(b / 255);
    const over = (top, alpha, under) =>
        top.slice(0, 3).map((c, i) => c * alpha + under[i] * (1 - alpha));
    const paper = numbers(getComputedStyle(document.body).backgroundColor), faint = new Set();
    const words = "th, td, p, pre, li, h1, h2, h3, label, select, button:not(:disabled)";
    const check = (element, ground) => {
        const style = getComputedStyle(element), svg = element.namespaceURI.endsWith("svg");
        const [a, b] = [light(numbers(svg ? style.fill : style.color)), light(ground)];
        const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (contrast < 4.5)
            faint.add(`${element.textContent.slice(0, 40)} (${contrast.toFixed(1)})`);
    };
    for (const e of document.querySelectorAll(words))
        if (e.textContent && e.checkVisibility())
            check(e, paper);
    for (const e of document.querySelectorAll(".icicle text")) {
        const box = getComputedStyle(e.parentNode.querySelector("rect"));
        check(e, over(numbers(box.fill), +box.fillOpacity, paper));
    }
    return [...faint];"""

# Words of a picture that reach into other words, or beyond the picture.
OVER_OTHERS = """
    const over = [];
    for (const svg of document.querySelectorAll(".live svg")) {
        const room = svg.getBoundingClientRect();
        const words = [...svg.querySelectorAll("text")].filter(t => t.textContent)
            .map(t => ({t, box: t.getBoundingClientRect()}));
        words.forEach(({t, box}, i) => {
            if (box.right > room.right + 3 || box.left < room.left - 3)
                over.push("outside: " + t.textContent);
            for (const other of words.slice(i + 1))
                if (box.left < other.box.right - 1 && other.box.left < box.right - 1 &&
                    box.top < other.box.bottom - 4 && other.box.top < box.bottom - 4)
                    over.push(t.textContent + " / " + other.t.textContent);
        });
    }
    return over;"""


def test_widths(browser, pages):
    """400, 1,100 and 2,000 pixels wide, light and dark: nothing is cut, faint or over others"""
    paper = set()
    for path in (pages.of_tree(), pages.of_types(), pages.of_functions(), pages.of_phases(),
                 pages.of_comparison()):
        for wide in (400, 1100, 2000):
            for scheme in ("light", "dark"):
                browser.resize(wide)
                browser.prefer(scheme)
                open_page(browser, path)
                got, room = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
                expect(got <= room, f"{os.path.basename(path)}: {got} pixels wide in {room}")
                where = f"in {os.path.basename(path)}, {wide} pixels, {scheme}"
                expect_equal(f"faint words {where}", browser.run(FAINT), [])
                expect_equal(f"labels over others {where}", browser.run(OVER_OTHERS), [])
                paper.add((scheme, browser.run("return getComputedStyle(document.body).backgroundColor")))
                if pages.pictures:
                    name = f"{os.path.basename(path)[:-5]}-{browser.name}-{wide}-{scheme}.png"
                    browser.picture(os.path.join(pages.pictures, name))
    browser.resize(1200)
    browser.prefer("light")
    expect_equal("backgrounds", len(paper), 2)


def test_names(browser, pages):
    """a name from another user is text"""
    path = pages.page("names", "sapphirerapids", ["stat", "-e", "cycles", "--", "sh", "-c", f"sleep 0.01 # {NAME}"])
    open_page(browser, path)
    expect_equal("images", browser.run("return document.querySelectorAll('img').length"), 0)
    expect(NAME in text(browser, "main"), text(browser, "main"))
    expect(browser.run("return document.title") != "acted", "it acted")
    expect_equal("console", browser.messages(), [])


def nodes_of(browser):
    nodes = browser.cdp("Accessibility.getFullAXTree")["nodes"]
    value = lambda node, key: node.get(key, {}).get("value", "")
    return {(value(node, "role"), value(node, "name")) for node in nodes if not node.get("ignored")}


def test_reader(browser, pages):
    """a screen reader finds the content, with JavaScript and without"""
    if browser.name != "chromium":
        return "firefox's tree of what is accessible is not offered to programs"
    open_page(browser, pages.of_types())
    nodes = nodes_of(browser)
    for wanted in (("slider", "Interval"), ("combobox", "Place"), ("button", "Copy as CSV"),
                   ("image", "Shares of the first level over time"), ("columnheader", "Whole run")):
        expect(wanted in nodes or ("img" if wanted[0] == "image" else wanted[0], wanted[1]) in nodes,
               f"no {wanted}")
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(pages.of_types())
        nodes = nodes_of(browser)
    finally:
        browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
    expect(not any(role == "slider" for role, _ in nodes), "JavaScript acts")
    expect(any(role in ("image", "img") and name.startswith("Shares of the first level over time, from 0.000 s")
               for role, name in nodes), "no picture without JavaScript")
    expect(("rowheader", "tma_backend_bound") in nodes, "no table without JavaScript")
    return None


def test_print(browser, pages):
    """on paper there are pictures and tables, and nothing to press"""
    if browser.name != "chromium":
        return "what is printed is asked of chromium alone"
    open_page(browser, pages.of_tree())
    browser.prefer("light", "print")
    shown = browser.run("""return ["button", "select", ".time svg", ".icicle svg", "pre", "table.facts"]
        .map(q => document.querySelector(q).checkVisibility())""")
    browser.prefer("light")
    expect_equal("shown", shown, [False, False, True, True, True, True])
    browser.resize(720)
    open_page(browser, pages.of_functions())
    browser.prefer("light", "print")
    wide = browser.run("return document.documentElement.scrollWidth")
    browser.prefer("light")
    browser.resize(1200)
    expect(wide <= 720, f"functions are {wide} pixels wide on paper")
    open_page(browser, pages.of_tree())
    paper = browser.cdp("Page.printToPDF", printBackground=False)["data"]
    expect(len(paper) > 20000, f"{len(paper)} bytes of PDF")
    return None


def test_day(browser, pages):
    """a day of seconds opens at once"""
    if not pages.day:
        return "--day is not given"
    path = pages.page("day", "skylakex", ["stat", "-a", "--topdown", "--td-level", "2", "-I", "1000",
                                          "--interval-count", str(DAY)])
    took = []
    for _ in range(TRIES):
        start = time.monotonic()
        open_page(browser, path)
        took.append(time.monotonic() - start)
    expect_equal("rows", browser.run("return tma[0].run.n"), DAY)
    print(f"# {browser.name}: {os.path.getsize(path)} bytes, opened in {', '.join(f'{s:.2f}' for s in took)} s")
    expect(min(took) < OPENS_IN, f"{took} s")
    return None


TESTS = [test_quiet, test_policy, test_values, test_pointer, test_keyboard, test_places,
         test_phases, test_functions, test_without_script, test_comparison,
         test_top, test_first, test_whole, test_copy, test_widths, test_names, test_reader,
         test_print, test_day]


def run(browser, test, pages):
    name = f"{browser.name}: {test.__doc__}"
    try:
        reason = test(browser, pages)
    except Exception as error:  # what a browser cannot do is a failure of its test alone
        print(f"not ok {name}: {type(error).__name__}: {str(error)[:1500]}", flush=True)
        return False
    print(f"skip {name}: {reason}" if reason else f"ok {name}", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--browser", choices=list(BROWSERS), action="append")
    parser.add_argument("--pictures")
    parser.add_argument("--day", action="store_true")
    args = parser.parse_args()
    passed = True
    with tempfile.TemporaryDirectory() as folder:
        pages = Pages(args.build, folder)
        pages.day, pages.pictures = args.day, args.pictures
        if args.pictures:
            os.makedirs(args.pictures, exist_ok=True)
        for name in args.browser or BROWSERS:
            try:
                browser = BROWSERS[name]()
            except Absent as error:
                print(f"skip {name}: {error}")
                continue
            try:
                for test in TESTS:
                    passed = run(browser, test, pages) and passed
            finally:
                browser.close()
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
