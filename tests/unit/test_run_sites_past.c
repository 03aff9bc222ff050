// SPDX-License-Identifier: GPL-2.0-only
/* Sums over several rows of code also have the retire latencies of these rows. */
#include <stdlib.h>

#include "run/sites.h"
#include "unit.h"

static struct event latency = {.retire_latency = true, .sampled = true};
static struct event *const events[] = {&latency};
static const struct event_list list = {.at = (struct event **)events, .nr = 1};

static struct counts new_counts(void)
{
	return (struct counts){.nr_events = 1,
			       .nr_units = 1,
			       .at = calloc(1, sizeof(struct sample)),
			       .presence = calloc(1, sizeof(struct presence)),
			       .latencies = latencies__new(&list, 1, LATENCY_P50)};
}

START_TEST(latencies_are_of_the_combined_rows)
{
	struct sites_past past = {.nr = 2,
				  .at = calloc(3, sizeof(struct counts)),
				  .since = calloc(3, sizeof(uint64_t)),
				  .counts = new_counts()};
	struct counts now = new_counts();
	static const uint16_t cycles[] = {1, 10, 100, 1000};
	struct source_row row = {.counts = &now, .since_start = &now}, wide;

	past.at[0] = new_counts();
	past.at[1] = new_counts();
	for (int i = 1; i <= 4; i++) {
		latency__add(&now.latencies[0], cycles[i - 1], 1, i);
		row.time.since_start_ns = i;
		sites_past__take(&past, &list, &row, &wide);
		ck_assert_uint_eq(wide.time.elapsed_ns, i < 2 ? 1 : 2);
	}
	ck_assert_uint_eq(wide.counts->latencies[0].nr, 2);
	ck_assert_double_eq(latency__value(&wide.counts->latencies[0], LATENCY_MEAN), 550);
	ck_assert_double_ge(latency__value(&wide.counts->latencies[0], LATENCY_P50), 99);
	counts__free(&now);
	sites_past__free(&past);
}
END_TEST

TMA_TEST_MAIN(run_sites_past, latencies_are_of_the_combined_rows)
