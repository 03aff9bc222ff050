// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read the line "guest", which turns the machine into a virtual machine with the resources that a
 * host lends.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "sim/counters.h"
#include "sim/file_reader.h"

#define ARM_SLOTS "caps/slots" /* KVM shows guests PMMIR_EL1 as 0 */
#define EVENTS "events/"

/**
 * struct guest_wish - the words of a guest line
 * @general, @fixed: number of counters of each core PMU; -1 for all
 * @precise: precise events are lent, too; @uncore: PMUs that count for a package are lent, too
 * @none: there is no core PMU; @listed: sysfs lists events that have no counter
 * @only: patterns of the events that count; all events if empty
 */
struct guest_wish {
	int general, fixed;
	bool precise, uncore, none, listed;
	const char *only[SIM_MAX_RANGES];
	int nr_only;
};

static void read_number(struct file_reader *r, const char *word, int *value)
{
	const char *number = strchr(word, '=') + 1;
	uint64_t n = 0;

	if (*value >= 0)
		file_reader__fail(r, EEXIST, "'%s' cannot be given twice", word);
	file_reader__check(r, num__parse_u64(word, number, 0, SIM_MAX_COUNTERS, &n, r->err));
	*value = n;
}

static void read_word(struct file_reader *r, const char *word, struct guest_wish *wish)
{
	if (text__has_prefix(word, "general="))
		read_number(r, word, &wish->general);
	else if (text__has_prefix(word, "fixed="))
		read_number(r, word, &wish->fixed);
	else if (!strcmp(word, "precise"))
		wish->precise = true;
	else if (!strcmp(word, "uncore"))
		wish->uncore = true;
	else if (!strcmp(word, "listed"))
		wish->listed = true;
	else if (!strcmp(word, "none"))
		wish->none = true;
	else if (!text__has_prefix(word, "only="))
		file_reader__fail(r, EINVAL,
				  "'%s' is not one of none, general=, fixed=, precise, uncore, "
				  "listed and only=",
				  word);
	else if (!word[strlen("only=")])
		file_reader__fail(r, EINVAL, "only= needs a pattern of events");
	else if (wish->nr_only == SIM_MAX_RANGES)
		file_reader__fail(r, E2BIG, "more than %d patterns of only=", SIM_MAX_RANGES);
	else
		wish->only[wish->nr_only++] = word + strlen("only=");
}

/*
 * Return: the mask of counters that are lent. Metric events need slots, and have no bits of their
 * own.
 */
static uint64_t lent_counters(const struct sim_pmu *pmu)
{
	uint64_t mask = (1ULL << pmu->nr_counters) - 1;

	return mask | ((1ULL << pmu->nr_fixed) - 1) << SIM_FIXED_BIT;
}

static bool can_count(const struct sim_pmu *pmu, const char *terms)
{
	struct sim_config config;
	struct sim_match match;
	struct sim_need need;

	if (sim_match__parse(pmu, terms, &match, NULL) ||
	    sim_match__config(pmu, &match, &config, NULL))
		return true;
	counters__need(pmu, &config, &need);
	return need.mask & lent_counters(pmu);
}

static struct sim_sysfs *find_file(struct sim_pmu *pmu, const char *path)
{
	return vec__find(f, &pmu->files, !strcmp(f->path, path));
}

/*
 * As the kernel does, remove events without a counter from sysfs. On arm64, KVM hides the width of
 * the pipeline and the events of stalled slots, which count nevertheless.
 */
static void drop_events(struct sim_pmu *pmu)
{
	bool arm = find_file(pmu, ARM_SLOTS);
	int kept = 0;

	for (int i = 0; i < pmu->files.nr; i++) {
		const struct sim_sysfs *file = &pmu->files.at[i];

		if (arm && text__has_prefix(file->path, EVENTS "stall_slot"))
			continue;
		if (!text__has_prefix(file->path, EVENTS) || can_count(pmu, file->text))
			pmu->files.at[kept++] = *file;
	}
	pmu->files.nr = kept;
}

static void set_file(struct sim_pmu *pmu, const char *path, const char *text)
{
	struct sim_sysfs *file = find_file(pmu, path);

	if (file)
		file->text = text;
}

static void lend(struct file_reader *r, struct sim_pmu *pmu, const struct guest_wish *wish)
{
	struct sim_constraint *c;

	if (wish->general >= 0 && wish->general < pmu->nr_counters)
		pmu->nr_counters = wish->general;
	if (wish->fixed >= 0 && wish->fixed < pmu->nr_fixed)
		pmu->nr_fixed = wish->fixed;
	if (!wish->listed)
		drop_events(pmu);
	/* Without a counter of slots, metric events cannot be in a group, and have no counter. */
	vec__for_each(c, &pmu->constraints)
		if (!(c->mask & lent_counters(pmu)))
			c->mask = 0;
	set_file(pmu, ARM_SLOTS, "0x00000000");
	if (!wish->precise) {
		pmu->max_precise = 0;
		set_file(pmu, "caps/max_precise", "0");
	}
	for (int i = 0; i < wish->nr_only; i++) {
		struct sim_match match = {.nr_ranges = 0};

		file_reader__check(r, sim_match__parse(pmu, wish->only[i], &match, r->err));
		file_reader__push(r, &pmu->lent, match);
	}
}

static void check_numbers(struct file_reader *r, const struct guest_wish *wish)
{
	int general = 0, fixed = 0;
	const struct sim_pmu *pmu;

	vec__for_each(pmu, &r->m->pmus) {
		if (pmu->kind != SIM_PMU_CORE)
			continue;
		general = pmu->nr_counters > general ? pmu->nr_counters : general;
		fixed = pmu->nr_fixed > fixed ? pmu->nr_fixed : fixed;
	}
	if (wish->general > general || wish->fixed > fixed)
		file_reader__fail(r, ERANGE,
				  "a guest has no more counters than its machine: general=%d "
				  "fixed=%d",
				  general, fixed);
}

static void drop_pmus(struct sim_machine *m, enum sim_pmu_kind kind)
{
	int kept = 0;

	for (int i = 0; i < m->pmus.nr; i++) {
		if (m->pmus.at[i].kind == kind)
			sim_pmu__free(&m->pmus.at[i]);
		else
			m->pmus.at[kept++] = m->pmus.at[i];
	}
	m->pmus.nr = kept;
}

void file_guest__read(struct file_reader *r)
{
	struct guest_wish wish = {.general = -1, .fixed = -1};
	struct sim_pmu *pmu;
	char *word;

	if (r->m->is_guest)
		file_reader__fail(r, EEXIST, "the machine is a guest already");
	while ((word = file_reader__optional(r)))
		read_word(r, word, &wish);
	if (wish.none &&
	    (wish.general >= 0 || wish.fixed >= 0 || wish.nr_only || wish.precise || wish.listed))
		file_reader__fail(r, EINVAL, "'none' can only be combined with 'uncore'");
	if (!r->m->pmus.nr)
		file_reader__fail(r, EINVAL, "'guest' must come after the PMUs, which 'include' "
					     "or 'pmu' lines define");
	check_numbers(r, &wish);
	if (r->rc)
		return;
	r->m->is_guest = true;
	vec__for_each(pmu, &r->m->pmus)
		if (pmu->kind == SIM_PMU_CORE)
			lend(r, pmu, &wish);
	if (!wish.uncore)
		drop_pmus(r->m, SIM_PMU_UNCORE);
	if (wish.none)
		drop_pmus(r->m, SIM_PMU_CORE);
}
