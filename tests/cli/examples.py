#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs or compiles each example of README and the man pages: examples.py TMA INCLUDE LIBRARY_DIR

An example is a line of a page that is a command: it follows a tab, or four blanks in README, or "$
" if its output follows. sh runs it as it is written, in a folder with the files that it names.
"tma" runs on a simulated machine, unless the example names one, and "perf" is tma. Long commands
are shortened, see ADAPTED. C code is put into a program with the parts that the page omits, see
PROGRAMS.

Prints "ok NAME", "not ok NAME: why" or "skip NAME: reason" for each page, and for each example that
is skipped.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TIMEOUT_S = 200
COMMANDS = ('tma', 'perf', 'jq', 'awk', 'curl', 'git', 'cat')
COMMAND = re.compile(rf'(?:[A-Z_]+=\S+ )?(?:{"|".join(COMMANDS)}) [^:]*')

# Changes to command lines before they run, so that they end soon.
ADAPTED = (
    (r'\bsleep \d+(?!\.)\b', 'sleep 0.2'),
    (r'-I ?(1000|500|15000)\b', '-I 50'),
    (r'--timeout \d+', '--timeout 100'),
    (r'--interval-count \d+', '--interval-count 2'),
    # These names also occur in other output, which is read together with the pages.
    (r'-o (counts\.csv|(?:monday|tuesday|counts|tma|code)\.data)\b', r'-o made.\1'),
    (r'--budget \d+s', '--budget 1s'),
    (r'why -a$', 'why -a --budget 1s'),
    (r' -r \d+( --warmup \d+)?\b', ''),
    (r'\bcompare (?=.*\./(before|program)|\d)', 'compare -r 2 '),
    (r'(test -w (divides|chase))$', r'\1 0.1'),
    (r"'time>\+3%'", "'time>+3000%'"),
    (r"'tma_memory_bound>\+2'", "'tma_memory_bound>+99'"),
    (r'-C? ?/src\b', '-C src'),
    (r'/var/lib/node_exporter/', ''),
    (r'-p (4711|\$\(pidof mysqld\))', '-p $PID'),
    (r'--time 60,120\b', '--time 0,1'),
    (r'(tma (--machine \w+ )?top)(?! -b)( --cgroups)?( --functions)?( -d 5)?( -p \S+)?$',
     r'\1 -b -n 1\3\4\6 -d 0.1'),
    (r'-n 60 -d 1\b', '-n 2 -d 0.1'),
    (r'make$', 'true'),
    (r'(?<![\w/])build/tma\b', 'tma'),
    (r'fleet( --prometheus \S+)?', 'fleet --prometheus http://127.0.0.1:9'),
    (r'2>&1 \| less', ''),
)
# Commands that never end by themselves: --interval-count ends them.
ENDLESS = re.compile(r'stat (?!.*(--interval-count|--timeout|sleep|report|--passes| -- |\./|true))'
                     r'.*(-I\b|-I \d)')
SKIPPED = (
    (r'\btma serve\b|\bcurl\b', 'tests/cli/serve.sh runs it'),
    (r'--bpf-counters', 'needs a real core PMU; tests/cli/bpf.sh runs such'),
    (r'^git clone|--tables perfmon', 'needs the network'),
    (r'^jq|^awk|rows\.json', 'reads the rows of other examples'),
)

# A process that computes for a tenth of its time.
BUSY = '''import time
while True:
    end = time.monotonic() + 0.001
    while time.monotonic() < end:
        pass
    time.sleep(0.009)
'''

PRELUDE = '''#include <stdio.h>
#include <stdlib.h>
#include <tma/topdown.h>
'''
# For a page whose code is in parts: the code before each part and after it.
PROGRAMS = {
    'tma-topdown-region.3.adoc': ('''static int lines = 10;
static int next_line(void) { return lines-- > 0; }
static void parse_line(void) { }
''', ''),
    'tma-topdown-snapshot.3.adoc': ('static void work(void) { }\n',
                                    '''struct tma_topdown_error error;
struct tma_topdown *topdown = tma_topdown_open(NULL, &error);
if (!topdown) {
	fprintf(stderr, "%s\\n", error.text);
	return 0;
}
'''),
}


