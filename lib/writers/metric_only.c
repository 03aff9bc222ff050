// SPDX-License-Identifier: GPL-2.0-only
/* --metric-only prints one line of metrics for each row, with the same columns in every line. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "writers/perfs.h"

#define SHARE_HEAD "% of time"
#define SHARE_HEAD_OF "%% of time (%s)" /* format of the name of a core type */
#define SHARE_WIDTH 9
#define RAN_HEAD "% of CPU time"
#define RAN_WIDTH 13
#define METRIC_WIDTH 8 /* width of a number that figure__text() prints */
/* perf's headings, which are narrower than the fields below them. */
#define PORT_HEAD "   port         "
#define PORT_HEAD_OF_INTERVAL "#          time    port         "

/* --- Columns --------------------------------------------------------------------------------- */

static const struct table *table_of(const struct writer *w)
{
	return &w->perfs->table;
}

static const struct grid_column *metric_only__column_of(const struct writer *w,
							const struct table_column *c)
{
	return &w->grid->columns[c->number];
}

/* On a hybrid machine the heading of a column names the core type, unless rows name it. */
static const char *metric_only__name_column(struct writer *w, const struct grid_column *c)
{
	struct sb sb = SB_INIT;

	if (c->form == FORM_SCALED)
		sb__printf(&sb, "%s  ", c->unit);
	if (c->kind == GRID_RATIO && text__has_prefix(c->label, "of all"))
		sb__printf(&sb, "%s ", c->of);
	sb__puts(&sb, c->label);
	if (c->core_name && !table_of(w)->row_per_core)
		sb__printf(&sb, " (%s)", c->core_name);
	return dress_sb(w, &sb);
}

static void add_column(struct writer *w, struct table *t, int number)
{
	const struct grid_column *c = &w->grid->columns[number];
	struct table_column *to = &t->columns[t->nr++];

	to->number = number;
	to->name = metric_only__name_column(w, c);
	to->width = text__width(to->name);
	if (to->width < METRIC_ONLY_WIDTH)
		to->width = METRIC_ONLY_WIDTH;
	t->assumes |= c->may_assume;
}

static int metric_only__compare(const void *a, const void *b, void *writer)
{
	const struct table_column *ta = a, *tb = b;
	const struct writer *w = writer;
	const struct grid_column *ca = metric_only__column_of(w, ta),
				 *cb = metric_only__column_of(w, tb);

	if (ca->core != cb->core)
		return grid__cmp_cores(w->grid, ca->core, cb->core);
	if (ta->slot != tb->slot)
		return ta->slot - tb->slot;
	return ca->rank != cb->rank ? ca->rank - cb->rank : ta->number - tb->number;
}

/*
 * Return: the slot of a column. If each core type has a row, columns of the same name share a slot.
 */
static int find_slot(const struct writer *w, const struct table *t, const struct table_column *c)
{
	for (const struct table_column *other = t->columns; t->row_per_core && other < c; other++)
		if (metric_only__column_of(w, other)->core != metric_only__column_of(w, c)->core &&
		    !strcmp(other->name, c->name))
			return other->slot;
	return t->nr_headings;
}

/*
 * Find the first column of each slot by its number in the grid, since sorting by slots has moved
 * columns.
 */
static void find_headings(struct writer *w, struct table *t)
{
	t->headings = arena__calloc(&w->memory, t->nr, sizeof(*t->headings));
	for (int i = 0; i < t->nr; i++) {
		struct table_column *c = &t->columns[i];

		c->slot = find_slot(w, t, c);
		if (c->slot == t->nr_headings)
			t->headings[t->nr_headings++] = c->number;
	}
	if (t->row_per_core)
		qsort_r(t->columns, t->nr, sizeof(*t->columns), metric_only__compare, w);
	for (int slot = 0; slot < t->nr_headings; slot++)
		for (int i = 0; i < t->nr; i++)
			if (t->columns[i].number == t->headings[slot]) {
				t->headings[slot] = i;
				break;
			}
}

