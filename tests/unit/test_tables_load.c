// SPDX-License-Identifier: GPL-2.0-only
/* Tables that are read at run time: all layouts, and folders without tables. */
#include "json/load.h"
#include "json_fixture.h"
#include "tables/tables.h"

#define CPU "GenuineIntel-6-55-4"

static struct tables *tables;
static struct err err;

static int load(const char *below, const char *cpuid)
{
	char path[192];
	const struct load_options opts = { .path = path, .cpuid = cpuid };

	snprintf(path, sizeof(path), "%s%s%s", top, *below ? "/" : "", below);
	tables = NULL;
	err = (struct err)ERR_INIT;
	return tables__load(&tables, &opts, NULL, &err);
}

/* Load a folder. Return: "model version event,event metric,metric", or the error. */
static const char *loaded(const char *below, const char *cpuid)
{
	struct tables_layer layer;
	struct metric_info m;
	struct event_info e;
	struct sb sb = SB_INIT;
	int rc = load(below, cpuid);

	if (rc) {
		FILE *f = fmemopen(text, sizeof(text), "w");

		ck_assert_int_eq(rc, -err.code);
		ck_assert_ptr_null(tables);
		print_without_top(err.msg, f);
		fclose(f);
		return text;
	}
	tables__layer(tables, 0, &layer);
	sb__printf(&sb, "%s %s", layer.model, layer.version);
	for (int i = 0; i < tables__nr_events(tables); i++) {
		tables__event(tables, i, &e);
		sb__printf(&sb, "%s%s", i ? "," : " ", e.name);
	}
	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &m);
		sb__printf(&sb, "%s%s", i ? "," : " ", m.name);
	}
	snprintf(text, sizeof(text), "%s", sb__str(&sb));
	sb__free(&sb);
	tables__free(tables);
	return text;
}

static void put_kernel(const char *dir)
{
	static const struct {
		const char *file, *content;
	} files[] = {
		{ "mapfile.csv", MAP_HEAD "GenuineIntel-6-55-[01234],v7,skx,core\n"
					  "GenuineIntel-6-97,v8,adl,core\n"
					  "GenuineIntel-6-99,v9,gone,core\n" },
		{ "skx/pipeline.json", "[{\"EventName\":\"SKX.ONE\",\"EventCode\":\"1\"}]" },
		{ "skx/skx-metrics.json", "[{\"MetricName\":\"ipc\",\"MetricExpr\":\"1\"}]" },
		{ "adl/pipeline.json", "[{\"EventName\":\"ADL.ONE\",\"EventCode\":\"1\"}]" },
	};
	char path[128];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s%s", dir, files[i].file);
		put(path, files[i].content);
	}
}

START_TEST(the_kernels_layout)
{
	static const char *const places[] = { "", "pmu-events", "pmu-events/arch",
					      "pmu-events/arch/x86" };

	put_kernel("pmu-events/arch/x86/");
	put("pmu-events/arch/arm64/mapfile.csv",
	    MAP_HEAD "0x00000000410fd490,v1,n2,core\n");
	put("pmu-events/arch/arm64/n2/a.json", "[{\"EventName\":\"N\",\"EventCode\":\"1\"}]");
	for (int i = 1; i < 4; i++)
		ck_assert_str_eq(loaded(places[i], CPU), "skx v7 skx.one ipc");
	ck_assert_str_eq(loaded("pmu-events", "GenuineIntel-6-97-2"), "adl v8 adl.one");
	ck_assert_str_eq(loaded("pmu-events", "0x00000000410fd490"), "n2 v1 n");
}
END_TEST

START_TEST(a_models_own_directory_is_for_any_cpu)
{
	put_kernel("");
	ck_assert_str_eq(loaded("skx", CPU), "skx v7 skx.one ipc");
	ck_assert_str_eq(loaded("skx", "GenuineIntel-6-97-2"), "skx v7 skx.one ipc");
	ck_assert_str_eq(loaded("adl", ""), "adl v8 adl.one");
}
END_TEST

START_TEST(a_mapfile_without_a_heading)
{
	put("mapfile.csv", "GenuineIntel-6-55-[01234],v7,skx,core\n");
	put("skx/a.json", "[{\"EventName\":\"A\",\"EventCode\":\"1\"}]");
	ck_assert_str_eq(loaded("", CPU), "skx v7 a");
}
END_TEST

