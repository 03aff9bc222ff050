// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read the sections "at" of a machine file, with quantities and rates that apply while a program is
 * at a place; and read scripts, which define when a program is at which place.
 */
#include <string.h>

#include "base/auto.h"
#include "base/num.h"
#include "base/text.h"
#include "sim/file_reader.h"
#include "sim/rate.h"

#define MAX_THREAD 64
#define MAX_LINE 10000000

/* Check a name. With a colon and a digit it is FILE:LINE or FILE:LINE-LINE. */
static void check_name(struct file_reader *r, const char *name)
{
	const char *colon = strrchr(name, ':');
	uint64_t first = 0, last = 0;
	int n = colon ? num__scan_u64(colon + 1, 10, &first) : 0;
	bool is_line = n > 0, good = true;

	last = first;
	if (is_line && colon[1 + n] == '-') {
		last = 0;
		n += 1 + num__scan_u64(colon + 2 + n, 10, &last);
	}
	if (is_line)
		good = colon > name && !colon[1 + n] && first && last >= first && last <= MAX_LINE;
	if (!strcmp(name, "-") || (colon && !colon[1]) || !good)
		file_reader__fail(r, EINVAL,
				  "'%s' is neither a function, FILE:LINE, FILE:LINE-LINE nor a "
				  "file",
				  name);
}

void file_at__open(struct file_reader *r)
{
	struct sim_machine *m = r->m;
	struct sim_section section = {.column = sim_machine__nr_columns(m), .user = 1};
	char *word = file_reader__word(r, "a place");

	if (m->vars.nr || m->pmus.nr || m->softs.nr)
		file_reader__fail(r, EINVAL, "must come before every let, software and pmu line");
	if (m->sections.nr == SIM_MAX_SECTIONS)
		file_reader__fail(r, EINVAL, "more than %d sections 'at'", SIM_MAX_SECTIONS);
	section.name = file_reader__copy(r, word);
	for (; word && !r->rc; word = file_reader__optional(r)) {
		struct sim_place place = {.name = file_reader__copy(r, word),
					  .column = section.column};

		check_name(r, word);
		if (sim_machine__place(m, word) >= 0)
			file_reader__fail(r, EEXIST, "'%s' is already in another 'at' line", word);
		file_reader__push(r, &m->places, place);
	}
	r->at = m->sections.nr;
	file_reader__push(r, &m->sections, section);
}

static void close_at(struct file_reader *r)
{
	r->at = -1;
}

static void push_own(struct file_reader *r, struct sim_own own)
{
	if (!own.pmu && vec__find(o, &r->m->owns, !o->pmu && o->section == r->at &&
						      !strcmp(o->name, own.name)))
		file_reader__fail(r, EEXIST, "this section already has a line 'let %s'", own.name);
	own.section = r->at;
	own.line = r->line;
	own.formula = file_reader__copy(r, file_reader__rest(r, "formula"));
	file_reader__push(r, &r->m->owns, own);
}

static void read_let(struct file_reader *r)
{
	push_own(r, (struct sim_own){.name = file_reader__copy(r, file_reader__word(r, "name"))});
}

/* Read "rate cpu event=0x14,umask=0x09 0.7*cycles". */
static void read_rate(struct file_reader *r)
{
	struct sim_own own = {.pmu = file_reader__copy(r, file_reader__word(r, "PMU"))};

	own.name = file_reader__copy(r, file_reader__word(r, "events"));
	push_own(r, own);
}

static void read_user(struct file_reader *r)
{
	r->m->sections.at[r->at].user = file_reader__part(r, "user", file_reader__word(r, "user"));
}

static void read_masked(struct file_reader *r)
{
	r->m->sections.at[r->at].masked = true;
}

const struct file_keyword file_at_keywords[] = {
	{"let", read_let},	 {"rate", read_rate}, {"user", read_user},
	{"masked", read_masked}, {"end", close_at},   {NULL, NULL},
};

/*
 * Name the line of the section in a mistake that was found later, when the formula was evaluated.
 */
static void tell_section(struct file_reader *r, struct sim_own *own)
{
	if (r->rc && !own->reported)
		err__prefix(r->err, "at %s, in line %d: ", r->m->sections.at[own->section].name,
			    own->line);
	own->reported |= r->rc;
}

void file_at__values(struct file_reader *r, const char *name, double value[SIM_MAX_COLUMNS])
{
	double there[SIM_MAX_COLUMNS];
	struct sim_own *own;

	vec__for_each(own, &r->m->owns) {
		int column = r->m->sections.at[own->section].column;

		if (own->pmu || strcmp(own->name, name))
			continue;
		own->used = true;
		file_reader__values(r, own->formula, there);
		tell_section(r, own);
		value[column] = there[column];
	}
}

