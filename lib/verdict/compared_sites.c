// SPDX-License-Identifier: GPL-2.0-only
#include "verdict/compared_sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "grid/grid.h"

#define NS_PER_S 1e9
#define OTHERS "" /* name of the row that sums up the small sites of a run */

/* --- Names --------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Compilers make clones of a function, but not in every build: "walk.isra.0". */
static size_t without_clone(const char *name)
{
	static const char *const marks[] = {".isra.", ".constprop.", ".part.",	 ".cold",
					    ".llvm.", ".lto_priv.",  " [clone ."};
	size_t len = strlen(name);

	for (int i = 0; i < (int)(sizeof(marks) / sizeof(*marks)); i++) {
		const char *at = strstr(name, marks[i]);

		if (at && at > name && (size_t)(at - name) < len)
			len = at - name;
	}
	return len;
}

/*
 * In a run with several functions of the same name, the file follows the name in parentheses.
 * Return: the name without the file, owned by the caller.
 */
static char *plain_name(const char *name, const char *object)
{
	auto_text file = xasprintf(" (%s)", last_part(object));
	auto_text plain =
		xstrndup(name, strlen(name) - (text__has_suffix(name, file) ? strlen(file) : 0));

	return xstrndup(plain, without_clone(plain));
}

/*
 * Return: the name of a file without the version after ".so": "libm.so.5" and "libm.so.6" are the
 * same library, but "libm-2.36.so" is another. "" for the program.
 */
static char *plain_object(const char *object, const char *program)
{
	const char *name = last_part(object);
	const char *version = strstr(name, ".so.");

	if (program && !strcmp(name, program))
		return xstrdup("");
	return xstrndup(name, version ? version + 3 - name : (int)strlen(name));
}

/* --- Sites --------------------------------------------------------------------------------- */

static int add_site(struct compared_sites *s, char *name, char *object)
{
	for (int i = 0; i < s->nr; i++)
		if (!strcmp(s->at[i].name, name) && !strcmp(s->at[i].object, object)) {
			free(name);
			free(object);
			return i;
		}
	vec__push(s, (struct compared_site){
			     .name = name,
			     .object = object,
			     .runs = xcalloc(s->nr_sides, sizeof(struct site_values)),
			     .errors = xcalloc(s->nr_sides, sizeof(double)),
			     .match = -1,
		     });
	return s->nr - 1;
}

int compared_sites__add(struct compared_sites *s, const char *name, const char *object)
{
	return add_site(s, xstrndup(name, without_clone(name)), xstrdup(object));
}

int compared_site__node(struct compared_site *site, int nr_sides, const char *name,
			const char *core_name)
{
	for (int i = 0; i < site->nodes.nr; i++)
		if (!strcmp(site->nodes.at[i].name, name) &&
		    text__same(site->nodes.at[i].core_name, core_name))
			return i;
	vec__push(&site->nodes, (struct site_node){
					.name = xstrdup(name),
					.unit = xstrdup(""),
					.core_name = xstrdup(core_name),
					.series = xcalloc(nr_sides, sizeof(struct series)),
				});
	return site->nodes.nr - 1;
}

static void make_room(struct compared_sites *s)
{
	if (s->nr_runs)
		return;
	s->nr_runs = xcalloc(s->nr_sides, sizeof(*s->nr_runs));
	s->nr_grains = xcalloc(s->nr_sides, sizeof(*s->nr_grains));
	s->grains = xcalloc(s->nr_sides, sizeof(*s->grains));
}

/* Append 0 for rows in which the site had no samples. */
static void pad(struct site_values *values, int nr)
{
	while (values->nr < nr)
		vec__push(values, 0);
}

/* --- A row --------------------------------------------------------------------------------- */

/**
 * struct site_row - a grid of rows of code, with facts that hold for all rows
 * @share, @samples: numbers of the columns "share" and "samples", or -1
 * @whole: the time that shares divide; NAN if each row has its own count of cycles
 * @scale: factor from times to @unit
 */
struct site_row {
	const struct grid *g;
	int share, samples;
	double whole, scale;
	const char *unit;
};

static int find_column(const struct grid *g, const char *name)
{
	for (int i = 0; i < g->nr_columns; i++)
		if (g->columns[i].kind == GRID_METRIC && g->columns[i].rank < 0 &&
		    !strcmp(g->columns[i].name, name))
			return i;
	return -1;
}

static bool has_cycles(const struct grid *g)
{
	for (int i = 0; i < g->nr_columns; i++)
		if (g->columns[i].is_cycles)
			return true;
	return false;
}

static struct site_row make_site_row(const struct grid *g, const struct sites_taken *taken)
{
	bool interval = g->span == SPAN_INTERVAL && g->elapsed_ns;
	struct site_row row = {
		.g = g,
		.share = find_column(g, "share"),
		.samples = find_column(g, "samples"),
		.scale = interval ? NS_PER_S / g->elapsed_ns : 1,
		.whole = NAN,
	};

