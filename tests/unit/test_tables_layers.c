// SPDX-License-Identifier: GPL-2.0-only
/* Layers of tables: which layers hide others, and lookups of several layers as one table. */
#include <strings.h>

#include "base/suggest.h"
#include "json/load.h"
#include "json_fixture.h"
#include "tables/tables.h"

static struct tables *tables;

/* A layer that consists of one file. */
static void add_with(struct load_options opts, const char *json, const char *core)
{
	static int nr;
	struct err err = ERR_INIT;
	char name[32], path[128];

	snprintf(name, sizeof(name), "layer%d.json", nr++);
	put(name, json);
	snprintf(path, sizeof(path), "%s/%s", top, name);
	opts.path = path;
	ck_assert_msg(!tables__load(&tables, &opts, core, &err), "%s", err.msg);
}

/* A layer of one file. */
static void add(const char *json, const char *core)
{
	add_with((struct load_options){ .cpuid = "" }, json, core);
}

static void begin(const char *json)
{
	tables = NULL;
	add(json, NULL);
}

/* Return: every event as "pmu/name=terms(layer)", and every metric as "pmu/name=expr(layer)". */
static const char *listed(void)
{
	struct sb sb = SB_INIT;
	struct metric_info m;
	struct event_info e;

	for (int i = 0; i < tables__nr_events(tables); i++) {
		tables__event(tables, i, &e);
		ck_assert_int_eq(tables__find_event(tables, e.pmu, e.name), i);
		sb__printf(&sb, "%s/%s=%s(%d) ", e.pmu, e.name, e.terms, e.layer);
	}
	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &m);
		sb__printf(&sb, "%s/%s=%s(%d) ", m.pmu, m.name, m.expr, m.layer);
	}
	snprintf(text, sizeof(text), "%s", sb__str(&sb));
	sb__free(&sb);
	tables__free(tables);
	return text;
}

#define EVENT(name, code) "{\"EventName\":\"" name "\",\"EventCode\":\"" code "\"}"
#define UNIT_EVENT(unit, name, code) \
	"{\"Unit\":\"" unit "\",\"EventName\":\"" name "\",\"EventCode\":\"" code "\"}"
#define METRIC(name, expr) "{\"MetricName\":\"" name "\",\"MetricExpr\":\"" expr "\"}"
#define UNIT_METRIC(unit, name, expr) \
	"{\"Unit\":\"" unit "\",\"MetricName\":\"" name "\",\"MetricExpr\":\"" expr "\"}"

START_TEST(a_later_event_replaces_one_of_its_pmu)
{
	begin("[" EVENT("B", "0x1") "," EVENT("D", "0x2") "," UNIT_EVENT("iMC", "B", "0x3") "]");
	add("[" EVENT("b", "0x4") "," EVENT("A", "0x5") "," EVENT("C", "0x6") "]", NULL);
	add("[" UNIT_EVENT("CHA", "X", "0x7") "," EVENT("c", "0x8") "]", NULL);
	ck_assert_str_eq(listed(), "default_core/a=event=5(1) default_core/b=event=4(1) "
				   "default_core/c=event=8(2) default_core/d=event=2(0) "
				   "uncore_cha/x=event=7(2) uncore_imc/b=event=3(0) ");
}
END_TEST

START_TEST(a_later_metric_hides_all_of_its_name_in_any_case)
{
	begin("[" METRIC("ipc", "1") "," METRIC("ipc", "2") "," METRIC("Zero", "0") ","
	      UNIT_METRIC("cpu_atom", "IPC", "3") "]");
	add("[" METRIC("IPC", "4") "," METRIC("IPC", "5") "," METRIC("one", "1") "]", NULL);
	ck_assert_str_eq(listed(), "cpu_atom/IPC=3(0) default_core/IPC=4(1) default_core/IPC=5(1) "
				   "default_core/Zero=0(0) default_core/one=1(1) ");
}
END_TEST

