// SPDX-License-Identifier: GPL-2.0-only
/* Folders of JSON, good and bad ones, from which the generator makes a dump. */
#include "json_fixture.h"

/* Return: the dump of one file of events. */
static const char *dumped_events(const char *json)
{
	put("mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	put("m/cache-and-more.json", json);
	return dumped();
}

#define CPU "cpu\tA-1\n# model\tm\tv1\n"

START_TEST(an_event)
{
	ck_assert_str_eq(dumped_events("[{\"EventName\": \"L1D.Miss\", \"EventCode\": \"0x51\","
				       "\"UMask\": \"0x2\", \"SampleAfterValue\": \"100003\","
				       "\"BriefDescription\": \"Misses.\"}]"),
			 CPU "event\tdefault_core\tl1d.miss\tcache and more\t"
			     "event=0x51,period=100003,umask=2\t\t0\t0\t\tMisses\t\n");
}
END_TEST

/* Check the terms of an event with a name and these fields. */
static void check_terms(const char *fields, const char *terms)
{
	char json[512], want[256];

	snprintf(json, sizeof(json), "[{\"EventName\": \"e\", %s}]", fields);
	snprintf(want, sizeof(want), "\tcache and more\t%s\t", terms);
	dumped_events(json);
	ck_assert_msg(strstr(text, want), "%s: %s", fields, text);
}

START_TEST(terms_of_fields)
{
	check_terms("\"EventCode\": \"0xB7, 0xBB\", \"UMask\": \"0x01\"", "event=0xb7,umask=1");
	check_terms("\"EventCode\": \"0\"", "event=0");
	check_terms("\"EventCode\": \"0x9\"", "event=9");
	check_terms("\"EventCode\": \"10\"", "event=0xa");
	check_terms("\"EventCode\": \"0x83\", \"ExtSel\": \"1\"", "event=0x183");
	check_terms("\"ConfigCode\": \"0x1234\", \"EventCode\": \"1\"", "config=0x1234");
	check_terms("\"EventidCode\": \"0x7\"", "eventid=7");
	check_terms("\"UMask\": \"0x1F\"", "event=0,umask=0x1f");
	check_terms("\"UMask\": \"31\"", "event=0,umask=31");
	check_terms("\"UMask\": \"0x0\", \"CounterMask\": \"0\", \"Invert\": \"0x00\"", "event=0");
	check_terms("\"PortMask\": \"0x00FF\", \"FCMask\": \"0x07\"",
		    "event=0,ch_mask=0xff,fc_mask=7");
	check_terms("\"Invert\": \"1\", \"EdgeDetect\": \"1\", \"AnyThread\": \"1\","
		    "\"CounterMask\": \"010\", \"UMask\": \"1\"",
		    "event=0,any=1,cmask=10,edge=1,inv=1,umask=1");
	check_terms("\"Filter\": \"filter_opc=0x182\", \"UMask\": \"1\"",
		    "event=0,umask=1,filter_opc=0x182");
	check_terms("\"NodeType\": \"1\", \"RdWrMask\": \"0x2\", \"EnAllCores\": \"0x1\","
		    "\"EnAllSlices\": \"0x1\", \"SliceId\": \"0x3\", \"ThreadMask\": \"0x3\"",
		    "event=0,type=1,rdwrmask=2,enallcores=1,enallslices=1,sliceid=3,threadmask=3");
}
END_TEST

START_TEST(registers_become_terms)
{
	check_terms("\"MSRIndex\": \"0x3F6\", \"MSRValue\": \"0x80\"", "event=0,ldlat=0x80");
	check_terms("\"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x3F803C0001\"",
		    "event=0,offcore_rsp=0x3F803C0001");
	check_terms("\"MSRIndex\": \"0x1a7\", \"MSRValue\": \"0x1\"", "event=0,offcore_rsp=0x1");
	check_terms("\"MSRIndex\": \"0x3F7\", \"MSRValue\": \"0x11\"", "event=0,frontend=0x11");
	check_terms("\"MSRIndex\": \"0\", \"MSRValue\": \"0\"", "event=0");
	check_terms("\"MSRIndex\": \"0x00\", \"MSRValue\": \"0x00\"", "event=0");
	check_terms("\"MSRIndex\": \"0x3F6\"", "event=0");
}
END_TEST

START_TEST(fixed_events_have_their_own_encoding)
{
	static const char *const cases[][2] = {
		{ "INST_RETIRED.ANY", "event=0xc0,period=2000003" },
		{ "INST_RETIRED.ANY_P", "event=0xc0,period=2000003" },
		{ "CPU_CLK_UNHALTED.REF", "event=0x0,umask=0x03,period=2000003" },
		{ "CPU_CLK_UNHALTED.THREAD", "event=0x3c,period=2000003" },
		{ "CPU_CLK_UNHALTED.CORE", "event=0x3c,period=2000003" },
		{ "CPU_CLK_UNHALTED.THREAD_ANY", "event=0x3c,any=1,period=2000003" },
		{ "CPU_CLK_UNHALTED.REF_TSC", "event=1,umask=2" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char json[256];

		snprintf(json, sizeof(json),
			 "[{\"EventName\": \"%s\", \"EventCode\": \"1\", \"UMask\": \"2\"}]",
			 cases[i][0]);
		dumped_events(json);
		ck_assert_msg(strstr(text, cases[i][1]), "%s: %s", cases[i][0], text);
	}
}
END_TEST

/* Check the PMU of an event with this unit. */
static void check_pmu(const char *unit, const char *pmu)
{
	char json[256], want[64];

	snprintf(json, sizeof(json), "[{\"EventName\": \"e\", \"Unit\": \"%s\"}]", unit);
	snprintf(want, sizeof(want), "event\t%s\te\t", pmu);
	dumped_events(json);
	ck_assert_msg(strstr(text, want), "%s: %s", unit, text);
}

START_TEST(units_are_pmus)
{
	check_pmu("", "default_core");
	check_pmu("cpu_core", "cpu_core");
	check_pmu("cpu_atom", "cpu_atom");
	check_pmu("CBO", "uncore_cbox");
	check_pmu("CBOX", "uncore_cbox");
	check_pmu("SBO", "uncore_sbox");
	check_pmu("QPI LL", "uncore_qpi");
	check_pmu("UPI LL", "uncore_upi");
	check_pmu("iMPH-U", "uncore_arb");
	check_pmu("iMC", "uncore_imc");
	check_pmu("ARB", "uncore_arb");
	check_pmu("imc_free_running_0", "uncore_imc_free_running_0");
	check_pmu("DFPMC", "amd_df");
	check_pmu("L3PMC", "amd_l3");
	check_pmu("UMCPMC", "amd_umc");
	check_pmu("CPU-M-CF", "cpum_cf");
}
END_TEST

/* Check the description of an event with these fields. */
static void check_desc(const char *fields, const char *desc)
{
	char json[512], want[256];

	snprintf(json, sizeof(json), "[{\"EventName\": \"e\", %s}]", fields);
	snprintf(want, sizeof(want), "\t0\t0\t\t%s\n", desc);
	dumped_events(json);
	ck_assert_msg(strstr(text, want), "%s: %s", fields, text);
}

START_TEST(descriptions_and_what_is_added)
{
	check_desc("\"BriefDescription\": \"A. B.  \"", "A. B\t");
	check_desc("\"BriefDescription\": \"A.. \"", "A\t");
	check_desc("\"BriefDescription\": \"At \xe2\x89\xa5 1 \xc2\xb5s\"",
		   "At \xe2\x89\xa5 1 \xc2\xb5s\t");
	check_desc("\"BriefDescription\": \"A\", \"PublicDescription\": \"C.\"", "A\tC");
	check_desc("\"BriefDescription\": \"A\", \"PEBS\": \"1\"", "A (Precise event)\t");
	check_desc("\"BriefDescription\": \"A\", \"PEBS\": \"2\"", "A (Must be precise)\t");
	check_desc("\"BriefDescription\": \"A (Precise Event)\", \"PEBS\": \"1\"",
		   "A (Precise Event)\t");
	check_desc("\"BriefDescription\": \"A\", \"Errata\": \"X1, X2\"",
		   "A  Spec update: X1, X2\t");
	check_desc("\"BriefDescription\": \"A\", \"Data_LA\": \"1\", \"PEBS\": \"1\"",
		   "A  Supports address when precise (Precise event)\t");
	check_desc("\"BriefDescription\": \"A\", \"PublicDescription\": \"B\", \"Data_LA\": \"1\","
		   "\"Errata\": \"X1\"",
		   "A  Supports address when precise.  Spec update: X1\t"
		   "B  Supports address when precise.  Spec update: X1");
	check_desc("\"BriefDescription\": \"a\\tb\\nc\\\\d\\u00e9\"", "a\\tb\\nc\\\\d\u00e9\t");
	check_desc("\"PEBS\": \"1\"", "\t");
}
END_TEST

START_TEST(flags_units_and_latencies)
{
	ck_assert_str_eq(
		dumped_events("[{\"EventName\": \"e\", \"PerPkg\": \"1\", \"Deprecated\": \"1\","
			      "\"TakenAlone\": \"1\", \"ScaleUnit\": \"64Bytes\","
			      "\"Counter\": \"0,1,3\", \"RetirementLatencyMin\": \"0\","
			      "\"RetirementLatencyMean\": \"3.5\","
			      "\"RetirementLatencyMax\": \"99\"}]"),
		CPU "event\tdefault_core\te\tcache and more\tevent=0\t\t1\t1\t64Bytes\t\t\n"
		    "# counter\t0,1,3\t0xb\n# taken alone\n# retire latency\t0\t3.5\t99\n");
}
END_TEST

static void check_counter(const char *counter, const char *mask)
{
	char json[256], want[128];

	snprintf(json, sizeof(json), "[{\"EventName\": \"e\", \"Counter\": \"%s\"}]", counter);
	snprintf(want, sizeof(want), "# counter\t%s\t%s\n", counter, mask);
	dumped_events(json);
	ck_assert_msg(strstr(text, want), "%s: %s", counter, text);
}

START_TEST(counters_of_an_event)
{
	check_counter("0", "0x1");
	check_counter("0,1,2,3", "0xf");
	check_counter("0, 1", "0x3");
	check_counter("Fixed counter 0", "0x100000000");
	check_counter("Fixed counter 3", "0x800000000");
	check_counter("FIXED", "0x100000000");
	check_counter("37", "0x2000000000");
	check_counter("0,1,38", "0x4000000003");
	check_counter("64", "0");
	check_counter("any", "0");
	check_counter("1,", "0x2");
	check_counter("Fixed counter x", "0");
	check_counter("Fixed counter 32", "0");
}
END_TEST

START_TEST(a_metric)
{
	ck_assert_str_eq(
		dumped_events("[{\"MetricName\": \"Ipc\", \"MetricExpr\": \"1 * (A / B) + 1000\","
			      "\"MetricGroup\": \"G1;G2\", \"MetricThreshold\": \"Ipc  > 0.10\","
			      "\"ScaleUnit\": \"100%\", \"MetricConstraint\": \"NO_NMI_WATCHDOG\","
			      "\"MetricgroupNoGroup\": \"G1\", \"Compat\": \"x\","
			      "\"DefaultMetricgroupName\": \"G2\", \"Unit\": \"cpu_atom\","
			      "\"AggregationMode\": \"PerCore\", \"BriefDescription\": \"D.\"}]"),
		CPU
		"metric\tcpu_atom\tIpc\tG1;G2\tA / B + 1e3\tIpc  > 0.10\t100%\tx\tG1\tG2\t2\t2\t"
		"D\t\ngroup\tG1\t\ngroup\tG2\t\n");
}
END_TEST

START_TEST(order_of_the_tables)
{
	dumped_events("[{\"EventName\": \"b\", \"Unit\": \"iMC\"}, {\"EventName\": \"B2\"},"
		      "{\"EventName\": \"a\", \"Unit\": \"iMC\"}, {\"EventName\": \"b10\"},"
		      "{\"MetricName\": \"a\", \"MetricExpr\": \"x\"},"
		      "{\"MetricName\": \"Z\", \"MetricExpr\": \"y\"},"
		      "{\"MetricName\": \"Z\", \"MetricExpr\": \"b\"}]");
	ck_assert_str_eq(text,
			 CPU "event\tdefault_core\tb10\tcache and more\tevent=0\t\t0\t0\t\t\t\n"
			     "event\tdefault_core\tb2\tcache and more\tevent=0\t\t0\t0\t\t\t\n"
			     "event\tuncore_imc\ta\tcache and more\tevent=0\t\t0\t0\t\t\t\n"
			     "event\tuncore_imc\tb\tcache and more\tevent=0\t\t0\t0\t\t\t\n"
			     "metric\tdefault_core\tZ\t\tb\t\t\t\t\t\t0\t0\t\t\n"
			     "metric\tdefault_core\tZ\t\ty\t\t\t\t\t\t0\t0\t\t\n"
			     "metric\tdefault_core\ta\t\tx\t\t\t\t\t\t0\t0\t\t\n");
}
END_TEST

START_TEST(standard_events_fill_what_is_missing)
{
	put("std.json", "[{\"EventName\": \"STD.EV\", \"EventCode\": \"0x11\", \"PerPkg\": \"1\","
			"\"BriefDescription\": \"Std\", \"PublicDescription\": \"Long\"}]");
	ck_assert_str_eq(dumped_events("[{\"ArchStdEvent\": \"std.ev\"},"
				       "{\"ArchStdEvent\": \"STD.EV\", \"EventName\": \"mine\","
				       "\"EventCode\": \"0x22\", \"BriefDescription\": \"Own\"}]"),
			 CPU
			 "event\tdefault_core\tmine\tcache and more\tevent=0x11\t\t0\t1\t\tOwn\t"
			 "Long\n"
			 "event\tdefault_core\tstd.ev\tcache and more\tevent=0x11\t\t0\t1\t\t"
			 "Std\tLong\n");
	dumped_events("[{\"EventName\": \"e\", \"ArchStdEvent\": \"none\"}]");
	ck_assert_str_eq(text, "!m/cache-and-more.json:1: ArchStdEvent: 'none' is in no file of "
			       "the architecture's folder");
}
END_TEST

START_TEST(folders_topics_groups_and_counters)
{
	put("mapfile.csv", MAP_HEAD "# a comment\n\nA-1,v1,vendor/m,core\r\nA-2,v2,none,core\n"
				    "A-[34],v3,vendor/m,core\n");
	put("vendor/m/x-metrics.json",
	    "[{\"MetricName\": \"a\", \"MetricExpr\": \"b\", \"MetricGroup\": \"G;H\"}]");
	put("vendor/m/counter.json",
	    "[{\"Unit\": \"core\", \"CountersNumFixed\": \"3\", \"CountersNumGeneric\": 8}]");
	put("vendor/m/metricgroups.json", "{\"G\": \"About G\", \"Unused\": \"x\"}");
	put("vendor/m/extra-metricgroups.json", "{\"H\": \"About H\"}");
	put("vendor/m/readme.txt", "no JSON at all");
	put("vendor/m/sys/ddr.json", "[{\"EventName\": \"e\", \"Compat\": \"c\"}]");
	ck_assert_str_eq(dumped(), "cpu\tA-1\n# model\tvendor/m\tv1\n"
				   "# counters\tdefault_core\t8\t3\n"
				   "metric\tdefault_core\ta\tG;H\tb\t\t\t\t\t\t0\t0\t\t\n"
				   "cpu\tA-[34]\n# model\tvendor/m\tv3\n"
				   "# counters\tdefault_core\t8\t3\n"
				   "metric\tdefault_core\ta\tG;H\tb\t\t\t\t\t\t0\t0\t\t\n"
				   "sys\tvendor/m/sys\n"
				   "event\tdefault_core\te\tddr\tevent=0\tc\t0\t0\t\t\t\n"
				   "group\tG\tAbout G\ngroup\tH\tAbout H\n");
}
END_TEST

START_TEST(empty_arrays_are_no_events)
{
	ck_assert_str_eq(dumped_events("[]"), CPU);
	ck_assert_str_eq(dumped_events(" [ \n ] \n"), CPU);
	ck_assert_str_eq(dumped_events("[{}]"), CPU);
}
END_TEST

static void check_error(const char *json, const char *msg)
{
	dumped_events(json);
	ck_assert_str_eq(text, msg);
}

START_TEST(bad_json_has_its_line) /* R40 */
{
	check_error("", "!m/cache-and-more.json:1: expected '[', an array of events");
	check_error("{}", "!m/cache-and-more.json:1: expected '[', an array of events");
	check_error("[\n{\"EventName\": \"e\"},\n{\"EventName\" \"f\"}]",
		    "!m/cache-and-more.json:3: object property name separator ':' expected");
	check_error("[\n{\"EventName\": \"e\"}\n{}]",
		    "!m/cache-and-more.json:3: expected ',' or ']' after an element");
	check_error("[\n{\"EventName\": \"e\"},\n]",
		    "!m/cache-and-more.json:3: comma before the end of the array");
	check_error("[{}]\n\nx", "!m/cache-and-more.json:3: text after the end of the array");
	check_error("[\n\n{\"EventName\":\n", "!m/cache-and-more.json:3: the file ends within "
					      "this value");
	check_error("[{}\n", "!m/cache-and-more.json:2: expected ',' or ']' after an element");
	check_error("[{\"EventName\": \"e\",}]", "!m/cache-and-more.json:1: unexpected character");
	check_error("[{\"EventName\": \"\xff\"}]",
		    "!m/cache-and-more.json:1: the text is not UTF-8 here");
}
END_TEST

START_TEST(bad_values_have_their_line)
{
	check_error("[{},\n{\"EventName\": \"e\", \"UMask\": \"0xZZ\"}]",
		    "!m/cache-and-more.json:2: UMask: '0xZZ' is not a number");
	check_error("[{\"EventName\": \"e\", \"EventCode\": \"x\"}]",
		    "!m/cache-and-more.json:1: EventCode: 'x' is not a number");
	check_error("[{\"EventName\": \"e\", \"EventCode\": 5}]",
		    "!m/cache-and-more.json:1: EventCode: expected a string");
	check_error("[5]", "!m/cache-and-more.json:1: expected an object");
	check_error("[{\"EventName\": \"e\", \"MSRIndex\": \"0x123\", \"MSRValue\": \"1\"}]",
		    "!m/cache-and-more.json:1: MSRIndex: no PMU term is known for register 0x123");
	check_error("[{\"MetricName\": \"m\"}]",
		    "!m/cache-and-more.json:1: metric 'm' has no MetricExpr");
	check_error("[{\"MetricName\": \"m\", \"MetricExpr\": \"a\", \"MetricConstraint\": \"X\"}]",
		    "!m/cache-and-more.json:1: MetricConstraint: 'X' is not known");
	check_error("[{\"EventName\": \"e\", \"ScaleUnit\": \"Bytes\"}]",
		    "!m/cache-and-more.json:1: ScaleUnit: 'Bytes' does not begin with a number");
	check_error("[{\"EventName\": \"e\", \"ScaleUnit\": \"1e999x\"}]",
		    "!m/cache-and-more.json:1: ScaleUnit: '1e999x' is too large");
	check_error("[{\"EventName\": \"e\", \"RetirementLatencyMax\": \"a\"}]",
		    "!m/cache-and-more.json:1: RetirementLatencyMax: 'a' is not a number");
	check_error("[{\"Unit\": \"core\", \"CountersNumGeneric\": \"many\"}]",
		    "!m/cache-and-more.json:1: CountersNumGeneric: 'many' is not a number");
	check_error("[{\"MetricName\": \"m\", \"MetricExpr\": \"a +\"}]",
		    "!m/cache-and-more.json:1:\n"
		    "MetricExpr syntax error: 'a +'\n"
		    "                             \\___ expected a number, an event, a function or "
		    "'('");
}
END_TEST

START_TEST(an_event_twice_is_an_error) /* R40 */
{
	put("m/other.json", "[\n{\"EventName\": \"E\"}]");
	check_error("[{\"EventName\": \"d\"},\n{\"EventName\": \"e\"}]",
		    "!m/other.json:2: event 'e' of PMU default_core is already in "
		    "m/cache-and-more.json:2");
	put("m/other.json", "[{\"EventName\": \"E\", \"Unit\": \"iMC\"}]");
	ck_assert_int_ne(dumped_events("[{\"EventName\": \"e\"}]")[0], '!');
}
END_TEST

START_TEST(bad_mapfiles_have_their_line)
{
	static const char *const cases[][2] = {
		{ MAP_HEAD "A-1,v1,m\n", "!mapfile.csv:2: expected four columns: pattern, version, "
					 "folder, type" },
		{ MAP_HEAD "\nA-1,v1,m,core,x\n", "!mapfile.csv:3: expected four columns: pattern, "
						  "version, folder, type" },
		{ MAP_HEAD "\"A\",v1,m,core\n",
		  "!mapfile.csv:2: quoted columns are not supported" },
		{ MAP_HEAD "A-(,v1,m,core\n", "!mapfile.csv:2: pattern 'A-(': Unmatched ( or \\(" },
	};

	put("m/a.json", "[]");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		put("mapfile.csv", cases[i][0]);
		ck_assert_str_eq(dumped(), cases[i][1]);
	}
}
END_TEST

START_TEST(bad_metricgroups)
{
	put("m/metricgroups.json", "[]");
	ck_assert_str_eq(dumped_events("[]"), "!m/metricgroups.json:1: expected an object of groups");
	put("m/metricgroups.json", "{\"G\": 1}");
	ck_assert_str_eq(dumped_events("[]"), "!m/metricgroups.json:1: 'G': expected a string");
	put("m/metricgroups.json", "{\"G\": \"x\"}\ny");
	ck_assert_str_eq(dumped_events("[]"),
			 "!m/metricgroups.json:2: text after the end of the value");
}
END_TEST

START_TEST(folders_that_do_not_exist)
{
	ck_assert_ptr_nonnull(strstr(dumped(), "it has no mapfile.csv and no JSON files"));
	put("m/a.json", "[]");
	/* Without a mapfile, the model belongs to no CPU. */
	ck_assert_str_eq(dumped(), "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		an_event,
		terms_of_fields,
		registers_become_terms,
		fixed_events_have_their_own_encoding,
		units_are_pmus,
		descriptions_and_what_is_added,
		flags_units_and_latencies,
		counters_of_an_event,
		a_metric,
		order_of_the_tables,
		standard_events_fill_what_is_missing,
		folders_topics_groups_and_counters,
		empty_arrays_are_no_events,
		bad_json_has_its_line,
		bad_values_have_their_line,
		an_event_twice_is_an_error,
		bad_mapfiles_have_their_line,
		bad_metricgroups,
		folders_that_do_not_exist,
	};

	return run_tree_tests("json_tree", tests, sizeof(tests) / sizeof(*tests));
}
