// SPDX-License-Identifier: GPL-2.0-only
/*
 * Saves runs in the folder .tma of a project, in a JSON file for each name: the values of each run,
 * the command, and where and when it ran.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <json-c/json.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "compare/compare.h"
#include "compare/saved.h"
#include "grid/rows.h"
#include "json/file.h"
#include "json/member.h"

#define FOLDER ".tma"
#define END ".json"
#define SCHEMA 1

/* --- The folder ---------------------------------------------------------------------------- */

/*
 * Return: whether .tma belongs to this user or to root. (Another user may have made a .tma in a
 * folder above, as in /tmp.)
 */
static bool is_own_folder(const char *project)
{
	auto_text path = xasprintf("%s/" FOLDER, project);
	struct stat is;

	return !stat(path, &is) && S_ISDIR(is.st_mode) && (is.st_uid == geteuid() || !is.st_uid);
}

/*
 * Find the nearest folder from here upwards that has saved runs, or is a repository; else this
 * folder.
 *
 * Return: the path of .tma in this folder; .tma may not exist yet.
 */
static char *find_folder(void)
{
	char here[PATH_MAX], *end;

	if (!getcwd(here, sizeof(here)))
		return xstrdup(FOLDER);
	for (;;) {
		if (is_own_folder(here) || file__exists("%s/.git", here))
			return xasprintf("%s/" FOLDER, here);
		end = strrchr(here, '/');
		if (!end || end == here)
			return xstrdup(FOLDER);
		*end = '\0';
	}
}

static bool saved__is_name(const char *name)
{
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && (c == name || !strchr("._-", *c)))
			return false;
	return *name;
}

static char *path_of(const char *name)
{
	auto_text folder = find_folder();

	return xasprintf("%s/%s" END, folder, name);
}

bool compare_saved__is(const char *name)
{
	auto_text path = saved__is_name(name) ? path_of(name) : NULL;

	return path && file__exists("%s", path);
}

int compare_saved__check(const char *name, struct err *err)
{
	if (!saved__is_name(name))
		return err__set(err, EINVAL,
				"--save '%s': a name has letters, digits, '.', '_' and '-', and begins "
				"with a letter or digit",
				name);
	if (compare_side__is_program(name))
		return err__set(err, EINVAL,
				"--save %s: this is also the name of a command, which 'tma compare "
				"%s' would run: use another name",
				name, name);
	return 0;
}

/* --- Writing ------------------------------------------------------------------------------- */

static const char *const kind_words[COMPARED_SITE] = {
	[COMPARED_NOTHING] = "nothing", [COMPARED_TIME] = "time", [COMPARED_COUNT] = "count",
	[COMPARED_METRIC] = "metric",	[COMPARED_NODE] = "node",
};

static void put_row(struct json *j, const struct comparison *c, const struct compared *row)
{
	const struct series *s = &row->series[0];

	json__open(j, NULL, '{');
	json__text(j, "kind", kind_words[row->kind]);
	json__text(j, "name", row->name);
	json__text(j, "unit", row->unit);
	json__text(j, "pmu", row->core_name ?: "");
	json__text(j, "cgroup", row->cgroup ?: "");
	json__int(j, "level", row->level);
	json__text(j, "parent", row->parent >= 0 ? c->at[row->parent].name : "");
	json__number(j, "errors", s->errors);
	json__int(j, "errors_known", s->nr_errors);
	json__number(j, "grain", s->grain);
	json__open(j, "values", '[');
	for (int i = 0; i < s->nr; i++)
		json__number(j, NULL, s->at[i]);
	json__close(j, ']');
	json__close(j, '}');
}

static void put_about(struct json *j, const struct compare_side *side)
{
	const struct compare_about *about = &side->about;

	json__text(j, "command", side->name);
	json__text(j, "date", about->date ?: "");
	json__text(j, "commit", about->commit ?: "");
	json__text(j, "host", about->host ?: "");
	json__text(j, "processor", about->processor ?: "");
	json__text(j, "kernel", about->kernel ?: "");
	json__text(j, "simulated", side->simulated ?: "");
	json__text(j, "cpu", side->cpu ?: "");
	json__int(j, "failed", side->failed);
}

