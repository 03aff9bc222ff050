// SPDX-License-Identifier: GPL-2.0-only
/* Each kind of mistake in a small folder of JSON, and correct texts that look like mistakes. */
#include "base/file.h"
#include "json_fixture.h"
#include "lint/lint.h"
#include "tables/tables.h"

static const struct tables *base; /* other tables, whose names are known too */

/*
 * Return: all findings, a line each. If a finding has an expression, the expression and the column
 * follow.
 */
static const char *found(void)
{
	const char *dir = top;
	struct lint lint = LINT_INIT;
	struct tree_options opts = {
		.dirs = &dir, .nr_dirs = 1, .tolerant = true, .report = lint__report, .arg = &lint
	};
	struct err err = ERR_INIT;
	struct tree tree;
	FILE *f = fmemopen(text, sizeof(text), "w");
	struct lint_finding *at;

	ck_assert_ptr_nonnull(f);
	ck_assert_msg(!tree__read(&tree, &opts, &err), "%s", err.msg);
	lint__tree(&lint, &tree, NULL, base);
	lint__finish(&lint);
	vec__for_each (at, &lint.findings) {
		print_without_top(at->file, f);
		fprintf(f, ":%d: %s: ", at->line, lint_kinds[at->kind].name);
		print_without_top(at->message, f);
		fputc('\n', f);
		if (at->text)
			fprintf(f, "\t%s\n\t%*s^\n", at->text, at->column, "");
	}
	fputc('\0', f);
	ck_assert_int_eq(fclose(f), 0);
	lint__free(&lint);
	tree__free(&tree);
	return text;
}

#define EVENT(name, more) "{\"EventName\": \"" name "\", \"BriefDescription\": \"d\"" more "}"
#define CPU_EVENTS                                                                                 \
	"[" EVENT("A.ONE", ", \"Counter\": \"0,1\"") "," EVENT(                                    \
		"A.TWO",                                                                           \
		", \"Counter\": \"0,1\"") "," EVENT("A.THREE",                                     \
						    ", \"Counter\": \"0,1\"") "," EVENT("OLD",     \
											", "       \
											"\"Deprec" \
											"ated\": " \
											"\"1\"") "]"

/* Put fields of a metric, each on its own line; the first one is in line 2. */
#define METRIC(name, expr, more)                                                                \
	"{\"MetricName\": \"" name "\",\n\"BriefDescription\": \"d\",\n\"MetricExpr\": \"" expr \
	"\"" more "}"
#define THRESHOLD(text) ",\n\"MetricThreshold\": \"" text "\""

