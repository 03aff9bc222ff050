// SPDX-License-Identifier: GPL-2.0-only
/* Print verdicts for people and for programs; both kinds of JSON have the same members. */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/wrap.h"
#include "writers/perfs.h"

#define INDENT "          " /* indent of text below the text after " Verdict: " */
#define MOST_NAMES 6 /* names in a list; the others are counted */
#define MOST_TIMES 100 /* limit of proposed counting, in multiples of this run's time */

/* --- For people ------------------------------------------------------------------------------ */

static void verdict__put_number(const struct grid_node *n, struct sb *sb)
{
	sb__printf(sb, "%s %.1f%s%s", n->name, n->value, *n->unit ? " " : "", n->unit);
	if (isnan(n->error))
		sb__puts(sb, " +- ?");
	else if (n->error > 0)
		sb__printf(sb, " +- %.1f", figure__shown_error(n->error, 1));
}

static void verdict__put_list(const struct grid_verdict *v, const struct grid_nodes *list,
			      const char *head, struct sb *sb)
{
	for (int i = 0; i < list->nr && i < MOST_NAMES; i++) {
		sb__puts(sb, i ? ", " : head);
		verdict__put_number(&v->nodes[list->at[i]], sb);
	}
	if (list->nr > MOST_NAMES)
		sb__printf(sb, " and %d more", list->nr - MOST_NAMES);
}

static void put_path(const struct grid_verdict *v, struct sb *sb)
{
	const struct grid_node *first = &v->nodes[v->path.at[0]];

	for (int i = 0; i < v->path.nr; i++) {
		sb__puts(sb, i ? " -> " : "");
		verdict__put_number(&v->nodes[v->path.at[i]], sb);
	}
	if (!first->has_threshold)
		sb__puts(sb, " (the largest loss: the tables have no thresholds)");
	else if (first->useful)
		sb__puts(sb, " (useful work: no other node is over its threshold)");
}

static void put_outcome(const struct grid_verdict *v, struct sb *sb)
{
	static const char *const words[] = {
		[OUTCOME_NOTHING_MEASURED] = "none: nothing was measured",
		[OUTCOME_UNCERTAIN] = "not certain",
		[OUTCOME_NOTHING_OVER] = "nothing is over its threshold",
		[OUTCOME_UNKNOWN] = "unknown: no threshold could be evaluated",
		[OUTCOME_TOO_LITTLE] = "none: too little was measured",
		[OUTCOME_IMPOSSIBLE] = "none: values of the first level are impossible",
		[OUTCOME_NOT_WHOLE] = "none",
		[OUTCOME_NOT_ALL] = "none: ",
	};

	if (v->outcome == OUTCOME_BOTTLENECK)
		put_path(v, sb);
	else
		sb__puts(sb, words[v->outcome]);
	if (v->outcome == OUTCOME_NOT_ALL)
		sb__puts(sb, v->reason);
	if (v->outcome == OUTCOME_NOT_WHOLE)
		sb__printf(sb, ": the first level adds up to %.1f %% of the slots, not to 100 %%",
			   v->top);
}

static const char *plural(int nr)
{
	return nr > 1 ? "s" : "";
}

/* Append the length and the bottleneck of each phase of a run. */
static void verdict__put_phases(const struct grid_verdict *v, const char *before, struct sb *sb)
{
	sb__printf(sb, "%s%d phases:", before, v->nr_phases);
	for (int i = 0; i < v->nr_phases; i++) {
		const struct grid_phase *p = &v->phases[i];

		sb__printf(sb, "\n" INDENT "  %.3f s to %.3f s: %s", p->start_ns * 1e-9,
			   p->end_ns * 1e-9, p->path.nr ? "" : "nothing over its threshold");
		for (int n = 0; n < p->path.nr; n++) {
			const struct grid_node *node = &v->nodes[p->path.at[n]];

			sb__printf(sb, "%s%s %.1f%s%s", n ? " -> " : "", node->name, p->values[n],
				   *node->unit ? " " : "", node->unit);
		}
	}
}