static void put_asked(struct json *j, const struct compare *c)
{
	json__text(j, "events", c->events ?: "");
	json__text(j, "metrics", c->metrics ?: "");
	json__text(j, "rows_of", c->rows ? row_kinds[c->rows].key : "");
	json__bool(j, "memory", c->memory);
	json__int(j, "levels", c->td_level ? c->levels : -1);
	json__text(j, "counted_by", c->answer.counter ?: "");
}

static int compare_saved__make_folder(const char *path, struct err *err)
{
	auto_text folder = xstrdup(path);

	*strrchr(folder, '/') = '\0';
	if (!mkdir(folder, 0777) || errno == EEXIST)
		return 0;
	return err__set(err, errno, "cannot make %s: %s", folder, strerror(errno));
}

/* Return: the command of the runs that are saved under this name; NULL if it is unknown. */
static char *command_of(const char *name)
{
	auto_text copy = xstrdup(name);
	struct compare_side side = {.name = copy};
	struct err ignored = ERR_INIT;

	if (compare_saved__is(name))
		compare_saved__load(&side, NULL, &ignored);
	compare_about__free(&side.about);
	free(side.simulated);
	free(side.cpu);
	return side.command;
}

int compare_saved__can_write(const char *name, struct err *err)
{
	auto_text path = path_of(name);
	auto_text folder = xstrndup(path, strrchr(path, '/') - path);
	char *end = strrchr(folder, '/');
	int rc = 0;

	if (file__is_dir("%s", folder)) {
		rc = file__can_replace(path, err);
	} else if (file__exists("%s", folder)) {
		rc = err__set(err, ENOTDIR, "%s is not a folder", folder);
	} else {
		if (end)
			*end = '\0';
		if (access(end ? folder : ".", W_OK | X_OK))
			rc = err__set(err, errno, "cannot make " FOLDER " in %s: %s",
				      end ? folder : ".", strerror(errno));
	}
	if (rc)
		err__prefix(err, "--save %s: ", name);
	return rc;
}

int compare_saved__write(const struct compare *c, const char *name, struct err *err)
{
	const struct comparison *comparison = &c->answer.comparison;
	auto_text path = path_of(name);
	auto_text before = command_of(name);
	auto_free(sb) sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_INDENTED);
	int rc = compare_saved__make_folder(path, err);

	if (rc)
		return rc;
	json__open(&j, NULL, '{');
	json__int(&j, "schema", SCHEMA);
	json__text(&j, "type", "saved");
	json__text(&j, "name", name);
	put_about(&j, &c->answer.sides[0]);
	put_asked(&j, c);
	json__open(&j, "rows", '[');
	j.style = JSON_COMPACT;
	for (int i = 0; i < comparison->nr; i++)
		if (comparison->at[i].kind && comparison->at[i].kind < COMPARED_SITE)
			put_row(&j, comparison, &comparison->at[i]);
	json__close(&j, ']');
	j.style = JSON_INDENTED;
	compare_saved__put_sites(&j, &comparison->sites);
	json__close(&j, '}');
	rc = file__replace(path, sb.buf, sb.len, err);
	if (!rc && before && strcmp(before, c->answer.sides[0].name) != 0)
		say("--save %s: this replaces the runs of '%s'", name, before);
	if (!rc)
		say("saved as '%s' in %s: 'tma compare %s' runs the command again and compares", name,
		    path, name);
	return rc;
}

/* --- Reading ------------------------------------------------------------------------------- */

/* Return: the text, owned by the caller; NULL for "" and a missing key. */
char *saved__text_of(struct json_object *in, const char *key)
{
	struct json_object *found = json_member(in, key, json_type_string);
	const char *text = found ? json_object_get_string(found) : "";

	return *text ? xstrdup(text) : NULL;
}

int saved__int_of(struct json_object *in, const char *key)
{
	struct json_object *found = json_member(in, key, json_type_int);

	return found ? json_object_get_int(found) : 0;
}

/* The command of saved runs is run again: its file must belong to this user, or to root. */
static int check_owner(const char *path, struct err *err)
{
	struct stat is;

	if (stat(path, &is))
		return err__set(err, errno, "cannot read %s: %s", path, strerror(errno));
	if (is.st_uid == geteuid() || !is.st_uid)
		return 0;
	return err__set(err, EACCES,
			"%s belongs to another user, so its command is not run: copy it to a "
			"folder of your own",
			path);
}

