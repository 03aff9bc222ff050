// SPDX-License-Identifier: GPL-2.0-only
/* Selection of metrics, from a table made here in place of the built-in ones. */
#include "metrics_fixture.h"

#include <errno.h>
#include <strings.h>

#include "base/text.h"
#include "machine/machine.h"
#include "metrics/ids.h"

static const struct metric_info table[] = {
	{.name = "alone", .expr = "x + y"},
	{.name = "broken", .expr = "x + + y", .groups = "Bad"},
	{.name = "circle_a", .expr = "x + circle_b", .groups = "Round"},
	{.name = "circle_b", .expr = "circle_c / 2", .groups = "Round"},
	{.name = "circle_c", .expr = "CIRCLE_A", .groups = "Round"},
	{.name = "constant", .expr = "x if 0 else 7", .groups = "Odd"},
	{.name = "free", .expr = "x", .groups = "Mem;Odd", .constraint = METRIC_NO_GROUP_EVENTS},
	{.name = "inner", .expr = "p / q", .groups = "Tree"},
	{.name = "nmi", .expr = "x", .groups = "Mem", .constraint = METRIC_NO_GROUP_EVENTS_NMI},
	{.name = "outer",
	 .expr = "inner * r",
	 .groups = "Tree;Mem",
	 .no_group = "Tree",
	 .threshold = "outer > 0.1 & other > s"},
	{.name = "other", .expr = "inner + t", .groups = "Tree;Top"},
	{.name = "semi;colon", .expr = "x"},
	{.name = "short", .expr = "x", .groups = "Few", .constraint = METRIC_NO_THRESHOLD_NMI},
	{.name = "smt",
	 .expr = "x if #smt_on else y",
	 .groups = "Mem",
	 .constraint = METRIC_NO_GROUP_EVENTS_SMT},
	{.name = "inner", .pmu = "cpu_atom", .expr = "atom", .groups = "Tree"},
	{.name = "waits",
	 .pmu = "any",
	 .expr = "a + (w_ANY / 2 if #smt_on else w)",
	 .groups = "Any"},
	{.name = "waits_above", .pmu = "any", .expr = "waits * 2", .groups = "Any"},
	{.name = "waits_third",
	 .pmu = "any",
	 .expr = "w_ANY / 3 if #smt_on else w",
	 .groups = "Any"},
	{.name = "waits_whole", .pmu = "any", .expr = "w_ANY if #smt_on else w", .groups = "Any"},
	{.name = "waits_other",
	 .pmu = "any",
	 .expr = "w_ANY / 2 if #smt_on else v",
	 .groups = "Any"},
	{.name = "waits_alone", .pmu = "any", .expr = "1 - a / (w_ANY / 2)", .groups = "Any"},
	{.name = "outer", .pmu = "cpu_atom", .expr = "inner + 1", .groups = "Tree"},
};

#define NR_TABLE ((int)(sizeof(table) / sizeof(*table)))