/*
 * Append "the same in 34 of 40 intervals, tma_frontend_bound in 6". In an interval nodes are
 * compared by their values, without errors.
 */
static void put_intervals(const struct grid_verdict *v, const char *before, struct sb *sb)
{
	if (v->nr_phases) {
		verdict__put_phases(v, before, sb);
		return;
	}
	if (v->intervals && v->path.nr)
		sb__printf(sb, "%sthe same in %d of %d interval%s", before, v->same, v->intervals,
			   plural(v->intervals));
	else if (v->intervals)
		sb__printf(sb, "%sby interval, of %d", before, v->intervals);
	if (v->other >= 0)
		sb__printf(sb, "%s%s in %d", v->path.nr ? ", " : ": ", v->nodes[v->other].name,
			   v->same_other);
	if (v->short_of)
		sb__printf(sb, "%s%d interval%s with too little counted to tell",
			   v->intervals ? "; " : before, v->short_of, plural(v->short_of));
}

/* Append "tma_a from 25.0 % of the time, in 3 groups at different times". */
static void put_estimated(const struct grid_node *n, const char *before, struct sb *sb)
{
	sb__printf(sb, "%s%s from %.1f %% of the time", before, n->name, 100 * n->share);
	if (n->groups > 1)
		sb__printf(sb, " in %d groups", n->groups);
}

/* Append which of these nodes were counted all the time, and so together, and which were not. */
static void put_measured(const struct grid_verdict *v, const struct grid_nodes *list, struct sb *sb)
{
	const char *together = "\n" INDENT "measured without multiplexing: ";
	const char *estimated = "\n" INDENT "estimated: ";
	int nr = list->nr < MOST_NAMES || list == &v->path ? list->nr : MOST_NAMES, whole = 0;

	if (nr && v->passes > 1) {
		sb__printf(sb, "\n" INDENT "counted all the time, in %d runs of the command",
			   v->passes);
		return;
	}
	for (int i = 0; i < nr; i++)
		whole += v->nodes[list->at[i]].whole;
	if (nr && whole == nr)
		sb__puts(sb, "\n" INDENT "measured without multiplexing");
	for (int i = 0; i < nr && whole < nr; i++) {
		if (!v->nodes[list->at[i]].whole)
			continue;
		sb__printf(sb, "%s%s", together, v->nodes[list->at[i]].name);
		together = ", ";
	}
	for (int i = 0; i < nr; i++) {
		if (v->nodes[list->at[i]].whole)
			continue;
		put_estimated(&v->nodes[list->at[i]], estimated, sb);
		estimated = ", ";
	}
	if (v->assumes && whole < nr)
		sb__puts(sb, "\n" INDENT "errors are not measured: rates are assumed to vary by "
					 "half from turn to turn");
}

/* Append "tma_a, tma_b or none", the candidates for the bottleneck. */
static void put_between(const struct grid_verdict *v, const char *head, struct sb *sb)
{
	int last = v->between.nr - !v->or_none;

	for (int i = 0; i < v->between.nr; i++)
		sb__printf(sb, "%s%s",
			   !i	       ? head
			   : i == last ? " or "
				       : ", ",
			   v->nodes[v->between.at[i]].name);
	if (v->between.nr && v->or_none)
		sb__puts(sb, " or none");
}

/* Append the doubts and their remedies. */
static void put_doubts(const struct grid_verdict *v, struct sb *sb)
{
	for (int i = 0; i < v->nr_doubts; i++)
		sb__printf(sb, "\n" INDENT "%s%s: %s", i ? "and " : "since ", v->doubts[i].why,
			   v->doubts[i].remedy);
	if (v->between.nr && !v->passes && v->times <= MOST_TIMES)
		sb__printf(sb, "\n" INDENT "about %.0f times as long would decide it",
			   ceil(v->times) > 1 ? ceil(v->times) : 2);
	if (v->nr_doubts && v->less_level)
		sb__printf(sb,
			   "\n" INDENT "with fewer metrics each is counted for longer: --td-level %d would "
				       "decide it sooner",
			   v->less_level);
}