static int saved__read_file(const char *path, struct json_object **out, struct err *err)
{
	struct json_file file;
	int rc = check_owner(path, err) ?: json_file__open(&file, path, err);

	if (rc)
		return rc;
	rc = json_file__whole(&file, out, err);
	if (rc)
		err__prefix(err, "%s: line %d: ", path, file.line);
	json_file__close(&file);
	if (rc)
		return rc;
	if (saved__int_of(*out, "schema") == SCHEMA && json_member(*out, "rows", json_type_array) &&
	    json_member(*out, "command", json_type_string))
		rc = compare_saved__check_limits(path, *out, err);
	else
		rc = err__set(err, EINVAL,
			      "%s: 'tma compare --save' of this version has not written "
			      "this file", path);
	if (rc)
		json_object_put(*out);
	return rc;
}

static void take_about(struct compare_side *side, struct json_object *from)
{
	compare_about__free(&side->about);
	free(side->command);
	free(side->simulated);
	free(side->cpu);
	side->command = saved__text_of(from, "command") ?: xstrdup("");
	side->simulated = saved__text_of(from, "simulated");
	side->cpu = saved__text_of(from, "cpu");
	side->failed = saved__int_of(from, "failed");
	side->about = (struct compare_about){
		.host = saved__text_of(from, "host"),
		.processor = saved__text_of(from, "processor"),
		.kernel = saved__text_of(from, "kernel"),
		.commit = saved__text_of(from, "commit"),
		.date = saved__text_of(from, "date"),
	};
}

int compare_saved__load(struct compare_side *side, struct compare_asked *asked, struct err *err)
{
	auto_text path = path_of(side->name);
	auto_text counter = NULL;
	struct json_object *from = NULL, *memory;
	int rc = saved__read_file(path, &from, err);

	if (rc)
		return rc;
	take_about(side, from);
	if (asked) {
		counter = saved__text_of(from, "counted_by");
		memory = json_member(from, "memory", json_type_boolean);
		*asked = (struct compare_asked){
			.events = saved__text_of(from, "events"),
			.metrics = saved__text_of(from, "metrics"),
			.rows = saved__text_of(from, "rows_of"),
			.memory = memory && json_object_get_boolean(memory),
			.counts_instructions = counter != NULL,
			.levels = saved__int_of(from, "levels"),
		};
	}
	json_object_put(from);
	return 0;
}

void compare_asked__free(struct compare_asked *asked)
{
	free(asked->events);
	free(asked->metrics);
	free(asked->rows);
}

static enum compared_kind kind_of(struct json_object *row)
{
	auto_text word = saved__text_of(row, "kind");

	for (enum compared_kind kind = COMPARED_TIME; word && kind < COMPARED_SITE; kind++)
		if (!strcmp(word, kind_words[kind]))
			return kind;
	return COMPARED_NOTHING;
}

/* Return: a number of at least 0. */
double saved__number_of(struct json_object *in, const char *key)
{
	struct json_object *found;
	double number = 0;

	if (json_object_object_get_ex(in, key, &found))
		number = json_object_get_double(found);
	return number > 0 && number < INT_MAX ? number : 0;
}

void saved__take_values(struct series *s, struct json_object *row)
{
	struct json_object *values = json_member(row, "values", json_type_array);
	size_t nr = values ? json_object_array_length(values) : 0;

	for (size_t i = 0; i < nr; i++) {
		struct json_object *value = json_object_array_get_idx(values, i);

		double number = json_object_is_type(value, json_type_double) ||
						json_object_is_type(value, json_type_int)
					? json_object_get_double(value)
					: (double)NAN;

		series__add(s, number, 0);
	}
	s->errors = saved__number_of(row, "errors");
	s->grain = saved__number_of(row, "grain");
	s->nr_errors = saved__number_of(row, "errors_known");
}

