// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "sim/machine.h"

static const char *const word_names[SIM_CONFIG_WORDS] = { "config", "config1", "config2",
							   "config3" };

struct sim_pmu *sim_machine__pmu_by_type(struct sim_machine *m, uint32_t type)
{
	return vec__find(pmu, &m->pmus, pmu->type == (int)type);
}

struct sim_pmu *sim_machine__pmu_by_name(struct sim_machine *m, const char *name)
{
	return vec__find(pmu, &m->pmus, !strcmp(pmu->name, name));
}

struct sim_pmu *sim_machine__core_pmu(struct sim_machine *m, int cpu)
{
	return vec__find(pmu, &m->pmus,
			 pmu->kind == SIM_PMU_CORE && (cpu < 0 || cpulist__has(&pmu->cpus, cpu)));
}

const struct sim_core *sim_machine__core_of(const struct sim_machine *m, int cpu)
{
	return vec__find(core, &m->cores, cpulist__has(&core->cpus, cpu));
}

uint64_t sim_machine__sysctl(const struct sim_machine *m, const char *name, uint64_t otherwise)
{
	const struct sim_sysfs *file;
	uint64_t value = otherwise;

	vec__for_each(file, &m->sysctls)
		if (!strcmp(file->path, name) &&
		    num__parse_u64(name, file->text, 0, UINT64_MAX, &value, NULL))
			return otherwise;
	return value;
}

double sim_machine__load_of(const struct sim_machine *m, int cpu)
{
	const struct sim_load *load;
	double factor = 1.0;

	vec__for_each(load, &m->loads)
		if (cpulist__has(&load->cpus, cpu))
			factor *= load->factor;
	return factor;
}

static int parse_range(const char **text, uint64_t *lo, uint64_t *hi)
{
	int n = num__scan_u64(*text, 0, lo);

	if (!n)
		return -EINVAL;
	*text += n;
	*hi = *lo;
	if (**text != '-')
		return 0;
	n = num__scan_u64(*text + 1, 0, hi);
	if (!n || *hi < *lo)
		return -EINVAL;
	*text += n + 1;
	return 0;
}

static int parse_bits(struct sim_field *field, const char *format)
{
	const char *at = strchr(format, ':');
	int word;

	for (word = 0; word < SIM_CONFIG_WORDS; word++)
		if (at && text__is(format, at - format, word_names[word]))
			break;
	if (!at || word == SIM_CONFIG_WORDS)
		return -EINVAL;
	do {
		uint64_t lo, hi;

		at++;
		if (field->nr_bits == 4 || parse_range(&at, &lo, &hi) || hi > 63)
			return -EINVAL;
		field->bits[field->nr_bits++] = (struct sim_bits){ word, lo, hi };
	} while (*at == ',');
	return *at ? -EINVAL : 0;
}

int sim_pmu__add_field(struct sim_pmu *pmu, const char *name, const char *format, struct err *err)
{
	struct sim_field field = { .name = name, .format = format };

	if (parse_bits(&field, format))
		return err__set(err, EINVAL, "'%s' is not a format: "
					     "config[1-3]:LO[-HI][,LO[-HI]...]",
				format);
	sim_field__set(&field, UINT64_MAX, &field.all);
	return vec__push(&pmu->fields, field) ? err__set(err, ENOMEM, "out of memory") : 0;
}

int sim_pmu__field(const struct sim_pmu *pmu, const char *text, size_t len)
{
	const struct sim_field *field =
		vec__find(f, &pmu->fields, *f->name == *text && text__is(text, len, f->name));

	return field ? field - pmu->fields.at : -1;
}

static uint64_t low_bits(int nr)
{
	return nr >= 64 ? UINT64_MAX : (1ULL << nr) - 1;
}

uint64_t sim_field__get(const struct sim_field *field, const struct sim_config *config)
{
	uint64_t value = 0;
	int shift = 0;

	for (int i = 0; i < field->nr_bits && shift < 64; i++) {
		const struct sim_bits *b = &field->bits[i];
		int width = b->hi - b->lo + 1;

		value |= ((config->word[b->word] >> b->lo) & low_bits(width)) << shift;
		shift += width;
	}
	return value;
}

