// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find out whether a condition can hold. Assuming that it is true or false narrows the ranges of
 * its values, through sums, products and other operators down to the counts, until a range is empty
 * or nothing changes. If one of several operands may be true, each of them is tried.
 */
#include "lint/threshold.h"

#include "base/decimal.h"
#include "base/sb.h"
#include "metrics/lex.h"

#define MAX_DEPTH 64	/* limit of the depth to which operators are followed */
#define MAX_BRANCHES 64 /* limit of alternatives that are tried for one question */
#define MAX_PARTS 32	/* limit of operands of & that are compared in pairs */
#define MAX_STEPS 10000 /* limit of narrowing steps for one question */
#define MAX_TOTAL 50000000

void solver__free(struct solver *s)
{
	vec__free(&s->ranges);
	vec__free(&s->changed);
	vec__free(&s->todo);
}

/* Assume that a node is true; or that it is false. */
static void threshold__assume(struct solver *s, int node, bool truth)
{
	vec__push(&s->todo, 2 * node + truth);
}

static void undo(struct solver *s, int to)
{
	while (s->changed.nr > to) {
		const struct changed *c = &s->changed.at[--s->changed.nr];

		s->ranges.at[c->node] = c->before;
	}
}

static bool is_looked_through(enum expr_op op)
{
	return op == EXPR_ADD || op == EXPR_SUB || op == EXPR_MUL || op == EXPR_DIV ||
	       op == EXPR_D_RATIO || op == EXPR_MIN || op == EXPR_MAX;
}

/* Assume that the value of a node is in @to. Return: whether that is possible. */
static bool narrow(struct solver *s, int node, const struct range *to, int depth)
{
	const struct graph_node *n = &s->graph->nodes.at[node];
	struct range *r = &s->ranges.at[node];

	if (++s->steps > MAX_STEPS)
		return true;
	vec__push(&s->changed, (struct changed){ node, *r });
	if (!range__meet(r, to) && depth)
		return true;
	if (range__is_empty(r))
		return false;
	if (depth == MAX_DEPTH)
		return true;
	if (n->op == EXPR_NEG) {
		struct range minus = range__apply(EXPR_NEG, r, NULL, NULL);

		return narrow(s, n->at[0], &minus, depth + 1);
	}
	for (int i = 0; is_looked_through(n->op) && i < 2; i++) {
		struct range operand = range__solve(n->op, i, r, &s->ranges.at[n->at[!i]],
						    &s->ranges.at[n->at[i]]);

		if (!narrow(s, n->at[i], &operand, depth + 1))
			return false;
	}
	return true;
}

/* Assume that the first operand is less than the second; or that it is not less. */
static bool narrow_less(struct solver *s, const struct graph_node *n, bool truth)
{
	struct range a = s->ranges.at[n->at[0]], b = s->ranges.at[n->at[1]];
	struct range below = range__all(), above = range__all();

	if (truth) {
		below.hi = b.hi;
		above.lo = a.lo;
		below.hi_open = above.lo_open = true;
	} else {
		below.lo = b.lo;
		below.lo_open = b.lo_open;
		above.hi = a.hi;
		above.hi_open = a.hi_open;
	}
	return narrow(s, n->at[0], &below, 0) && narrow(s, n->at[1], &above, 0);
}

static bool narrow_item(struct solver *s, int item)
{
	const struct graph_node *n = &s->graph->nodes.at[item / 2];
	struct range want = range__of(item % 2);

	if (n->op == EXPR_LESS)
		return narrow(s, item / 2, &want, 0) && narrow_less(s, n, item % 2);
	if (!(item % 2))
		return narrow(s, item / 2, &want, 0);
	return s->ranges.at[item / 2].lo != 0 || s->ranges.at[item / 2].hi != 0;
}

static bool threshold__solve(struct solver *s, int from);

