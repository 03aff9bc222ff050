/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording that is read instead of counting. Its name comes in; its description of itself goes
 * out, and a host: the computer that it was made on, with the tables of that CPU.
 */
#ifndef TMA_RUN_INPUT_H
#define TMA_RUN_INPUT_H

#include "base/sb.h"
#include "record/record.h"
#include "run/host.h"

/**
 * struct run_input - a recording that is open
 * @name:   its name in messages; @from_pipe: it is read from a pipe
 * @cpu:    the user's name of its CPU, or NULL; @cpuid: the id of that CPU, empty without
 * @cpuid_borrowed: it does not name its CPU: this computer's is used instead
 */
struct run_input {
	struct recording *recording;
	const char *name, *cpu;
	struct sb cpuid;
	int fd;
	bool from_pipe, cpuid_borrowed;
};

/**
 * run_input__open() - open a recording and read what comes before its rows
 * @name:  its file, "-" for standard input; NULL for standard input if that is a pipe, else
 *         perf.data
 * @cpu:   the user's name of the CPU (see cpu_name.h), or NULL
 * @opts:  its cpuid is ignored
 *
 * Return: 0 or -errno; run_input__close() it in any case.
 */
int run_input__open(struct run_input *in, const char *name, const char *cpu,
		const struct recording_options *opts, struct err *err);
/**
 * run_input__load_host() - load the tables of the CPU that it was made on
 * @with_tables: metrics are computed; without, the host has no tables
 * @borrows: if it does not name its CPU, use this computer's, with a note
 *
 * Return: 0 or -errno. run_input__free_host() it.
 */
int run_input__load_host(struct run_input *in, const struct host_options *opts, bool with_tables,
		     bool borrows, struct host *host, struct notes *notes, struct err *err);
/** run_input__free_host() - release it; the machine is the recording's. */
void run_input__free_host(struct host *host);
/**
 * run_input__levels() - find the depth of the TopDown tree of a recording's CPU
 * @otherwise: the depth if the recording does not name its CPU
 *
 * Return: 0 or -errno.
 */
int run_input__levels(const char *path, int otherwise, int *levels, struct err *err);
/** run_input__close() - close it. Runs that read it are closed before. */
void run_input__close(struct run_input *in);

#endif
