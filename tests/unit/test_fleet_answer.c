// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "fleet/answer.h"
#include "fleet/forest.h"
#include "fleet/query.h"
#include "unit.h"

#define VECTOR(results) \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[" results "]}}"
#define NODE(host, metric, parent, level, value)                                                \
	"{\"metric\":{\"instance\":\"" host "\",\"metric\":\"" metric "\",\"parent\":\"" parent \
	"\",\"level\":\"" level "\"},\"value\":[1.5,\"" value "\"]}"

static int read_text(struct fleet_answer *answer, const char *text, struct err *err)
{
	return fleet_answer__read(answer, text, strlen(text), err);
}

START_TEST(samples_have_labels_and_numbers)
{
	auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
	struct err err = ERR_INIT;

	ck_assert_int_eq(read_text(&answer,
				   VECTOR(NODE("a", "x", "y", "1", "1.5e3") "," NODE(
					   "b", "x", "y", "1", "NaN") "," NODE("c", "x", "y", "1",
									       "+Inf")) "\n",
				   &err),
			 0);
	ck_assert_int_eq(answer.samples.nr, 1);
	ck_assert_double_eq(answer.samples.at[0].value, 1500);
	ck_assert_double_eq(answer.time, 1.5);
	ck_assert_str_eq(fleet_sample__label(&answer.samples.at[0], "instance"), "a");
	ck_assert_str_eq(fleet_sample__label(&answer.samples.at[0], "none"), "");
}
END_TEST

START_TEST(labels_have_any_characters)
{
	auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
	struct err err = ERR_INIT;

	ck_assert_msg(!read_text(&answer, VECTOR(NODE("h\xc3\xb6st", "x", "y", "1", "2")), &err),
		      "%s", err.msg);
	ck_assert_str_eq(fleet_sample__label(&answer.samples.at[0], "instance"), "h\xc3\xb6st");
}
END_TEST