START_TEST(one_file)
{
	put("mine.json", "[{\"MetricName\":\"x\",\"MetricExpr\":\"1\"},"
			 "{\"EventName\":\"E\",\"EventCode\":\"2\"}]");
	ck_assert_str_eq(loaded("mine.json", CPU), "mine.json  e x");
	put("theirs.json", "{\"Header\":{},\"Events\":[{\"EventName\":\"F\",\"EventCode\":\"2\"}]}");
	ck_assert_str_eq(loaded("theirs.json", CPU), "theirs.json  f");
}
END_TEST

#define PERFMON_EVENTS(name)                                                                      \
	"{\"Header\":{\"Version\":\"1\"},\"Events\":[{\"EventName\":\"" name                      \
	"\",\"EventCode\":\"0x1\",\"UMask\":\"0x2\",\"Counter\":\"0,1\"}]}"

static void put_perfmon(void)
{
	put("mapfile.csv",
	    "Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name\n"
	    "GenuineIntel-6-55-[01234],V1.5,/SKX/events/skx_core.json,core,,,\n"
	    "GenuineIntel-6-55-[01234],V1.5,/SKX/events/skx_matrix.json,offcore,,,\n"
	    "GenuineIntel-6-97,V2,/ADL/events/adl_gracemont_core.json,hybridcore,0x20,0x1,Atom\n"
	    "GenuineIntel-6-97,V2,/ADL/events/adl_goldencove_core.json,hybridcore,0x40,0x1,Core\n");
	put("SKX/events/skx_core.json", PERFMON_EVENTS("SKX.TWO"));
	put("SKX/events/skx_matrix.json", "not read");
	put("ADL/events/adl_gracemont_core.json", PERFMON_EVENTS("ATOM.ONE"));
	put("ADL/events/adl_goldencove_core.json", PERFMON_EVENTS("BIG.ONE"));
}

static void assert_hybrid(const char *below)
{
	ck_assert_int_eq(load(below, "GenuineIntel-6-97-2"), 0);
	ck_assert_int_ge(tables__find_event(tables, "cpu_atom", "atom.one"), 0);
	ck_assert_int_ge(tables__find_event(tables, "cpu_core", "big.one"), 0);
	ck_assert_int_eq(tables__nr_events(tables), 2);
	tables__free(tables);
}

START_TEST(intels_layout)
{
	put_perfmon();
	ck_assert_str_eq(loaded("", CPU), "skx v1.5 skx.two");
	ck_assert_str_eq(loaded("SKX", ""), "skx v1.5 skx.two");
	assert_hybrid("");
	assert_hybrid("ADL");
}
END_TEST

static double mean_latency(const char *pmu, const char *name)
{
	struct event_info event;
	int i = tables__find_event(tables, pmu, name);

	ck_assert_int_ge(i, 0);
	tables__event(tables, i, &event);
	return event.latency.mean;
}

START_TEST(latencies_are_of_their_core_type)
{
	static const char *const rows[] = { "gracemont", "goldencove" };
	static const char *const roles[] = { "Atom", "Core" };
	char map[1024];

	put("ADL/events/adl_gracemont_core.json",
	    "{\"Events\":[{\"EventName\":\"BOTH\",\"EventCode\":\"1\",\"UMask\":\"1\"},"
	    "{\"EventName\":\"SMALL\",\"EventCode\":\"1\",\"UMask\":\"2\"}]}");
	put("ADL/events/adl_goldencove_core.json", PERFMON_EVENTS("BOTH"));
	put("ADL/metrics/adl_gracemont_retire_latency.json", "{\"Data\":{\"BOTH\":{\"MEAN\":2}}}");
	put("ADL/metrics/adl_goldencove_retire_latency.json",
	    "{\"Data\":{\"BOTH\":{\"MEAN\":5},\"SMALL\":{\"MEAN\":7}}}");
	/* The result does not depend on which file is read first. */
	for (int i = 0; i < 2; i++) {
		snprintf(map, sizeof(map), "Family-model,Version,Filename,EventType,Core Type,"
			 "Native Model ID,Core Role Name\n");
		for (int j = 0; j < 4; j++)
			snprintf(map + strlen(map), sizeof(map) - strlen(map),
				 "GenuineIntel-6-97,V2,/ADL/%s/adl_%s_%s.json,%s,,,%s\n",
				 j < 2 ? "events" : "metrics", rows[(i + j) % 2],
				 j < 2 ? "core" : "retire_latency",
				 j < 2 ? "hybridcore" : "retire latency", roles[(i + j) % 2]);
		put("mapfile.csv", map);
		ck_assert_msg(!load("", "GenuineIntel-6-97-2"), "%s", err.msg);
		ck_assert_double_eq(mean_latency("cpu_atom", "both"), 2);
		ck_assert_double_eq(mean_latency("cpu_core", "both"), 5);
		ck_assert_double_eq(mean_latency("cpu_atom", "small"), 0);
		tables__free(tables);
	}
}
END_TEST

