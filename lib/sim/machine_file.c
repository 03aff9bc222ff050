// SPDX-License-Identifier: GPL-2.0-only
/* The machine file: lines, words, sections, include. What each line means is in its keyword. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "sim/file_reader.h"
#include "sim/formula.h"

#define MAX_FILE (1 << 20)
#define MAX_DEPTH 8
#define MAX_INSTANCES 64

/* One file being read: its lines, and where a PMU section with several instances began. */
struct source {
	const char *path;
	struct source *from;
	char *text;
	VEC(char *) lines;
	int line;
	int section, instance, last_instance;
	char *section_name;
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
	if (r->args == word)
		return NULL;
	if (*r->args)
		*r->args++ = '\0';
	return word;
}

char *file_reader__word(struct file_reader *r, const char *what)
{
	char *word = file_reader__optional(r);

	if (!word)
		err__set(r->err, EINVAL, "%s is missing", what);
	return word;
}

char *file_reader__rest(struct file_reader *r, const char *what)
{
	char *rest = text__trim(r->args);

	r->args = rest + strlen(rest);
	if (*rest)
		return rest;
	err__set(r->err, EINVAL, "%s is missing", what);
	return NULL;
}

int file_reader__nomem(struct file_reader *r)
{
	return err__set(r->err, ENOMEM, "out of memory");
}

int file_reader__int(struct file_reader *r, const char *what, uint64_t min, uint64_t max, int *out)
{
	char *word = file_reader__word(r, what);
	uint64_t value = 0;
	int rc = word ? num__parse_u64(what, word, min, max, &value, r->err) : -EINVAL;

	if (!rc)
		*out = value;
	return rc;
}

int file_reader__time(struct file_reader *r, const char *what, uint64_t *ns)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *word = file_reader__word(r, what);
	double value;
	int n = word ? num__scan_double(word, &value) : 0;

	if (!word)
		return -EINVAL;
	for (size_t i = 0; n && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(word + n, units[i].unit) && value * units[i].ns <= 3.6e12) {
			*ns = value * units[i].ns;
			return 0;
		}
	return err__set(r->err, EINVAL, "%s: '%s' is no time up to an hour in us, ms or s", what,
			word);
}

int file_reader__cpus(struct file_reader *r, const char *what, struct cpulist *list)
{
	char *word = file_reader__word(r, what);

	if (!word)
		return -EINVAL;
	cpulist__free(list);
	return cpulist__parse(what, word, list, r->err);
}

const char *file_reader__keep(struct file_reader *r, char *text)
{
	if (text && !vec__push(&r->m->texts, text))
		return text;
	free(text);
	file_reader__nomem(r);
	return NULL;
}

int file_reader__file(struct file_reader *r, char *path, char *text, struct sim_files *files)
{
	struct sim_sysfs file = { file_reader__keep(r, path), file_reader__keep(r, text) };

	return file.path && file.text ? file_reader__push(r, files, file) : -ENOMEM;
}

int file_reader__let(struct file_reader *r)
{
	struct sim_var var = { .name = file_reader__word(r, "name") };
	char *text = var.name ? file_reader__rest(r, "value") : NULL;
	int rc = text ? formula__eval(r->m, r->pmu, text, var.value, r->err) : -EINVAL;

	if (rc)
		return rc;
	var.name = file_reader__keep(r, strdup(var.name));
	if (!var.name)
		return -ENOMEM;
	return r->pmu ? file_reader__push(r, &r->pmu->vars, var) :
			file_reader__push(r, &r->m->vars, var);
}

/* "uncore_imc_0..3" opens a section that is read four times, once for each name. */
static int open_section(struct source *s, struct file_reader *r)
{
	char *name = file_reader__word(r, "name of a PMU"), *dots;
	uint64_t first, last;

	if (!name)
		return -EINVAL;
	if (r->pmu)
		return err__set(r->err, EINVAL, "pmu %s has not been closed by an end line",
				r->pmu->name);
	s->instance = s->last_instance = -1;
	dots = strstr(name, "..");
	if (dots) {
		char *digits = dots;

		while (digits > name && isdigit((unsigned char)digits[-1]))
			digits--;
		*dots = '\0';
		if (num__parse_u64("first instance", digits, 0, UINT16_MAX, &first, r->err) ||
		    num__parse_u64("last instance", dots + 2, first, first + MAX_INSTANCES - 1,
				   &last, r->err))
			return -EINVAL;
		*digits = '\0';
		s->instance = first;
		s->last_instance = last;
	}
	free(s->section_name);
	s->section_name = strdup(name);
	s->section = s->line;
	return s->section_name ? 0 : file_reader__nomem(r);
}

