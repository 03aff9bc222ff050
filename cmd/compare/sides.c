// SPDX-License-Identifier: GPL-2.0-only
/* One side of a comparison: a command's words, saved runs or a recording. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "compare/compare.h"
#include "machine/machine.h"
#include "tables/tables.h"

#define META "|&;<>()$`\\\"'*?[#~{}!\n\t" /* a word with one of these characters needs a shell */
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* A shell is also needed for an assignment before the command. */
static bool needs_shell(const char *command)
{
	return strpbrk(command, META) || memchr(command, '=', strcspn(command, " "));
}

void compare_side__split(const char *command, struct compare_words *words)
{
	int len;

	if (needs_shell(command)) {
		vec__push(words, xstrdup("/bin/sh"));
		vec__push(words, xstrdup("-c"));
		vec__push(words, xstrdup(command));
	} else {
		text__for_each_item(word, len, command, " ")
		{
			vec__push(words, xstrndup(word, len));
		}
	}
	vec__push(words, NULL);
}

void compare_words__free(struct compare_words *words)
{
	for (int i = 0; i < words->nr; i++)
		free(words->at[i]);
	vec__free(words);
}

void compare_sides__free(struct compare_answer *a)
{
	for (int i = 0; i < COMPARE_MOST_SIDES; i++) {
		struct compare_side *side = &a->sides[i];

		compare_words__free(&side->words);
		compare_about__free(&side->about);
		free(side->name);
		free(side->command);
		free(side->simulated);
		free(side->cpu);
	}
}

static bool begins_as_recording(const char *path)
{
	static const char magic[] = "PERFILE2";
	char bytes[sizeof(magic)] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && read(fd, bytes, sizeof(magic) - 1) == sizeof(magic) - 1 &&
		  !strcmp(bytes, magic);

	if (fd >= 0)
		close(fd);
	return is;
}

bool compare_side__is_program(const char *name)
{
	const char *path = getenv("PATH") ?: DEFAULT_PATH;
	int len;

	if (!*name || strchr(name, '/'))
		return false;
	text__for_each_item(dir, len, path, ":")
	{
		auto_text file = xasprintf("%.*s/%s", len, dir, name);

		if (!access(file, X_OK) && !file__is_dir("%s", file))
			return true;
	}
	return false;
}

bool compare_side__is_recording(const char *path)
{
	if (begins_as_recording(path))
		return true;
	return S_ISREG(file__mode("%s", path)) && access(path, X_OK) &&
	       !compare_side__is_program(path);
}

/* A word with a dot or a slash names a file, not a command to search for. */
bool compare_side__is_missing(const char *word)
{
	return strpbrk(word, "./") && !strpbrk(word, " \t") && access(word, F_OK);
}

void compare_side__keep_host(struct compare_side *side, const struct host *host)
{
	const struct machine *m = host->machine;

	if (m->simulated && !side->simulated)
		side->simulated = xstrdup(m->simulated);
	if (host->tables && *m->cpuid && !side->cpu)
		side->cpu = xstrdup(tables__model(host->tables));
}

int compare_side__parse_number(const char *what, const char *text, double *out, struct err *err)
{
	int len;

	if (!text)
		return 0;
	len = num__scan_double(text, out);
	if (len && isfinite(*out) && (!text[len] || !strcmp(text + len, "%")))
		return 0;
	return err__set(err, EINVAL, "%s %s: not a number of at least 0", what, text);
}

/* --- All sides ----------------------------------------------------------------------------- */

static void compare_texts__free(struct compare_texts *texts)
{
	for (int i = 0; i < texts->nr; i++)
		free(texts->at[i]);
	vec__free(texts);
}

static int take_side(struct compare_answer *a, const char *word, struct err *err)
{
	struct compare_side *side = &a->sides[a->nr];

	*side = (struct compare_side){.name = xstrdup(word)};
	if (compare_saved__is(word))
		side->kind = SIDE_SAVED;
	else if (compare_side__is_recording(word))
		side->kind = SIDE_RECORDING;
	else
		compare_side__split(word, &side->words);
	a->nr++;
	if (side->kind == SIDE_COMMAND && !side->words.at[0])
		return err__set(err, EINVAL, "command %c is empty", 'A' + a->nr - 1);
	return 0;
}

/* Check that recordings are only compared with recordings. */
static int check_kinds(struct compare_answer *a, struct err *err)
{
	const char *recording = NULL, *other = NULL;

	for (int i = 0; i < a->nr; i++)
		*(a->sides[i].kind == SIDE_RECORDING ? &recording : &other) = a->sides[i].name;
	a->recorded = recording != NULL;
	if (!recording || !other)
		return 0;
	return err__set(err, EINVAL,
			"'%s' is not a recording%s, but '%s' is one: compare commands with "
			"commands, or recordings with recordings",
			other, compare_side__is_missing(other) ? " (there is no such file)" : "",
			recording);
}

/*
 * If saved runs are the only side, their command is run, and the new runs are compared with them.
 */
static int add_again(struct compare_answer *a, struct err *err)
{
	struct compare_side *saved = &a->sides[0];
	int rc = compare_saved__load(saved, NULL, err);

	return rc ?: take_side(a, saved->command, err);
}

/* @name: the only word of the command line, perhaps meant as a name of saved runs; or NULL */
static int check_number(int nr, bool saves, const char *name, struct err *err)
{
	auto_text missing = NULL;

	if (nr > COMPARE_MOST_SIDES)
		return err__set(err, EINVAL, "compare takes at most %d commands, but %d are given",
				COMPARE_MOST_SIDES, nr);
	if (saves ? nr : nr > 1)
		return 0;
	if (nr == 1 && !strpbrk(name, "/ ") && access(name, F_OK) &&
	    !compare_side__is_program(name))
		missing = xasprintf("no saved runs are named '%s': ", name);
	return err__set(err, EINVAL,
			"%scompare takes 2 to %d commands, each in quotes, or recordings of "
			"tma stat record, or the name of saved runs (--list)",
			missing ?: "", COMPARE_MOST_SIDES);
}

int compare_sides__take(struct compare_answer *a, int nr, const char *const *words,
			const char *const *lists, int nr_lists, bool saves, struct err *err)
{
	auto_free(compare_texts) texts = {.at = NULL};
	int rc = compare_parameters__check(nr, words, lists, nr_lists, err);
	bool again = nr == 1 && !saves && compare_saved__is(words[0]);

	for (int i = 0; !rc && i < nr; i++)
		rc = compare_parameters__expand(words[i], lists, nr_lists, &texts, err);
	rc = rc ?: check_number(texts.nr + again, saves, nr ? words[0] : "", err);
	for (int i = 0; !rc && i < texts.nr; i++)
		rc = take_side(a, texts.at[i], err);
	if (!rc && again)
		rc = add_again(a, err);
	a->comparison.nr_sides = a->comparison.sites.nr_sides = a->nr;
	return rc ?: check_kinds(a, err);
}
