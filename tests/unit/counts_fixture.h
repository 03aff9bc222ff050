/* SPDX-License-Identifier: GPL-2.0-only */
/* A made-up machine with events and samples, for tests of what is computed from counts. */
#ifndef TMA_TESTS_COUNTS_FIXTURE_H
#define TMA_TESTS_COUNTS_FIXTURE_H

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "machine/internal.h"
#include "metrics/expr.h"
#include "report/report.h"
#include "unit.h"
#include "writers/writer.h"

#define FIXTURE_EVENTS 12
#define FIXTURE_UNITS 8
#define FIXTURE_METRICS 8

/**
 * struct fixture - a machine of 2 sockets with 2 cores each and 2 threads per core, and its counts
 * @ids, @comms: numbers and command names of the units; without a change by the test, the units are
 *               the CPUs 0 to @nr_units - 1
 *
 * The other members are for report_fixture.h, which prints the counts:
 * @format: name of the format
 * @print: the other options of printing
 * @interval: print rows of intervals, with times
 * @report, @writer: made at the first print
 */
struct fixture {
	struct machine machine;
	struct cpu cpus[FIXTURE_UNITS];
	struct pmu pmus[3], *pmu_list[3], software;
	struct metrics_scope scope;

	struct event events[FIXTURE_EVENTS], *event_list[FIXTURE_EVENTS];
	struct metric metrics[FIXTURE_METRICS];
	struct plan_metric plan_metrics[FIXTURE_METRICS];
	struct event *served_by[FIXTURE_METRICS][FIXTURE_EVENTS];
	struct plan plan;

	struct report_options opts;
	struct writer_options print;
	const char *format;
	bool interval;
	struct row_time time;
	struct presence *presence;
	struct sample samples[FIXTURE_EVENTS * FIXTURE_UNITS];
	struct latency *latencies;
	int ids[FIXTURE_UNITS], nr_units;
	const char *comms[FIXTURE_UNITS];

	struct report *report;
	struct writer *writer;
	FILE *out;
	char *text;
	size_t len;
};

static inline void fixture__init(struct fixture *f, int nr_units)
{
	memset(f, 0, sizeof(*f));
	f->nr_units = nr_units;
	for (int i = 0; i < FIXTURE_UNITS; i++) {
		f->ids[i] = i;
		f->cpus[i] = (struct cpu){ i / 4, 0, i / 2, i / 2 % 2, i / 4 };
	}
	f->machine.cpus = f->cpus;
	f->machine.nr_cpus = FIXTURE_UNITS;
	f->machine.pmus = f->pmu_list;
	for (int i = 0; i < 3; i++)
		f->pmus[i].machine = &f->machine;
	f->pmus[0].name = (char *)"cpu";
	f->pmus[0].type = 4;
	f->pmus[0].is_core = true;
	f->software = (struct pmu){ .name = (char *)"software", .machine = &f->machine, .type = 1 };
	f->pmu_list[0] = &f->pmus[0];
	f->machine.nr_pmus = 1;
	f->scope.machine = &f->machine;
	f->plan.events.at = f->event_list;
	f->plan.metrics = f->plan_metrics;
	f->plan.program = program__new(&f->scope);
	f->format = "text";
	f->print.head = "'true'";
	f->time.elapsed_ns = 1000000000;
	f->time.since_start_ns = 1000000000;
	f->out = open_memstream(&f->text, &f->len);
	ck_assert_ptr_nonnull(f->out);
}

/* Two core PMUs: CPUs 0-3 are P-cores, CPUs 4-7 are E-cores. */
static inline void fixture__make_hybrid(struct fixture *f)
{
	f->pmus[0].name = "cpu_core";
	f->pmus[1].name = (char *)"cpu_atom";
	f->pmus[1].type = 8;
	f->pmus[1].is_core = true;
	f->pmu_list[1] = &f->pmus[1];
	f->machine.nr_pmus = 2;
}

static inline struct event *fixture__event(struct fixture *f, const char *name, uint32_t type,
					   uint64_t config)
{
	int i = f->plan.events.nr++;
	struct event *e = &f->events[i];

	ck_assert_int_lt(i, FIXTURE_EVENTS);
	*e = (struct event){ .name = (char *)name, .unit = (char *)"", .scale = 1, .index = i };
	e->attr.type = type;
	e->attr.config = config;
	e->leader = e->first = e;
	e->nr_members = 1;
	if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW)
		e->pmu = &f->pmus[0];
	if (type == PERF_TYPE_SOFTWARE)
		e->pmu = &f->software;
	f->event_list[i] = e;
	return e;
}

