// SPDX-License-Identifier: GPL-2.0-only
/* All formats, from a grid that is made by hand, without a machine, a plan or a session. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "grid/grid.h"
#include "unit.h"
#include "writers/writer.h"

enum { CYCLES, INSTRUCTIONS, PER_CYCLE, RETIRING, BRANCHES, NR_COLUMNS };

static struct grid grid;
static struct grid_row row;
/* A cell whose value is unknown. */
static struct grid_cell *clear(int column)
{
	struct grid_cell *cell = grid__cell(&grid, column, 0);

	*cell = (struct grid_cell){ .value = NAN, .threshold = -1, .nr = 2, .present = true,
				    .more = cell->more };
	*cell->more = (struct cell_more){ .percent = NAN, .coverage = NAN, .spread_percent = NAN };
	return cell;
}

static struct grid_column *add(enum grid_kind kind, const char *name, int event)
{
	struct grid_column *c = grid__add(&grid, kind);

	c->name = c->label = name;
	c->event = event;
	c->unit = c->pmu = c->group = c->of = "";
	c->scale = 1;
	c->form = FORM_COUNT;
	c->supported = c->possible = true;
	return c;
}

static void add_columns(void)
{
	struct grid_column *c;

	add(GRID_EVENT, "cycles", 0)->pmu = "cpu";
	add(GRID_EVENT, "instructions", 1)->pmu = "cpu";
	c = add(GRID_RATIO, "insn_per_cycle", 1);
	c->label = "insn per cycle";
	c->of = "instructions";
	c->form = FORM_RATIO;
	c->in_metric_only = true;
	c = add(GRID_METRIC, "tma_retiring", 1);
	c->unit = "%";
	c->form = FORM_SCALED;
	add(GRID_EVENT, "branches", 2)->pmu = "cpu";
}

/* An event that was counted for @running of 1000 ns. */
static struct grid_cell *fill_event(int column, uint64_t count, uint64_t running)
{
	struct grid_cell *cell = clear(column);

	cell->enabled = 1000;
	cell->running = running;
	cell->more->percent = running / 10.0;
	cell->more->coverage = running / 20.0;
	if (running) {
		cell->counted = cell->is_count = cell->more->has_total = true;
		cell->value = cell->count = count;
		cell->more->total = 10 * count;
	}
	return cell;
}

static void fill_estimate(int column, double value)
{
	struct grid_cell *cell = clear(column);

	cell->counted = true;
	cell->value = value;
	cell->more->percent = 50;
	cell->more->coverage = 25;
	cell->status = CELL_SCALED;
	cell->reason = REASON_TURNS;
}

/*
 * Three events: one is counted, one is scaled and has a ratio and a metric, and one is not counted.
 */
static void begin(void)
{
	static struct grid_block block;
	struct grid_cell *cell;

	row = (struct grid_row){ .nr_units = 2 };
	memset(row.at, -1, sizeof(row.at));
	grid = (struct grid){ .rows = &row, .nr_rows = 1, .has_events = true, .per_cpu = true,
			      .counts_cpus = true, .span = SPAN_RUN, .wants = WANT_MORE,
			      .since_start_ns = 2000000000, .elapsed_ns = 2000000000 };
	add_columns();
	vec__push(&grid.cgroups, "");
	block = (struct grid_block){ .nr = NR_COLUMNS };
	grid.blocks = &block;
	grid.nr_blocks = 1;
	grid__allocate(&grid);
	grid.present[0] = true;
	fill_event(CYCLES, 2000, 1000);
	cell = fill_event(INSTRUCTIONS, 3000, 500);
	cell->status = CELL_SCALED;
	cell->reason = REASON_TURNS;
	fill_estimate(PER_CYCLE, 1.5);
	fill_estimate(RETIRING, 37.5);
	grid__cell(&grid, RETIRING, 0)->threshold = 1;
	cell = fill_event(BRANCHES, 0, 0);
	cell->status = CELL_NOT_COUNTED;
	cell->reason = REASON_NO_TURN;
}

static void end(void)
{
	grid.blocks = NULL;
	grid__free(&grid);
}