/* Append why larger nodes are not the bottleneck. */
static void put_larger(const struct grid_verdict *v, struct sb *sb)
{
	for (int i = 0; i < v->larger.nr; i++) {
		const struct grid_node *n = &v->nodes[v->larger.at[i]];
		bool is_part = n->parent >= 0 && n->parent == v->path.at[v->path.nr - 1];

		sb__puts(sb, "\n" INDENT);
		verdict__put_number(n, sb);
		sb__puts(sb, is_part ? " is its largest child, but " : " is larger, but ");
		if (n->open)
			sb__puts(sb, "its threshold needs metrics that were not measured");
		else if (n->value <= n->limit)
			sb__printf(sb, "below its threshold of %g%s%s", n->limit,
				   *n->unit ? " " : "", n->unit);
		else
			sb__puts(sb, "its threshold, which uses other metrics, is not passed");
	}
}

/* Append the meaning of the bottleneck, what to try, and the greatest possible speedup. */
static void put_meaning(const struct grid_verdict *v, struct sb *sb)
{
	if (v->words.plain)
		sb__printf(sb, "\n" INDENT "%s: %s\n" INDENT "try: %s", v->words.plain,
			   v->words.means, v->words.remedy);
	if (v->bound > 1)
		sb__printf(sb, "\n" INDENT "without it at most %.2f times as fast (an upper bound)",
			   v->bound);
}

static void put_open(const struct grid_verdict *v, struct sb *sb)
{
	const char *before = "\n" INDENT
			     "not judged, as the threshold needs metrics that were not measured: ";

	for (int i = 0; i < v->open.nr; i++) {
		sb__printf(sb, "%s%s", before, v->nodes[v->open.at[i]].name);
		before = ", ";
	}
}

/* Append which command shows more than the last node of the path. */
static void put_next(const struct grid_verdict *v, struct sb *sb)
{
	static const char *const parts[] = {
		[PARTS_NONE] = "",
		[PARTS_UNDER] = "\n" INDENT "none of its children is over its threshold",
		[PARTS_UNCERTAIN] = "\n" INDENT "it is uncertain which of its children is the "
						"cause",
		[PARTS_NOT_MEASURED] = "\n" INDENT "its children were not measured; to go deeper: ",
		[PARTS_IMPOSSIBLE] = "\n" INDENT "the measured values of its children are "
						 "impossible",
		[PARTS_NOT_COMPUTED] =
			"\n" INDENT "the file also has the events of its children; to go deeper: ",
	};

	sb__puts(sb, parts[v->parts]);
	if (v->parts == PARTS_NONE && *v->next)
		sb__puts(sb, "\n" INDENT "which resource it is: ");
	if (v->parts == PARTS_UNCERTAIN)
		put_between(v, ": ", sb);
	if (*v->next)
		sb__printf(sb, WRAP_COMMAND "%s", v->next);
	if (*v->record)
		sb__printf(sb, "\n" INDENT "where in the program: " WRAP_COMMAND "perf record%s",
			   v->record);
}

/* Append the missing metrics if the first level does not add up. */
static void put_missing(const struct grid_verdict *v, struct sb *sb)
{
	if (v->missing && *v->missing)
		sb__printf(sb, "\n" INDENT "not computed: %s", v->missing);
	if (v->hint)
		sb__printf(sb, "\n" INDENT "%s", v->hint);
}

/* Append impossible values: the CPU counts wrongly, or a formula is wrong. */
static void put_misfits(const struct grid_verdict *v, struct sb *sb)
{
	for (int i = 0; i < v->nr_misfits; i++)
		sb__printf(sb, "%s%s", i ? "; " : "\n" INDENT "impossible: ", v->misfits[i]);
}

