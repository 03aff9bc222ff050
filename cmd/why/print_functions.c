// SPDX-License-Identifier: GPL-2.0-only
/* Prints, for people, functions that have their own values in the tree. */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "metrics/words.h"
#include "output.h"
#include "verdict/way_functions.h"
#include "where/where.h"
#include "why/print.h"

#define MOST_FUNCTIONS 5 /* with all details */
#define LEAST_PERCENT 1 /* percent of cycles: smaller functions are never printed */
#define MOST_ERROR 10 /* percent: values with larger errors are not printed */

static const char *plain_name(const char *metric)
{
	const struct metric_words *words = metric_words__find(metric);

	return words ? words->plain : metric;
}

/*
 * Put a name, with "()" if it is a function's. Code without a name is called as its file is, and
 * generated code has a name of several words.
 */
static void print_functions__put_name(const struct way_function *f, struct sb *sb)
{
	const char *slash = strrchr(f->object, '/');
	size_t len = strlen(f->name);
	bool bare = !strcmp(f->object, WHERE_JIT) || (len && f->name[len - 1] == ')') ||
		    !strcmp(f->name, slash ? slash + 1 : f->object);

	text__clean(sb, f->name, len, "");
	sb__puts(sb, bare ? "" : "()");
}

/* Find the node to print for a function. Return: NULL if no node has a small enough error. */
static const struct way_node *find_telling_node(const struct way *way, const struct way_function *f)
{
	const struct way_node *n = way_function__find_telling(way, f);

	return n && n->error <= MOST_ERROR ? n : NULL;
}

static void put_points(double value, double error, struct sb *sb)
{
	if (error >= 1)
		sb__printf(sb, "%.0f +- %.0f %%", value, error);
	else if (error > 0)
		sb__printf(sb, "%.1f +- %.1f %%", value, fmax(error, 0.1));
	else
		sb__printf(sb, "%.1f %%", value);
}

/* Return: whether a function's node is certainly less than half of the whole target's node. */
static bool is_much_less(const struct way *way, const struct way_node *n)
{
	const struct way_node *whole = vec__find(w, &way->path, !strcmp(w->name, n->name));

	return whole && n->value + 2 * n->error < whole->value / 2;
}

static void put_beside(const struct way *way, const struct way_function *f, struct sb *sb)
{
	const struct way_node *n = find_telling_node(way, f);

	print_functions__put_name(f, sb);
	sb__printf(sb, ": %.0f %% of cycles; %s", f->share, is_much_less(way, n) ? "only " : "");
	put_points(n->value, n->error, sb);
	if (n->useful)
		sb__puts(sb, " of its slots did useful work");
	else
		sb__printf(sb, " of its slots are lost to %s", plain_name(n->name));
}

static void put_aside(const struct way_function *f, struct sb *sb)
{
	const struct way_node *n = &f->nodes.at[f->limit];

	sb__puts(sb, "but ");
	print_functions__put_name(f, sb);
	sb__printf(sb, ", %.0f %% of cycles, ", f->share);
	if (n->useful)
		sb__puts(sb, "does useful work");
	else
		sb__printf(sb, "is limited by %s", plain_name(n->name));
}

/* Put a function's own bottleneck, if there is no way that it could contradict. */
static void put_alone(const struct way_function *f, struct sb *sb)
{
	const struct way_node *n = &f->nodes.at[f->limit];

	print_functions__put_name(f, sb);
	sb__printf(sb, ", %.0f %% of cycles, is limited by %s", f->share, plain_name(n->name));
}

/* Put a line about a function. Return: whether there is anything to print. */
static bool put_function(const struct way *way, const struct way_function *f, struct sb *sb)
{
	if (f->side == FUNCTION_ASIDE)
		put_aside(f, sb);
	else if (find_telling_node(way, f))
		put_beside(way, f, sb);
	else if (!way->path.nr && f->limit >= 0 && !f->nodes.at[f->limit].useful)
		put_alone(f, sb);
	return sb->len;
}

static bool print_functions__has_line(const struct way *way, const struct way_function *f)
{
	auto_free(sb) sb = SB_INIT;

	return f->share >= TELLING_PERCENT && put_function(way, f, &sb);
}

/* Return: whether a function may be the second: only if its value is larger than its error. */
static bool is_second(const struct way *way, const struct way_function *f)
{
	const struct way_node *n = find_telling_node(way, f);

	return n && n->value > 2 * n->error;
}

/* Choose the largest function, and a second one, preferably with another bottleneck. */
static int print_functions__choose(const struct way *way, int most,
				   const struct way_function *chosen[])
{
	const struct way_function *f, *first = NULL, *aside = NULL, *next = NULL;
	int nr = 0;

	vec__for_each (f, &way->functions) {
		if (!print_functions__has_line(way, f))
			continue;
		if (f == way->functions.at)
			first = f;
		else if (f->side == FUNCTION_ASIDE)
			aside = aside ?: f;
		else if (first && is_second(way, f))
			next = next ?: f;
	}
	if (first && (most > 1 || (most && !aside)))
		chosen[nr++] = first;
	if (nr < most && (aside || next))
		chosen[nr++] = aside ?: next;
	return nr;
}

static void put_tree(const struct way_function *f, struct output *o)
{
	auto_free(sb) sb = SB_INIT;
	int column;

	for (int i = 0; i < f->nodes.nr; i++) {
		const struct way_node *n = &f->nodes.at[i];

		sb__clear(&sb);
		why_print__put_value(n, &sb);
		sb__printf(&o->text, "%*s%s  ", TEXT_COLUMN + 2 * n->level, "", sb__str(&sb));
		column = TEXT_COLUMN + 2 * n->level + text__width(sb__str(&sb)) + 2;
		sb__clear(&sb);
		why_print__put_name(n->name, &sb);
		output__wrap_in(o, i == f->limit ? STYLE_STRONG : STYLE_PLAIN, column, column,
				sb__str(&sb));
	}
}

/* With all details, each function has a line and a tree. */
static void put_all_functions(const struct way *way, struct output *o)
{
	auto_free(sb) sb = SB_INIT;
	int nr = 0;

	for (int i = 0; i < way->functions.nr && nr < MOST_FUNCTIONS; i++) {
		const struct way_function *f = &way->functions.at[i];

		if (f->near || !f->nodes.nr || f->share < LEAST_PERCENT)
			continue;
		if (!put_function(way, f, &sb)) {
			print_functions__put_name(f, &sb);
			sb__printf(&sb, ": %.0f %% of cycles", f->share);
		}
		why_print__put_line(o, nr++ ? "" : "functions", &sb);
		put_tree(f, o);
	}
}

void print_functions__put(const struct way *way, bool all, int most, struct output *o)
{
	const struct way_function *chosen[2];
	auto_free(sb) sb = SB_INIT;
	int nr;

	if (all) {
		put_all_functions(way, o);
		return;
	}
	nr = print_functions__choose(way, most, chosen);
	for (int i = 0; i < nr; i++) {
		put_function(way, chosen[i], &sb);
		why_print__put_line(o, i ? "" : "functions", &sb);
	}
}