/* @nr: how often the rows are printed */
static void expect(struct writer_options opts, const char *format, int nr, const char *text)
{
	struct err err = ERR_INIT;
	char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);
	struct writer *w;

	opts.format = format__find(format);
	ck_assert_ptr_nonnull(opts.format);
	w = writer__new(&opts, &grid, out);
	for (int i = 0; i < nr; i++)
		ck_assert_int_eq(writer__rows(w, &err), 0);
	ck_assert_int_eq(writer__finish(w, &err), 0);
	writer__free(w);
	fclose(out);
	if (strcmp(printed, text))
		fprintf(stderr, "%s prints:\n%s", format, printed);
	ck_assert(!strcmp(printed, text));
	free(printed);
}

START_TEST(text)
{
	begin();
	expect((struct writer_options){ .head = "'true'" }, "text", 1,
	       "\n"
	       " Performance counter stats for 'true':\n"
	       "\n"
	       "              2000      cycles                                                  "
	       "              \n"
	       "              3000      instructions                     #    1.50  insn per "
	       "cycle            \n"
	       "                                                  #     37.5 %  tma_retiring    "
	       "         (50.00%)\n"
	       "     <not counted>      branches                                                "
	       "                (0.00%)\n"
	       "\n"
	       "       2.000000000 seconds time elapsed\n"
	       "\n");
	end();
}
END_TEST

START_TEST(csv)
{
	begin();
	expect((struct writer_options){ .header = true }, "csv", 2,
	       "counter-value,unit,event,event-runtime,pcnt-running,metric-value,metric-unit\n"
	       "2000,,cycles,1000,100.00,,\n"
	       "3000,,instructions,500,50.00,1.50,insn per cycle\n"
	       ",,,,,37.5,%  tma_retiring\n"
	       "<not counted>,,branches,0,0.00,,\n"
	       "2000,,cycles,1000,100.00,,\n"
	       "3000,,instructions,500,50.00,1.50,insn per cycle\n"
	       ",,,,,37.5,%  tma_retiring\n"
	       "<not counted>,,branches,0,0.00,,\n");
	end();
}
END_TEST

START_TEST(json_of_perf)
{
	begin();
	expect((struct writer_options){.reasons = true}, "json-perf", 1,
	       "{\"counter-value\" : \"2000.000000\", \"unit\" : \"\", \"event\" : \"cycles\", "
	       "\"event-runtime\" : 1000, \"pcnt-running\" : 100.00, \"metric-value\" : "
	       "\"0.000000\", \"metric-unit\" : \"(null)\"}\n"
	       "{\"counter-value\" : \"3000.000000\", \"unit\" : \"\", \"event\" : "
	       "\"instructions\", \"event-runtime\" : 500, \"pcnt-running\" : 50.00, "
	       "\"metric-value\" : \"1.500000\", \"metric-unit\" : \"insn per cycle\", \"reason\" "
	       ": \"an estimate, since events were multiplexed\"}\n"
	       "{\"metric-value\" : \"37.500000\", \"metric-unit\" : \"%  tma_retiring\"}\n"
	       "{\"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" : \"branches\", "
	       "\"event-runtime\" : 0, \"pcnt-running\" : 0.00, \"metric-value\" : \"0.000000\", "
	       "\"metric-unit\" : \"\", \"reason\" : \"it was not scheduled: the time was too "
	       "short for all groups to have a turn\"}\n");
	end();
}
END_TEST

START_TEST(csv_wide)
{
	begin();
	expect((struct writer_options){.header = true}, "csv-wide", 2,
	       "time,length,row,cpus,status,running_percent,coverage_percent,cycles,instructions,"
	       "insn_per_cycle,tma_retiring,branches,reason\n"
	       "2.000000000,2.000000000,run,2,not counted,0,0,2000,3000,1.5,37.5,,\"branches: it was "
	       "not scheduled: the time was too short for all groups to have a turn; instructions, "
	       "insn_per_cycle, tma_retiring: an estimate, since events were multiplexed\"\n"
	       "2.000000000,2.000000000,run,2,not counted,0,0,2000,3000,1.5,37.5,,\"branches: it was "
	       "not scheduled: the time was too short for all groups to have a turn; instructions, "
	       "insn_per_cycle, tma_retiring: an estimate, since events were "
	       "multiplexed\"\n");
	end();
}
END_TEST

