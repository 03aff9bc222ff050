// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <glob.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "sim_fixture.h"

#define HEAD "cpuid GenuineIntel-6-55-4\ncpus 0-3\ncore 0-1\ncore 2-3\n"

/* Return: the error's message without the file's name, which differs between runs. */
static const char *mistake(const char *text)
{
	static struct err err;
	struct sim_machine m;
	const char *line;

	err = (struct err)ERR_INIT;
	ck_assert_int_lt(sim_load_text(text, &m, &err), 0);
	line = strstr(err.msg, ": ");
	return line ? line + 2 : err.msg;
}

START_TEST(the_small_machine_is_read)
{
	struct sim_machine m;
	struct sim_pmu *pmu;

	sim_must_load(SIM_SMALL, &m);
	ck_assert_str_eq(m.cpuid, "GenuineIntel-6-55-4");
	ck_assert_int_eq(m.cpus.nr, 2);
	ck_assert_int_eq(m.phases.stays.nr, 2);
	ck_assert_uint_eq(m.phases.stays.at[1].ns, 500000000);
	pmu = sim_machine__pmu_by_type(&m, 4);
	ck_assert_ptr_nonnull(pmu);
	ck_assert_str_eq(pmu->name, "cpu");
	ck_assert_int_eq(pmu->nr_counters, 4);
	ck_assert_int_eq(pmu->cpus.nr, 2);
	ck_assert_ptr_eq(sim_machine__pmu_by_name(&m, "cpu"), pmu);
	ck_assert_ptr_null(sim_machine__pmu_by_type(&m, 5));
	sim_machine__free(&m);
}
END_TEST

/* Words of the file occur in messages, too. */
START_TEST(a_mistake_has_its_place_whatever_the_line_says)
{
	struct err err = ERR_INIT;
	struct sim_machine m;

	ck_assert_int_lt(sim_load_text(HEAD "let a 2 : line 7\n", &m, &err), 0);
	ck_assert_msg(strstr(err.msg, ": line 5: "), "%s", err.msg);
}
END_TEST

START_TEST(no_name_leads_out_of_the_directory)
{
	static const char *const lines[] = {
		"sysctl ../../x 1\n",
		"pmu /x\ntype 4\nend\n",
		"pmu a/b\ntype 4\nend\n",
		"pmu cpu\ntype 4\nfile ../x 1\nend\n",
		"pmu cpu\ntype 4\nformat ../../x config:0-7\nend\n",
		"pmu cpu\ntype 4\nformat f config:0-7\nevent ../../../x f=1\nend\n",
	};
	char text[256];

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		const char *why;

		snprintf(text, sizeof(text), HEAD "%s", lines[i]);
		why = mistake(text);
		ck_assert_msg(strstr(why, "is not below its directory") ||
				      strstr(why, "is not a name of a PMU"),
			      "%s%s", lines[i], why);
	}
}
END_TEST

START_TEST(instances_have_names_and_types_of_their_own)
{
	struct sim_machine m;

	sim_must_load(HEAD "pmu uncore_imc_2..4\nkind uncore\ntype 20\ncpumask 0\ncounters 4\n"
			   "format event config:0-7\nend\n",
		      &m);
	ck_assert_int_eq(m.pmus.nr, 3);
	ck_assert_str_eq(m.pmus.at[0].name, "uncore_imc_2");
	ck_assert_str_eq(m.pmus.at[2].name, "uncore_imc_4");
	ck_assert_int_eq(m.pmus.at[2].type, 22);
	ck_assert_int_eq(m.pmus.at[2].instance, 2);
	ck_assert_int_eq(m.pmus.at[1].fields.nr, 1);
	sim_machine__free(&m);
}
END_TEST

/* A file that several machines include does not have to know their CPUs. */
START_TEST(a_cpumask_of_packages_or_cores_has_the_first_cpu_of_each)
{
	struct sim_machine m;

	sim_must_load("cpuid GenuineIntel-6-55-4\ncpus 0-7\ncore 0,4 package=0\n"
		      "core 1,5 package=0\ncore 2,6 package=1\ncore 3,7 package=1\n"
		      "pmu power\nkind uncore\ntype 20\ncounters 4\ncpumask packages\nend\n"
		      "pmu cstate_core\nkind uncore\ntype 21\ncounters 4\ncpumask cores\nend\n",
		      &m);
	ck_assert_int_eq(m.pmus.at[0].cpus.nr, 2);
	ck_assert_int_eq(m.pmus.at[0].cpus.at[0], 0);
	ck_assert_int_eq(m.pmus.at[0].cpus.at[1], 2);
	ck_assert_str_eq(m.pmus.at[0].files.at[0].path, "cpumask");
	ck_assert_str_eq(m.pmus.at[0].files.at[0].text, "0,2");
	ck_assert_str_eq(m.pmus.at[1].files.at[0].text, "0-3");
	sim_machine__free(&m);
}
END_TEST

