// SPDX-License-Identifier: GPL-2.0-only
/* Kernels run for as long as asked, and visit all the memory that they should. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "kernels/kernels.h"
#include "unit.h"

START_TEST(a_walk_visits_every_number_once)
{
	for (uint32_t nr = 1; nr <= 1 << 21; nr *= 2) {
		uint32_t steps = 0, far = 0, at = 0, next;

		do {
			next = kernel__next(at, nr);
			ck_assert_uint_lt(next, nr);
			far += labs((long)next - (long)at) > 64;
			at = next;
			steps++;
		} while (at && steps <= nr);
		ck_assert_uint_eq(steps, nr);
		/* Hardware prefetchers should guess wrong nearly always. */
		if (nr > 4000)
			ck_assert_uint_gt(far, nr / 10 * 9);
	}
}
END_TEST

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

START_TEST(each_runs_for_its_time)
{
	struct err err = ERR_INIT;

	for (int i = 0; i < KERNELS_NR; i++) {
		double begin = cpu_seconds();

		ck_assert_msg(!kernel__run(&kernels[i], 0.02, &err), "%s: %s", kernels[i].name,
			      err.msg);
		ck_assert(cpu_seconds() - begin >= 0.02);
		ck_assert_ptr_eq(kernel__find(kernels[i].name), &kernels[i]);
	}
	ck_assert_ptr_null(kernel__find("add"));
}
END_TEST

TMA_TEST_MAIN(kernels, a_walk_visits_every_number_once, each_runs_for_its_time)