static int start_pmu(struct source *s, struct file_reader *r, int instances_before)
{
	struct sb name = SB_INIT;
	struct sim_pmu pmu;

	sim_pmu__init(&pmu);
	sb__puts(&name, s->section_name);
	if (s->instance >= 0)
		sb__printf(&name, "%d", s->instance);
	pmu.instance = instances_before;
	pmu.name = file_reader__keep(r, sb__detach(&name));
	if (!pmu.name)
		return -ENOMEM;
	if (sim_machine__pmu_by_name(r->m, pmu.name))
		return err__set(r->err, EEXIST, "there is a PMU %s already", pmu.name);
	if (file_reader__push(r, &r->m->pmus, pmu))
		return -ENOMEM;
	r->pmu = &r->m->pmus.at[r->m->pmus.nr - 1];
	return 0;
}

static int check_pmu(struct file_reader *r)
{
	struct sim_pmu *other, *pmu = r->pmu;

	if (pmu->type < 0)
		return err__set(r->err, EINVAL, "pmu %s has no type line", pmu->name);
	if (!pmu->cpus.nr && pmu->kind == SIM_PMU_UNCORE)
		return err__set(r->err, EINVAL, "pmu %s has no cpumask line", pmu->name);
	vec__for_each(other, &r->m->pmus)
		if (other != pmu && other->type == pmu->type)
			return err__set(r->err, EEXIST, "type %d is that of %s already", pmu->type,
					other->name);
	if (!pmu->cpus.nr && cpulist__copy(&r->m->cpus, &pmu->cpus))
		return file_reader__nomem(r);
	if (!cpulist__subset(&pmu->cpus, &r->m->cpus))
		return err__set(r->err, EINVAL, "pmu %s has CPUs that the machine has not",
				pmu->name);
	return 0;
}

static int close_section(struct source *s, struct file_reader *r)
{
	int rc, done;

	if (!r->pmu || !s->section_name)
		return err__set(r->err, EINVAL, "no pmu line above in this file");
	done = r->pmu->instance + 1;
	rc = check_pmu(r);
	r->pmu = NULL;
	if (rc || s->instance == s->last_instance) {
		free(s->section_name);
		s->section_name = NULL;
		return rc;
	}
	s->instance++;
	s->line = s->section;
	return start_pmu(s, r, done);
}

static const struct file_keyword *find_keyword(const struct file_keyword *table, const char *name)
{
	for (; table->name; table++)
		if (*table->name == *name && !strcmp(table->name, name))
			return table;
	return NULL;
}

static int unknown_keyword(struct file_reader *r, const char *word,
			   const struct file_keyword *table)
{
	struct suggest near;
	struct sb sb = SB_INIT;

	suggest__init(&near, word);
	for (const struct file_keyword *k = table; k->name; k++)
		suggest__offer(&near, k->name);
	suggest__print(&near, &sb);
	err__set(r->err, EINVAL, "'%s' cannot stand %s a pmu section%s", word,
		 r->pmu ? "in" : "outside", sb__str(&sb));
	sb__free(&sb);
	return -EINVAL;
}

static int read_source(const char *path, struct source *from, struct file_reader *r);

static int read_include(struct source *s, struct file_reader *r)
{
	char *name = file_reader__word(r, "file name");
	const char *slash = strrchr(s->path, '/');
	struct sb path = SB_INIT;
	int depth = 0, rc;

	if (!name)
		return -EINVAL;
	for (struct source *up = s; up; up = up->from)
		if (++depth > MAX_DEPTH)
			return err__set(r->err, ELOOP, "more than %d files include each other",
					MAX_DEPTH);
	if (slash && *name != '/')
		sb__add(&path, s->path, slash - s->path + 1);
	sb__puts(&path, name);
	rc = path.err ? file_reader__nomem(r) : read_source(sb__str(&path), s, r);
	sb__free(&path);
	return rc;
}