	if (taken->cpu_time && g->has_cpu_time) {
		row.whole = (g->user_ns + g->system_ns) / NS_PER_S;
		row.unit = interval ? "s/s" : "s";
	} else if (has_cycles(g)) {
		row.unit = interval ? "cycles/s" : "cycles";
	} else {
		row.unit = interval ? "s/s" : "s";
	}
	return row;
}

static double number_at(const struct grid *g, int column, int row)
{
	const struct grid_cell *cell = column < 0 ? NULL : grid__cell(g, column, row);

	return cell && cell->present && isfinite(cell->value) ? cell->value : 0;
}

/* Return: the cycles of a row, which is the sum of the first event of cycles of each core type. */
static double cycles_of_row(const struct grid *g, int row)
{
	double sum = 0;

	for (int i = 0; i < g->nr_columns; i++) {
		bool first = g->columns[i].is_cycles;

		for (int before = 0; before < i && first; before++)
			first = !g->columns[before].is_cycles ||
				g->columns[before].core != g->columns[i].core;
		if (first)
			sum += number_at(g, i, row);
	}
	return sum;
}

/*
 * Return: the CPU time of a row in ms, from the kernel's clock: it is counted without hardware
 * counters.
 */
static double clock_of_row(const struct grid *g, int row)
{
	for (int i = 0; i < g->nr_columns; i++)
		if (g->columns[i].kind == GRID_EVENT && text__same(g->columns[i].unit, "msec"))
			return number_at(g, i, row) / 1000;
	return 0;
}

static double time_of_row(const struct site_row *r, int row)
{
	double time = isfinite(r->whole) ? r->whole * number_at(r->g, r->share, row) / 100
		      : has_cycles(r->g) ? cycles_of_row(r->g, row)
					 : clock_of_row(r->g, row);

	return time * r->scale;
}

static void compared_sites__add_row(struct site_values *rows, int number, double value)
{
	pad(rows, number);
	if (rows->nr == number)
		vec__push(rows, value);
	else
		rows->at[number] += value;
}

/* Return: the error of a row's time, which follows from the error of the row's share. */
static double error_of_row(const struct site_row *r, int row, double time)
{
	const struct grid_cell *cell = r->share < 0 ? NULL : grid__cell(r->g, r->share, row);
	double share = number_at(r->g, r->share, row);

	if (!cell || !cell->more || !(share > 0) || !isfinite(cell->more->error))
		return 0;
	return time * cell->more->error / share;
}

static void pad_unknown(struct site_values *values, int nr)
{
	while (values->nr < nr)
		vec__push(values, (double)NAN);
}

static void take_node(struct compared_sites *s, struct compared_site *site,
		      const struct site_row *r, int column, int row)
{
	const struct grid_column *c = &r->g->columns[column];
	const struct grid_cell *cell = grid__cell(r->g, column, row);
	struct site_node *node;
	int number;

	if (c->kind != GRID_METRIC || !c->level || !cell->present || !isfinite(cell->value))
		return;
	number = compared_site__node(site, s->nr_sides, c->name, c->core_name);
	node = &site->nodes.at[number];
	free(node->unit);
	free(node->parent);
	node->unit = xstrdup(c->unit);
	node->parent = c->parent >= 0 ? xstrdup(r->g->columns[c->parent].name) : NULL;
	node->level = c->level;
	pad_unknown(&node->rows, s->nr_rows);
	vec__push(&node->rows, cell->value);
	if (cell->more && isfinite(cell->more->error))
		node->error += cell->more->error;
}

/* Find or add the site of a row. Clones of a function are the same site. */
static int site_of_row(struct compared_sites *s, const struct site_row *r, int row,
		       const char *program)
{
	const struct grid_row *at = &r->g->rows[row];
	const char *path = at->object ?: "";
	bool is_program;
	char *object;
	int number;

	if (row == r->g->nr_rows - 1)
		return add_site(s, xstrdup(OTHERS), xstrdup(""));
	object = plain_object(path, program);
	is_program = !*object && !strcmp(at->comm, last_part(path));
	number = add_site(s, plain_name(at->comm, path), object);
	s->at[number].is_program = is_program;
	return number;
}

/* Take the nodes of a site from the clone of the function that has at least 90 % of the time. */
static void take_nodes(struct compared_sites *s, struct compared_site *site,
		       const struct site_row *r, int row, double before)
{
	double time = time_of_row(r, row);

	for (int i = 0; i < r->g->nr_columns && !before; i++)
		take_node(s, site, r, i, row);
	for (int i = 0; i < site->nodes.nr && 9 * time > before && before; i++) {
		struct site_values *rows = &site->nodes.at[i].rows;

		if (rows->nr > s->nr_rows)
			rows->at[s->nr_rows] = NAN;
	}
}

