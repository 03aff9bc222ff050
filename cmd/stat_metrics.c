// SPDX-License-Identifier: GPL-2.0-only
/* The text of -M: names, and metrics defined on the spot. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cmd.h"
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

/* The JSON's language has ',', '=' and '-' in names escaped; between two @ there is no doubt. */
static char *escaped(const char *expr)
{
	struct sb sb = SB_INIT;
	bool quoted = false;

	for (; *expr; expr++) {
		if (*expr == '@')
			quoted = !quoted;
		if (quoted && strchr(",=-", *expr))
			sb__putc(&sb, '\\');
		else if (*expr == '\\' && expr[1])
			sb__putc(&sb, *expr++);
		sb__putc(&sb, *expr);
	}
	return sb__detach(&sb);
}

/* The host keeps what it is given as long as the process lives. */
static int define(const char *name, const char *expr, struct err *err)
{
	char *own_name, *own_expr;
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");

	if (!*name || name[len] || isdigit((unsigned char)*name))
		return err__set(err, EINVAL,
				"-M '%s = ...': a metric's name is one word of letters, digits, _ and .",
				name);
	if (!*expr)
		return err__set(err, EINVAL, "-M '%s =': no expression behind the =", name);
	own_name = strdup(name);
	own_expr = escaped(expr);
	if (own_name && own_expr && !host__define_metric(own_name, own_expr))
		return 0;
	free(own_name);
	free(own_expr);
	return -ENOMEM;
}

static int add_item(struct sb *names, char *item, struct err *err)
{
	char *equals = item + strcspn(item, "=@(");
	int rc;

	if (*equals == '=') {
		*equals = '\0';
		item = text__trim(item);
		rc = define(item, text__trim(equals + 1), err);
		if (rc)
			return rc;
	}
	sb__printf(names, "%s%s", names->len ? "," : "", item);
	return 0;
}

int stat_metrics__add(struct sb *names, const char *text, struct err *err)
{
	char *copy = strdup(text), *item = copy, *end;
	bool more = true;
	int rc = copy ? 0 : -ENOMEM;

	for (; !rc && more; item = end + 1) {
		end = item_end(item);
		more = *end;
		*end = '\0';
		rc = add_item(names, item, err);
	}
	free(copy);
	if (rc == -ENOMEM || (!rc && names->err))
		return err__set(err, ENOMEM, "out of memory");
	return rc;
}
