// SPDX-License-Identifier: GPL-2.0-only
/* Machine files with places: the rates at each place, and where samples are found. */
#include <stdio.h>

#include "sim/context.h"
#include "sim/spot.h"
#include "sim_fixture.h"

#define US 1000ULL
#define HEAD "cpuid GenuineIntel-6-55-4\ncpus 0-1\ncore 0-1\n"
#define TWO HEAD "phases 1s 500ms\n"
#define PLACES                                                                                     \
	"phases 1s 500ms\n"                                                                        \
	"at walk parse\nlet cycles 3G\nend\n"                                                      \
	"at chase.c:12-14\nlet ipc 0.25\nrate cpu event=0xd1 7M\nuser 0.5\nend\n"                  \
	"at wait\nmasked\nend\n"
#define PMU                                                                                        \
	"pmu cpu\ntype 4\nkind core\ncounters 4\nfixed 2\n"                                        \
	"format event config:0-7\nformat umask config:8-15\n"                                      \
	"let cycles 2G 1G\nlet ipc 1.5\n"                                                          \
	"rate event=0x3c cycles\nrate event=0xc0 ipc*cycles\nrate event=0xd1 1M 2M\n"              \
	"hash 1k 1M\nuser 0.75\nend\n"

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

static double per_second(const struct sim_machine *m, uint64_t config, int column)
{
	struct sim_rate rate;

	rate__of_event(m, &m->pmus.at[0], &(struct sim_config){{config}}, &rate);
	return rate.per_ns[column] * 1e9 / (1ULL << SIM_RATE_SHIFT);
}

START_TEST(a_section_says_what_differs_from_the_first_phase)
{
	struct sim_machine m;
	int walk, lines, wait;

	sim_must_load(HEAD PLACES PMU, &m);
	ck_assert_int_eq(sim_machine__nr_columns(&m), 5);
	walk = m.places.at[sim_machine__place(&m, "walk")].column;
	lines = m.places.at[sim_machine__place(&m, "chase.c:12-14")].column;
	wait = m.places.at[sim_machine__place(&m, "wait")].column;
	ck_assert_int_eq(m.places.at[sim_machine__place(&m, "parse")].column, walk);
	ck_assert_int_eq(sim_machine__place(&m, "nothing"), -1);
	/* Quantities that follow from the given ones are computed. */
	ck_assert_double_eq_tol(per_second(&m, 0x3c, walk), 3e9, 1);
	ck_assert_double_eq_tol(per_second(&m, 0xc0, walk), 4.5e9, 1);
	ck_assert_double_eq_tol(per_second(&m, 0xd1, walk), 1e6, 1);
	ck_assert_double_eq_tol(per_second(&m, 0x3c, lines), 2e9, 1);
	ck_assert_double_eq_tol(per_second(&m, 0xc0, lines), 0.5e9, 1);
	ck_assert_double_eq_tol(per_second(&m, 0xd1, lines), 7e6, 1);
	ck_assert_double_eq_tol(per_second(&m, 0x3c, wait), 2e9, 1);
	/* The phases themselves are unchanged. */
	ck_assert_double_eq_tol(per_second(&m, 0xc0, 1), 1.5e9, 1);
	ck_assert_double_eq_tol(per_second(&m, 0xd1, 1), 2e6, 1);
	ck_assert_double_eq(rate__user_share(&m, &m.pmus.at[0], 1), 0.75);
	ck_assert_double_eq(rate__user_share(&m, &m.pmus.at[0], walk), 1);
	ck_assert_double_eq(rate__user_share(&m, &m.pmus.at[0], lines), 0.5);
	sim_machine__free(&m);
}
END_TEST

START_TEST(a_script_goes_on_over_several_lines)
{
	const struct sim_script *script;
	struct sim_machine m;

	sim_must_load(HEAD PLACES "stays walk 1us parse/2 500ns\nstays cpus=1 - 2ms\n"
				  "stays wait 3us\n" PMU,
		      &m);
	script = sim_machine__script(&m, -1);
	ck_assert_int_eq(script->round.stays.nr, 3);
	ck_assert_uint_eq(script->round.ns, 4500);
	ck_assert_int_eq(script->round.stays.at[1].thread, 2);
	ck_assert_int_eq(script->round.stays.at[1].column, script->round.stays.at[0].column);
	ck_assert_int_ne(script->round.stays.at[1].place, script->round.stays.at[0].place);
	script = sim_machine__script(&m, 1);
	ck_assert_int_eq(script->round.stays.at[0].column, 0);
	ck_assert_int_eq(script->round.stays.at[0].place, -1);
	ck_assert_ptr_null(sim_machine__script(&m, 0));
	sim_machine__free(&m);
}
END_TEST

