#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A process ends while it is counted, and another process gets its number: pid_reuse.py TMA stat
...

A process named "first" computes for 0.6 s, and then a process named "second" with the same number
does. "tma stat" with the given options counts the first. The exit status is tma's, or 77 if a
process's number cannot be chosen.
"""
import os
import subprocess
import sys
import time

LAST_PID = '/proc/sys/kernel/ns_last_pid'
TRIES = 500


def spin(name, seconds):
    """Start a child that computes. Return: its number."""
    pid = os.fork()
    if not pid:
        with open('/proc/self/comm', 'w', encoding='ascii') as comm:
            comm.write(name)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass
        os._exit(0)
    return pid


def take_over(number):
    """Return: whether a new process has this number."""
    for _ in range(TRIES):
        with open(LAST_PID, 'w', encoding='ascii') as last:
            last.write(str(number - 1))
        pid = spin('second', 2)
        if pid == number:
            return True
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    return False


def main():
    if not os.access(LAST_PID, os.W_OK):
        return 77
    number = spin('first', 0.6)
    with subprocess.Popen([*sys.argv[1:], '-p', str(number)]) as counting:
        os.waitpid(number, 0)
        try:
            if not take_over(number):
                counting.kill()
                return 77
        except OSError:
            counting.kill()
            return 77
        status = counting.wait()
        os.kill(number, 9)
        os.waitpid(number, 0)
    return status


if __name__ == '__main__':
    sys.exit(main())