/* Metrics of the layers below and above it hide its own, also if only the case of names differs. */
START_TEST(a_layer_that_yields_has_what_the_others_lack)
{
	begin("[" METRIC("IPC", "1") "," UNIT_METRIC("cpu_atom", "rate", "2") "]");
	add_with((struct load_options){ .cpuid = "", .yields = true },
		 "[" METRIC("ipc", "3") "," METRIC("rate", "4") "," METRIC("share", "5") ","
		 METRIC("all", "6") "]", NULL);
	add("[" METRIC("share", "7") "]", NULL);
	ck_assert_str_eq(listed(), "cpu_atom/rate=2(0) default_core/IPC=1(0) default_core/all=6(1) "
				   "default_core/rate=4(1) default_core/share=7(2) ");
}
END_TEST

/* A table is sorted by bytes, which is not the order of names without case. */
START_TEST(metrics_are_found_whatever_the_order)
{
	static const char *const names[] = { "ALPHA", "beta", "Gamma", "delta", "EPSILON", "zeta" };
	struct metric_info m;

	begin("[" METRIC("Gamma", "1") "," METRIC("beta", "2") "," METRIC("zeta", "3") "]");
	add("[" METRIC("ALPHA", "4") "," METRIC("EPSILON", "5") "," METRIC("delta", "6") "]", NULL);
	ck_assert_int_eq(tables__nr_metrics(tables), 6);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char other[16];
		int found;

		snprintf(other, sizeof(other), "%s", names[i]);
		for (char *c = other; *c; c++)
			*c ^= 0x20;
		found = tables__find_metric(tables, NULL, other);
		ck_assert_msg(found >= 0, "%s", other);
		tables__metric(tables, found, &m);
		ck_assert_str_eq(m.name, names[i]);
		ck_assert_int_eq(tables__find_metric(tables, "cpu_core", names[i]), -1);
	}
	ck_assert_int_eq(tables__find_metric(tables, NULL, "alph"), -1);
	ck_assert_str_eq(listed(), "default_core/ALPHA=4(1) default_core/EPSILON=5(1) "
				   "default_core/Gamma=1(0) default_core/beta=2(0) "
				   "default_core/delta=6(1) default_core/zeta=3(0) ");
}
END_TEST

START_TEST(the_core_has_another_name)
{
	begin("[" UNIT_EVENT("iMC", "U", "0x1") "]");
	add("[" EVENT("A", "0x1") "," UNIT_EVENT("iMC", "V", "0x2") "," METRIC("m", "1") "]", "big");
	add("[" EVENT("A", "0x3") "]", "little");
	ck_assert_int_eq(tables__find_event(tables, "default_core", "a"), -1);
	ck_assert_str_eq(listed(), "big/a=event=1(1) little/a=event=3(2) uncore_imc/u=event=1(0) "
				   "uncore_imc/v=event=2(1) big/m=1(1) ");
}
END_TEST

#define GROUP_METRIC(name, groups) \
	"{\"MetricName\":\"" name "\",\"MetricExpr\":\"1\",\"MetricGroup\":\"" groups "\"}"

static const char *groups(void)
{
	struct sb sb = SB_INIT;

	for (int i = 0; i < tables__nr_groups(tables); i++)
		sb__printf(&sb, "%s:%s ", tables__group(tables, i),
			   tables__group_desc(tables, tables__group(tables, i)));
	snprintf(text, sizeof(text), "%s", sb__str(&sb));
	sb__free(&sb);
	return text;
}

