// SPDX-License-Identifier: GPL-2.0-only
/* The facts of an explanation as text or JSON. */
#include <stdio.h>
#include <string.h>

#include "base/sb.h"
#include "explain.h"
#include "metrics/print.h"

#define INDENT 2
#define TITLE 15	/* columns titles take, the indent apart */
#define BLOCK 6		/* columns lines are set in */

void explain__begin(struct explain *x, const char *what, const char *name, const char *pmu)
{
	x->found++;
	if (x->json) {
		json__open(&x->out.json, NULL, '{');
		json__text(&x->out.json, "Kind", what);
		json__text(&x->out.json, "Name", name);
		json__text_if(&x->out.json, "Unit", pmu);
		return;
	}
	fputs(x->found > 1 ? "\n" : "", x->out.f);
	output__puts(&x->out, name);
	fprintf(x->out.f, "  [%s%s", what, *pmu ? ", " : "");
	output__puts(&x->out, pmu);
	fputs("]\n", x->out.f);
}

void explain__end(struct explain *x)
{
	if (x->json)
		json__close(&x->out.json, '}');
}

void explain__desc(struct explain *x, const char *text)
{
	if (x->json) {
		json__text_if(&x->out.json, "Description", text);
	} else if (*text) {
		output__line(&x->out, INDENT, INDENT, text);
		fputc('\n', x->out.f);
	}
}

static void put_titled(struct explain *x, const char *title, const char *text)
{
	fprintf(x->out.f, "%*s%-*s", INDENT, "", TITLE, title);
	output__wrap(&x->out, INDENT + TITLE, INDENT + TITLE, text);
}

void explain__text(struct explain *x, const char *title, const char *key, const char *text)
{
	if (x->json)
		json__text_if(&x->out.json, key, text);
	else if (title && *text)
		put_titled(x, title, text);
}

void explain__number(struct explain *x, const char *key, double number)
{
	if (x->json)
		json__number(&x->out.json, key, number);
}

int explain__width(const struct explain *x)
{
	return x->json ? 1 << 20 : x->out.width - BLOCK;
}

void explain__lines(struct explain *x, const char *title, const char *key, const char *text)
{
	if (x->json)
		json__text_if(&x->out.json, key, text);
	else if (*text)
		fprintf(x->out.f, "%*s%s\n", INDENT, "", title);
	while (!x->json && *text) {
		int len = strcspn(text, "\n");

		fprintf(x->out.f, "%*s", BLOCK, "");
		output__put(&x->out, text, len);
		fputc('\n', x->out.f);
		text += len + !!text[len];
	}
}

void explain__origin(struct explain *x, int layer)
{
	struct sb *sb = output__scratch(&x->out);
	struct tables_layer l;

	if (tables__nr_layers(x->host.tables) == 1)
		return;
	tables__layer(x->host.tables, layer, &l);
	sb__printf(sb, "%s%s%s (%s)", l.model, *l.version ? " " : "", l.version, l.origin);
	explain__text(x, "from tables", "Tables", sb__str(sb));
}

void explain__unit(struct explain *x, bool is_set, double scale, const char *unit, const char *of)
{
	struct sb *sb = output__scratch(&x->out);

	if (x->json && is_set) {
		expr__print_number(scale, sb);
		sb__puts(sb, unit);
	} else if (is_set && scale != 1) {
		sb__printf(sb, "%s%s%s times ", unit, *unit ? ": " : "", of);
		expr__print_number(scale, sb);
	} else {
		sb__puts(sb, unit);
	}
	explain__text(x, "unit", "ScaleUnit", sb__str(sb));
}

void explain__measure(struct explain *x, bool system_wide, const char *option, const char *quote,
		      const char *name)
{
	struct sb *sb = output__scratch(&x->out);

	sb__printf(sb, system_wide ? "tma stat -a %s %s%s%s -I 1000" :
				     "tma stat %s %s%s%s -- COMMAND", option, quote, name, quote);
	explain__text(x, "measure", "Measure", sb__str(sb));
}

void explain__names(struct explain *x, const char *title, const char *key,
		    const struct names *names)
{
	struct sb *sb = output__scratch(&x->out);

	if (!names->nr)
		return;
	if (x->json)
		json__open(&x->out.json, key, '[');
	for (int i = 0; i < names->nr; i++) {
		if (x->json)
			json__text(&x->out.json, NULL, names->at[i]);
		else
			sb__printf(sb, "%s%s", i ? ", " : "", names->at[i]);
	}
	if (x->json)
		json__close(&x->out.json, ']');
	else
		put_titled(x, title, sb__str(sb));
}

void explain__list(struct explain *x, const char *title, const char *key, const char *remark)
{
	if (x->json)
		json__open(&x->out.json, key, '[');
	else
		put_titled(x, title, remark);
}

void explain__item(struct explain *x)
{
	if (x->json)
		json__open(&x->out.json, NULL, '{');
	else
		sb__clear(&x->out.line);
}

void explain__part(struct explain *x, const char *key, const char *text_form, const char *text)
{
	if (x->json) {
		json__text_if(&x->out.json, key, text);
		return;
	}
	for (const char *at = text_form; *text && at && *at; at++) {
		if (*at == '%')
			sb__puts(&x->out.line, text);
		else
			sb__putc(&x->out.line, *at);
	}
}

void explain__end_item(struct explain *x)
{
	if (x->json)
		json__close(&x->out.json, '}');
	else
		output__line(&x->out, BLOCK, BLOCK + INDENT, sb__str(&x->out.line));
}

void explain__end_list(struct explain *x)
{
	if (x->json)
		json__close(&x->out.json, ']');
}
