// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of -e, or the event ids of metrics, on two machines. The low bits of the first byte
 * choose between these, see enum option; the other bytes are the text. A failure has a message and
 * leaves the list as it was. A group of events is complete. The same text, or the name of an event,
 * gives the same events again.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>

#include "events/events.h"
#include "machine.h"
#include "tables/tables.h"

enum option {
	HYBRID = 1,  /* the machine is an Alder Lake, else a Xeon */
	TABLES = 2,  /* the vendor's events are known */
	IDS = 4,     /* ids, separated by blanks; an id after ':' is the modifier of all ids */
	GROUP = 8,   /* with IDS: all events in one group */
	CPUTYPE = 16 /* core events of only one PMU */
};

#define IDS_MAX 256
#define SLOTS 0x0400 /* event and umask */

static const struct fake_file tracepoints[] = {
	{ "sys/kernel/tracing/events/sched/sched_switch/id", "316\n" },
	{ "sys/kernel/tracing/events/sched/sched_wakeup/id", "319\n" },
	{ "sys/kernel/tracing/events/sched/sched_process_exec/id", "327\n" },
	{ "sys/kernel/tracing/events/irq/softirq_entry/id", "130\n" },
	{ "sys/kernel/tracing/events/irq/broken/id", "none\n" },
	{ NULL, NULL },
};

static struct events_scope machines[2];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char *const cpuids[] = { "GenuineIntel-6-8F-8", "GenuineIntel-6-97-2" };
	struct tables *tables;

	(void)argc;
	(void)argv;
	for (int i = 0; i < 2; i++) {
		machines[i].machine = fuzz__machine(i ? fake_alderlake : fake_xeon, tracepoints,
						    cpuids[i]);
		tables = tables__find(cpuids[i]);
		fuzz_check(tables);
		machines[i].tables = tables;
	}
	return 0;
}

/* --- Conditions that hold for any list
 * ---------------------------------------------------------------- */

static int code(const struct event *e)
{
	return e->attr.config & 0xffff;
}

static void check_cpus(const struct event *e)
{
	const struct machine *m = e->pmu ? e->pmu->machine : NULL;

	for (int i = 0; i < e->cpus.nr; i++) {
		fuzz_check(e->cpus.at[i] >= 0, "%s", e->name);
		if (i)
			fuzz_check(e->cpus.at[i - 1] < e->cpus.at[i], "%s", e->name);
		if (m)
			fuzz_check(e->cpus.at[i] <= m->online.at[m->online.nr - 1], "%s", e->name);
	}
}

static void check_event(const struct event *e)
{
	fuzz_check(e->name && *e->name);
	fuzz_check(e->unit && isfinite(e->scale), "%s", e->name);
	fuzz_check(e->attr.sample_period == 0 && e->attr.read_format == 0, "%s", e->name);
	fuzz_check(e->first && e->first->first == e->first, "%s", e->name);
	fuzz_check(e->merge || e->first == e, "%s", e->name);
	fuzz_check(!e->merge || e->first->merge, "%s", e->name);
	check_cpus(e);
}

/* TopDown metric events count only after slots, so slots are added if they are missing. */
static void check_topdown(const struct event *e)
{
	if (e->topdown && code(e) != SLOTS)
		fuzz_check(e->leader->topdown && code(e->leader) == SLOTS &&
				   e->leader->pmu == e->pmu,
			   "%s is led by %s", e->name, e->leader->name);
}

static void check_list(const struct event_list *list, bool slots_added)
{
	for (int from = 0, to; from < list->nr; from = to) {
		struct event *leader = list->at[from];

		fuzz_check(leader->leader == leader, "%s", leader->name);
		to = from + leader->nr_members;
		fuzz_check(to > from && to <= list->nr, "%s", leader->name);
		for (int i = from; i < to; i++) {
			struct event *e = list->at[i];

			fuzz_check(e->index == i, "%s: %d, not %d", e->name, e->index, i);
			fuzz_check(e->leader == leader, "%s", e->name);
			fuzz_check(e == leader || e->nr_members == 1, "%s", e->name);
			check_event(e);
			if (slots_added)
				check_topdown(e);
		}
	}
	fuzz_check(!list->warnings.len || list->warnings.buf[list->warnings.len - 1] == '\n');
}

static void check_same(const struct event *a, const struct event *b)
{
	fuzz_check(!strcmp(a->name, b->name), "%s, then %s", a->name, b->name);
	fuzz_check(!memcmp(&a->attr, &b->attr, sizeof(a->attr)), "%s", a->name);
	fuzz_check(a->pmu == b->pmu && a->tool == b->tool, "%s", a->name);
	fuzz_check(a->leader->index == b->leader->index, "%s", a->name);
	fuzz_check(a->first->index == b->first->index, "%s", a->name);
	fuzz_check(a->weak == b->weak && a->retire_latency == b->retire_latency, "%s", a->name);
	fuzz_check(!a->filter == !b->filter && !a->id == !b->id, "%s", a->name);
}

/* --- Texts ---------------------------------------------------------------------------------------
 */

/* The text to parse, and how it is parsed. */
struct input {
	struct events_scope scope;
	int options;
	const char *text;
	const char *ids[IDS_MAX], *modifier;
	int nr_ids;
};

