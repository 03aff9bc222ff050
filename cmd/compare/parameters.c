// SPDX-License-Identifier: GPL-2.0-only
/* -L NAME=a,b,c: a command with {NAME} in it is run with each value. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "compare/compare.h"

/* Return: the length of the name before '='; 0 if there is no name. */
static int name_length(const char *list)
{
	int len = 0;

	while (isalnum((unsigned char)list[len]) || list[len] == '_' || list[len] == '-')
		len++;
	return list[len] == '=' ? len : 0;
}

/* Return: the place of {NAME} in a command, or NULL. */
static const char *find_use(const char *command, const char *list)
{
	int len = name_length(list);

	for (const char *at = command; (at = strchr(at, '{')); at++)
		if (!strncmp(at + 1, list, len) && at[1 + len] == '}')
			return at;
	return NULL;
}

int compare_parameters__check(int nr, const char *const *words, const char *const *lists,
			      int nr_lists, struct err *err)
{
	for (int i = 0; i < nr_lists; i++) {
		int len = name_length(lists[i]);
		bool used = false;

		if (!len || !lists[i][len + 1])
			return err__set(err, EINVAL, "-L '%s': expected NAME=VALUE,VALUE...: "
					"'-L threads=1,2,4' for './program -j {threads}'",
					lists[i]);
		for (int word = 0; word < nr; word++)
			used |= find_use(words[word], lists[i]) != NULL;
		if (!used)
			return err__set(err, EINVAL, "-L %s: no command has {%.*s}", lists[i], len,
					lists[i]);
	}
	return 0;
}

/* Replace each {NAME} by a value. */
static char *parameters__put_value(const char *command, const char *list, const char *value,
				  int len)
{
	struct sb sb = SB_INIT;
	const char *use;

	while ((use = find_use(command, list))) {
		sb__add(&sb, command, use - command);
		sb__add(&sb, value, len);
		command = use + name_length(list) + 2;
	}
	sb__puts(&sb, command);
	return sb.buf;
}

int compare_parameters__expand(const char *command, const char *const *lists, int nr_lists,
			       struct compare_texts *out, struct err *err)
{
	int len, rc = 0;

	while (nr_lists && !find_use(command, lists[0])) {
		lists++;
		nr_lists--;
	}
	if (out->nr > COMPARE_MOST_SIDES)
		return err__set(err, EINVAL, "-L: compare takes %d commands at most",
				COMPARE_MOST_SIDES);
	if (!nr_lists) {
		vec__push(out, xstrdup(command));
		return 0;
	}
	text__for_each_item(value, len, strchr(lists[0], '=') + 1, ",")
	{
		char *one = parameters__put_value(command, lists[0], value, len);

		rc = rc ?: compare_parameters__expand(one, lists + 1, nr_lists - 1, out, err);
		free(one);
	}
	return rc;
}