START_TEST(json)
{
	begin();
	expect((struct writer_options){.metric_only = false}, "json", 1,
	       "{\"schema\":1,\"type\":\"event\",\"time\":2.000000000,\"length\":2.000000000,"
	       "\"row\":\"run\",\"cpus\":2,\"name\":\"cycles\",\"pmu\":\"cpu\",\"value\":2000,"
	       "\"unit\":\"\",\"enabled_ns\":1000,\"running_ns\":1000,\"coverage_percent\":50,"
	       "\"running_percent\":100,\"status\":\"counted\",\"reason\":\"\"}\n"
	       "{\"schema\":1,\"type\":\"event\",\"time\":2.000000000,\"length\":2.000000000,"
	       "\"row\":\"run\",\"cpus\":2,\"name\":\"instructions\",\"pmu\":\"cpu\",\"value\":"
	       "3000,\"unit\":\"\",\"enabled_ns\":1000,\"running_ns\":500,\"coverage_percent\":25,"
	       "\"running_percent\":50,\"status\":\"scaled\",\"reason\":\"an estimate, since "
	       "events were multiplexed\"}\n"
	       "{\"schema\":1,\"type\":\"metric\",\"time\":2.000000000,\"length\":2.000000000,"
	       "\"row\":\"run\",\"cpus\":2,\"name\":\"insn_per_cycle\",\"pmu\":\"\",\"value\":1.5,"
	       "\"unit\":\"\",\"event\":\"instructions\",\"threshold_passed\":null,\"running_"
	       "percent\":50,\"status\":\"scaled\",\"reason\":\"an estimate, since events were "
	       "multiplexed\"}\n"
	       "{\"schema\":1,\"type\":\"metric\",\"time\":2.000000000,\"length\":2.000000000,"
	       "\"row\":\"run\",\"cpus\":2,\"name\":\"tma_retiring\",\"pmu\":\"\",\"value\":37.5,"
	       "\"unit\":\"%\",\"event\":\"\",\"threshold_passed\":true,\"running_percent\":50,"
	       "\"status\":\"scaled\",\"reason\":\"an estimate, since events were multiplexed\"}\n"
	       "{\"schema\":1,\"type\":\"event\",\"time\":2.000000000,\"length\":2.000000000,"
	       "\"row\":\"run\",\"cpus\":2,\"name\":\"branches\",\"pmu\":\"cpu\",\"value\":null,"
	       "\"unit\":\"\",\"enabled_ns\":1000,\"running_ns\":0,\"coverage_percent\":0,"
	       "\"running_percent\":0,\"status\":\"not counted\",\"reason\":\"it was not "
	       "scheduled: the time was too short for all groups to have a turn\"}\n");
	end();
}
END_TEST