int sim_field__set(const struct sim_field *field, uint64_t value, struct sim_config *config)
{
	for (int i = 0; i < field->nr_bits; i++) {
		const struct sim_bits *b = &field->bits[i];
		int width = b->hi - b->lo + 1;

		config->word[b->word] &= ~(low_bits(width) << b->lo);
		config->word[b->word] |= (value & low_bits(width)) << b->lo;
		value = width >= 64 ? 0 : value >> width;
	}
	return value ? -ERANGE : 0;
}

/* Parse one term of a pattern, of @len bytes. */
static int parse_term(const struct sim_pmu *pmu, const char *text, size_t len,
		      struct sim_term *term, struct err *err)
{
	const char *end = text + len, *value = memchr(text, '=', len), *at;
	size_t name = value ? (size_t)(value - text) : len;

	*term = (struct sim_term){ .field = sim_pmu__field(pmu, text, name), .lo = 1, .hi = 1 };
	if (term->field < 0)
		return err__set(err, EINVAL, "PMU %s has no format term '%.*s'", pmu->name,
				(int)name, text);
	if (!value)
		return 0;
	at = ++value;
	if (text__is(value, end - value, "*")) {
		term->lo = 0;
		term->hi = UINT64_MAX;
		return 0;
	}
	if (parse_range(&at, &term->lo, &term->hi) || at != end)
		return err__set(err, EINVAL, "%.*s: '%.*s' is neither a number, a range nor *",
				(int)name, text, (int)(end - value), value);
	return 0;
}

static void add_bits(struct sim_config *to, const struct sim_config *bits)
{
	for (int i = 0; i < SIM_CONFIG_WORDS; i++)
		to->word[i] |= bits->word[i];
}

/*
 * Add a term to a pattern. Single values are compared together, in whole words. A value that does
 * not fit the field becomes a range that matches no event.
 */
static int add_term(const struct sim_pmu *pmu, const struct sim_term *term, struct sim_match *match,
		    struct err *err)
{
	const struct sim_field *field = &pmu->fields.at[term->field];

	add_bits(&match->named, &field->all);
	if (term->lo == term->hi && !sim_field__set(field, term->lo, &match->value)) {
		add_bits(&match->fixed, &field->all);
		return 0;
	}
	if (match->nr_ranges == SIM_MAX_RANGES)
		return err__set(err, EINVAL, "more than %d terms have several values",
				SIM_MAX_RANGES);
	match->ranges[match->nr_ranges++] = *term;
	return 0;
}

int sim_match__parse(const struct sim_pmu *pmu, const char *text, struct sim_match *match,
		     struct err *err)
{
	struct sim_term term;
	size_t len;
	int rc = 0;

	*match = (struct sim_match){ .nr_ranges = 0 };
	for (; *text && !rc; text += len + !!text[len]) {
		len = strcspn(text, ",");
		if (!len)
			continue;
		rc = parse_term(pmu, text, len, &term, err);
		rc = rc ? rc : add_term(pmu, &term, match, err);
	}
	return rc;
}

int sim_match__config(const struct sim_pmu *pmu, const struct sim_match *match,
		      struct sim_config *config, struct err *err)
{
	const struct sim_term *term = match->ranges;
	const struct sim_field *field = &pmu->fields.at[term->field];

	*config = match->value;
	if (!match->nr_ranges)
		return 0;
	if (term->lo != term->hi)
		return err__set(err, EINVAL, "%s must have one value here", field->name);
	return err__set(err, ERANGE, "%#llx does not fit %s (%s)", (unsigned long long)term->lo,
			field->name, field->format);
}

/* Find out whether the terms with ranges match. */
static bool ranges_match(const struct sim_pmu *pmu, const struct sim_match *match,
			 const struct sim_config *config)
{
	for (int i = 0; i < match->nr_ranges; i++) {
		const struct sim_term *term = &match->ranges[i];
		uint64_t value = sim_field__get(&pmu->fields.at[term->field], config);

		if (value < term->lo || value > term->hi)
			return false;
	}
	return true;
}

