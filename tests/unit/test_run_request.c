// SPDX-License-Identifier: GPL-2.0-only
/* A request is not changed. From it come the command to run and the notes about the command. */
#include "events_fixture.h"
#include "may_count.h"

#include <errno.h>
#include <unistd.h>

#include "plan/sets.h"
#include "run/run.h"

static struct host host;
static struct run *run;

static void begin(const struct fake_file *files, const char *cpuid)
{
	set_up(files, cpuid);
	host = (struct host){.machine = machine, .tables = tables};
	err = (struct err)ERR_INIT;
}

static void end(void)
{
	run__close(run);
	run = NULL;
	tear_down();
}

/* Find the first note of a kind. Return: NULL if there is none. */
static const struct note *note_of(enum note_kind kind)
{
	return vec__find(note, &run__notes(run)->list, note->kind == kind);
}

START_TEST(a_request_is_not_written_to)
{
	struct request req = REQUEST_INIT, before;

	begin(fake_xeon, "GenuineIntel-6-55-4");
	req.topdown = true;
	req.td_level = TD_LEVEL_MAX;
	req.levels_above = true;
	req.target.system_wide = true;
	req.wants = WANT_METRICS;
	memcpy(&before, &req, sizeof(req));
	ck_assert_msg(!run__plan(&host, &req, &run, &err), "%s", err.msg);
	ck_assert_mem_eq(&before, &req, sizeof(req));
	ck_assert_int_gt(run__planned(run)->nr_metrics, 20);
	ck_assert_str_eq(run__about(run)->head, "'system wide'");
	end();
}
END_TEST

START_TEST(several_runs_of_one_host_are_open_at_once)
{
	struct request one = REQUEST_INIT, two = REQUEST_INIT;
	struct run *other;

	begin(fake_xeon, "GenuineIntel-6-55-4");
	one.topdown = two.topdown = true;
	one.target.system_wide = two.target.system_wide = true;
	two.td_level = 2;
	ck_assert_int_eq(run__plan(&host, &one, &run, &err), 0);
	ck_assert_int_eq(run__plan(&host, &two, &other, &err), 0);
	ck_assert_int_lt(run__planned(run)->nr_metrics, run__planned(other)->nr_metrics);
	run__close(other);
	ck_assert_int_eq(run__planned(run)->nr_metrics, 4);
	end();
}
END_TEST

START_TEST(sets_are_counted_without_counting)
{
	struct request req = REQUEST_INIT;

	begin(fake_xeon, "GenuineIntel-6-55-4");
	req.target.system_wide = true;
	req.metrics = "tma_retiring";
	ck_assert_int_eq(run__plan(&host, &req, &run, &err), 0);
	ck_assert_int_eq(run__sets(run)->nr, 1);
	run__close(run);
	req.metrics = "TopdownL1,TopdownL2,TopdownL3";
	ck_assert_int_eq(run__plan(&host, &req, &run, &err), 0);
	ck_assert_int_gt(run__sets(run)->nr, 3);
	end();
}
END_TEST

START_TEST(a_note_has_a_kind_and_is_made_only_if_it_is_wanted)
{
	struct request req = REQUEST_INIT;

	begin(fake_xeon, "GenuineIntel-6-55-4");
	req.target.system_wide = true;
	req.topdown = req.rotate = true;
	req.td_level = 3;
	ck_assert_int_eq(run__plan(&host, &req, &run, &err), 0);
	ck_assert_ptr_null(note_of(NOTE_SETS));
	run__close(run);
	req.notes |= NOTE(SETS);
	ck_assert_int_eq(run__plan(&host, &req, &run, &err), 0);
	ck_assert_ptr_nonnull(note_of(NOTE_SETS));
	ck_assert_ptr_nonnull(strstr(note_of(NOTE_SETS)->text, "sets of groups take turns of"));
	end();
}
END_TEST

