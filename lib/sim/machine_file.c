// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read machine files: lines, words, sections and includes. Tables of keywords have a function for
 * each kind of line.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "sim/file_reader.h"

#define MAX_FILE (1 << 20)
#define MAX_DEPTH 8
#define MAX_INSTANCES 64

/* A file that is read: its lines, and the start of a PMU section with several instances. */
struct machine_source {
	const char *path;
	struct machine_source *from;
	char *text;
	VEC(char *) lines;
	int line;
	int section, instance, last_instance;
	const char *section_name;
};

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

char *file_reader__optional(struct file_reader *r)
{
	char *word = r->args;

	while (is_blank(*word))
		word++;
	for (r->args = word; *r->args && !is_blank(*r->args); r->args++)
		;
	if (r->args == word || r->rc)
		return NULL;
	if (*r->args)
		*r->args++ = '\0';
	return word;
}

/* Record that a word is missing. Return: an empty text in its place. */
static char *missing(struct file_reader *r, const char *what)
{
	file_reader__fail(r, EINVAL, "%s is missing", what);
	return r->args + strlen(r->args);
}

char *file_reader__word(struct file_reader *r, const char *what)
{
	char *word = file_reader__optional(r);

	return word ? word : missing(r, what);
}

char *file_reader__rest(struct file_reader *r, const char *what)
{
	char *rest = text__trim(r->args);

	r->args = rest + strlen(rest);
	return *rest ? rest : missing(r, what);
}

int file_reader__int(struct file_reader *r, const char *what, uint64_t min, uint64_t max)
{
	char *word = file_reader__word(r, what);
	uint64_t value = 0;

	file_reader__check(r, num__parse_u64(what, word, min, max, &value, r->err));
	return value;
}

uint64_t file_reader__time(struct file_reader *r, const char *what)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *word = file_reader__optional(r);
	double value;
	int n = word ? num__scan_double(word, &value) : 0;

	if (!word) {
		file_reader__fail(r, EINVAL, "%s: a time is missing", what);
		return 0;
	}

	for (int i = 0; n && i < array__nr(units); i++)
		if (!strcmp(word + n, units[i].unit) && value * units[i].ns <= 3.6e12)
			return value * units[i].ns;
	file_reader__fail(r, EINVAL, "%s: '%s' is not a time up to an hour in ns, us, ms or s", what,
			  word);
	return 0;
}

void file_reader__cpus(struct file_reader *r, const char *what, struct cpulist *list)
{
	char *word = file_reader__word(r, what);

	cpulist__free(list);
	file_reader__check(r, cpulist__parse(what, word, list, r->err));
}

int file_reader__choice(struct file_reader *r, const char *const names[3])
{
	char *word = file_reader__optional(r);

	for (int i = 0; word && i < 3; i++)
		if (!strcmp(word, names[i]))
			return i;
	if (word)
		file_reader__fail(r, EINVAL, "'%s' is none of %s, %s, %s", word, names[0], names[1],
				  names[2]);
	file_reader__fail(r, EINVAL, "%s, %s or %s is missing", names[0], names[1], names[2]);
	return 0;
}

struct sim_match file_reader__match(struct file_reader *r)
{
	char *word = file_reader__word(r, "events");
	struct sim_match match = { .nr_ranges = 0 };

	file_reader__check(r, sim_match__parse(r->pmu, word, &match, r->err));
	return match;
}

/* Let the machine own an allocated text, or NULL after an allocation failed. */
static const char *machine_file__keep(struct file_reader *r, char *text)
{
	if (text && !vec__push(&r->m->texts, text))
		return text;
	free(text);
	file_reader__fail(r, ENOMEM, "out of memory");
	return "";
}

const char *file_reader__copy(struct file_reader *r, const char *text)
{
	return machine_file__keep(r, strdup(text));
}

/* Refuse paths outside the machine's own directory. */
static void check_below(struct file_reader *r, const char *path)
{
	if (*path == '/' || strstr(path, ".."))
		file_reader__fail(r, EINVAL, "'%s' is not below its directory", path);
}

void file_reader__file(struct file_reader *r, char *path, char *text, struct sim_files *files)
{
	struct sim_sysfs file = {.path = machine_file__keep(r, path),
				 .text = machine_file__keep(r, text)};

	check_below(r, file.path);
	file_reader__push(r, files, file);
}

double file_reader__part(struct file_reader *r, const char *what, const char *text)
{
	double part = 0;

	file_reader__check(r, num__parse_double(what, text, &part, r->err));
	if (!(part >= 0 && part <= 1))
		file_reader__fail(r, ERANGE, "%s: %s is not between 0 and 1", what, text);
	return part;
}

/*
 * Open the section of a PMU. A section with a name such as "uncore_imc_0..3" is read four times,
 * once for each instance.
 */