void table__begin(struct writer *w)
{
	const struct grid *g = w->grid;
	struct table *t = &w->perfs->table;

	t->row_per_core = w->perfs->form == IN_TEXT && g->cores.nr;
	for (int i = 0; t->row_per_core && i < g->cores.nr; i++)
		if (text__width(g->cores.at[i]) > t->core_width)
			t->core_width = text__width(g->cores.at[i]);
	t->columns = arena__calloc(&w->memory, g->blocks[0].nr, sizeof(*t->columns));
	for (int i = g->blocks[0].first; i < g->blocks[0].first + g->blocks[0].nr; i++)
		if (g->columns[i].kind == GRID_METRIC || g->columns[i].in_metric_only)
			add_column(w, t, i);
	qsort_r(t->columns, t->nr, sizeof(*t->columns), metric_only__compare, w);
	find_headings(w, t);
}

/* --- Lines ----------------------------------------------------------------------------------- */

/* A line belongs to a row and to a block of columns; all blocks have the same columns. */
struct line_place {
	int row, block;
};

static const struct grid_cell *cell_of(const struct writer *w, const struct table_column *c,
				       const struct line_place *at)
{
	const struct grid_block *blocks = w->grid->blocks;

	return grid__cell(w->grid, c->number - blocks[0].first + blocks[at->block].first, at->row);
}

/* Make the figures of a line's columns, in perfs.figures. */
static const struct figure *make_figures(const struct writer *w, const struct line_place *at)
{
	struct figure *figures = w->perfs->figures;
	const struct table *t = table_of(w);

	for (int i = 0; i < t->nr; i++)
		figures[i] = figure__make(metric_only__column_of(w, &t->columns[i]),
					cell_of(w, &t->columns[i], at));
	return figures;
}

/* Align a number with the right end of its heading, without counting the bytes of the colour. */
static void put_text(struct writer *w, const struct table_column *c, const struct figure *f)
{
	size_t start = w->text.len, before_error;
	int len;

	if (f->empty) {
		sb__pad(&w->text, c->width + 1);
		return;
	}
	len = figure__text(w, &w->text, f);
	before_error = w->text.len;
	figure__error(w, &w->text, f);
	len += w->text.len - before_error;
	sb__indent(&w->text, start, c->width - len);
	sb__putc(&w->text, ' ');
}

static bool metric_only__is_counted(const struct writer *w, const struct line_place *at, int first,
				    int end)
{
	for (int i = first; i < end; i++)
		if (cell_of(w, &table_of(w)->columns[i], at)->counted)
			return true;
	return false;
}

static const struct table_column *metric_only__heading(const struct table *t, int slot)
{
	return &t->columns[t->headings[slot]];
}

/* Append the values of a line of text under their headings, from column @first to before @end. */
static void put_values(struct writer *w, const struct line_place *at, int first, int end)
{
	const struct figure *figures = make_figures(w, at);
	const struct table *t = table_of(w);

	/* A task that never ran on cores of this type has no values in the row. */
	if (t->row_per_core && !metric_only__is_counted(w, at, first, end)) {
		dress__right(&w->text, "<not counted>", metric_only__heading(t, 0)->width);
		return;
	}
	for (int slot = 0; slot < t->nr_headings; slot++) {
		if (first < end && t->columns[first].slot == slot) {
			put_text(w, &t->columns[first], &figures[first]);
			first++;
		} else {
			sb__pad(&w->text, metric_only__heading(t, slot)->width + 1);
		}
	}
}

static bool has_core(const struct writer *w, int core)
{
	const struct table *t = table_of(w);

	for (int i = 0; i < t->nr; i++)
		if (metric_only__column_of(w, &t->columns[i])->core == core)
			return true;
	return false;
}

static bool metric_only__is_number(const struct figure *f)
{
	return !f->empty && isfinite(f->value);
}

/*
 * If @print, append "a; b", the columns that are computed from assumed latencies. Return: whether
 * there are such columns.
 */
static bool put_assumed(struct writer *w, const struct figure *figures, bool print)
{
	const struct table *t = table_of(w);
	bool some = false;

	for (int i = 0; i < t->nr; i++) {
		if (figures[i].empty || !figures[i].assumed)
			continue;
		if (print && some)
			sb__puts(&w->text, "; ");
		if (print)
			sb__puts(&w->text, t->columns[i].name);
		some = true;
	}
	return some;
}

