// SPDX-License-Identifier: GPL-2.0-only
/*
 * The -e grammar:
 *
 *	list	= item { "," item }
 *	item	= event | [ name [ ":" ] ] "{" event { "," event } "}" [ ":" modifiers ]
 *	event	= body [ [ ":" ] modifiers ]
 *	body	= name [ "/" terms "/" ] | system ":" tracepoint | type ":" config
 *		| "mem:" address [ "/" length ] [ ":" access ]
 *
 * Only events in a group nest, so no text is too deep for the parser.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "events/internal.h"

#define NAME_CHARS "_*?.[]!-"

int parse__error(struct event_parser *p, int column, const char *fmt, ...)
{
	struct sb why = SB_INIT;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	sb__vprintf(&why, fmt, ap);
	va_end(ap);
	rc = err__caret(p->err, "event", p->text, column, sb__str(&why));
	sb__free(&why);
	return rc;
}

static int word_len(const char *text, const char *chars)
{
	int len = 0;

	while (text[len] && (isalnum((unsigned char)text[len]) || strchr(chars, text[len])))
		len++;
	return len;
}

char *parse__word(struct event_parser *p, const char *chars)
{
	int len = word_len(p->text + p->pos, chars);

	p->pos += len;
	return xstrndup(p->text + p->pos - len, len);
}

void parse__skip_blanks(struct event_parser *p)
{
	while (isspace((unsigned char)p->text[p->pos]))
		p->pos++;
}

static char peek(const struct event_parser *p)
{
	return p->text[p->pos];
}

/* Reads "/terms/" if the text continues with terms. */
static int parse_slashes(struct event_parser *p)
{
	int rc;

	p->slashes = peek(p) == '/';
	if (!p->slashes)
		return 0;
	p->inside = ++p->pos;
	rc = terms__parse(p, &p->terms);
	if (rc)
		return rc;
	if (peek(p) == '|')
		return parse__error(p, p->pos, "a value with '|' needs quotes: name='a|b'");
	if (peek(p) != '/')
		return parse__error(p, p->pos, "'/' is missing after the terms");
	p->inside_len = p->pos++ - p->inside;
	return 0;
}

static int parse__number(struct event_parser *p, uint64_t *out)
{
	int len = terms__scan_number(p->text + p->pos, out);

	p->pos += len;
	return len ? 0 : parse__error(p, p->pos, "expected a number of up to 64 bits");
}

static const char accesses[] = "rwx"; /* in the order of bits, from HW_BREAKPOINT_R on */

static int parse_access(struct event_parser *p, uint32_t *type)
{
	const char *letter;

	for (p->pos++; peek(p) && (letter = strchr(accesses, peek(p))); p->pos++) {
		uint32_t bit = 1U << (letter - accesses);

		if (*type & bit)
			return parse__error(p, p->pos, "'%c' is given twice", *letter);
		*type |= bit;
	}
	return 0;
}

/* Reads mem:address[/length][:rwx][/terms/]. A length begins with a digit; terms do not. */
static int parse_breakpoint(struct event_parser *p)
{
	uint64_t addr, len = 0;
	uint32_t type = 0;
	int rc;

	p->pos += strlen("mem:");
	rc = parse__number(p, &addr);
	if (!rc && peek(p) == '/' && isdigit((unsigned char)p->text[p->pos + 1])) {
		p->pos++;
		rc = parse__number(p, &len);
	}
	if (!rc && peek(p) == ':' && p->text[p->pos + 1] && strchr(accesses, p->text[p->pos + 1]))
		rc = parse_access(p, &type);
	return rc ?: parse_slashes(p) ?: add__breakpoint(p, addr, len, type);
}

/* Reads "type:config": numbers for perf_event_attr. */
static int parse_numeric(struct event_parser *p, int column)
{
	uint64_t type, config;
	int rc;

	p->pos = column;
	rc = parse__number(p, &type);
	if (!rc && type > UINT32_MAX)
		return parse__error(p, column, "an event type has 32 bits");
	p->pos++;
	return rc ?: parse__number(p, &config) ?: parse_slashes(p) ?: add__numeric(p, type, config);
}

static int parse_tracepoint(struct event_parser *p, const char *system, int column)
{
	char *name;
	int rc;

	p->pos++;
	name = parse__word(p, NAME_CHARS);
	rc = parse_slashes(p) ?: add__tracepoint(p, system, name, column);
	free(name);
	return rc;
}

