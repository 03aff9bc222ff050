/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of "tma test": the lines of its checks, a test whether TopDown finds bottlenecks that
 * are known in advance, and a report for an issue.
 */
#ifndef TMA_CMD_TEST_H
#define TMA_CMD_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sb.h"
#include "output.h"

struct err;
struct host;

/**
 * struct test_log - the lines of the checks
 * @lines: all lines, for a report
 * @quiet: do not print the lines on standard output
 */
struct test_log {
	struct sb lines;
	bool quiet;
};

/**
 * test_log__print_json() - print the lines of the checks for programs, as one object
 * @status: exit status of the checks
 */
void test_log__print_json(const struct test_log *log, const struct host *host, int status,
			  struct sb *out);
/** test_log__add() - keep whole lines, and print them. */
void test_log__add(struct test_log *log, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * test_kernels() - run each kernel under "tma stat --topdown", and print what TopDown finds in it
 *
 * On a hybrid machine, each kernel runs on each type of core. A simulated machine has a phase for
 * each kernel, of the kernel's name; if it has no such phase, a line says so.
 *
 * Return: whether TopDown found the bottleneck of each kernel that ran, and level 1 added up to 100
 * %.
 */
bool test_kernels(const struct host *host, struct test_log *log);

/**
 * struct test_report - a report that can be attached to an issue
 * @name: name of the file, as the user typed it
 * @out:  stream of the file
 * @begun_ns: when the checks began
 */
struct test_report {
	const char *name;
	struct output out;
	uint64_t begun_ns;
};

/**
 * test_report__open() - open the report, before anything is measured
 * @name: name of a file, or "-" for standard output
 *
 * Return: 0, or -errno if the file cannot be written.
 */
int test_report__open(struct test_report *r, const char *name, struct err *err);
/**
 * test_report__write() - write facts about the program and the machine, and the lines of the
 * checks, and close the report
 *
 * Names of hosts, users, files and processes are removed.
 * @status: exit status of the checks
 *
 * Return: 0, or -errno if not everything could be written.
 */
int test_report__write(struct test_report *r, const struct host *host, const struct test_log *log,
		       int status, struct err *err);

/** report_facts__machine() - append the CPU, its topology in numbers and its tables. */
void report_facts__machine(const struct host *host, struct sb *out);
/** report_facts__kernel() - append what the kernel allows, and its limits. */
void report_facts__kernel(const struct host *host, struct sb *out);
/**
 * report_facts__pmus() - append each PMU in sysfs; instances of a unit that are alike are one
 * entry.
 */
void report_facts__pmus(const struct host *host, struct sb *out);

#endif