static void metric_only__put_csv(struct writer *w, const struct line_place *at)
{
	const struct figure *figures = make_figures(w, at);
	const struct table *t = table_of(w);
	const char *separator = w->opts.separator;

	for (int i = 0; i < t->nr; i++) {
		if (!figures[i].empty)
			figure__bare(&w->text, &figures[i]);
		sb__puts(&w->text, separator);
	}
	for (int core = 0; w->grid->shares && core < w->grid->cores.nr; core++) {
		if (!has_core(w, core))
			continue;
		grid_share__print(*grid__share(w->grid, core, at->row), "", &w->text);
		sb__puts(&w->text, separator);
	}
	if (t->assumes) {
		put_assumed(w, figures, true);
		sb__puts(&w->text, separator);
	}
	for (int i = 0; w->opts.error && i < t->nr; i++) {
		if (metric_only__is_number(&figures[i]))
			figure__error_bare(&w->text, figures[i].error);
		sb__puts(&w->text, separator);
	}
}

/* Begin a member whose key contains a name. */
static void put_key(struct writer *w, struct json *j, const char *fmt, const char *name)
{
	struct sb *key = &w->scratch;

	sb__clear(key);
	sb__printf(key, fmt, name);
	json__key(j, sb__str(key));
}

static void put_json(struct writer *w, const struct line_place *at, struct json *j)
{
	const struct figure *figures = make_figures(w, at);
	const struct table *t = table_of(w);
	bool some = false;

	for (int i = 0; i < t->nr; i++) {
		if (!metric_only__is_number(&figures[i]))
			continue;
		json__begin_text(j, t->columns[i].name);
		figure__bare(&w->text, &figures[i]);
		json__end_text(j);
		some = true;
	}
	if (!some)
		json__escaped(j, "metric-value", "none");
	for (int core = 0; w->grid->shares && core < w->grid->cores.nr; core++) {
		const struct grid_share *share = grid__share(w->grid, core, at->row);

		if (!has_core(w, core) || !share->known)
			continue;
		put_key(w, j, SHARE_HEAD_OF, w->grid->cores.at[core]);
		sb__putc(&w->text, '"');
		grid_share__print(*share, "", &w->text);
		sb__putc(&w->text, '"');
	}
	if (t->assumes && put_assumed(w, figures, false)) {
		json__begin_text(j, "assumed");
		put_assumed(w, figures, true);
		json__end_text(j);
	}
	for (int i = 0; w->opts.error && i < t->nr; i++) {
		if (!metric_only__is_number(&figures[i]) || !isfinite(figures[i].error))
			continue;
		put_key(w, j, "%s error", t->columns[i].name);
		figure__error_bare(&w->text, figures[i].error);
	}
}

/* Return: a line with its time and place, whose values cover @nr CPUs or threads. */
static struct line line_of(const struct writer *w, const struct line_place *at, int nr)
{
	return (struct line){ .row = &w->grid->rows[at->row], .number = at->row, .nr = nr,
			      .cgroup = w->perfs->cgroups[at->block] };
}

/*
 * Return: the end of the columns that are in one row with column @first: the number after the last
 * of them.
 */
static int row_end(const struct writer *w, int first)
{
	const struct table *t = table_of(w);
	int end = first;

	while (end < t->nr &&
	       (!t->row_per_core || metric_only__column_of(w, &t->columns[end])->core ==
					    metric_only__column_of(w, &t->columns[first])->core))
		end++;
	return end;
}

/*
 * Return: number of the row's CPUs or threads that were counted for these columns. For columns of a
 * core type this is the number of CPUs of that type, which may be 0: an E-core has no row of
 * P-cores.
 */
static int nr_units(const struct writer *w, const struct line_place *at, int first, int end)
{
	const struct table *t = table_of(w);
	int nr = w->grid->rows[at->row].nr_units;

	for (int i = first; i < end && t->row_per_core; i++) {
		const struct grid_cell *cell = cell_of(w, &t->columns[i], at);
		bool of_core = metric_only__column_of(w, &t->columns[i])->core < w->grid->cores.nr;

		if (cell->present)
			return of_core ? cell->nr : nr;
	}
	return t->row_per_core ? 0 : nr;
}

/* Append the share of a task's time that the row covers. */
static void put_share(struct writer *w, const struct grid_share *share)
{
	size_t start = w->text.len;

	if (share)
		grid_share__print(*share, ">=", &w->text);
	sb__indent(&w->text, start, SHARE_WIDTH - (int)(w->text.len - start));
	sb__putc(&w->text, ' ');
}

