// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metric expressions at run time. The first line is a metric. Each further line, "name =
 * expression", is another metric that it may refer to. An expression that is read is printed with
 * brackets, and must then be read as the same. The compiled program must compute the same as a walk
 * over the tree, for any number of rows. Events that are reported as unnecessary must not matter.
 */
#include <errno.h>
#include <math.h>
#include <strings.h>

#include "base/sb.h"
#include "base/text.h"
#include "machine.h"
#include "metrics/expand.h"
#include "metrics/expr_op.h"
#include "metrics/ids.h"
#include "metrics/literal.h"
#include "metrics/print.h"
#include "metrics/program.h"

#define ROWS 6
#define FINITE_ROWS 3 /* in the first of these rows, all counts are finite */

static struct metrics_scope scope;
static struct literals literals;

/* Some names of different kinds. */
static bool has_event(void *arg, const char *id)
{
	(void)arg;
	return strlen(id) & 1;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	scope.has_event = has_event;
	scope.machine = fuzz__machine(fake_alderlake, NULL, "GenuineIntel-6-97-2");
	return 0;
}

/* --- Printing, every operator in brackets -------------------------------------------------------
 */

/* A '0' may have been a '?': then it is read back as a name, unlike "10". */
static void print_id(const char *id, struct sb *sb)
{
	for (; *id; id++) {
		if (strchr("-,=", *id))
			sb__putc(sb, '\\');
		sb__putc(sb, *id == '0' ? '?' : *id);
	}
}

static const char *word_of(enum expr_op op)
{
	static const char *const words[] = {
		[EXPR_SOURCE_COUNT] = "source_count",
		[EXPR_HAS_EVENT] = "has_event",
		[EXPR_STRCMP_CPUID] = "strcmp_cpuid_str",
		[EXPR_OR] = "|",
		[EXPR_XOR] = "^",
		[EXPR_AND] = "&",
		[EXPR_LESS] = "<",
		[EXPR_GREATER] = ">",
		[EXPR_SUB] = "-",
		[EXPR_ADD] = "+",
		[EXPR_MUL] = "*",
		[EXPR_DIV] = "/",
		[EXPR_MOD] = "%",
		[EXPR_D_RATIO] = "d_ratio",
		[EXPR_MIN] = "min",
		[EXPR_MAX] = "max",
	};

	fuzz_check((size_t)op < sizeof(words) / sizeof(*words) && words[op], "%d", op);
	return words[op];
}

