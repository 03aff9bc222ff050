// SPDX-License-Identifier: GPL-2.0-only
/* "tma list" lists the events, metrics and metric groups of this machine. */
#include "list/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <subcmd/pager.h>
#include <subcmd/parse-options.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "options.h"

#define BIT(kind) (1u << NAME_KIND_##kind)
#define ALL_EVENTS ((1u << NAME_KIND_NR) - 1)

/* Words for what to list: each means some kinds of events, or metrics. */
static const struct kind {
	const char *name, *other;
	unsigned int events;
	bool metrics, groups, sdt;
} kinds[] = {
	{"hw", "hardware", .events = BIT(HARDWARE)},
	{"sw", "software", .events = BIT(SOFTWARE) | BIT(TOOL)},
	{"cache", "hwcache", .events = BIT(CACHE)},
	{"tracepoint", "tracepoints", .events = BIT(TRACEPOINT)},
	{"pmu", "pmus", .events = BIT(PMU) | BIT(GAUGE)},
	{"sdt", NULL, .sdt = true},
	{"event", "events", .events = ALL_EVENTS},
	{"metric", "metrics", .metrics = true},
	{"metricgroup", "metricgroups", .groups = true},
};

static const struct kind *list__find_kind(const char *word)
{
	return array__first(kind, kinds, text__is_any(word, kind->name, kind->other));
}

static void take_words(struct list *l, int argc, const char **argv)
{
	for (int i = 0; i < argc; i++) {
		const struct kind *kind = list__find_kind(argv[i]);
		char *glob = !kind && text__is_glob(argv[i]) ? xstrdup(argv[i]) : NULL;

		if (!kind) {
			vec__push(&l->patterns,
				  (struct list_pattern){.text = argv[i], .glob = glob});
			continue;
		}
		l->kinds |= kind->events;
		l->metrics |= kind->metrics;
		l->groups |= kind->groups;
		l->sdt |= kind->sdt;
	}
	if (!l->kinds && !l->metrics && !l->groups && (!l->sdt || l->patterns.nr)) {
		l->kinds = ALL_EVENTS;
		l->metrics = l->groups = true;
	}
}

/* Patterns that match no whole name are changed: they then match anywhere in a name. */
static void widen_patterns(struct list *l)
{
	struct list_pattern *p;

	if (!vec__find(pattern, &l->patterns, pattern->glob))
		return;
	l->dry = true;
	list__events(l);
	list__metrics(l);
	l->dry = false;
	vec__for_each(p, &l->patterns) {
		struct sb anywhere = SB_INIT;

		if (!p->glob || p->found)
			continue;
		sb__printf(&anywhere, "*%s*", p->glob);
		free(p->glob);
		p->glob = sb__detach(&anywhere);
	}
}

/* Print which patterns match nothing. Return: how many. */
static int say_unmatched(struct list *l)
{
	struct list_pattern *p;
	int nr = 0;

	vec__for_each(p, &l->patterns) {
		auto_free(sb) near = SB_INIT;

		if (p->found)
			continue;
		nr++;
		host__suggest(&l->host, &l->events, p->text, &near);
		say("nothing matches '%s'%s", p->text, sb__str(&near));
	}
	return nr;
}

/*
 * Return: whether instances are listed one by one, as the option asks or because the user names
 * one.
 */
static bool wants_instances(const struct list *l)
{
	const struct pmu *one = l->unit ? machine__pmu(l->host.machine, l->unit) : NULL;

	return l->long_desc || l->write->all ||
	       (one && pmu__base_len(one->name) < (int)strlen(one->name));
}

static bool is_elsewhere(const struct host *h)
{
	struct pmu *core;

	for (int i = 0; (core = machine__core_pmu(h->machine, i)); i++)
		for (int j = 0; h->tables && j < tables__nr_pmus(h->tables); j++)
			if (pmu__is_table_unit(core, tables__pmu(h->tables, j)))
				return false;
	return true;
}

static int check_unit(struct list *l, struct err *err)
{
	const struct machine *m = l->host.machine;
	auto_free(sb) known = SB_INIT;
	bool found = !l->unit && !l->cputype;

	for (int i = 0; i < m->nr_pmus && !found; i++) {
		found = list__wants_unit(l, m->pmus[i]);
		if (!i || !pmu__same_unit(m->pmus[i - 1], m->pmus[i]))
			sb__printf(&known, "%s%.*s", known.len ? ", " : "",
				   pmu__base_len(m->pmus[i]->name), m->pmus[i]->name);
	}
	if (found)
		return 0;
	return err__set(err, ENOENT, "%s %s: no such PMU on this machine; use %s",
			l->unit ? "--unit" : "--cputype", l->unit ? l->unit : l->cputype,
			known.len ? sb__str(&known) : "none");
}

static void say_remarks(const struct list *l)
{
	const char *arch = tables__only_listed(l->host.tables);

	if (l->sdt)
		say("sdt: probes in user programs are not supported; use perf probe and perf list");
	if (!l->host.tables && l->write != &list_names && l->write != &list_raw)
		say("the tables have nothing for this CPU (%s): no vendor events and no metrics",
		    host__cpuid(&l->host));
	if (arch && l->write != &list_names && l->write != &list_raw)
		say("the tables of this CPU (%s) are for %s: tma can list them, but it counts only "
		    "on x86 and arm64",
		    host__cpuid(&l->host), arch);
}