static void put_core(struct writer *w, const struct line_place *at, int first)
{
	const struct table *t = table_of(w);
	int core;

	if (!t->row_per_core)
		return;
	core = metric_only__column_of(w, &t->columns[first])->core;
	dress__left(&w->text, core < w->grid->cores.nr ? w->grid->cores.at[core] : "",
		    t->core_width);
	sb__putc(&w->text, ' ');
	if (w->grid->shares)
		put_share(w, grid__share(w->grid, core, at->row));
}

static void put_text_prefix(struct writer *w, const struct line *line)
{
	const struct grid_ran *ran = &w->grid->ran;

	text__line(w, line, LINE_PREFIX);
	if (w->grid->has_ports) {
		sb__printf(&w->text, "%s ", line->cgroup);
		return;
	}
	/* The heading begins with a blank, as the values do. */
	if (w->grid->span != SPAN_INTERVAL && !text__label_width(w))
		sb__putc(&w->text, ' ');
	if (ran->order)
		sb__printf(&w->text, "%*.1f ", RAN_WIDTH,
			   100.0 * ran->ns[line->number] / ran->total_ns);
	if (w->grid->has_cgroups) {
		dress__left(&w->text, line->cgroup, CGROUP_WIDTH);
		sb__putc(&w->text, ' ');
	}
}

/* Since there are many sites, the bottleneck of each is at the end of its line. */
static void put_bottleneck(struct writer *w, const struct line *line)
{
	sb__printf(&w->text, " %s", line->row->bottleneck);
}

static void put_text_lines(struct writer *w, const struct line_place *at)
{
	int first = 0, end, nr;

	do {
		end = row_end(w, first);
		nr = nr_units(w, at, first, end);
		if (nr) {
			const struct line line = line_of(w, at, nr);

			put_text_prefix(w, &line);
			put_core(w, at, first);
			put_values(w, at, first, end);
			if (!first && line.row->bottleneck)
				put_bottleneck(w, &line);
			sb__putc(&w->text, '\n');
		}
		first = end;
	} while (first < table_of(w)->nr);
}

static void put_csv_line(struct writer *w, const struct line_place *at)
{
	const struct line line = line_of(w, at, w->grid->rows[at->row].nr_units);

	perfs__line(w, &line, LINE_PREFIX);
	if (w->perfs->layouts[LINE_PREFIX].nr)
		sb__puts(&w->text, w->opts.separator);
	metric_only__put_csv(w, at);
	if (row_kind__is_site(w->grid->aggr))
		sb__printf(&w->text, "%s%s", line.row->bottleneck ?: "", w->opts.separator);
	sb__putc(&w->text, '\n');
}

static void put_json_line(struct writer *w, const struct line_place *at)
{
	const struct line line = line_of(w, at, w->grid->rows[at->row].nr_units);
	struct json j = JSON_INIT(&w->text, JSON_SPACED);

	json__open(&j, NULL, '{');
	fields__members(w, &line, LINE_PREFIX, &j);
	put_json(w, at, &j);
	if (line.row->near)
		json__bool(&j, "near", true);
	if (line.row->bottleneck)
		json__text(&j, "bottleneck", line.row->bottleneck);
	json__close(&j, '}');
}

void metric_only__rows(struct writer *w)
{
	static void (*const put[])(struct writer *w, const struct line_place *at) = {
		[IN_TEXT] = put_text_lines, [IN_CSV] = put_csv_line, [IN_JSON] = put_json_line,
	};
	const struct grid *g = w->grid;
	struct line_place at;

	/*
	 * With -A, CPUs on which no event of the plan counts have no line. Idle threads have no
	 * line either.
	 */
	for (at.block = 0; at.block < g->nr_blocks; at.block++)
		for (int i = 0; i < g->nr_rows; i++) {
			at.row = g->ran.order ? g->ran.order[i] : i;
			if (g->present[at.block * g->nr_rows + at.row] &&
			    (!g->ran.order || g->ran.ns[at.row]))
				put[w->perfs->form](w, &at);
		}
}

/* --- Width ----------------------------------------------------------------------------------- */

