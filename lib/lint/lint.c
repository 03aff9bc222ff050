// SPDX-License-Identifier: GPL-2.0-only
/* Collect findings, and sort them in the order of the files. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "lint/internal.h"
#include "lint/lint.h"

#define SHOWN_AROUND 60 /* bytes of a long expression that are kept on each side of the mistake */

const char *const lint_severities[LINT_SEVERITIES] = {
	[LINT_NOTE] = "note",
	[LINT_WARNING] = "warning",
	[LINT_ERROR] = "error",
};

const struct lint_kind_info lint_kinds[LINT_KINDS] = {
#define KIND_INFO(id, text, level, sentence) [LINT_##id] = { text, LINT_##level, sentence },
	LINT_KIND_LIST(KIND_INFO)
};

static void free_finding(struct lint_finding *f)
{
	free(f->file);
	free(f->message);
	free(f->text);
}

void lint__add(struct lint *lint, struct lint_place at, enum lint_kind kind, const char *fmt, ...)
{
	struct lint_finding f = { .kind = kind,
				  .file = xstrdup(at.file),
				  .line = at.line,
				  .field = at.field,
				  .column = at.column };
	char shown[2 * SHOWN_AROUND + 5];
	va_list ap;

	va_start(ap, fmt);
	f.message = text__one_line(xvasprintf(fmt, ap));
	va_end(ap);
	if (at.text)
		f.text = xstrdup(text__excerpt(shown, at.text, &f.column, SHOWN_AROUND));
	vec__push(&lint->findings, f);
}

/*
 * Split a syntax error made by err__caret(): its first line is "WHAT syntax error: 'TEXT'", and the
 * second line has the mistake's place and the reason.
 */
void lint__add_syntax(struct lint *lint, struct lint_place at, const char *msg)
{
	static const char head[] = " syntax error: '", tail[] = "\\___ ";
	const char *text = strstr(msg, head), *end = strchr(msg, '\n');
	const char *why = end ? strstr(end, tail) : NULL;
	char *shown;

	if (!text || !why || text > end) {
		lint__add(lint, at, LINT_SYNTAX, "%.*s", (int)strcspn(msg, "\n"), msg);
		return;
	}
	text += strlen(head);
	shown = xstrndup(text, end - 1 - text);
	at.text = shown;
	at.column = why - (end + 1) - (text - msg);
	lint__add(lint, at, LINT_SYNTAX, "%.*s: %s", (int)(text - strlen(head) - msg), msg,
		  why + strlen(tail));
	free(shown);
}

void lint__report(void *arg, enum tree_problem problem, const char *file, int line, const char *msg)
{
	static const enum lint_kind kinds[] = {
		[TREE_NOTE] = LINT_IGNORED,
		[TREE_WARNING] = LINT_WORD,
		[TREE_ERROR] = LINT_ELEMENT,
		[TREE_DOUBLE] = LINT_DUPLICATE,
	};
	struct lint_place at = {.file = file, .line = line};

	if (strchr(msg, '\n')) {
		at.field = "MetricExpr";
		lint__add_syntax(arg, at, msg);
	} else {
		lint__add(arg, at, kinds[problem], "%s", msg);
	}
}

void lint__keep_file(struct lint *lint, const char *path)
{
	struct lint_finding *at = lint->findings.at;
	int kept = 0;

	for (int i = 0; i < lint->findings.nr; i++) {
		if (strcmp(at[i].file, path))
			free_finding(&at[i]);
		else
			at[kept++] = at[i];
	}
	lint->findings.nr = kept;
}

void lint__free(struct lint *lint)
{
	struct lint_finding *f;

	vec__for_each (f, &lint->findings)
		free_finding(f);
	vec__free(&lint->findings);
}

/*
 * --- Sorting -------------------------------------------------------------------------------------
 */

#define MAX_FILE (64 << 20) /* limit of a file's bytes, as in json_file__open() */

/* Skip the string that begins at @p. */
static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		p += *p == '\\' && p[1];
	return p + (*p == '"');
}

/*
 * Find the line of a field in the object that begins at or after @p, which is in @line. Return: the
 * object's line if the object lacks the field.
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
		/* This text is a value, not the field's name, if no colon follows it. */
		if (depth == 1 && text__is(p + 1, end - p - 2, field) &&
		    end[strspn(end, " \t\r\n")] == ':')
			return line;
		p = end;
	}
	return found;
}

static int lint__compare(const void *va, const void *vb)
{
	const struct lint_finding *a = va, *b = vb;

	return strcmp(a->file, b->file) ?: a->line - b->line ?: (int)a->kind - (int)b->kind ?:
	       a->column - b->column ?: strcmp(a->message, b->message);
}

/*
 * Set the lines of findings to the lines of their fields. The findings are in one file and sorted
 * by line; @text is read once.
 */
static void place_all(struct lint_finding *at, int nr, const char *text)
{
	const char *field = NULL;
	int line = 1, of = 0, found = 0;

	for (int i = 0; i < nr; i++) {
		if (!at[i].field || !at[i].line)
			continue;
		for (; *text && line < at[i].line; text++)
			line += *text == '\n';
		/* A field can have several findings. */
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
	qsort(at, nr, sizeof(*at), lint__compare);
	for (int i = 0, same; i < nr; i += same) {
		char *text;

		for (same = 1; i + same < nr && !strcmp(at[i].file, at[i + same].file); same++)
			;
		/* If a file cannot be read again, its findings keep the lines of their elements. */
		if (file__read_regular(at[i].file, MAX_FILE, &text, NULL, NULL))
			continue;
		place_all(&at[i], same, text);
		free(text);
	}
	qsort(at, nr, sizeof(*at), lint__compare);
}