static void take_row(struct comparison *c, int side, struct json_object *from)
{
	auto_text name = saved__text_of(from, "name");
	auto_text unit = saved__text_of(from, "unit");
	auto_text core_name = saved__text_of(from, "pmu");
	auto_text cgroup = saved__text_of(from, "cgroup");
	auto_text parent = saved__text_of(from, "parent");
	int index, level = saved__int_of(from, "level"), up;

	if (!name || kind_of(from) == COMPARED_NOTHING)
		return;
	index = comparison__row(c, name, core_name, cgroup);
	/* Keep indices, not pointers: when the parent is added, rows may move in memory. */
	up = parent ? comparison__row(c, parent, core_name, cgroup) : -1;
	c->at[index].kind = kind_of(from);
	c->at[index].level = level > 0 ? level : 0;
	if (up >= 0 && up != index && c->at[up].parent != index)
		c->at[index].parent = up;
	free(c->at[index].unit);
	c->at[index].unit = xstrdup(unit ?: "");
	saved__take_values(&c->at[index].series[side], from);
}

int compare_saved__load_runs(struct compare_answer *a, int side, struct err *err)
{
	auto_text path = path_of(a->sides[side].name);
	struct json_object *from = NULL, *rows;
	int rc = saved__read_file(path, &from, err);

	if (rc)
		return rc;
	take_about(&a->sides[side], from);
	rows = json_member(from, "rows", json_type_array);
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		take_row(&a->comparison, side, json_object_array_get_idx(rows, i));
	compare_saved__load_sites(&a->comparison.sites, side, from);
	json_object_put(from);
	return 0;
}

/* --- The list ------------------------------------------------------------------------------ */

static void put_field(struct sb *sb, struct json_object *from, const char *key, int width)
{
	auto_text text = saved__text_of(from, key);
	auto_free(sb) clean = SB_INIT;

	text__clean(&clean, text ?: "-", strlen(text ?: "-"), "");
	sb__printf(sb, "  %-*s", width, sb__str(&clean));
}

static void list_line(struct json_object *from, const char *name, struct sb *sb)
{
	sb__printf(sb, "  %-16s", name);
	put_field(sb, from, "date", 19);
	put_field(sb, from, "commit", 18);
	put_field(sb, from, "host", 12);
	sb__printf(sb, "  %4d", compare_saved__nr_runs(from));
	put_field(sb, from, "command", 0);
	sb__putc(sb, '\n');
}

static void list_json(struct json_object *from, const char *name, struct json *j)
{
	static const char *const keys[] = {"command",	"date",	  "commit",    "host",
					   "processor", "kernel", "simulated", "counted_by"};

	json__open(j, NULL, '{');
	json__text(j, "name", name);
	for (int i = 0; i < (int)(sizeof(keys) / sizeof(*keys)); i++) {
		auto_text text = saved__text_of(from, keys[i]);

		json__text(j, keys[i], text ?: "");
	}
	json__int(j, "runs", compare_saved__nr_runs(from));
	json__close(j, '}');
}

/* List a file, or print why it cannot be read, and go on. */
static void list_file(const char *file, struct sb *sb, struct json *j)
{
	auto_text name = xstrndup(file, strlen(file) - strlen(END));
	auto_text path = NULL;
	struct json_object *from = NULL;
	struct err err = ERR_INIT;

	if (!saved__is_name(name))
		return;
	path = path_of(name);
	if (saved__read_file(path, &from, &err)) {
		say_err(&err);
		return;
	}
	if (j)
		list_json(from, name, j);
	else
		list_line(from, name, sb);
	json_object_put(from);
}

int compare_saved__list(FILE *out, bool json, struct err *err)
{
	auto_text folder = find_folder();
	auto_free(sb) sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_COMPACT);
	char **names = NULL;
	int nr = 0, rc = file__list_dir(&names, &nr, "%s", folder);

	if (rc && rc != -ENOENT)
		return err__set(err, -rc, "cannot list %s: %s", folder, strerror(-rc));
	if (json) {
		json__open(&j, NULL, '{');
		json__int(&j, "schema", SCHEMA);
		json__text(&j, "type", "saved-runs");
		json__open(&j, "saved", '[');
	} else {
		sb__printf(&sb, "  %-16s  %-19s  %-18s  %-12s  %4s  %s\n", "name", "date (UTC)",
			   "commit", "host", "runs", "command");
	}
	for (int i = 0; i < nr; i++)
		if (text__has_suffix(names[i], END))
			list_file(names[i], &sb, json ? &j : NULL);
	if (!rc)
		file__free_names(names, nr);
	if (json) {
		json__close(&j, ']');
		json__close(&j, '}');
	}
	fputs(sb__str(&sb), out);
	return 0;
}