START_TEST(prom)
{
	begin();
	expect((struct writer_options){.metric_only = false}, "prom", 1,
	       "# HELP tma_measured_seconds_total Time measured since the start.\n"
	       "# TYPE tma_measured_seconds_total counter\n"
	       "tma_measured_seconds_total 2.000000000\n"
	       "# HELP tma_lost_seconds_total Time since the start in which nothing was measured.\n"
	       "# TYPE tma_lost_seconds_total counter\n"
	       "tma_lost_seconds_total 0.000000000\n"
	       "# HELP tma_restarts_total How often the measurement was restarted.\n"
	       "# TYPE tma_restarts_total counter\n"
	       "tma_restarts_total 0\n"
	       "# HELP tma_row_seconds Length of the last row.\n"
	       "# TYPE tma_row_seconds gauge\n"
	       "tma_row_seconds 2.000000000\n"
	       "# HELP tma_event_count_total Events counted since the start.\n"
	       "# TYPE tma_event_count_total counter\n"
	       "tma_event_count_total{event=\"cycles\",pmu=\"cpu\"} 20000\n"
	       "tma_event_count_total{event=\"instructions\",pmu=\"cpu\"} 30000\n"
	       "# HELP tma_event_running_ratio Share of the last row's time in which the event had "
	       "a counter.\n"
	       "# TYPE tma_event_running_ratio gauge\n"
	       "tma_event_running_ratio{event=\"cycles\",pmu=\"cpu\"} 1\n"
	       "tma_event_running_ratio{event=\"instructions\",pmu=\"cpu\"} 0.5\n"
	       "tma_event_running_ratio{event=\"branches\",pmu=\"cpu\"} 0\n"
	       "# HELP tma_event_coverage_ratio Share of the last row's time in which all CPUs "
	       "counted the event.\n"
	       "# TYPE tma_event_coverage_ratio gauge\n"
	       "tma_event_coverage_ratio{event=\"cycles\",pmu=\"cpu\"} 0.5\n"
	       "tma_event_coverage_ratio{event=\"instructions\",pmu=\"cpu\"} 0.25\n"
	       "tma_event_coverage_ratio{event=\"branches\",pmu=\"cpu\"} 0\n"
	       "# HELP tma_event_status Status of the event in the last row, and the reason.\n"
	       "# TYPE tma_event_status gauge\n"
	       "tma_event_status{event=\"cycles\",pmu=\"cpu\",status=\"counted\"} 1\n"
	       "tma_event_status{event=\"instructions\",pmu=\"cpu\",status=\"scaled\",reason=\"an "
	       "estimate, since events were multiplexed\"} 1\n"
	       "tma_event_status{event=\"branches\",pmu=\"cpu\",status=\"not counted\",reason=\"it "
	       "was not scheduled: the time was too short for all groups to have a turn\"} 1\n"
	       "# HELP tma_metric Metrics of the last row.\n"
	       "# TYPE tma_metric gauge\n"
	       "tma_metric{name=\"insn_per_cycle\",event=\"instructions\"} 1.5\n"
	       "tma_metric{name=\"tma_retiring\",unit=\"%\"} 37.5\n"
	       "# HELP tma_metric_threshold_passed Whether the metric is over its threshold.\n"
	       "# TYPE tma_metric_threshold_passed gauge\n"
	       "tma_metric_threshold_passed{name=\"tma_retiring\"} 1\n"
	       "# HELP tma_metric_running_ratio Least share of the last row's time in which an "
	       "event of the metric had a counter.\n"
	       "# TYPE tma_metric_running_ratio gauge\n"
	       "tma_metric_running_ratio{name=\"insn_per_cycle\",event=\"instructions\"} 0.5\n"
	       "tma_metric_running_ratio{name=\"tma_retiring\"} 0.5\n"
	       "# HELP tma_metric_status Status of the metric in the last row, and the reason.\n"
	       "# TYPE tma_metric_status gauge\n"
	       "tma_metric_status{name=\"insn_per_cycle\",event=\"instructions\",status=\"scaled\","
	       "reason=\"an estimate, since events were multiplexed\"} 1\n"
	       "tma_metric_status{name=\"tma_retiring\",status=\"scaled\",reason=\"an estimate, "
	       "since events were multiplexed\"} 1\n");
	end();
}
END_TEST

START_TEST(markdown)
{
	begin();
	grid.columns[CYCLES].name = "a|b*";
	expect((struct writer_options){.header = true}, "markdown", 2,
	       "| time | event or metric | value | of the time | note |\n"
	       "|---:|---|---:|---:|---|\n"
	       "| run | a\\|b\\* | 2000 | 100.0 % |  |\n"
	       "| run | instructions | 3000 | 50.0 % | scaled: an estimate, since events were "
	       "multiplexed |\n"
	       "| run | insn_per_cycle | 1.50 | 50.0 % | scaled: an estimate, since events were "
	       "multiplexed |\n"
	       "| run | tma_retiring (%) | 37.5 | 50.0 % | scaled: an estimate, since events were "
	       "multiplexed |\n"
	       "| run | branches |  | 0.0 % | not counted: it was not scheduled: the time was too "
	       "short for all groups to have a turn |\n"
	       "| run | a\\|b\\* | 2000 | 100.0 % |  |\n"
	       "| run | instructions | 3000 | 50.0 % | scaled: an estimate, since events were "
	       "multiplexed |\n"
	       "| run | insn_per_cycle | 1.50 | 50.0 % | scaled: an estimate, since events were "
	       "multiplexed |\n"
	       "| run | tma_retiring (%) | 37.5 | 50.0 % | scaled: an estimate, since events were "
	       "multiplexed |\n"
	       "| run | branches |  | 0.0 % | not counted: it was not scheduled: the time was too "
	       "short for all groups to have a turn |\n");
	end();
}
END_TEST

#define NAMED(what, pid, name) \
	"{\"name\":\"" what "\",\"ph\":\"M\",\"pid\":" pid ",\"args\":{\"name\":\"" name "\"}}\n"
#define SORTED(pid, place) \
	",{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":" pid \
	",\"args\":{\"sort_index\":" place "}}\n"
#define LANE(pid, tid, name, place) \
	",{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":" pid ",\"tid\":" tid \
	",\"args\":{\"name\":\"" name "\"}}\n" \
	",{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":" pid ",\"tid\":" tid \
	",\"args\":{\"sort_index\":" place "}}\n"