static int parse_tool(struct event_parser *p, enum event_tool tool)
{
	int column = p->pos + 1, rc = parse_slashes(p);

	if (!rc && p->terms.nr)
		return parse__error(p, column, "this event takes no terms");
	return rc ?: add__tool(p, tool);
}

/*
 * A name is a tracepoint if a colon follows it, and a text other than modifiers follows the colon.
 */
static bool is_tracepoint(const struct event_parser *p, const char *name)
{
	const char *behind;
	int len;

	if (peek(p) != ':')
		return false;
	behind = p->text + p->pos + 1;
	len = word_len(behind, NAME_CHARS);
	return len && modifiers__letters(behind) < len && !strchr(name, '.') &&
	       !events__is_kernel_name(name) && !events__tool(name);
}

static int parse_name(struct event_parser *p, const char *name, int column)
{
	enum event_tool tool = events__tool(name);
	int rc;

	if (!*name)
		return parse__error(p, column, "expected the name of an event");
	if (peek(p) == '/' && !strcmp(name, TOOL_PMU) && !p->scope->by_name)
		return parse_slashes(p) ?: add__tool_pmu(p, column);
	if (tool)
		return parse_tool(p, tool);
	if (isdigit((unsigned char)*name) && peek(p) == ':' &&
	    isdigit((unsigned char)p->text[p->pos + 1]))
		return parse_numeric(p, column);
	if (is_tracepoint(p, name))
		return parse_tracepoint(p, name, column);
	rc = parse_slashes(p) ?: add__kernel_name(p, name, column, false);
	return rc == 1 ? add__named(p, name, column) : rc;
}

static int parse_modifiers(struct event_parser *p, int from, bool group)
{
	struct modifiers mod;
	int len, column, rc;

	if (peek(p) == ':')
		p->pos++;
	column = p->pos;
	len = word_len(p->text + p->pos, NAME_CHARS);
	if (!len)
		return 0;
	rc = modifiers__parse(p, column, len, &mod);
	p->pos += len;
	return rc ?: modifiers__apply(p, column, &mod, from, group);
}

/* Return: the name without PMU, "EVENT:u" of "pmu/EVENT/u". @modifiers: place of its modifiers. */
static char *bare_name(const struct event_parser *p, int modifiers, int end)
{
	struct sb sb = SB_INIT;

	modifiers += p->text[modifiers] == ':';
	sb__add(&sb, p->text + p->inside, p->inside_len);
	if (end > modifiers) {
		sb__putc(&sb, ':');
		sb__add(&sb, p->text + modifiers, end - modifiers);
	}
	return sb__detach(&sb);
}

/* Adds the modifiers in the text to the name of a cache event. */
static void name_modes(struct event *e, const char *modifiers, int len)
{
	auto_free(sb) sb = SB_INIT;

	if (e->attr.type != PERF_TYPE_HW_CACHE || !e->name || len <= 0)
		return;
	sb__printf(&sb, "%s%s%.*s", e->name, *modifiers == ':' ? "" : ":", len, modifiers);
	event__set_text(&e->name, sb__str(&sb));
}

/*
 * Names events, whose text begins at @start. Its modifiers begin at @modifiers; other text follows
 * at @end.
 */
static void finish_events(struct event_parser *p, int from, int start, int modifiers, int end)
{
	bool as_written = !p->shown || p->shown == p->text;

	while (end > start && isspace((unsigned char)p->text[end - 1]))
		end--;
	for (int i = from; i < p->list->nr; i++) {
		struct event *e = p->list->at[i];

		if (p->scope->names_modes)
			name_modes(e, p->text + modifiers, end - modifiers);
		if (p->pmu_named && as_written && !e->name)
			e->bare = bare_name(p, modifiers, end);
		event__finish_name(e, p->text + start, end - start, p->shown,
				   p->scope->joins_pmus);
		if (p->id)
			event__set_text(&e->id, p->id);
	}
	add__name_units(p, from);
}

/* A term cpu= may name CPUs that the PMU does not have. */
static bool counts_elsewhere(const struct event *e)
{
	struct cpulist both = CPULIST_INIT;
	bool none;

	if (!event__is_of_core(e) || e->any_cpu)
		return false;
	cpulist__and(&e->cpus, &e->pmu->cpus, &both);
	none = !both.nr;
	cpulist__free(&both);
	return none;
}