def pages():
    return ['README.md'] + sorted(glob.glob('Documentation/*.adoc'))


def lines_of(page):
    """Return: the lines of examples, without their marks and their output."""
    mark = '    ' if page.endswith('.md') else '\t'
    with open(page, encoding='utf-8') as file:
        lines = file.read().split('\n')
    joined = None
    for line in lines:
        if joined is not None:
            joined += ' ' + line.strip()
        elif line.startswith(mark) and not line.startswith(mark + ' '):
            joined = line[len(mark):]
        else:
            continue
        if joined.endswith('\\'):
            joined = joined[:-1].rstrip()
            continue
        yield joined
        joined = None


def commands_of(page):
    for line in lines_of(page):
        prompt = line.startswith('$ ')
        text = re.sub(r' +# .*', '', line[2:] if prompt else line)
        words = text.split(' ')
        first = next((word for word in words if not re.match(r'[A-Z_]+=', word)), '')
        if os.path.basename(first) in COMMANDS and not text.endswith(('.', ',', ':', ';')):
            yield text


def code_of(page):
    """The C code under EXAMPLE, as a complete program."""
    with open(page, encoding='utf-8') as file:
        text = file.read()
    found = re.search(r'^== EXAMPLE\n\n----\n(.*?)^----', text, re.M | re.S)
    if found and found[1].startswith('#include'):
        return found[1]
    if not found or os.path.basename(page) not in PROGRAMS:
        return None
    before, inside = PROGRAMS[os.path.basename(page)]
    return f'{PRELUDE}{before}int main(void)\n{{\n{inside}{found[1]}return 0;\n}}\n'