START_TEST(groups_are_those_of_the_metrics_seen)
{
	struct err err = ERR_INIT;
	char path[128];
	const struct load_options opts = { .path = path, .cpuid = "" };

	tables = NULL;
	put("base/m.json", "[" GROUP_METRIC("a", "Old;Both") "," GROUP_METRIC("b", "Kept") "]");
	put("base/metricgroups.json", "{\"Old\":\"old\",\"Both\":\"first\",\"Kept\":\"kept\"}");
	put("more/m.json", "[" GROUP_METRIC("A", "both;Both;New") "]");
	put("more/metricgroups.json", "{\"Both\":\"second\"}");
	snprintf(path, sizeof(path), "%s/base", top);
	ck_assert_int_eq(tables__load(&tables, &opts, NULL, &err), 0);
	ck_assert_str_eq(groups(), "Both:first Kept:kept Old:old ");
	snprintf(path, sizeof(path), "%s/more", top);
	ck_assert_int_eq(tables__load(&tables, &opts, NULL, &err), 0);
	groups();
	ck_assert_ptr_nonnull(strstr(text, "Both:second "));
	ck_assert_ptr_nonnull(strstr(text, "Kept:kept "));
	ck_assert_ptr_nonnull(strstr(text, "New: "));
	ck_assert_ptr_null(strstr(text, "Old"));
	tables__free(tables);
}
END_TEST

START_TEST(counters_are_those_of_the_topmost_that_knows)
{
	int general = -1, fixed = -1;

	begin("[{\"Unit\":\"core\",\"CountersNumFixed\":\"3\",\"CountersNumGeneric\":\"4\"},"
	      "{\"Unit\":\"iMC\",\"CountersNumFixed\":\"1\",\"CountersNumGeneric\":\"5\"},"
	      EVENT("A", "1") "]");
	add("[{\"Unit\":\"core\",\"CountersNumFixed\":\"4\",\"CountersNumGeneric\":\"8\"},"
	    EVENT("B", "1") "]", NULL);
	ck_assert(tables__counters(tables, "default_core", &general, &fixed));
	ck_assert_int_eq(general, 8);
	ck_assert_int_eq(fixed, 4);
	ck_assert(tables__counters(tables, "uncore_imc", &general, &fixed));
	ck_assert_int_eq(general, 5);
	ck_assert(!tables__counters(tables, "uncore_cha", &general, &fixed));
	tables__free(tables);
}
END_TEST

#define INTEL_EVENT(counter) \
	"{\"Events\":[{\"EventName\":\"A\",\"EventCode\":\"1\",\"UMask\":\"1\",\"Counter\":\"" \
	counter "\"}]}"

START_TEST(counters_that_events_name_are_some_of_them)
{
	int general, fixed;

	begin(INTEL_EVENT("0,1,2,3"));
	add(INTEL_EVENT("0,1"), NULL);
	ck_assert(tables__counters(tables, "default_core", &general, &fixed));
	ck_assert_int_eq(general, 4);
	tables__free(tables);
	begin("[{\"Unit\":\"core\",\"CountersNumFixed\":\"3\",\"CountersNumGeneric\":\"8\"},"
	      EVENT("A", "1") "]");
	add(INTEL_EVENT("0,1"), NULL);
	ck_assert(tables__counters(tables, "default_core", &general, &fixed));
	ck_assert_int_eq(general, 8);
	ck_assert_int_eq(fixed, 3);
	tables__free(tables);
}
END_TEST

START_TEST(each_layer_tells_where_it_came_from)
{
	struct tables_layer base, top_layer;
	struct err err = ERR_INIT;
	char path[128];
	const struct load_options opts = { .path = path, .cpuid = "" };

	snprintf(path, sizeof(path), "%s/mine.json", top);
	put("mine.json", "[" EVENT("inst_retired.any", "0xff") "," METRIC("x", "1") "]");
	tables = tables__find_model("skylakex");
	ck_assert_int_eq(tables__nr_layers(tables), 1);
	ck_assert_int_eq(tables__load(&tables, &opts, NULL, &err), 0);
	ck_assert_int_eq(tables__nr_layers(tables), 2);
	ck_assert_str_eq(tables__model(tables), "skylakex");

	tables__layer(tables, 0, &base);
	ck_assert_str_eq(base.origin, "built in");
	ck_assert_str_eq(base.model, "skylakex");
	ck_assert_int_eq(strncmp(base.version, "v1.3", 4), 0); /* 35 in Linux 6.12, 37 in 7.3 */
	ck_assert_uint_ne(base.hash, 0);
	tables__layer(tables, 1, &top_layer);
	ck_assert_str_eq(top_layer.origin, path);
	ck_assert_str_eq(top_layer.model, "mine.json");
	ck_assert_str_eq(top_layer.version, "");
	ck_assert_int_eq(top_layer.nr_events, 1);
	ck_assert_int_eq(top_layer.nr_metrics, 1);
	ck_assert_uint_ne(top_layer.hash, base.hash);
	/* One of the events existed before. */
	ck_assert_int_eq(tables__nr_events(tables), base.nr_events);
	ck_assert_int_eq(tables__nr_metrics(tables), base.nr_metrics + 1);
	tables__free(tables);
}
END_TEST

