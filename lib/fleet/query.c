// SPDX-License-Identifier: GPL-2.0-only
#include "fleet/query.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"

/* --- Durations ----------------------------------------------------------------------------- */

/*
 * Measure the unit at the start of @text, which must be smaller than unit @last; 0 for other texts.
 */
static size_t scan_unit(const char *text, int *last)
{
	static const char *const units[] = {"y", "w", "d", "h", "m", "s", "ms"};

	for (int i = *last + 1; i < (int)(sizeof(units) / sizeof(*units)); i++) {
		size_t len = strlen(units[i]);

		if (!strncmp(text, units[i], len) && !isalpha((unsigned char)text[len])) {
			*last = i;
			return len;
		}
	}
	return 0;
}

int fleet__check_duration(const char *what, const char *text, struct err *err)
{
	const char *at = text;
	bool some = false;
	int last = -1;

	while (*at) {
		size_t digits = strspn(at, "0123456789"), unit;

		unit = digits && digits <= 9 ? scan_unit(at + digits, &last) : 0;
		if (!unit)
			break;
		some |= strspn(at, "0") < digits;
		at += digits + unit;
	}
	if (some && !*at)
		return 0;
	return err__set(err, EINVAL,
			"%s '%s': expected a duration above 0, such as 90s, 10m, 1h30m or 7d", what,
			text);
}

/* --- Selections ---------------------------------------------------------------------------- */

bool fleet__is_label(const char *text, int len)
{
	for (int i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (c != '_' && !(isascii(c) && (i ? isalnum(c) : isalpha(c))))
			return false;
	}
	return len > 0;
}

static size_t scan_blanks(const char *text)
{
	return strspn(text, " \t\n");
}

/* A matcher with its blanks: the label of the matcher, and the text after the matcher. */
struct fleet_matcher {
	const char *label, *end;
	int len;
};

static const char *scan_string(const char *text)
{
	char quote = *text;

	if (quote != '"' && quote != '\'')
		return NULL;
	for (text++; *text && *text != quote && *text != '\n'; text++)
		if (*text == '\\' && !*++text)
			return NULL;
	return *text == quote ? text + 1 : NULL;
}

/* Return: 0, or -EINVAL with the place of the mistake in m->end. */
static int scan_matcher(const char *text, struct fleet_matcher *m, const char **why)
{
	const char *at = text + scan_blanks(text), *end;

	m->label = m->end = at;
	while (isalnum((unsigned char)*at) || *at == '_')
		at++;
	m->len = at - m->label;
	*why = "the name of a label is missing";
	if (!fleet__is_label(m->label, m->len))
		return -EINVAL;
	m->end = at += scan_blanks(at);
	*why = "one of =, !=, =~ and !~ is missing after the label";
	if (text__has_prefix(at, "!=") || text__has_prefix(at, "=~") || text__has_prefix(at, "!~"))
		at += 2;
	else if (*at == '=')
		at++;
	else
		return -EINVAL;
	m->end = at += scan_blanks(at);
	*why = "a value in quotes is missing";
	end = scan_string(at);
	if (!end)
		return -EINVAL;
	m->end = end + scan_blanks(end);
	*why = "a comma is missing";
	return *m->end && *m->end != ',' ? -EINVAL : 0;
}

int fleet__check_selection(const char *what, const char *text, struct err *err)
{
	const char *at = text + scan_blanks(text), *why;
	struct fleet_matcher m;

	while (*at) {
		if (scan_matcher(at, &m, &why))
			return err__caret(err, what, text, m.end - text, why);
		at = m.end + (*m.end == ',');
		at += scan_blanks(at);
	}
	return 0;
}

bool fleet__selects(const char *selection, const char *label)
{
	const char *at = selection, *why;
	struct fleet_matcher m;

	while (*(at += scan_blanks(at)) && !scan_matcher(at, &m, &why)) {
		if (text__is(m.label, m.len, label))
			return true;
		at = m.end + (*m.end == ',');
	}
	return false;
}

/* --- Queries ------------------------------------------------------------------------------- */

void fleet__put_rate(struct sb *sb, const struct fleet_question *q, enum fleet_series series,
		     const char *matchers)
{
	size_t len = strlen(q->selection);

	/* Remove commas after the last matcher, since a comma is added below. */
	while (len && strchr(" \t\n,", q->selection[len - 1]))
		len--;
	sb__printf(sb, "rate(tma_%s_total{%s", q->unit, matchers);
	if (!fleet__selects(q->selection, "cgroup"))
		sb__printf(sb, ",cgroup%s\"/?\"", series == FLEET_HOSTS ? "=~" : "!~");
	if (len) {
		sb__putc(sb, ',');
		sb__add(sb, q->selection, len);
	}
	sb__printf(sb, "}[%s]", q->window);
	if (q->offset)
		sb__printf(sb, " offset %s", q->offset);
	sb__putc(sb, ')');
}

void fleet__put_of(struct sb *sb, const struct fleet_question *q, enum fleet_series series,
		   const char *nodes, const char *hosts, bool by_pmu)
{
	auto_free(sb) whole = SB_INIT;

	sb__printf(&whole, "metric=\"total\"%s%s", *hosts ? "," : "", hosts);
	sb__puts(sb, by_pmu ? "" : "sum without (pmu) (");
	fleet__put_rate(sb, q, series, nodes);
	sb__printf(sb, "%s * 0 + ignoring (metric, parent, level) group_left () ",
		   by_pmu ? "" : ")");
	sb__puts(sb, by_pmu ? "" : "sum without (pmu) (");
	fleet__put_rate(sb, q, series, sb__str(&whole));
	sb__puts(sb, by_pmu ? "" : ")");
}

/* Strings in queries have Go's syntax: a backslash precedes special characters. */
static void put_escaped(struct sb *sb, char c)
{
	if (c == '\n')
		sb__puts(sb, "\\n");
	else if (c == '"' || c == '\\')
		sb__printf(sb, "\\%c", c);
	else
		sb__putc(sb, c);
}

void fleet__put_quoted(struct sb *sb, const char *text)
{
	sb__putc(sb, '"');
	for (; *text; text++)
		put_escaped(sb, *text);
	sb__putc(sb, '"');
}

void fleet__put_exactly(struct sb *sb, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\.+*?()|[]{}^$", *text))
			sb__putc(sb, '\\');
		sb__putc(sb, *text);
	}
}