/* Try whether one of the two operands can make the node true; or false. */
static bool solve_either(struct solver *s, int from, const struct graph_node *n, bool truth)
{
	int nr_todo = s->todo.nr, nr_changed = s->changed.nr;

	if (++s->branches > MAX_BRANCHES)
		return true;
	for (int i = 0; i < 2; i++) {
		threshold__assume(s, n->at[i], truth);
		if (threshold__solve(s, from))
			return true;
		undo(s, nr_changed);
		s->todo.nr = nr_todo;
	}
	return false;
}

/* Follow all assumptions. Return: false if they cannot all hold simultaneously. */
static bool threshold__solve(struct solver *s, int from)
{
	for (int i = from; i < s->todo.nr; i++) {
		const struct graph_node *n = &s->graph->nodes.at[s->todo.at[i] / 2];
		bool truth = s->todo.at[i] % 2;

		if (n->op != EXPR_AND && n->op != EXPR_OR) {
			if (!narrow_item(s, s->todo.at[i]))
				return false;
			continue;
		}
		if ((n->op == EXPR_AND) != truth)
			return solve_either(s, i + 1, n, truth);
		threshold__assume(s, n->at[0], truth);
		threshold__assume(s, n->at[1], truth);
	}
	/* Later assumptions may narrow the values that earlier assumptions are about. */
	for (int i = 0; i < s->todo.nr; i++) {
		enum expr_op op = s->graph->nodes.at[s->todo.at[i] / 2].op;

		if (op != EXPR_AND && op != EXPR_OR && !narrow_item(s, s->todo.at[i]))
			return false;
	}
	return true;
}

/* Tell whether both nodes can be true, or both can be false. @b may be -1. */
static bool possible(struct solver *s, int a, int b, bool truth)
{
	bool can;

	if (s->total > MAX_TOTAL)
		return true;
	s->todo.nr = s->branches = s->steps = 0;
	threshold__assume(s, a, truth);
	if (b >= 0)
		threshold__assume(s, b, truth);
	can = threshold__solve(s, 0);
	undo(s, 0);
	s->total += s->steps;
	return can;
}

/* List the operands of a chain of & or of |, as nodes of the expression. */
static int parts_of(const struct expr *e, int root, enum expr_op op, int *parts)
{
	int todo[MAX_PARTS] = { root }, nr_todo = 1, nr = 0;

	while (nr_todo) {
		int node = todo[--nr_todo];

		if (e->at[node].op == op && nr_todo + 2 <= MAX_PARTS) {
			todo[nr_todo++] = e->at[node].at[1];
			todo[nr_todo++] = e->at[node].at[0];
		} else if (nr < MAX_PARTS) {
			parts[nr++] = node;
		}
	}
	return nr;
}

static bool found(struct threshold_place *out, enum threshold_verdict verdict, int node, int other)
{
	*out = (struct threshold_place){ verdict, node, other };
	return true;
}

static bool judge_conjunction(struct solver *s, const struct expr *e, const int *places, int root,
			      struct threshold_place *out)
{
	int parts[MAX_PARTS], nr = parts_of(e, root, EXPR_AND, parts);

	for (int i = 0; i < nr; i++)
		if (!possible(s, places[parts[i]], -1, true))
			return found(out, THRESHOLD_NEVER, parts[i], -1);
	for (int j = 1; j < nr; j++)
		for (int i = 0; i < j; i++)
			if (!possible(s, places[parts[i]], places[parts[j]], true))
				return found(out, THRESHOLD_NEVER, parts[j], parts[i]);
	if (nr > 1 && !possible(s, places[root], -1, true))
		return found(out, THRESHOLD_NEVER, root, -1);
	for (int i = 0; i < nr; i++)
		if (!possible(s, places[parts[i]], -1, false))
			return found(out, THRESHOLD_ALWAYS, parts[i], -1);
	return false;
}

void threshold__judge(struct solver *s, const struct expr *e, const int *places,
		      struct threshold_place *out)
{
	int parts[MAX_PARTS], nr = parts_of(e, e->nr - 1, EXPR_OR, parts);

