// SPDX-License-Identifier: GPL-2.0-only
/* "tma fleet" asks a Prometheus for the counters of many machines, and measures nothing. */
#include "fleet/fleet.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/place.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "fleet/answer.h"
#include "fleet/ask.h"
#include "options.h"
#include "output.h"

#define DEFAULT_URL "http://127.0.0.1:9090"
#define DEFAULT_NUMBER 10
#define MOST_ROWS 1000
#define DEFAULT_LEVEL 2
#define MOST_LEVELS 9
#define DEFAULT_TIMEOUT 30
#define MOST_TIMEOUT 3600
#define MOST_TOKEN 65536
#define MOST_HOSTS 1e9
#define RETIRING "metric=~\"(tma_)?retiring\""

/**
 * struct fleet_run - a run of the command
 * @number: number of rows in a table
 * @by:     labels, separated by commas
 * @by_asked: the user gave the labels
 * @text:   the current answer
 */
struct fleet_run {
	struct fleet_report report;
	struct fleet_server server;
	struct fleet_asker *asker;
	const char *window, *select, *against, *offset, *by, *number_text, *level_text, *unit;
	const char *timeout_text, *token_file, *output_name;
	char *url, *token;
	uint64_t number;
	bool json, by_asked;
	int verbose;
	struct sb text;
	struct strmap *warned;
};

/* --- Questions ----------------------------------------------------------------------------- */

/*
 * Print and keep each warning once, as several queries may cause the same one. Newlines in it are
 * removed.
 */
static void keep_warnings(struct fleet_run *run, const struct fleet_answer *answer)
{
	if (!run->warned && answer->warnings.nr)
		run->warned = strmap__new();
	for (int i = 0; i < answer->warnings.nr; i++) {
		const char *words = answer->warnings.at[i];
		int nr = strmap__nr(run->warned);
		auto_text line = NULL;

		if (strmap__add(run->warned, words, nr) != nr)
			continue;
		line = xstrdup(words);
		say("%s warns: %s", run->server.url, text__one_line(line));
		vec__push(&run->report.warnings, xstrdup(words));
	}
}

/* Ask, and read the answer. If Prometheus refuses the query, its answer is JSON with a message. */
static int fleet__ask(struct fleet_run *run, const char *query, struct fleet_answer *answer,
		      struct err *err)
{
	int status = 0, rc;

	if (run->verbose)
		say("%s", query);
	vec__push(&run->report.queries, xstrdup(query));
	rc = fleet_asker__ask(run->asker, query, &run->text, &status, err);
	if (rc)
		return rc;
	rc = fleet_answer__read(answer, sb__str(&run->text), run->text.len, err);
	if (!rc && (status < 200 || status > 299))
		rc = err__set(err, EBADMSG, "the answer reports success, but its status is a "
					    "failure");
	if (rc && status != 200)
		return err__prefix(err, "%s (HTTP %d): ", run->server.url, status);
	if (rc)
		return err__prefix(err, "%s: ", run->server.url);
	keep_warnings(run, answer);
	if (answer->samples.nr && !run->report.time)
		run->report.time = answer->time;
	return 0;
}

/**
 * struct fleet_trees - which trees to ask for
 * @series: trees of hosts or of cgroups
 * @side:   number of the side
 * @label:  label whose values have a tree each, or "" for one tree
 * @nodes:  matchers for the nodes and for all slots
 * @hosts:  matchers for the hosts or cgroups, or ""
 */
struct fleet_trees {
	enum fleet_series series;
	int side;
	const char *label, *nodes, *hosts;
};

static int ask_sum(struct fleet_run *run, const struct fleet_trees *of, const char *what,
		   enum fleet_what kind, struct fleet_forest *forest, struct err *err)
{
	auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
	auto_free(sb) query = SB_INIT;
	int rc;

	sb__printf(&query, "sum by (%s%smetric, parent, level) (%s)", of->label,
		   *of->label ? ", " : "", what);
	rc = fleet__ask(run, sb__str(&query), &answer, err);
	return rc ?: fleet_forest__add(forest, &answer, kind, of->label, of->side, err);
}

static int ask_slots(struct fleet_run *run, const struct fleet_trees *of,
		     struct fleet_forest *forest, struct err *err)
{
	auto_free(sb) matchers = SB_INIT;
	auto_free(sb) rate = SB_INIT;

