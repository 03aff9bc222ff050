// SPDX-License-Identifier: GPL-2.0-only
/* Intel's own format of events and metrics, from which files in the kernel's format are made. */
#include "json/mapfile.h"
#include "json/perfmon.h"
#include "json_fixture.h"

static struct perfmon_files files;

/* Warnings precede the dump. */
static void warn(void *f, enum tree_problem problem, const char *file, int line, const char *msg)
{
	if (problem != TREE_NOTE)
		print_problem(f, problem, file, line, msg);
}

/* Return: the files in @files in the kernel's format, as text; @files are released. */
static const char *converted(void)
{
	struct build build = { .tree = NULL };
	struct table_data data;
	struct err err = ERR_INIT;
	struct tree tree;
	FILE *f = fmemopen(text, sizeof(text), "w");
	const struct tree_options opts = { .tolerant = true, .report = warn, .arg = f };
	int rc;

	tree__begin(&tree, &opts);
	rc = perfmon__read(&tree, &files, NULL, &err);
	/* The dump has a line for each CPU of a model. */
	if (!rc)
		rc = vec__push(&tree.map, ((struct tree_row){ .pattern = 0, .model = 0 }));
	rc = tree__end(&tree, rc, &err);
	if (!rc)
		rc = build__tables(&build, &tree, &err);
	ck_assert_msg(!rc, "%s", err.msg);
	build__data(&build, "x86", &data);
	write__dump(&data, f);
	fputc('\0', f);
	ck_assert_int_eq(fclose(f), 0);
	build__free(&build);
	tree__free(&tree);
	perfmon_files__free(&files);
	return text;
}

static void add_row(const char *path, const char *type, const char *role)
{
	char *const cols[MAPFILE_COLS] = { [MAP_VERSION] = "V1", [MAP_FOLDER] = (char *)path,
					   [MAP_TYPE] = (char *)type, [MAP_ROLE] = (char *)role };
	struct err err = ERR_INIT;

	ck_assert_msg(!perfmon_files__add_row(&files, top, cols, &err), "%s", err.msg);
}

/* Return: the line of an event or metric in the dump, without the description. */
static const char *line_of(const char *kind, const char *name)
{
	static char line[4096];
	char sought[128];
	char *at, *end;

	snprintf(sought, sizeof(sought), "\t%s\t", name);
	for (at = text; (at = strstr(at, sought)); at++) {
		char *start = at;

		while (start > text && start[-1] != '\n')
			start--;
		if (strncmp(start, kind, strlen(kind)))
			continue;
		end = strchr(at, '\n');
		snprintf(line, sizeof(line), "%.*s", (int)(end - start), start);
		return line;
	}
	return "";
}

static void assert_has(const char *kind, const char *name, const char *part)
{
	const char *line = line_of(kind, name);

	ck_assert_msg(strstr(line, part), "%s: '%s' is not in: %s", name, part, *line ? line : text);
}

#define EVENTS(list) "{\"Header\":{},\"Events\":[" list "]}"

/* Put an event that has some fields in addition to those of every event. */
static const char *event_line(const char *folder, const char *type, const char *fields)
{
	char path[64], json[2048];

	files = (struct perfmon_files){ .model = NULL };
	snprintf(path, sizeof(path), "%s/events/x_core.json", folder);
	snprintf(json, sizeof(json),
		 EVENTS("{\"EventName\":\"EV\",\"EventCode\":\"0x10\",\"UMask\":\"0x02\","
			"\"Errata\":\"null\",\"MSRIndex\":\"0x00\","
			"\"MSRValue\":\"0x00\",\"Data_LA\":\"0\",\"PEBS\":\"0\","
			"\"BriefDescription\":\"Text\",\"PublicDescription\":\"Text\"%s%s}"),
		 *fields ? "," : "", fields);
	put(path, json);
	snprintf(path, sizeof(path), "/%s/events/x_core.json", folder);
	add_row(path, type, NULL);
	converted();
	return line_of("event", strstr(fields, "EventName") ? "" : "ev");
}

START_TEST(fields_without_a_value_are_removed)
{
	ck_assert_str_eq(event_line("GNR", "core", "\"Filter\":\"na\",\"Counter\":\"0,1\""),
			 "event\tdefault_core\tev\tpipeline\tevent=0x10,umask=2\t\t0\t0\t\tText\t");
}
END_TEST