START_TEST(a_run_that_cannot_be_planned_says_why_and_is_closed)
{
	struct request req = REQUEST_INIT;

	begin(fake_xeon, "GenuineIntel-6-55-4");
	req.topdown = true;
	req.td_level = 99;
	ck_assert_int_eq(run__plan(&host, &req, &run, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "--td-level 99: the deepest level of this CPU (skylakex) is 6");
	ck_assert_ptr_nonnull(run__notes(run));
	end();
}
END_TEST

START_TEST(a_core_type_is_looked_for_where_it_is_asked_for)
{
	struct request req = REQUEST_INIT;

	begin(fake_alderlake, "GenuineIntel-6-97-2");
	req.target.system_wide = true;
	req.metrics = "tma_retiring";
	req.cputype = "atom";
	ck_assert_msg(!run__plan(&host, &req, &run, &err), "%s", err.msg);
	for (int i = 0; i < run__planned(run)->events.nr; i++)
		ck_assert_str_eq(run__planned(run)->events.at[i]->pmu->name, "cpu_atom");
	run__close(run);
	req.cputype = "middle";
	ck_assert_int_eq(run__plan(&host, &req, &run, &err), -ENOENT);
	ck_assert_str_eq(err.msg, "--cputype: no core PMU 'middle' on this machine; use cpu_core, "
				  "cpu_atom");
	end();
}
END_TEST

/* Only time is counted, and time needs no counter. */
START_TEST(a_run_goes_through_its_steps_and_ends_as_its_command_does)
{
	char *const argv[] = {"sh", "-c", "exit 7", NULL};
	struct request req = REQUEST_INIT;
	int steps[8], nr = 0, step;

	begin(fake_xeon, "GenuineIntel-6-55-4");
	req.null = true;
	req.target.argv = argv;
	ck_assert_int_eq(run__open(&host, &req, &run, &err), 0);
	ck_assert_ptr_null(run__grid(run));
	while ((step = run__next(run, &err)) > 0 && nr < 8)
		steps[nr++] = step;
	ck_assert_msg(!step, "%s", err.msg);
	ck_assert_int_eq(nr, 4);
	ck_assert_int_eq(steps[0], RUN_BEGINS);
	ck_assert_int_eq(steps[1], RUN_OPENED);
	ck_assert_int_eq(steps[2], RUN_ROW);
	ck_assert_int_eq(steps[3], RUN_WHOLE);
	ck_assert_int_eq(run__outcome(run)->status, 7);
	ck_assert_uint_gt(run__grid(run)->elapsed_ns, 0);
	end();
}
END_TEST

START_TEST(a_command_that_is_not_there_has_the_status_of_a_shell)
{
	char *const argv[] = {"/no/such/command", NULL};
	struct request req = REQUEST_INIT;

	begin(fake_xeon, "GenuineIntel-6-55-4");
	req.null = true;
	req.target.argv = argv;
	ck_assert_int_eq(run__open(&host, &req, &run, &err), 0);
	ck_assert_int_eq(run__next(run, &err), RUN_BEGINS);
	ck_assert_int_eq(run__next(run, &err), RUN_OPENED);
	ck_assert_int_eq(run__next(run, &err), -ENOENT);
	ck_assert_int_eq(run__outcome(run)->status, RUN_NOT_FOUND);
	end();
}
END_TEST

START_TEST(a_run_that_is_broken_tells_its_command)
{
	char *const argv[] = {"sleep", "60", NULL};
	struct request req = REQUEST_INIT;
	int step = 0;

	if (unit__may_not_count("a_run_that_is_broken_tells_its_command"))
		return;
	begin(fake_xeon, "GenuineIntel-6-55-4");
	req.events = &(struct request_event){.text = "task-clock"};
	req.nr_events = 1;
	req.wants = WANT_EVENTS;
	req.interval_ms = 10;
	req.target.argv = argv;
	ck_assert_int_eq(run__open(&host, &req, &run, &err), 0);
	while (step != RUN_ROW) {
		step = run__next(run, &err);
		ck_assert_msg(step > 0, "%s", err.msg);
	}
	run__break(run);
	ck_assert_int_eq(run__outcome(run)->status, 0);
	end();
}
END_TEST

TMA_TEST_MAIN(run_request, a_request_is_not_written_to, several_runs_of_one_host_are_open_at_once,
	      sets_are_counted_without_counting, a_note_has_a_kind_and_is_made_only_if_it_is_wanted,
	      a_run_that_cannot_be_planned_says_why_and_is_closed,
	      a_core_type_is_looked_for_where_it_is_asked_for,
	      a_run_goes_through_its_steps_and_ends_as_its_command_does,
	      a_command_that_is_not_there_has_the_status_of_a_shell,
	      a_run_that_is_broken_tells_its_command)
