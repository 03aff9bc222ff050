/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording that is read in place of counting. Its name comes in; out come what it says of itself
 * and a host: the computer that it was made on, with the tables of that CPU.
 */
#ifndef TMA_RUN_INPUT_H
#define TMA_RUN_INPUT_H

#include "base/sb.h"
#include "record/record.h"
#include "run/host.h"

/**
 * struct run_input - a recording that is open
 * @name:   how messages call it; @from_pipe: it comes through one
 * @cpu:    what a user calls its CPU, or NULL; @cpuid: the id of that CPU, empty without
 * @cpuid_borrowed: it does not say of which CPU it is: this computer's stands for it
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
 * @cpu:   what a user calls the CPU (see cpu_name.h), or NULL
 * @opts:  its cpuid is not looked at
 *
 * Return: 0 or -errno; run_input__close() it in any case.
 */
int run_input__open(struct run_input *in, const char *name, const char *cpu,
		const struct recording_options *opts, struct err *err);
/**
 * run_input__load_host() - load the tables of the CPU that it was made on
 * @with_tables: metrics are computed; without, the host has no tables
 * @borrows: where it does not say which CPU that was, this computer's stands for it, and a note
 *           says so
 *
 * Return: 0 or -errno. run_input__free_host() it.
 */
int run_input__load_host(struct run_input *in, const struct host_options *opts, bool with_tables,
		     bool borrows, struct host *host, struct notes *notes, struct err *err);
/** run_input__free_host() - release it; the machine is the recording's. */
void run_input__free_host(struct host *host);
/**
 * run_input__levels() - tell how deep the TopDown tree is of the CPU that a recording is of
 * @otherwise: how deep where it does not say
 *
 * Return: 0 or -errno.
 */
int run_input__levels(const char *path, int otherwise, int *levels, struct err *err);
/** run_input__close() - close it. Runs that read it are closed before. */
void run_input__close(struct run_input *in);

#endif