START_TEST(a_model_of_intels_layout_without_the_mapfile)
{
	put_perfmon();
	snprintf(text, sizeof(text), "%s/mapfile.csv", top);
	ck_assert_int_eq(unlink(text), 0);
	ck_assert_str_eq(loaded("SKX", CPU), "skx  skx.two");
	assert_hybrid("ADL");
}
END_TEST

START_TEST(missing_tables_are_named)
{
	put_kernel("x86/");
	ck_assert_str_eq(loaded("nothing", CPU), "nothing: No such file or directory");
	ck_assert_str_eq(loaded("x86", "GenuineIntel-6-1-1"),
			 "x86 has no tables for this CPU (GenuineIntel-6-1-1); it has: skx, adl, gone");
	ck_assert_str_eq(loaded("x86", "GenuineIntel-6-55-7"),
			 "x86 has no tables for this CPU (GenuineIntel-6-55-7); it has: skx, adl, gone");
	ck_assert_str_eq(loaded("x86", ""),
			 "x86: the id of this CPU is not known, so name a model's directory: "
			 "skx, adl, gone");
	loaded("x86", "GenuineIntel-6-99-1");
	ck_assert_ptr_nonnull(strstr(text, "x86/mapfile.csv:4: no folder 'gone' with JSON in it"));
	put("empty/readme", "");
	ck_assert_str_eq(loaded("empty", CPU), "empty: no tables: neither it nor its folders have a mapfile.csv, and it has no JSON files; name a model's folder");
	put("none.json", "[]");
	ck_assert_str_eq(loaded("none.json", CPU), "none.json: no events and no metrics in it");
}
END_TEST

START_TEST(intels_mapfile_names_what_it_has)
{
	put_perfmon();
	ck_assert_str_eq(loaded("", "GenuineIntel-6-1-1"),
			 "has no tables for this CPU (GenuineIntel-6-1-1); it has: SKX, ADL");
}
END_TEST

START_TEST(unreadable_elements_have_their_place)
{
	static const struct {
		const char *content, *error;
	} cases[] = {
		{ "[{\"EventName\":\"A\",\n\"EventCode\":", "m.json:1: the file ends" },
		{ "[\n{\"EventName\":\"A\",\"EventCode\":\"x\"}]", "m.json:2: EventCode: 'x'" },
		{ "{", "m.json:" },
		{ "", "m.json:1: " },
		{ "{\"Header\":{}}", "m.json:1: expected an object with an array \"Events\"" },
		{ "{\"Events\":[7]}", "m.json:1: expected an object" },
		{ "{\"Events\":[{\"EventCode\":\"1\"}]}", "m.json:1: an event has no EventName" },
		{ "[{\"MetricName\":\"a\",\"MetricExpr\":\"1 +\"}]",
		  "m.json:1:\nMetricExpr syntax error: '1 +'" },
		{ "[{\"MetricName\":\"a\"}]", "m.json:1: metric 'a' has no MetricExpr" },
		{ "[{\"EventName\":\"A\",\"EventCode\":\"x\"},{\"MetricName\":\"a\"}]",
		  "m.json:1: EventCode: 'x' is not a number (and more)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		put("m.json", cases[i].content);
		loaded("m.json", CPU);
		ck_assert_msg(!strncmp(text, cases[i].error, strlen(cases[i].error)), "%s", text);
		ck_assert_int_eq(err.code, EINVAL);
	}
	put("x86/mapfile.csv", MAP_HEAD "short,row\n");
	ck_assert_str_eq(loaded("x86", CPU), "x86/mapfile.csv:2: expected four columns: pattern, "
					     "version, folder, type");
}
END_TEST

#define INTEL_METRIC(name, event) \
	"{\"MetricName\":\"" name "\",\"Events\":[{\"Name\":\"" event "\",\"Alias\":\"a\"}]," \
	"\"Formula\":\"a\"}"

static int add(const char *file, struct load_options opts)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", top, file);
	opts.path = path;
	opts.cpuid = CPU;
	return tables__load(&tables, &opts, NULL, &err);
}

