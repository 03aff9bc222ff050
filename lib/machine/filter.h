/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters of tracepoints: "prev_pid != 0 && prev_comm ~ \"make*\"".
 *
 * The kernel does the filtering, and has the last word; but its answer is one number. So the text
 * is read here by the same grammar (Linux 6.12, kernel/trace/trace_events_filter.c), to say what is
 * wrong and where.
 */
#ifndef TMA_MACHINE_FILTER_H
#define TMA_MACHINE_FILTER_H

struct err;

/**
 * filter__check() - check a filter
 * @text:       the filter, which may be anything
 * @tracepoint: its name, for the message
 * @format:     the kernel's description of it (tracefs, events/.../format), whose fields are
 *              compared with those in @text; NULL when it is not known, for the grammar alone
 *
 * Numbers are held against the sign of a field. Names of functions, and how many bits a field has,
 * are left to the kernel. It takes "&&" and "||" with nothing behind, which are refused here.
 *
 * Return: 0; -EINVAL, with a caret at the place.
 */
int filter__check(const char *text, const char *tracepoint, const char *format, struct err *err);

#endif
