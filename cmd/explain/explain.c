// SPDX-License-Identifier: GPL-2.0-only
/* "tma explain" explains what a metric, an event or a metric group means, as text or JSON. */
#include "explain/explain.h"

#include <stdio.h>
#include <string.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "metrics/print.h"
#include "options.h"
#include "simulated.h"

#define INDENT 2
#define TITLE 15	/* columns of a title, after the indent */
#define BLOCK 6		/* columns before the lines of a block */

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
	sb__puts(&x->out.text, x->found > 1 ? "\n" : "");
	output__puts(&x->out, name);
	sb__printf(&x->out.text, "  [%s%s", what, *pmu ? ", " : "");
	output__puts(&x->out, pmu);
	sb__puts(&x->out.text, "]\n");
}

void explain__end(struct explain *x)
{
	if (x->json)
		json__close(&x->out.json, '}');
}

void explain__desc(struct explain *x, const char *desc, const char *long_desc, bool goes_on)
{
	struct sb text = SB_INIT;

	tables__put_desc(&text, desc, long_desc, goes_on);
	if (x->json) {
		json__text_if(&x->out.json, "Description", sb__str(&text));
	} else if (text.len) {
		output__line(&x->out, INDENT, INDENT, sb__str(&text));
		output__end_line(&x->out);
	}
	sb__free(&text);
}

static void put_title(struct explain *x, const char *title)
{
	sb__printf(&x->out.text, "%*s%-*s", INDENT, "", TITLE, title);
}

static void put_titled(struct explain *x, const char *title, const char *text)
{
	put_title(x, title);
	output__wrap(&x->out, INDENT + TITLE, INDENT + TITLE, text);
}

void explain__text(struct explain *x, const char *title, const char *key, const char *text)
{
	if (x->json)
		json__text_if(&x->out.json, key, text);
	else if (title && *text)
		put_titled(x, title, text);
}

void explain__words(struct explain *x, const char *title, const char *key)
{
	explain__text(x, title, key, sb__str(&x->words));
	sb__clear(&x->words);
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
		sb__printf(&x->out.text, "%*s%s\n", INDENT, "", title);
	while (!x->json && *text) {
		int len = strcspn(text, "\n");

		sb__pad(&x->out.text, BLOCK);
		output__put(&x->out, text, len);
		output__end_line(&x->out);
		text += len + !!text[len];
	}
}

void explain__origin(struct explain *x, int layer)
{
	struct tables_layer l;

	tables__layer(x->host.tables, layer, &l);
	if (tables__nr_layers(x->host.tables) == 1 && !l.sysfs)
		return;
	sb__printf(&x->words, "%s%s%s (%s)", l.model, *l.version ? " " : "", l.version, l.origin);
	explain__words(x, "from tables", "Tables");
}

void explain__unit(struct explain *x, bool is_set, double scale, const char *unit, const char *of)
{
	bool scaled = is_set && (x->json || scale != 1);

	if (scaled && !x->json)
		sb__printf(&x->words, "%s%s%s times ", unit, *unit ? ": " : "", of);
	if (scaled)
		expr__print_number(scale, &x->words);
	if (x->json || !scaled)
		sb__puts(&x->words, unit);
	explain__words(x, "unit", "ScaleUnit");
}

void explain__measure(struct explain *x, bool system_wide, const char *option, const char *quote,
		      const char *name)
{
	/* Name the machine and the tables that the explanation is of. */
	host_asked__put_stat(&x->words, simulated__machine());
	sb__printf(&x->words, system_wide ? " -a %s %s%s%s -I 1000" : " %s %s%s%s -- COMMAND",
		   option, quote, name, quote);
	if (x->json) {
		explain__words(x, "measure", "Measure");
		return;
	}
	/* Do not wrap a line that users paste. */
	put_title(x, "measure");
	output__put(&x->out, sb__str(&x->words), x->words.len);
	output__end_line(&x->out);
	sb__clear(&x->words);
}

