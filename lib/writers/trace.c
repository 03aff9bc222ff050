// SPDX-License-Identifier: GPL-2.0-only
/*
 * --format=trace prints the array of events that Perfetto and chrome://tracing read. Each place
 * becomes a process, and each metric and event of the place a counter, whose value holds from the
 * start of its row. Rows, phases and statuses of values become slices of threads. A missing value
 * is not a value of the counter.
 */
#include <math.h>
#include <string.h>

#include "base/fixed.h"
#include "base/text.h"
#include "writers/own.h"

#define NS_PER_US 1000
#define PID_STEP 10 /* numbers for a process and its threads */
#define RUN_PID PID_STEP /* number of the run's process; processes of places follow */
#define LEAST_TOLD CELL_PARTIAL /* first status whose reason is printed */

/* Threads of a place's process, whose slices show its rows, phases and statuses. */
enum lane {
	LANE_ROWS,
	LANE_STATUS,
	LANE_WHOLE,
	LANE_VERDICT,
	LANE_PHASES,
	LANE_NR,
};

static const char *const lanes[LANE_NR] = {
	[LANE_ROWS] = "rows",
	[LANE_STATUS] = "what became of values",
	[LANE_WHOLE] = "whole run",
	[LANE_VERDICT] = "verdict",
	[LANE_PHASES] = "phases",
};

static const char *const span_names[] = {
	[SPAN_INTERVAL] = "interval",
	[SPAN_RUN] = "run",
	[SPAN_MEAN] = "mean of several runs",
};

/**
 * struct timeline - the state of a trace
 * @printed: metadata that was printed for each process: bits of the threads that have names, and
 *           TOLD_NAME
 * @begun: an event was printed
 */
struct timeline {
	unsigned char *printed;
	bool begun;
};

#define TOLD_NAME (1u << LANE_NR)

/**
 * struct track - the process of a place
 * @core: index of the place's core PMU in grid.cores; grid.nr_cores if it has none
 */
struct track {
	struct own_place at;
	int core, pid;
};

/* --- Names ----------------------------------------------------------------------------------- */

/*
 * Replace a control character by '?': readers of the format do not accept \u in the name of an
 * event.
 */
static void dress__trace(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	while (*text) {
		size_t len = strcspn(text, "\"\\");

		text__clean_utf8(sb, text, len, "");
		text += len;
		if (*text)
			sb__printf(sb, "\\%c", *text++);
	}
}

static void trace__begin(struct writer *w)
{
	const struct grid *g = w->grid;
	int nr_places = g->nr_rows * g->cgroups.nr * (g->cores.nr + 1);

	own__begin(w);
	w->timeline = arena__calloc(&w->memory, 1, sizeof(*w->timeline));
	w->timeline->printed =
		arena__calloc(&w->memory, nr_places + 1, sizeof(*w->timeline->printed));
}

static struct track track_of(const struct writer *w, const struct own_place *at, int core)
{
	int place = at->row * w->grid->cgroups.nr + at->cgroup;

	place = place * (w->grid->cores.nr + 1) + core;
	return (struct track){ *at, core, RUN_PID + PID_STEP * (1 + place) };
}

/* --- Events ---------------------------------------------------------------------------------- */

/*
 * Each event is a line, and a comma precedes all but the first event. If the output is cut off,
 * only the closing bracket is missing, which readers of the format accept.
 */
static struct json trace__open_event(struct writer *w)
{
	struct json j = JSON_INIT(&w->text, JSON_COMPACT);

	sb__putc(&w->text, w->timeline->begun ? ',' : '[');
	w->timeline->begun = true;
	json__open(&j, NULL, '{');
	return j;
}

static void close_event(struct json *j)
{
	json__close(j, '}');
	json__close(j, '}');
}

static void put_dressed(struct json *j, const char *key, const char *dressed)
{
	json__begin_text(j, key);
	sb__puts(j->sb, dressed);
	json__end_text(j);
}

static void put_us(struct writer *w, struct json *j, const char *key, uint64_t ns)
{
	json__key(j, key);
	fixed__print_u64(&w->text, ns / NS_PER_US, 1);
	sb__putc(&w->text, '.');
	fixed__print_u64(&w->text, ns % NS_PER_US, 3);
}

static int thread_of(int pid, enum lane lane)
{
	return pid + 1 + lane;
}

/*
 * Return: whether metadata of a process has not been printed yet; from now on it counts as printed.
 */