void file_at__rates(struct file_reader *r)
{
	struct sim_own *own;

	vec__for_each(own, &r->m->owns) {
		struct sim_local local = {.column = r->m->sections.at[own->section].column};
		struct sim_rate rate;

		if (!own->pmu || !r->pmu || strcmp(own->pmu, r->pmu->name))
			continue;
		own->used = true;
		file_reader__check(r, sim_match__parse(r->pmu, own->name, &local.match, r->err));
		file_reader__rate(r, own->formula, &rate);
		tell_section(r, own);
		local.per_ns = rate.per_ns[local.column];
		file_reader__push(r, &r->pmu->locals, local);
	}
}

void file_at__check(struct file_reader *r)
{
	const struct sim_own *own = vec__find(o, &r->m->owns, !o->used);
	const struct sim_script *script;

	if (own)
		file_reader__fail(r, EINVAL, own->pmu ? "at %s, in line %d: there is no PMU %s"
						      : "at %s, in line %d: no let line sets %s",
				  r->m->sections.at[own->section].name, own->line,
				  own->pmu ? own->pmu : own->name);
	vec__for_each(script, &r->m->scripts)
		if (!cpulist__subset(&script->cpus, &r->m->cpus))
			file_reader__fail(r, EINVAL, "stays: the machine lacks some of its CPUs");
}

/* Find or add the script of some CPUs, to which further lines are appended. */
static struct sim_script *get_script(struct file_reader *r, struct cpulist *cpus)
{
	struct sim_script *script, fresh = {.cpus = CPULIST_INIT};

	vec__for_each(script, &r->m->scripts)
		if (script->cpus.nr == cpus->nr && cpulist__subset(&script->cpus, cpus))
			return script;
	file_reader__check(r, cpulist__copy(cpus, &fresh.cpus));
	file_reader__push(r, &r->m->scripts, fresh);
	return r->rc ? NULL : &r->m->scripts.at[r->m->scripts.nr - 1];
}

/* Read "walk", "walk/2" (the second thread), or "-" (no place: as in the first phase). */
static struct sim_stay read_place(struct file_reader *r)
{
	char *word = file_reader__word(r, "a place"), *slash = strrchr(word, '/');
	struct sim_stay stay = sim_machine__stay(r->m, sim_machine__place(r->m, word));
	uint64_t thread = 1;

	if (stay.place < 0 && slash && num__scan_u64(slash + 1, 10, &thread)) {
		*slash = '\0';
		file_reader__check(r, num__parse_u64("thread", slash + 1, 1, MAX_THREAD, &thread,
						     r->err));
		stay = sim_machine__stay(r->m, sim_machine__place(r->m, word));
	}
	if (text__has_prefix(word, "cpus="))
		file_reader__fail(r, EINVAL, "cpus= comes first");
	if (stay.place < 0 && strcmp(word, "-"))
		file_reader__fail(r, EINVAL, "no at line above names '%s'", word);
	if (stay.place < 0)
		stay.column = 0;
	stay.thread = thread;
	return stay;
}

void file_at__read_stays(struct file_reader *r)
{
	auto_free(cpulist) cpus = CPULIST_INIT;
	struct sim_script *script;
	char *rest = text__trim(r->args);

	if (text__has_prefix(rest, "cpus=")) {
		r->args = rest + strlen("cpus=");
		file_reader__cpus(r, "stays", &cpus);
	}
	script = get_script(r, &cpus);
	do {
		struct sim_stay stay = read_place(r);

		stay.ns = file_reader__time(r, "stays");
		if (!stay.ns)
			file_reader__fail(r, EINVAL, "a stay cannot last 0");
		if (r->rc)
			return;
		script->round.ns += stay.ns;
		file_reader__push(r, &script->round.stays, stay);
	} while (!r->rc && *text__trim(r->args));
}

void file_at__follow_phases(struct file_reader *r, int more)
{
	struct sim_section *section;
	struct sim_script *script;
	struct sim_place *place;
	struct sim_stay *stay;

	vec__for_each(section, &r->m->sections)
		section->column += more;
	vec__for_each(place, &r->m->places)
		place->column += more;
	vec__for_each(script, &r->m->scripts)
		vec__for_each(stay, &script->round.stays)
			if (stay->place >= 0)
				stay->column += more;
}
