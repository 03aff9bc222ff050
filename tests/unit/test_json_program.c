// SPDX-License-Identifier: GPL-2.0-only
/* The program gen-tables: its options, its exit status, and the files that it writes. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static char generator[PATH_MAX + 32];
static char top[64];
static char output[8192];

/*
 * This test and the program are in the same build folder: O/tests/unit/test_... and
 * O/pmu-events/gen-tables.
 */
static bool find_generator(void)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[len < 0 ? 0 : len] = '\0';
	for (int i = 0; i < 3; i++) {
		char *slash = strrchr(self, '/');

		if (!slash)
			return false;
		*slash = '\0';
	}
	snprintf(generator, sizeof(generator), "%s/pmu-events/gen-tables", self);
	return !access(generator, X_OK);
}

/*
 * Run the program. "%s" in its arguments is the folder. Return: the exit status; both outputs are
 * in output[].
 */
static int run(const char *args)
{
	char command[PATH_MAX * 2], expanded[512];
	size_t len;
	FILE *pipe;
	int status;

	snprintf(expanded, sizeof(expanded), args, top, top);
	snprintf(command, sizeof(command), "'%s' 2>&1 %s", generator, expanded);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	len = fread(output, 1, sizeof(output) - 1, pipe);
	output[len] = '\0';
	status = pclose(pipe);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void put(const char *name, const char *content)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(content, f);
	ck_assert_int_eq(fclose(f), 0);
}

static void make_folder(void)
{
	char path[128];

	strcpy(top, "/tmp/tma-gen-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(top));
	snprintf(path, sizeof(path), "%s/x86", top);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	snprintf(path, sizeof(path), "%s/x86/m", top);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	put("x86/mapfile.csv", "title\nA-1,v1,m,core\nA-2,v1,none,core\n");
	put("x86/m/a.json", "[{\"EventName\": \"e\", \"EventCod\": \"1\"}]");
}

static void remove_folder(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", top);
	ck_assert_int_eq(system(command), 0);
}

static bool exists(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	return !access(path, F_OK);
}

START_TEST(wrong_options)
{
	static const char *const cases[] = {
		"",
		"%s --dump",
		"--arch x86 --dump",
		"--arch x86 %s",
		"--arch x86 %s --dump -o %s/out.c",
		"--arch x86 %s --bad",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_int_eq(run(cases[i]), 2);
		ck_assert_ptr_nonnull(strstr(output, "usage: gen-tables --arch"));
	}
	ck_assert_int_eq(run("--help"), 0);
}
END_TEST

START_TEST(writes_a_whole_file)
{
	ck_assert_int_eq(run("--arch x86 %s -o %s/out.c"), 0);
	ck_assert_str_eq(output, "");
	ck_assert(exists("out.c") && !exists("out.c.tmp"));
	ck_assert_int_eq(run("--arch x86 %s -o %s/none/out.c"), 1);
	ck_assert_ptr_nonnull(strstr(output, "gen-tables: cannot write"));
}
END_TEST

START_TEST(bad_json_leaves_no_file)
{
	put("x86/m/b.json", "[{\"EventName\": \"f\"},\n{\"EventName\": \"e\"}]");
	ck_assert_int_eq(run("--arch x86 %s -o %s/out.c"), 1);
	ck_assert_ptr_nonnull(strstr(output, "/x86/m/b.json:2: event 'e' of PMU default_core is "
					     "already in "));
	ck_assert(!exists("out.c") && !exists("out.c.tmp"));
}
END_TEST

START_TEST(goes_on_after_errors_if_tolerant)
{
	put("x86/m/b.json", "[{\"EventName\": \"f\"},\n{\"EventName\": \"g\", \"UMask\": \"x\"}]");
	ck_assert_int_eq(run("--arch x86 %s --dump"), 1);
	ck_assert_int_eq(run("-k --arch x86 %s --dump"), 0);
	ck_assert_ptr_nonnull(
		strstr(output, "/x86/m/b.json:2: left out: UMask: 'x' is not a number\n"));
	ck_assert_ptr_nonnull(strstr(output, "event\tdefault_core\tf\tb\t"));
}
END_TEST

START_TEST(lays_folders_over_each_other)
{
	char path[128];

	/*
	 * If a folder has no folder of the architecture, it adds nothing; but the first one must
	 * have it.
	 */
	for (int i = 0; i < 3; i++) {
		static const char *const folders[] = { "over", "over/x86", "over/x86/m" };

		snprintf(path, sizeof(path), "%s/%s", top, folders[i]);
		ck_assert_int_eq(mkdir(path, 0755), 0);
	}
	put("over/x86/m/a.json", "[{\"EventName\": \"e\", \"EventCode\": \"7\"}]");
	ck_assert_int_eq(run("--arch x86 %s %s/over --dump"), 0);
	ck_assert_ptr_nonnull(strstr(output, "event\tdefault_core\te\ta\tevent=7\t"));
	ck_assert_ptr_null(strstr(output, "event=0"));
	ck_assert_int_eq(run("--arch x86 %s %s/none --dump"), 0);
	ck_assert_int_eq(run("--arch x86 %s/none %s --dump"), 1);
}
END_TEST

START_TEST(warns_when_asked)
{
	ck_assert_int_eq(run("--arch x86 %s --dump"), 0);
	ck_assert_ptr_null(strstr(output, "warning"));
	ck_assert_int_eq(run("-W --arch x86 %s --dump"), 0);
	ck_assert_ptr_nonnull(strstr(output, "/x86/m/a.json:1: warning: unknown field 'EventCod'"));
	ck_assert_ptr_nonnull(strstr(output, "/x86/mapfile.csv:3: warning: no folder 'none'"));
}
END_TEST

START_TEST(files_that_cannot_be_read_or_written)
{
	ck_assert_int_eq(run("--arch x87 %s --dump"), 1);
	ck_assert_ptr_nonnull(strstr(output, "/x87: No such file or directory"));
	ck_assert_int_eq(run("--arch x86 %s --dump >/dev/full"), 1);
	ck_assert_ptr_nonnull(strstr(output, "cannot write"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { wrong_options, writes_a_whole_file, bad_json_leaves_no_file,
				       goes_on_after_errors_if_tolerant,
				       lays_folders_over_each_other,
				       warns_when_asked, files_that_cannot_be_read_or_written };
	Suite *suite = suite_create("json_program");
	TCase *tcase = tcase_create("json_program");
	SRunner *runner;
	int failed;

	if (!find_generator()) {
		printf("SKIP json_program: %s has not been built\n", generator);
		return 77;
	}
	tcase_add_checked_fixture(tcase, make_folder, remove_folder);
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