static bool mark_printed(struct writer *w, int pid, unsigned int what)
{
	unsigned char *printed = &w->timeline->printed[(pid - RUN_PID) / PID_STEP];
	bool is = !(*printed & what);

	*printed |= what;
	return is;
}

static struct json open_metadata(struct writer *w, const char *what, int pid, int tid)
{
	struct json j = trace__open_event(w);

	json__text(&j, "name", what);
	json__text(&j, "ph", "M");
	json__int(&j, "pid", pid);
	if (tid)
		json__int(&j, "tid", tid);
	json__open(&j, "args", '{');
	return j;
}

/* Append the name of a place: "CPU3", "S0 [cpu_core]", "system wide, web.slice". */
static void put_track_name(struct writer *w, const struct track *t)
{
	const struct grid *g = w->grid;
	struct sb *label = &w->scratch;
	const char *cgroup = w->own->cgroups[t->at.cgroup].name;

	sb__clear(label);
	if (row_kinds[g->aggr].width)
		row__label(w, g->aggr, &g->rows[t->at.row], label);
	else
		sb__puts(label, w->opts.head ? w->opts.head : "");
	if (t->core < g->cores.nr)
		sb__printf(label, "%s[%s]", label->len ? " " : "", g->cores.at[t->core]);
	dress__trace(w, sb__str(label), &w->text);
	if (*cgroup)
		sb__printf(&w->text, "%s%s", label->len ? ", " : "", cgroup);
}

static void put_label(struct writer *w, int pid, const char *what, const char *name)
{
	struct json j = open_metadata(w, "process_labels", pid, 0);

	json__begin_text(&j, "labels");
	sb__puts(&w->text, what);
	dress__trace(w, name, &w->text);
	json__end_text(&j);
	close_event(&j);
}

static void name_process(struct writer *w, int pid, const struct track *t)
{
	struct json j;

	if (!mark_printed(w, pid, TOLD_NAME))
		return;
	j = open_metadata(w, "process_name", pid, 0);
	json__begin_text(&j, "name");
	if (t) {
		put_track_name(w, t);
	} else {
		sb__puts(&w->text, "tma stat ");
		dress__trace(w, w->opts.head ? w->opts.head : "", &w->text);
	}
	json__end_text(&j);
	close_event(&j);
	j = open_metadata(w, "process_sort_index", pid, 0);
	json__int(&j, "sort_index", pid);
	close_event(&j);
	if (t)
		return;
	if (w->grid->simulated)
		put_label(w, pid, "simulated machine: ", w->grid->simulated);
	else if (w->opts.cpuid && *w->opts.cpuid)
		put_label(w, pid, "", w->opts.cpuid);
}

static void name_lane(struct writer *w, int pid, enum lane lane)
{
	struct json j;

	if (!mark_printed(w, pid, 1u << lane))
		return;
	j = open_metadata(w, "thread_name", pid, thread_of(pid, lane));
	json__text(&j, "name", lanes[lane]);
	close_event(&j);
	j = open_metadata(w, "thread_sort_index", pid, thread_of(pid, lane));
	json__int(&j, "sort_index", lane);
	close_event(&j);
}

/*
 * Begin a slice from one time to another, and begin its arguments. @t: place of the slice; NULL for
 * the run.
 */
static struct json open_slice(struct writer *w, const struct track *t, enum lane lane,
			      const char *name, uint64_t from_ns, uint64_t to_ns)
{
	int pid = t ? t->pid : RUN_PID;
	struct json j;

	name_process(w, pid, t);
	name_lane(w, pid, lane);
	j = trace__open_event(w);
	put_dressed(&j, "name", name);
	json__text(&j, "cat", lanes[lane]);
	json__text(&j, "ph", "X");
	put_us(w, &j, "ts", from_ns);
	put_us(w, &j, "dur", to_ns > from_ns ? to_ns - from_ns : 0);
	json__int(&j, "pid", pid);
	json__int(&j, "tid", thread_of(pid, lane));
	json__open(&j, "args", '{');
	return j;
}

static uint64_t start_of(const struct grid *g)
{
	return g->since_start_ns > g->elapsed_ns ? g->since_start_ns - g->elapsed_ns : 0;
}

static uint64_t trace__end_of(const struct grid *g)
{
	return start_of(g) + g->elapsed_ns;
}

/* --- Values ---------------------------------------------------------------------------------- */