/* Return: the width of the fields before the values: time and place. */
static int prefix_width(const struct writer *w)
{
	const struct grid *g = w->grid;
	const struct table *t = table_of(w);
	int width = text__label_width(w) + (t->row_per_core ? t->core_width + 1 : 0);

	if (g->span == SPAN_INTERVAL)
		width += TIME_WIDTH + 1;
	else if (!text__label_width(w))
		width++;
	if (g->has_ports)
		width += strlen(PORT_HEAD);
	else if (g->has_cgroups)
		width += CGROUP_WIDTH + 1;
	width += g->ran.order ? RAN_WIDTH + 1 : 0;
	return width + (t->row_per_core && g->shares ? SHARE_WIDTH + 1 : 0);
}

/* The last column is followed by a blank, too. */
static int table_width(const struct writer *w)
{
	const struct table *t = table_of(w);
	int width = prefix_width(w);

	for (int i = 0; i < t->nr_headings; i++)
		width += metric_only__heading(t, i)->width + 1;
	return width;
}

bool metric_only__fit(struct writer *w, int width)
{
	struct table *t = &w->perfs->table;
	int least = METRIC_WIDTH + (w->opts.error ? METRIC_ERROR_WIDTH : 0);

	if (table_width(w) <= width)
		return true;
	for (int i = 0; i < t->nr; i++) {
		int name = text__width(t->columns[i].name);

		t->columns[i].width = name < least ? least : name;
	}
	return table_width(w) <= width;
}

/* --- Headings -------------------------------------------------------------------------------- */

static void put_csv_heads(struct writer *w)
{
	const struct table *t = table_of(w);
	const char *separator = w->opts.separator;
	size_t before = w->text.len;

	fields__heads(w, LINE_PREFIX);
	if (w->text.len > before)
		sb__puts(&w->text, separator);
	for (int i = 0; i < t->nr; i++)
		sb__printf(&w->text, "%s%s", t->columns[i].name, separator);
	for (int core = 0; w->grid->shares && core < w->grid->cores.nr; core++) {
		if (!has_core(w, core))
			continue;
		sb__printf(&w->text, SHARE_HEAD_OF, w->grid->cores.at[core]);
		sb__puts(&w->text, separator);
	}
	if (t->assumes)
		sb__printf(&w->text, "assumed%s", separator);
	for (int i = 0; w->opts.error && i < t->nr; i++)
		sb__printf(&w->text, "%s error%s", t->columns[i].name, separator);
	if (row_kind__is_site(w->grid->aggr))
		sb__printf(&w->text, "bottleneck%s", separator);
	sb__putc(&w->text, '\n');
}

static void put_text_heads(struct writer *w)
{
	const struct table *t = table_of(w);
	int indent = w->grid->span == SPAN_INTERVAL ? 0 : text__label_width(w);

	if (indent && row_kind__is_site(w->grid->aggr))
		dress__left(&w->text, row_kinds[w->grid->aggr].key, indent);
	else
		sb__pad(&w->text, indent ? indent : 1);
	if (w->grid->ran.order)
		sb__puts(&w->text, RAN_HEAD " ");
	if (w->grid->has_ports)
		sb__puts(&w->text, w->grid->span == SPAN_INTERVAL ? PORT_HEAD_OF_INTERVAL
								  : PORT_HEAD);
	else if (w->grid->has_cgroups)
		sb__printf(&w->text, "%-*s ", CGROUP_WIDTH, "cgroup");
	if (t->row_per_core) {
		dress__left(&w->text, "pmu", t->core_width);
		sb__putc(&w->text, ' ');
		if (w->grid->shares)
			sb__puts(&w->text, SHARE_HEAD " ");
	}
	for (int i = 0; i < t->nr_headings; i++) {
		dress__right(&w->text, metric_only__heading(t, i)->name,
			     metric_only__heading(t, i)->width);
		sb__putc(&w->text, ' ');
	}
	if (row_kind__is_site(w->grid->aggr))
		sb__puts(&w->text, " bottleneck");
	sb__putc(&w->text, '\n');
}

/* CSV and text print the names of the columns above the rows; JSON has them in every line. */
void metric_only__heads(struct writer *w)
{
	if (w->perfs->form == IN_CSV)
		put_csv_heads(w);
	else if (w->perfs->form == IN_TEXT)
		put_text_heads(w);
}