class Folder:
    """Prepare the folder of the examples with the files that they name."""

    def __init__(self, tma):
        self.path = tempfile.mkdtemp(prefix='tma-examples.')
        self.tma = tma
        self.busy = subprocess.Popen([sys.executable, '-c', BUSY])
        os.mkdir(self.file('bin'))
        self.script('bin/tma', f'exec "{tma}" "$@"')
        os.symlink(tma, self.file('bin/perf'))
        for name in ('program', 'before', 'after', 'work', 'chase'):
            self.script(name, 'exec "$TMA" test -w adds 0.05')
        os.mkdir(self.file('src'))
        self.write('src/Makefile', 'all clean:\n\t@true\n')
        self.write('my-metrics.json', '[{"MetricName": "my_ratio", "MetricExpr": "cycles / 2",'
                   ' "BriefDescription": "Half"}]')
        os.makedirs(self.file('linux/tools/perf/pmu-events'))
        arch = os.path.abspath('third_party/linux/tools/perf/pmu-events/arch')
        if os.path.isdir(arch):
            os.symlink(arch, self.file('linux/tools/perf/pmu-events/arch'))
        for name in ('monday.data', 'tuesday.data', 'counts.data', 'tma.data'):
            self.run(f'TMA_SIM_STEP=100 tma stat record -a -I 100 --topdown -o {name} -- sleep 0.3')
        self.run('tma stat record --per-function -o code.data ./program')
        self.run('perf stat -a -I 50 -x, -o counts.csv -M TopdownL1 -- sleep 0.2')
        for name in ('before.txt', 'after.txt'):
            self.run(f'perf stat -e cycles,instructions -o {name} ./program')
        self.run('tma compare -r 2 --save main ./program')

    def close(self):
        self.busy.kill()
        self.busy.wait()
        shutil.rmtree(self.path)

    def file(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        with open(self.file(name), 'w', encoding='utf-8') as file:
            file.write(text)

    def script(self, name, text):
        self.write(name, f'#!/bin/sh\n{text}\n')
        os.chmod(self.file(name), 0o755)

    def may_count(self):
        command = [self.tma, 'stat', '-e', 'task-clock', 'true']
        return not subprocess.run(command, check=False, capture_output=True).returncode

    def run(self, command):
        env = dict(os.environ, TMA=self.tma, PID=str(self.busy.pid), LC_ALL='C.UTF-8',
                   PATH=f'{self.file("bin")}:{os.environ["PATH"]}')
        if not re.search(r'--machine|PERF_CPUID|tma test$', command):
            env['TMA_MACHINE'] = 'graniterapids' if 'tpebs' in command else 'sapphirerapids'
        return subprocess.run(['sh', '-c', command], cwd=self.path, env=env, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S)


def adapted(command):
    for pattern, by in ADAPTED:
        command = re.sub(pattern, by, command)
    if ENDLESS.search(command):
        command = re.sub(r'\bstat ', 'stat --interval-count 2 ', command, count=1)
    return command


def reason(command):
    for pattern, why in SKIPPED:
        if re.search(pattern, command):
            return why
    needed = re.search(r'\| (jq)\b', command)
    if needed and not shutil.which(needed[1]):
        return f'needs {needed[1]}'
    if '--count instructions' in command and not shutil.which('valgrind'):
        return 'needs valgrind'
    return None


# Findings have their own status; without a Prometheus a command fails, but its options are accepted
# (the status is not 129).
def expected(command):
    if ' fleet ' in command:
        return (125,)
    return (0, 1) if ' check-tables ' in command else (0,)


def failed(name, why, said):
    return [f'not ok {name}: {why}'] + [f'#   {line}' for line in said.splitlines()]


def try_command(folder, command):
    """Return: the lines to print."""
    why = reason(command)
    # Only this example does not run on a simulated machine.
    if command == 'tma test' and not folder.may_count():
        why = 'the kernel lets this user count nothing (kernel.perf_event_paranoid)'
    if why:
        return [f'skip {command}: {why}']
    text = adapted(command)
    try:
        done = folder.run(text)
    except subprocess.TimeoutExpired:
        return [f'not ok {command}: it does not end']
    if done.returncode in expected(command):
        return [f'ok {command}']
    said = (done.stdout[-400:] + done.stderr[-800:]).decode(errors='replace')
    return failed(command, f'status {done.returncode}', f'as {text}\n{said}')


def try_code(options, folder, page, code):
    page = os.path.basename(page)
    name, source, program = f'the program of {page}', f'{page}.c', folder.file(f'{page}.out')
    if not shutil.which('cc'):
        return [f'skip {name}: needs cc']
    folder.write(source, code)
    command = ['cc', '-Wall', '-Wextra', '-Werror', f'-I{options.include}', folder.file(source)]
    command += ['-o', program, f'-L{options.libraries}', '-ltma-topdown']
    command += [f'-Wl,-rpath,{options.libraries}']
    made = subprocess.run(command, check=False, capture_output=True, text=True)
    if made.returncode:
        return failed(name, 'it is not compiled', made.stderr)
    simulator = f'LD_PRELOAD={options.libraries}/libtma-sim.so TMA_MACHINE=sapphirerapids'
    done = folder.run(f'{simulator} {program}')
    said = (done.stdout + done.stderr).decode(errors='replace')
    if done.returncode or not re.search('adds|parse|backend bound', said):
        return failed(name, f'status {done.returncode}', said)
    return [f'ok {name}']


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('tma', type=os.path.abspath)
    parser.add_argument('include', type=os.path.abspath)
    parser.add_argument('libraries', type=os.path.abspath)
    parser.add_argument('-l', '--list', action='store_true', help='print examples alone')
    options = parser.parse_args()

    commands = {}
    for page in pages():
        if not page.endswith(('formats.5.adoc', 'machine.5.adoc')):
            for command in commands_of(page):
                commands.setdefault(command, page)
    codes = {page: code for page in pages() for code in [code_of(page)] if code}
    if options.list:
        print(*(f'{page}: {command}' for command, page in commands.items()), *codes, sep='\n')
        return 0
    folder = Folder(options.tma)
    try:
        with ThreadPoolExecutor(2) as pool:
            for lines in pool.map(lambda command: try_command(folder, command), commands):
                print(*lines, sep='\n')
        for page, code in codes.items():
            print(*try_code(options, folder, page, code), sep='\n')
    finally:
        folder.close()
    return 0


if __name__ == '__main__':
    sys.exit(main())
