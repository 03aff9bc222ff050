// SPDX-License-Identifier: GPL-2.0-only
/*
 *	filter	= term { ( "&&" | "||" ) term }
 *	term	= { "!" } ( "(" filter ")" | field [ ".ustring" | ".function" ] op value )
 *	op	= "==" | "!=" | "~" | "<=" | "<" | ">=" | ">" | "&"
 *	value	= number | "'" text "'" | '"' text '"' | "CPUS{" list "}" | function
 *
 * Parentheses are counted and not parsed by recursion, so that their depth is not limited.
 */
#include "machine/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/cpulist.h"
#include "base/err.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"
#define TEXT_MAX 256  /* the kernel accepts only shorter texts */
#define NUMBER_MAX 24 /* the kernel accepts only shorter numbers */

/* Kinds of fields. The kind decides which values a field can be compared with. */
enum field_kind {
	FIELD_NUMBER,
	FIELD_TEXT,
	FIELD_CPUS,  /* a mask of CPUs */
	FIELD_STACK, /* a call stack of the kernel, for which comparisons are useless */
	FIELD_ANY,   /* unknown, since the tracepoint's description is not readable */
};

/**
 * struct tracepoint_field - a field of a tracepoint
 * @name: allocated if it is one of the tracepoint's own fields
 * @is_signed: (FIELD_NUMBER) its values can be negative
 */
struct tracepoint_field {
	const char *name;
	enum field_kind kind;
	bool is_signed;
};

/* Fields that all tracepoints have in addition to their own, which are searched first. */
static const struct tracepoint_field every_tracepoint[] = {
	{ "CPU", FIELD_NUMBER, true },
	{ "cpu", FIELD_NUMBER, true },
	{ "common_cpu", FIELD_NUMBER, true },
	{ "COMM", FIELD_TEXT, false },
	{ "comm", FIELD_TEXT, false },
	{ "STACKTRACE", FIELD_STACK, false },
	{ "stacktrace", FIELD_STACK, false },
	{ "common_type", FIELD_NUMBER, false },
	{ "common_flags", FIELD_NUMBER, false },
	{ "common_preempt_count", FIELD_NUMBER, false },
	{ "common_pid", FIELD_NUMBER, true },
};

/**
 * struct filter_parser - a filter that is being parsed
 * @at: the next character of @text
 * @fields: the tracepoint's own fields; @known: @fields is complete, and other names are errors
 */
struct filter_parser {
	const char *text, *at, *tracepoint;
	VEC(struct tracepoint_field) fields;
	bool known;
	struct err *err;
};

/* --- Fields ------------------------------------------------------------- */

/*
 * The kernel also uses the text of the type to distinguish kinds: "char[16]", "__data_loc char[]".
 */
static enum field_kind filter__kind_of(const char *type)
{
	bool chars = strstr(type, "char"), located = strstr(type, "__data_loc");

	if (located && !chars && strstr(type, "cpumask_t"))
		return FIELD_CPUS;
	if (chars && (located || strstr(type, "__rel_loc") || strchr(type, '[')))
		return FIELD_TEXT;
	return text__is_any(type, "char *", "const char *") ? FIELD_TEXT : FIELD_NUMBER;
}

/*
 * Parse a field's declaration. The last word of "__data_loc char[] name" and of "char name[16]" is
 * the name; the rest is the type. A word of the type may also be part of a name, where it does not
 * count.
 */
static struct tracepoint_field parse_declaration(const char *declaration)
{
	size_t len = strlen(declaration), end, bracket;
	struct tracepoint_field field = { NULL };
	auto_free(sb) type = SB_INIT;

	if (len && declaration[len - 1] == ']')
		while (len && declaration[--len] != '[')
			;
	bracket = len;
	while (len && isspace((unsigned char)declaration[len - 1]))
		len--;
	for (end = len; len && strchr(NAME_CHARS, declaration[len - 1]);)
		len--;
	field.name = xstrndup(declaration + len, end - len);
	while (len && isspace((unsigned char)declaration[len - 1]))
		len--;
	sb__printf(&type, "%.*s%s", (int)len, declaration, declaration + bracket);
	field.kind = filter__kind_of(sb__str(&type));
	return field;
}

/* Each line is "field:DECLARATION;", followed by offset, size and sign. */
static void read_fields(struct filter_parser *p, const char *format)
{
	for (const char *line = format; line; line = strchr(line, '\n')) {
		auto_text text = NULL;
		struct tracepoint_field field;
		char *rest;

		line += strspn(line, "\n");
		if (!text__has_prefix(line + strspn(line, " \t"), "field:"))
			continue;
		line += strspn(line, " \t") + strlen("field:");
		text = xstrndup(line, strcspn(line, "\n"));
		rest = text + strcspn(text, ";");
		if (*rest)
			*rest++ = '\0';
		field = parse_declaration(text);
		field.is_signed = strstr(rest, "signed:1;");
		vec__push(&p->fields, field);
	}
	p->known = p->fields.nr;
}

