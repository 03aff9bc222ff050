// SPDX-License-Identifier: GPL-2.0-only
/*
 * --count instructions: valgrind runs the command on a synthetic CPU, and counts the instructions
 * that it executes. This needs no hardware counters, and the count is the same in each run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "compare/compare.h"

#define MOST_BYTES (256 << 20) /* largest file with counts; it has a line for each line of code */
#define SUMMARY "\nsummary:"

static int find_version(struct sb *version, struct err *err)
{
	char line[128] = "";
	FILE *out;

	if (!compare_side__is_program("valgrind"))
		return err__set(err, ENOENT,
				"--count instructions needs valgrind, which is not installed: its "
				"package is called valgrind ('apt install valgrind')");
	out = popen("valgrind --version", "re");
	if (out && !fgets(line, sizeof(line), out))
		*line = '\0';
	if (!out || pclose(out) || !*text__trim(line))
		return err__set(err, EIO, "--count instructions: 'valgrind --version' failed");
	sb__puts(version, text__one_line(text__trim(line)));
	return 0;
}

int compare_valgrind__find(struct compare *c, struct err *err)
{
	auto_free(sb) version = SB_INIT;
	int rc;

	if (strcmp(c->count, "instructions"))
		return err__set(err, EINVAL,
				"--count: unknown word '%s'; use instructions, which valgrind counts",
				c->count);
	if (c->system_wide || c->cpus || c->events || c->metrics || c->memory)
		return err__set(err, EINVAL,
				"--count instructions cannot be combined with -a, -C, -e and -M: "
				"valgrind counts only the instructions of the command");
	rc = find_version(&version, err);
	if (rc)
		return rc;
	c->answer.counter = xstrdup(sb__str(&version));
	c->count_file = xasprintf("%s/tma-count-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	if (!mkdtemp(c->count_file))
		return err__set(err, errno, "cannot make %s: %s", c->count_file, strerror(errno));
	return 0;
}

void compare_valgrind__words(struct compare *c, struct compare_words *words)
{
	static const char *const options[] = {"valgrind", "--tool=cachegrind", "--cache-sim=no",
					      "--branch-sim=no", "--trace-children=yes"};
	char **word;

	for (int i = 0; i < (int)(sizeof(options) / sizeof(*options)); i++)
		vec__push(words, xstrdup(options[i]));
	vec__push(words, xasprintf("--log-file=%s/log.%%p", c->count_file));
	vec__push(words, xasprintf("--cachegrind-out-file=%s/out.%%p", c->count_file));
	for (word = c->answer.sides[c->side].words.at; *word; word++)
		vec__push(words, xstrdup(*word));
	vec__push(words, NULL);
}

/* Add the count at the end of cachegrind's file. Return: whether there is a count. */
static bool add_count(const char *text, double *sum)
{
	const char *last = NULL;
	double count;

	for (const char *at = text; (at = strstr(at, SUMMARY)); at++)
		last = at + strlen(SUMMARY);
	if (!last || !num__scan_double(last + strspn(last, " "), &count))
		return false;
	*sum += count;
	return true;
}

/* Read and remove the files of a run, and add up their counts. Return: how many had a count. */
static int take_files(struct compare *c, double *sum)
{
	struct err ignored = ERR_INIT;
	int nr = 0, counted = 0;
	char **names;

	if (file__list_dir(&names, &nr, "%s", c->count_file))
		return 0;
	for (int i = 0; i < nr; i++) {
		auto_text path = xasprintf("%s/%s", c->count_file, names[i]);
		auto_text text = NULL;

		if (sum && text__has_prefix(names[i], "out.") &&
		    !file__read_regular(path, MOST_BYTES, &text, NULL, &ignored))
			counted += add_count(text, sum);
		unlink(path);
	}
	file__free_names(names, nr);
	return counted;
}

int compare_valgrind__take(struct compare *c, struct err *err)
{
	double sum = 0;

	if (!take_files(c, &sum))
		return err__set(err, EIO,
				"valgrind wrote no count for command %c: 'valgrind "
				"--tool=cachegrind' with the same command says why",
				'A' + c->side);
	if (!c->warming)
		comparison__add(&c->answer.comparison, c->side, COMPARED_COUNT, "instructions", "",
				sum, 1);
	return 0;
}

void compare_valgrind__end(struct compare *c)
{
	if (!c->count_file)
		return;
	take_files(c, NULL);
	rmdir(c->count_file);
	free(c->count_file);
}
