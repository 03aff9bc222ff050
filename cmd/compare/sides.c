// SPDX-License-Identifier: GPL-2.0-only
/* What stands on a side of a comparison: the words of a command, or a recording. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "compare/compare.h"
#include "machine/machine.h"
#include "run/host.h"
#include "tables/tables.h"

#define META "|&;<>()$`\\\"'*?[#~{}!\n\t" /* a word with one of these is for a shell */

/* An assignment before the command is the shell's, too. */
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

void compare_side__free(struct compare_words *words)
{
	for (int i = 0; i < words->nr; i++)
		free(words->at[i]);
	vec__free(words);
}

bool compare_side__is_recording(const char *path)
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

/* A word with a dot or a slash is meant as a file rather than a command that is looked up. */
bool compare_side__is_missing(const char *word)
{
	return strpbrk(word, "./") && !strpbrk(word, " \t") && access(word, F_OK);
}

void compare_side__keep_host(struct compare_answer *a, int side, const struct host *host)
{
	const struct machine *m = host->machine;

	if (m->simulated && !a->simulated[side])
		a->simulated[side] = xstrdup(m->simulated);
	if (host->tables && *m->cpuid && !a->cpu[side])
		a->cpu[side] = xstrdup(tables__model(host->tables));
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
