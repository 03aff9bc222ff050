// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that describe simulated machines: the machine (@m), and files that it may include,
 * core.part (@c) and uncore.part (@u). If a machine can be loaded, its CPUs, cores, terms, patterns
 * and rates fit together. Otherwise a message has the place of the mistake.
 */
#include <math.h>

#include "folder.h"
#include "sim/machine.h"
#include "sim/rate.h"

static struct folder_file files[] = {
	{.letter = 'm', .path = "machine"},
	{.letter = 'c', .path = "core.part"},
	{.letter = 'u', .path = "uncore.part"},
};
static struct folder folder = {.files = files, .nr_files = 3};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static void check_round(const struct sim_round *round, const struct sim_machine *m)
{
	const struct sim_stay *stay;
	uint64_t ns = 0;

	vec__for_each (stay, &round->stays) {
		fuzz_check(stay->ns && stay->column >= 0 &&
				   stay->column < sim_machine__nr_columns(m),
			   "%d", stay->column);
		ns += stay->ns;
	}
	fuzz_check(ns && ns == round->ns);
}

static void check_cpus(struct sim_machine *m)
{
	const struct sim_script *script;
	const int *cpu;

	fuzz_check(m->cpuid && m->cpus.nr && m->online.nr);
	fuzz_check(m->phases.stays.nr >= 1 && sim_machine__nr_columns(m) <= SIM_MAX_COLUMNS, "%d",
		   sim_machine__nr_columns(m));
	check_round(&m->phases, m);
	cpulist__for_each (cpu, &m->cpus) {
		const struct sim_core *core = sim_machine__core_of(m, *cpu);
		double load = sim_machine__load_of(m, *cpu);

		fuzz_check(core && cpulist__has(&core->cpus, *cpu), "CPU %d", *cpu);
		fuzz_check(load >= 0 && isfinite(load), "CPU %d: %g", *cpu, load);
	}
	vec__for_each (script, &m->scripts)
		check_round(&script->round, m);
	cpulist__for_each (cpu, &m->online)
		fuzz_check(cpulist__has(&m->cpus, *cpu), "CPU %d", *cpu);
}

static void check_files(const struct sim_files *files)
{
	const struct sim_sysfs *file;

	vec__for_each (file, files)
		fuzz_check(*file->path != '/' && !strstr(file->path, ".."), "%s", file->path);
}

/* A field returns the largest value that it accepts, and refuses a larger value. */
static void check_field(const struct sim_field *field)
{
	struct sim_config config = {.word = {0}};
	int width = 0;
	uint64_t most;

	for (int i = 0; i < field->nr_bits; i++) {
		const struct sim_bits *bits = &field->bits[i];

		fuzz_check(bits->word >= 0 && bits->word < SIM_CONFIG_WORDS, "%s", field->name);
		fuzz_check(bits->lo >= 0 && bits->lo <= bits->hi && bits->hi < 64, "%s",
			   field->name);
		width += bits->hi - bits->lo + 1;
	}
	if (width > 64 || !width)
		return;
	most = width == 64 ? UINT64_MAX : (1ULL << width) - 1;
	fuzz_check(!sim_field__set(field, most, &config), "%s", field->format);
	fuzz_check(sim_field__get(field, &config) == most, "%s", field->format);
	fuzz_check(width == 64 || sim_field__set(field, most + 1, &config), "%s", field->format);
}

static void check_rate(const struct sim_round *round, const struct sim_rate *rate)
{
	const struct sim_course course = {.round = round, .offset = 7};
	sim_count_t whole = rate__count(&course, rate, 5, 3000000005),
		    parts = rate__count(&course, rate, 5, 1234567890);

	parts += rate__count(&course, rate, 1234567890, 3000000005);
	fuzz_check(whole == parts, "%g, not %g", (double)whole, (double)parts);
}

static void check_event(const struct sim_machine *m, const struct sim_pmu *pmu,
			const struct sim_match *match)
{
	const struct sim_script *script;
	struct sim_rate rate;

	fuzz_check(match->nr_ranges >= 0 && match->nr_ranges <= SIM_MAX_RANGES);
	if (!match->nr_ranges)
		fuzz_check(sim_pmu__matches(pmu, match, false, &match->value), "%s", pmu->name);
	rate__of_event(m, pmu, &match->value, &rate);
	check_rate(&m->phases, &rate);
	vec__for_each (script, &m->scripts)
		check_rate(&script->round, &rate);
	sim_pmu__can_be_precise(pmu, &match->value);
	sim_pmu__latency(pmu, &match->value);
}

static void check_pmu(struct sim_machine *m, struct sim_pmu *pmu)
{
	const struct sim_constraint *constraint;
	const struct sim_latency *latency;
	const struct sim_field *field;
	const struct sim_rule *rule;

	fuzz_check(sim_machine__pmu_by_name(m, pmu->name) == pmu, "%s", pmu->name);
	fuzz_check(sim_machine__pmu_by_type(m, pmu->type) == pmu, "%s", pmu->name);
	fuzz_check(pmu->cpus.nr && cpulist__subset(&pmu->cpus, &m->cpus), "%s", pmu->name);
	fuzz_check(!strpbrk(pmu->name, "/") && !strstr(pmu->name, ".."), "%s", pmu->name);
	check_files(&pmu->files);
	vec__for_each (field, &pmu->fields)
		check_field(field);
	vec__for_each (constraint, &pmu->constraints)
		check_event(m, pmu, &constraint->match);
	vec__for_each (rule, &pmu->rules)
		check_event(m, pmu, &rule->match);
	vec__for_each (latency, &pmu->latencies)
		for (int i = 0; i < sim_machine__nr_columns(m); i++)
			fuzz_check(latency->cycles[i] >= 0 && isfinite(latency->cycles[i]), "%g",
				   latency->cycles[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sim_machine m;
	struct sim_pmu *pmu;
	struct err err = ERR_INIT;
	char path[4096];
	int rc;

	folder__fill(&folder, data, size);
	snprintf(path, sizeof(path), "%s/machine", folder.root);
	rc = sim_machine__load(path, &m, &err);
	if (rc) {
		fuzz__check_error(rc, &err);
		fuzz_check(strstr(err.msg, folder.root), "%s", err.msg);
		return 0;
	}
	check_cpus(&m);
	check_files(&m.sysctls);
	vec__for_each (pmu, &m.pmus)
		check_pmu(&m, pmu);
	sim_machine__free(&m);
	return 0;
}
