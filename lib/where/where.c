// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns samples into places: records are replayed in the order of their times, and samples are
 * added up.
 */
#include "where/where.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "count/count.h"
#include "count/workload.h"
#include "machine/machine.h"
#include "where/child.h"
#include "where/code.h"
#include "where/maps.h"
#include "where/names.h"
#include "where/samples.h"
#include "where/symbols.h"
#include "where/threads.h"

#define READING_NS 60000000000ULL /* longest time for reading files */
#define MOST_NAMED 4096 /* the most addresses that are looked up; those with the most samples are
			 * chosen */

/**
 * struct address - an address that was sampled
 * @code: the address; one entry may hold all addresses of an object whose symbols are not looked
 *        for
 */
struct address {
	struct code_address code;
	double weights[WHERE_EVENTS];
};

struct addresses {
	struct address *at;
	int nr, cap;
};

static int by_weight(const void *va, const void *vb)
{
	const struct address *a = va, *b = vb;

	for (int i = 0; i < WHERE_EVENTS; i++)
		if (a->weights[i] != b->weights[i])
			return a->weights[i] > b->weights[i] ? -1 : 1;
	return code_address__compare(&a->code, &b->code);
}

static void where__add_sample(const struct maps *m, const struct sample_record *r,
			      struct where *out, struct addresses *list)
{
	struct address new = {.code = names__locate(m, r->pid, r->address, r->kernel)};

	/* The kernel's idle tasks of all CPUs have the number 0. */
	if (!r->pid && !r->tid && r->kernel) {
		out->idle[r->event] += r->period;
		return;
	}
	new.weights[r->event] = r->period;
	out->samples[r->event]++;
	out->weights[r->event] += r->period;
	vec__push(list, new);
}

static void replay(const struct sample_records *records, struct maps *m, struct where *out,
		   struct addresses *list)
{
	for (int i = 0; i < records->nr; i++) {
		const struct sample_record *r = &records->at[i];

		if (r->kind == RECORD_SAMPLED)
			where__add_sample(m, r, out, list);
		else
			maps__take(m, r);
	}
}

/* Merge the samples of each address. */
static void where__merge(struct addresses *list)
{
	int kept = 0;

	if (!list->nr)
		return;
	/* The first member of a place is its address, so places can be sorted as addresses. */
	qsort(list->at, list->nr, sizeof(*list->at), code_address__compare);
	for (int i = 1; i < list->nr; i++) {
		struct address *last = &list->at[kept], *a = &list->at[i];

		if (code_address__compare(&last->code, &a->code)) {
			list->at[++kept] = *a;
			continue;
		}
		for (int e = 0; e < WHERE_EVENTS; e++)
			last->weights[e] += a->weights[e];
	}
	list->nr = kept + 1;
}

static void find_symbols(const struct maps *m, struct child_reading *r, struct addresses *list,
			 struct sb *notes)
{
	int nr = list->nr < MOST_NAMED ? list->nr : MOST_NAMED;
	struct code_address *named = xcalloc(nr + 1, sizeof(*named));

	if (list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), by_weight);
	for (int i = 0; i < nr; i++) {
		named[i] = list->at[i].code;
		named[i].id = i;
	}
	names__find(m, r, named, nr, notes);
	for (int i = 0; i < nr; i++)
		list->at[named[i].id].code = named[i];
	free(named);
}

/* An address without a name is a place of its own, but memory that is not a file is one place. */
static bool is_at(const struct where_place *p, const struct address *a, const char *object)
{
	const struct symbol *s = &a->code.symbol;

	return !strcmp(p->object, object) && !strcmp(p->function, s->function ?: "") &&
	       !strcmp(p->into, s->into ?: "") && !strcmp(p->file, s->file ?: "") &&
	       p->line == s->line &&
	       (*p->function || *p->file || !a->code.known || p->offset == a->code.offset);
}

