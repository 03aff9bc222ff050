// SPDX-License-Identifier: GPL-2.0-only
/* Errors point at the mistake and leave the list unchanged, and no text crashes the parser. */
#include "events_fixture.h"

#include <errno.h>

START_TEST(the_caret_is_under_the_mistake)
{
	static const struct {
		const char *text;
		int column;
		const char *words;
	} cases[] = {
		{"", 0, "name of an event"},
		{" ", 1, "name of an event"},
		{"cycles,", 7, "name of an event"},
		{"cycles,,cs", 7, "name of an event"},
		{"cycles cs", 7, "',' or the end"},
		{"cycles:q", 7, "unknown modifier 'q'"},
		{"cycles:ukz", 9, "unknown modifier 'z'"},
		{"cycles:uku", 9, "is given twice"},
		{"cycles:pppp", 10, "'ppp'"},
		{"cycles:W", 7, "for groups"},
		{"cycles:RG", 7, "only on the host"},
		{"{cycles:R,branches}:G", 20, "only on the host"},
		{"{cycles:ppp,cs}:p", 16, "more precise"},
		{"{cycles", 7, "'}' is missing"},
		{"{cycles,cs", 10, "'}' is missing"},
		{"cycles}", 6, "no '{'"},
		{"{}", 1, "name of an event"},
		{"{{cycles}}", 1, "name of an event"},
		{"{cycles}x", 8, "unknown modifier 'x'"},
		{"cyclez", 0, "did you mean 'cycles'"},
		{"cs,INST_RETIRED.ANYP", 3, "'inst_retired.any_p'"},
		{"LLC-loadz", 0, "did you mean 'LLC-loads'"},
		{"L1-icache-stores", 0, "no such operation"},
		{"cpu/umask=256/", 10, "0 to 255 (0xff)"},
		{"cpu/event=1,umsk=1/", 12, "no term or event 'umsk'"},
		{"cpu/umask/", 4, "needs a value"},
		{"cpu/umask=/", 10, "needs a value"},
		{"cpu/umask=x/", 10, "must be a number"},
		{"cpu/event=0x1ffffffffffffffff/", 10, "64 bits"},
		{"cpu/event=99999999999999999999/", 10, "64 bits"},
		{"cpu/event=1", 11, "'/' is missing"},
		{"cpu/event=1,/", 12, "a term of the PMU"},
		{"cycles/name=a|b/", 13, "needs quotes: name='a|b'"},
		{"cpu/name='x/", 9, "quote is not closed"},
		{"cpu/freq=1/", 4, "sampling"},
		{"cpu/instructions,branch-misses/", 17, "name a second event"},
		{"cs,cycles:ubb", 12, "modifier 'b' (bpf) is given twice"},
		{"cpu/cpu=x/", 8, "a range (0-3) or a PMU"},
		{"cpu/cpu=99999/", 8, "number of a CPU"},
		{"cpu/cpu=3-1/", 8, "number of a CPU"},
		{"cpu/cpu=''/", 8, "number of a CPU"},
		{"cpu/cpu/", 4, "number of a CPU"},
		{"cpu/cpu=1,cpu=x/", 14, "number of a CPU"},
		{"cycles/umask=1/", 7, "without a PMU"},
		{"cs/umask=1/", 3, "without a PMU"},
		{"duration_time/config=1/", 14, "no terms"},
		{"gpu/event=1/", 0, "no event or PMU"},
		{"mem:", 4, "a number"},
		{"mem:x", 4, "a number"},
		{"mem:0x1000:rr", 12, "twice"},
		{"4294967296:1", 0, "32 bits"},
		{"\001\002", 0, "name of an event"},
		{"%n%s%n", 0, "name of an event"},
		{"cycles\xff", 6, "',' or the end"},
	};

	set_up_xeon();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_error(cases[i].text, EINVAL, cases[i].column, cases[i].words);
	tear_down();
}
END_TEST

START_TEST(terms_a_pmu_has_are_listed)
{
	set_up_xeon();
	ck_assert_int_eq(parse("msr/foo/"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "valid terms: event,config,config1"));
	tear_down();
}
END_TEST

START_TEST(an_event_of_the_tables_without_its_pmu)
{
	set_up(fake_alderlake, "GenuineIntel-6-8F-8");
	assert_error("UNC_CHA_CLOCKTICKS", ENOENT, 0, "no PMU uncore_cha");
	tear_down();
	set_up(NULL, "GenuineIntel-6-8F-8");
	assert_error("INST_RETIRED.ANY_P", ENOENT, 0, "no PMU of the CPU");
	parse_ok("cycles,r3c,LLC-loads,cs"); /* only the kernel can refuse these */
	ck_assert_ptr_null(list.at[0]->pmu);
	ck_assert_uint_eq(list.at[2]->attr.config, 2);
	tear_down();
}
END_TEST

