// SPDX-License-Identifier: GPL-2.0-only
/* Terms are the text between the slashes of an event: "event=0x3c,edge,name='a,b'". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "events/internal.h"

#define TERM_CHARS "_*?.:[]!-@"

void terms__free(struct terms *terms)
{
	struct term *term;

	vec__for_each(term, terms) {
		free(term->key);
		free(term->str);
	}
	vec__free(terms);
}

int terms__scan_number(const char *text, uint64_t *out)
{
	bool hex = text[0] == '0' && text[1] == 'x';
	int len = num__scan_u64(text + 2 * hex, hex ? 16 : 10, out);

	return len ? len + 2 * hex : 0;
}

/* Reads the value as a number, decimal or 0x. Other values are words, such as an event's name. */
static int terms__parse_number(struct event_parser *p, struct term *term)
{
	const char *digits = term->str;
	bool hex = text__has_prefix(digits, "0x");

	digits += 2 * hex;
	if (!*digits || digits[strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789")])
		return 0;
	if (!terms__scan_number(term->str, &term->num))
		return parse__error(p, term->value_column, "the number does not fit in 64 bits");
	term->is_num = true;
	return 0;
}

static int parse_quoted(struct event_parser *p, char **out)
{
	const char *start = p->text + p->pos + 1, *end = strchr(start, '\'');

	if (!end)
		return parse__error(p, p->pos, "the quote is not closed");
	*out = xstrndup(start, end - start);
	p->pos += end - start + 2;
	return 0;
}

static int terms__parse_value(struct event_parser *p, struct term *term)
{
	parse__skip_blanks(p);
	term->value_column = p->pos;
	if (p->text[p->pos] == '\'')
		return parse_quoted(p, &term->str);
	term->str = parse__word(p, TERM_CHARS);
	if (!*term->str)
		return parse__error(p, p->pos, "term '%s' needs a value after '='", term->key);
	return terms__parse_number(p, term);
}

static int parse_term(struct event_parser *p, struct term *term)
{
	parse__skip_blanks(p);
	term->column = term->value_column = p->pos;
	term->key = parse__word(p, TERM_CHARS);
	if (!*term->key)
		return parse__error(p, p->pos, "a term of the PMU, such as event=0x3c, is missing");
	parse__skip_blanks(p);
	if (p->text[p->pos] == '=') {
		p->pos++;
		return terms__parse_value(p, term);
	}
	term->num = 1;
	term->is_num = true;
	return 0;
}

int terms__parse(struct event_parser *p, struct terms *terms)
{
	int rc;

	parse__skip_blanks(p);
	if (p->text[p->pos] == '/' || !p->text[p->pos])
		return 0;
	for (;;) {
		vec__push(terms, (struct term){ .key = NULL });
		rc = parse_term(p, &terms->at[terms->nr - 1]);
		if (rc)
			return rc;
		parse__skip_blanks(p);
		if (p->text[p->pos] != ',')
			return 0;
		p->pos++;
	}
}

int terms__from_text(const char *text, struct terms *terms)
{
	struct event_parser p = {.text = text};
	int before = terms->nr, rc = terms__parse(&p, terms);

	if (!rc && text[p.pos])
		rc = -EINVAL;
	for (int i = before; i < terms->nr; i++)
		terms->at[i].from_named = true;
	return rc;
}
