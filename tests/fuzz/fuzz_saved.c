// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file that "tma compare --save" has written and that may have been changed: its runs are listed
 * and compared with themselves, and the answer is printed. No row differs from itself.
 */
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../cmd/compare/compare.h"
#include "base/auto.h"
#include "base/xalloc.h"
#include "fuzz.h"
#include "messages.h"
#include "root.h"

#define NAME "saved"

static FILE *nowhere;
static const char *root;
static int here; /* folder for the names that inputs get */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	root = fuzz__root();
	here = open(".", O_RDONLY | O_DIRECTORY);
	fuzz_check(here >= 0 && !chdir(root) && !mkdir(".tma", 0777) && !fchdir(here));
	nowhere = fopen("/dev/null", "w");
	fuzz_check(nowhere);
	return 0;
}

static void put_file(const uint8_t *data, size_t size)
{
	FILE *file = fopen(".tma/" NAME ".json", "w");

	fuzz_check(file && fwrite(data, 1, size, file) == size && !fclose(file));
}

static void check_rows(const struct comparison *c)
{
	for (int i = 0; c->order[i] >= 0; i++) {
		const struct compared *row = &c->at[c->order[i]];

		fuzz_check(row->kind && row->series[0].nr == row->series[1].nr, "%s", row->name);
		fuzz_check(!row->series[0].nr || !(row->with[1].by > 0 || row->with[1].by < 0) ||
				   !isfinite(row->with[1].by),
			   "%s", row->name);
		fuzz_check(row->with[1].change != CHANGE_MORE && row->with[1].change != CHANGE_LESS,
			   "%s", row->name);
	}
}

/* Both sides have the same functions, with the same sums. */
static void check_sites(const struct comparison *c)
{
	const int *order = c->site_orders ? c->site_orders[1] : NULL;

	for (int i = 0; order && order[i] >= 0; i++) {
		const struct compared *row = &c->at[order[i]];

		fuzz_check(row->kind == COMPARED_SITE, "%s", row->name);
		fuzz_check(row->series[0].nr == row->series[1].nr, "%s", row->name);
		fuzz_check(row->with[1].change != CHANGE_MORE && row->with[1].change != CHANGE_LESS,
			   "%s", row->name);
	}
}

static void compare_with_itself(struct compare_answer *a)
{
	const struct comparison_margins margins = {.points = 0.5, .time = 1, .counts = 0.5};
	struct err err = ERR_INIT;

	for (int side = 0; side < 2; side++)
		if (compare_saved__load_runs(a, side, &err)) {
			fuzz_check(*err.msg);
			return;
		}
	comparison__judge(&a->comparison, &margins);
	check_rows(&a->comparison);
	check_sites(&a->comparison);
	compare__print(a, nowhere);
	compare__print_markdown(a, nowhere);
	compare__print_json(a, nowhere);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const words[] = {NAME, NAME};
	struct compare_answer a = {.why_times = ""};
	struct err err = ERR_INIT;

	fuzz_check(!chdir(root));
	put_file(data, size);
	fuzz_check(!compare_sides__take(&a, 2, words, NULL, 0, false, &err), "%s", err.msg);
	compare_with_itself(&a);
	fuzz_check(!compare_saved__list(nowhere, false, &err) &&
		   !compare_saved__list(nowhere, true, &err));
	comparison__free(&a.comparison);
	compare_sides__free(&a);
	sb__clear(&said);
	fuzz_check(!fchdir(here));
	return 0;
}