static void assert_absence(const char *id, const char *want)
{
	struct sb why = SB_INIT;

	events__describe_absence(&scope, id, &why);
	ck_assert_str_eq(sb__str(&why), want);
	sb__free(&why);
}

START_TEST(why_an_event_of_a_metric_is_absent)
{
	set_up(fake_alderlake, "GenuineIntel-6-8F-8");
	assert_absence("UNC_CHA_CLOCKTICKS", "no PMU uncore_cha");
	assert_absence("UNC_CHA_CLOCKTICKS:u", "no PMU uncore_cha");
	assert_absence("pcu_0@UNC_P_CLOCKTICKS@", "no PMU pcu_0");
	assert_absence("cpu_core@no_such\\=1@", "PMU cpu_core has no term or event 'no_such'");
	assert_absence("no_such_event", "");
	tear_down();
	set_up(NULL, "GenuineIntel-6-8F-8");
	assert_absence("INST_RETIRED.ANY_P", "no PMU of the CPU");
	tear_down();
}
END_TEST

START_TEST(a_cpu_that_no_table_knows)
{
	set_up(fake_xeon, NULL);
	assert_error("INST_RETIRED.ANY", EINVAL, 0, "no event or PMU");
	tear_down();
	set_up(fake_xeon, "GenuineIntel-6-1-1");
	assert_error("INST_RETIRED.ANY", EINVAL, 0,
		     "events of CPU GenuineIntel-6-1-1 are not known");
	parse_ok("cpu/event=0xc0/,slots,r3c");
	tear_down();
}
END_TEST

START_TEST(on_a_hybrid_machine_cpu_is_no_pmu)
{
	set_up_alderlake();
	assert_error("cpu/cycles/", EINVAL, 0, "cpu_core cpu_atom");
	assert_error("cpu_atom/slots/", EINVAL, 9, "no term or event 'slots'");
	tear_down();
}
END_TEST

START_TEST(long_texts_take_linear_time) /* R33 */
{
	const int events = 10000, bytes = 1 << 20;
	char *text = malloc(bytes + 1), *at = text;

	set_up_xeon();
	memset(text, 'a', bytes);
	text[bytes] = '\0';
	ck_assert_int_eq(parse(text), -EINVAL);
	ck_assert_int_lt(strlen(err.msg), 1024);
	*at++ = '{';
	for (int i = 0; i < events; i++)
		at = stpcpy(at, i ? ",cpu/event=1/" : "cycles");
	strcpy(at, "}:u");
	parse_ok(text);
	ck_assert_int_eq(list.nr, events);
	ck_assert_int_eq(list.at[0]->nr_members, events);
	memset(text, '{', bytes);
	ck_assert_int_eq(parse(text), -EINVAL);
	memset(text, ',', bytes);
	ck_assert_int_eq(parse(text), -EINVAL);
	free(text);
	tear_down();
}
END_TEST

/* Texts of random pieces, which are the same in each run. */
static const char *const pieces[] = {
	"cycles", "cpu/", "event=", "0x", "3c", "umask=1", "/", ",", "{", "}", ":", "u", "W",
	"ppp", "slots", "topdown-retiring", "imc/", "cas_count_read", "mem:", "0x1000", "rw",
	"r", "1:", "sched:", "name='", "'", "=", "*", "?", "[", "]", "LLC-", "load", "-misses",
	"INST_RETIRED.ANY", "uncore_cha/", "cmask=1", "@", "\\", " ", "\t", "duration_time",
	"cpu=0", "metric-id=x", "percore", "R", "18446744073709551616", "cs", "\377", "%n",
	"cpu_core/", "tsc", "msr/", "config1=2", "edge", ".", "!", "-",
};

START_TEST(no_text_does_harm)
{
	unsigned int seed = 20240613;
	int parsed = 0;

	set_up_xeon();
	for (int i = 0; i < 20000; i++) {
		char text[256] = "";

		/* Most of the time is used to search the tables for similar names. */
		scope.tables = i % 50 ? NULL : tables;

		for (int n = 1 + rand_r(&seed) % 9; n; n--)
			strcat(text, pieces[rand_r(&seed) % (sizeof(pieces) / sizeof(*pieces))]);
		if (rand_r(&seed) % 4 == 0 && *text)
			text[rand_r(&seed) % strlen(text)] = 1 + rand_r(&seed) % 255;
		if (parse(text)) {
			ck_assert_msg(*err.msg, "no message for: %s", text);
			ck_assert_int_eq(list.nr, 0);
		} else {
			shape(); /* searches every group */
			parsed++;
		}
	}
	ck_assert_int_gt(parsed, 100);
	tear_down();
}
END_TEST

TMA_TEST_MAIN(events_errors, the_caret_is_under_the_mistake, terms_a_pmu_has_are_listed,
	      a_cpu_that_no_table_knows, an_event_of_the_tables_without_its_pmu,
	      why_an_event_of_a_metric_is_absent, on_a_hybrid_machine_cpu_is_no_pmu,
	      long_texts_take_linear_time, no_text_does_harm)
