// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first line has a selection and a duration; the rest is an answer of Prometheus. A selection
 * that is accepted cannot end the braces around it. Every sample of an answer has labels and a
 * number, and sorting the nodes of a tree loses none of them.
 */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "fleet/answer.h"
#include "fleet/forest.h"
#include "fleet/query.h"
#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

/* This check differs from the parser's: outside quotes there are only names and operators. */
static void check_braces(const char *text)
{
	char quote = '\0';

	for (; *text; text++) {
		if (quote && *text == '\\')
			text++;
		else if (quote)
			quote = *text == quote ? '\0' : quote;
		else if (*text == '"' || *text == '\'')
			quote = *text;
		else
			fuzz_check(!strchr("{}[]()#`", *text), "%s", text);
		fuzz_check(*text);
	}
	fuzz_check(!quote);
}

static void check_words(const char *words)
{
	auto_free(sb) query = SB_INIT;
	struct fleet_question q = {.unit = "slots", .window = "10m", .selection = words};
	struct err err = ERR_INIT;
	int rc = fleet__check_selection("--select", words, &err);

	if (rc) {
		fuzz__check_error(rc, &err);
	} else {
		check_braces(words);
		fleet__put_rate(&query, &q, FLEET_CGROUPS, "a=\"b\"");
		fuzz_check(fleet__selects(words, "cgroup") !=
				   !!strstr(sb__str(&query), "!~\"/?\"") ||
			   strstr(words, "!~\"/?\""));
	}
	rc = fleet__check_duration("--window", words, &err);
	if (rc)
		fuzz__check_error(rc, &err);
	else
		fuzz_check(strspn(words, "0123456789ywdhms") == strlen(words), "%s", words);
	sb__clear(&query);
	fleet__put_quoted(&query, words);
	check_braces(sb__str(&query));
}

static int count(const struct fleet_forest *forest)
{
	const struct fleet_tree *tree;
	int nr = 0;

	vec__for_each (tree, &forest->trees)
		nr += tree->nodes.nr;
	return nr;
}

static void check_forest(const struct fleet_answer *answer)
{
	struct fleet_forest forest = FLEET_FOREST_INIT;
	struct err err = ERR_INIT;
	const struct fleet_tree *tree;
	const struct fleet_node *node;
	int nr, rc = fleet_forest__add(&forest, answer, FLEET_RATES, "instance", 0, &err);

	if (rc)
		fuzz__check_error(rc, &err);
	nr = count(&forest);
	fleet_forest__sort(&forest);
	fuzz_check(count(&forest) == nr);
	vec__for_each (tree, &forest.trees) {
		fuzz_check(fleet_forest__find(&forest, tree->name) == tree);
		node = fleet_tree__worst(tree, 2, 0);
		fuzz_check(!node || (node->level <= 2 && !isnan(node->rate[0])));
		fleet_tree__lost(tree, 0);
		vec__for_each (node, &tree->nodes)
			fuzz_check(node->metric && node->parent && node->level > 0);
	}
	fleet_forest__free(&forest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	size_t first = end ? (size_t)(end - data) : size, rest = end ? size - first - 1 : 0;
	auto_free(fleet_answer) answer = FLEET_ANSWER_INIT;
	char *words = fuzz__text(data, first), *text = fuzz__text(end ? end + 1 : data, rest);
	const struct fleet_sample *sample;
	struct err err = ERR_INIT;
	int rc;

	check_words(words);
	rc = fleet_answer__read(&answer, text, rest, &err);
	if (rc)
		fuzz__check_error(rc, &err);
	vec__for_each (sample, &answer.samples)
		fuzz_check(isfinite(sample->value) && fleet_sample__label(sample, "metric"));
	check_forest(&answer);
	free(words);
	free(text);
	return 0;
}
