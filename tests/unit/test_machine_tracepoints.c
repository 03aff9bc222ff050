// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"
#include "fake_sysfs.h"

#include <errno.h>
#include <unistd.h>

#include "base/err.h"
#include "machine/machine.h"

#define EVENTS "sys/kernel/tracing/events/"
#define FORMAT(name, id)                                                       \
	"name: " name "\nID: " id "\nformat:\n"                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"           \
	"print fmt: \"pid=%d\", REC->common_pid\n"

static const struct fake_file tracefs[] = {
	{ EVENTS "enable", "0\n" },
	{ EVENTS "header_page", "x\n" },
	{ EVENTS "sched/enable", "0\n" },
	{ EVENTS "sched/filter", "none\n" },
	{ EVENTS "sched/sched_switch/id", "372\n" },
	{ EVENTS "sched/sched_switch/format", FORMAT("sched_switch", "372") },
	{ EVENTS "sched/sched_wakeup/id", "374\n" },
	{ EVENTS "sched/sched_wakeup/format", FORMAT("sched_wakeup", "374") },
	{ EVENTS "sched/sched_wrong/id", "375\n" },
	{ EVENTS "sched/sched_wrong/format", FORMAT("sched_wrong", "1") },
	{ EVENTS "irq/irq_handler_entry/id", "100\n" },
	{ EVENTS "irq/irq_garbage/id", "many\n" },
	{ NULL, NULL },
};

static struct machine *m;
static char *root;

static void set_up(const struct fake_file *files)
{
	root = fake__new(files);
	m = machine__new();
}

static void tear_down(void)
{
	machine__free(m);
	fake__free(root);
}

START_TEST(an_id_is_read_and_agrees_with_the_format)
{
	struct err err = ERR_INIT;
	struct tracepoint *tp;
	int nr;

	set_up(tracefs);
	ck_assert_int_eq(machine__tracepoints(m, "sched", "sched_switch", TRACEPOINT_CHECKED, &tp, &nr, &err), 0);
	ck_assert_int_eq(nr, 1);
	ck_assert_uint_eq(tp->id, 372);
	ck_assert_str_eq(tp->system, "sched");
	ck_assert_str_eq(tp->name, "sched_switch");
	tracepoint__free_all(tp, nr);
	ck_assert_int_eq(machine__tracepoints(m, "sched", "sched_wrong", TRACEPOINT_CHECKED, &tp, &nr, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "does not describe it"));
	/* A format that must not be read is not an error. */
	ck_assert_int_eq(machine__tracepoints(m, "irq", "irq_handler_entry", TRACEPOINT_CHECKED, &tp, &nr, &err), 0);
	ck_assert_uint_eq(tp->id, 100);
	tracepoint__free_all(tp, nr);
	ck_assert_int_eq(machine__tracepoints(m, "irq", "irq_garbage", TRACEPOINT_CHECKED, &tp, &nr, &err), -EINVAL);
	tear_down();
}
END_TEST

START_TEST(globs_give_all_in_order_of_name)
{
	struct tracepoint *tp;
	int nr;

	set_up(tracefs);
	ck_assert_int_eq(machine__tracepoints(m, "sched", "sched_w*p", TRACEPOINT_CHECKED, &tp, &nr, NULL), 0);
	ck_assert_int_eq(nr, 1);
	ck_assert_str_eq(tp->name, "sched_wakeup");
	tracepoint__free_all(tp, nr);
	ck_assert_int_eq(machine__tracepoints(m, "*", "sched_[sw]*[hp]", TRACEPOINT_CHECKED, &tp, &nr, NULL), 0);
	ck_assert_int_eq(nr, 2);
	ck_assert_str_eq(tp[0].name, "sched_switch");
	ck_assert_str_eq(tp[1].name, "sched_wakeup");
	tracepoint__free_all(tp, nr);
	ck_assert_int_eq(machine__tracepoints(m, "i*", "irq_handler_entry", TRACEPOINT_CHECKED, &tp, &nr, NULL), 0);
	ck_assert_int_eq(nr, 1);
	tracepoint__free_all(tp, nr);
	ck_assert_int_eq(machine__tracepoints(m, "*", "*", TRACEPOINT_NAMES, &tp, &nr, NULL), 0);
	ck_assert_int_eq(nr, 5);
	tracepoint__free_all(tp, nr);
	tear_down();
}
END_TEST

START_TEST(ids_of_all_without_their_descriptions)
{
	struct tracepoint *tp, *one;
	int nr, nr_one, seen = 0, found = 0;

	set_up(tracefs);
	ck_assert_int_eq(machine__tracepoints(m, "*", "*", TRACEPOINT_IDS, &tp, &nr, NULL), 0);
	for (int i = 0; i < nr; i++) {
		/* A tracepoint whose description is wrong is listed, but cannot be counted. */
		if (machine__tracepoints(m, tp[i].system, tp[i].name, TRACEPOINT_CHECKED, &one,
					 &nr_one, NULL))
			continue;
		seen++;
		found += one->id == tp[i].id && one->id > 0;
		tracepoint__free_all(one, nr_one);
	}
	ck_assert_int_gt(seen, 1);
	ck_assert_int_eq(found, seen);
	tracepoint__free_all(tp, nr);
	ck_assert_int_eq(machine__tracepoints(m, "none", "*", TRACEPOINT_IDS, &tp, &nr, NULL), -ENOENT);
	tear_down();
}
END_TEST

START_TEST(missing_tracepoints_are_reported)
{
	struct err err = ERR_INIT;
	struct tracepoint *tp;
	int nr, rc;

	set_up(tracefs);
	ck_assert_int_eq(machine__tracepoints(m, "sched", "sched_x", TRACEPOINT_CHECKED, &tp, &nr, &err), -ENOENT);
	ck_assert_str_eq(err.msg, "there is no tracepoint sched:sched_x");
	ck_assert_int_eq(machine__tracepoints(m, "none", "*", TRACEPOINT_CHECKED, &tp, &nr, &err), -ENOENT);
	ck_assert_int_eq(machine__tracepoints(m, "none*", "*", TRACEPOINT_CHECKED, &tp, &nr, &err), -ENOENT);
	ck_assert_int_eq(machine__tracepoints(m, "..", "sched", TRACEPOINT_CHECKED, &tp, &nr, &err), -ENOENT);
	ck_assert_int_eq(machine__tracepoints(m, "sched/../irq", "x", TRACEPOINT_CHECKED, &tp, &nr, &err), -ENOENT);
	tear_down();
	/* If SYSFS_PATH has no tracepoints, those of the running kernel are used. */
	set_up(NULL);
	rc = machine__tracepoints(m, "sched", "sched_switch", TRACEPOINT_IDS, &tp, &nr, &err);
	if (access("/sys/kernel/tracing/events", X_OK)) {
		ck_assert_int_ne(rc, 0);
		ck_assert_ptr_nonnull(strstr(err.msg, "tracefs"));
	} else {
		ck_assert_int_eq(rc, 0);
		ck_assert_str_eq(tp->name, "sched_switch");
		tracepoint__free_all(tp, nr);
	}
	tear_down();
}
END_TEST

TMA_TEST_MAIN(machine_tracepoints, an_id_is_read_and_agrees_with_the_format,
	      globs_give_all_in_order_of_name, ids_of_all_without_their_descriptions,
	      missing_tracepoints_are_reported)
