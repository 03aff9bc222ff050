// SPDX-License-Identifier: GPL-2.0-only
#include "base/pattern.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"

#define PARTS_MAX 5000 /* limit of parts; the kernel's mapfiles have under 100 */
#define DEPTH_MAX 32
#define SHOWN_MAX 200 /* bytes of a pattern that a message shows */

/**
 * struct size - size of an expression after the C library's expansion
 * @parts: number of parts in each open group, the outermost first
 * @last:  number of parts of the last atom, which a repetition multiplies
 */
struct size {
	unsigned long parts[DEPTH_MAX];
	int depth;
	unsigned long last;
};

/* Skip a set like "[abc]", "[^]x]" or "[[:xdigit:]]"; a set that is not closed ends the text. */
static const char *skip_set(const char *at)
{
	at++;
	at += *at == '^';
	at += *at == ']';
	while (*at && *at != ']') {
		if (*at == '[' && at[1] && strchr(":.=", at[1])) {
			const char end[] = { at[1], ']', '\0' };

			at = strstr(at + 2, end);
			if (!at)
				return "";
			at++;
		}
		at++;
	}
	return at + (*at == ']');
}

static void add_atom(struct size *size, unsigned long parts)
{
	size->last = parts;
	size->parts[size->depth] += parts;
}

static void multiply(struct size *size, unsigned long times)
{
	size->parts[size->depth] += size->last * (times - 1);
	size->last *= times;
}

/*
 * Count a repetition such as "{2,5}" as the sum of both numbers, since the second may be missing.
 */
static const char *repeat(struct size *size, const char *at)
{
	unsigned long times = 2, n;

	for (at++; isdigit((unsigned char)*at) || *at == ','; at += *at == ',') {
		for (n = 0; isdigit((unsigned char)*at); at++)
			n = n < PARTS_MAX ? n * 10 + *at - '0' : n;
		times += n;
	}
	multiply(size, times);
	return at + (*at == '}');
}

/* Count the next part of the expression. Return: the text after the part. */
static const char *measure(struct size *size, const char *at)
{
	unsigned long group;

	switch (*at) {
	case '\\':
		add_atom(size, 1);
		return at + 1 + !!at[1];
	case '[':
		add_atom(size, 1);
		return skip_set(at);
	case '(':
		size->parts[++size->depth] = 1;
		size->last = 1;
		return at + 1;
	case ')':
		if (size->depth) {
			group = size->parts[size->depth--];
			add_atom(size, group);
		}
		return at + 1;
	case '+':
		multiply(size, 2);
		return at + 1;
	case '*':
	case '?':
		size->parts[size->depth]++;
		size->last++;
		return at + 1;
	case '{':
		return repeat(size, at);
	default:
		add_atom(size, 1);
		return at + 1;
	}
}

static int pattern__refuse(const char *pattern, const char *why, struct err *err)
{
	return err__set(err, EINVAL, "pattern '%.*s': %s", SHOWN_MAX, pattern, why);
}

static int pattern__check(const char *pattern, struct err *err)
{
	struct size size = { .depth = 0 };

	for (const char *at = pattern; *at;) {
		if (*at == '\\' && isdigit((unsigned char)at[1]))
			return pattern__refuse(pattern, "references to groups are not supported",
					       err);
		if (*at == '(' && size.depth + 1 == DEPTH_MAX)
			return pattern__refuse(pattern, "brackets are nested too deeply", err);
		at = measure(&size, at);
		if (size.parts[size.depth] > PARTS_MAX)
			return pattern__refuse(pattern, "too large when its repetitions are "
							"written out",
					       err);
	}
	return 0;
}

int pattern__compile(regex_t *re, const char *pattern, int flags, struct err *err)
{
	char why[128];
	int rc = pattern__check(pattern, err);

	if (rc)
		return rc;
	rc = regcomp(re, pattern, REG_EXTENDED | flags);
	if (!rc)
		return 0;
	if (rc == REG_ESPACE) {
		xchecked(NULL);
		return err__set(err, ENOMEM, "pattern '%.*s': out of memory", SHOWN_MAX, pattern);
	}
	regerror(rc, re, why, sizeof(why));
	return pattern__refuse(pattern, why, err);
}

bool pattern__matches(const regex_t *re, const char *text, regmatch_t *match)
{
	bool matches;

	errno = 0;
	matches = !regexec(re, text, match ? 1 : 0, match, 0);
	/* glibc (2.36) returns REG_NOMATCH also where it means REG_ESPACE. */
	if (!matches && errno == ENOMEM)
		xchecked(NULL);
	return matches;
}