static const char *literal_name(int number)
{
	static const char *const names[] = { "num_cpus",       "num_cpus_online", "num_cores",
					     "num_dies",       "num_packages",	  "smt_on",
					     "core_wide",      "has_pmem",	  "slots",
					     "system_tsc_freq", "target_cpu" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (literal__find(names[i], strlen(names[i])) == number)
			return names[i];
	fuzz_check(false, "literal %d has no name", number);
	return NULL;
}

static void print(const struct expr *e, int i, struct sb *sb)
{
	const struct expr_node *n = &e->at[i];

	switch (n->op) {
	case EXPR_NUMBER:
		if (isnan(n->number))
			sb__puts(sb, "NaN");
		else
			sb__printf(sb, "%.17g", n->number);
		/* The language allows no plus in an exponent. */
		for (char *plus; sb->buf && (plus = strstr(sb->buf, "e+")); sb->len--)
			memmove(plus + 1, plus + 2, strlen(plus + 1));
		return;
	case EXPR_LITERAL:
		sb__printf(sb, "#%s", literal_name(n->literal));
		return;
	case EXPR_ID:
		print_id(n->id, sb);
		return;
	case EXPR_SOURCE_COUNT:
	case EXPR_HAS_EVENT:
	case EXPR_STRCMP_CPUID:
		sb__printf(sb, "%s(", word_of(n->op));
		print_id(n->id, sb);
		break;
	case EXPR_MIN:
	case EXPR_MAX:
	case EXPR_D_RATIO:
		sb__printf(sb, "%s(", word_of(n->op));
		print(e, n->at[0], sb);
		sb__puts(sb, ", ");
		print(e, n->at[1], sb);
		break;
	case EXPR_NEG:
		sb__puts(sb, "(- ");
		print(e, n->at[0], sb);
		break;
	case EXPR_IF:
		sb__putc(sb, '(');
		print(e, n->at[0], sb);
		sb__puts(sb, " if ");
		print(e, n->at[1], sb);
		sb__puts(sb, " else ");
		print(e, n->at[2], sb);
		break;
	default:
		sb__putc(sb, '(');
		print(e, n->at[0], sb);
		sb__printf(sb, " %s ", word_of(n->op));
		print(e, n->at[1], sb);
		break;
	}
	sb__putc(sb, ')');
}

static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void check_same(const struct expr *a, const struct expr *b)
{
	fuzz_check(a->nr == b->nr, "%d nodes, %d printed", a->nr, b->nr);
	for (int i = 0; i < a->nr; i++) {
		const struct expr_node *n = &a->at[i], *m = &b->at[i];

		fuzz_check(n->op == m->op, "node %d: %d, printed %d", i, n->op, m->op);
		fuzz_check(!memcmp(n->at, m->at, sizeof(n->at)), "node %d", i);
		fuzz_check(n->literal == m->literal, "node %d", i);
		fuzz_check(same_number(n->number, m->number), "%.17g, printed %.17g", n->number,
			   m->number);
		fuzz_check(!n->id == !m->id && (!n->id || !strcmp(n->id, m->id)), "%s, printed %s",
			   n->id, m->id);
	}
}

/* A tree, operands before operators. The parser must refuse too many brackets with a message. */
static void check_expr(const struct expr *e)
{
	struct err err = ERR_INIT;
	struct sb sb = SB_INIT;
	struct expr *again;
	int rc;

	fuzz_check(e->nr > 0);
	for (int i = 0; i < e->nr; i++)
		for (int k = 0; k < 3; k++)
			fuzz_check(e->at[i].at[k] >= 0 && e->at[i].at[k] <= (i ? i - 1 : 0));
	print(e, e->nr - 1, &sb);
	rc = expr__parse("printed", sb__str(&sb), &again, &err);
	if (rc) {
		fuzz_check(rc == -E2BIG && e->nr > EXPR_MAX_NESTING / 4, "%s", err.msg);
	} else {
		check_same(e, again);
		expr__free(again);
	}
	sb__free(&sb);
}

/* --- Values, by a walk over the tree
 * --------------------------------------------------------------- */

/**
 * struct value
 * @missing: the value depends on a count that is missing
 * @known:   the value does not depend on counts
 */
struct value {
	double value;
	bool missing, known;
};

/**
 * struct walk - a metric and the counts of one row
 * @column: column of each id, or -1
 * @refs, @known: values of the references
 * @busy: the reference is being computed: if it is met again, there is a cycle
 */
struct walk {
	const struct metric *metric;
	const int *column;
	int row;
	struct value *refs;
	bool *known, *busy;
	bool cycle;
};

static struct value value_of(struct walk *w, const struct expr *e);

/* Return: a count, which depends on its column and on the row. */
static double count(int column, int row)
{
	static const double odd[] = { NAN, INFINITY, -INFINITY, 0, 1e308, -1, 0.5, 3 };
	uint32_t mixed = (column * 7919u + row * 104729u + 17) * 2654435761u >> 8;

	switch (row) {
	case 0:
		return mixed % 100003;
	case 1:
		return 0;
	case 2:
		return mixed % 8 - 3.5;
	case 3:
		return mixed % 4 ? mixed % 1000 : NAN;
	default:
		return odd[mixed % 8];
	}
}

static int sources(int column, int row)
{
	return (column + row) % 4;
}

static int find(const struct metric *m, const char *id)
{
	for (int i = 0; i < m->nr_ids; i++)
		if (!strcmp(m->ids[i], id))
			return i;
	/* Find a metric by its name; if there are several, the last one. */
	for (int i = m->nr_refs - 1; i >= 0; i--)
		if (!strcmp(m->refs[i].name, id))
			return m->nr_ids + i;
	for (int i = 0; i < m->nr_refs; i++)
		if (!strcasecmp(m->refs[i].name, id))
			return m->nr_ids + i;
	return -1;
}

static struct value value_of_ref(struct walk *w, int i)
{
	if (w->busy[i]) {
		w->cycle = true;
		return (struct value){ 0 };
	}
	if (!w->known[i]) {
		w->busy[i] = true;
		w->refs[i] = value_of(w, w->metric->refs[i].value);
		w->busy[i] = false;
		w->known[i] = true;
	}
	return w->refs[i];
}

static struct value known(double value)
{
	return (struct value){ .value = value, .known = true };
}

static struct value value_of_name(struct walk *w, const struct expr_node *n)
{
	int at = find(w->metric, n->id), column;
	struct value v = { .known = false };

	if (at >= w->metric->nr_ids)
		return n->op == EXPR_ID ? value_of_ref(w, at - w->metric->nr_ids) : known(NAN);
	column = at < 0 ? -1 : w->column[at];
	if (column < 0)
		return known(NAN);
	v.value = n->op == EXPR_ID ? count(column, w->row) : sources(column, w->row);
	v.missing = isnan(v.value);
	return v;
}

static bool is_zero(const struct value *v)
{
	return v->value == 0;
}

/* Return: whether the result of & or | depends only on this operand. */
static bool decides(enum expr_op op, const struct value *v)
{
	return isfinite(v->value) && is_zero(v) == (op == EXPR_AND);
}

/*
 * A condition on known values needs no count, and neither does one whose branches have the same
 * result.
 */
static struct value value_of_if(const struct value *yes, const struct value *condition,
				const struct value *no)
{
	struct value v = is_zero(condition) ? *no : *yes;

	if (condition->known)
		return v;
	if (yes->known && no->known && yes->value == no->value)
		return *yes;
	v.missing |= condition->missing;
	v.known = false;
	return v;
}

/* 0 & x, 1 | x and x / 0 need no count either. */
static struct value value_of_operator(enum expr_op op, const struct value *a, const struct value *b)
{
	bool divides = op == EXPR_DIV || op == EXPR_MOD || op == EXPR_D_RATIO;
	struct value v = { .value = expr_op__apply(op, a->value, b->value, 0) };

	if (divides && b->known && is_zero(b))
		return known(expr_op__apply(op, NAN, 0, 0));
	v.known = a->known && b->known;
	v.missing = a->missing || b->missing;
	if (op == EXPR_AND || op == EXPR_OR) {
		bool a_decides = !a->missing && decides(op, a);
		bool b_decides = !b->missing && decides(op, b);

		v.missing &= !a_decides && !b_decides;
		v.known |= (a_decides && a->known) || (b_decides && b->known);
	}
	return v;
}

static struct value value_of_node(struct walk *w, const struct expr_node *n,
				  const struct value *done)
{
	const struct value *a = &done[n->at[0]], *b = &done[n->at[1]];
	struct value v = *a;

	switch (n->op) {
	case EXPR_NUMBER:
		return known(n->number);
	case EXPR_LITERAL:
		return known(literal__value(&literals, &scope, n->literal));
	case EXPR_STRCMP_CPUID:
		return known(ids__leaf_value(&scope, &literals, n));
	case EXPR_HAS_EVENT:
		return known(has_event(NULL, n->id));
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
		return value_of_name(w, n);
	case EXPR_IF:
		return value_of_if(a, b, &done[n->at[2]]);
	case EXPR_NEG:
		v.value = -v.value;
		return v;
	default:
		return value_of_operator(n->op, a, b);
	}
}

static struct value value_of(struct walk *w, const struct expr *e)
{
	struct value *done = calloc(e->nr, sizeof(*done)), root;

	fuzz_check(done);
	for (int i = 0; i < e->nr && !w->cycle; i++)
		done[i] = value_of_node(w, &e->at[i], done);
	root = done[e->nr - 1];
	free(done);
	return root;
}

/* Return: false if the metric refers to itself. */
static bool walk(const struct metric *m, const int *column, int row, double *out)
{
	struct walk w = { .metric = m, .column = column, .row = row };
	struct value v;

	w.refs = calloc(m->nr_refs + 1, sizeof(*w.refs));
	w.known = calloc(m->nr_refs + 1, 1);
	w.busy = calloc(m->nr_refs + 1, 1);
	fuzz_check(w.refs && w.known && w.busy);
	v = value_of(&w, m->value);
	*out = v.missing ? NAN : v.value;
	free(w.refs);
	free(w.known);
	free(w.busy);
	return !w.cycle;
}

/* --- Values, by the program --------------------------------------------------------------------
 */

static void run(struct program *p, int rows, int columns, int first_row, double *out)
{
	double *in = calloc((size_t)columns * rows + 1, sizeof(*in));
	double *from = calloc((size_t)columns * rows + 1, sizeof(*from));

	fuzz_check(in && from);
	for (int column = 0; column < columns; column++) {
		for (int row = 0; row < rows; row++) {
			in[column * rows + row] = count(column, first_row + row);
			from[column * rows + row] = sources(column, first_row + row);
		}
	}
	program__eval(p, rows, in, from, out);
	free(in);
	free(from);
}

/* Evaluate all rows together, and each row alone in memory for more rows. */
static void evaluate(struct program *p, int columns, double *out)
{
	double one;

	fuzz_check(program__outputs(p) == 1 && program__nodes(p) > 0);
	program__reserve(p, ROWS);
	run(p, ROWS, columns, 0, out);
	for (int row = 0; row < ROWS; row++) {
		run(p, 1, columns, row, &one);
		fuzz_check(same_number(one, out[row]), "row %d: %.17g, not %.17g", row, one,
			   out[row]);
	}
}

static void check_program(struct metric *m, const int *column, double *out)
{
	struct program *p = program__new(&scope);
	struct err err = ERR_INIT;
	int value, threshold, rc;
	double want;

	fuzz_check(p);
	rc = program__add(p, m, column, NULL, 0, &value, &threshold, &err);
	if (rc) {
		fuzz__check_error(rc, &err);
		fuzz_check(rc == -ELOOP && !walk(m, column, 0, &want), "%s", err.msg);
		program__free(p);
		for (int row = 0; row < ROWS; row++)
			out[row] = NAN;
		return;
	}
	fuzz_check(value == 0 && threshold == -1);
	evaluate(p, m->nr_ids, out);
	program__free(p);
	for (int row = 0; row < ROWS; row++) {
		fuzz_check(walk(m, column, row, &want));
		fuzz_check(same_number(out[row], want), "row %d: %.17g, not %.17g", row, out[row],
			   want);
	}
}

/* --- Events ------------------------------------------------------------------------------------
 */

static bool uses(const struct expr *e, enum expr_op op, const char *id)
{
	for (int i = 0; i < e->nr; i++)
		if (e->at[i].op == op && !strcmp(e->at[i].id, id))
			return true;
	return false;
}

static void add_ids(struct metric *m, const struct expr *e)
{
	for (int i = 0; i < e->nr; i++)
		if ((e->at[i].op == EXPR_ID || e->at[i].op == EXPR_SOURCE_COUNT) &&
		    find(m, e->at[i].id) < 0)
			m->ids[m->nr_ids++] = e->at[i].id;
}

/* The ids in all expressions that are not names of references. */
static void collect_ids(struct metric *m)
{
	int nr = m->value->nr;

	for (int i = 0; i < m->nr_refs; i++)
		nr += m->refs[i].value->nr;
	m->ids = calloc(nr, sizeof(*m->ids));
	fuzz_check(m->ids);
	add_ids(m, m->value);
	for (int i = 0; i < m->nr_refs; i++)
		add_ids(m, m->refs[i].value);
}

/* Return: those of the ids that the expression needs; NULL if it needs none. */
static struct idset *needed_ids(struct expr *e)
{
	struct idset *set = ids__collect(&scope, &literals, e);
	const char **ids;
	int nr = idset__size(set);

	ids = calloc(nr + 1, sizeof(*ids));
	fuzz_check(ids);
	if (set)
		idset__list(set, ids);
	for (int i = 0; i < nr; i++) {
		fuzz_check(uses(e, EXPR_ID, ids[i]) || uses(e, EXPR_SOURCE_COUNT, ids[i]), "%s",
			   ids[i]);
		for (int k = 0; k < i; k++)
			fuzz_check(strcmp(ids[i], ids[k]), "%s", ids[i]);
	}
	free(ids);
	return set;
}

static void check_needed(struct metric *m, const int *column, const double *values)
{
	struct idset *set = needed_ids(m->value);
	int *needed = calloc(m->nr_ids + 1, sizeof(*needed));
	double out;

	fuzz_check(needed);
	for (int i = 0; i < m->nr_ids; i++)
		needed[i] = set && idset__has(set, m->ids[i]) ? column[i] : -1;
	for (int row = 0; row < FINITE_ROWS; row++) {
		walk(m, needed, row, &out);
		if (isfinite(values[row]))
			fuzz_check(same_number(out, values[row]),
				   "row %d: %.17g with what is needed, %.17g with all", row, out,
				   values[row]);
	}
	idset__free(set);
	free(needed);
}

/* --- For people --------------------------------------------------------------------------------
 */

/*
 * With the facts about the machine replaced by their values, the value is the same for all counts.
 */
static void check_expanded(struct metric *m, const int *column, const double *values)
{
	struct err err = ERR_INIT;
	struct metric expanded = *m;
	double out;

	fuzz_check(!expr__expand(&scope, NULL, m->value, &expanded.value, &err), "%s", err.msg);
	for (int row = 0; row < ROWS; row++) {
		walk(&expanded, column, row, &out);
		fuzz_check(same_number(out, values[row]), "row %d: %.17g, not %.17g", row, out,
			   values[row]);
	}
	expr__free(expanded.value);
}

/* If it is broken over several lines, it is read as the same. */
static void check_lines(const struct expr *e, const char *text, int width)
{
	struct sb lines = SB_INIT;
	const char *a = text;

	expr__print_lines(e, 4, width, &lines);
	fuzz_check(!lines.err);
	for (const char *b = sb__str(&lines); *b; b++) {
		if (strchr(" \n", *b))
			continue;
		a += strspn(a, " ");
		fuzz_check(*a == *b, "%s\n%s", text, lines.buf);
		a++;
	}
	fuzz_check(!*a, "%s\n%s", text, sb__str(&lines));
	sb__free(&lines);
}

static void check_printed(const struct expr *e)
{
	struct sb text = SB_INIT;
	int width = expr__width(e);

	expr__print(e, &text);
	fuzz_check(!text.err && text.len && !strchr(text.buf, '\n'));
	fuzz_check((size_t)width == text.len, "%d, not %zu: %s", width, text.len, text.buf);
	check_lines(e, text.buf, 20);
	check_lines(e, text.buf, 80);
	sb__free(&text);
}

/* --- One input ---------------------------------------------------------------------------------
 */

static int parse(const char *what, const char *text, struct expr **out)
{
	struct err err = ERR_INIT;
	int rc = expr__parse(what, text, out, &err);

	if (rc) {
		fuzz__check_error(rc, &err);
	} else {
		check_expr(*out);
		check_printed(*out);
	}
	return rc;
}

/* Parse "name = expression". A line that has another form, or cannot be parsed, is skipped. */
static void add_ref(struct metric *m, char *line)
{
	struct metric_ref ref = { .name = line };
	char *equals = strchr(line, '=');

	if (!equals)
		return;
	*equals = '\0';
	ref.name = text__trim(line);
	if (!*ref.name || parse(ref.name, equals + 1, &ref.value))
		return;
	m->refs = realloc(m->refs, (m->nr_refs + 1) * sizeof(*m->refs));
	fuzz_check(m->refs);
	m->refs[m->nr_refs++] = ref;
}

static void try_metric(struct metric *m)
{
	int *column;
	double values[ROWS];

	collect_ids(m);
	column = calloc(m->nr_ids + 1, sizeof(*column));
	fuzz_check(column);
	/* Some ids share a column, and some have none. */
	for (int i = 0; i < m->nr_ids; i++)
		column[i] = i % 7 == 6 ? -1 : i % 5 == 4 ? i - 1 : i;
	check_program(m, column, values);
	if (!m->nr_refs) {
		for (int i = 0; i < m->nr_ids; i++)
			column[i] = i;
		check_program(m, column, values);
		check_needed(m, column, values);
		check_expanded(m, column, values);
	}
	free(column);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz__text(data, size), *rest = text, *line;
	struct metric *m = calloc(1, sizeof(*m));

	fuzz_check(m);
	m->info.name = "m";
	if (!parse("metric m", strsep(&rest, "\n"), &m->value)) {
		while ((line = strsep(&rest, "\n")))
			add_ref(m, line);
		try_metric(m);
	}
	metric__free(m);
	free(text);
	return 0;
}