static void free_fields(struct filter_parser *p)
{
	const struct tracepoint_field *f;

	vec__for_each(f, &p->fields)
		free((char *)f->name);
	vec__free(&p->fields);
}

/* --- Errors ------------------------------------------------------------- */

static int filter__wrong(const struct filter_parser *p, const char *at, const char *why)
{
	return err__caret(p->err, "--filter", p->text, at - p->text, why);
}

static int unknown_field(const struct filter_parser *p, const char *at, const char *name)
{
	auto_free(sb) why = SB_INIT, list = SB_INIT;
	const struct tracepoint_field *f;
	struct suggest near;

	suggest__init(&near, name);
	sb__puts(&list, "\n  its fields are:");
	vec__for_each(f, &p->fields) {
		suggest__offer(&near, f->name);
		sb__printf(&list, "%s %s", f == p->fields.at ? "" : ",", f->name);
	}
	sb__printf(&why, "tracepoint %s has no field '%.64s'", p->tracepoint, name);
	suggest__print(&near, &why);
	filter__wrong(p, at, sb__str(&why));
	return err__append(p->err, "%s", sb__str(&list));
}

/* --- The grammar -------------------------------------------------------- */

static void filter__skip_blanks(struct filter_parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

static bool filter__take(struct filter_parser *p, const char *word)
{
	if (!text__has_prefix(p->at, word))
		return false;
	p->at += strlen(word);
	return true;
}

/* Find a field by name; if the fields are unknown, accept any name. Return: 0 or -EINVAL. */
static int find_field(const struct filter_parser *p, const char *at, const char *name,
		      struct tracepoint_field *out)
{
	const struct tracepoint_field *f;

	*out = (struct tracepoint_field){ .kind = FIELD_ANY };
	if (!p->known)
		return 0;
	vec__for_each (f, &p->fields)
		if (!strcmp(f->name, name)) {
			*out = *f;
			return 0;
		}
	for (int i = 0; i < array__nr(every_tracepoint); i++)
		if (!strcmp(every_tracepoint[i].name, name)) {
			*out = every_tracepoint[i];
			return 0;
		}
	return unknown_field(p, at, name);
}

static const char *take_op(struct filter_parser *p)
{
	/* An operator precedes the operators that are its prefixes. */
	static const char *const ops[] = { "==", "!=", "~", "<=", "<", ">=", ">", "&" };

	for (int i = 0; i < array__nr(ops); i++)
		if (!text__has_prefix(p->at, "&&") && filter__take(p, ops[i]))
			return ops[i];
	return NULL;
}

static int parse_text(struct filter_parser *p, const char *op, enum field_kind kind)
{
	const char *start = p->at, *end = strchr(start + 1, *start);

	if (!text__is_any(op, "==", "!=", "~"))
		return filter__wrong(p, start, "compare a text with ==, != or ~");
	if (kind != FIELD_TEXT && kind != FIELD_ANY)
		return filter__wrong(p, start, "the field is not a text");
	if (!end)
		return filter__wrong(p, start, "a quote is not closed");
	if (end - start - 1 >= TEXT_MAX)
		return filter__wrong(p, start, "a text has at most 255 bytes");
	p->at = end + 1;
	return 0;
}

/* Tell whether a 64-bit field, whose sign may be unknown, can have a number as its value. */
static bool is_in_range(const struct tracepoint_field *field, bool minus, uint64_t number)
{
	uint64_t most = (uint64_t)INT64_MAX + minus;

	return number <= most || (!minus && !(field->is_signed && field->kind != FIELD_ANY));
}

static int filter__parse_number(struct filter_parser *p, const char *op,
				const struct tracepoint_field *field)
{
	const char *start = p->at;
	bool minus = filter__take(p, "-");
	int len = strspn(p->at, NAME_CHARS);
	uint64_t number;

	if (field->kind == FIELD_TEXT)
		return filter__wrong(p, start,
				     "the field is a text: compare it with a text in quotes");
	if (!strcmp(op, "~"))
		return filter__wrong(p, start, "only a text is compared with ~");
	if (len + minus >= NUMBER_MAX || !isdigit((unsigned char)*p->at) ||
	    num__scan_u64(p->at, 0, &number) != len)
		return filter__wrong(p, start, "not a 64-bit number");
	if (minus && !field->is_signed && field->kind != FIELD_ANY)
		return filter__wrong(p, start,
				     "the field is unsigned: a negative number is not possible");
	if (!is_in_range(field, minus, number))
		return filter__wrong(p, start,
				     field->is_signed
					     ? "the field is signed, and this is not a signed "
					       "64-bit number"
					     : "not a 64-bit number");
	p->at += len;
	return 0;
}

static int parse_cpus(struct filter_parser *p, const char *op, enum field_kind kind)
{
	const char *start = p->at, *end;
	struct cpulist cpus = CPULIST_INIT;
	auto_text list = NULL;
	int rc;

	if (kind == FIELD_TEXT)
		return filter__wrong(p, start,
				     "the field is a text: compare it with a text in quotes");
	if (kind == FIELD_STACK)
		return filter__wrong(p, start, "the field is not a CPU");
	if (!text__is_any(op, "==", "!=", "&"))
		return filter__wrong(p, start, "compare CPUs with ==, != or &");
	p->at += strlen("CPUS");
	if (!filter__take(p, "{"))
		return filter__wrong(p, p->at, "expected a list in braces after CPUS");
	end = strchr(p->at, '}');
	if (!end)
		return filter__wrong(p, p->at, "the brace is not closed");
	list = xstrndup(p->at, end - p->at);
	rc = *list ? cpulist__parse("CPUS", list, &cpus, NULL) : -EINVAL;
	cpulist__free(&cpus);
	if (rc)
		return filter__wrong(p, p->at, "not a list of CPUs");
	p->at = end + 1;
	return 0;
}

/* A function is named by an address in it or by its name, and a blank ends it. */
static int parse_function(struct filter_parser *p, const char *op)
{
	size_t len = strcspn(p->at, " \t\n\v\f\r");

	if (!text__is_any(op, "==", "!="))
		return filter__wrong(p, p->at, "compare a function with == or !=");
	if (!len)
		return filter__wrong(p, p->at, "the name of a function is missing");
	p->at += isdigit((unsigned char)*p->at) ? strspn(p->at, NAME_CHARS) : len;
	return 0;
}

static int parse_comparison(struct filter_parser *p)
{
	const char *start = p->at, *op;
	size_t len = strspn(start, NAME_CHARS);
	auto_text name = xstrndup(start, len);
	struct tracepoint_field field;
	bool function;
	int rc;

	if (!len)
		return filter__wrong(p, start, *start ? "a field's name is expected here" :
							"a field's name is missing");
	rc = find_field(p, start, name, &field);
	if (rc)
		return rc;
	p->at += len;
	filter__take(p, ".ustring");
	function = filter__take(p, ".function");
	filter__skip_blanks(p);
	op = take_op(p);
	if (!op)
		return filter__wrong(p, p->at,
				     "expected ==, !=, ~, <, <=, >, >= or & after a field");
	filter__skip_blanks(p);
	if (function)
		return parse_function(p, op);
	if (text__has_prefix(p->at, "CPUS"))
		return parse_cpus(p, op, field.kind);
	if (*p->at == '"' || *p->at == '\'')
		return parse_text(p, op, field.kind);
	if (isdigit((unsigned char)*p->at) || *p->at == '-')
		return filter__parse_number(p, op, &field);
	return filter__wrong(p, p->at,
			     *p->at ? "expected a number, a text in quotes or CPUS{...}"
				    : "a value is missing");
}

/* Skip to the next comparison. Return: 1 if there is one, 0 at the end, or -EINVAL. */
static int parse_joint(struct filter_parser *p, int *depth)
{
	for (;;) {
		filter__skip_blanks(p);
		if (!*p->at)
			return *depth ? filter__wrong(p, p->at, "a parenthesis is not closed") : 0;
		if (filter__take(p, "&&") || filter__take(p, "||"))
			return 1;
		if (*p->at != ')')
			return filter__wrong(p, p->at, "expected && or || between two comparisons");
		if (!*depth)
			return filter__wrong(p, p->at, "no parenthesis is open");
		p->at++;
		--*depth;
	}
}

static int parse_filter(struct filter_parser *p)
{
	int depth = 0, rc;

	do {
		filter__skip_blanks(p);
		while (*p->at == '(' || *p->at == '!') {
			depth += *p->at++ == '(';
			filter__skip_blanks(p);
		}
		rc = parse_comparison(p) ?: parse_joint(p, &depth);
	} while (rc > 0);
	return rc;
}

int filter__check(const char *text, const char *tracepoint, const char *format, struct err *err)
{
	struct filter_parser p = {
		.text = text, .at = text, .tracepoint = tracepoint, .err = err
	};
	int rc;

	if (format)
		read_fields(&p, format);
	rc = parse_filter(&p);
	free_fields(&p);
	return rc;
}
