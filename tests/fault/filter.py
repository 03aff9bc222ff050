#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Run a command as in a container whose filter forbids perf_event_open(2).

    filter.py ERRNO COMMAND [ARG ...]

In the command and its children, the kernel answers this call with the error ERRNO (a name, such as
ENOSYS). The exit status is 77 if no filter can be set.
"""
import ctypes
import errno
import os
import struct
import sys

CALLS = {"x86_64": 298, "aarch64": 241}
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD_NUMBER, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ANSWER_ERRNO, ALLOW = 0x00050000, 0x7FFF0000


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def main():
    call = CALLS.get(os.uname().machine)
    if call is None:
        sys.exit(77)
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in [
        (LOAD_NUMBER, 0, 0, 0),
        (JUMP_IF_EQUAL, 0, 1, call),
        (RETURN, 0, 0, ANSWER_ERRNO | getattr(errno, sys.argv[1])),
        (RETURN, 0, 0, ALLOW),
    ])
    memory = ctypes.create_string_buffer(code)
    program = Program(4, ctypes.addressof(memory))
    libc = ctypes.CDLL(None)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)):
        sys.exit(77)
    os.execv(sys.argv[2], sys.argv[2:])


main()