static bool has_value(const struct grid_cell *cell)
{
	return cell->status < CELL_NOT_COUNTED && (cell->is_count || isfinite(cell->value));
}

/* Append a name, with the PMU if the event is one of several instances of an uncore event. */
static void trace__put_name(struct writer *w, int column, const char *suffix)
{
	const struct grid_column *c = own__column(w, column);
	const struct own_column *names = &w->own->columns[column];

	sb__puts(&w->text, names->name);
	if (!c->core_name && *c->pmu && (c->kind != GRID_EVENT || c->apart))
		sb__printf(&w->text, " [%s]", names->pmu);
	sb__puts(&w->text, suffix);
}

static void put_category(struct json *j, const struct grid_column *c)
{
	static const char *const kinds[GRID_NR_KINDS] = {
		[GRID_EVENT] = "event",
		[GRID_RATIO] = "ratio",
		[GRID_METRIC] = "metric",
	};

	if (c->level <= 0) {
		json__text(j, "cat", kinds[c->kind]);
		return;
	}
	json__begin_text(j, "cat");
	sb__printf(j->sb, "level %d", c->level);
	json__end_text(j);
}

static void put_counter(struct writer *w, const struct track *t, int column, const char *suffix,
			const struct own_value *value)
{
	const struct grid_column *c = own__column(w, column);
	const char *unit = w->own->columns[column].unit;
	struct json j;

	name_process(w, t->pid, t);
	j = trace__open_event(w);
	json__begin_text(&j, "name");
	trace__put_name(w, column, suffix);
	json__end_text(&j);
	put_category(&j, c);
	json__text(&j, "ph", "C");
	put_us(w, &j, "ts", start_of(w->grid));
	json__int(&j, "pid", t->pid);
	json__open(&j, "args", '{');
	if (!*unit)
		unit = c->kind == GRID_EVENT ? "count" : "value";
	own_value__json(value, &j, unit);
	close_event(&j);
}

static void put_counters(struct writer *w, const struct track *t, int column)
{
	const struct own_cell cell = own_cell__at(w, column, t->at.row);

	if (!has_value(cell.cell))
		return;
	cell_fields__for_each(f) {
		const struct own_value v = f->track ? cell_field__value(w, f, &cell) : OWN_ABSENT;

		if (own_value__is_number(&v))
			put_counter(w, t, column, f->track, &v);
	}
}

static bool is_on(const struct writer *w, int column, int core)
{
	return own__column(w, column)->core == core;
}

/**
 * struct track_status - the statuses of a place's values
 * @worst: worst status; @percent: least share of the time; @nr_told: number of values with a reason
 */
struct track_status {
	enum cell_status worst;
	double percent;
	int nr_told;
};

static struct track_status status_of(const struct writer *w, const struct track *t)
{
	struct track_status s = { .worst = CELL_COUNTED, .percent = NAN };

	own__for_each(i, w, &t->at) {
		const struct grid_cell *cell = own__cell(w, i, t->at.row);

		if (!is_on(w, i, t->core) || cell->status == CELL_ABSENT)
			continue;
		if (!isnan(cell->more->percent) && !(cell->more->percent >= s.percent))
			s.percent = cell->more->percent;
		if (cell->status > s.worst)
			s.worst = cell->status;
		s.nr_told += cell->status >= LEAST_TOLD;
	}
	return s;
}

static void put_cell_status(struct writer *w, struct json *j, const struct track *t, int column)
{
	const struct grid_cell *cell = own__cell(w, column, t->at.row);

	if (!is_on(w, column, t->core) || cell->status == CELL_ABSENT ||
	    cell->status < LEAST_TOLD)
		return;
	sb__clear(&w->scratch);
	sb__printf(&w->scratch, "%s: ", cell_status__name(cell->status));
	cell__print_reason(&w->scratch, cell);
	json__text(j, w->own->columns[column].name, sb__str(&w->scratch));
}

/*
 * A counter keeps its last value until it has another. So a slice shows where a value is missing or
 * estimated, and why.
 */
static void trace__put_status(struct writer *w, const struct track *t)
{
	const struct track_status s = status_of(w, t);
	struct json j;

	if (s.worst == CELL_COUNTED)
		return;
	j = open_slice(w, t, LANE_STATUS, cell_status__name(s.worst), start_of(w->grid),
		       trace__end_of(w->grid));
	json__double(&j, "running_percent", s.percent);
	if (s.nr_told)
		json__int(&j, "values", s.nr_told);
	own__for_each(i, w, &t->at)
		put_cell_status(w, &j, t, i);
	close_event(&j);
}