	sb__printf(&matchers, "%s%s%s", of->nodes, *of->hosts ? "," : "", of->hosts);
	fleet__put_rate(&rate, &run->report.sides[of->side], of->series, sb__str(&matchers));
	return ask_sum(run, of, sb__str(&rate), FLEET_RATES, forest, err);
}

/* Ask for trees down to the deepest level, and for all slots, of which nodes are a share. */
static int ask_trees(struct fleet_run *run, struct fleet_trees *of, struct fleet_forest *forest,
		     struct err *err)
{
	auto_free(sb) levels = SB_INIT;
	auto_free(sb) nodes = SB_INIT;
	auto_free(sb) all = SB_INIT;
	int rc;

	for (int i = 1; i <= run->report.level; i++)
		sb__printf(&levels, "%s%d", i > 1 ? "|" : "", i);
	sb__printf(&nodes, "level=~\"0|%s\"", sb__str(&levels));
	of->nodes = sb__str(&nodes);
	rc = ask_slots(run, of, forest, err);
	if (rc)
		return rc;
	sb__clear(&nodes);
	sb__printf(&nodes, "level=~\"%s\"%s%s", sb__str(&levels), *of->hosts ? "," : "", of->hosts);
	fleet__put_of(&all, &run->report.sides[of->side], of->series, sb__str(&nodes), of->hosts,
		      !strcmp(of->label, "pmu"));
	return ask_sum(run, of, sb__str(&all), FLEET_OF, forest, err);
}

static int ask_hosts(struct fleet_run *run, int side, struct err *err)
{
	auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
	auto_free(sb) query = SB_INIT;
	int rc;

	sb__puts(&query, "count(count by (instance) (");
	fleet__put_rate(&query, &run->report.sides[side], FLEET_HOSTS, "metric=\"total\"");
	sb__puts(&query, "))");
	rc = fleet__ask(run, sb__str(&query), &answer, err);
	if (rc)
		return rc;
	if (answer.samples.nr) {
		double hosts = answer.samples.at[0].value;

		if (hosts < 0 || hosts > MOST_HOSTS || hosts != floor(hosts))
			return err__set(err, EBADMSG,
					"%s: not an answer of Prometheus: %g hosts",
					run->server.url, hosts);
		run->report.hosts[side] = hosts;
	}
	if (run->report.hosts[side] > 0)
		return 0;
	sb__clear(&query);
	fleet__put_rate(&query, &run->report.sides[side], FLEET_HOSTS, "metric=\"total\"");
	return err__set(err, ENODATA,
			"%s has no data for %s: is it scraped, at least twice in the window?",
			run->server.url, sb__str(&query));
}

/* --- top ----------------------------------------------------------------------------------- */

static void put_ranking(struct fleet_run *run, enum fleet_series series, const char *label,
			struct sb *query)
{
	const struct fleet_question *q = &run->report.sides[0];
	auto_free(sb) node = SB_INIT;

	sb__printf(query, "topk(%d, sum by (%s) (", (int)run->number, label);
	if (run->report.node) {
		sb__puts(&node, "metric=");
		fleet__put_quoted(&node, run->report.node);
		fleet__put_rate(query, q, series, sb__str(&node));
		sb__puts(query, "))");
		return;
	}
	fleet__put_rate(query, q, series, "metric=\"total\"");
	sb__printf(query, ") - sum by (%s) (", label);
	fleet__put_rate(query, q, series, RETIRING);
	sb__puts(query, "))");
}

static int compare_rows(const void *one, const void *other)
{
	const struct fleet_row *a = one, *b = other;

	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return strcmp(a->name, b->name);
}

/*
 * Compute the share of its slots that each row loses. For a single node, only the slots of hosts
 * that measure the node count.
 */
static int ask_own(struct fleet_run *run, struct fleet_table *table, const struct fleet_trees *of,
		   struct err *err)
{
	auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
	auto_free(sb) nodes = SB_INIT;
	auto_free(sb) query = SB_INIT;
	const struct fleet_sample *sample;
	struct fleet_row *row;
	int rc;

