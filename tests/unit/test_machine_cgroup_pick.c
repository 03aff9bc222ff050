// SPDX-License-Identifier: GPL-2.0-only
/* The cgroups with the most CPU time are chosen, while cgroups come and go. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "machine/cgroup_pick.h"
#include "machine/machine.h"
#include "unit.h"

static char root[64];
static struct machine machine;
static struct cgroup_pick pick;

static void write_to(const char *path, const char *fmt, unsigned long long number)
{
	char whole[256];
	FILE *f;

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	f = fopen(whole, "w");
	ck_assert(f);
	fprintf(f, fmt, number);
	fclose(f);
}

static void make(const char *path)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	ck_assert(!mkdir(whole, 0755) || errno == EEXIST);
}

static void use_v2(const char *name, unsigned long long us)
{
	char path[128];

	snprintf(path, sizeof(path), "cg/%s", name);
	make(path);
	snprintf(path, sizeof(path), "cg/%s/cpu.stat", name);
	write_to(path, "usage_usec %llu\nuser_usec 1\n", us);
}

static void mount_at(const char *fmt)
{
	char path[128], text[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/mounts", root);
	snprintf(text, sizeof(text), fmt, root, root);
	f = fopen(path, "w");
	ck_assert(f);
	fputs(text, f);
	fclose(f);
}

static void set_up(void)
{
	strcpy(root, "/tmp/tma-pick-XXXXXX");
	ck_assert(mkdtemp(root));
	machine.procfs = root;
	make("cg");
	mount_at("proc /proc proc rw 0 0\ncgroup2 %s/cg cgroup2 rw 0 0\n");
}

static void tear_down(void)
{
	auto_free(sb) command = SB_INIT;

	cgroup_pick__free(&pick);
	pick = (struct cgroup_pick){.looks = 0};
	sb__printf(&command, "rm -r %s", root);
	ck_assert(!system(sb__str(&command)));
}

/* @expected: the names, each followed by a blank; @changed: the expected return value */
static void look(int most, const char *expected, int changed)
{
	struct err err = ERR_INIT;
	auto_free(sb) got = SB_INIT;
	const struct cgroup_use *use;
	int rc = cgroup_pick__choose(&pick, &machine, "--top-cgroups", most, &err);

	vec__for_each(use, &pick.uses)
		if (use->is_picked)
			sb__printf(&got, "%s ", use->name);
	ck_assert_str_eq(sb__str(&got), expected);
	ck_assert_int_eq(rc, changed);
}

START_TEST(cgroups_with_most_time_are_picked)
{
	set_up();
	use_v2("slice", 999999);
	use_v2("slice/b", 300);
	use_v2("slice/a", 200);
	use_v2("c", 100);
	use_v2("idle", 0);
	look(2, "slice/a slice/b ", 1);
	look(2, "slice/a slice/b ", 0);
	/* Only recent time counts: c has used most of it. */
	use_v2("c", 5000);
	use_v2("slice/a", 201);
	use_v2("slice/b", 400);
	look(2, "c slice/b ", 1);
	look(9, "c slice/a slice/b ", 1);
	tear_down();
}
END_TEST

START_TEST(two_similar_cgroups_do_not_alternate)
{
	set_up();
	use_v2("a", 1000);
	use_v2("b", 900);
	look(1, "a ", 1);
	for (int i = 1; i < 20; i++) {
		use_v2("a", 1000 + 1000 * i + (i & 1 ? 50 : -50));
		use_v2("b", 900 + 1100 * i);
		look(1, "a ", 0);
	}
	use_v2("b", 90000);
	look(1, "b ", 1);
	tear_down();
}
END_TEST

START_TEST(cgroups_come_and_go)
{
	char path[128];

	set_up();
	use_v2("a", 1000);
	use_v2("b", 2000);
	look(2, "a b ", 1);
	snprintf(path, sizeof(path), "%s/cg/b/cpu.stat", root);
	ck_assert(!unlink(path));
	*strrchr(path, '/') = '\0';
	ck_assert(!rmdir(path));
	look(2, "a ", 1);
	/* The cgroup exists again, and its time begins at 0. */
	use_v2("b", 0);
	look(2, "a ", 0);
	use_v2("b", 10);
	look(2, "a b ", 1);
	/* If a cgroup has children, they are chosen instead of it. */
	use_v2("b/c", 5000);
	look(2, "a b/c ", 1);
	tear_down();
}
END_TEST

START_TEST(the_name_of_the_other_tasks_is_never_picked)
{
	set_up();
	use_v2(CGROUP_OTHER, 1000);
	use_v2("a", 10);
	look(2, "a ", 1);
	use_v2("a/" CGROUP_OTHER, 1000);
	look(2, "a/" CGROUP_OTHER " ", 1);
	tear_down();
}
END_TEST

START_TEST(the_number_of_visited_cgroups_is_limited)
{
	char name[64];

	set_up();
	make("cg/many");
	for (int i = 0; i < CGROUPS_LOOKED_AT; i++) {
		snprintf(name, sizeof(name), "cg/many/%d", i);
		make(name);
	}
	/* Cgroups nearer to the root come first. A cgroup with children does not count. */
	use_v2("top", 10);
	use_v2("z", 5);
	use_v2("z/y", 5);
	use_v2("z/y/x", 5);
	use_v2("z/y/x/deep", 900000);
	look(9, "top ", 1);
	ck_assert(pick.is_cut);
	tear_down();
}
END_TEST

START_TEST(v1_has_times_in_another_tree)
{
	set_up();
	mount_at("cgroup %s/cg cgroup rw,perf_event 0 0\ncgroup %s/cpu cgroup rw,cpu,cpuacct 0 0\n");
	make("cpu");
	make("cg/a");
	make("cpu/a");
	make("cg/b");
	write_to("cpu/a/cpuacct.usage", "%llu\n", 5000000);
	look(2, "a ", 1);
	ck_assert_uint_eq(pick.uses.at[0].used_us, 5000);
	tear_down();
}
END_TEST

START_TEST(without_cgroups_there_is_an_error)
{
	struct err err = ERR_INIT;

	set_up();
	mount_at("proc /proc proc rw 0 0\n");
	ck_assert_int_eq(cgroup_pick__choose(&pick, &machine, "--top-cgroups", 3, &err), -ENOENT);
	ck_assert(strstr(err.msg, "--top-cgroups: cgroups are not mounted"));
	tear_down();
}
END_TEST

TMA_TEST_MAIN(machine_cgroup_pick, cgroups_with_most_time_are_picked,
	      two_similar_cgroups_do_not_alternate, cgroups_come_and_go,
	      the_name_of_the_other_tasks_is_never_picked, the_number_of_visited_cgroups_is_limited,
	      v1_has_times_in_another_tree, without_cgroups_there_is_an_error)