/*
 * If a name became an event of each core type, keep the events of types with a CPU in the term
 * cpu=.
 */
static void leave_out_elsewhere(struct event_list *list, int from)
{
	int nr = list->nr, kept = from, here = 0;

	for (int i = from; i < nr; i++)
		here += !counts_elsewhere(list->at[i]);
	if (!here || from + here == nr)
		return;
	for (int i = from; i < nr; i++) {
		struct event *e = list->at[i];

		if (counts_elsewhere(e)) {
			event__free(e);
			continue;
		}
		e->index = kept;
		list->at[kept++] = e;
	}
	list->nr = kept;
}

/* Reports text after @what and its modifiers, where a comma or the end was expected. */
static int wrong_end(struct event_parser *p, const char *what)
{
	if (peek(p) == ':')
		return parse__error(p, p->pos,
				    "write all modifiers after one ':' (as in cycles:uk)");
	return parse__error(p, p->pos, "expected ',' or the end after %s", what);
}

int parse__event(struct event_parser *p)
{
	int from = p->list->nr, start, behind, rc;
	char *name;

	parse__skip_blanks(p);
	start = p->pos;
	p->pmu_named = false;
	if (text__has_prefix(p->text + start, "mem:")) {
		rc = parse_breakpoint(p);
	} else {
		name = parse__word(p, NAME_CHARS);
		rc = parse_name(p, name, start);
		free(name);
	}
	terms__free(&p->terms);
	behind = p->pos;
	if (!rc)
		rc = parse_modifiers(p, from, false);
	if (rc)
		return rc;
	leave_out_elsewhere(p->list, from);
	finish_events(p, from, start, behind, p->pos);
	parse__skip_blanks(p);
	if (peek(p) && !strchr(",}", peek(p)))
		return wrong_end(p, "an event");
	return 0;
}

/*
 * Return: length of "name{", "name:{" or "{" if a group begins here, else 0. The name is ignored.
 */
static int group_head(const struct event_parser *p)
{
	const char *text = p->text + p->pos;
	int len = word_len(text, NAME_CHARS);

	if (text[len] == '{')
		return len + 1;
	return len && text[len] == ':' && text[len + 1] == '{' ? len + 2 : 0;
}

static int parse_group(struct event_parser *p, int head)
{
	int from = p->list->nr, rc;

	p->pos += head;
	for (;;) {
		rc = parse__event(p);
		if (rc)
			return rc;
		if (peek(p) != ',')
			break;
		p->pos++;
	}
	if (peek(p) != '}')
		return parse__error(p, p->pos, "'}' is missing after the group");
	p->pos++;
	if (p->list->nr == from)
		return 0;
	regroup__make(p->list, from, p->list->nr);
	rc = parse_modifiers(p, from, true);
	parse__skip_blanks(p);
	if (!rc && peek(p) && peek(p) != ',')
		rc = wrong_end(p, "a group");
	return rc;
}

static int parse_list(struct event_parser *p)
{
	int head, rc;

	for (;;) {
		parse__skip_blanks(p);
		head = group_head(p);
		rc = head ? parse_group(p, head) : parse__event(p);
		if (rc)
			return rc;
		if (peek(p) == '}')
			return parse__error(p, p->pos, "no '{' matches this");
		if (!peek(p))
			return 0;
		p->pos++;
	}
}

int events__item_len(const char *text)
{
	const char *at = text, *end;
	bool has_colon = false;
	int depth = 0;

	for (; *at && (*at != ',' || depth); at++) {
		depth += (*at == '{') - (*at == '}');
		/* A slash after a colon precedes the length of a breakpoint. */
		if (*at == '/' && !has_colon) {
			end = strchr(at + 1, '/');
			if (!end)
				return at + strlen(at) - text;
			at = end;
		}
		has_colon = (has_colon || *at == ':') && *at != ',' && *at != '{';
	}
	return at - text;
}

int events__parse(const struct events_scope *scope, const char *text, struct event_list *list,
		  struct err *err)
{
	struct event_list found = EVENT_LIST_INIT;
	struct event_parser p = {.scope = scope, .text = text, .list = &found, .err = err};
	int rc;

	rc = parse_list(&p);
	if (!rc && !found.nr)
		rc = parse__error(&p, 0, "no PMU is left: check --cputype");
	if (!rc) {
		regroup(&found, true);
		event_list__splice(list, &found);
	}
	event_list__free(&found);
	return rc;
}