static void take_site(struct compared_sites *s, const struct site_row *r, int row,
		      const char *program)
{
	double time = time_of_row(r, row), before;
	struct compared_site *site;
	int number;

	if (!(time > 0) || !r->g->rows[row].comm)
		return;
	/* Adding a site may move all sites in memory. */
	number = site_of_row(s, r, row, program);
	site = &s->at[number];
	before = site->rows.nr > s->nr_rows ? site->rows.at[s->nr_rows] : 0;
	compared_sites__add_row(&site->rows, s->nr_rows, time);
	site->error += error_of_row(r, row, time);
	if (*site->name)
		take_nodes(s, site, r, row, before);
}

/* Without samples the time cannot be divided among sites: add it to the row of other sites. */
static void take_unsampled(struct compared_sites *s, const struct site_row *r)
{
	int number = add_site(s, xstrdup(OTHERS), xstrdup(""));

	if (isfinite(r->whole))
		compared_sites__add_row(&s->at[number].rows, s->nr_rows, r->whole * r->scale);
}

static bool takes_unit(struct compared_sites *s, const char *kind, const char *unit)
{
	make_room(s);
	s->kind = s->kind ?: kind;
	s->unit = s->unit ?: unit;
	s->mixed |= strcmp(s->unit, unit) != 0;
	return !strcmp(s->unit, unit);
}

void compared_sites__take(struct compared_sites *s, int side, const struct grid *g,
			  const struct sites_taken *taken)
{
	struct site_row r = make_site_row(g, taken);
	double samples = 0, time = 0;

	if (g->is_total || !takes_unit(s, row_kinds[g->aggr].key, r.unit))
		return;
	for (int row = 0; row < g->nr_rows; row++) {
		samples += number_at(g, r.samples, row);
		time += time_of_row(&r, row);
		take_site(s, &r, row, taken->program);
	}
	if (samples > 0) {
		s->grains[side] += time / samples;
		s->nr_grains[side]++;
	} else {
		take_unsampled(s, &r);
	}
	s->nr_rows++;
}

/* --- A run --------------------------------------------------------------------------------- */

static void end_node(struct site_node *node, int side)
{
	struct series *series = &node->series[side];

	if (node->rows.nr == 1)
		series__add(series, node->rows.at[0], node->error);
	else
		series__add_parts(series, node->rows.at, node->rows.nr);
	vec__free(&node->rows);
	node->error = 0;
}

static void end_site(struct compared_sites *s, struct compared_site *site, int side, bool single)
{
	auto_free(series) values = {.at = NULL};

	pad(&site->rows, s->nr_rows);
	pad(&site->runs[side], s->nr_runs[side]);
	series__add_parts(&values, site->rows.at, site->rows.nr);
	for (int i = 0; i < values.nr; i++)
		vec__push(&site->runs[side], values.at[i]);
	/* The mean of several rows has a smaller error than a row. */
	site->errors[side] = single && s->nr_rows ? site->error / pow(s->nr_rows, 1.5) : 0;
	site->error = 0;
	vec__free(&site->rows);
	for (int i = 0; i < site->nodes.nr; i++)
		end_node(&site->nodes.at[i], side);
}

void compared_sites__end_run(struct compared_sites *s, int side, bool single)
{
	int most = 0;

	if (!s->nr_rows)
		return;
	for (int i = 0; i < s->nr; i++) {
		end_site(s, &s->at[i], side, single);
		most = s->at[i].runs[side].nr > most ? s->at[i].runs[side].nr : most;
	}
	s->nr_runs[side] = most;
	s->nr_rows = 0;
}

bool compared_sites__set_runs(struct compared_sites *s, int side, int nr, const char *kind,
			      const char *unit, double grain)
{
	if (!takes_unit(s, kind, unit))
		return false;
	s->nr_runs[side] = nr;
	s->grains[side] = grain;
	s->nr_grains[side] = 1;
	return true;
}

/* --- The end ------------------------------------------------------------------------------- */

static void free_node(struct site_node *node, int nr_sides)
{
	for (int side = 0; side < nr_sides; side++)
		series__free(&node->series[side]);
	free(node->series);
	vec__free(&node->rows);
	free(node->name);
	free(node->unit);
	free(node->parent);
	free(node->core_name);
}

void compared_sites__free(struct compared_sites *s)
{
	for (int i = 0; i < s->nr; i++) {
		struct compared_site *site = &s->at[i];

		for (int side = 0; side < s->nr_sides; side++)
			vec__free(&site->runs[side]);
		for (int node = 0; node < site->nodes.nr; node++)
			free_node(&site->nodes.at[node], s->nr_sides);
		vec__free(&site->nodes);
		vec__free(&site->rows);
		free(site->runs);
		free(site->errors);
		free(site->name);
		free(site->object);
	}
	for (int i = 0; i < s->matches.nr; i++)
		free(s->matches.at[i].name);
	vec__free(&s->matches);
	vec__free(s);
	free(s->nr_runs);
	free(s->nr_grains);
	free(s->grains);
}