START_TEST(texts_that_are_not_answers_are_refused)
{
	static const struct {
		const char *text;
		int code;
		const char *why;
	} cases[] = {
		{"", EBADMSG, "ends too early"},
		{"[1]", EBADMSG, "not an object"},
		{"{}", EBADMSG, "neither success nor error"},
		{VECTOR("") "x", EBADMSG, "text after"},
		{VECTOR("1"), EBADMSG, "no labels and value"},
		{VECTOR("{\"metric\":{\"a\":1},\"value\":[1,\"1\"]}"), EBADMSG, "a label"},
		{VECTOR("{\"metric\":{\"a}\":\"1\"},\"value\":[1,\"1\"]}"), EBADMSG, "a label"},
		{VECTOR("{\"metric\":{},\"value\":[1,1]}"), EBADMSG, "time and a text"},
		{VECTOR("{\"metric\":{},\"value\":[1,\"1x\"]}"), EBADMSG, "not a number"},
		{"{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"too late\"}",
		 EREMOTEIO, "timeout: too late"},
		{"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}",
		 EBADMSG, "no vector"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
		struct err err = ERR_INIT;

		ck_assert_int_eq(read_text(&answer, cases[i].text, &err), -cases[i].code);
		ck_assert_msg(strstr(err.msg, cases[i].why), "%s: %s", cases[i].text, err.msg);
	}
}
END_TEST

START_TEST(nodes_follow_their_parents_the_largest_first)
{
	static const char *const wanted[] = {
		"tma_retiring", "tma_backend_bound", "tma_memory_bound", "tma_core_bound", "one",
		"other"};
	auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
	struct fleet_forest forest = FLEET_FOREST_INIT;
	struct err err = ERR_INIT;
	const struct fleet_tree *tree;

	/* The last two nodes are each other's parents. */
	ck_assert_int_eq(
		read_text(
			&answer,
			VECTOR(NODE("a", "tma_core_bound", "tma_backend_bound", "2", "10") "," NODE(
				"a", "total", "", "0",
				"100") "," NODE("a", "tma_memory_bound", "tma_backend_bound", "2",
						"30") "," NODE("a", "tma_backend_bound", "total",
							       "1",
							       "40") "," NODE("a", "tma_retiring",
									      "total", "1",
									      "60") "," NODE("a",
											     "one",
											     "othe"
											     "r",
											     "3",
											     "2") "," NODE("a",
													   "other",
													   "one",
													   "3",
													   "1")),
			&err),
		0);
	ck_assert_int_eq(fleet_forest__add(&forest, &answer, FLEET_RATES, "instance", 0, &err), 0);
	fleet_forest__sort(&forest);
	tree = fleet_forest__find(&forest, "a");
	ck_assert_int_eq(tree->nodes.nr, 6);
	for (int i = 0; i < 6; i++)
		ck_assert_str_eq(tree->nodes.at[i].metric, wanted[i]);
	ck_assert_int_eq(tree->nodes.at[2].depth, 1);
	ck_assert_str_eq(fleet_tree__worst(tree, 2, 0)->metric, "tma_memory_bound");
	ck_assert_double_eq(fleet_tree__lost(tree, 0), 40);
	ck_assert(isnan(fleet_tree__lost(tree, 1)));
	ck_assert_ptr_null(fleet_forest__find(&forest, "b"));
	fleet_forest__free(&forest);
}
END_TEST

/* Put the slots of each level, and the node that most slots are lost in. */
START_TEST(the_worst_node_is_of_a_level_that_has_most_of_the_one_above)
{
	static const struct {
		const char *memory, *core, *latency, *l3, *wanted;
	} cases[] = {
		{"300", "150", "350", "0", "tma_fetch_latency"}, /* 800 of 1000 */
		{"299", "150", "350", "0", "tma_backend_bound"},
		{"400", "250", "350", "900", "tma_l3_bound"},
		{"400", "250", "350", "700", "tma_memory_bound"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
		struct fleet_forest forest = FLEET_FOREST_INIT;
		auto_free(sb) text = SB_INIT;
		struct err err = ERR_INIT;

		/* Slots that retire, and slots of the other thread, are not lost. */
		sb__printf(
			&text,
			VECTOR(NODE("", "tma_backend_bound", "total", "1", "650") "," NODE("", "tma_frontend_bound", "total", "1", "350") "," NODE(
				"", "smt_contention", "total", "1",
				"5000") "," NODE("", "tma_retiring", "total", "1",
						 "9000") "," NODE("", "tma_light_operations",
								  "tma_retiring", "2",
								  "9000") "," NODE("",
										   "tma_memory_"
										   "bound",
										   "tma_backend_"
										   "bound",
										   "2",
										   "%s") "," NODE("",
												  "tma_core_bound",
												  "tma_backend_bound",
												  "2",
												  "%s") "," NODE("",
														 "tma_fetch_latency",
														 "tma_frontend_bound",
														 "2",
														 "%s") "," NODE("",
																"tma_l3_bound",
																"tma_memory_bound",
																"3",
																"%s")),
			cases[i].memory, cases[i].core, cases[i].latency, cases[i].l3);
		ck_assert_msg(!read_text(&answer, sb__str(&text), &err), "%s", err.msg);
		ck_assert_int_eq(
			fleet_forest__add(&forest, &answer, FLEET_RATES, "instance", 0, &err), 0);
		fleet_forest__sort(&forest);
		ck_assert_str_eq(fleet_tree__worst(&forest.trees.at[0], 9, 0)->metric,
				 cases[i].wanted);
		fleet_forest__free(&forest);
	}
}
END_TEST

START_TEST(a_name_in_a_regular_expression_matches_itself_alone)
{
	auto_free(sb) name = SB_INIT;
	auto_free(sb) query = SB_INIT;

	fleet__put_exactly(&name, "a.b|c\"\\\n");
	fleet__put_quoted(&query, sb__str(&name));
	ck_assert_str_eq(sb__str(&query), "\"a\\\\.b\\\\|c\\\"\\\\\\\\\\n\"");
}
END_TEST

START_TEST(a_selection_is_put_between_the_braces)
{
	struct fleet_question q = {
		.unit = "cycles", .window = "5m", .offset = "1d", .selection = "a=\"cgroup=\" , "};
	auto_free(sb) query = SB_INIT;

	fleet__put_rate(&query, &q, FLEET_HOSTS, "level=\"0\"");
	ck_assert_str_eq(sb__str(&query), "rate(tma_cycles_total{level=\"0\",cgroup=~\"/?\","
					  "a=\"cgroup=\"}[5m] offset 1d)");
	ck_assert(fleet__selects("x=\"y\", cgroup != 'z'", "cgroup"));
	ck_assert(!fleet__selects("x=\"cgroup=\"", "cgroup"));
}
END_TEST

TMA_TEST_MAIN(fleet_answer, samples_have_labels_and_numbers, labels_have_any_characters,
	      texts_that_are_not_answers_are_refused, nodes_follow_their_parents_the_largest_first,
	      the_worst_node_is_of_a_level_that_has_most_of_the_one_above,
	      a_name_in_a_regular_expression_matches_itself_alone,
	      a_selection_is_put_between_the_braces)