static inline struct event *fixture__clock(struct fixture *f)
{
	struct event *e = fixture__event(f, "task-clock", PERF_TYPE_SOFTWARE,
					 PERF_COUNT_SW_TASK_CLOCK);

	e->scale = 1e-6;
	e->unit = (char *)"msec";
	return e;
}

static inline struct event *fixture__switches(struct fixture *f)
{
	return fixture__event(f, "context-switches", PERF_TYPE_SOFTWARE,
			      PERF_COUNT_SW_CONTEXT_SWITCHES);
}

static inline struct event *fixture__cycles(struct fixture *f)
{
	return fixture__event(f, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
}

static inline struct event *fixture__instructions(struct fixture *f)
{
	return fixture__event(f, "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

static inline struct sample *fixture__at(struct fixture *f, const struct event *e, int unit)
{
	return &f->samples[e->index * f->nr_units + unit];
}

static inline void fixture__multiplexed(struct fixture *f, const struct event *e, int unit,
					uint64_t value, uint64_t enabled, uint64_t running)
{
	*fixture__at(f, e, unit) = (struct sample){
		.value = value,
		.scaled = running ? (uint64_t)((double)value * enabled / running) : 0,
		.enabled = enabled,
		.running = running,
		.status = !running	       ? SAMPLE_NOT_COUNTED
			  : running == enabled ? SAMPLE_COUNTED
					       : SAMPLE_SCALED,
	};
}

static inline void fixture__count(struct fixture *f, const struct event *e, int unit,
				  uint64_t value)
{
	fixture__multiplexed(f, e, unit, value, 1000, 1000);
}

static inline void fixture__status(struct fixture *f, const struct event *e, int unit,
				   enum sample_status status)
{
	*fixture__at(f, e, unit) = (struct sample){ .status = status };
}

/* Return: whether an expression needs the event whose name is this letter. */
static inline bool fixture__needs(const char *expr, char id)
{
	for (const char *at = expr; expr && *at; at++)
		if (*at == id && (at == expr || !isalnum(at[-1])) && !isalnum(at[1]))
			return true;
	return false;
}

/* Add a metric whose expression refers to events "a", "b", ... in the order of the list. */
static inline struct plan_metric *fixture__metric(struct fixture *f, const char *name,
						  const char *expr, const char *threshold,
						  struct event *shown_at)
{
	static const char *ids[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l" };
	int i = f->plan.nr_metrics++, columns[FIXTURE_EVENTS];
	struct metric *m = &f->metrics[i];
	struct plan_metric *pm = &f->plan_metrics[i];
	struct err err = ERR_INIT;

	ck_assert_int_lt(i, FIXTURE_METRICS);
	for (int c = 0; c < FIXTURE_EVENTS; c++)
		columns[c] = c;
	*m = (struct metric){ .ids = ids, .nr_ids = f->plan.events.nr };
	m->info = (struct metric_info){ .name = name, .pmu = "default_core", .expr = expr,
					.threshold = "", .groups = "", .unit = "%",
					.default_group = "", .scale = 100, .scale_unit = true };
	ck_assert_int_eq(expr__parse(name, expr, &m->value, &err), 0);
	if (threshold)
		ck_assert_int_eq(expr__parse(name, threshold, &m->threshold, &err), 0);
	*pm = (struct plan_metric){ .metric = m, .shown_at = shown_at, .name = (char *)name,
				    .events = f->served_by[i] };
	for (int e = 0; e < f->plan.events.nr; e++)
		if (fixture__needs(expr, *ids[e]) || fixture__needs(threshold, *ids[e]))
			pm->events[e] = f->event_list[e];
	ck_assert_msg(!program__add(f->plan.program, m, columns, NULL, 0, &pm->value,
				    &pm->threshold, &err),
		      "%s", err.msg);
	return pm;
}

/* Fill in the units that samples belong to. */
static inline struct units fixture__units(struct fixture *f)
{
	return (struct units){ .nr = f->nr_units, .ids = f->ids,
			       .comms = f->comms[0] ? f->comms : NULL };
}

static inline struct counts fixture__counts(struct fixture *f)
{
	return (struct counts){ .nr_events = f->plan.events.nr, .nr_units = f->nr_units,
				.at = f->samples, .latencies = f->latencies,
				.presence = f->presence };
}

/* Release the counts; fixture__free() releases what printing needs. */
static inline void fixture__free_counts(struct fixture *f)
{
	program__free(f->plan.program);
	for (int i = 0; i < f->plan.nr_metrics; i++) {
		for (int k = 0; k < metric__nr_exprs(&f->metrics[i]); k++)
			free(f->metrics[i].names[k]);
		free(f->metrics[i].names);
		expr__free(f->metrics[i].value);
		expr__free(f->metrics[i].threshold);
	}
	fclose(f->out);
	free(f->text);
}

#endif