START_TEST(metrics_of_events_of_the_layers_below)
{
	struct load_options opts = { .path = "" };
	struct tables_layer layer;
	struct metric_info m;

	put("below.json", "[{\"EventName\":\"ONE\",\"EventCode\":\"1\"},"
			  "{\"EventName\":\"UNC\",\"EventCode\":\"1\",\"Unit\":\"CHA\"}]");
	put("x_metrics.json", "{\"Metrics\":[" INTEL_METRIC("m", "ONE:c1") ",\n"
			      INTEL_METRIC("n", "UNC") ",\n" INTEL_METRIC("o", "TWO") "]}");
	ck_assert_int_eq(load("below.json", CPU), 0);
	ck_assert_msg(!add("x_metrics.json", opts), "%s", err.msg);
	tables__metric(tables, tables__find_metric(tables, NULL, "m"), &m);
	ck_assert_str_eq(m.expr, "cpu@ONE\\,cmask\\=1@");
	tables__metric(tables, tables__find_metric(tables, NULL, "n"), &m);
	ck_assert_str_eq(m.expr, "UNC");
	tables__layer(tables, 1, &layer);
	ck_assert_int_eq(layer.warnings, 1);
	ck_assert_ptr_nonnull(strstr(layer.notes, "x_metrics.json:3: metric 'o' is left out: there "
						  "is no event or constant 'TWO'\n"));
	tables__free(tables);
	ck_assert_int_eq(load("x_metrics.json", CPU), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.msg, "x_metrics.json: no events and no metrics in it: "));
	ck_assert_ptr_nonnull(strstr(err.msg, "x_metrics.json:1: metric 'm' is left out: "));
}
END_TEST

START_TEST(skipped_elements_are_counted)
{
	struct tables_layer layer;

	put("a/m.json", "[{\"MetricName\":\"a\",\"MetricExpr\":\"1\",\"MetricConstraint\":\"NEW\"}]");
	ck_assert_int_eq(load("a", CPU), 0);
	tables__layer(tables, 0, &layer);
	ck_assert_int_eq(layer.warnings, 1);
	ck_assert_int_eq(layer.nr_metrics, 1);
	tables__free(tables);
}
END_TEST