static void add_place(struct where *out, const struct maps *m, struct address *a)
{
	const char *object = names__object(m, &a->code);
	struct symbol *symbol = &a->code.symbol;
	struct where_place *p = vec__find(q, out, is_at(q, a, object));

	if (!p) {
		vec__push(out, ((struct where_place){
				       .object = xstrdup(object),
				       .function = xstrdup(symbol->function ?: ""),
				       .into = xstrdup(symbol->into ?: ""),
				       .file = xstrdup(symbol->file ?: ""),
				       .line = symbol->line,
				       .id = a->code.object,
				       .offset = a->code.offset,
			       }));
		p = &out->at[out->nr - 1];
	}
	for (int e = 0; e < WHERE_EVENTS; e++)
		p->weights[e] += a->weights[e];
	free(symbol->function);
	free(symbol->into);
	free(symbol->file);
}

static int by_share(const void *va, const void *vb)
{
	const struct where_place *a = va, *b = vb;

	for (int i = 0; i < WHERE_EVENTS; i++)
		if (a->weights[i] != b->weights[i])
			return a->weights[i] > b->weights[i] ? -1 : 1;
	return strcmp(a->function, b->function);
}

/*
 * Read the mappings of processes that already run, as these were made before the first record. They
 * are read after recording has begun, so that no mapping is missed.
 */
static void read_running(const struct where_options *o, void *arg)
{
	const struct target *t = o->target;

	if (!t->argv || target__per_cpu(t) || target__names_tasks(t))
		maps__read_all(arg);
}

/* Return: the weight of an event's samples in files that have changed since they were run. */
static double weight_gone(const struct addresses *list, int event)
{
	double sum = 0;

	for (int i = 0; i < list->nr; i++)
		sum += list->at[i].code.symbol.gone ? list->at[i].weights[event] : 0;
	return sum;
}

static void tell_idle(struct where *out)
{
	for (int e = 0; e < WHERE_EVENTS; e++) {
		double all = out->idle[e] + out->weights[e];

		if (out->idle[e] >= all / 100 && all > 0)
			sb__printf(&out->notes,
				   "CPUs were idle in %.0f %% of the samples, which are left out\n",
				   100 * out->idle[e] / all);
	}
}

static void tell_missing(struct where *out, const struct addresses *list)
{
	double bare = 0, made = 0, all = out->weights[0] ?: out->weights[1];
	int event = out->weights[0] ? 0 : 1;

	for (int i = 0; i < out->nr; i++) {
		const struct where_place *p = &out->at[i];

		if (*p->object == '/' && !p->line)
			bare += p->weights[event];
		if (!strcmp(p->object, WHERE_ANONYMOUS))
			made += p->weights[event];
	}
	if (made > all / 10)
		sb__puts(&out->notes,
			 "code in anonymous memory was generated at run time (by a "
			 "just-in-time compiler): it has names if the program writes "
			 "/tmp/perf-PID.map (node --perf-basic-prof)\n");
	/* Recompiling does not help if files are gone. */
	bare -= weight_gone(list, event);
	if (all > 0 && bare > all / 2)
		sb__puts(&out->notes, "most samples are in code without debug information: compile "
				      "with -g, or install it, to see lines\n");
}

static void find_threads(const struct where_options *o, const struct sample_records *records,
			 struct where *out)
{
	const struct threads_options options = {
		.event = out->clock_alone ? 0 : o->nr_events - 1,
		.frequency = o->frequency,
		.cpu_ns = out->ran.user_ns + out->ran.system_ns,
		.nr_known = out->nr_tasks,
		.processes = out->nr_processes,
		.elapsed_ns = out->elapsed_ns,
		.procfs = o->machine->procfs,
	};

	if (!target__per_cpu(o->target))
		threads__find(&options, records, &out->threads);
}

/* Find the instructions of the first place, if its source is missing. */
static void where__find_code(const struct where_options *o, const struct maps *m,
			     struct child_reading *r, struct where *out)
{
	struct where_place *p = out->nr ? &out->at[0] : NULL;
	const struct object *object = p && p->id >= 0 ? &m->objects.at[p->id] : NULL;
	auto_text path = NULL;
	auto_text running = NULL;