#define SLICE(name, lane, pid, tid, args) \
	",{\"name\":\"" name "\",\"cat\":\"" lane "\",\"ph\":\"X\",\"ts\":0.000,\"dur\":2000000.000," \
	"\"pid\":" pid ",\"tid\":" tid ",\"args\":{" args "}}\n"
#define COUNTER(name, kind, args) \
	",{\"name\":\"" name "\",\"cat\":\"" kind "\",\"ph\":\"C\",\"ts\":0.000,\"pid\":20," \
	"\"args\":{" args "}}\n"

/*
 * A name has no \\u escape, which some readers refuse in names. An event that was not counted has
 * no number.
 */
START_TEST(trace)
{
	begin();
	grid.columns[CYCLES].name = "a\"\x1b";
	expect((struct writer_options){.head = "'true'"}, "trace", 1,
	       "[" NAMED("process_name", "10", "tma stat 'true'") SORTED("10", "10") LANE(
		       "10", "11", "rows", "0") SLICE("run", "rows", "10", "11",
						      "") "," NAMED("process_name", "20", "'true'")
		       SORTED("20", "20") COUNTER("a\\\"?", "event", "\"count\":2000") COUNTER(
			       "instructions", "event",
			       "\"count\":3000") COUNTER("insn_per_cycle", "ratio", "\"value\":1.5")
			       COUNTER("tma_retiring", "metric",
				       "\"%\":37.5") LANE("20", "22", "what became of values", "1")
				       SLICE("not counted", "what became of values", "20", "22",
					     "\"running_percent\":0,\"values\":1,\"branches\":"
					     "\"not counted: it was not scheduled: the time was "
					     "too short for all groups to have a turn\"") "]\n");
	end();
}
END_TEST

START_TEST(metrics_without_counts)
{
	begin();
	expect((struct writer_options){ .head = "'true'", .metric_only = true }, "text", 1,
	       "\n"
	       " Performance counter stats for 'true':\n"
	       "\n"
	       "       insn per cycle      %  tma_retiring \n"
	       "                1.50                  37.5 \n"
	       "\n"
	       "       2.000000000 seconds time elapsed\n"
	       "\n");
	expect((struct writer_options){ .metric_only = true }, "csv", 1,
	       "insn per cycle,%  tma_retiring,\n"
	       "1.50,37.5,\n");
	expect((struct writer_options){ .metric_only = true }, "json-perf", 1,
	       "{\"insn per cycle\" : \"1.50\", \"%  tma_retiring\" : \"37.5\"}\n");
	end();
}
END_TEST

/* A tree of two nodes; the second node is a child of the first. */
static void add_verdict(void)
{
	struct grid_verdict *v = calloc(1, sizeof(*v));

	*v = (struct grid_verdict){.outcome = OUTCOME_BOTTLENECK,
				   .nr_nodes = 3,
				   .other = -1,
				   .times = NAN,
				   .bound = 1.6667,
				   .words = {"memory", "Data was late.", "Use less."},
				   .intervals = 4,
				   .same = 3,
				   .parts = PARTS_NOT_MEASURED,
				   .reason = "",
				   .next = strdup("tma stat --topdown"),
				   .next_group = strdup("tma_memory_group"),
				   .sample = strdup(""),
				   .record = strdup("")};
	v->misfits = calloc(1, sizeof(*v->misfits));
	v->misfits[0] = strdup("tma_core is -9.0 %, below 0 %");
	v->nr_misfits = 1;
	v->nodes = calloc(3, sizeof(*v->nodes));
	v->path.at = calloc(2, sizeof(*v->path.at));
	v->larger.at = calloc(1, sizeof(*v->larger.at));
	v->nodes[0] = (struct grid_node){.name = "tma_backend",
					 .unit = "%",
					 .value = 60,
					 .error = 2,
					 .share = 0.5,
					 .level = 1,
					 .groups = 1,
					 .parent = -1,
					 .limit = 20,
					 .has_threshold = true};
	v->nodes[1] = (struct grid_node){.name = "tma_memory",
					 .unit = "%",
					 .value = 40,
					 .share = 1,
					 .level = 2,
					 .whole = true,
					 .limit = NAN,
					 .has_threshold = true};
	v->nodes[2] = (struct grid_node){.name = "tma_core",
					 .unit = "%",
					 .value = 45,
					 .share = 1,
					 .level = 2,
					 .whole = true,
					 .limit = 50,
					 .has_threshold = true};
	v->larger.at[0] = 2;
	v->larger.nr = 1;
	v->path.at[1] = 1;
	v->path.nr = 2;
	grid.verdicts = v;
	grid.nr_verdicts = 1;
}