static void put_details(const struct grid_verdict *v, struct sb *sb)
{
	put_missing(v, sb);
	put_misfits(v, sb);
	if (v->path.nr)
		put_meaning(v, sb);
	put_intervals(v, "\n" INDENT, sb);
	put_larger(v, sb);
	verdict__put_list(v, &v->others, "\n" INDENT "also over their thresholds: ", sb);
	verdict__put_list(v, &v->uncertain, "\n" INDENT "not certain: ", sb);
	if (!v->path.nr)
		put_between(v, "\n" INDENT "undecided: ", sb);
	put_doubts(v, sb);
	if (!v->path.nr) {
		put_open(v, sb);
		put_measured(v, &v->uncertain, sb);
		return;
	}
	put_measured(v, &v->path, sb);
	put_next(v, sb);
}

/* Print the label without the blanks that align the label in text. */
static void print_label(const struct writer *w, int row, struct sb *sb)
{
	struct sb label = SB_INIT;
	const char *text;

	row__label(w, w->grid->aggr, &w->grid->rows[row], &label);
	text = sb__str(&label);
	dress__text(w, text + strspn(text, " "), sb);
	sb__free(&label);
}

/* Append " Verdict (S0, cpu_core, 65.0 % of the time): ". */
static void put_whose(struct writer *w, const struct grid_verdict *v, struct sb *sb)
{
	struct sb whose = SB_INIT;

	print_label(w, v->row, &whose);
	if (v->cgroup) {
		sb__puts(&whose, whose.len ? ", " : "");
		dress__text(w, v->cgroup, &whose);
	}
	if (v->core_name)
		sb__printf(&whose, "%s%s", whose.len ? ", " : "", v->core_name);
	if (v->share.known) {
		sb__puts(&whose, ", ");
		grid_share__print(v->share, "at least ", &whose);
		sb__puts(&whose, " % of the time");
	}
	sb__puts(sb, " Verdict");
	if (whose.len)
		sb__printf(sb, " (%s)", sb__str(&whose));
	sb__puts(sb, ": ");
	sb__free(&whose);
}

/* Return: a verdict; verdicts of threads are sorted like their rows, the longest running first. */
static const struct grid_verdict *nth_verdict(const struct grid *g, int n)
{
	int row = g->nr_rows ? n % g->nr_rows : 0;

	return &g->verdicts[g->ran.order ? n - row + g->ran.order[row] : n];
}

/*
 * Fold the text from offset @from on into lines as wide as the terminal; commands can still be
 * pasted.
 */
static void fold_verdict(struct writer *w, size_t from)
{
	auto_free(sb) others = SB_INIT;
	size_t end = from + strcspn(sb__str(&w->text) + from, "\n") + 1, between;

	sb__puts(&others, sb__str(&w->text) + end);
	sb__truncate(&w->text, end);
	/* The first line is indented by one column. */
	text__fold(w, from, strlen(INDENT) - 1);
	between = w->text.len;
	sb__puts(&w->text, sb__str(&others));
	text__fold(w, between, FOLD_INDENT);
}

void text__verdicts(struct writer *w)
{
	bool brief = w->grid->aggr != AGGR_GLOBAL;

	for (int i = 0; i < w->grid->nr_verdicts; i++) {
		const struct grid_verdict *v = nth_verdict(w->grid, i);
		bool measured = v->outcome != OUTCOME_NOTHING_MEASURED;
		size_t from = w->text.len;

		if (!measured && (brief || v->core_name))
			continue;
		put_whose(w, v, &w->text);
		put_outcome(v, &w->text);
		if (measured && brief) {
			verdict__put_list(v, &v->may_be_over, "; not certain: ", &w->text);
			put_intervals(v, "; ", &w->text);
		} else if (measured) {
			put_details(v, &w->text);
		}
		sb__putc(&w->text, '\n');
		fold_verdict(w, from);
	}
}

/* --- For programs ---------------------------------------------------------------------------- */