/* Every model under a layer of one event has the same records in the same order, found the other
 * way. */
START_TEST(merged_records_are_in_table_order)
{
	struct tables *plain;
	struct event_info e, f;
	struct metric_info m, n;

	plain = tables__find_model(tables__model_name(_i));
	tables = tables__find_model(tables__model_name(_i));
	add("[" UNIT_EVENT("zz", "zz", "1") "]", NULL);
	ck_assert_int_eq(tables__nr_events(tables), tables__nr_events(plain) + 1);
	for (int i = 0; i < tables__nr_events(plain); i++) {
		tables__event(plain, i, &e);
		tables__event(tables, i, &f);
		ck_assert_str_eq(e.name, f.name);
		ck_assert_str_eq(e.pmu, f.pmu);
		ck_assert_int_eq(tables__find_event(tables, f.pmu, f.name), i);
	}
	ck_assert_int_eq(tables__nr_metrics(tables), tables__nr_metrics(plain));
	for (int i = 0; i < tables__nr_metrics(plain); i++) {
		tables__metric(plain, i, &m);
		tables__metric(tables, i, &n);
		ck_assert_str_eq(m.name, n.name);
		ck_assert_str_eq(m.expr, n.expr);
		ck_assert_int_eq(tables__find_metric(tables, n.pmu, n.name),
				 tables__find_metric(plain, m.pmu, m.name));
	}
	ck_assert_int_eq(tables__nr_groups(tables), tables__nr_groups(plain));
	for (int i = 0; i < tables__nr_groups(plain); i++)
		ck_assert_int_eq(strcasecmp(tables__group(tables, i), tables__group(plain, i)), 0);
	tables__free(plain);
	tables__free(tables);
}
END_TEST

START_TEST(suggestions_come_from_all_layers)
{
	struct sb sb = SB_INIT;
	struct suggest s;

	begin("[" METRIC("tma_retiring", "1") "]");
	add("[" METRIC("my_retiring", "1") "]", NULL);
	suggest__init(&s, "my_retirin");
	tables__suggest(tables, true, &s);
	suggest__print(&s, &sb);
	ck_assert_ptr_nonnull(strstr(sb__str(&sb), "'my_retiring'"));
	sb__free(&sb);
	tables__free(tables);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_later_event_replaces_one_of_its_pmu,
		a_later_metric_hides_all_of_its_name_in_any_case,
		a_layer_that_yields_has_what_the_others_lack,
		metrics_are_found_whatever_the_order,
		the_core_has_another_name,
		groups_are_those_of_the_metrics_seen,
		counters_are_those_of_the_topmost_that_knows,
		counters_that_events_name_are_some_of_them,
		each_layer_tells_where_it_came_from,
		suggestions_come_from_all_layers,
	};
	Suite *suite = suite_create("tables_layers");
	TCase *tcase = tcase_create("layers"), *models = tcase_create("models");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, make_top, remove_top);
	tcase_add_checked_fixture(models, make_top, remove_top);
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		tcase_add_test(tcase, tests[i]);
	tcase_add_loop_test(models, merged_records_are_in_table_order, 0, tables__nr_models());
	tcase_set_timeout(models, UNIT_TIMEOUT_S);
	suite_add_tcase(suite, tcase);
	suite_add_tcase(suite, models);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