	if (!object || !object->inode || !o->has_source || o->has_source(p))
		return;
	path = xasprintf("%s%s", object->root, object->path);
	running = xasprintf("%s/%d/exe", m->procfs, (int)object->pid);
	code__find(&(struct code_place){path, running, object->inode, p->offset}, r, &p->code);
}

static void free_code(struct where_code *code)
{
	for (int i = 0; i < code->nr; i++)
		free(code->at[i].text);
	vec__free(code);
}

int where__find(const struct where_options *o, struct where *out, struct err *err)
{
	struct maps m = {.procfs = o->machine->procfs};
	const struct where_beginning beginning = {read_running, &m};
	struct sample_records records = {0};
	struct addresses list = {0};
	int rc;

	*out = (struct where){.notes = SB_INIT};
	/*
	 * A signal during the reading of names ends the reading, and the results so far are
	 * printed.
	 */
	signals__install();
	rc = samples__take(o, &beginning, &records, out, err);
	/* A signal that ended the sampling does not end the reading of symbols. */
	if (!rc && session__signal())
		signals__take();
	if (!rc) {
		struct child_reading r = {
			.until_ns = o->read_until_ns ?: clock__now_ns() + READING_NS,
			.download = o->download};

		replay(&records, &m, out, &list);
		find_threads(o, &records, out);
		where__merge(&list);
		find_symbols(&m, &r, &list, &out->notes);
		/* A place is represented by its first address, which has the most samples. */
		if (list.nr)
			qsort(list.at, list.nr, sizeof(*list.at), by_weight);
		for (int i = 0; i < list.nr; i++)
			add_place(out, &m, &list.at[i]);
		if (out->nr)
			qsort(out->at, out->nr, sizeof(*out->at), by_share);
		tell_idle(out);
		tell_missing(out, &list);
		where__find_code(o, &m, &r, out);
		out->signal = session__signal();
	}
	signals__restore();
	vec__free(&list);
	sample_records__free(&records);
	maps__free(&m);
	return rc;
}

static void free_place(struct where_place *p)
{
	free(p->object);
	free(p->function);
	free(p->into);
	free(p->file);
	free_code(&p->code);
}

/* A function that was inlined counts as a part of the function that contains it. */
static const char *whole_function(const struct where_place *p)
{
	return *p->into ? p->into : p->function;
}

static bool is_same_function(const struct where_place *a, const struct where_place *b)
{
	return *a->function && !strcmp(whole_function(a), whole_function(b)) &&
	       !strcmp(a->object, b->object);
}

double where__largest_function(const struct where *w, int event)
{
	double most = 0;

	for (int i = 0; i < w->nr; i++) {
		double weight = 0;

		/* The weight of a function is computed at its first place. */
		for (int k = 0; k < i && !isnan(weight); k++)
			if (is_same_function(&w->at[k], &w->at[i]))
				weight = NAN;
		for (int k = i; k < w->nr && !isnan(weight); k++)
			if (k == i || is_same_function(&w->at[k], &w->at[i]))
				weight += w->at[k].weights[event];
		most = fmax(most, weight);
	}
	return w->weights[event] > 0 ? 100 * most / w->weights[event] : 0;
}

void where__merge_lines(struct where *w)
{
	int kept = 0;

	for (int i = 0; i < w->nr; i++) {
		struct where_place *p = &w->at[i], *same = w->at;

		while (same < w->at + kept && !is_same_function(same, p))
			same++;
		if (same == w->at + kept) {
			w->at[kept++] = *p;
			continue;
		}
		for (int e = 0; e < WHERE_EVENTS; e++)
			same->weights[e] += p->weights[e];
		free_place(p);
	}
	w->nr = kept;
	for (int i = 0; i < w->nr; i++) {
		struct where_place *p = &w->at[i];

		p->line = 0;
		free_code(&p->code);
		if (!*p->into)
			continue;
		free(p->function);
		p->function = p->into;
		p->into = xstrdup("");
	}
	if (w->nr)
		qsort(w->at, w->nr, sizeof(*w->at), by_share);
}

void where__free(struct where *w)
{
	for (int i = 0; i < w->nr; i++)
		free_place(&w->at[i]);
	vec__free(w);
	sb__free(&w->notes);
}
