// SPDX-License-Identifier: GPL-2.0-only
/* The text of -M: names, and metrics defined on the spot. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "events/events.h"
#include "stat.h"

/* The end of an item: a comma that is in no brackets, between no two @ and behind no backslash. */
static char *item_end(char *at)
{
	bool quoted = false;
	int depth = 0;

	for (; *at && (quoted || depth > 0 || *at != ','); at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '@')
			quoted = !quoted;
		else if (!quoted)
			depth += (*at == '(') - (*at == ')');
	}
	return at;
}

#define WORD_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

/*
 * How long the kernel's own name is that @text begins with, where it has a '-' ("page-faults"): the
 * longest of the words joined by it. 0 for none.
 */
static size_t kernel_name_len(const char *text)
{
	size_t len = strspn(text, WORD_CHARS), found = 0;
	char name[64];

	while (len && text[len] == '-' && strspn(text + len + 1, WORD_CHARS)) {
		len += 1 + strspn(text + len + 1, WORD_CHARS);
		if (len >= sizeof(name))
			break;
		memcpy(name, text, len);
		name[len] = '\0';
		if (events__is_kernel_name(name))
			found = len;
	}
	return found;
}

/* A word at @text as it is, or a name of the kernel's with its '-' escaped. Return: its end. */
static const char *copy_word(const char *text, struct sb *sb)
{
	size_t len = kernel_name_len(text), word = strspn(text, WORD_CHARS);
	const char *end = text + (len ? len : word);

	for (; text < end; text++)
		sb__printf(sb, *text == '-' ? "\\%c" : "%c", *text);
	return end;
}

/*
 * The JSON's language has ',', '=' and '-' in names escaped; between two @ there is no doubt, and
 * little where the kernel has an event of the name.
 */
static char *escaped(const char *expr)
{
	struct sb sb = SB_INIT;
	bool quoted = false;

	while (*expr) {
		if (!quoted && isalpha((unsigned char)*expr)) {
			expr = copy_word(expr, &sb);
			continue;
		}
		if (*expr == '@')
			quoted = !quoted;
		if (quoted && strchr(",=-", *expr))
			sb__putc(&sb, '\\');
		else if (*expr == '\\' && expr[1])
			sb__putc(&sb, *expr++);
		sb__putc(&sb, *expr++);
	}
	return sb__detach(&sb);
}

/* The host keeps what it is given as long as the process lives. */
static int define(const char *name, const char *expr, struct err *err)
{
	size_t len = strspn(name, WORD_CHARS);

	if (!*name || name[len] || isdigit((unsigned char)*name))
		return err__set(err, EINVAL,
				"-M '%s = ...': a metric's name is one word of letters, digits, _ and .",
				name);
	if (!*expr)
		return err__set(err, EINVAL, "-M '%s =': no expression behind the =", name);
	host__define_metric(xstrdup(name), escaped(expr));
	return 0;
}

int stat_metrics__add(struct sb *names, const char *text, struct err *err)
{
	char *copy = xstrdup(text), *item = copy, *end;
	bool more = true;
	int rc = 0;

	for (; !rc && more; item = end + 1) {
		char *equals = item + strcspn(item, "=@(");

		end = item_end(item);
		more = *end;
		*end = '\0';
		if (equals < end && *equals == '=') {
			*equals = '\0';
			item = text__trim(item);
			rc = define(item, text__trim(equals + 1), err);
		}
		sb__printf(names, "%s%s", names->len ? "," : "", item);
	}
	free(copy);
	return rc;
}