/* @in_lines: the format has no place for the verdict, so the caller gets it as lines. */
static void expect_verdict(const char *format, bool in_lines, const char *text)
{
	const struct writer_options opts = { .format = format__find(format) };
	struct err err = ERR_INIT;
	struct sb lines = SB_INIT;
	char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);
	struct writer *w = writer__new(&opts, &grid, out);

	ck_assert_int_eq(writer__verdicts(w, &lines, &err), 0);
	writer__free(w);
	fclose(out);
	ck_assert_int_eq(format__is(opts.format, FORMAT_VERDICT), !in_lines);
	if (strcmp(in_lines ? sb__str(&lines) : printed, text))
		fprintf(stderr, "%s prints:\n%s", format, in_lines ? sb__str(&lines) : printed);
	ck_assert(!strcmp(in_lines ? sb__str(&lines) : printed, text));
	ck_assert_str_eq(in_lines ? printed : sb__str(&lines), "");
	sb__free(&lines);
	free(printed);
}

#define LARGER                                                                        \
	"\"larger\":[{\"name\":\"tma_core\",\"value\":45,\"error\":0,\"unit\":\"%\"," \
	"\"running_percent\":100,\"level\":2,\"threshold\":50}],\"undecided\":[],"    \
	"\"times_as_long\":null,\"plain\":\"memory\",\"meaning\":\"Data was late.\"," \
	"\"try\":\"Use less.\",\"speedup_bound\":1.6667,"

#define MISFITS "\"contradictions\":[\"tma_core is -9.0 %, below 0 %\"],"

/* Return: whether a text occurs in the output for a row of an interval. */
static bool has(struct writer_options opts, const char *format, const char *text)
{
	char *printed = NULL;
	struct err err = ERR_INIT;
	struct writer *w;
	size_t size;
	FILE *out = open_memstream(&printed, &size);
	bool found;

	grid.span = SPAN_INTERVAL;
	opts.format = format__find(format);
	w = writer__new(&opts, &grid, out);
	ck_assert_int_eq(writer__rows(w, &err), 0);
	writer__free(w);
	fclose(out);
	found = strstr(printed, text);
	free(printed);
	return found;
}

START_TEST(missing_rows_are_reported) /* R7 */
{
	const struct writer_options lines = {.reasons = true};
	const struct writer_options metrics = {.reasons = true, .metric_only = true};
	const char *note = "# 19 rows were left out before 2.000000000: this one is 1.500 s long\n";

	begin();
	grid.elapsed_ns = 1500000000;
	ck_assert(!has(lines, "text", "left out"));
	ck_assert(!has(lines, "json-perf", "missed"));
	ck_assert(!has(lines, "json", "missed"));
	ck_assert(!has(lines, "prom", "missed"));
	ck_assert(!has(lines, "markdown", "left out"));
	ck_assert(!has(lines, "trace", "missed"));
	grid.missed = grid.missed_total = 19;
	ck_assert(has(lines, "text", note));
	ck_assert(has(metrics, "text", note));
	ck_assert(has(lines, "json-perf", "multiplexed\", \"missed-rows\" : 19}\n"));
	ck_assert(has(metrics, "json-perf", "{\"interval\" : 2.000000000, \"missed-rows\" : 19, "));
	ck_assert(!has((struct writer_options){.metric_only = false}, "json-perf", "missed"));
	ck_assert(!has(lines, "csv", "19"));
	ck_assert(has(lines, "csv-wide", "2.000000000,1.500000000,interval,"));
	ck_assert(has(lines, "json", "\"row\":\"interval\",\"cpus\":2,\"missed_rows\":19,"));
	ck_assert(has(lines, "prom", "\ntma_missed_rows_total 19\n"));
	ck_assert(has(lines, "markdown", "| 100.0 % | 19 rows left out before it |\n"));
	ck_assert(has(lines, "markdown", "| 19 rows left out before it; scaled: an estimate"));
	ck_assert(has(lines, "trace", "\"ts\":500000.000,\"dur\":1500000.000,"));
	ck_assert(has(lines, "trace", "\"args\":{\"missed_rows\":19}}\n"));
	/* A missing part is reported only in fields. */
	grid.missed = 1;
	ck_assert(has(lines, "text", "# 1 row was left out before 2.000000000: "));
	grid.elapsed_ns = 400000000;
	ck_assert(!has(lines, "text", "left out"));
	ck_assert(!has(lines, "markdown", "left out"));
	ck_assert(has(lines, "json", "\"missed_rows\":1,"));
	/* Rows of code are merged where names take time to read. */
	grid.aggr = AGGR_FUNCTION;
	ck_assert(has(lines, "text", "# 1 row was left out before 2.000000000: "));
	ck_assert(has(metrics, "text", "# 1 row was left out before 2.000000000: "));
	end();
}
END_TEST