static int parse(const struct input *in, struct event_list *list, struct err *err)
{
	int rc;

	if (in->options & IDS)
		return events__parse_ids(&in->scope, in->ids, in->nr_ids, in->modifier,
					 in->options & GROUP, list, err);
	rc = events__parse(&in->scope, in->text, list, err);
	if (!rc)
		events__join_topdown(&in->scope, list);
	return rc;
}

/*
 * Parse the text with another event in the list: this event stays the same, even if parsing fails.
 */
static void check_behind_another(const struct input *in, int rc)
{
	struct event_list list = EVENT_LIST_INIT;
	struct err err = ERR_INIT;
	struct event *there, before;

	fuzz_check(!events__parse(&in->scope, "msr/tsc/", &list, &err), "%s", err.msg);
	fuzz_check(list.nr == 1);
	sb__puts(&list.warnings, "a warning\n");
	there = list.at[0];
	before = *there;
	fuzz_check(parse(in, &list, &err) == rc);
	fuzz_check(list.nr >= 1 && list.at[0] == there && !memcmp(there, &before, sizeof(before)));
	fuzz_check(!strncmp(sb__str(&list.warnings), "a warning\n", 10));
	if (rc)
		fuzz_check(list.nr == 1 && list.warnings.len == 10, "%d events and %zu bytes left",
			   list.nr, list.warnings.len);
	else
		check_list(&list, !(in->options & IDS));
	event_list__free(&list);
}

/* Parse the name of an event as a text, if the event depends only on its own text. */
static void check_name(const struct input *in, const struct event *e)
{
	struct event_list list = EVENT_LIST_INIT;
	struct err err = ERR_INIT;
	bool found = false;

	fuzz_check(!events__parse(&in->scope, e->name, &list, &err), "%s:\n%s", e->name, err.msg);
	for (int i = 0; i < list.nr && !found; i++)
		found = list.at[i]->pmu == e->pmu && list.at[i]->tool == e->tool &&
			!memcmp(&list.at[i]->attr, &e->attr, sizeof(e->attr));
	fuzz_check(found, "%s is another event", e->name);
	event_list__free(&list);
}

/* As in perf, the kernel's names of tracepoints and caches have no modifiers. */
static bool named_by_text(const struct event *e)
{
	return e->attr.type != PERF_TYPE_TRACEPOINT && e->attr.type != PERF_TYPE_HW_CACHE;
}

static void check_names(const struct input *in, const struct event_list *list)
{
	/* On hybrid machines, names for people include the PMU, but not a group's modifiers. */
	if (in->options & (HYBRID | IDS) || strchr(in->text, '{') || list->warnings.len)
		return;
	for (int i = 0; i < list->nr; i++)
		if (!list->at[i]->config_name && named_by_text(list->at[i]))
			check_name(in, list->at[i]);
}

static void check_again(const struct input *in, const struct event_list *list)
{
	struct event_list again = EVENT_LIST_INIT;

	fuzz_check(!parse(in, &again, NULL));
	fuzz_check(again.nr == list->nr);
	for (int i = 0; i < list->nr; i++)
		check_same(list->at[i], again.at[i]);
	fuzz_check(!strcmp(sb__str(&list->warnings), sb__str(&again.warnings)));
	event_list__free(&again);
}

static void check_ids(const struct input *in, int rc, const struct event_list *list)
{
	bool all = true;

	for (int i = 0; i < in->nr_ids && !in->modifier; i++)
		all &= events__exists(&in->scope, in->ids[i]);
	if (!in->modifier)
		fuzz_check(all == !rc, "%d, though %s", rc, all ? "all exist" : "one does not");
	/* Slots that were added to lead a group have no id. */
	for (int i = 0; i < list->nr; i++)
		fuzz_check(list->at[i]->from_metric &&
				   (list->at[i]->id || list->at[i]->topdown == TOPDOWN_SLOTS),
			   "%s", list->at[i]->name);
}

static void try_input(const struct input *in)
{
	struct event_list list = EVENT_LIST_INIT;
	struct err err = ERR_INIT;
	int rc = parse(in, &list, &err);

	if (rc) {
		fuzz__check_error(rc, &err);
		fuzz_check(!list.nr && !list.warnings.len);
	} else {
		fuzz_check(list.nr || in->options & IDS);
		check_list(&list, !(in->options & IDS));
		check_again(in, &list);
		check_names(in, &list);
	}
	if (in->options & IDS)
		check_ids(in, rc, &list);
	check_behind_another(in, rc);
	event_list__free(&list);
}

static void split_ids(struct input *in, char *text)
{
	char *id;

	while (in->nr_ids < IDS_MAX && (id = strsep(&text, " \n"))) {
		if (*id == ':')
			in->modifier = id + 1;
		else if (*id)
			in->ids[in->nr_ids++] = id;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .options = size ? data[0] & 31 : 0 };
	char *text = fuzz__text(data + !!size, size - !!size);

	in.scope = machines[in.options & HYBRID];
	if (!(in.options & TABLES))
		in.scope.tables = NULL;
	if (in.options & CPUTYPE)
		in.scope.pmu_filter = in.options & HYBRID ? "cpu_atom" : "cpu";
	in.text = text;
	if (in.options & IDS)
		split_ids(&in, text);
	try_input(&in);
	free(text);
	return 0;
}
