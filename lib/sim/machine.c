// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "sim/machine.h"

static const char *const word_names[SIM_CONFIG_WORDS] = { "config", "config1", "config2",
							   "config3" };

struct sim_pmu *sim_machine__pmu_by_type(struct sim_machine *m, uint32_t type)
{
	struct sim_pmu *pmu;

	vec__for_each(pmu, &m->pmus)
		if (pmu->type == (int)type)
			return pmu;
	return NULL;
}

struct sim_pmu *sim_machine__pmu_by_name(struct sim_machine *m, const char *name)
{
	struct sim_pmu *pmu;

	vec__for_each(pmu, &m->pmus)
		if (!strcmp(pmu->name, name))
			return pmu;
	return NULL;
}

const struct sim_core *sim_machine__core_of(const struct sim_machine *m, int cpu)
{
	const struct sim_core *core;

	vec__for_each(core, &m->cores)
		if (cpulist__has(&core->cpus, cpu))
			return core;
	return NULL;
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
		if (at && strlen(word_names[word]) == (size_t)(at - format) &&
		    !strncmp(word_names[word], format, at - format))
			break;
	if (word == SIM_CONFIG_WORDS)
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
		return err__set(err, EINVAL, "'%s' is no format: config[1-3]:LO[-HI][,LO[-HI]...]",
				format);
	sim_field__set(&field, UINT64_MAX, &field.all);
	return vec__push(&pmu->fields, field) ? err__set(err, ENOMEM, "out of memory") : 0;
}

