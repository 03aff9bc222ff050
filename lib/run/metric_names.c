// SPDX-License-Identifier: GPL-2.0-only
#include "run/metric_names.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "run/host.h"

/* Find the end of an item: a comma that is not in brackets, between two @ or after a backslash. */
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
 * Return: the length of the name of a kernel's event with a '-' ("page-faults") at the beginning of
 * @text, the longest of several; 0 if there is none.
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

/*
 * Copy the word at @text. In the name of a kernel's event, '-' is escaped. Return: the end of the
 * word.
 */
static const char *copy_word(const char *text, struct sb *sb)
{
	size_t len = kernel_name_len(text), word = strspn(text, WORD_CHARS);
	const char *end = text + (len ? len : word);

	for (; text < end; text++)
		sb__printf(sb, *text == '-' ? "\\%c" : "%c", *text);
	return end;
}

/*
 * Escape ',', '=' and '-' in names of events, as the language of the JSON files requires. Between
 * two @ these characters are part of a name. Elsewhere '-' is part of a name if the kernel has an
 * event of this name.
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

static int define(struct host_options *host, const char *name, const char *expr, struct err *err)
{
	size_t len = strspn(name, WORD_CHARS);

	if (!*name || name[len] || isdigit((unsigned char)*name))
		return err__set(
			err, EINVAL,
			"-M '%s = ...': a metric's name is one word of letters, digits, _ and .",
			name);
	if (!*expr)
		return err__set(err, EINVAL, "-M '%s =': no expression after the =", name);
	vec__push(&host->definitions, ((struct load_definition){xstrdup(name), escaped(expr)}));
	return 0;
}

/* Check the modifiers after the name of a metric, whose events are not known yet. */
static int check_modifiers(const char *item, struct err *err)
{
	const char *colon = strchr(item, ':');

	return colon && colon[1] ? events__check_modifiers(item, colon + 1 - item, err) : 0;
}

int metric_names__add(struct sb *names, struct host_options *host, const char *text,
		      struct err *err)
{
	auto_text copy = xstrdup(text);
	char *item = copy, *end;
	bool more = true;
	int rc = 0;

	host->common |= tables__names_common(text);
	for (; !rc && more; item = end + 1) {
		char *equals = item + strcspn(item, "=@(");

		end = item_end(item);
		more = *end;
		*end = '\0';
		if (!item[strspn(item, " \t")])
			return err__set(err, EINVAL, "-M '%s': empty name between commas", text);
		if (equals < end && *equals == '=') {
			*equals = '\0';
			item = text__trim(item);
			rc = define(host, item, text__trim(equals + 1), err);
		}
		rc = rc ?: check_modifiers(text__trim(item), err);
		sb__printf(names, "%s%s", names->len ? "," : "", item);
	}
	return rc;
}