static int read_line(struct source *s, struct file_reader *r)
{
	const struct file_keyword *table = r->pmu ? file_pmu_keywords : file_machine_keywords;
	const struct file_keyword *keyword;
	char *word = file_reader__optional(r);
	int rc;

	if (!word)
		return 0;
	keyword = find_keyword(table, word);
	if (keyword) {
		rc = keyword->read(r);
	} else if (!strcmp(word, "include")) {
		return read_include(s, r);
	} else if (!strcmp(word, "pmu")) {
		rc = open_section(s, r);
		rc = rc ? rc : start_pmu(s, r, 0);
	} else if (!strcmp(word, "end")) {
		rc = close_section(s, r);
	} else {
		rc = unknown_keyword(r, word, table);
	}
	word = rc ? NULL : file_reader__optional(r);
	return word ? err__set(r->err, EINVAL, "'%s' is one word too many", word) : rc;
}

static int split_lines(struct source *s)
{
	char *save = s->text, *line;

	while ((line = strsep(&save, "\n"))) {
		char *comment = strchr(line, '#');

		if (comment)
			*comment = '\0';
		if (vec__push(&s->lines, line))
			return -ENOMEM;
	}
	return 0;
}

static int read_lines(struct source *s, struct file_reader *r)
{
	char *copy;
	int rc = 0;

	while (!rc && s->line < s->lines.nr) {
		/* Words are cut in place, and the lines of a section are read again. */
		copy = strdup(s->lines.at[s->line++]);
		if (!copy)
			return file_reader__nomem(r);
		r->args = copy;
		rc = read_line(s, r);
		free(copy);
	}
	if (!rc && s->section_name)
		rc = err__set(r->err, EINVAL, "pmu %s has not been closed by an end line",
			      s->section_name);
	return rc;
}

static int read_source(const char *path, struct source *from, struct file_reader *r)
{
	struct source s = { .path = path, .from = from };
	int rc = file__read(path, MAX_FILE, &s.text, NULL, r->err);

	if (rc)
		return rc;
	rc = split_lines(&s);
	rc = rc ? file_reader__nomem(r) : read_lines(&s, r);
	/* The innermost file is where the mistake is; the ones above must not add theirs. */
	if (rc && !strstr(r->err->msg, ": line "))
		err__prefix(r->err, "%s: line %d: ", path, s.line);
	free(s.section_name);
	free(s.lines.at);
	free(s.text);
	return rc;
}

static int check_machine(struct sim_machine *m, struct err *err)
{
	const struct sim_stop *stop;
	const char *missing = !m->cpuid ? "cpuid" : !m->cpus.nr ? "cpus" : NULL;

	if (missing)
		return err__set(err, EINVAL, "no %s line", missing);
	if (!m->online.nr && cpulist__copy(&m->cpus, &m->online))
		return err__set(err, ENOMEM, "out of memory");
	if (!cpulist__subset(&m->online, &m->cpus))
		return err__set(err, EINVAL, "CPUs are online that the machine has not");
	for (int i = 0; i < m->cpus.nr; i++)
		if (!sim_machine__core_of(m, m->cpus.at[i]))
			return err__set(err, EINVAL, "CPU %d is in no core line", m->cpus.at[i]);
	vec__for_each(stop, &m->stops)
		if (!cpulist__has(&m->cpus, stop->cpu))
			return err__set(err, EINVAL, "task-path: there is no CPU %d", stop->cpu);
	return 0;
}

int sim_machine__load(const char *path, struct sim_machine *m, struct err *err)
{
	struct err own = ERR_INIT;
	struct file_reader r = { .m = m, .err = err ? err : &own };
	int rc;

	/* Until a phases line says otherwise, rates do not change. */
	*m = (struct sim_machine){ .nr_phases = 1, .phase_ns = { 1000000000 }, .paranoid = -1 };
	rc = read_source(path, NULL, &r);
	if (!rc) {
		rc = check_machine(m, r.err);
		if (rc)
			err__prefix(r.err, "%s: ", path);
	}
	if (rc)
		sim_machine__free(m);
	return rc;
}