/*
 * Print why the list is empty, unless another message tells the reason: with patterns, or for
 * probes.
 */
static void say_why_empty(const struct list *l)
{
	if (l->found || l->patterns.nr || l->sdt || l->write->only_available)
		return;
	if (l->kinds == BIT(TRACEPOINT))
		say("no tracepoints can be read here: they are in tracefs, which only root may "
		    "read on many machines");
	else
		say("this machine can count none of these%s",
		    machine__nr_core_pmus(l->host.machine)
			    ? ""
			    : ": it shows no hardware counters ('tma test' says why)");
}

static int list__run(struct list *l, const char *path, struct err *err)
{
	int rc = load_host(&l->host, err);

	if (rc)
		return rc;
	l->events = host__events_scope(&l->host, NULL);
	rc = check_unit(l, err);
	if (rc)
		return rc;
	l->instances = wants_instances(l);
	l->elsewhere = is_elsewhere(&l->host);
	widen_patterns(l);
	say_remarks(l);
	rc = output__open(&l->out, path, !l->write->only_available, err);
	if (rc)
		return rc;
	if (l->write == &list_json)
		json__open(&l->out.json, NULL, '[');
	else if (l->write == &list_text && pager_in_use())
		sb__puts(&l->out.text, "\nEvents, metrics and metric groups (for -e and -M):\n\n");
	list__events(l);
	list__metrics(l);
	if (l->write == &list_json)
		json__close(&l->out.json, ']');
	say_why_empty(l);
	return output__close(&l->out, err);
}

/*
 * Choose whether to list the metrics that perf 7 has for every CPU: only with --compat=7, or if the
 * user names one of them.
 */
static int choose_common(struct list *l, const char *compat, int argc, const char **argv)
{
	const char *by, *set = set_compat(&by);

	by = compat ? "--compat" : by;
	compat = compat ?: set;
	if (compat && !text__is_any(compat, "6.12", "7")) {
		say("%s: unknown word '%s'; use 6.12 or 7", by, compat);
		return STATUS_USAGE;
	}
	l->compat7 = text__same(compat, "7");
	if (l->compat7)
		host_asked()->common = true;
	host_asked__common_for(argc, argv);
	return 0;
}

static void free_list(struct list *l)
{
	struct list_pattern *p;

	vec__for_each(p, &l->patterns)
		free(p->glob);
	vec__free(&l->patterns);
	strmap__free(l->seen);
	sb__free(&l->topic);
	sb__free(&l->group);
	sb__free(&l->last);
	sb__free(&l->desc);
	host__free(&l->host);
}

int cmd_list(int argc, const char **argv)
{
	static const char *const usage[] = {
		"tma list [<options>] [hw|sw|cache|tracepoint|pmu|event|metric|metricgroup|<pattern>...]",
		NULL
	};
	bool names = false, raw = false, json = false, desc = true;
	const char *path = NULL, *compat = NULL;
	struct list l = { .found = 0 };
	const struct option options[] = {
		OPT_BOOLEAN('d', "desc", &desc, "descriptions (the default; --no-desc: none)"),
		OPT_BOOLEAN('v', "long-desc", &l.long_desc, "long descriptions, each uncore unit"),
		OPT_BOOLEAN(0, "details", &l.details, "encodings, expressions and thresholds"),
		OPT_BOOLEAN(0, "deprecated", &l.deprecated, "also deprecated events"),
		OPT_STRING(0, "unit", &l.unit, "PMU", "only events and metrics of this PMU"),
		OPT_STRING(0, "cputype", &l.cputype, "core|atom",
			   "only events and metrics of this type of core"),
		OPT_BOOLEAN('j', "json", &json, "print JSON"),
		OPT_STRING('o', "output", &path, "file", "write to a file"),
		OPT_BOOLEAN(0, "raw-dump", &raw, "bare names, separated by spaces"),
		OPT_BOOLEAN(0, "names", &names, "bare names, one per line"),
		OPT_STRING(0, "compat", &compat, "6.12|7",
			   "7: also the metrics that perf 7 has for every CPU"),
		OPT_TABLES(),
		OPT_METRICS_FILE(),
		OPT_END()
	};
	struct err err = ERR_INIT;
	int status = 0;

	argc = options__parse(argc, argv, options, usage, 0);
	if (json + raw + names > 1) {
		say("--json, --raw-dump and --names are different forms: use one of them");
		return STATUS_USAGE;
	}
	if (choose_common(&l, compat, argc, argv))
		return STATUS_USAGE;
	l.no_desc = !desc;
	l.write = json ? &list_json : raw ? &list_raw : names ? &list_names : &list_text;
	take_words(&l, argc, argv);
	if (list__run(&l, path, &err))
		status = say_err(&err);
	else if (say_unmatched(&l) && !l.found && !as_perf())
		status = STATUS_FAILED;
	if (l.write == &list_text)
		suggest_simulated(&l.host, "list");
	status = tell_odd(&l.host, status);
	free_list(&l);
	return status;
}
