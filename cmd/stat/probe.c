// SPDX-License-Identifier: GPL-2.0-only
/*
 * --probe prints for each event of -e whether it can be counted here, or why not, and how many
 * counters there are. It counts each event separately for a moment, since only the kernel knows the
 * answer.
 */
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "machine/machine.h"
#include "output.h"
#include "plan/counters.h"
#include "plan/fit.h"
#include "run/run.h"
#include "stat/stat.h"
#include "tables/tables.h"

#define MOMENT_MS 10
#define NAME_COLUMNS 40

/*
 * Whether an event can be counted. For a task this may be unknown, since the task may never run on
 * the CPUs that can count it.
 */
enum countable { COUNTABLE_NO, COUNTABLE_YES, COUNTABLE_NOT_KNOWN };

/**
 * struct event_probe - the answers for some events
 * @answers: how many events were tried
 * @refused: how many of these events cannot be counted
 * @signal:  the signal that ends the probe, or 0
 */
struct event_probe {
	const struct stat_options *o;
	const struct host *host;
	struct output out;
	bool json;
	int answers, refused, signal;
};

static void put_answer(struct event_probe *p, const char *name, const char *pmu,
		       enum countable is, const char *why)
{
	static const char *const words[] = {"no", "yes", "not known"};
	struct json *out = &p->out.json;
	int width;

	p->answers++;
	p->refused += is == COUNTABLE_NO;
	if (p->json) {
		json__open(out, NULL, '{');
		json__text(out, "Kind", "event");
		json__text(out, "Name", name);
		json__text(out, "PMU", pmu);
		if (is == COUNTABLE_NOT_KNOWN)
			json__bare(out, "Countable", "null");
		else
			json__bool(out, "Countable", is == COUNTABLE_YES);
		if (why)
			json__text(out, "Reason", why);
		json__close(out, '}');
		return;
	}
	width = output__puts(&p->out, name);
	sb__printf(&p->out.text, "%*s %s%s%s\n", width < NAME_COLUMNS ? NAME_COLUMNS - width : 0,
		   "", words[is], why ? ": " : "", why ? why : "");
}

static enum countable countable_of(const struct event_probe *p, const struct grid_cell *cell)
{
	const struct target *t = &p->o->req.target;

	if (cell->status < CELL_NOT_COUNTED)
		return COUNTABLE_YES;
	if (cell->status == CELL_NOT_COUNTED && !target__per_cpu(t))
		return COUNTABLE_NOT_KNOWN;
	return COUNTABLE_NO;
}

/*
 * Find the first refused event, whose reason holds for the whole group. Return: NULL if there is
 * none.
 */
static const struct grid_cell *find_refused(const struct event_probe *p, const struct grid *g)
{
	for (int c = 0; c < g->nr_columns; c++)
		if (g->columns[c].kind == GRID_EVENT &&
		    countable_of(p, grid__cell(g, c, 0)) == COUNTABLE_NO)
			return grid__cell(g, c, 0);
	return NULL;
}

static void put_row(struct event_probe *p, const struct grid *g, bool stands_together)
{
	const struct grid_cell *refused = stands_together ? find_refused(p, g) : NULL;

	for (int c = 0; c < g->nr_columns; c++) {
		const struct grid_cell *cell = grid__cell(g, c, 0);
		enum countable is = countable_of(p, cell);

		if (g->columns[c].kind != GRID_EVENT)
			continue;
		if (refused && is != COUNTABLE_NO) {
			cell = refused;
			is = COUNTABLE_NO;
		}
		put_answer(p, g->columns[c].name, g->columns[c].pmu, is,
			   is == COUNTABLE_YES ? NULL
					       : cell__words(cell) ?: "it cannot be counted here");
	}
}

/*
 * Make the request. It counts a command of tma's own: the user's command, --pre and --post are not
 * run.
 */
static void probe__ask(const struct stat_options *o, const struct request_event *event,
		       struct request *req)
{
	static char *const nothing[] = {"true", NULL};

	*req = o->req;
	req->events = event;
	req->nr_events = 1;
	req->notes = 0;
	req->wants = WANT_EVENTS | WANT_STATUS | WANT_REASONS;
	req->aggr = AGGR_GLOBAL;
	req->percore_threads = req->no_merge_pmus = req->places = false;
	req->interval_ms = req->interval_count = 0;
	req->delay_ms = 0;
	req->pre = req->post = NULL;
	req->sync = false;
	req->control = (struct control){.ours = false};
	req->repeat = 1;
	if (req->target.argv) {
		req->target.argv = nothing;
		req->command_output = "null";
	} else {
		req->timeout_ms = MOMENT_MS;
	}
}

