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

static int define(const char *name, const char *expr, struct err *err)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");

	if (!*name || name[len] || isdigit((unsigned char)*name))
		return err__set(err, EINVAL,
				"-M '%s = ...': a metric's name is one word of letters, digits, _ and .",
				name);
	if (!*expr)
		return err__set(err, EINVAL, "-M '%s =': no expression behind the =", name);
	return host__define_metric(name, expr) ? -ENOMEM : 0;
}

/* One item; the text is the process's for good, as that of argv is. */
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
	char *item = strdup(text), *end;
	bool more = true;
	int rc = item ? 0 : -ENOMEM;

	for (; !rc && more; item = end + 1) {
		end = item_end(item);
		more = *end;
		*end = '\0';
		rc = add_item(names, item, err);
	}
	if (rc == -ENOMEM || (!rc && names->err))
		return err__set(err, ENOMEM, "out of memory");
	return rc;
}