	if (!run->report.node) {
		vec__for_each (row, &table->rows)
			row->own = row->tree && row->tree->total[0] > 0
					   ? row->rank / row->tree->total[0]
					   : NAN;
		return 0;
	}
	sb__puts(&nodes, "metric=");
	fleet__put_quoted(&nodes, run->report.node);
	sb__printf(&nodes, ",%s", of->hosts);
	sb__printf(&query, "sum by (%s) (", table->label);
	fleet__put_of(&query, &run->report.sides[0], of->series, sb__str(&nodes), of->hosts,
		      !strcmp(table->label, "pmu"));
	sb__putc(&query, ')');
	rc = fleet__ask(run, sb__str(&query), &answer, err);
	vec__for_each (sample, &answer.samples) {
		const char *name = fleet_sample__label(sample, table->label);

		row = vec__find(r, &table->rows, !strcmp(r->name, name));
		if (row && sample->value > 0)
			row->own = row->rank / sample->value;
	}
	return rc;
}

/*
 * Ask for the trees of the rows. The rows' names form a regular expression, which is quoted in the
 * query.
 */
static int ask_rows(struct fleet_run *run, struct fleet_table *table, enum fleet_series series,
		    struct err *err)
{
	struct fleet_trees of = {.series = series, .label = table->label};
	auto_free(sb) names = SB_INIT;
	auto_free(sb) hosts = SB_INIT;
	struct fleet_row *row;
	int rc;

	vec__for_each (row, &table->rows) {
		if (row > table->rows.at)
			sb__putc(&names, '|');
		fleet__put_exactly(&names, row->name);
	}
	sb__printf(&hosts, "%s=~", table->label);
	fleet__put_quoted(&hosts, sb__str(&names));
	of.hosts = sb__str(&hosts);
	rc = ask_trees(run, &of, &table->forest, err);
	fleet_forest__sort(&table->forest);
	vec__for_each (row, &table->rows)
		row->tree = fleet_forest__find(&table->forest, row->name);
	return rc ?: ask_own(run, table, &of, err);
}

static int ask_table(struct fleet_run *run, struct fleet_table *table, struct err *err)
{
	enum fleet_series series = strcmp(table->label, "cgroup") ? FLEET_HOSTS : FLEET_CGROUPS;
	auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
	auto_free(sb) query = SB_INIT;
	const struct fleet_sample *sample;
	int rc;

	put_ranking(run, series, table->label, &query);
	rc = fleet__ask(run, sb__str(&query), &answer, err);
	if (rc)
		return rc;
	vec__for_each (sample, &answer.samples) {
		struct fleet_row row = {.name = xstrdup(fleet_sample__label(sample, table->label)),
					.rank = sample->value,
					.own = NAN};

		vec__push(&table->rows, row);
	}
	if (!table->rows.nr)
		return 0;
	qsort(table->rows.at, table->rows.nr, sizeof(*table->rows.at), compare_rows);
	return ask_rows(run, table, series, err);
}

static int ask_top(struct fleet_run *run, struct err *err)
{
	struct fleet_report *r = &run->report;
	struct fleet_trees all = {.series = FLEET_HOSTS,
				  .label = "",
				  .nodes = "metric=~\"total|(tma_)?retiring\"",
				  .hosts = ""};
	int len, rc = ask_hosts(run, 0, err);

	rc = rc ?: ask_slots(run, &all, &r->all, err);
	if (rc)
		return rc;
	text__for_each_item(label, len, run->by, ",")
	{
		struct fleet_table table = {.label = xstrndup(label, len)};

		rc = rc ?: ask_table(run, &table, err);
		vec__push(&r->tables, table);
	}
	/*
	 * Remove an empty table of cgroups that was not asked for: some hosts do not measure
	 * cgroups.
	 */
	if (!rc && !run->by_asked && r->tables.nr && !r->tables.at[r->tables.nr - 1].rows.nr) {
		r->tables.nr--;
		free(r->tables.at[r->tables.nr].label);
	}
	return rc;
}

/* --- tree and diff ------------------------------------------------------------------------- */

static int ask_both(struct fleet_run *run, struct err *err)
{
	struct fleet_trees of = {.series = FLEET_HOSTS, .label = "pmu", .hosts = ""};
	int rc = 0;

	for (; !rc && of.side < run->report.nr_sides; of.side++)
		rc = ask_hosts(run, of.side, err) ?: ask_trees(run, &of, &run->report.forest, err);
	fleet_forest__sort(&run->report.forest);
	return rc;
}

/* --- Options ------------------------------------------------------------------------------- */