int tables__nr_metrics(const struct tables *t)
{
	(void)t;
	return NR_TABLE;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

void tables__metric(const struct tables *t, int i, struct metric_info *out)
{
	(void)t;
	*out = table[i];
	out->pmu = table[i].pmu ? table[i].pmu : "default_core";
	out->groups = or_empty(table[i].groups);
	out->threshold = or_empty(table[i].threshold);
	out->no_group = or_empty(table[i].no_group);
	out->default_group = or_empty(table[i].default_group);
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
	struct metric_info info;

	for (int i = 0; i < NR_TABLE; i++) {
		tables__metric(t, i, &info);
		if ((!pmu || !strcmp(info.pmu, pmu)) && !strcasecmp(info.name, name))
			return i;
	}
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

static struct machine machine = { .sysfs = "/nonexistent", .cpuid = "GenuineIntel-6-8F-8" };
static struct metrics_scope scope;
static struct metric_list list;
static struct err err;

static int select_metrics(const char *text, bool no_group)
{
	metric_list__free(&list);
	err = (struct err)ERR_INIT;
	scope.machine = &machine;
	scope.tables = (const void *)table;
	return metrics__select(&scope, text, no_group, &list, &err);
}

/* "outer:u alone" */
static const char *names(void)
{
	static struct sb sb;

	sb__clear(&sb);
	for (int i = 0; i < list.nr; i++)
		sb__printf(&sb, "%s%s%s%s%s", i ? " " : "", list.at[i]->info.name,
			   strcmp(list.at[i]->info.pmu, "default_core") ? "@" : "",
			   list.at[i]->modifier ? ":" : "",
			   list.at[i]->modifier ? list.at[i]->modifier : "");
	return sb__str(&sb);
}

#define assert_selected(text, want)                                                                \
	do {                                                                                       \
		ck_assert_msg(!select_metrics(text, false), "%s", err.msg);                        \
		ck_assert_str_eq(names(), want);                                                   \
	} while (0)

START_TEST(names_and_groups_are_found)
{
	assert_selected("outer", "outer outer@");
	assert_selected("OUTER:u,alone", "outer:u outer@:u alone");
	assert_selected("Mem", "free nmi outer smt");
	assert_selected("mem:k", "free:k nmi:k outer:k smt:k");
	assert_selected("No_group", "alone semi;colon");
	assert_selected("semi;colon", "semi;colon");
	assert_selected("out*,Me?", "outer outer@ free nmi smt");
	assert_selected("alone,ALONE,alone:u,al*:u", "alone alone:u");
	scope.pmu = "cpu_atom";
	assert_selected("Tree", "inner@ outer@");
	assert_selected("all", "inner@ outer@");
	scope.pmu = NULL;
	metric_list__free(&list);
}
END_TEST

START_TEST(unknown_names_are_errors_with_the_nearest)
{
	assert_selected("alone", "alone");
	err = (struct err)ERR_INIT;
	ck_assert_int_eq(metrics__select(&scope, "Mem,innner", false, &list, &err), -ENOENT);
	ck_assert_str_eq(err.msg,
			 "this CPU has no metric or metric group 'innner'; did you mean 'inner'?");
	/* The list keeps its old content, and nothing is added. */
	ck_assert_str_eq(names(), "alone");
	ck_assert_int_eq(select_metrics("alone,,", false), -EINVAL);
	ck_assert_int_eq(select_metrics("", false), -EINVAL);
	ck_assert_int_eq(select_metrics("alone:", false), -EINVAL);
	ck_assert_int_eq(list.nr, 0);
	scope.tables = NULL;
	ck_assert_int_eq(metrics__select(&scope, "alone", false, &list, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.msg, "tma has no metrics for this CPU, GenuineIntel-6-8F-8"));
	metric_list__free(&list);
}
END_TEST

/* Return: the ids, sorted, since another test checks their order. */
static const char *ids(const struct metric *m)
{
	static struct sb sb;

	sb__clear(&sb);
	for (char id = 'a'; id <= 'z'; id++)
		for (int i = 0; i < m->nr_ids; i++)
			if (m->ids[i][0] == id)
				sb__printf(&sb, "%s%s", sb.len ? " " : "", m->ids[i]);
	return sb__str(&sb);
}

#define assert_ids(name, want)                                                                     \
	do {                                                                                       \
		ck_assert_msg(!select_metrics(name, false), "%s", err.msg);                        \
		ck_assert_str_eq(ids(list.at[0]), want);                                           \
	} while (0)

START_TEST(references_are_followed_to_ids)
{
	assert_ids("other", "p q t");
	ck_assert_int_eq(list.at[0]->nr_refs, 1);
	/*
	 * A metric's ids include those of its threshold, and of the metrics that the threshold
	 * refers to.
	 */
	assert_ids("outer", "p q r s t");
	ck_assert_int_eq(list.at[0]->nr_refs, 3);
	ck_assert_ptr_nonnull(list.at[0]->threshold);
	/* A metric refers to metrics of its own PMU. */
	ck_assert_str_eq(ids(list.at[1]), "atom");
	scope.no_threshold = true;
	assert_ids("outer", "p q r");
	ck_assert_ptr_nonnull(list.at[0]->threshold);
	scope.no_threshold = false;
	assert_ids("constant", "");
	metric_list__free(&list);
}
END_TEST

START_TEST(broken_metrics_are_named)
{
	ck_assert_int_eq(select_metrics("alone,broken", false), -EINVAL);
	ck_assert_str_eq(err.msg, "metric broken syntax error: 'x + + y'\n"
				  "                                 \\___ a value is expected here");
	ck_assert_int_eq(select_metrics("circle_a", false), -ELOOP);
	ck_assert_str_eq(err.msg, "metric circle_a refers to itself: "
				  "circle_a <- circle_c <- circle_b <- circle_a");
	ck_assert_int_eq(list.nr, 0);
	metric_list__free(&list);
}
END_TEST

static bool grouped(const char *text, bool no_group)
{
	ck_assert_msg(!select_metrics(text, no_group), "%s", err.msg);
	return list.at[0]->group_events;
}

START_TEST(constraints_and_groups_decide_on_grouping)
{
	ck_assert(grouped("alone", false));
	ck_assert(!grouped("alone", true));
	ck_assert_ptr_null(list.at[0]->constrained);
	ck_assert(!grouped("free", false));
	ck_assert_ptr_nonnull(list.at[0]->constrained);
	machine.nmi_watchdog = false;
	ck_assert(grouped("nmi", false));
	machine.nmi_watchdog = true;
	ck_assert(!grouped("nmi", false));
	ck_assert_str_eq(list.at[0]->constrained, "the NMI watchdog holds a counter");
	ck_assert(!grouped("short", false));
	scope.no_threshold = true;
	ck_assert(grouped("short", false));
	scope.no_threshold = false;
	machine.nmi_watchdog = false;
	ck_assert(grouped("short", false));
	/* MetricgroupNoGroup has an effect if the metric is selected by that group. */
	ck_assert(grouped("outer", false));
	ck_assert(grouped("other", false));
	ck_assert_int_eq(select_metrics("Tree", false), 0);
	ck_assert_str_eq(names(), "inner outer other inner@ outer@");
	ck_assert(list.at[0]->group_events);
	ck_assert(!list.at[1]->group_events);
	metric_list__free(&list);
}
END_TEST

static const struct {
	const char *text, *ids;
} collected[] = {
	{ "a + b", "a b" },
	{ "a if 1 else b", "a" },
	{ "a if 0 else b", "b" },
	{ "a if c else b", "a b c" },
	{ "1 if a else 1", "" },	 /* both branches are equal */
	{ "1 if a else 2", "a" },
	{ "a & 0", "" },
	{ "0 & a", "" },
	{ "1 & a", "a" },
	{ "a | 1", "" },
	{ "0 | a", "a" },
	{ "a ^ 1", "a" },
	{ "a / 0", "" },
	{ "0 / a", "a" },
	{ "a % 0", "" },
	{ "d_ratio(a, 0)", "" },
	{ "d_ratio(a, b)", "a b" },
	{ "0 * a", "a" },
	{ "a if 2 < 1 else b", "b" },
	{ "a if -1 else b", "a" },
	{ "a if min(0, 1) else b", "a b" }, /* min and max are never simplified to constants */
	{ "a if NaN else b", "a b" },
	{ "a if #num_packages < 1 else b", "b" },
	{ "a if has_event(yes) else b", "a" },
	{ "a if has_event(no) else b", "b" },
	{ "source_count(a) + b", "a b" },
	{ "a if strcmp_cpuid_str(GenuineIntel\\-6\\-8F) else b", "a" },
	{ "a if strcmp_cpuid_str(GenuineIntel\\-6\\-8E) else b", "b" },
	{ "a if strcmp_cpuid_str(GenuineIntel\\-6\\-8F\\-9) else b", "b" },
	{ "a if strcmp_cpuid_str(GenuineIntel\\-6\\-8) else b", "b" },
	{ "a if (b if 0 else 0) else c", "c" },
	{ "-a if -0 else -b", "b" },
};

static bool is_yes(void *arg, const char *id)
{
	(void)arg;
	return !strcmp(id, "yes");
}

START_TEST(constants_leave_ids_out_as_in_perf)
{
	struct metrics_scope here = { .machine = &machine, .has_event = is_yes };
	struct literals literals = { .known = 0 };

	/* The facts about the machine are known. */
	literals.value[literal__find("num_packages", strlen("num_packages"))] = 2;
	literals.known = 1u << literal__find("num_packages", strlen("num_packages"));

	for (size_t i = 0; i < sizeof(collected) / sizeof(*collected); i++) {
		struct metric m = { .nr_ids = 0 };
		struct idset *set;
		struct expr *e;

		ck_assert_int_eq(expr__parse("test", collected[i].text, &e, &err), 0);
		set = ids__collect(&here, &literals, e);
		m.nr_ids = idset__size(set);
		m.ids = calloc(m.nr_ids + 1, sizeof(*m.ids));
		if (set)
			idset__list(set, m.ids);
		ck_assert_msg(!strcmp(ids(&m), collected[i].ids), "%s needs \"%s\", not \"%s\"",
			      collected[i].text, ids(&m), collected[i].ids);
		free(m.ids);
		idset__free(set);
		expr__free(e);
	}
}
END_TEST

static bool lacks_any(void *arg, const char *id)
{
	(void)arg;
	return strstr(id, "_ANY");
}

static const struct {
	const char *name, *ids, *without;
} any_thread[] = {
	{"waits", "a w", "w_ANY"},	{"waits_above", "a w", "w_ANY"},
	{"waits_third", "w_ANY", NULL}, {"waits_whole", "w_ANY", NULL},
	{"waits_other", "w_ANY", NULL}, {"waits_alone", "a w_ANY", NULL},
};

START_TEST(one_thread_of_two_has_half_of_the_counts)
{
	machine.smt = true;
	scope.lacks_event = lacks_any;
	for (size_t i = 0; i < sizeof(any_thread) / sizeof(*any_thread); i++) {
		const char *without;

		ck_assert_msg(!select_metrics(any_thread[i].name, false), "%s", err.msg);
		ck_assert_msg(!strcmp(ids(list.at[0]), any_thread[i].ids), "%s needs %s",
			      any_thread[i].name, ids(list.at[0]));
		without = list.at[0]->without.any_thread;
		ck_assert_pstr_eq(without, any_thread[i].without);
		ck_assert_int_eq(metric__is_approximate(list.at[0]), !!without);
	}
	scope.lacks_event = NULL;
	ck_assert(!select_metrics("waits", false));
	ck_assert_str_eq(ids(list.at[0]), "a w_ANY");
	ck_assert(!metric__is_approximate(list.at[0]));
	machine.smt = false;
	metric_list__free(&list);
}
END_TEST

/* A long text is compared with an index of names, a short text with every metric. */
START_TEST(a_long_text_means_what_its_items_mean)
{
	static const char *const items[] = { "tree", "ALONE", "Mem",   "No_group", "semi", "o*",
					     "few",  "inner", "colon", "alone",	   "Odd",  "FREE:u" };
	struct sb text = SB_INIT, want = SB_INIT;
	char *name;

	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) {
		sb__printf(&text, "%s%s", i ? "," : "", items[i]);
		ck_assert_msg(!select_metrics(items[i], false), "%s", err.msg);
		name = strdup(names());
		for (char *rest = name, *word; (word = strsep(&rest, " "));)
			if (!text__has_item(sb__str(&want), " ", word))
				sb__printf(&want, "%s%s", *sb__str(&want) ? " " : "", word);
		free(name);
	}
	ck_assert_msg(!select_metrics(sb__str(&text), false), "%s", err.msg);
	ck_assert_str_eq(names(), sb__str(&want));
	sb__puts(&text, ",alon");
	ck_assert_int_eq(select_metrics(sb__str(&text), false), -ENOENT);
	sb__free(&text);
	sb__free(&want);
}
END_TEST

TMA_TEST_MAIN(metrics_select, names_and_groups_are_found, a_long_text_means_what_its_items_mean,
	      unknown_names_are_errors_with_the_nearest, references_are_followed_to_ids,
	      broken_metrics_are_named, constraints_and_groups_decide_on_grouping,
	      constants_leave_ids_out_as_in_perf, one_thread_of_two_has_half_of_the_counts)
