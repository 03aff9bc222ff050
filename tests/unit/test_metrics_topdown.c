// SPDX-License-Identifier: GPL-2.0-only
/* Levels of the TopDown tree. The vendors have different names for the groups of these levels. */
#include "metrics_fixture.h"

#include <strings.h>

#include "metrics/metrics.h"

static const struct metric_info *table;

int tables__nr_metrics(const struct tables *t)
{
	int nr = 0;

	(void)t;
	while (table[nr].name)
		nr++;
	return nr;
}

void tables__metric(const struct tables *t, int i, struct metric_info *out)
{
	(void)t;
	*out = table[i];
}

int tables__nr_layers(const struct tables *t)
{
	(void)t;
	return 1;
}

void tables__layer(const struct tables *t, int i, struct tables_layer *out)
{
	(void)t;
	(void)i;
	*out = (struct tables_layer){.origin = "built in"};
}

int tables__find_metric(const struct tables *t, const char *pmu, const char *name)
{
	for (int i = 0; i < tables__nr_metrics(t); i++)
		if (!strcmp(table[i].pmu, pmu) && !strcasecmp(table[i].name, name))
			return i;
	return -1;
}

int tables__nr_groups(const struct tables *t)
{
	(void)t;
	return 0;
}

const char *tables__group(const struct tables *t, int i)
{
	(void)t;
	(void)i;
	return "";
}

#define METRIC(n, p, g)                        \
	{                                      \
		.name = n, .pmu = p, .groups = g \
	}

static const struct metric_info intel[] = {
	METRIC("tma_retiring", "cpu_core", "Other;TopdownL1;tma_L1_group"),
	METRIC("tma_light_operations", "cpu_core", "TopdownL2;tma_retiring_group"),
	METRIC("tma_retiring", "cpu_atom", "TopdownL1"),
	METRIC("odd", "cpu_core", "TopdownL;TopdownLong;TopdownL9x;MyTopdownL8;TopdownL999"),
	METRIC(NULL, NULL, NULL),
};

static const struct metric_info amd[] = {
	METRIC("backend_bound", "default_core", "PipelineL1"),
	METRIC("retiring_fastpath", "default_core", "PipelineL2;retiring_group"),
	METRIC("retiring", "default_core", "PipelineL1"),
	METRIC(NULL, NULL, NULL),
};

/* With the overlay, a metric is in both groups. */
static const struct metric_info both[] = {
	METRIC("backend_bound", "default_core", "PipelineL1;TopdownL1"),
	METRIC("retiring_fastpath", "default_core", "PipelineL2;retiring_group"),
	METRIC(NULL, NULL, NULL),
};

static const struct metric_info none[] = {
	METRIC("ipc", "default_core", "Summary"),
	METRIC(NULL, NULL, NULL),
};

static int owner(const char *group)
{
	return metrics__group_owner(group, strlen(group));
}

START_TEST(a_group_has_the_children_of_one_node)
{
	ck_assert_int_eq(owner("tma_retiring_group"), strlen("tma_retiring"));
	ck_assert_int_eq(metrics__group_owner("a_group;b_group", strlen("a_group")), 1);
	ck_assert_int_eq(owner("_group"), 0);
	ck_assert_int_eq(owner("group"), 0);
	ck_assert_int_eq(owner("TopdownL1"), 0);
	ck_assert_int_eq(owner("tma_retiring_groups"), 0);
}
END_TEST

/* A parent is found by its name in any case, and so is its column. */
START_TEST(a_parent_is_found_whatever_the_case)
{
	static const struct metric_info odd[] = {
		METRIC("TMA_Retiring", "default_core", "TopdownL1"),
		METRIC("tma_light", "default_core", "tma_retiring_group"),
		METRIC(NULL, NULL, NULL),
	};
	const struct metric light = { .info = odd[1] };
	struct sb key = SB_INIT;

	table = odd;
	ck_assert(metrics__related(&odd[1], METRIC_PARENT, &odd[0]));
	metrics__topdown_key((void *)odd, &light, &key);
	ck_assert_str_eq(sb__str(&key), "0!TMA_Retiring!tma_light");
	sb__free(&key);
}
END_TEST

static int levels(const struct metric_info *metrics, const char *pmu, const char **group)
{
	table = metrics;
	*group = "unchanged";
	return metrics__topdown_levels((void *)metrics, pmu, group);
}

START_TEST(levels_are_in_the_names_of_groups)
{
	const char *group;

	ck_assert_int_eq(levels(intel, NULL, &group), 2);
	ck_assert_str_eq(group, "TopdownL");
	ck_assert_int_eq(levels(intel, "cpu_atom", &group), 1);
	ck_assert_str_eq(group, "TopdownL");
	ck_assert_int_eq(levels(amd, NULL, &group), 2);
	ck_assert_str_eq(group, "PipelineL");
	ck_assert_int_eq(levels(both, NULL, &group), 1);
	ck_assert_str_eq(group, "TopdownL");
	ck_assert_int_eq(levels(none, NULL, &group), 0);
	ck_assert_str_eq(group, "unchanged");
	ck_assert_int_eq(metrics__topdown_levels(NULL, NULL, NULL), 0);
}
END_TEST

static const char *key(int number)
{
	static struct sb sb;
	struct metric m = { .info = table[number] };

	sb__clear(&sb);
	metrics__topdown_key((void *)table, &m, &sb);
	return sb__str(&sb);
}

START_TEST(keys_are_the_way_down_the_tree)
{
	table = intel;
	ck_assert_str_eq(key(0), "0!tma_retiring");
	ck_assert_str_eq(key(1), "0!tma_retiring!tma_light_operations");
	table = amd;
	ck_assert_str_eq(key(0), "1!backend_bound");
	ck_assert_str_eq(key(1), "0!retiring!retiring_fastpath");
}
END_TEST

/* The formula for CPUs before Ice Lake, directly or through another metric. */
START_TEST(a_metric_can_depend_on_whole_cores)
{
	struct metric *m = metric_of("a b", "a if #core_wide < 1 else b");

	ck_assert(metrics__depends_on_cores(m));
	free_metric(m);
	m = metric_of("a b", "a if #smt_on else clks");
	add_ref(m, "tma_other", "b / 4");
	ck_assert(!metrics__depends_on_cores(m));
	add_ref(m, "clks", "a / 2 if #CORE_WIDE else b");
	ck_assert(metrics__depends_on_cores(m));
	free_metric(m);
}
END_TEST

START_TEST(a_metric_is_of_a_level_or_of_none)
{
	ck_assert_int_eq(metrics__topdown_level(&intel[0]), 1);
	ck_assert_int_eq(metrics__topdown_level(&intel[1]), 2);
	ck_assert_int_eq(metrics__topdown_level(&intel[3]), 0);
	ck_assert_int_eq(metrics__topdown_level(&amd[1]), 2);
	ck_assert_int_eq(metrics__topdown_level(&none[0]), 0);
	ck_assert(metrics__topdown_is_useful(&intel[0]));
	ck_assert(metrics__topdown_is_useful(&amd[2]));
	ck_assert(!metrics__topdown_is_useful(&amd[1]));
	ck_assert(!metrics__topdown_is_useful(&none[0]));
}
END_TEST

TMA_TEST_MAIN(metrics_topdown, a_group_has_the_children_of_one_node,
	      a_parent_is_found_whatever_the_case, levels_are_in_the_names_of_groups,
	      a_metric_is_of_a_level_or_of_none, keys_are_the_way_down_the_tree,
	      a_metric_can_depend_on_whole_cores)