START_TEST(an_invalid_threshold_is_dropped)
{
	static const struct {
		const char *threshold, *kept;
	} cases[] = {
		{ "x > 0.5 & (y < 1 | x > 3)", "x > 0.5 & (y < 1 | x > 3)" },
		{ "x > = 0.5", "" },
		{ "x>=0.5", "" },
		{ "x=0.5", "" },
		{ "cpu@x\\\\,cmask\\\\=1@ > 2", "cpu@x\\,cmask\\=1@ > 2" },
		{ "msr@tsc\\\\,cpu=cpu_core@ > 2", "msr@tsc\\,cpu=cpu_core@ > 2" },
		{ "x > (2 & 0.5)", "x > (2 & 0.5)" },
		{ "x >", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tables_layer layer;
		struct metric_info m;
		char json[256];

		snprintf(json, sizeof(json), "[{\"MetricName\":\"a\",\"MetricExpr\":\"x\","
			 "\"MetricThreshold\":\"%s\"}]", cases[i].threshold);
		put("m.json", json);
		ck_assert_msg(!load("m.json", CPU), "%s", err.msg);
		tables__metric(tables, 0, &m);
		ck_assert_str_eq(m.threshold, cases[i].kept);
		tables__layer(tables, 0, &layer);
		ck_assert_int_eq(layer.warnings, !*cases[i].kept);
		tables__free(tables);
	}
}
END_TEST

/* If loading fails, the tables that were loaded before stay. */
START_TEST(a_failure_changes_nothing)
{
	struct tables *before;
	char path[128];
	const struct load_options opts = { .path = path, .cpuid = CPU };

	snprintf(path, sizeof(path), "%s/none", top);
	tables = tables__find_model("skylakex");
	before = tables;
	ck_assert_int_eq(tables__load(&tables, &opts, NULL, NULL), -ENOENT);
	ck_assert_ptr_eq(tables, before);
	ck_assert_int_eq(tables__nr_layers(tables), 1);
	tables__free(tables);
}
END_TEST

START_TEST(definitions_are_metrics)
{
	const struct load_definition list[] = { { "a", "x / y" }, { "b", "a if a > 1 else 0" } };
	struct load_options opts = { .path = "-M", .cpuid = CPU, .definitions = list,
				     .nr_definitions = 2 };
	const struct load_definition bad = { "c", "x / " };
	struct metric_info m;

	tables = NULL;
	err = (struct err)ERR_INIT;
	ck_assert_msg(!tables__load(&tables, &opts, NULL, &err), "%s", err.msg);
	ck_assert_int_eq(tables__nr_metrics(tables), 2);
	tables__metric(tables, tables__find_metric(tables, "default_core", "B"), &m);
	ck_assert_str_eq(m.expr, "(a if a > 1 else 0)");
	opts.definitions = &bad;
	opts.nr_definitions = 1;
	ck_assert_int_eq(tables__load(&tables, &opts, NULL, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "-M: metric 'c':\nMetricExpr syntax error: 'x / '"));
	tables__free(tables);
}
END_TEST

START_TEST(a_definition_twice_is_an_error)
{
	const struct load_definition list[] = { { "a", "x" }, { "b", "y" }, { "A", "z" } };
	struct load_options opts = { .path = "-M", .cpuid = CPU, .definitions = list,
				     .nr_definitions = 3 };

	tables = NULL;
	err = (struct err)ERR_INIT;
	ck_assert_int_eq(tables__load(&tables, &opts, NULL, &err), -EEXIST);
	ck_assert_str_eq(err.msg, "-M: metric 'A': it is defined twice");
	ck_assert_ptr_null(tables);
}
END_TEST

static int place_both(void *arg, struct load_metric *metrics, int nr, struct err *e)
{
	(void)e;
	*(int *)arg = nr;
	ck_assert_ptr_null(metrics[0].pmu);
	if (nr > 1)
		ck_assert_str_eq(metrics[1].pmu, "cpu_core");
	metrics[0].nr_pmus = 2;
	metrics[0].pmus[0] = "cpu_core";
	metrics[0].pmus[1] = "cpu_atom";
	metrics[0].exprs[1] = strdup("other");
	return 0;
}

START_TEST(metrics_without_a_pmu_are_placed)
{
	char path[128];
	int asked = 0;
	struct load_options opts = { .path = path, .cpuid = CPU, .place = place_both,
				     .arg = &asked };
	struct metric_info m;

	snprintf(path, sizeof(path), "%s/m.json", top);
	put("m.json", "[{\"MetricName\":\"a\",\"MetricExpr\":\"x\",\"MetricGroup\":\"G\"},"
		      "{\"MetricName\":\"b\",\"MetricExpr\":\"y\",\"Unit\":\"cpu_core\"},"
		      "{\"MetricName\":\"c\",\"MetricExpr\":\"z\"}]");
	tables = NULL;
	err = (struct err)ERR_INIT;
	ck_assert_msg(!tables__load(&tables, &opts, NULL, &err), "%s", err.msg);
	ck_assert_int_eq(asked, 3);
	ck_assert_int_eq(tables__nr_metrics(tables), 4);
	tables__metric(tables, tables__find_metric(tables, "cpu_core", "a"), &m);
	ck_assert_str_eq(m.expr, "x");
	tables__metric(tables, tables__find_metric(tables, "cpu_atom", "a"), &m);
	ck_assert_str_eq(m.expr, "other");
	ck_assert_str_eq(m.groups, "G");
	ck_assert_int_eq(tables__find_metric(tables, "default_core", "a"), -1);
	ck_assert_int_ge(tables__find_metric(tables, "default_core", "c"), 0);
	tables__free(tables);
}
END_TEST

START_TEST(intels_metrics_are_placed)
{
	int asked = 0;
	struct load_options opts = { .place = place_both, .arg = &asked };
	struct metric_info m;

	put("below.json",
	    "[{\"EventName\":\"ONE\",\"EventCode\":\"1\",\"Unit\":\"cpu_core\"},"
	    "{\"EventName\":\"ONE\",\"EventCode\":\"1\",\"Unit\":\"cpu_atom\"}]");
	put("x_metrics.json", "{\"Metrics\":[" INTEL_METRIC("m", "ONE") "]}");
	ck_assert_int_eq(load("below.json", CPU), 0);
	ck_assert_msg(!add("x_metrics.json", opts), "%s", err.msg);
	ck_assert_int_eq(asked, 1);
	/* The event has no PMU: whoever uses it names one. */
	tables__metric(tables, tables__find_metric(tables, "cpu_core", "m"), &m);
	ck_assert_str_eq(m.expr, "ONE");
	tables__metric(tables, tables__find_metric(tables, "cpu_atom", "m"), &m);
	ck_assert_str_eq(m.expr, "other");
	tables__free(tables);
}
END_TEST

START_TEST(the_first_warnings_are_kept)
{
	struct tables_layer layer;
	struct sb json = SB_INIT;
	int lines = 0;

	sb__puts(&json, "[{\"EventName\":\"A\",\"EventCode\":\"1\"}");
	for (int i = 0; i < LOAD_NOTES_MAX + 3; i++)
		sb__printf(&json, ",{\"MetricName\":\"m%d\",\"MetricExpr\":\"1\","
			   "\"MetricConstraint\":\"NEW\"}", i);
	sb__puts(&json, "]");
	put("m.json", sb__str(&json));
	sb__free(&json);
	ck_assert_int_eq(load("m.json", CPU), 0);
	tables__layer(tables, 0, &layer);
	ck_assert_int_eq(layer.warnings, LOAD_NOTES_MAX + 3);
	for (const char *at = layer.notes; (at = strchr(at, '\n')); at++)
		lines++;
	ck_assert_int_eq(lines, LOAD_NOTES_MAX);
	tables__free(tables);
}
END_TEST

/* The hash depends on the bytes of the files, not on their folder. */
START_TEST(the_hash_tells_files_apart)
{
	struct tables_layer layer;
	uint64_t hashes[3];

	put("a/m.json", "[{\"EventName\":\"A\",\"EventCode\":\"1\"}]");
	put("b/m.json", "[{\"EventName\":\"A\",\"EventCode\":\"1\"}]");
	put("c/m.json", "[{\"EventName\":\"A\",\"EventCode\":\"2\"}]");
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(load((char[]){ 'a' + i, '\0' }, CPU), 0);
		tables__layer(tables, 0, &layer);
		hashes[i] = layer.hash;
		tables__free(tables);
	}
	ck_assert_uint_eq(hashes[0], hashes[1]);
	ck_assert_uint_ne(hashes[0], hashes[2]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		the_kernels_layout,
		a_models_own_directory_is_for_any_cpu,
		a_mapfile_without_a_heading,
		one_file,
		intels_layout,
		latencies_are_of_their_core_type,
		a_model_of_intels_layout_without_the_mapfile,
		missing_tables_are_named,
		intels_mapfile_names_what_it_has,
		unreadable_elements_have_their_place,
		metrics_of_events_of_the_layers_below,
		intels_metrics_are_placed,
		the_first_warnings_are_kept,
		skipped_elements_are_counted,
		an_invalid_threshold_is_dropped,
		a_failure_changes_nothing,
		definitions_are_metrics,
		a_definition_twice_is_an_error,
		metrics_without_a_pmu_are_placed,
		the_hash_tells_files_apart,
	};

	return run_tree_tests("tables_load", tests, sizeof(tests) / sizeof(*tests));
}
