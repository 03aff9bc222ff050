// SPDX-License-Identifier: GPL-2.0-only
/* "tma explain": what a metric, an event or a metric group means. */
#include "explain.h"

#include <errno.h>
#include <string.h>

#include <subcmd/parse-options.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "machine/machine.h"

static void say_unknown(struct explain *x, const char *name)
{
	struct sb near = SB_INIT;
	struct suggest s;

	output__flush(&x->out);
	suggest__init(&s, name);
	events__suggest(&x->events, &s);
	if (x->host.tables)
		tables__suggest(x->host.tables, true, &s);
	suggest__print(&s, &near);
	say("there is no metric, metric group or event '%s' here%s", name, sb__str(&near));
	sb__free(&near);
	if (!x->host.tables)
		say("the tables have nothing for this CPU (%s): give tables of it with --tables, or "
		    "name a machine with --machine",
		    *x->host.machine->cpuid ? x->host.machine->cpuid : "unknown");
}

/* @unknown: set when a name is. Return: 0 or -errno. */
static int explain_names(struct explain *x, int argc, const char **argv, bool *unknown)
{
	int rc = 0, metrics, events;

	if (x->json)
		json__open(&x->out.json, NULL, '[');
	for (int i = 0; i < argc && !rc; i++) {
		metrics = explain__metrics(x, argv[i]);
		events = metrics < 0 ? 0 : explain__events(x, argv[i]);
		if (metrics < 0 || events < 0)
			rc = metrics < 0 ? metrics : events;
		else if (!metrics && !events)
			*unknown = true;
		if (!rc && !metrics && !events)
			say_unknown(x, argv[i]);
	}
	if (x->json)
		json__close(&x->out.json, ']');
	return rc;
}

static int run(struct explain *x, const char *type, const char *path, int argc, const char **argv,
	       bool *unknown, struct err *err)
{
	int rc = host__load(&x->host, err), closed;

	if (rc)
		return rc;
	if (type)
		rc = host__find_core_type(&x->host, type, &x->cputype, err);
	if (rc)
		return rc;
	x->events = host__events_scope(&x->host, x->cputype);
	x->metrics = host__metrics_scope(&x->host, &x->events);
	x->metrics.system_wide = true;
	rc = output__open(&x->out, path, true, err);
	if (rc)
		return rc;
	rc = explain_names(x, argc, argv, unknown);
	if (rc)
		err__set(err, -rc, "cannot explain: %s", strerror(-rc));
	closed = output__close(&x->out, rc ? NULL : err);
	return rc ? rc : closed;
}

int cmd_explain(int argc, const char **argv)
{
	static const char *const usage[] = { "tma explain [<options>] <name>...", NULL };
	const char *type = NULL, *path = NULL;
	struct explain x = { .found = 0 };
	const struct option options[] = {
		OPT_BOOLEAN('j', "json", &x.json, "print JSON"),
		OPT_STRING('o', "output", &path, "file", "write to a file"),
		OPT_STRING(0, "cputype", &type, "core|atom", "for this type of core alone"),
		OPT_TABLES(),
		OPT_METRICS_FILE(),
		OPT_END()
	};
	struct err err = ERR_INIT;
	bool unknown = false;
	int status = 0;

	argc = parse_options(argc, argv, options, usage, 0);
	if (!argc) {
		say("explain needs a name: a metric, a metric group or an event ('tma list' shows them)");
		return STATUS_USAGE;
	}
	if (run(&x, type, path, argc, argv, &unknown, &err))
		status = say_err(&err);
	else if (unknown)
		status = STATUS_FAILED;
	host__free(&x.host);
	return status;
}
