// SPDX-License-Identifier: GPL-2.0-only
/* CPU ids are matched against the patterns of mapfile.csv. */
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "json/cpuid.h"
#include "json/format.h"
#include "machine/models.h"
#include "tables/tables.h"
#include "unit.h"

static const char *model_of(const char *cpuid)
{
	struct tables *t;
	const char *model = "none";

	t = tables__find(cpuid);
	if (t)
		model = tables__model(t); /* outlives the handle */
	tables__free(t);
	return model;
}

START_TEST(stepping_tells_skylakex_from_cascadelakex)
{
	char id[64];

	for (int stepping = 0; stepping < 16; stepping++) {
		snprintf(id, sizeof(id), "GenuineIntel-6-55-%X", stepping);
		ck_assert_str_eq(model_of(id), stepping < 5 ? "skylakex" : "cascadelakex");
	}
}
END_TEST

START_TEST(stepping_does_not_matter_to_a_pattern_without_one)
{
	ck_assert_str_eq(model_of("GenuineIntel-6-8F-0"), "sapphirerapids");
	ck_assert_str_eq(model_of("GenuineIntel-6-8F-F"), "sapphirerapids");
	ck_assert_str_eq(model_of("GenuineIntel-6-8F"), "sapphirerapids");
}
END_TEST

START_TEST(pattern_with_a_stepping_wants_one)
{
	ck_assert_str_eq(model_of("GenuineIntel-6-55"), "none");
}
END_TEST