/*
 * Get the reason from a syntax error. The error first shows the place in the event's text, which is
 * left out: the event is printed anyway.
 */
static const char *reason_of(const char *words)
{
	static const char pointer[] = "\\___ ";
	const char *at = strstr(words, pointer);

	return at ? at + strlen(pointer) : words;
}

/*
 * Return: whether the text is a group in braces without W: it must not be split if it is refused.
 */
static bool is_whole_group(const char *text)
{
	const char *end = strrchr(text, '}');

	return end && !strchr(end, 'W');
}

static void probe_one(struct event_probe *p, const struct request_event *event)
{
	struct request req;
	struct run *run = NULL;
	struct err err = ERR_INIT;
	bool has_row = false, stands_together;
	int rc;

	probe__ask(p->o, event, &req);
	rc = begin_run(p->host, &req, &run, &err);
	stands_together = is_whole_group(event->text);
	while (rc > 0 && (rc = next_row(run, &err)) == RUN_ROW) {
		p->signal = run__outcome(run)->signal;
		if (!has_row && !p->signal)
			put_row(p, run__grid(run), stands_together);
		has_row = true;
	}
	if (run) {
		p->signal = p->signal ?: run__outcome(run)->signal;
		run__close(run);
	}
	if (!has_row && !p->signal)
		put_answer(p, event->text, "", COUNTABLE_NO,
			   *err.msg ? reason_of(err.msg) : "nothing was counted");
}

static void probe_list(struct event_probe *p, const struct request_event *list)
{
	const char *from = list->text, *end;

	for (; *from && !p->signal; from = *end ? end + 1 : end) {
		auto_text item = NULL;
		struct request_event one = *list;

		end = from + (list->pfm ? (int)strlen(from) : events__item_len(from));
		item = xstrndup(from, end - from);
		one.text = item;
		if (*item)
			probe_one(p, &one);
	}
}

static void probe__put_counters(struct event_probe *p, struct pmu *pmu)
{
	struct events_scope scope = host__events_scope(p->host, NULL);
	bool per_cpu = target__per_cpu(&p->o->req.target);
	struct fit_pmu has;
	uint64_t free;
	int general, fixed, most;

	host__try_counters(&scope, pmu, per_cpu && pmu->cpus.nr ? pmu->cpus.at[0] : -1, &most);
	has = counters__left_on(&scope, pmu);
	/* If slots cannot be counted, their fixed counter is missing too. */
	if (p->host->tables && tables__has_plain_events(p->host->tables, NULL))
		has.counters &= ~(1ULL << (FIT_FIXED + TOPDOWN_FIXED_COUNTER));
	free = has.counters & ~has.taken;
	general = __builtin_popcountll(free & UINT32_MAX);
	fixed = __builtin_popcountll(free) - general;
	if (!p->json) {
		sb__printf(&p->out.text, "%s: %d counters, and %d fixed ones\n", pmu->name, general,
			   fixed);
		return;
	}
	json__open(&p->out.json, NULL, '{');
	json__text(&p->out.json, "Kind", "pmu");
	json__text(&p->out.json, "Name", pmu->name);
	json__int(&p->out.json, "Counters", general);
	json__int(&p->out.json, "FixedCounters", fixed);
	json__close(&p->out.json, '}');
}

int stat_probe(const struct host *host, const struct stat_options *o, struct err *err)
{
	struct event_probe p = {.o = o, .host = host};
	int rc = output__open(&p.out, o->output_name, false, err);

	if (rc)
		return say_err(err);
	p.json = format__is(o->format.format, FORMAT_JSON);
	if (p.json)
		json__open(&p.out.json, NULL, '[');
	for (int i = 0; i < o->events.nr; i++)
		probe_list(&p, &o->events.at[i]);
	for (int i = 0; i < host->machine->nr_pmus; i++)
		if (host->machine->pmus[i]->is_core)
			probe__put_counters(&p, host->machine->pmus[i]);
	if (p.json)
		json__close(&p.out.json, ']');
	rc = output__close(&p.out, err);
	if (rc)
		return say_err(err);
	if (p.signal)
		die_by(p.signal);
	if (!p.answers)
		say("--probe: -e names no event");
	if (p.refused)
		say("--probe: %d of %d events cannot be counted here", p.refused, p.answers);
	return p.answers && !p.refused ? 0 : STATUS_FAILED;
}
