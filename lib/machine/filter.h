/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Check filters of tracepoints: "prev_pid != 0 && prev_comm ~ \"make*\"".
 *
 * The kernel applies the filter, and decides whether it is valid; but it reports only an error
 * number. So the text is parsed here with the kernel's grammar (Linux 6.12,
 * kernel/trace/trace_events_filter.c), to show what is wrong and where.
 */
#ifndef TMA_MACHINE_FILTER_H
#define TMA_MACHINE_FILTER_H

struct err;

/**
 * filter__check() - check a filter
 * @text:       the filter, any text
 * @tracepoint: name of the tracepoint, for the message
 * @format:     the kernel's description of the tracepoint (tracefs, events/.../format), whose
 *              fields @text may use; NULL if unknown: only the grammar is checked
 *
 * The sign of a number is checked against the sign of the field. Names of functions and numbers of
 * bits are not checked here; the kernel checks them. The kernel accepts "&&" and "||" at the end of
 * a filter; this function does not.
 *
 * Return: 0; -EINVAL, with a caret under the mistake.
 */
int filter__check(const char *text, const char *tracepoint, const char *format, struct err *err);

#endif