START_TEST(caches_are_shared_by_core_or_package)
{
	struct sim_machine m;

	sim_must_load(HEAD "cache 1 Data 32K core 0-3\ncache 3 Unified 8M package 0-3\n", &m);
	ck_assert_int_eq(m.caches.nr, 3);
	ck_assert_int_eq(m.caches.at[0].cpus.nr, 2);
	ck_assert(cpulist__has(&m.caches.at[1].cpus, 3));
	ck_assert_int_eq(m.caches.at[2].cpus.nr, 4);
	sim_machine__free(&m);
}
END_TEST

START_TEST(mistakes_are_named_with_their_line)
{
	ck_assert_str_eq(mistake("cpuid x\ncpus 0-1\ncore 0-2\n"),
			 "line 3: some of its CPUs are not in the cpus line above");
	ck_assert_str_eq(mistake(HEAD "cpus 0\n"), "line 5: there is a cpus line above already");
	ck_assert_str_eq(mistake(HEAD "core 1\n"), "line 5: CPU 1 is in two cores");
	ck_assert_str_eq(mistake(HEAD "sotfware page-faults 1\n"),
			 "line 5: 'sotfware' is not allowed outside a pmu section; did you mean "
			 "'software'?");
	ck_assert_str_eq(mistake(HEAD "pmu a\ntype 4\n"),
			 "line 7: pmu a has not been closed by an end line");
	ck_assert_str_eq(mistake(HEAD "pmu a\nend\n"), "line 6: pmu a has no type line");
	ck_assert_str_eq(mistake(HEAD "pmu a\ntype 4\nend\npmu b\ntype 4\nend\n"),
			 "line 10: type 4 already belongs to a");
	ck_assert_str_eq(mistake(HEAD "node 0 0-3 4\n"), "line 5: '4' is one word too many");
	ck_assert_str_eq(mistake(HEAD "phases 1h\n"),
			 "line 5: phases: '1h' is not a time up to an hour in ns, us, ms or s");
	ck_assert_str_eq(mistake("cpus 0\ncore 0\n"), "no cpuid line");
	ck_assert_str_eq(mistake("cpuid x\ncpus 0-1\ncore 0\n"), "CPU 1 is in no core line");
}
END_TEST

START_TEST(mistakes_in_formulas_are_named)
{
	ck_assert_str_eq(mistake(HEAD "phases 1s 1s\nlet a 1 2 3\n"),
			 "line 6: 3 values for 2 phases");
	ck_assert_str_eq(mistake(HEAD "let a 2*b\n"),
			 "line 5: 'b' has not been set by a let line above");
	ck_assert_str_eq(mistake(HEAD "let a 2*\n"),
			 "line 5: a number or a name is missing before ''");
	ck_assert_str_eq(mistake(HEAD "let a 2 b\n"), "line 5: +, - or * is missing before 'b'");
	ck_assert_str_eq(mistake(HEAD "software page-faults 1 - 2\n"),
			 "line 5: -1 events a second in phase 1");
}
END_TEST

#define PMU HEAD "phases 1s 1s\npmu a\ntype 4\nformat event config:0-7\n"

START_TEST(latencies_are_of_events_and_phases)
{
	const struct sim_latency *latency;
	struct sim_config config = { { 0xd1 } };
	struct sim_machine m;

	sim_must_load(PMU "retire-latency\nlet busy 1 2\nprecise event=0xd0-0xd2\n"
			  "latency event=0xd1 10*busy spread=0.25\nlatency event=0xd0-0xd2 7\nend\n",
		      &m);
	latency = sim_pmu__latency(&m.pmus.at[0], &config);
	ck_assert_double_eq(latency->cycles[1], 20);
	ck_assert_double_eq(latency->spread, 0.25);
	ck_assert(sim_pmu__can_be_precise(&m.pmus.at[0], &config));
	config.word[0] = 0xd2;
	latency = sim_pmu__latency(&m.pmus.at[0], &config);
	ck_assert_double_eq(latency->cycles[0], 7);
	ck_assert_double_eq(latency->spread, 0.5);
	config.word[0] = 0xd3;
	ck_assert_ptr_null(sim_pmu__latency(&m.pmus.at[0], &config));
	ck_assert(!sim_pmu__can_be_precise(&m.pmus.at[0], &config));
	sim_machine__free(&m);
	ck_assert_str_eq(mistake(PMU "latency event=1 5 spread=2\n"),
			 "line 9: spread: 2 is not between 0 and 1");
	ck_assert_str_eq(mistake(PMU "latency event=1 5 spread=\n"),
			 "line 9: spread: '' is not a number");
	ck_assert_str_eq(mistake(PMU "latency event=1 1 - 2\n"), "line 9: -1 cycles in phase 1");
	ck_assert_str_eq(mistake(PMU "latency event=1\n"), "line 9: latency is missing");
	ck_assert_str_eq(mistake(PMU "file caps/max_precise 4\n"),
			 "line 9: caps/max_precise: 4 is not between 0 and 3");
	ck_assert_str_eq(mistake(PMU "retire-latency yes\n"), "line 9: 'yes' is one word too many");
}
END_TEST