static int parse_numbers(struct fleet_run *run, struct err *err)
{
	uint64_t level = DEFAULT_LEVEL, timeout = DEFAULT_TIMEOUT;
	int rc = 0;

	run->number = DEFAULT_NUMBER;
	if (run->number_text)
		rc = num__parse_u64("-n", run->number_text, 1, MOST_ROWS, &run->number, err);
	if (!rc && run->level_text)
		rc = num__parse_u64("--td-level", run->level_text, 1, MOST_LEVELS, &level, err);
	if (!rc && run->timeout_text)
		rc = num__parse_u64("--timeout, in seconds", run->timeout_text, 1, MOST_TIMEOUT,
				    &timeout, err);
	run->report.level = level;
	run->server.timeout_s = timeout;
	return rc;
}

static int check_labels(const char *by, struct err *err)
{
	int len, nr = 0;

	text__for_each_item(label, len, by, ",")
	{
		nr++;
		if (!fleet__is_label(label, len))
			return err__set(err, EINVAL, "--by '%.*s': not a label's name", len, label);
	}
	return nr ? 0 : err__set(err, EINVAL, "--by: no label is named");
}

static int check_command(struct fleet_run *run, int argc, const char **argv, struct err *err)
{
	const char *command = argc ? argv[0] : "top";
	bool top, diff;

	if (argc > 1)
		return err__set(err, EINVAL, "unexpected argument '%s'", argv[1]);
	if (!text__is_any(command, "top", "tree", "diff"))
		return err__set(err, EINVAL, "unknown view '%s'; use top, tree or diff", command);
	top = !strcmp(command, "top");
	diff = !strcmp(command, "diff");
	run->by_asked = run->by;
	if (!top && (run->by || run->report.node || run->number_text))
		return err__set(err, EINVAL, "--by, --node and -n are for top");
	if (!diff && (run->against || run->offset))
		return err__set(err, EINVAL, "--against and --offset are for diff");
	run->report.command = command;
	run->report.nr_sides = diff ? 2 : 1;
	run->by = run->by ?: "instance,cgroup";
	return check_labels(run->by, err);
}

static int check_questions(struct fleet_run *run, struct err *err)
{
	struct fleet_question *sides = run->report.sides;
	int rc = fleet__check_duration("--window", run->window, err);

	if (!rc && run->offset)
		rc = fleet__check_duration("--offset", run->offset, err);
	if (!rc && run->select)
		rc = fleet__check_selection("--select", run->select, err);
	if (!rc && run->against)
		rc = fleet__check_selection("--against", run->against, err);
	if (!rc && strcmp(run->unit, "slots") && strcmp(run->unit, "cycles"))
		rc = err__set(err, EINVAL, "--counters: unknown value '%s'; use slots or cycles",
			      run->unit);
	for (int side = 0; side < FLEET_SIDES; side++)
		sides[side] = (struct fleet_question){
			.unit = run->unit, .window = run->window, .selection = run->select ?: ""};
	/*
	 * The first side is the earlier time, or the hosts of --select; the second side is the
	 * later time, or the hosts of --against.
	 */
	if (run->offset || !run->against)
		sides[0].offset = run->report.nr_sides == 2 ? run->offset ?: "1d" : NULL;
	if (run->against)
		sides[1].selection = run->against;
	return rc;
}

/* Choose the server. Slashes at the end of its URL are removed, since queries begin with one. */
static int check_server(struct fleet_run *run, struct err *err)
{
	const char *url = run->server.url ?: getenv("TMA_PROMETHEUS");
	size_t len;

	if (run->server.url && !*run->server.url)
		return err__set(err, EINVAL, "--prometheus needs the URL of a server");
	run->url = xstrdup(url && *url ? url : DEFAULT_URL);
	for (len = strlen(run->url); len && run->url[len - 1] == '/'; len--)
		run->url[len - 1] = '\0';
	run->server.url = run->report.url = run->url;
	return fleet__check_url(run->url, err);
}

/* --- The run ------------------------------------------------------------------------------- */

static int read_token(struct fleet_run *run, struct err *err)
{
	size_t len;
	int rc;

	if (!run->token_file)
		return 0;
	rc = file__read(run->token_file, MOST_TOKEN, &run->token, &len, err);
	if (rc)
		return rc;
	run->token[strcspn(run->token, "\r\n")] = '\0';
	if (!*run->token)
		return err__set(err, EINVAL, "%s: its first line is empty", run->token_file);
	run->server.token = run->token;
	if (fleet__is_readable(run->server.url))
		say("%s: others on the network can read the token; use https", run->server.url);
	return 0;
}