bool sim_pmu__matches(const struct sim_pmu *pmu, const struct sim_match *match, bool exact,
		      const struct sim_config *config)
{
	for (int i = 0; i < SIM_CONFIG_WORDS; i++) {
		uint64_t word = config->word[i];

		if ((word ^ match->value.word[i]) & match->fixed.word[i] ||
		    (exact && word & ~match->named.word[i]))
			return false;
	}
	return ranges_match(pmu, match, config);
}

bool sim_pmu__can_be_precise(const struct sim_pmu *pmu, const struct sim_config *config)
{
	return !pmu->precise.nr ||
	       vec__find(match, &pmu->precise, sim_pmu__matches(pmu, match, false, config));
}

const struct sim_latency *sim_pmu__latency(const struct sim_pmu *pmu,
					   const struct sim_config *config)
{
	if (!pmu->retire_latency)
		return NULL;
	return vec__find(l, &pmu->latencies, sim_pmu__matches(pmu, &l->match, false, config));
}

const struct sim_distance *sim_pmu__distance(const struct sim_pmu *pmu,
					     const struct sim_config *config)
{
	return vec__find(d, &pmu->distances, sim_pmu__matches(pmu, &d->match, false, config));
}

int sim_machine__place(const struct sim_machine *m, const char *name)
{
	const struct sim_place *place = vec__find(p, &m->places, !strcmp(p->name, name));

	return place ? place - m->places.at : -1;
}

struct sim_stay sim_machine__stay(const struct sim_machine *m, int place)
{
	int column = place >= 0 ? m->places.at[place].column : -1;

	return (struct sim_stay){.column = column, .place = place, .thread = 1, .spot = -1};
}

const struct sim_script *sim_machine__script(const struct sim_machine *m, int cpu)
{
	return vec__find(s, &m->scripts, cpu < 0 ? !s->cpus.nr : cpulist__has(&s->cpus, cpu));
}

void sim_pmu__init(struct sim_pmu *pmu)
{
	*pmu = (struct sim_pmu){ .type = -1, .mux_interval_ms = 4, .user_share = 0.8 };
	for (int i = 0; i < SIM_MAX_COLUMNS; i++) {
		pmu->hash_lo.value[i] = 1e5;
		pmu->hash_hi.value[i] = 1e8;
	}
}

void sim_pmu__free(struct sim_pmu *pmu)
{
	vec__free(&pmu->fields);
	vec__free(&pmu->files);
	vec__free(&pmu->constraints);
	vec__free(&pmu->shared);
	vec__free(&pmu->starved);
	vec__free(&pmu->generics);
	vec__free(&pmu->rules);
	vec__free(&pmu->precise);
	vec__free(&pmu->lent);
	vec__free(&pmu->latencies);
	vec__free(&pmu->locals);
	vec__free(&pmu->distances);
	vec__free(&pmu->vars);
	cpulist__free(&pmu->cpus);
	free(pmu->asked);
}

/* Free a list whose elements have lists of CPUs. */
#define FREE_WITH_CPUS(v)                                          \
	do {                                                       \
		for (int i_ = 0; i_ < (v)->nr; i_++)               \
			cpulist__free(&(v)->at[i_].cpus);          \
		vec__free(v);                                      \
	} while (0)

void sim_machine__free(struct sim_machine *m)
{
	struct sim_pmu *pmu;
	char **text;

	vec__for_each(pmu, &m->pmus)
		sim_pmu__free(pmu);
	vec__for_each(text, &m->texts)
		free(*text);
	FREE_WITH_CPUS(&m->cores);
	FREE_WITH_CPUS(&m->caches);
	FREE_WITH_CPUS(&m->nodes);
	FREE_WITH_CPUS(&m->loads);
	for (int i = 0; i < m->scripts.nr; i++)
		vec__free(&m->scripts.at[i].round.stays);
	FREE_WITH_CPUS(&m->scripts);
	vec__free(&m->phases.stays);
	vec__free(&m->sections);
	vec__free(&m->places);
	vec__free(&m->owns);
	vec__free(&m->sysctls);
	vec__free(&m->stops);
	vec__free(&m->softs);
	vec__free(&m->vars);
	vec__free(&m->pmus);
	vec__free(&m->texts);
	cpulist__free(&m->cpus);
	cpulist__free(&m->online);
	memset(m, 0, sizeof(*m));
}