START_TEST(models_of_each_vendor)
{
	static const struct {
		const char *id, *model;
	} cases[] = {
		{ "GenuineIntel-6-97-2", "alderlake" },	    { "GenuineIntel-6-BE-0", "alderlaken" },
		{ "GenuineIntel-6-AD-1", "graniterapids" }, { "GenuineIntel-6-6A-6", "icelakex" },
		{ "GenuineIntel-6-AF-3", "sierraforest" },  { "GenuineIntel-6-5E-3", "skylake" },
		{ "AuthenticAMD-23-1-1", "amdzen1" },	    { "AuthenticAMD-23-18-1", "amdzen1" },
		{ "AuthenticAMD-23-31-0", "amdzen2" },	    { "AuthenticAMD-25-21-0", "amdzen3" },
		{ "AuthenticAMD-25-11-1", "amdzen4" },	    { "AuthenticAMD-26-2-1", "amdzen5" },
		{ "AuthenticAMD-26-44-0", "amdzen5" },	    { "AuthenticAMD-26-70-0", "amdzen5" },
		{ "AuthenticAMD-26-50-0", "amdzen6" },	    { "AuthenticAMD-26-A8-0", "amdzen6" },
		{ "GenuineIntel-6-C6-2", "arrowlake" },	    { "GenuineIntel-6-B5-0", "meteorlake" },
		{ "GenuineIntel-6-CC-1", "pantherlake" },   { "GenuineIntel-18-1-0", "novalake" },
		{ "GenuineIntel-6-DD-1", "clearwaterforest" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(!strcmp(model_of(cases[i].id), cases[i].model), "%s is %s, not %s",
			      cases[i].id, model_of(cases[i].id), cases[i].model);
}
END_TEST

START_TEST(unknown_cpus_have_no_tables)
{
	ck_assert_str_eq(model_of(""), "none");
	ck_assert_str_eq(model_of("GenuineIntel"), "none");
	ck_assert_str_eq(model_of("GenuineIntel-6"), "none");
	ck_assert_str_eq(model_of("GenuineIntel-6-1FF-0"), "none");
	ck_assert_str_eq(model_of("GenuineIntel-15-4-1"), "none");
	ck_assert_str_eq(model_of("genuineintel-6-8f-4"), "none");
	ck_assert_str_eq(model_of("xGenuineIntel-6-8F-4"), "none");
	ck_assert_str_eq(model_of("GenuineIntel-6-8F-4-1"), "none");
	ck_assert_str_eq(model_of("GenuineIntel-6-8F0-4"), "none");
	/* A core that is newer than Zen 6. The kernel's mapfile takes it for Zen 5. */
	ck_assert_str_eq(model_of("AuthenticAMD-26-B0-0"), "none");
	ck_assert_str_eq(model_of("AuthenticAMD-26-F0-0"), "none");
}
END_TEST

START_TEST(all_of_the_id_must_match)
{
	ck_assert(cpuid__matches("a-b", "a-b", CPUID_STEPPING));
	ck_assert(!cpuid__matches("a-b", "a-bc", CPUID_STEPPING));
	ck_assert(!cpuid__matches("b", "a-b", CPUID_STEPPING));
	ck_assert(cpuid__matches("a-(b|bc)", "a-bc", CPUID_STEPPING)); /* POSIX: the longest */
	ck_assert(cpuid__matches("x|a-b", "a-b", CPUID_STEPPING));
	ck_assert(cpuid__matches("ab*", "a", CPUID_TEXT));
	ck_assert(cpuid__matches("ab?c", "ac", CPUID_TEXT));
	ck_assert(cpuid__matches("ab{0,1}", "a", CPUID_TEXT));
	ck_assert(!cpuid__matches("a(", "a(", CPUID_STEPPING)); /* not a regular expression */
}
END_TEST

START_TEST(stepping_is_x86s_alone)
{
	/* On other architectures, no stepping follows a third dash. */
	ck_assert(cpuid__matches("a-b-c", "a-b-c-1", CPUID_STEPPING));
	ck_assert(!cpuid__matches("a-b-c", "a-b-c-1", CPUID_TEXT));
	ck_assert(cpuid__matches("a-b-c-1", "a-b-c-1", CPUID_TEXT));
}
END_TEST

START_TEST(registers_are_compared_by_part_and_version)
{
	static const struct {
		const char *pattern, *id;
		bool matches;
	} cases[] = {
		{ "0x00000000410fd0c0", "0x00000000410fd0c0", true },
		{ "0x00000000410fd0c0", "0x00000000410FD0C0", true },
		{ "0x410fd0c0", "0x00000000410fd0c0", true },
		{ "0x00000000410fd0c0", "0x410fd0c3", true },
		{ "0x00000000410fd0c0", "0x00000000413fd0c0", true },
		{ "0x00000000410fd0c1", "0x00000000410fd0c0", false },
		{ "0x00000000411fd0c0", "0x00000000410fd0cf", false },
		{ "0x00000000411fd0c3", "0x00000000412fd0c0", true },
		{ "0x00000000411fd0c3", "0x00000000411fd0c2", false },
		{ "0x00000000410fd0c0", "0x00000000410fd0d0", false },
		{ "0x00000000410fd0c0", "0x00000000420fd0c0", false },
		{ "0x00000000410fd0c0", "0x00000000410ed0c0", false },
		{ "0x00000000410fd0c0", "0x00000001410fd0c0", false },
		{ "0x00000000410fd0c0", "GenuineIntel-6-8F-4", false },
		{ "0x00000000410fd0c0", "", false },
		{ "0x00000000410fd0c0", "0x", false },
		{ "0x00000000410fd0c0", "0x00000000410fd0c0z", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_msg(cpuid__matches(cases[i].pattern, cases[i].id, CPUID_MIDR) ==
				      cases[i].matches,
			      "%s %s", cases[i].pattern, cases[i].id);
		ck_assert_msg(cpuid__matches(cases[i].pattern, cases[i].id, CPUID_LOOKS) ==
				      cases[i].matches,
			      "%s %s by their looks", cases[i].pattern, cases[i].id);
	}
	ck_assert(!cpuid__matches("0x410fd[01]c0", "0x410fd0c0", CPUID_MIDR));
	ck_assert(cpuid__matches("0x0080[[:xdigit:]]{4}", "0x00801200", CPUID_LOOKS));
	ck_assert(cpuid__matches("GenuineIntel-6-8F", "GenuineIntel-6-8F-4", CPUID_LOOKS));
}
END_TEST

START_TEST(models_of_each_architecture)
{
	static const struct {
		const char *id, *model;
	} cases[] = {
		{ "0x00000000410fd0c1", "arm/neoverse-n1" },
		{ "0x00000000410fd490", "arm/neoverse-n2-v2" },
		{ "0x00000000410fd493", "arm/neoverse-n2-v2" },
		{ "0x00000000411fd493", "arm/neoverse-n2-v2" },
		{ "0x00000000480fd010", "hisilicon/hip08" },
		{ "0x00000000ffffd010", "none" },
		{ "0x004b0201", "power8" },
		{ "0x00801200", "power10" },
		{ "0x00811200", "none" },
		/* In Linux 6.12 this is the U74, in later kernels another core. */
		{ "0x489-0x8000000000000007-0x20181004", "sifive/" },
		{ "0x5b7-0x0-0x0", "thead/c900-legacy" },
		{ "IBM,3906,704,M03,3.5,002f", "cf_z14" },
		{ "IBM,3931,704,A01,3.7,002f", "cf_z16" },
		{ "testcpu", "test_soc/cpu" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(text__has_prefix(model_of(cases[i].id), cases[i].model),
			      "%s is %s, not %s", cases[i].id, model_of(cases[i].id),
			      cases[i].model);
}
END_TEST

/* Return what cpuid__matches() returns, but without its short cut. */
static bool matches_slowly(const char *pattern, const char *id, size_t want)
{
	regmatch_t match;
	regex_t re;
	bool found;

	ck_assert_int_eq(regcomp(&re, pattern, REG_EXTENDED), 0);
	found = !regexec(&re, id, 1, &match, 0) && match.rm_eo - match.rm_so == (regoff_t)want;
	regfree(&re);
	return found;
}

/* Match each pattern with each id, with and without the short cut. Return: number of matches. */
static int compare(const char *pattern, const char *const *ids, int nr)
{
	int found = 0;

	for (int i = 0; i < nr; i++) {
		bool slow = matches_slowly(pattern, ids[i], strlen(ids[i]));

		ck_assert_msg(cpuid__matches(pattern, ids[i], CPUID_TEXT) == slow, "%s %s", pattern,
			      ids[i]);
		found += slow;
	}
	return found;
}

START_TEST(short_cut_changes_no_row)
{
	static const char *const vendors[] = { "GenuineIntel-6", "AuthenticAMD-23",
					       "AuthenticAMD-25", "AuthenticAMD-26" };
	const struct table_data *d = table_archs[0];
	static char text[4 * 256][32];
	const char *ids[4 * 256];
	int found = 0;

	for (int i = 0; i < 4 * 256; i++) {
		snprintf(text[i], sizeof(text[i]), "%s-%X", vendors[i / 256], i % 256);
		ids[i] = text[i];
	}
	for (uint32_t m = 0; m < d->nr_map; m++)
		found += compare(d->strings + d->map[m].pattern, ids, 4 * 256);
	ck_assert_int_gt(found, 256);
}
END_TEST

START_TEST(short_cut_changes_no_row_of_other_architectures)
{
	static const char *const ids[] = {
		"0x489-0x8000000000000007-0x20181004",
		"0x67e-0x80000000db000080-0x1a2B",
		"0x67e-0x80000000db0000A0-0x1a2b",
		"0x5b7-0x0-0x0",
		"0x00801200",
		"0x0080120",
		"0x008012000",
		"0x004b0201",
		"0x004a0201",
		"IBM,3906,704,M03,3.5,002f",
		"IBM,3906,704,M02,3.5,002f",
		"IBM,3931,704,A01,3.7,002f",
		"IBM,8561,713,T01,3.6,002f",
		"IBM,8561,713,T01,3.6,",
		"xIBM,8561,713,T01,3.6,002f",
	};
	int found = 0;

	for (const struct table_data *const *d = table_archs; *d; d++)
		for (uint32_t m = 0; m < (*d)->nr_map; m++)
			found += compare((*d)->strings + (*d)->map[m].pattern, ids,
					 sizeof(ids) / sizeof(*ids));
	ck_assert_int_ge(found, 8);
}
END_TEST

START_TEST(short_cut_changes_no_odd_pattern)
{
	static const char *const patterns[] = {
		"a(b)|c",
		"a(b|c)",
		"a(b|c)d",
		"a(b|c)?d",
		"a(b|c)*",
		"a(b|c){0,1}d",
		"a(b|c)+",
		"a(b?|c)d",
		"a(b*c|d)",
		"a[(]b|c",
		"a[](]b|c",
		"a[b(]c|d",
		"a[)]|c",
		"[[:alpha:]]b|c",
		"[[:alpha:](]b|c",
		"a[^b]|c",
		"a\\(b|c",
		"a(b[cd]|e)",
		"a((b|c)d|e)",
		"a(|b)",
		"a()b",
		"(a|b)c",
		"(ab|c)",
		"^ab",
		"ab$",
		"a.",
		"",
		"a|",
		"ab?",
		"ab{0}",
		"a(.|b)c",
		"a([bc]|d)",
		"a(b\\)|c)",
		"a(b|c",
		"a(b{0}c|d)",
		"a+b",
		"^a|b",
		"^(a|b)c",
		"^a[bc]+$",
		"a.*",
		"a.*b",
		"a[b-c]*d",
		"a[C-b]",
		"a[b-]",
		"a[[:xdigit:]]{2}",
		"a[[:xdigit:]]{2}$",
		"a[bc]+c",
		"a[bc]?c",
		"a(b+|c)c",
		"a(bc?|bcd)",
		"a[bc]{2,}",
		"a[bc]+*",
		"a[bc]?+d",
		"a[b]{2}?",
		"a\\.",
		"a\\]b",
		"ab$c",
		"a^b",
	};
	static const char *const ids[] = {
		"",    "a",    "b",    "c",    "d",   "e",   "ab",  "ac",   "ad",
		"ae",  "abd",  "acd",  "bc",   "cb",  "a(",  "a(b", "a)",   "abc",
		"abb", "acb",  "abcd", "abe",  "a(c", "(ab", "aab", "xb",   "a.",
		"ab)", "abce", "(b",   "abbc", "bcd", "acc", "a]b", "a](b", "(",
	};
	int found = 0;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		regex_t re;

		if (regcomp(&re, patterns[i], REG_EXTENDED))
			continue; /* "a(b|c" and the like: see all_of_the_id_must_match */
		regfree(&re);
		found += compare(patterns[i], ids, sizeof(ids) / sizeof(*ids));
	}
	ck_assert_int_gt(found, 40);
}
END_TEST

/* A CPU has one line, be it found by its id or by the name of its tables. */
START_TEST(models_are_those_of_the_tables)
{
	int nr_known = 0;

	for (int i = 0; i < tables__nr_models(); i++) {
		const char *name = tables__model_name(i);
		const struct cpu_model *named = cpu_model__named(name), *of;
		char id[128];

		if (!tables__example_id(i, id, sizeof(id)))
			continue;
		of = cpu_model__of(id);
		ck_assert_msg(!*of->name || !strcmp(of->name, name), "%s is %s, not %s", id,
			      of->name, name);
		if (*named->ids) {
			ck_assert_str_eq(of->name, name);
			nr_known++;
		}
	}
	ck_assert_int_gt(nr_known, 5);
}
END_TEST

TMA_TEST_MAIN(tables_cpuid, stepping_tells_skylakex_from_cascadelakex,
	      stepping_does_not_matter_to_a_pattern_without_one, pattern_with_a_stepping_wants_one,
	      models_of_each_vendor, unknown_cpus_have_no_tables, all_of_the_id_must_match,
	      stepping_is_x86s_alone, registers_are_compared_by_part_and_version,
	      models_of_each_architecture, short_cut_changes_no_row,
	      short_cut_changes_no_row_of_other_architectures, short_cut_changes_no_odd_pattern,
	      models_are_those_of_the_tables)
