/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines for the tests of the simulator, loaded from text. */
#ifndef TMA_TESTS_SIM_FIXTURE_H
#define TMA_TESTS_SIM_FIXTURE_H

#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "sim/machine.h"
#include "unit.h"

/* One core of two threads, with four general counters and three fixed ones. */
#define SIM_SMALL                                                                                  \
	"cpuid GenuineIntel-6-55-4\n"                                                              \
	"cpus 0-1\n"                                                                               \
	"core 0-1\n"                                                                               \
	"phases 1s 500ms\n"                                                                        \
	"pmu cpu\ntype 4\nkind core\ncounters 4\nfixed 3\n"                                        \
	"format event config:0-7\nformat umask config:8-15\nformat cmask config:24-31\n"           \
	"format rsp config1:0-63\n"                                                                \
	"constraint event=0xc0,umask=0x00 fixed 0 any\n"                                           \
	"constraint event=0x3c,umask=0x00 fixed 1 any\n"                                           \
	"constraint event=0x00,umask=0x03 fixed 2\n"                                               \
	"constraint event=0x20-0x2f counters 0-1\n"                                                \
	"shared rsp 2 0xff event=0xb7\n"                                                           \
	"generic cpu-cycles event=0x3c\n"                                                          \
	"generic instructions event=0xc0\n"                                                        \
	"let cycles 2G 1G\n"                                                                       \
	"rate event=0x3c cycles\n"                                                                 \
	"rate event=0xc0 1.5*cycles\n"                                                             \
	"hash 1k 1M\nuser 0.75\nend\n"

/* Write the text into a new file, and load it. Return: what sim_machine__load() returns. */
static inline int sim_load_text(const char *text, struct sim_machine *m, struct err *err)
{
	char path[] = "/tmp/test-sim.XXXXXX";
	int fd = mkstemp(path), rc;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	rc = sim_machine__load(path, m, err);
	unlink(path);
	return rc;
}

static inline void sim_must_load(const char *text, struct sim_machine *m)
{
	struct err err = ERR_INIT;
	int rc = sim_load_text(text, m, &err);

	ck_assert_msg(!rc, "%s", err.msg);
}

#endif
