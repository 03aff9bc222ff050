// SPDX-License-Identifier: GPL-2.0-only
/* The list of what was found. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "lint/internal.h"
#include "lint/lint.h"

#define SHOWN_BEFORE 60 /* bytes of a long expression kept before the place, and behind it */

const char *const lint_severities[LINT_SEVERITIES] = {
	[LINT_NOTE] = "note",
	[LINT_WARNING] = "warning",
	[LINT_ERROR] = "error",
};

const struct lint_kind_info lint_kinds[LINT_KINDS] = {
	[LINT_ELEMENT] = { "element", LINT_ERROR,
			   "a file or an element of it cannot be read: it is no JSON, a number is "
			   "none, a standard event is not there" },
	[LINT_SYNTAX] = { "syntax", LINT_ERROR, "an expression or a threshold cannot be read" },
	[LINT_UNKNOWN_NAME] = { "unknown-name", LINT_ERROR,
				"a name is neither that of an event nor that of a metric" },
	[LINT_CORE_TYPE] = { "core-type", LINT_ERROR,
			     "a metric of one kind of core uses what only the other kind has" },
	[LINT_EVENT_NAME] = { "event-name", LINT_ERROR,
			      "a name is none that an event could have: terms or modifiers are "
			      "wrong" },
	[LINT_NAME] = { "name", LINT_ERROR,
			"nobody can ask for an event or a metric of that name: it has commas, control "
			"characters or the like in it" },
	[LINT_CYCLE] = { "cycle", LINT_ERROR, "a metric refers to itself, be it through others" },
	[LINT_DEPTH] = { "depth", LINT_ERROR,
			 "a metric refers to others which refer to others, and so on too far" },
	[LINT_DIVISION] = { "division", LINT_ERROR, "an expression divides by what is always 0" },
	[LINT_DUPLICATE] = { "duplicate", LINT_ERROR,
			     "an event or a metric is there twice for the same PMU" },
	[LINT_NEVER] = { "never-holds", LINT_ERROR,
			 "a threshold, or an alternative in it, cannot be reached by any counts" },
	[LINT_ALWAYS] = { "always-holds", LINT_WARNING,
			  "a condition in a threshold holds for any counts" },
	[LINT_PERCENT] = { "percent", LINT_WARNING,
			   "a threshold compares a fraction, which is shown in percent, with a "
			   "number that only a percentage reaches" },
	[LINT_GROUP] = { "group", LINT_WARNING,
			 "the events of a metric, which are to be counted as one group, do not fit "
			 "the counters together" },
	[LINT_DEPRECATED] = { "deprecated", LINT_WARNING,
			      "a metric uses an event which the vendor wants replaced" },
	[LINT_WORD] = { "unknown-word", LINT_WARNING,
			"a field has a word that is not known, such as a MetricConstraint" },
	[LINT_BLANK] = { "blank", LINT_WARNING,
			 "a metric's name has a blank in it, so that no expression can name it" },
	[LINT_UNIT] = { "unit", LINT_WARNING, "a Unit is none of those that are known" },
	[LINT_GROUP_THRESHOLD] = { "threshold-group", LINT_NOTE,
				   "the events of a metric fit the counters, but not with those of "
				   "its threshold" },
	[LINT_IGNORED] = { "ignored", LINT_NOTE,
			   "something has no effect: a field that is not known, a row of the "
			   "mapfile without a folder" },
	[LINT_DESCRIPTION] = { "no-description", LINT_NOTE,
			       "an event or a metric has no description" },
	[LINT_GROUP_DESCRIPTION] = { "group-description", LINT_NOTE,
				     "a metric group is not described in metricgroups.json" },
};

/* Control bytes of somebody else's text are shown as '?'; it is one line. */
static char *one_line(struct sb *sb)
{
	char *text = sb__detach(sb);

	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return text;
}

/* A long expression is cut around the place. */
static char *cut(const char *text, int *column)
{
	int len = strlen(text), start = 0, end = len;
	struct sb sb = SB_INIT;

	if (*column > len)
		*column = len;
	if (len > 2 * SHOWN_BEFORE && *column > SHOWN_BEFORE)
		start = *column - SHOWN_BEFORE;
	if (len - start > 2 * SHOWN_BEFORE)
		end = start + 2 * SHOWN_BEFORE;
	sb__printf(&sb, "%s%.*s%s", start ? ".." : "", end - start, text + start,
		   end < len ? ".." : "");
	*column += 2 * (start > 0) - start;
	return one_line(&sb);
}

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
	struct sb message = SB_INIT;
	va_list ap;

	va_start(ap, fmt);
	sb__vprintf(&message, fmt, ap);
	va_end(ap);
	f.message = one_line(&message);
	if (at.text)
		f.text = cut(at.text, &f.column);
	vec__push(&lint->findings, f);
}

/*
 * A syntax error as err__caret() words it is taken apart: "WHAT syntax error: 'TEXT'", and in the
 * next line the place and the reason.
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

/* --- The order of the files -------------------------------------------------------------------- */

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
