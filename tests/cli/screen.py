#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Run a command with a terminal.

screen.py [--stdout FILE] [--columns N] RAW SCREEN COMMAND [ARG ...]

Standard error, and without --stdout also standard output, are a terminal of N (80) columns, in
which the command runs in the foreground. RAW gets all bytes, and SCREEN the text that is on the
screen at the end. The exit status is the command's.
"""

import argparse
import fcntl
import os
import pty
import re
import struct
import sys
import termios

# The sequences that tma writes to a terminal: colours; go to a column; clear to the end of the
# line; save the cursor's place (7), and return to it (8).
ESCAPE = re.compile(r'\x1b(?:\[([0-9;]*)([A-Za-z])|([78]))')


def lines_of(text):
    """Return: the lines of a screen that is high enough for all output."""
    lines, row, column, at, kept = [''], 0, 0, 0, 0
    while at < len(text):
        escape = ESCAPE.match(text, at)
        if escape:
            at = escape.end()
            if escape[2] == 'K':
                lines[row] = lines[row][:column]
            elif escape[2] == 'G':
                column = int(escape[1]) - 1
            elif escape[3] == '7':
                kept = column
            elif escape[3] == '8':
                column = kept
            continue
        char, at = text[at], at + 1
        if char == '\r':
            column = 0
        elif char == '\n':
            row += 1
            lines += [''] * (row + 1 - len(lines))
        else:
            line = lines[row].ljust(column)
            lines[row] = line[:column] + char + line[column + 1:]
            column += 1
    return [line.rstrip() for line in lines]


def read_all(terminal):
    """Read until no process has the terminal open."""
    raw = b''
    while True:
        try:
            some = os.read(terminal, 65536)
        except OSError:  # the last process that had it open has ended
            break
        if not some:
            break
        raw += some
    return raw


def run(words, stdout, columns):
    pid, terminal = pty.fork()
    if not pid:
        size = struct.pack('HHHH', 24, columns, 0, 0)
        fcntl.ioctl(2, termios.TIOCSWINSZ, size)
        if stdout:
            os.dup2(os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), 1)
        os.execvp(words[0], words)
    raw = read_all(terminal)
    return raw.decode(errors='replace'), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--stdout')
    parser.add_argument('--columns', type=int, default=80)
    parser.add_argument('raw')
    parser.add_argument('screen')
    parser.add_argument('words', nargs=argparse.REMAINDER)
    args = parser.parse_args()
    raw, status = run(args.words, args.stdout, args.columns)
    with open(args.raw, 'w', encoding='utf-8', newline='') as file:
        file.write(raw)
    with open(args.screen, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines_of(raw)) + '\n')
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == '__main__':
    main()
