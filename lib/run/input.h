/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Open a recording, which is read instead of counting. The input is its name; the output is the
 * recording and a host: the computer that was recorded, with the tables of its CPU.
 */
#ifndef TMA_RUN_INPUT_H
#define TMA_RUN_INPUT_H

#include "base/sb.h"
#include "record/record.h"
#include "run/host.h"

/**
 * struct run_input - an open recording
 * @name:   name in messages; @from_pipe: it is read from a pipe
 * @cpu:    the user's name of the recorded CPU, or NULL; @cpuid: id of the recorded CPU, or empty
 * @cpuid_borrowed: the recording does not name its CPU, and the CPU of this computer is used
 */
struct run_input {
	struct recording *recording;
	const char *name, *cpu;
	struct sb cpuid;
	int fd;
	bool from_pipe, cpuid_borrowed;
};

/**
 * run_input__open() - open a recording and read everything before the rows
 * @name:  name of the file, "-" for standard input; NULL for standard input if it is a pipe, else
 *         perf.data
 * @cpu:   the user's name of the CPU (see cpu_name.h), or NULL
 * @opts:  options, of which cpuid is ignored
 *
 * Return: 0 or -errno. The caller calls run_input__close() in any case.
 */
int run_input__open(struct run_input *in, const char *name, const char *cpu,
		const struct recording_options *opts, struct err *err);
/**
 * run_input__load_host() - load the tables of the recorded CPU
 * @with_tables: load tables, since metrics are computed; else the host has no tables
 * @borrows: if the recording does not name its CPU, use the CPU of this computer, with a note
 *
 * Return: 0 or -errno. The caller calls run_input__free_host().
 */
int run_input__load_host(struct run_input *in, const struct host_options *opts, bool with_tables,
		     bool borrows, struct host *host, struct notes *notes, struct err *err);
/**
 * run_input__free_host() - release a host of run_input__load_host(), but not its machine, which the
 * recording owns.
 */
void run_input__free_host(struct host *host);
/**
 * run_input__levels() - find the depth of the TopDown tree of a recorded CPU
 * @otherwise: the depth if the recording does not name its CPU
 *
 * Return: 0 or -errno.
 */
int run_input__levels(const char *path, int otherwise, int *levels, struct err *err);
/** run_input__close() - close a recording, after all runs that read it. */
void run_input__close(struct run_input *in);

#endif