static int write_report(struct fleet_run *run, struct err *err)
{
	bool to_file = run->output_name && strcmp(run->output_name, "-");
	struct printed printed;
	int fd = STDOUT_FILENO;

	if (to_file) {
		fd = place__open(run->output_name, O_WRONLY, 0666, err);
		if (fd < 0)
			return fd;
	}
	printed__begin(&printed);
	if (run->json)
		fleet__print_json(&run->report, printed.f);
	else
		fleet__print(&run->report, to_file ? 0 : terminal__width(STDOUT_FILENO), printed.f);
	return printed__write(&printed, fd, err);
}

static int ask_and_write(struct fleet_run *run, struct err *err)
{
	int rc = read_token(run, err);

	if (rc)
		return rc;
	run->asker = fleet_asker__new(&run->server, err);
	if (!run->asker)
		return -err->code;
	rc = strcmp(run->report.command, "top") ? ask_both(run, err) : ask_top(run, err);
	return rc ?: write_report(run, err);
}

static void free_report(struct fleet_report *r)
{
	struct fleet_table *table;
	struct fleet_row *row;

	vec__for_each (table, &r->tables) {
		vec__for_each (row, &table->rows)
			free(row->name);
		vec__free(&table->rows);
		fleet_forest__free(&table->forest);
		free(table->label);
	}
	vec__free(&r->tables);
	fleet_forest__free(&r->all);
	fleet_forest__free(&r->forest);
	for (int i = 0; i < r->queries.nr; i++)
		free(r->queries.at[i]);
	vec__free(&r->queries);
	for (int i = 0; i < r->warnings.nr; i++)
		free(r->warnings.at[i]);
	vec__free(&r->warnings);
}

int cmd_fleet(int argc, const char **argv)
{
	static const char *const usage[] = {"tma fleet [<options>] [top|tree|diff]", NULL};
	struct fleet_run run = {.window = "10m", .unit = "slots", .text = SB_INIT};
	const struct option options[] = {
		OPT_GROUP("Who is asked"),
		OPT_STRING(0, "prometheus", &run.server.url, "url",
			   "URL of the Prometheus server (TMA_PROMETHEUS, or " DEFAULT_URL ")"),
		OPT_STRING(0, "timeout", &run.timeout_text, "seconds",
			   "how long to wait for each answer (30)"),
		OPT_STRING(0, "token-file", &run.token_file, "file",
			   "send the first line of this file as a bearer token"),
		OPT_STRING(0, "ca-file", &run.server.ca_file, "file",
			   "trust these certificates instead of the system's"),
		OPT_GROUP("What is asked"),
		OPT_STRING(0, "window", &run.window, "duration", "length of the time window (10m)"),
		OPT_STRING(0, "at", &run.server.at, "time", "end of the window (now)"),
		OPT_STRING(0, "select", &run.select, "selection",
			   "only these: cluster=\"eu\",instance=~\"web-.*\""),
		OPT_STRING(0, "against", &run.against, "selection", "(diff) the other selection"),
		OPT_STRING(0, "offset", &run.offset, "duration",
			   "(diff) how much earlier the other window is (1d)"),
		OPT_STRING(0, "by", &run.by, "label,...",
			   "(top) labels to group by (instance,cgroup)"),
		OPT_STRING(0, "node", &run.report.node, "metric",
			   "(top) sort by slots lost in this node"),
		OPT_STRING('n', "number", &run.number_text, "n", "(top) rows of a table (10)"),
		OPT_STRING(0, "td-level", &run.level_text, "n", "levels of the TopDown tree (2)"),
		OPT_STRING(0, "counters", &run.unit, "slots|cycles", "which counters (slots)"),
		OPT_GROUP("What is reported"),
		OPT_BOOLEAN('j', "json-output", &run.json, "JSON"),
		OPT_STRING('o', "output", &run.output_name, "file", "write to a file"),
		OPT_INCR('v', "verbose", &run.verbose, "show the queries"),
		OPT_END()
	};
	struct err err = ERR_INIT;
	int status;

	argc = options__parse(argc, argv, options, usage, 0);
	if (check_command(&run, argc, argv, &err) || parse_numbers(&run, &err) ||
	    check_questions(&run, &err) || check_server(&run, &err))
		status = say_usage(&err);
	else
		status = ask_and_write(&run, &err) ? say_err(&err) : 0;
	fleet_asker__free(run.asker);
	free_report(&run.report);
	sb__free(&run.text);
	strmap__free(run.warned);
	free(run.url);
	free(run.token);
	return status;
}