static void check_names(void)
{
	static const char *const bad[] = {"x.c:0", "x.c:5-3", "x.c:", ":3", "x.c:99999999999", "-",
					  "x.c:3-", "x.c:3x"};
	static const char *const good[] = {"x.c:3", "src/x.c:3-9", "ns::f", "libm.so.6", "f",
					   "operator,"};
	char text[256], wanted[256];
	struct sim_machine m;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), HEAD "at %s\nend\n", bad[i]);
		snprintf(wanted, sizeof(wanted),
			 "line 4: '%s' is neither a function, FILE:LINE, FILE:LINE-LINE nor a file",
			 bad[i]);
		ck_assert_str_eq(mistake(text), wanted);
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		snprintf(text, sizeof(text), HEAD "at %s\nend\n", good[i]);
		sim_must_load(text, &m);
		sim_machine__free(&m);
	}
}

/* A file with places may include a whole machine. The phases of that machine then follow. */
START_TEST(sections_may_be_above_the_phases)
{
	struct sim_machine m;
	int x;

	sim_must_load(HEAD "at x\nlet cycles 3G\nend\nstays x 1us\nphases 1s 500ms\n" PMU, &m);
	x = m.places.at[0].column;
	ck_assert_int_eq(x, 2);
	ck_assert_int_eq(m.sections.at[0].column, x);
	ck_assert_int_eq(sim_machine__script(&m, -1)->round.stays.at[0].column, x);
	ck_assert_double_eq_tol(per_second(&m, 0x3c, 0), 2e9, 1);
	ck_assert_double_eq_tol(per_second(&m, 0x3c, 1), 1e9, 1);
	ck_assert_double_eq_tol(per_second(&m, 0x3c, x), 3e9, 1);
	sim_machine__free(&m);
}
END_TEST

START_TEST(mistakes_have_their_line)
{
	char many[4096] = HEAD;

	ck_assert_str_eq(mistake(HEAD "let a 1\nat x\nend\n"),
			 "line 5: must come before every let, software and pmu line");
	ck_assert_str_eq(mistake(HEAD "at\nend\n"), "line 4: a place is missing");
	ck_assert_str_eq(mistake(HEAD "at x\nend\nat y x\nend\n"),
			 "line 6: 'x' is already in another 'at' line");
	ck_assert_str_eq(mistake(HEAD "at x\nlet a 1\n"),
			 "line 6: at x has not been closed by an end line");
	ck_assert_str_eq(mistake(HEAD "at x\nlat a 1\nend\n"),
			 "line 5: 'lat' is not allowed in an at section; did you mean 'let'?");
	ck_assert_str_eq(mistake(HEAD "at x\ninclude y\nend\n"),
			 "line 5: 'include' is not allowed in an at section: there is no end line for at x");
	ck_assert_str_eq(mistake(HEAD "at x\nuser 2\nend\n"),
			 "line 5: user: 2 is not between 0 and 1");
	ck_assert_str_eq(mistake(TWO "at x\nlet cycels 1\nend\n" PMU),
			 "at x, in line 6: no let line sets cycels");
	ck_assert_str_eq(mistake(TWO "at x\nrate cpo event=1 1\nend\n" PMU),
			 "at x, in line 6: there is no PMU cpo");
	ck_assert_str_eq(mistake(TWO "at x\nlet ipc 1 - 2\nend\n" PMU),
			 "line 18: -2e+09 events a second at x");
	ck_assert_str_eq(mistake(TWO "at x\nlet ipc 1 2 3\nend\n" PMU),
			 "line 16: at x, in line 6: 3 values for 2 phases");
	ck_assert_str_eq(mistake(HEAD "at x\nend\nstays y 1us\n"), "line 6: no at line above names 'y'");
	ck_assert_str_eq(mistake(HEAD "at x\nend\nstays x/0 1us\n"),
			 "line 6: thread: 0 is not between 1 and 64");
	ck_assert_str_eq(mistake(HEAD "at x\nend\nstays x 0us\n"), "line 6: a stay cannot last 0");
	ck_assert_str_eq(mistake(HEAD "at x\nend\nstays x 1us cpus=0\n"), "line 6: cpus= comes first");
	ck_assert_str_eq(mistake(HEAD "at x\nlet a 1\nlet a 2\nend\n"),
			 "line 6: this section already has a line 'let a'");
	check_names();
	ck_assert_str_eq(mistake(HEAD "at x\nend\nstays x\n"), "line 6: stays: a time is missing");
	ck_assert_str_eq(mistake(TWO "at x\nend\nstays cpus=1-2 x 1us\n" PMU),
			 "stays: the machine lacks some of its CPUs");
	for (int i = 0; i < 33; i++)
		snprintf(many + strlen(many), sizeof(many) - strlen(many), "at p%d\nend\n", i);
	ck_assert_str_eq(mistake(many), "line 68: more than 32 sections 'at'");
}
END_TEST