	*out = (struct threshold_place){ THRESHOLD_DEPENDS, -1, -1 };
	for (int i = s->ranges.nr; i < s->graph->nodes.nr; i++)
		vec__push(&s->ranges, s->graph->nodes.at[i].range);
	for (int i = 0; i < nr; i++)
		if (judge_conjunction(s, e, places, parts[i], out))
			break;
}

/*
 * --- Explanations --------------------------------------------------------------------------------
 */

static int token_end(const char *text, int column)
{
	struct token token;

	return lex__next("", text, column, &token, NULL) ? column : token.column + token.len;
}

/* Find the text of a part, including its parentheses. */
static void extent(const struct expr *e, int root, const char *text, int *start, int *end)
{
	int first = root, depth = 0, lowest = 0;

	/*
	 * An operand precedes the operator that uses it, so the operands of the root are before the
	 * root.
	 */
	*start = e->at[root].column;
	*end = token_end(text, *start);
	for (int i = root; i >= first; i--) {
		int column = e->at[i].column, after = token_end(text, column);

		for (int j = 0; j < expr__operands(&e->at[i]); j++)
			first = e->at[i].at[j] < first ? e->at[i].at[j] : first;
		*start = column < *start ? column : *start;
		*end = after > *end ? after : *end;
	}
	for (int i = *start; i < *end; i++) {
		depth += (text[i] == '(') - (text[i] == ')');
		lowest = depth < lowest ? depth : lowest;
	}
	for (; depth - lowest > 0 && text[*end]; (*end)++)
		depth -= text[*end] == ')';
	for (; lowest < 0 && *start > 0; (*start)--)
		lowest += text[*start - 1] == '(';
}

static void threshold__put_part(const struct expr *e, int node, const char *text, struct sb *sb)
{
	int start, end;

	extent(e, node, text, &start, &end);
	sb__printf(sb, "'%.*s'", end - start, text + start);
}

static void put_bound(const struct expr *e, int node, const char *text, const char *bound,
		      double value, struct sb *sb)
{
	struct decimal number = { .d = value };

	threshold__put_part(e, node, text, sb);
	sb__printf(sb, " is never %s ", bound);
	decimal__print(&number, sb);
}

/*
 * Explain why the outcome of a comparison is known. Return: false if this has no short explanation.
 */
static bool put_comparison(const struct solver *s, const struct expr *e, const int *places,
			   const char *text, const struct threshold_place *place, struct sb *sb)
{
	const struct expr_node *n = &e->at[place->node];
	bool greater = n->op == EXPR_GREATER;
	int less = n->at[greater], more = n->at[!greater];
	struct range a = s->graph->nodes.at[places[less]].range;
	struct range b = s->graph->nodes.at[places[more]].range;
	bool never = place->verdict == THRESHOLD_NEVER;
	bool say_a = a.lo != a.hi, say_b = b.lo != b.hi; /* a constant needs no explanation */

	if ((n->op != EXPR_LESS && !greater) || (never ? a.lo < b.hi : a.hi >= b.lo) ||
	    (!say_a && !say_b))
		return false;
	if (say_a)
		put_bound(e, less, text, never ? "below" : "above", never ? a.lo : a.hi, sb);
	if (say_a && say_b)
		sb__puts(sb, ", ");
	if (say_b)
		put_bound(e, more, text, never ? "above" : "below", never ? b.hi : b.lo, sb);
	return true;
}

void threshold__explain(const struct solver *s, const struct expr *e, const int *places,
			const char *text, const struct threshold_place *place, struct sb *sb)
{
	if (place->other >= 0) {
		threshold__put_part(e, place->node, text, sb);
		sb__puts(sb, " contradicts ");
		threshold__put_part(e, place->other, text, sb);
		return;
	}
	if (put_comparison(s, e, places, text, place, sb))
		return;
	threshold__put_part(e, place->node, text, sb);
	sb__puts(sb,
		 place->verdict == THRESHOLD_NEVER ? " contradicts itself" : " excludes nothing");
}
