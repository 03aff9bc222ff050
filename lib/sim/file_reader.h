/* SPDX-License-Identifier: GPL-2.0-only */
/* What the two halves of the machine file parser share: the place in the file and its words. */
#ifndef TMA_SIM_FILE_READER_H
#define TMA_SIM_FILE_READER_H

#include "sim/machine.h"

/**
 * struct file_reader - where the parser is
 * @m:    the machine being filled
 * @pmu:  the PMU whose section this is; NULL outside of one
 * @args: rest of the current line, behind its keyword
 * @err:  where a mistake is described, without the place
 */
struct file_reader {
	struct sim_machine *m;
	struct sim_pmu *pmu;
	char *args;
	struct err *err;
};

/** struct file_keyword - a word that begins a line */
struct file_keyword {
	const char *name;
	int (*read)(struct file_reader *r);
};

extern const struct file_keyword file_machine_keywords[]; /* ended by a NULL name */
extern const struct file_keyword file_pmu_keywords[];

/** file_reader__word() - cut the next word off the line. Return: it, or NULL with @what missing. */
char *file_reader__word(struct file_reader *r, const char *what);
/** file_reader__rest() - the rest of the line. Return: it, or NULL with @what missing. */
char *file_reader__rest(struct file_reader *r, const char *what);
/** file_reader__optional() - the next word, or NULL at the end of the line. */
char *file_reader__optional(struct file_reader *r);
/** file_reader__int() - the next word as a number between @min and @max. Return: 0 or -errno. */
int file_reader__int(struct file_reader *r, const char *what, uint64_t min, uint64_t max, int *out);
/** file_reader__time() - the next word as a time: "500ms", "2s", "100us". Return: 0 or -errno. */
int file_reader__time(struct file_reader *r, const char *what, uint64_t *ns);
/** file_reader__cpus() - the next word as a CPU list. Return: 0 or -errno. */
int file_reader__cpus(struct file_reader *r, const char *what, struct cpulist *list);
/** file_reader__let() - "NAME VALUES", into a list of quantities. Return: 0 or -errno. */
int file_reader__let(struct file_reader *r);
/** file_reader__keep() - make a text from malloc(), or NULL, the machine's. Return: it or NULL. */
const char *file_reader__keep(struct file_reader *r, char *text);
/** file_reader__file() - a file's path and text, taken over, into a list. Return: 0 or -ENOMEM. */
int file_reader__file(struct file_reader *r, char *path, char *text, struct sim_files *files);
/** file_reader__nomem() - out of memory. Return: -ENOMEM. */
int file_reader__nomem(struct file_reader *r);
/** file_reader__push() - add to a list. Return: 0; -ENOMEM, and @... stays the caller's. */
#define file_reader__push(r, list, ...) (vec__push(list, __VA_ARGS__) ? file_reader__nomem(r) : 0)

#endif