/* Values of the whole run, after its intervals, are arguments of a slice, not counters. */
static void put_whole(struct writer *w, const struct track *t)
{
	struct json j;

	j = open_slice(w, t, LANE_WHOLE, "whole run", start_of(w->grid), trace__end_of(w->grid));
	own__for_each(i, w, &t->at) {
		const struct own_cell cell = own_cell__at(w, i, t->at.row);
		const struct own_value v = own_cell__value(cell.cell);

		if (is_on(w, i, t->core) && has_value(cell.cell))
			own_value__json(&v, &j, w->own->columns[i].name);
	}
	close_event(&j);
}

/* Whether a place has values of a core type. */
static bool has_any(const struct writer *w, const struct own_place *at, int core)
{
	own__for_each(i, w, at)
		if (is_on(w, i, core) && own__cell(w, i, at->row)->status != CELL_ABSENT)
			return true;
	return false;
}

static void put_track(struct writer *w, const struct track *t)
{
	if (w->grid->is_total) {
		put_whole(w, t);
		return;
	}
	own__for_each(i, w, &t->at)
		if (is_on(w, i, t->core))
			put_counters(w, t, i);
	trace__put_status(w, t);
}

/* Print a slice for the row; without slices the last row would have no end. */
static void trace__put_row(struct writer *w)
{
	const struct grid *g = w->grid;
	struct json j;

	if (g->is_total)
		return;
	j = open_slice(w, NULL, LANE_ROWS, span_names[g->span], start_of(g), trace__end_of(g));
	if (g->missed)
		json__u64(&j, "missed_rows", g->missed);
	close_event(&j);
}

static void trace__rows(struct writer *w)
{
	struct own_place at = { .row = -1 };

	trace__put_row(w);
	while (own__next(w, &at))
		for (int core = 0; core <= w->grid->cores.nr; core++)
			if (has_any(w, &at, core)) {
				const struct track t = track_of(w, &at, core);

				put_track(w, &t);
			}
}

/* --- Verdicts -------------------------------------------------------------------------------- */

static int trace__core_of(const struct grid *g, const struct grid_verdict *v)
{
	for (int i = 0; v->core_name && i < g->cores.nr; i++)
		if (!strcmp(g->cores.at[i], v->core_name))
			return i;
	return 0;
}

static const char *bottleneck(const struct grid_verdict *v, const struct grid_nodes *path)
{
	return path->nr ? v->nodes[path->at[path->nr - 1]].name : "no bottleneck";
}

static void put_phase(struct writer *w, const struct track *t, const struct grid_verdict *v,
		      const struct grid_phase *p)
{
	struct json j = open_slice(w, t, LANE_PHASES, bottleneck(v, &p->path), p->start_ns,
				   p->end_ns);

	json__int(&j, "intervals", p->intervals);
	for (int i = 0; i < p->path.nr; i++)
		json__double(&j, v->nodes[p->path.at[i]].name, p->values[i]);
	close_event(&j);
}

static void trace__verdicts(struct writer *w)
{
	const struct grid *g = w->grid;

	for (int i = 0; i < g->nr_verdicts; i++) {
		const struct grid_verdict *v = &g->verdicts[i];
		const struct own_place at = { .row = v->row, .cgroup = v->cgroup_number };
		const struct track t = track_of(w, &at, trace__core_of(g, v));
		struct json j;

		if (v->outcome == OUTCOME_NOTHING_MEASURED)
			continue;
		j = open_slice(w, &t, LANE_VERDICT, bottleneck(v, &v->path), 0, g->since_start_ns);
		grid_verdict__members(&j, v);
		close_event(&j);
		for (int n = 0; n < v->nr_phases; n++)
			put_phase(w, &t, v, &v->phases[n]);
	}
}

/*
 * End the array. Without rows it has one object, since readers recognise the format by an object.
 */
static void last(struct writer *w)
{
	name_process(w, RUN_PID, NULL);
	sb__puts(&w->text, "]\n");
}

const struct format format_trace = {
	.name = "trace",
	.traits = FORMAT_VERDICT | FORMAT_LEVELS | FORMAT_WHOLE,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TREE,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TREE,
	.dress = dress__trace,
	.begin = trace__begin,
	.rows = trace__rows,
	.verdicts = trace__verdicts,
	.last = last,
};
