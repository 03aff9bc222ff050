// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread on a CPU is sampled about once a millisecond. So the weights of all samples in a bin of
 * time show how many threads ran in the bin.
 */
#include "where/threads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "where/samples.h"

#define NS_PER_S 1e9
#define BIN_NS 10000000ULL
#define FEWEST_BINS 5
#define FEWEST_SAMPLES 50
#define MOST_BINS (1 << 20)
#define ONE_LEAST 0.1 /* share of a bin's time below which a thread counts as not running: it may be
		       * a system call */
#define ONE_MOST 1.5
#define MOST_ANCESTORS 16

/**
 * struct thread_of_where - a thread, or a sample of a thread
 * @weight: weight of its samples
 */
struct thread_of_where {
	pid_t pid, tid;
	double weight;
};

struct thread_list {
	struct thread_of_where *at;
	int nr, cap;
};

static int by_tid(const void *va, const void *vb)
{
	const struct thread_of_where *a = va, *b = vb;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

static int by_pid(const void *va, const void *vb)
{
	const struct thread_of_where *a = va, *b = vb;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* List all threads that records name, without duplicates. */
static void list_threads(const struct threads_options *o, const struct sample_records *records,
			 struct thread_list *list)
{
	int kept = 0;

	for (int i = 0; i < records->nr; i++) {
		const struct sample_record *r = &records->at[i];
		bool counts = r->kind == RECORD_SAMPLED && r->event == o->event;
		struct thread_of_where new = {r->pid, r->tid, counts ? r->period : 0};

		if (counts || r->kind == RECORD_FORKED || r->kind == RECORD_NAMED)
			vec__push(list, new);
	}
	if (!list->nr)
		return;
	qsort(list->at, list->nr, sizeof(*list->at), by_tid);
	for (int i = 1; i < list->nr; i++) {
		if (list->at[i].tid != list->at[kept].tid)
			list->at[++kept] = list->at[i];
		else
			list->at[kept].weight += list->at[i].weight;
	}
	list->nr = kept + 1;
}

static int count_processes(struct thread_list *list)
{
	int nr = 0;

	if (list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), by_pid);
	for (int i = 0; i < list->nr; i++)
		nr += !i || list->at[i].pid != list->at[i - 1].pid;
	return nr;
}

/*
 * Find the last name of a thread. A thread without a name has the name of the thread that made it.
 */
static const char *recorded_name(const struct sample_records *records, pid_t tid)
{
	for (int up = 0; up < MOST_ANCESTORS; up++) {
		pid_t parent = 0;

		for (int i = records->nr - 1; i >= 0; i--) {
			const struct sample_record *r = &records->at[i];

			if (r->tid != tid)
				continue;
			if (r->kind == RECORD_NAMED)
				return r->path;
			if (r->kind == RECORD_FORKED)
				parent = r->parent_tid;
		}
		if (!parent)
			break;
		tid = parent;
	}
	return NULL;
}

static void set_name(const struct threads_options *o, const struct sample_records *records,
		     const struct thread_of_where *t, struct where_threads *out)
{
	const char *name = recorded_name(records, t->tid);
	auto_text text = NULL;
	auto_text path = NULL;

	if (!name) {
		path = xasprintf("%s/%d/task/%d/comm", o->procfs, (int)t->pid, (int)t->tid);
		if (!file__read(path, sizeof(out->name), &text, NULL, NULL))
			text[strcspn(text, "\n")] = '\0';
		name = text;
	}
	snprintf(out->name, sizeof(out->name), "%s", name ?: "");
	out->tid = t->tid;
}

static void find_busiest(const struct threads_options *o, const struct sample_records *records,
			 const struct thread_list *list, double all, struct where_threads *out)
{
	const struct thread_of_where *busiest = NULL;

	for (int i = 0; i < list->nr; i++)
		if (!busiest || list->at[i].weight > busiest->weight)
			busiest = &list->at[i];
	if (!busiest || !(all > 0))
		return;
	out->busiest = 100 * busiest->weight / all;
	set_name(o, records, busiest, out);
}

/* Add up the weights in bins of time, and count the bins in which about one thread ran. */
static void find_alone(const struct threads_options *o, const struct sample_records *records,
		       double all, struct where_threads *out)
{
	uint64_t begin_ns = records->nr ? records->at[0].time_ns : 0, samples = 0;
	uint64_t length_ns = records->nr ? records->at[records->nr - 1].time_ns - begin_ns : 0;
	uint64_t nr = length_ns / BIN_NS, alone = 0;
	double cpu_ns, *bins;

	if (nr < FEWEST_BINS || nr > MOST_BINS || !(all > 0))
		return;
	bins = xcalloc(nr + 1, sizeof(*bins));
	for (int i = 0; i < records->nr; i++) {
		const struct sample_record *r = &records->at[i];

		if (r->kind != RECORD_SAMPLED || r->event != o->event)
			continue;
		samples++;
		bins[(r->time_ns - begin_ns) / BIN_NS] += r->period;
	}
	if (samples < FEWEST_SAMPLES) {
		free(bins);
		return;
	}
	/* Children that their parent did not wait for show only in the samples. */
	cpu_ns = fmax(o->cpu_ns, samples * NS_PER_S / o->frequency);
	for (uint64_t i = 0; i < nr; i++) {
		double at_once = bins[i] / all * cpu_ns / BIN_NS;

		alone += at_once >= ONE_LEAST && at_once < ONE_MOST;
	}
	free(bins);
	/* Time in which no thread ran has no records. */
	length_ns = o->elapsed_ns > length_ns ? o->elapsed_ns : length_ns;
	out->at_once = cpu_ns / length_ns;
	out->alone = 100.0 * alone * BIN_NS / length_ns;
}

void threads__find(const struct threads_options *o, const struct sample_records *records,
		   struct where_threads *out)
{
	struct thread_list list = {0};
	double all = 0;

	list_threads(o, records, &list);
	for (int i = 0; i < list.nr; i++)
		all += list.at[i].weight;
	*out = (struct where_threads){.nr = list.nr > o->nr_known ? list.nr : o->nr_known,
				      .at_once = NAN, .alone = NAN};
	find_busiest(o, records, &list, all, out);
	find_alone(o, records, all, out);
	out->processes = count_processes(&list);
	if (out->processes < o->processes)
		out->processes = o->processes;
	vec__free(&list);
}