static void open_section(struct machine_source *s, struct file_reader *r)
{
	char *name = file_reader__word(r, "name of a PMU"), *dots = strstr(name, ".."), *digits;
	uint64_t first = 0, last = 0;

	if (r->pmu)
		file_reader__fail(r, EINVAL, "pmu %s has not been closed by an end line",
				  r->pmu->name);
	s->instance = s->last_instance = -1;
	if (dots) {
		for (digits = dots; digits > name && isdigit((unsigned char)digits[-1]);)
			digits--;
		*dots = '\0';
		file_reader__check(r, num__parse_u64("first instance", digits, 0, UINT16_MAX,
						     &first, r->err));
		file_reader__check(r, num__parse_u64("last instance", dots + 2, first,
						     first + MAX_INSTANCES - 1, &last, r->err));
		*digits = '\0';
		s->instance = first;
		s->last_instance = last;
	}
	s->section_name = file_reader__copy(r, name);
	s->section = s->line;
}

static void start_pmu(struct machine_source *s, struct file_reader *r, int instances_before)
{
	struct sb name = SB_INIT;
	struct sim_pmu pmu;

	sim_pmu__init(&pmu);
	sb__puts(&name, s->section_name);
	if (s->instance >= 0)
		sb__printf(&name, "%d", s->instance);
	pmu.instance = instances_before;
	pmu.name = machine_file__keep(r, sb__detach(&name));
	if (strchr(pmu.name, '/'))
		file_reader__fail(r, EINVAL, "'%s' is not a name of a PMU", pmu.name);
	if (!r->rc && sim_machine__pmu_by_name(r->m, pmu.name))
		file_reader__fail(r, EEXIST, "there is a PMU %s already", pmu.name);
	file_reader__push(r, &r->m->pmus, pmu);
	if (!r->rc)
		r->pmu = &r->m->pmus.at[r->m->pmus.nr - 1];
}

static void check_pmu(struct file_reader *r)
{
	struct sim_pmu *other, *pmu = r->pmu;

	if (pmu->type < 0)
		file_reader__fail(r, EINVAL, "pmu %s has no type line", pmu->name);
	if (!pmu->cpus.nr && pmu->kind == SIM_PMU_UNCORE)
		file_reader__fail(r, EINVAL, "pmu %s has no cpumask line", pmu->name);
	vec__for_each(other, &r->m->pmus)
		if (other != pmu && other->type == pmu->type)
			file_reader__fail(r, EEXIST, "type %d already belongs to %s", pmu->type,
					  other->name);
	if (!pmu->cpus.nr && cpulist__copy(&r->m->cpus, &pmu->cpus))
		file_reader__fail(r, ENOMEM, "out of memory");
	if (!cpulist__subset(&pmu->cpus, &r->m->cpus))
		file_reader__fail(r, EINVAL, "pmu %s has CPUs that the machine lacks", pmu->name);
}

static void close_section(struct machine_source *s, struct file_reader *r)
{
	int done;

	if (!r->pmu || !s->section_name) {
		file_reader__fail(r, EINVAL, "no pmu line above in this file");
		return;
	}
	done = r->pmu->instance + 1;
	check_pmu(r);
	file_at__rates(r);
	r->pmu = NULL;
	if (r->rc || s->instance == s->last_instance) {
		s->section_name = NULL;
		return;
	}
	s->instance++;
	s->line = s->section;
	start_pmu(s, r, done);
}

static const struct file_keyword *find_keyword(const struct file_keyword *table, const char *name)
{
	for (; table->name; table++)
		if (*table->name == *name && !strcmp(table->name, name))
			return table;
	return NULL;
}

static void unknown_keyword(const struct machine_source *s, struct file_reader *r, const char *word,
			    const struct file_keyword *table)
{
	const char *where = r->at >= 0 ? "in an at" : r->pmu ? "in a pmu" : "outside a pmu";
	bool ended = r->at < 0;
	auto_free(sb) sb = SB_INIT;
	struct suggest near;

	suggest__init(&near, word);
	for (const struct file_keyword *k = table; k->name; k++)
		suggest__offer(&near, k->name);
	suggest__print(&near, &sb);
	/* Do not show words of an included file: the user may lack the right to read it. */
	if (s->from && !sb.len)
		file_reader__fail(r, EINVAL, "this line is not allowed %s section", where);
	else
		file_reader__fail(r, EINVAL, "'%s' is not allowed %s section%s%s%s", word, where,
				  sb__str(&sb), ended || sb.len ? "" : ": there is no end line "
								       "for at ",
				  ended || sb.len ? "" : r->m->sections.at[r->at].name);
}

static void read_source(const char *path, struct machine_source *from, struct file_reader *r);

