// SPDX-License-Identifier: GPL-2.0-only
/*
 * Findings of check-tables about thresholds. The first line is a threshold. Each further line,
 * "name = expression", defines a name that the lines before it use. No counts may contradict a
 * finding: give a value outside its range, make a condition true that "never holds", or make one
 * false that "always holds".
 */
#include <errno.h>
#include <math.h>

#include "base/sb.h"
#include "base/text.h"
#include "fuzz.h"
#include "lint/graph.h"
#include "lint/threshold.h"
#include "metrics/expr_op.h"
#include "metrics/literal.h"

#define ROWS 24
#define LINES_MAX 16

/**
 * struct line - a formula
 * @values: value of each node, for one row
 * @places: place of each node in the graph
 */
struct line {
	const char *name;
	struct expr *e;
	double *values;
	int *places;
};

/* The lines in reverse order, so that a name refers to an earlier entry. */
static struct line lines[LINES_MAX];
static int nr_lines;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static int find_line(const char *name)
{
	for (int i = nr_lines - 1; i >= 0; i--)
		if (lines[i].name && !strcmp(lines[i].name, name))
			return i;
	return -1;
}

/*
 * The counts are small whole numbers, so that rounding explains no difference; at first all are 0.
 */
static double count(const char *id, int row)
{
	uint32_t hash = row * 2654435761u;

	for (; *id; id++)
		hash = (hash ^ (unsigned char)*id) * 16777619u;
	hash ^= hash >> 15;
	if (!row)
		return 0;
	return row % 3 ? hash % 7 : hash % 1000;
}

static double literal(int number, int row)
{
	static const char *const flags[] = { "smt_on", "core_wide", "has_pmem" };

	for (int i = 0; i < 3; i++)
		if (literal__find(flags[i], strlen(flags[i])) == number)
			return row >> i & 1;
	return 1 + (row * 7 + number) % 5;
}

static double value_of(const struct line *line, const struct expr_node *n, int row)
{
	const double *v = line->values;
	int named;

	switch (n->op) {
	case EXPR_NUMBER:
		return n->number;
	case EXPR_LITERAL:
		return literal(n->literal, row);
	case EXPR_HAS_EVENT:
	case EXPR_STRCMP_CPUID:
		return (int)count(n->id, row + 1) & 1;
	case EXPR_SOURCE_COUNT:
		return count(n->id, row);
	case EXPR_ID:
		named = find_line(n->id);
		if (named < 0 || &lines[named] >= line)
			return count(n->id, row);
		return lines[named].values[lines[named].e->nr - 1];
	default:
		return expr_op__apply(n->op, v[n->at[0]], v[n->at[1]], v[n->at[2]]);
	}
}

/* Doubles hold smaller sums and products exactly; the last bits of larger bounds may be wrong. */
static bool is_exact(const struct line *line)
{
	for (int i = 0; i < line->e->nr; i++)
		if (isfinite(line->values[i]) && fabs(line->values[i]) > 1e12)
			return false;
	return true;
}

static void check_ranges(const struct line *line, const struct graph *g)
{
	for (int i = 0; i < line->e->nr; i++) {
		const struct range *r = &g->nodes.at[line->places[i]].range;
		double v = line->values[i], margin = fabs(v) * 1e-9 + 1e-12;

		if (isnan(v))
			fuzz_check(r->nan, "node %d is NaN, not %g to %g", i, r->lo, r->hi);
		else
			fuzz_check(range__has(r, v) || range__has(r, v - margin) ||
					   range__has(r, v + margin),
				   "node %d, operator %d: %.17g is not from %.17g to %.17g", i,
				   line->e->at[i].op, v, r->lo, r->hi);
	}
}

static bool holds(const struct line *line, int node)
{
	double v = line->values[node];

	return !isnan(v) && v != 0;
}

static void check_verdict(const struct line *line, const struct threshold_place *place)
{
	if (place->verdict == THRESHOLD_NEVER && place->other < 0)
		fuzz_check(!holds(line, place->node), "node %d is %g", place->node,
			   line->values[place->node]);
	if (place->verdict == THRESHOLD_NEVER && place->other >= 0)
		fuzz_check(!holds(line, place->node) || !holds(line, place->other),
			   "nodes %d and %d hold both", place->node, place->other);
	if (place->verdict == THRESHOLD_ALWAYS)
		fuzz_check(holds(line, place->node) || isnan(line->values[place->node]),
			   "node %d is 0", place->node);
}

static void check_rows(const struct graph *g, const struct threshold_place *place)
{
	for (int row = 0; row < ROWS; row++) {
		bool exact = true;

		for (int k = 0; k < nr_lines; k++) {
			for (int i = 0; i < lines[k].e->nr; i++)
				lines[k].values[i] = value_of(&lines[k], &lines[k].e->at[i], row);
			exact &= is_exact(&lines[k]);
			if (exact)
				check_ranges(&lines[k], g);
		}
		if (exact)
			check_verdict(&lines[nr_lines - 1], place);
	}
}

/* A name that is defined by an earlier line in lines[]. */
static int replace(void *arg, const char *id)
{
	const struct line *line = arg;
	int named = find_line(id);

	return named < 0 || &lines[named] >= line ? -1
						  : lines[named].places[lines[named].e->nr - 1];
}

static void check_explained(const struct solver *s, const struct line *line, const char *text,
			    const struct threshold_place *place)
{
	struct sb sb = SB_INIT;

	if (place->verdict == THRESHOLD_DEPENDS)
		return;
	fuzz_check(place->node >= 0 && place->node < line->e->nr && place->other < line->e->nr);
	threshold__explain(s, line->e, line->places, text, place, &sb);
	fuzz_check(sb.len && !sb.err);
	sb__free(&sb);
}

static void try_lines(const char *text)
{
	struct threshold_place place;
	struct solver solver;
	struct graph graph;

	graph__init(&graph);
	for (int i = 0; i < nr_lines; i++) {
		lines[i].values = calloc(lines[i].e->nr, sizeof(*lines[i].values));
		lines[i].places = calloc(lines[i].e->nr, sizeof(*lines[i].places));
		fuzz_check(lines[i].values && lines[i].places);
		fuzz_check(graph__add(&graph, lines[i].e, replace, &lines[i], lines[i].places) >=
			   0);
	}
	solver = (struct solver){ .graph = &graph };
	threshold__judge(&solver, lines[nr_lines - 1].e, lines[nr_lines - 1].places, &place);
	check_explained(&solver, &lines[nr_lines - 1], text, &place);
	check_rows(&graph, &place);
	solver__free(&solver);
	graph__free(&graph);
}

/* "name = expression"; the first line has no name. */
static bool add_line(char *text, bool named)
{
	struct line line = { .name = NULL };
	char *equals = named ? strchr(text, '=') : NULL;

	if (named && !equals)
		return true;
	if (named) {
		*equals = '\0';
		line.name = text__trim(text);
		text = equals + 1;
	}
	if (nr_lines == LINES_MAX || expr__parse("line", text, &line.e, NULL))
		return false;
	lines[nr_lines++] = line;
	return true;
}

static void clear_lines(void)
{
	for (int i = 0; i < nr_lines; i++) {
		expr__free(lines[i].e);
		free(lines[i].values);
		free(lines[i].places);
		lines[i] = (struct line){ .name = NULL };
	}
	nr_lines = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz__text(data, size), *at;
	bool fine = true;

	while (fine && (at = strrchr(text, '\n'))) {
		*at = '\0';
		fine = add_line(at + 1, true);
	}
	if (fine && add_line(text, false))
		try_lines(text);
	clear_lines();
	free(text);
	return 0;
}
