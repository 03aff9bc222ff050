// SPDX-License-Identifier: GPL-2.0-only
/* "tma explain": what a metric, an event or a metric group means. */
#include "explain.h"

#include <subcmd/parse-options.h>

#include "base/err.h"
#include "base/sb.h"

static void say_unknown(struct explain *x, const char *name)
{
	struct sb *near = output__scratch(&x->out);

	output__flush(&x->out);
	host__suggest(&x->host, &x->events, name, near);
	say("there is no metric, metric group or event '%s' here%s", name, sb__str(near));
	if (!x->host.tables)
		say("the tables have nothing for this CPU (%s): give tables of it with --tables, or "
		    "name a machine with --machine", host__cpuid(&x->host));
}

/* Return: whether all names are known. */
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

static int run(struct explain *x, const char *type, const char *path, int argc, const char **argv,
	       bool *known, struct err *err)
{
	int rc = host__load(&x->host, err);

	if (!rc && type)
		rc = host__find_core_type(&x->host, type, &x->cputype, err);
	rc = rc ?: output__open(&x->out, path, true, err);
	if (rc)
		return rc;
	x->events = host__events_scope(&x->host, x->cputype);
	x->metrics = host__metrics_scope(&x->host, &x->events);
	x->metrics.system_wide = true;
	*known = explain_names(x, argc, argv);
	return output__close(&x->out, err);
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
	bool known = true;
	int status = 0;

	argc = parse_options(argc, argv, options, usage, 0);
	if (!argc) {
		say("explain needs a name: a metric, a metric group or an event ('tma list' shows them)");
		return STATUS_USAGE;
	}
	if (run(&x, type, path, argc, argv, &known, &err))
		status = say_err(&err);
	else if (!known)
		status = STATUS_FAILED;
	host__free(&x.host);
	return status;
}