static void verdict__put_nodes(struct json *j, const char *key, const struct grid_verdict *v,
			       const struct grid_nodes *list)
{
	json__open(j, key, '[');
	for (int i = 0; i < list->nr; i++) {
		const struct grid_node *n = &v->nodes[list->at[i]];

		json__open(j, NULL, '{');
		json__text(j, "name", n->name);
		json__double(j, "value", n->value);
		json__double(j, "error", n->error);
		json__text(j, "unit", n->unit);
		json__double(j, "running_percent", 100 * n->share);
		json__int(j, "level", n->level);
		json__double(j, "threshold", n->limit);
		json__close(j, '}');
	}
	json__close(j, ']');
}

static void put_phase_members(struct json *j, const struct grid_verdict *v)
{
	json__open(j, "phases", '[');
	for (int i = 0; i < v->nr_phases; i++) {
		const struct grid_phase *p = &v->phases[i];

		json__open(j, NULL, '{');
		json__double(j, "start", p->start_ns * 1e-9);
		json__double(j, "end", p->end_ns * 1e-9);
		json__int(j, "intervals", p->intervals);
		json__open(j, "path", '[');
		for (int n = 0; n < p->path.nr; n++) {
			const struct grid_node *node = &v->nodes[p->path.at[n]];

			json__open(j, NULL, '{');
			json__text(j, "name", node->name);
			json__double(j, "value", p->values[n]);
			json__text(j, "unit", node->unit);
			json__int(j, "level", node->level);
			json__close(j, '}');
		}
		json__close(j, ']');
		json__close(j, '}');
	}
	json__close(j, ']');
}

static void put_misfit_members(struct json *j, const struct grid_verdict *v)
{
	json__open(j, "contradictions", '[');
	for (int i = 0; i < v->nr_misfits; i++)
		json__text(j, NULL, v->misfits[i]);
	json__close(j, ']');
}

void grid_verdict__members(struct json *j, const struct grid_verdict *v)
{
	int end = v->path.nr ? v->path.at[v->path.nr - 1] : -1;

	json__text(j, "pmu", v->core_name ? v->core_name : "");
	json__text(j, "bottleneck", end < 0 ? "" : v->nodes[end].name);
	verdict__put_nodes(j, "path", v, &v->path);
	verdict__put_nodes(j, "also_over", v, &v->others);
	verdict__put_nodes(j, "not_certain", v, &v->uncertain);
	verdict__put_nodes(j, "larger", v, &v->larger);
	verdict__put_nodes(j, "undecided", v, &v->between);
	json__double(j, "times_as_long", v->times <= MOST_TIMES ? v->times : (double)NAN);
	json__text(j, "plain", v->words.plain ?: "");
	json__text(j, "meaning", v->words.means ?: "");
	json__text(j, "try", v->words.remedy ?: "");
	json__double(j, "speedup_bound", v->bound);
	json__text(j, "reason", v->reason);
	if (v->nr_misfits)
		put_misfit_members(j, v);
	json__text(j, "next", v->next ? v->next : "");
	json__text(j, "sample", v->sample ? v->sample : "");
	json__int(j, "intervals", v->intervals);
	json__int(j, "same_intervals", v->same);
	if (v->nr_phases)
		put_phase_members(j, v);
}

void json_perf__verdicts(struct writer *w)
{
	for (int i = 0; i < w->grid->nr_verdicts; i++) {
		const struct grid_verdict *v = &w->grid->verdicts[i];
		struct json j = JSON_INIT(&w->text, JSON_SPACED);

		if (v->outcome == OUTCOME_NOTHING_MEASURED)
			continue;
		json__open(&j, NULL, '{');
		json__open(&j, "verdict", '{');
		j.style = JSON_COMPACT;
		json__escaped(&j, "place", w->perfs->labels[v->row]);
		json__text(&j, "cgroup", v->cgroup ? v->cgroup : "");
		grid_verdict__members(&j, v);
		json__close(&j, '}');
		json__close(&j, '}');
	}
}