START_TEST(a_verdict)
{
	begin();
	add_verdict();
	expect_verdict("text", false,
		       " Verdict: tma_backend 60.0 % +- 2.0 -> tma_memory 40.0 %\n"
		       "          impossible: tma_core is -9.0 %, below 0 %\n"
		       "          memory: Data was late.\n"
		       "          try: Use less.\n"
		       "          without it at most 1.67 times as fast (an upper bound)\n"
		       "          the same in 3 of 4 intervals\n"
		       "          tma_core 45.0 % is larger, but below its threshold of 50 %\n"
		       "          measured without multiplexing: tma_memory\n"
		       "          estimated: tma_backend from 50.0 % of the time\n"
		       "          its children were not measured; to go deeper: tma stat "
		       "--topdown\n");
	expect_verdict("csv", true,
		       " Verdict: tma_backend 60.0 % +- 2.0 -> tma_memory 40.0 %\n"
		       "          impossible: tma_core is -9.0 %, below 0 %\n"
		       "          memory: Data was late.\n"
		       "          try: Use less.\n"
		       "          without it at most 1.67 times as fast (an upper bound)\n"
		       "          the same in 3 of 4 intervals\n"
		       "          tma_core 45.0 % is larger, but below its threshold of 50 %\n"
		       "          measured without multiplexing: tma_memory\n"
		       "          estimated: tma_backend from 50.0 % of the time\n"
		       "          its children were not measured; to go deeper: tma stat "
		       "--topdown\n");
	expect_verdict(
		"json-perf", false,
		"{\"verdict\" : {\"place\":\"\",\"cgroup\":\"\",\"pmu\":\"\","
		"\"bottleneck\":\"tma_memory\",\"path\":[{\"name\":\"tma_backend\",\"value\":60,"
		"\"error\":2,\"unit\":\"%\",\"running_percent\":50,\"level\":1,\"threshold\":20},"
		"{\"name\":\"tma_memory\",\"value\":40,\"error\":0,\"unit\":\"%\","
		"\"running_percent\":100,\"level\":2,\"threshold\":null}],\"also_over\":[],\"not_"
		"certain\":[]," LARGER
		"\"reason\":\"\"," MISFITS
		"\"next\":\"tma stat --topdown\",\"sample\":\"\",\"intervals\":4,"
		"\"same_intervals\":3}}\n");
	expect_verdict(
		"json", false,
		"{\"schema\":1,\"type\":\"verdict\",\"time\":2.000000000,\"length\":2.000000000,"
		"\"row\":\"run\",\"cpus\":2,\"pmu\":\"\",\"bottleneck\":\"tma_memory\","
		"\"path\":[{\"name\":\"tma_backend\",\"value\":60,\"error\":2,\"unit\":\"%\","
		"\"running_percent\":50,\"level\":1,\"threshold\":20},{\"name\":\"tma_memory\","
		"\"value\":40,"
		"\"error\":0,\"unit\":\"%\",\"running_percent\":100,\"level\":2,\"threshold\":null}"
		"],"
		"\"also_over\":[],\"not_certain\":[]," LARGER
		"\"reason\":\"\"," MISFITS "\"next\":\"tma stat --topdown\",\"sample\":\"\",\"intervals\":4,\"same_intervals\":3}\n");
	end();
}
END_TEST

TMA_TEST_MAIN(writers_grid, text, csv, json_of_perf, csv_wide, json, prom, markdown, trace,
	      metrics_without_counts, missing_rows_are_reported, a_verdict)