START_TEST(encodings_of_uncore_events)
{
	static const struct {
		const char *folder, *fields, *start;
	} cases[] = {
		{ "GNR", "\"Unit\":\"CHA\",\"UMaskExt\":\"0x00C001FF\"",
		  "event\tuncore_cha\tev\tuncore cache\tevent=0x10,umask=0xc001ff02\t\t0\t1" },
		{ "SKX", "\"Unit\":\"IIO\",\"UMaskExt\":\"0x0007\",\"PortMask\":\"0x01\","
			 "\"FCMask\":\"0x07\"",
		  "event\tuncore_iio\tev\tuncore io\tevent=0x10,ch_mask=1,fc_mask=7,umask=2\t\t0\t1" },
		{ "SPR", "\"Unit\":\"iMC\",\"Counter\":\"FIXED\"",
		  "event\tuncore_imc\tev\tuncore memory\tevent=0xff\t\t0\t1" },
		{ "SKL", "\"Unit\":\"CBO\"",
		  "event\tuncore_cbox\tev\tuncore cache\tevent=0x10,umask=2\t\t0\t1" },
		{ "HSX", "\"Unit\":\"QPI LL\",\"ExtSel\":\"1\"",
		  "event\tuncore_qpi\tev\tuncore interconnect\tevent=0x110,umask=2\t\t0\t1" },
		{ "IVT", "\"Unit\":\"PCU\",\"ExtSel\":\"1\",\"Filter\":\"PCUFilter[7:0]\"",
		  "event\tuncore_pcu\tev\tuncore power\tevent=0x10,umask=2\t\t0\t1" },
		{ "SNR", "\"Unit\":\"CHA\",\"Filter\":\"Filter1\",\"FILTER_VALUE\":\"0x40433\"",
		  "event\tuncore_cha\tev\tuncore cache\tevent=0x10,umask=2,config1=0x40433\t" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *line = event_line(cases[i].folder, "uncore", cases[i].fields);

		ck_assert_msg(!strncmp(line, cases[i].start, strlen(cases[i].start)), "%s\n%s", line,
			      cases[i].start);
	}
}
END_TEST

START_TEST(events_that_the_kernel_cannot_count_are_left_out)
{
	ck_assert_str_eq(event_line("HSX", "uncore",
				    "\"Unit\":\"HA\",\"Filter\":\"HA_AddrMatch0[31:6]\""),
			 "");
	ck_assert_str_eq(event_line("HSX", "uncore", "\"Unit\":\"PCU\",\"CounterType\":\"FREERUN\""),
			 "");
}
END_TEST

START_TEST(names_and_free_running_counters)
{
	files = (struct perfmon_files){ .model = NULL };
	put("ICX/events/x_uncore.json",
	    EVENTS("{\"EventName\":\"UNC_IIO_BANDWIDTH_IN.PART3_FREERUN\",\"EventCode\":\"0x0\","
		   "\"UMask\":\"0x0\",\"Unit\":\"IIO\",\"CounterType\":\"FREERUN\"},"
		   "{\"EventName\":\"UNC_MC0_RDCAS_COUNT_FREERUN\",\"EventCode\":\"0x0\","
		   "\"UMask\":\"0x0\",\"Unit\":\"iMC\",\"CounterType\":\"FREERUN\"},"
		   "{\"EventName\":\"OFFCORE_RESPONSE:request=ALL:response=ANY\","
		   "\"EventCode\":\"0xB7,0xBB\",\"UMask\":\"0x1,0x1\","
		   "\"MSRIndex\":\"0x1a6,0x1a7\",\"MSRValue\":\"0x10 \"},"
		   "{\"EventName\":\"TWICE\",\"EventCode\":\"0x1\",\"UMask\":\"0x1\"},"
		   "{\"EventName\":\"TWICE\",\"EventCode\":\"0x2\",\"UMask\":\"0x1\"}"));
	add_row("/ICX/events/x_uncore.json", "uncore", NULL);
	converted();
	assert_has("event", "unc_iio_bandwidth_in.part3_freerun",
		   "uncore_iio_free_running\tunc_iio_bandwidth_in.part3_freerun\tuncore io\t"
		   "event=0xff,umask=0x23");
	assert_has("event", "unc_mc0_rdcas_count_freerun",
		   "uncore_imc_free_running_0\tunc_mc0_rdcas_count_freerun\tuncore memory\t"
		   "event=0xff,umask=0x20");
	assert_has("event", "offcore_response.all.any", "event=0xb7,umask=1,offcore_rsp=0x10\t");
	assert_has("event", "twice", "event=1,");
}
END_TEST

#define METRICS(list) "{\"Header\":{},\"Metrics\":[" list "]}"
#define METRIC(name, category, unit, more)                                                        \
	"{\"MetricName\":\"" name "\",\"LegacyName\":\"metric_" name "(%)\",\"Level\":1,"         \
	"\"Category\":\"" category "\",\"UnitOfMeasure\":\"" unit                                 \
	"\",\"BriefDescription\":\"First. Second.\"," more "}"
#define USES(list) "\"Events\":[" list "],"
#define NAMED(alias, name) "{\"Name\":\"" name "\",\"Alias\":\"" alias "\"}"

static void put_model(const char *metrics)
{
	files = (struct perfmon_files){ .model = NULL };
	put("GNR/events/gnr_core.json",
	    EVENTS("{\"EventName\":\"INST_RETIRED.ANY\",\"EventCode\":\"0\",\"UMask\":\"0x1\"},"
		   "{\"EventName\":\"UOPS.MS\",\"EventCode\":\"0x9\",\"UMask\":\"0x1\"},"
		   "{\"EventName\":\"MISS\",\"EventCode\":\"0x5\",\"UMask\":\"0x1\"}"));
	put("GNR/events/gnr_uncore.json",
	    EVENTS("{\"EventName\":\"UNC_CHA_CLOCKTICKS\",\"EventCode\":\"0\",\"UMask\":\"0x0\","
		   "\"Unit\":\"CHA\"}"));
	put("GNR/metrics/gnr_retire_latency.json",
	    "{\"Platform\":{},\"Data\":{\"MISS\":{\"MIN\":1,\"MAX\":99,\"MEAN\":2.5},"
	    "\"UNKNOWN\":{\"MEAN\":1}}}");
	put("GNR/metrics/gnr_metrics.json", metrics);
	/* Rows can be in any order. */
	add_row("/GNR/metrics/gnr_metrics.json", "metrics", NULL);
	add_row("/GNR/metrics/gnr_retire_latency.json", "retire latency", NULL);
	add_row("/GNR/events/gnr_uncore.json", "uncore", NULL);
	add_row("/GNR/events/gnr_core.json", "core", NULL);
}

START_TEST(letters_become_events_and_constants)
{
	put_model(METRICS(
		METRIC("plain", "", "percent",
		       USES(NAMED("a", "INST_RETIRED.ANY") "," NAMED("a_b", "UOPS.MS:c1:e1"))
		       "\"Constants\":[" NAMED("c", "HYPERTHREADING_ON") "],"
		       "\"Formula\":\"100 * (a / a_b) if c > 0 else A\"") ","
		METRIC("times", "", "GHz",
		       USES(NAMED("a", "UNC_CHA_CLOCKTICKS") "," NAMED("t", "TSC"))
		       "\"Constants\":[" NAMED("n", "CHAS_PER_SOCKET") "," NAMED("s", "SOCKET_COUNT")
		       "," NAMED("k", "20") "],"
		       "\"Formula\":\"k * a / (n * s) / DURATIONTIMEINSECONDS / t\"") ","
		METRIC("units", "", "",
		       USES(NAMED("a", "UNC_CHA_CLOCKTICKS") ","
			    NAMED("b", "UNC_CHA_CLOCKTICKS:one_unit") ","
			    NAMED("d", "UNC_CHA_CLOCKTICKS:filter1=0x12:c3"))
		       "\"Formula\":\"a[0] + b + d\"") ","
		METRIC("user", "", "", USES(NAMED("a", "MISS:USER") "," NAMED("b", "MISS:SUP:c2"))
		       "\"Formula\":\"a + b\"")));
	converted();
	assert_has("metric", "plain",
		   "INST_RETIRED.ANY / cpu@UOPS.MS\\\\,cmask\\\\=1\\\\,edge\\\\=1@ if #SMT_on > 0 "
		   "else INST_RETIRED.ANY");
	assert_has("metric", "plain", "\t100%\t");
	assert_has("metric", "plain", "\tFirst\tFirst. Second");
	assert_has("metric", "times",
		   "20 * UNC_CHA_CLOCKTICKS / (source_count(UNC_CHA_CLOCKTICKS) * #num_packages) / "
		   "duration_time / msr@tsc@");
	assert_has("metric", "times", "\t1GHz\t");
	assert_has("metric", "units",
		   "uncore_cha_0@UNC_CHA_CLOCKTICKS@ + uncore_cha_0@UNC_CHA_CLOCKTICKS@ + "
		   "uncore_cha@UNC_CHA_CLOCKTICKS\\\\,config1\\\\=0x12\\\\,thresh\\\\=3@");
	assert_has("metric", "user", "MISS:u + cpu@MISS\\\\,cmask\\\\=2@k");
}
END_TEST

START_TEST(metrics_of_the_tree)
{
	put_model(METRICS(
		METRIC("Front_Bound", "TMA", "percent",
		       "\"MetricGroup\":\"BvFB;TmaL1\",\"LocateWith\":\"MISS;UOPS.MS\","
		       "\"Formula\":\"100 * x\","
		       "\"BaseFormula\":\"perf_metrics.fetch_latency / tma_info_slots\","
		       "\"Threshold\":{\"ThresholdMetrics\":["
		       "{\"Alias\":\"a\",\"Value\":\"metric_Front_Bound(%)\"},"
		       "{\"Alias\":\"b\",\"Value\":\"metric_Info_Slots(%)\"}],"
		       "\"Formula\":\"( a > 15 ) & ( b < 6 * 2 )\",\"ThresholdIssues\":\"$issueA, ~overlap\"}")
		","
		METRIC("Info_Slots", "TMA", "",
		       "\"MetricGroup\":\"TmaL1;Summary\","
		       "\"Formula\":\"a\",\"BaseFormula\":\"topdown.slots:perf_metrics\"") ","
		METRIC("Late", "TMA", "percent",
		       "\"ParentCategory\":\"Front_Bound\",\"Formula\":\"100 * x\",\"BaseFormula\":"
		       "\"miss * miss:retire_latency if ( miss:retire_latency >= 0 ) else miss\","
		       "\"Threshold\":{\"Formula\":\"metric_TMA_....Late(%) >0.05 && "
		       "metric_TMA_Front_Bound(%) >0.20\"}")));
	converted();
	assert_has("metric", "tma_front_bound",
		   "topdown\\\\-fetch\\\\-lat / tma_info_slots\t(tma_front_bound > 0.15) & "
		   "(tma_info_slots < 6 * 2)\t100%");
	assert_has("metric", "tma_front_bound",
		   "\tBvFB;TmaL1;TopdownL1;tma_L1_group;Default;tma_issueA\t");
	assert_has("metric", "tma_front_bound", "TopdownL1;Default\tTopdownL1\t");
	assert_has("metric", "tma_front_bound", "First. Second. Sample with: MISS, UOPS.MS");
	/* The node is shown with level 1, but does not belong to it. */
	assert_has("metric", "tma_info_slots", "\tTmaL1;Summary;tma_L1_group\tslots\t");
	assert_has("metric", "tma_late",
		   "(MISS * MISS:R if 1 - (MISS:R < 0) else MISS)\ttma_late > 0.05 & "
		   "tma_front_bound > 0.2\t");
	assert_has("metric", "tma_late", "tma_front_bound_group");
}
END_TEST

START_TEST(thresholds_name_metrics_before_and_after)
{
#define MARKED(name, threshold)                                                                   \
	METRIC(name, "TMA", "percent",                                                            \
	       "\"Formula\":\"100 * x\",\"BaseFormula\":\"miss\",\"Threshold\":{"                 \
	       "\"ThresholdMetrics\":[{\"Alias\":\"a\",\"Value\":\"metric_First(%)\"},"            \
	       "{\"Alias\":\"b\",\"Value\":\"metric_Last(%)\"}],\"Formula\":\"" threshold "\"}")
	put_model(METRICS(MARKED("First", "a > 10 & b > 20") "," MARKED("Between", "a > 30") ","
			  MARKED("Last", "b > 5 & a > 15")));
	converted();
	assert_has("metric", "tma_first", "\ttma_first > 0.1 & tma_last > 0.2\t");
	assert_has("metric", "tma_between", "\ttma_first > 0.3\t");
	assert_has("metric", "tma_last", "\ttma_last > 0.05 & tma_first > 0.15\t");
	ck_assert_ptr_null(strstr(text, "warning"));
#undef MARKED
}
END_TEST

/* Put metrics, with the formula in place of '@'. */
static void put_with(const char *metrics, const char *formula)
{
	const char *at = strchr(metrics, '@');
	char made[1024];

	snprintf(made, sizeof(made), "%.*s%s%s", (int)(at - metrics), metrics, formula, at + 1);
	put_model(made);
}

START_TEST(or_equal_takes_its_whole_sides)
{
	static const struct {
		const char *formula, *expr;
	} cases[] = {
		{ "2 * a >= b", "1 - (2 * MISS < UOPS.MS)" },
		{ "b + 2 * a>=b", "1 - (UOPS.MS + 2 * MISS < UOPS.MS)" },
		{ "(a + b) >= 3", "1 - (MISS + UOPS.MS < 3)" },
		{ "2 * (a >= b)", "2 * (1 - (MISS < UOPS.MS))" },
		{ "max( a , b ) >= 3", "1 - (max(MISS, UOPS.MS) < 3)" },
		{ "a >= b + 3", "1 - (MISS < UOPS.MS + 3)" },
		{ "a <= b", "1 - (MISS > UOPS.MS)" },
		{ "max( a >= 2 , b <= 3 )", "max(1 - (MISS < 2), 1 - (UOPS.MS > 3))" },
		{ "a if a > = 1 else b", "MISS if 1 - (MISS < 1) else UOPS.MS" },
		{ "a if b else a >= c", "(MISS if UOPS.MS else 1 - (MISS < "
					"cpu@MISS\\\\,cmask\\\\=1@))" },
		{ "c >= 1 if c <= 2 else c", "(1 - (cpu@MISS\\\\,cmask\\\\=1@ < 1) if "
					     "1 - (cpu@MISS\\\\,cmask\\\\=1@ > 2) else" },
		{ "a >= ", "metric 'm' is left out: nothing behind '>='" },
		{ "( <= a )", "metric 'm' is left out: nothing before '<='" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		put_with(METRICS(METRIC("m", "", "", USES(NAMED("a", "MISS") "," NAMED("b", "UOPS.MS")
							  "," NAMED("c", "MISS:c1"))
					"\"Formula\":\"@\"")), cases[i].formula);
		converted();
		ck_assert_msg(strstr(text, cases[i].expr), "%s: not '%s': %s", cases[i].formula,
			      cases[i].expr, text);
	}
}
END_TEST

START_TEST(or_equal_in_thresholds)
{
	static const struct {
		const char *formula, *threshold;
	} cases[] = {
		{ "x >= 0.5", "\t(1 - (x < 0.5))\t" },
		{ "x >= 5 & y <= 2 | z > 1", "\t(1 - (x < 5)) & (1 - (y > 2)) | z > 1\t" },
		{ "( 2 * x > = 3 ) && y > 1", "\t((1 - (2 * x < 3))) & y > 1\t" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		put_with(METRICS(METRIC("m", "", "", "\"Formula\":\"1 + tma_x\","
					"\"Threshold\":{\"Formula\":\"@\"}")), cases[i].formula);
		converted();
		assert_has("metric", "m", cases[i].threshold);
	}
}
END_TEST

START_TEST(a_metric_with_an_unknown_event_is_left_out)
{
	put_model(METRICS(METRIC("good", "", "", USES(NAMED("a", "MISS")) "\"Formula\":\"a\"") ","
			  METRIC("bad", "", "", USES(NAMED("a", "NO.SUCH")) "\"Formula\":\"a\"") ","
			  METRIC("worse", "", "", USES(NAMED("a", "MISS:zz9")) "\"Formula\":\"a\"")
			  "," METRIC("syntax", "", "", USES(NAMED("a", "MISS"))
				     "\"Formula\":\"a / \"") ","
			  METRIC("empty", "", "", "\"Events\":[]")));
	converted();
	assert_has("metric", "good", "\tMISS\t");
	ck_assert_ptr_nonnull(strstr(text, "warning: GNR/metrics/gnr_metrics.json:1: metric 'bad' "
					   "is left out: there is no event or constant 'NO.SUCH'"));
	ck_assert_ptr_nonnull(strstr(text, "metric 'worse' is left out: event MISS: option 'zz9'"));
	ck_assert_ptr_nonnull(strstr(text, "metric 'syntax' is left out:\nMetricExpr syntax error"));
	ck_assert_ptr_nonnull(strstr(text, "metric 'empty' is left out: it has no Formula"));
	ck_assert_str_eq(line_of("metric", "bad"), "");
}
END_TEST

START_TEST(hybrid_names_have_their_pmu)
{
	files = (struct perfmon_files){ .model = NULL };
	put("ADL/events/adl_mont_core.json",
	    EVENTS("{\"EventName\":\"BOTH\",\"EventCode\":\"0x1\",\"UMask\":\"0x1\"}"));
	put("ADL/events/adl_cove_core.json",
	    EVENTS("{\"EventName\":\"BOTH\",\"EventCode\":\"0x2\",\"UMask\":\"0x1\"}"));
	put("ADL/metrics/adl_metrics_cove_core.json",
	    METRICS(METRIC("m", "", "",
			   USES(NAMED("a", "BOTH") "," NAMED("b", "BOTH:USER") "," NAMED("c", "BOTH:c1") ","
				NAMED("t", "TSC") "," NAMED("r", "PERF_METRICS.RETIRING"))
			   "\"Formula\":\"a + b + c + t + r\"")));
	add_row("/ADL/events/adl_mont_core.json", "hybridcore", "Atom");
	add_row("/ADL/events/adl_cove_core.json", "hybridcore", "Core");
	add_row("/ADL/metrics/adl_metrics_cove_core.json", "metrics", "Core");
	converted();
	assert_has("event\tcpu_atom", "both", "event=1,umask=1");
	assert_has("event\tcpu_core", "both", "event=2,umask=1");
	assert_has("metric\tcpu_core", "m",
		   "cpu_core@BOTH@ + cpu_core@BOTH@u + cpu_core@BOTH\\\\,cmask\\\\=1@ + "
		   "msr@tsc\\\\,cpu\\\\=cpu_core@ + cpu_core@topdown\\\\-retiring@ + "
		   "0 * cpu_core@slots@");
}
END_TEST

START_TEST(each_metric_has_its_line)
{
	put_model("{\"Header\":{},\n\"Metrics\":[\n" METRIC("m", "", "", "\n\"Formula\":\"a\"")
		  ",\n" METRIC("n", "", "", "\"Formula\":\"1\"") ",\n"
		  METRIC("o", "", "", "\"Formula\":\"b\"") "]}");
	converted();
	ck_assert_ptr_nonnull(strstr(text, "gnr_metrics.json:3: metric 'm' is left out"));
	ck_assert_ptr_nonnull(strstr(text, "gnr_metrics.json:6: metric 'o' is left out"));
	assert_has("metric", "n", "\t1\t");
}
END_TEST

START_TEST(an_unknown_role_is_an_error)
{
	char *const cols[MAPFILE_COLS] = { [MAP_VERSION] = "V1",
					   [MAP_FOLDER] = "/X/events/x_core.json",
					   [MAP_TYPE] = "hybridcore", [MAP_ROLE] = "Moon" };
	struct err err = ERR_INIT;

	files = (struct perfmon_files){ .model = NULL };
	ck_assert_int_eq(perfmon_files__add_row(&files, top, cols, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "core role 'Moon' is not known");
	perfmon_files__free(&files);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		fields_without_a_value_are_removed,
		encodings_of_uncore_events,
		events_that_the_kernel_cannot_count_are_left_out,
		names_and_free_running_counters,
		letters_become_events_and_constants,
		metrics_of_the_tree,
		thresholds_name_metrics_before_and_after,
		or_equal_takes_its_whole_sides,
		or_equal_in_thresholds,
		a_metric_with_an_unknown_event_is_left_out,
		hybrid_names_have_their_pmu,
		each_metric_has_its_line,
		an_unknown_role_is_an_error,
	};

	return run_tree_tests("json_perfmon", tests, sizeof(tests) / sizeof(*tests));
}