static void read_include(struct machine_source *s, struct file_reader *r)
{
	char *name = file_reader__word(r, "file name");
	const char *slash = strrchr(s->path, '/');
	auto_free(sb) path = SB_INIT;
	int depth = 0;

	for (struct machine_source *up = s; up; up = up->from)
		depth++;
	if (depth > MAX_DEPTH)
		file_reader__fail(r, ELOOP, "more than %d files include each other", MAX_DEPTH);
	if (slash && *name != '/')
		sb__add(&path, s->path, slash - s->path + 1);
	sb__puts(&path, name);
	if (path.err)
		file_reader__fail(r, ENOMEM, "out of memory");
	if (!r->rc)
		read_source(sb__str(&path), s, r);
}

static void machine_file__read_line(struct machine_source *s, struct file_reader *r)
{
	const struct file_keyword *table = r->at >= 0 ? file_at_keywords
					   : r->pmu	  ? file_pmu_keywords
							  : file_machine_keywords;
	const struct file_keyword *keyword;
	char *word = file_reader__optional(r);

	if (!word)
		return;
	keyword = find_keyword(table, word);
	if (keyword) {
		keyword->read(r);
	} else if (r->at >= 0) {
		unknown_keyword(s, r, word, table);
	} else if (!strcmp(word, "include")) {
		read_include(s, r);
		return;
	} else if (!strcmp(word, "pmu")) {
		open_section(s, r);
		start_pmu(s, r, 0);
	} else if (!strcmp(word, "end")) {
		close_section(s, r);
	} else {
		unknown_keyword(s, r, word, table);
	}
	word = file_reader__optional(r);
	if (word)
		file_reader__fail(r, EINVAL, "'%s' is one word too many", word);
}

static void split_lines(struct machine_source *s, struct file_reader *r)
{
	char *save = s->text, *line;

	while ((line = strsep(&save, "\n"))) {
		char *comment = strchr(line, '#');

		if (comment)
			*comment = '\0';
		file_reader__push(r, &s->lines, line);
	}
}

static void read_lines(struct machine_source *s, struct file_reader *r)
{
	while (!r->rc && s->line < s->lines.nr) {
		/* Cut words in a copy, since the lines of a section may be read again. */
		auto_text copy = strdup(s->lines.at[s->line++]);

		if (!copy) {
			file_reader__fail(r, ENOMEM, "out of memory");
			return;
		}
		r->args = copy;
		r->line = s->line;
		machine_file__read_line(s, r);
	}
	if (r->at >= 0)
		file_reader__fail(r, EINVAL, "at %s has not been closed by an end line",
				  r->m->sections.at[r->at].name);
	if (s->section_name)
		file_reader__fail(r, EINVAL, "pmu %s has not been closed by an end line",
				  s->section_name);
}

static void read_source(const char *path, struct machine_source *from, struct file_reader *r)
{
	struct machine_source s = {.path = path, .from = from};

	if (file_reader__check(r, file__read(path, MAX_FILE, &s.text, NULL, r->err)))
		return;
	split_lines(&s, r);
	read_lines(&s, r);
	/* The mistake is in the innermost file: files that include it must not add their place. */
	if (r->rc && !r->placed)
		err__prefix(r->err, "%s: line %d: ", path, s.line);
	r->placed = r->rc;
	free(s.lines.at);
	free(s.text);
}

static void check_machine(struct file_reader *r)
{
	struct sim_machine *m = r->m;
	const char *missing = !m->cpuid ? "cpuid" : !m->cpus.nr ? "cpus" : NULL;
	const struct sim_stop *stop;
	const int *cpu;

	if (missing)
		file_reader__fail(r, EINVAL, "no %s line", missing);
	if (!m->online.nr && cpulist__copy(&m->cpus, &m->online))
		file_reader__fail(r, ENOMEM, "out of memory");
	if (!cpulist__subset(&m->online, &m->cpus))
		file_reader__fail(r, EINVAL, "there are online CPUs that the machine lacks");
	cpulist__for_each(cpu, &m->cpus)
		if (!sim_machine__core_of(m, *cpu))
			file_reader__fail(r, EINVAL, "CPU %d is in no core line", *cpu);
	file_at__check(r);
	vec__for_each(stop, &m->stops)
		if (!cpulist__has(&m->cpus, stop->cpu))
			file_reader__fail(r, EINVAL, "task-path: there is no CPU %d", stop->cpu);
}

int sim_machine__load(const char *path, struct sim_machine *m, struct err *err)
{
	struct file_reader r = {.m = m, .err = err, .at = -1};
	const struct sim_stay whole = {.ns = 1000000000, .place = -1, .thread = 1, .spot = -1};

	/* Without a line "phases" there is one phase, in which rates do not change. */
	*m = (struct sim_machine){.phases = {.ns = whole.ns}, .paranoid = -1};
	file_reader__push(&r, &m->phases.stays, whole);
	if (!r.rc)
		read_source(path, NULL, &r);
	if (!r.rc) {
		check_machine(&r);
		if (r.rc)
			err__prefix(r.err, "%s: ", path);
	}
	if (r.rc)
		sim_machine__free(m);
	return r.rc;
}