/* --- Where samples are found ----------------------------------------------------------------- */

static struct sim_machine m;
static struct sim_context ctx;
static struct sim_event event;

static void begin(const char *script, const char *pmu)
{
	char text[4096];

	snprintf(text, sizeof(text), HEAD PLACES "%s\n%.*s%s\nend\n", script,
		 (int)strlen(PMU) - 4, PMU, pmu);
	sim_must_load(text, &m);
	context__init(&ctx, &m, &m.pmus.at[0], 0, NULL, 0);
	ctx.course.round = &sim_machine__script(&m, -1)->round;
	ctx.course.offset = 0;
	event = (struct sim_event){.ctx = &ctx, .pmu = &m.pmus.at[0], .config = {{0x3c}}};
	event.leader = &event;
	event.distance = sim_pmu__distance(&m.pmus.at[0], &event.config);
}

/* Return: the share of the samples at a time that are in a thread. */
static double found_in(int thread, uint64_t at)
{
	int nr = 0;

	ctx.now = at;
	for (event.sampling.nr = 1; event.sampling.nr <= 1000; event.sampling.nr++)
		nr += spot__find(&event).thread == thread;
	return nr / 1000.0;
}

START_TEST(a_sample_is_found_after_the_skid)
{
	begin("stays walk/1 10us parse/2 10us", "skid 2us spread=0.5");
	ck_assert_double_eq(found_in(1, 6999), 1);
	ck_assert_double_eq(found_in(2, 9001), 1);
	/* The sample is 1 to 3 us late; all delays in this range are equally frequent. */
	ck_assert_double_eq_tol(found_in(2, 8000), 0.5, 0.05);
	ck_assert_double_eq_tol(found_in(2, 7500), 0.25, 0.05);
	/* Precise events have no such delay. */
	event.attr.precise_ip = 2;
	ck_assert_double_eq(found_in(1, 9999), 1);
	ck_assert_double_eq(found_in(2, 10000), 1);
	sim_machine__free(&m);
}
END_TEST

START_TEST(events_at_issue_are_found_where_they_retire)
{
	begin("stays walk/1 10us parse/2 10us", "issue-distance event=0x3c 1us spread=0");
	ck_assert_ptr_nonnull(event.distance);
	ck_assert_ptr_null(sim_pmu__distance(&m.pmus.at[0], &(struct sim_config){{0xc0}}));
	event.attr.precise_ip = 1;
	ck_assert_double_eq(found_in(1, 10999), 1);
	ck_assert_double_eq(found_in(2, 11000), 1);
	/* Before the beginning there is nothing to find. */
	ck_assert_double_eq(found_in(1, 500), 1);
	sim_machine__free(&m);
}
END_TEST

START_TEST(a_masked_interrupt_waits)
{
	begin("stays walk/1 10us wait/2 10us parse/3 10us", "maskable");
	ck_assert_double_eq(found_in(1, 9000), 1);
	ck_assert_double_eq(found_in(3, 10000), 1);
	ck_assert_double_eq(found_in(3, 19999), 1);
	sim_machine__free(&m);
	begin("stays walk/1 10us wait/2 10us parse/3 10us", "");
	ck_assert_double_eq(found_in(2, 15000), 1);
	sim_machine__free(&m);
	/* If interrupts are masked for ever, samples have no other place. */
	begin("stays wait/2 10us", "maskable");
	ck_assert_double_eq(found_in(2, 0), 1);
	sim_machine__free(&m);
}
END_TEST

START_TEST(a_place_has_its_share_of_user_space)
{
	int user = 0;

	begin("stays chase.c:12-14 1ms", "");
	for (event.sampling.nr = 1; event.sampling.nr <= 1000; event.sampling.nr++)
		user += spot__find(&event).user;
	ck_assert_int_eq(user, 500);
	event.attr.exclude_kernel = 1;
	ck_assert(spot__find(&event).user);
	event.attr.exclude_kernel = 0;
	event.attr.exclude_user = 1;
	ck_assert(!spot__find(&event).user);
	sim_machine__free(&m);
}
END_TEST

TMA_TEST_MAIN(sim_places, a_section_says_what_differs_from_the_first_phase,
	      a_script_goes_on_over_several_lines, sections_may_be_above_the_phases,
	      mistakes_have_their_line, a_sample_is_found_after_the_skid,
	      events_at_issue_are_found_where_they_retire, a_masked_interrupt_waits,
	      a_place_has_its_share_of_user_space)
