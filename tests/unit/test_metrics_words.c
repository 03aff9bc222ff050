// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each node of all models' TopDown trees has a description, and each description belongs to a node.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "metrics/metrics.h"
#include "metrics/words.h"
#include "tables/tables.h"
#include "unit.h"

#define MOST_NAMES 512

/* The names in the table of descriptions, and which of them a model has. */
static struct {
	char name[64];
	int row;
	bool used;
} names[MOST_NAMES];
static int nr_names;

static void collect_names(void)
{
	int len;

	nr_names = 0;
	for (int i = 0; i < metric_words__nr(); i++) {
		text__for_each_item(name, len, metric_words__at(i)->names, ";") {
			ck_assert_int_lt(nr_names, MOST_NAMES);
			ck_assert_int_lt(len, sizeof(names[0].name));
			snprintf(names[nr_names].name, sizeof(names[0].name), "%.*s", len, name);
			names[nr_names].used = false;
			names[nr_names++].row = i;
		}
	}
}

/* Return: whether a text is a metric's name: ARM's tables have a sentence in this place. */
static bool is_name(const char *name)
{
	return !strpbrk(name, " \n");
}

static void use(const char *model, const char *name)
{
	const struct metric_words *words = metric_words__find(name);
	bool found = false;

	ck_assert_msg(words, "%s: %s has no words", model, name);
	for (int i = 0; i < nr_names; i++) {
		if (strcasecmp(names[i].name, name))
			continue;
		ck_assert_ptr_eq(words, metric_words__at(names[i].row));
		names[i].used = found = true;
	}
	ck_assert_msg(found, "%s: %s", model, name);
}

/* A node's older name has a description too, since tables that are loaded may use it. */
static bool is_older_name(const struct metric_info *info)
{
	return strstr(info->desc, "Older name of ") && metric_words__find(info->name);
}

static void use_model(const char *model)
{
	struct tables *tables = tables__find_model(model);
	struct metric_info info;

	ck_assert_ptr_nonnull(tables);
	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &info);
		if ((metrics__topdown_level(&info) && is_name(info.name)) || is_older_name(&info))
			use(model, info.name);
	}
	tables__free(tables);
}

START_TEST(each_node_of_each_model_has_words_and_none_are_unused)
{
	collect_names();
	for (int i = 0; i < tables__nr_models(); i++)
		use_model(tables__model_name(i));
	for (int i = 0; i < nr_names; i++)
		ck_assert_msg(names[i].used, "%s: no table has it", names[i].name);
}
END_TEST

START_TEST(a_name_stands_in_one_row)
{
	collect_names();
	for (int i = 0; i < nr_names; i++)
		for (int k = 0; k < i; k++)
			ck_assert_str_ne(names[i].name, names[k].name);
}
END_TEST

static void check_sentence(const char *text)
{
	size_t len = strlen(text);

	ck_assert_msg(len && len <= WORDS_MAX, "%zu columns: %s", len, text);
	ck_assert_msg(isupper(text[0]) && text[len - 1] == '.', "no sentence: %s", text);
}

START_TEST(sentences_are_short_and_end_in_a_full_stop)
{
	for (int i = 0; i < metric_words__nr(); i++) {
		const struct metric_words *w = metric_words__at(i);

		check_sentence(w->means);
		check_sentence(w->remedy);
		ck_assert_msg(*w->plain && strlen(w->plain) <= 48, "%s", w->plain);
		ck_assert_ptr_null(strchr(w->plain, '.'));
	}
}
END_TEST

START_TEST(names_are_found_in_any_case_and_only_whole)
{
	ck_assert_str_eq(metric_words__find("TMA_Dram_Bound")->plain, "DRAM");
	ck_assert_ptr_eq(metric_words__find("backend_bound"),
			 metric_words__find("tma_backend_bound"));
	ck_assert_ptr_null(metric_words__find("tma_dram"));
	ck_assert_ptr_null(metric_words__find(""));
}
END_TEST

TMA_TEST_MAIN(metrics_words, each_node_of_each_model_has_words_and_none_are_unused,
	      a_name_stands_in_one_row, sentences_are_short_and_end_in_a_full_stop,
	      names_are_found_in_any_case_and_only_whole)