int sim_pmu__field(const struct sim_pmu *pmu, const char *name)
{
	for (int i = 0; i < pmu->fields.nr; i++)
		if (*pmu->fields.at[i].name == *name && !strcmp(pmu->fields.at[i].name, name))
			return i;
	return -1;
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

/* The field of that name, of which @text is longer. */
static int find_field(const struct sim_pmu *pmu, const char *text, size_t len)
{
	for (int i = 0; i < pmu->fields.nr; i++) {
		const char *name = pmu->fields.at[i].name;

		if (*name == *text && !strncmp(name, text, len) && !name[len])
			return i;
	}
	return -1;
}

/* One term, of @len bytes. */
static int parse_term(const struct sim_pmu *pmu, const char *text, size_t len,
		      struct sim_term *term, struct err *err)
{
	const char *end = text + len, *value = memchr(text, '=', len), *at;
	size_t name = value ? (size_t)(value - text) : len;

	*term = (struct sim_term){ .field = find_field(pmu, text, name), .lo = 1, .hi = 1 };
	if (term->field < 0)
		return err__set(err, EINVAL, "PMU %s has no format term '%.*s'", pmu->name,
				(int)name, text);
	if (!value)
		return 0;
	at = ++value;
	if (end - value == 1 && *value == '*') {
		term->any = true;
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

/* What of a term can be compared as whole words. */
static void add_masks(const struct sim_pmu *pmu, const struct sim_term *term,
		      struct sim_match *match)
{
	const struct sim_field *field = &pmu->fields.at[term->field];

	add_bits(&match->named, &field->all);
	if (term->any)
		return;
	if (term->lo != term->hi || sim_field__set(field, term->lo, &match->value)) {
		match->ranges++; /* or a value that does not fit, which no event has */
		return;
	}
	add_bits(&match->fixed, &field->all);
}

int sim_match__parse(const struct sim_pmu *pmu, const char *text, struct sim_match *match,
		     struct err *err)
{
	struct sim_term term;
	size_t len;
	int rc = 0;

	for (; *text && !rc; text += len + !!text[len]) {
		len = strcspn(text, ",");
		if (!len)
			continue;
		rc = parse_term(pmu, text, len, &term, err);
		if (!rc && vec__push(&match->terms, term))
			rc = err__set(err, ENOMEM, "out of memory");
		if (!rc)
			add_masks(pmu, &term, match);
	}
	if (rc)
		sim_match__free(match);
	return rc;
}

int sim_match__config(const struct sim_pmu *pmu, const struct sim_match *match,
		      struct sim_config *config, struct err *err)
{
	const struct sim_term *term;

	*config = (struct sim_config){ { 0 } };
	vec__for_each(term, &match->terms) {
		const struct sim_field *field = &pmu->fields.at[term->field];

		if (term->any || term->lo != term->hi)
			return err__set(err, EINVAL, "%s must have one value here", field->name);
		if (sim_field__set(field, term->lo, config))
			return err__set(err, ERANGE, "%#llx does not fit %s (%s)",
					(unsigned long long)term->lo, field->name, field->format);
	}
	return 0;
}

/* Whether the terms with several values hold. */
static bool ranges_match(const struct sim_pmu *pmu, const struct sim_match *match,
			 const struct sim_config *config)
{
	const struct sim_term *term;

	vec__for_each(term, &match->terms) {
		uint64_t value = sim_field__get(&pmu->fields.at[term->field], config);

		if (!term->any && (value < term->lo || value > term->hi))
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
	return !match->ranges || ranges_match(pmu, match, config);
}

bool sim_pmu__can_be_precise(const struct sim_pmu *pmu, const struct sim_config *config)
{
	const struct sim_match *match;

	vec__for_each(match, &pmu->precise)
		if (sim_pmu__matches(pmu, match, false, config))
			return true;
	return !pmu->precise.nr;
}

const struct sim_latency *sim_pmu__latency(const struct sim_pmu *pmu,
					   const struct sim_config *config)
{
	const struct sim_latency *latency;

	if (pmu->retire_latency)
		vec__for_each(latency, &pmu->latencies)
			if (sim_pmu__matches(pmu, &latency->match, false, config))
				return latency;
	return NULL;
}

void sim_match__free(struct sim_match *match)
{
	vec__free(&match->terms);
	*match = (struct sim_match)SIM_MATCH_INIT;
}

void sim_pmu__init(struct sim_pmu *pmu)
{
	*pmu = (struct sim_pmu){ .type = -1, .mux_interval_ms = 4, .user_share = 0.8 };
	for (int i = 0; i < SIM_MAX_PHASES; i++) {
		pmu->hash_lo.value[i] = 1e5;
		pmu->hash_hi.value[i] = 1e8;
	}
}

void sim_pmu__free(struct sim_pmu *pmu)
{
	struct sim_constraint *c;
	struct sim_shared *s;
	struct sim_rule *rule;
	struct sim_latency *latency;
	struct sim_match *match;

	vec__for_each(c, &pmu->constraints)
		sim_match__free(&c->match);
	vec__for_each(s, &pmu->shared)
		sim_match__free(&s->match);
	vec__for_each(rule, &pmu->rules)
		sim_match__free(&rule->match);
	vec__for_each(match, &pmu->precise)
		sim_match__free(match);
	vec__for_each(latency, &pmu->latencies)
		sim_match__free(&latency->match);
	vec__free(&pmu->fields);
	vec__free(&pmu->files);
	vec__free(&pmu->constraints);
	vec__free(&pmu->shared);
	vec__free(&pmu->generics);
	vec__free(&pmu->rules);
	vec__free(&pmu->precise);
	vec__free(&pmu->latencies);
	vec__free(&pmu->vars);
	cpulist__free(&pmu->cpus);
	free(pmu->asked);
}

void sim_machine__free(struct sim_machine *m)
{
	struct sim_core *core;
	struct sim_cache *cache;
	struct sim_node *node;
	struct sim_load *load;
	struct sim_pmu *pmu;
	char **text;

	vec__for_each(core, &m->cores)
		cpulist__free(&core->cpus);
	vec__for_each(cache, &m->caches)
		cpulist__free(&cache->cpus);
	vec__for_each(node, &m->nodes)
		cpulist__free(&node->cpus);
	vec__for_each(load, &m->loads)
		cpulist__free(&load->cpus);
	vec__for_each(pmu, &m->pmus)
		sim_pmu__free(pmu);
	vec__for_each(text, &m->texts)
		free(*text);
	vec__free(&m->cores);
	vec__free(&m->caches);
	vec__free(&m->nodes);
	vec__free(&m->sysctls);
	vec__free(&m->stops);
	vec__free(&m->loads);
	vec__free(&m->softs);
	vec__free(&m->vars);
	vec__free(&m->pmus);
	vec__free(&m->texts);
	cpulist__free(&m->cpus);
	cpulist__free(&m->online);
	memset(m, 0, sizeof(*m));
}