static const char *found_in(const char *metrics)
{
	char json[8192];

	put("mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	put("m/events.json", CPU_EVENTS);
	ck_assert_int_lt(snprintf(json, sizeof(json), "[\n%s\n]\n", metrics), sizeof(json));
	put("m/metrics.json", json);
	return found();
}

#define AT(line) "m/metrics.json:" #line ": "

START_TEST(nothing_is_wrong)
{
	ck_assert_str_eq(
		found_in(METRIC("m1", "A.ONE / A.TWO", THRESHOLD("m1 > 0.2")) ",\n" METRIC("m2", "M1 * duration_time", THRESHOLD("m2 > 0.2 & m1 < 3")) ",\n" METRIC(
			"m8", "A.ONE + cpu@a.one\\\\,cmask\\\\=1@",
			"") ",\n" METRIC("m3", "msr@tsc@ / slots + topdown\\\\-retiring",
					 "") ",\n" METRIC("m4", "cycles + l1d\\\\-loads\\\\-misses",
							  "") ",\n" METRIC("m5",
									   "(A.ONE:u if #smt_on "
									   "else TSC) % 7",
									   "") ",\n" METRIC("m6",
											    "sched:"
											    "sched_"
											    "switch"
											    " + "
											    "softwa"
											    "re@"
											    "dummy@"
											    "k",
											    "") ","
												"\n" METRIC(
													"m7",
													"A.ONE@edge@ * A.ONE:R",
													"")),
		"");
}
END_TEST

START_TEST(names_that_differ_in_case_alone)
{
	ck_assert_str_eq(found_in(METRIC("Mix", "A.ONE", "") ",\n" METRIC("a", "A.ONE", "") ",\n"
				  METRIC("mIX", "A.TWO", "") ",\n"
				  METRIC("mix", "A.TWO", ",\"Compat\":\"v1\"")),
			 AT(8) "duplicate: metric 'mIX' of PMU default_core is already in "
			       "m/metrics.json:2\n");
}
END_TEST

/* A third type of core is treated like the other two. */
START_TEST(events_of_the_low_power_core)
{
	put("mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	put("m/events.json", "[" EVENT("E", ", \"Unit\": \"cpu_lowpower\"") ","
			     EVENT("F", ", \"Unit\": \"cpu_core\"") "]");
	put("m/metrics.json", "[\n" METRIC("m", "E", ",\"Unit\":\"cpu_core\"") ",\n"
			      METRIC("n", "F", ",\"Unit\":\"cpu_lowpower\"") ",\n"
			      METRIC("o", "E", ",\"Unit\":\"cpu_lowpower\"") "]");
	ck_assert_str_eq(found(), AT(4) "core-type: metric m of cpu_core: 'E' is an event of "
					"cpu_lowpower\n\tE\n\t^\n"
				  AT(7) "core-type: metric n of cpu_lowpower: 'F' is an event of "
					"cpu_core\n\tF\n\t^\n");
}
END_TEST

START_TEST(unknown_names)
{
	ck_assert_str_eq(
		found_in(METRIC("m1", "A.ONE + A.ONES / A.ONES", "")),
		AT(4) "unknown-name: metric m1: 'A.ONES' is neither an event nor a metric; did "
		      "you mean 'a.one'?\n"
		      "\tA.ONE + A.ONES / A.ONES\n"
		      "\t        ^\n");
	ck_assert_str_eq(
		found_in(METRIC("m1", "A.ONE", THRESHOLD("m1 > 0.2 & zzzzzzzzz > 3"))),
		AT(5) "unknown-name: metric m1: 'zzzzzzzzz' is neither an event nor a metric\n"
		      "\tm1 > 0.2 & zzzzzzzzz > 3\n"
		      "\t           ^\n");
	ck_assert_str_eq(
		found_in(METRIC("m1", "cpu@NO.SUCH\\\\,cmask\\\\=1@ * 2", "")),
		AT(4) "unknown-name: metric m1: 'cpu@NO.SUCH,cmask=1@' is neither an event nor a "
		      "metric\n"
		      "\tcpu@NO.SUCH\\,cmask\\=1@ * 2\n"
		      "\t^\n");
	/* Without events, names cannot be checked. */
	put("m/events.json", "[]");
	ck_assert_str_eq(found(), "");
}
END_TEST

START_TEST(names_of_events_that_cannot_be)
{
	ck_assert_str_eq(found_in(METRIC("m1", "cpu@A.ONE + A.TWO:xyz", "")),
			 AT(4) "event-name: metric m1: 'cpu@A.ONE': the second '@' is missing "
			       "after the terms\n"
			       "\tcpu@A.ONE + A.TWO:xyz\n"
			       "\t^\n" AT(4) "event-name: metric m1: 'A.TWO:xyz': 'xyz' are not "
					     "modifiers of an event\n"
					     "\tcpu@A.ONE + A.TWO:xyz\n"
					     "\t            ^\n");
	ck_assert_str_eq(
		found_in(METRIC("m1", "cpu@A.ONE\\\\,\\\\,edge@ + cpu@A.ONE\\\\,cmask\\\\=@", "")),
		AT(4) "event-name: metric m1: 'cpu@A.ONE,,edge@': a term is missing between the "
		      "signs '@'\n"
		      "\tcpu@A.ONE\\,\\,edge@ + cpu@A.ONE\\,cmask\\=@\n"
		      "\t^\n" AT(4) "event-name: metric m1: 'cpu@A.ONE,cmask=@': term 'cmask' "
				    "needs a value after '='\n"
				    "\tcpu@A.ONE\\,\\,edge@ + cpu@A.ONE\\,cmask\\=@\n"
				    "\t                     ^\n");
}
END_TEST

START_TEST(expressions_that_cannot_be_read)
{
	ck_assert_str_eq(found_in(METRIC("m1", "A.ONE + ",
					 "") ",\n" METRIC("m2", "A.ONE", THRESHOLD("m2 >= 0.2"))),
			 AT(4) "syntax: MetricExpr: expected a number, an event, a function or "
			       "'('\n"
			       "\tA.ONE + \n"
			       "\t        ^\n" AT(8) "syntax: threshold of metric m2: this "
						     "character has no meaning here\n"
						     "\tm2 >= 0.2\n"
						     "\t    ^\n");
}
END_TEST

START_TEST(metrics_that_refer_to_themselves)
{
	ck_assert_str_eq(
		found_in(METRIC("m1", "A.ONE + m2", "") ",\n" METRIC("m2", "m3", "") ",\n" METRIC(
			"m3", "2 * M1", "") ",\n" METRIC("m4", "m3 + A.ONE",
							 "") ",\n" METRIC("m5", "m5",
									  THRESHOLD("m5 < -1"))),
		AT(4) "cycle: metric m1 refers to itself: m1 -> m2 -> m3 -> m1\n"
		      "\tA.ONE + m2\n"
		      "\t        ^\n" AT(16) "cycle: metric m5 refers to itself: m5 -> m5\n"
					     "\tm5\n"
					     "\t^\n" AT(17) "never-holds: threshold of metric m5 "
							    "never holds: 'm5' is never "
							    "below 0\n"
							    "\tm5 < -1\n"
							    "\t   ^\n");
}
END_TEST

START_TEST(duplicates)
{
	put("mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	put("m/events.json", "[" EVENT("A", "") ",\n" EVENT("a", ", \"UMask\": \"1\"") ",\n" EVENT(
				     "a", ", \"Unit\": \"CHA\"") "]");
	put("m/metrics.json",
	    "[" METRIC("m", "A", "") ",\n" METRIC("n", "A", "") ",\n" METRIC(
		    "m", "2 * A", "") ",\n" METRIC("n", "A", ", \"Compat\": \"x\"") "]");
	ck_assert_str_eq(
		found(),
		"m/events.json:2: duplicate: event 'a' of PMU default_core is already in "
		"m/events.json:1\n"
		"m/metrics.json:7: duplicate: metric 'm' of PMU default_core is already in "
		"m/metrics.json:1\n");
}
END_TEST

START_TEST(thresholds_known_before_counting)
{
	ck_assert_str_eq(
		found_in(METRIC("m1", "A.ONE / (A.ONE + A.TWO)", THRESHOLD("m1 > 20"))),
		AT(5) "never-holds: threshold of metric m1 never holds: 'm1' is never above 1\n"
		      "\tm1 > 20\n"
		      "\t   ^\n");
	ck_assert_str_eq(
		found_in(METRIC("m1", "A.ONE / A.TWO", THRESHOLD("m1 > 0.2 & m1 < 0.1"))),
		AT(5) "never-holds: threshold of metric m1 never holds: 'm1 < 0.1' contradicts "
		      "'m1 > 0.2'\n"
		      "\tm1 > 0.2 & m1 < 0.1\n"
		      "\t              ^\n");
	ck_assert_str_eq(
		found_in(METRIC("m1", "A.ONE / A.TWO", THRESHOLD("m1 > 3 | A.ONE < 0"))),
		AT(5) "never-holds: an alternative in the threshold of metric m1 never holds: "
		      "'A.ONE' is never below 0\n"
		      "\tm1 > 3 | A.ONE < 0\n"
		      "\t               ^\n");
	ck_assert_str_eq(
		found_in(METRIC("m1", "A.ONE / A.TWO", THRESHOLD("m1 > -1"))),
		AT(5) "always-holds: a condition in the threshold of metric m1 always holds: 'm1' "
		      "is never below 0\n"
		      "\tm1 > -1\n"
		      "\t   ^\n");
}
END_TEST

START_TEST(percentages_that_are_fractions)
{
	ck_assert_str_eq(
		found_in(
			METRIC("m1", "A.ONE / A.TWO", THRESHOLD("m1 > 20") ", \"ScaleUnit\": \"100%\"") ",\n" METRIC(
				"m2", "A.ONE / A.TWO",
				THRESHOLD("m2 > 20") ", \"ScaleUnit\": \"1per_x\"")),
		AT(5) "percent: threshold of metric m1: m1 is a fraction here, and is multiplied "
		      "by 100 only when it is shown\n"
		      "\tm1 > 20\n"
		      "\t     ^\n");
}
END_TEST

START_TEST(groups_that_do_not_fit)
{
	put("m/counter.json", "[{\"Unit\": \"core\", \"CountersNumGeneric\": \"2\", "
			      "\"CountersNumFixed\": \"3\"}]");
	ck_assert_str_eq(
		found_in(METRIC("m1", "A.ONE + A.TWO + A.THREE", "") ",\n" METRIC("m2", "A.ONE + A.TWO + A.THREE", ", \"MetricConstraint\": \"NO_GROUP_EVENTS\"") ",\n" METRIC(
			"m3", "A.ONE + A.TWO + cycles + instructions",
			"") ",\n" METRIC("m4", "A.ONE + A.TWO if #smt_on else A.ONE + A.THREE",
					 "") ",\n" METRIC("m5", "m4 + A.TWO + A.THREE:R",
							  "") ",\n" METRIC("m6", "A.ONE + A.TWO",
									   THRESHOLD(
										   "m6 > 2 "
										   "& "
										   "A."
										   "THREE "
										   "> 1")) ","
											   "\n" METRIC("m7",
												       "m3 + cpu@A.ONE\\\\,cmask\\\\=1@",
												       "")),
		AT(4) "group: the events of metric m1 do not fit the counters: A.THREE, A.ONE "
		      "and A.TWO have only counters 0-1\n" AT(
			      19) "threshold-group: the events of metric m6 and its threshold do "
				  "not fit the "
				  "counters: A.ONE, A.TWO and A.THREE have only counters 0-1\n" AT(
					  23) "group: the events of metric m7 do not fit the "
					      "counters: cpu@A.ONE,cmask=1@, "
					      "A.ONE and A.TWO have only counters 0-1\n");
}
END_TEST

START_TEST(topdown_events_are_led_by_slots)
{
	put("m/counter.json", "[{\"Unit\": \"core\", \"CountersNumGeneric\": \"2\", "
			      "\"CountersNumFixed\": \"4\"}]");
	ck_assert_str_eq(
		found_in(METRIC("m1",
				"topdown\\\\-retiring + topdown\\\\-be\\\\-bound + "
				"topdown\\\\-fe\\\\-bound + A.ONE + A.TWO",
				"") ",\n" METRIC("m2", "slots + SLOTS:u", "")),
		AT(7) "group: the events of metric m2 do not fit the counters: SLOTS:u and slots "
		      "have only fixed counter 3\n");
}
END_TEST

START_TEST(other_kinds_of_core)
{
	put("mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	put("m/events.json",
	    "[" EVENT("P", ", \"Unit\": \"cpu_core\"") ",\n" EVENT(
		    "E", ", \"Unit\": \"cpu_atom\"") ",\n" EVENT("U", ", \"Unit\": \"CHA\"") "]");
	put("m/metrics.json",
	    "[" METRIC("m", "P + U", ", \"Unit\": \"cpu_core\"") ",\n" METRIC(
		    "m", "E + U",
		    ", \"Unit\": \"cpu_atom\"") ",\n" METRIC("n", "E + cpu_atom@E@ + P",
							     ", \"Unit\": \"cpu_core\"") "]");
	ck_assert_str_eq(found(),
			 "m/metrics.json:9: core-type: metric n of cpu_core: 'E' is an event of "
			 "cpu_atom\n"
			 "\tE + cpu_atom@E@ + P\n"
			 "\t^\n"
			 "m/metrics.json:9: core-type: metric n of cpu_core: 'cpu_atom@E@' is an "
			 "event of cpu_atom\n"
			 "\tE + cpu_atom@E@ + P\n"
			 "\t    ^\n");
}
END_TEST

START_TEST(deprecated_events)
{
	ck_assert_str_eq(found_in(METRIC("m1", "OLD / A.ONE", "")),
			 AT(4) "deprecated: metric m1: event 'OLD' is deprecated: d\n"
			       "\tOLD / A.ONE\n"
			       "\t^\n");
}
END_TEST

START_TEST(words_and_fields)
{
	ck_assert_str_eq(found_in(METRIC("m1", "A.ONE",
					 ",\n\"MetricConstraint\": \"NEVER_EVER\",\n"
					 "\"Metricgroup\": \"x\"")),
			 AT(2) "unknown-word: MetricConstraint: 'NEVER_EVER' is not known\n" AT(
				 2) "ignored: unknown field 'Metricgroup'\n");
}
END_TEST

START_TEST(elements_that_cannot_be_read)
{
	const char *said;

	put("m/broken.json", "[\n" EVENT("X", "") ",\n{\"EventName\": 5}]");
	put("m/std.json", "[{\"ArchStdEvent\": \"NO_SUCH\"}]");
	said = found_in(METRIC("m1", "A.ONE", ", \"ScaleUnit\": \"percent\""));
	ck_assert_msg(strstr(said, "m/broken.json:3: element: EventName: expected a string\n"),
		      "%s", said);
	ck_assert_msg(strstr(said, "m/std.json:1: element: ArchStdEvent: 'NO_SUCH' is in no file"),
		      "%s", said);
	ck_assert_msg(strstr(said, "element: ScaleUnit: 'percent' does not begin with a number\n"),
		      "%s", said);
}
END_TEST

START_TEST(descriptions)
{
	put("mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	put("m/events.json", "[\n{\n\"EventCode\": \"1\",\n\"EventName\": \"A\"}]");
	put("m/metrics.json",
	    "[{\"MetricExpr\": \"A\", \"MetricName\": \"m\",\n"
	    "\"MetricGroup\": \"G1;G2;G1\"},\n" METRIC("n", "A", ", \"MetricGroup\": \"G2\"") "]");
	ck_assert_str_eq(found(),
			 "m/events.json:4: no-description: event a has no description\n"
			 "m/metrics.json:1: no-description: metric m has no description\n");
	put("m/metricgroups.json", "{\"G1\": \"first\"}");
	ck_assert_str_eq(found(),
			 "m/events.json:4: no-description: event a has no description\n"
			 "m/metrics.json:1: no-description: metric m has no description\n"
			 "m/metrics.json:2: group-description: metric group G2 is not described "
			 "in metricgroups.json\n");
}
END_TEST

START_TEST(names_of_other_tables)
{
	struct tables *t = NULL;

	t = tables__find_model("skylakex");
	if (!t) {
		puts("SKIP names_of_other_tables: the tables of skylakex are not built in");
		return;
	}
	base = t;
	put("m/metrics.json",
	    "[" METRIC("m1", "tma_retiring + INST_RETIRED.ANY",
		       THRESHOLD("m1 > 2")) ",\n" METRIC("m2", "m1 + INST_RETIRED.NOT", "") "]");
	ck_assert_msg(strstr(found(),
			     "m/metrics.json:7: unknown-name: metric m2: 'INST_RETIRED.NOT' is "
			     "neither an event nor a metric; did you mean 'inst_retired"),
		      "%s", text);
	ck_assert_msg(!strstr(text, "metric m1:"), "%s", text);
	tables__free(t);
	base = NULL;
}
END_TEST

/*
 * A long expression is shown only around the place, without bytes that control a
 * terminal.
 */
START_TEST(long_and_odd_texts)
{
	struct sb json = SB_INIT;

	sb__puts(&json,
		 "[{\"MetricName\": \"m\", \"BriefDescription\": \"d\", \"MetricExpr\": \"A.ONE\","
		 "\"MetricThreshold\": \"");
	for (int i = 0; i < 40; i++)
		sb__puts(&json, "A.ONE + ");
	sb__puts(&json, "bad\\u0007");
	for (int i = 0; i < 40; i++)
		sb__puts(&json, " + A.TWO");
	sb__puts(&json, " > 1\"}]");
	put("mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	put("m/events.json", CPU_EVENTS);
	put("m/metrics.json", sb__str(&json));
	sb__free(&json);
	ck_assert_str_eq(found(),
			 "m/metrics.json:1: syntax: threshold of metric m: this character has no "
			 "meaning here\n"
			 "\t..NE + A.ONE + A.ONE + A.ONE + A.ONE + A.ONE + bad? + A.TWO + A.TWO + "
			 "A.TWO + A.TWO + A.TWO + A.TW..\n"
			 "\t                                                  ^\n");
}
END_TEST

/* The manual lists every kind with its severity. */
START_TEST(kinds_are_in_the_manual)
{
	char *manual, *list;

	ck_assert_int_eq(
		file__read("Documentation/tma-check-tables.1.adoc", 1 << 20, &manual, NULL, NULL),
		0);
	list = strstr(manual, "== KINDS OF FINDINGS");
	ck_assert_ptr_nonnull(list);
	for (int i = 0; i < LINT_KINDS; i++) {
		char item[64];

		snprintf(item, sizeof(item), "\n*%s* (%s)::\n", lint_kinds[i].name,
			 lint_severities[lint_kinds[i].severity]);
		ck_assert_msg(strstr(list, item), "%s", item);
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(lint_kinds[i].name, lint_kinds[j].name);
	}
	free(manual);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		nothing_is_wrong,
		names_that_differ_in_case_alone,
		events_of_the_low_power_core,
		unknown_names,
		names_of_events_that_cannot_be,
		expressions_that_cannot_be_read,
		metrics_that_refer_to_themselves,
		duplicates,
		thresholds_known_before_counting,
		percentages_that_are_fractions,
		groups_that_do_not_fit,
		topdown_events_are_led_by_slots,
		other_kinds_of_core,
		deprecated_events,
		words_and_fields,
		elements_that_cannot_be_read,
		descriptions,
		names_of_other_tables,
		long_and_odd_texts,
		kinds_are_in_the_manual,
	};

	return run_tree_tests("lint_tree", tests, sizeof(tests) / sizeof(*tests));
}