void explain__names(struct explain *x, const char *title, const char *key)
{
	if (x->json && x->names.nr)
		json__open(&x->out.json, key, '[');
	for (int i = 0; i < x->names.nr; i++) {
		if (x->json)
			json__text(&x->out.json, NULL, x->names.at[i]);
		else
			sb__printf(&x->words, "%s%s", i ? ", " : "", x->names.at[i]);
	}
	if (x->json && x->names.nr)
		json__close(&x->out.json, ']');
	explain__words(x, title, "");
	x->names.nr = 0;
}

void explain__list(struct explain *x, const char *title, const char *key)
{
	if (x->json)
		json__open(&x->out.json, key, '[');
	else
		put_titled(x, title, sb__str(&x->words));
	sb__clear(&x->words);
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

void explain__part_words(struct explain *x, const char *key, const char *text_form)
{
	explain__part(x, key, text_form, sb__str(&x->words));
	sb__clear(&x->words);
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

/* --- The command -------------------------------------------------------------------------- */

static void say_unknown(struct explain *x, const char *name)
{
	auto_free(sb) near = SB_INIT;

	output__flush(&x->out);
	if (!*name) {
		say("the name of a metric, metric group or event is empty");
		return;
	}
	host__suggest(&x->host, &x->events, name, &near);
	say("no metric, metric group or event is called '%s'%s", name, sb__str(&near));
	if (!x->host.tables)
		say("the tables have nothing for this CPU (%s): load its tables with --tables, or "
		    "name a simulated machine with --machine",
		    host__cpuid(&x->host));
}

/* Explain all names. Return: whether all are known. */
static bool explain_names(struct explain *x, int argc, const char **argv)
{
	bool known = true;

	if (x->json)
		json__open(&x->out.json, NULL, '[');
	for (int i = 0; i < argc; i++) {
		int before = x->found;

		x->name = argv[i];
		explain__metrics(x);
		explain__events(x);
		if (x->found > before)
			continue;
		known = false;
		say_unknown(x, argv[i]);
	}
	if (x->json)
		json__close(&x->out.json, ']');
	return known;
}

static int explain__run(struct explain *x, const char *type, const char *path, int argc,
			const char **argv, bool *known, struct err *err)
{
	int rc = load_host(&x->host, err);

	if (!rc && type)
		rc = host__find_core_type(&x->host, type, &x->cputype, err);
	rc = rc ?: output__open(&x->out, path, true, err);
	if (rc)
		return rc;
	x->events = host__events_scope(&x->host, x->cputype);
	x->events.filters_cores = true;
	x->metrics = host__metrics_scope(&x->host, &x->events);
	x->metrics.system_wide = x->metrics.target_cpu = true;
	*known = explain_names(x, argc, argv);
	return output__close(&x->out, err);
}

static void explain__suggest_simulated(const struct host *h, int argc, const char **argv)
{
	auto_free(sb) command = SB_INIT;

	sb__puts(&command, "explain");
	for (int i = 0; i < argc; i++) {
		sb__putc(&command, ' ');
		text__shell(&command, argv[i]);
	}
	suggest_simulated(h, sb__str(&command));
}

int cmd_explain(int argc, const char **argv)
{
	static const char *const usage[] = { "tma explain [<options>] <name>...", NULL };
	const char *type = NULL, *path = NULL;
	struct explain x = { .found = 0 };
	const struct option options[] = {
		OPT_BOOLEAN('j', "json", &x.json, "print JSON"),
		OPT_STRING('o', "output", &path, "file", "write to a file"),
		OPT_STRING(0, "cputype", &type, "core|atom", "only for this type of core"),
		OPT_TABLES(),
		OPT_METRICS_FILE(),
		OPT_END()
	};
	struct err err = ERR_INIT;
	bool known = true;
	int status = 0;

	argc = options__parse(argc, argv, options, usage, 0);
	if (!argc) {
		say("name a metric, a metric group or an event ('tma list' shows them)");
		return STATUS_USAGE;
	}
	host_asked__common_for(argc, argv);
	if (explain__run(&x, type, path, argc, argv, &known, &err))
		status = say_err(&err);
	else if (!known)
		status = STATUS_FAILED;
	sb__free(&x.words);
	vec__free(&x.names);
	if (!x.json)
		explain__suggest_simulated(&x.host, argc, argv);
	status = tell_odd(&x.host, status);
	host__free(&x.host);
	return status;
}