START_TEST(formulas_know_precedence_and_suffixes)
{
	struct sim_machine m;

	sim_must_load(HEAD "phases 1s 1s\nlet a 1k 2.5M\nlet b 10 - 2*3 + 0.001*a\n", &m);
	ck_assert_double_eq(m.vars.at[0].value[1], 2.5e6);
	ck_assert_double_eq(m.vars.at[1].value[0], 5.0);
	ck_assert_double_eq(m.vars.at[1].value[1], 2504.0);
	sim_machine__free(&m);
}
END_TEST

START_TEST(fields_of_several_runs_are_put_together)
{
	struct sim_pmu pmu;
	struct sim_config config = { { 0 } };

	sim_pmu__init(&pmu);
	ck_assert_int_eq(sim_pmu__add_field(&pmu, "umask", "config:8-15,32-55", NULL), 0);
	ck_assert_int_eq(sim_field__set(&pmu.fields.at[0], 0xc817fe01, &config), 0);
	ck_assert_uint_eq(config.word[0], 0x00c817fe00000100ULL);
	ck_assert_uint_eq(sim_field__get(&pmu.fields.at[0], &config), 0xc817fe01);
	ck_assert_int_eq(sim_field__set(&pmu.fields.at[0], 1ULL << 32, &config), -ERANGE);
	ck_assert_int_eq(sim_pmu__add_field(&pmu, "x", "config4:0-7", NULL), -EINVAL);
	ck_assert_int_eq(sim_pmu__add_field(&pmu, "x", "config:0-64", NULL), -EINVAL);
	sim_pmu__free(&pmu);
}
END_TEST

static bool matches(const struct sim_pmu *pmu, const char *pattern, bool exact, uint64_t config,
		    uint64_t config1)
{
	struct sim_match match;
	struct sim_config words = { { config, config1 } };

	ck_assert_int_eq(sim_match__parse(pmu, pattern, &match, NULL), 0);
	return sim_pmu__matches(pmu, &match, exact, &words);
}

START_TEST(patterns_match_ranges_and_stars)
{
	struct sim_machine m;
	struct sim_pmu *pmu;

	sim_must_load(SIM_SMALL, &m);
	pmu = &m.pmus.at[0];
	ck_assert(matches(pmu, "event=0x20-0x2f", false, 0x0125, 7));
	ck_assert(!matches(pmu, "event=0x20-0x2f", false, 0x0130, 0));
	ck_assert(!matches(pmu, "event=0x25", true, 0x0125, 0));
	ck_assert(matches(pmu, "event=0x25,umask=1", true, 0x0125, 0));
	ck_assert(!matches(pmu, "event=0x25,umask=1", true, 0x0125, 7));
	ck_assert(matches(pmu, "event=0x25,umask=1,rsp=*", true, 0x0125, 7));
	sim_machine__free(&m);
}
END_TEST

START_TEST(the_machines_that_come_with_tma_are_sound)
{
	size_t read = 0;
	glob_t files;

	ck_assert_int_eq(glob("lib/sim/machines/*", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct err err = ERR_INIT;
		struct sim_machine m;

		if (strstr(files.gl_pathv[i], ".part"))
			continue;
		ck_assert_msg(!sim_machine__load(files.gl_pathv[i], &m, &err), "%s", err.msg);
		ck_assert_int_ge(m.pmus.nr, m.is_guest ? 1 : 2);
		sim_machine__free(&m);
		read++;
	}
	ck_assert_int_ge(read, 5);
	globfree(&files);
}
END_TEST

START_TEST(generic_events_are_found_by_name)
{
	struct sim_machine m;

	sim_must_load(HEAD "pmu cpu\ntype 4\nformat event config:0-7\n"
			   "generic LLC-load-misses event=0x42\n"
			   "generic stalled-cycles-frontend event=0x1\nend\n",
		      &m);
	ck_assert_uint_eq(m.pmus.at[0].generics.at[0].type, PERF_TYPE_HW_CACHE);
	ck_assert_uint_eq(m.pmus.at[0].generics.at[0].config, 0x10002);
	ck_assert_uint_eq(m.pmus.at[0].generics.at[0].target.word[0], 0x42);
	ck_assert_uint_eq(m.pmus.at[0].generics.at[1].config,
			  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND);
	sim_machine__free(&m);
	ck_assert_str_eq(mistake(HEAD "pmu cpu\ntype 4\nformat event config:0-7\n"
				      "generic LLC-loadz event=1\nend\n"),
			 "line 8: 'LLC-loadz' is not a generic event");
}
END_TEST

TMA_TEST_MAIN(sim_machine, the_small_machine_is_read,
	      a_mistake_has_its_place_whatever_the_line_says, no_name_leads_out_of_the_directory,
	      instances_have_names_and_types_of_their_own,
	      a_cpumask_of_packages_or_cores_has_the_first_cpu_of_each,
	      caches_are_shared_by_core_or_package, mistakes_are_named_with_their_line,
	      mistakes_in_formulas_are_named, latencies_are_of_events_and_phases,
	      formulas_know_precedence_and_suffixes, fields_of_several_runs_are_put_together,
	      patterns_match_ranges_and_stars, the_machines_that_come_with_tma_are_sound,
	      generic_events_are_found_by_name)
