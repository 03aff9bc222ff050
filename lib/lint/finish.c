// SPDX-License-Identifier: GPL-2.0-only
/* Findings in the order of the files, each at the line of the field it is about. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "lint/internal.h"

#define MAX_FILE (64 << 20) /* json_file__open() reads no larger one either */

/* Behind the string that begins at @p. */
static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		p += *p == '\\' && p[1];
	return p + (*p == '"');
}

/*
 * The line of a field of the object which begins at or behind @p, which is in @line; that of the
 * object when it has no such field.
 */
static int line_of_field(const char *p, int line, const char *field)
{
	int found = line, depth = 0;

	for (; *p && *p != '{'; p++)
		line += *p == '\n';
	while (*p) {
		const char *end;

		if (*p != '"') {
			depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
			line += *p == '\n';
			if (*p++ == '}' && !depth)
				return found;
			continue;
		}
		end = skip_string(p);
		/* A value of that text is followed by something else. */
		if (depth == 1 && text__is(p + 1, end - p - 2, field) &&
		    end[strspn(end, " \t\r\n")] == ':')
			return line;
		p = end;
	}
	return found;
}

static int compare(const void *va, const void *vb)
{
	const struct lint_finding *a = va, *b = vb;

	return strcmp(a->file, b->file) ?: a->line - b->line ?: (int)a->kind - (int)b->kind ?:
	       a->column - b->column ?: strcmp(a->message, b->message);
}

/* Findings of one file, by line: @text is gone through once. */
static void place_all(struct lint_finding *at, int nr, const char *text)
{
	const char *field = NULL;
	int line = 1, of = 0, found = 0;

	for (int i = 0; i < nr; i++) {
		if (!at[i].field || !at[i].line)
			continue;
		for (; *text && line < at[i].line; text++)
			line += *text == '\n';
		/* Many can be in one field. */
		if (!field || of != at[i].line || strcmp(field, at[i].field)) {
			field = at[i].field;
			of = at[i].line;
			found = line_of_field(text, line, field);
		}
		at[i].line = found;
	}
}

void lint__finish(struct lint *lint)
{
	struct lint_finding *at = lint->findings.at;
	int nr = lint->findings.nr;

	if (!nr)
		return;
	qsort(at, nr, sizeof(*at), compare);
	for (int i = 0, same; i < nr; i += same) {
		char *text;

		for (same = 1; i + same < nr && !strcmp(at[i].file, at[i + same].file); same++)
			;
		/* A file that cannot be read any more keeps the lines that are known. */
		if (file__read_regular(at[i].file, MAX_FILE, &text, NULL, NULL))
			continue;
		place_all(&at[i], same, text);
		free(text);
	}
	qsort(at, nr, sizeof(*at), compare);
}
