// SPDX-License-Identifier: GPL-2.0-only
/* Thresholds that are no expressions. */
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "formula/json_expr.h"
#include "json/tree.h"

/* An "=" that is no part of a name: there it has a backslash, or stands between two "@". */
static const char *bare_equals(const char *text)
{
	bool between = false;

	for (const char *at = text; *at; at++) {
		between ^= *at == '@';
		if (*at == '=' && !between && (at == text || at[-1] != '\\'))
			return at;
	}
	return NULL;
}

static int check(struct json_expr *expr, const char *text, struct err *err)
{
	const char *equals = bare_equals(text);
	int root = json_expr__parse(expr, "MetricThreshold", text, err);

	if (root < 0)
		return root;
	return equals ? err__caret(err, "MetricThreshold", text, equals - text,
				   "'=' is no operator") :
			0;
}

void tree__drop_thresholds(struct tree *tree)
{
	struct json_expr expr = { .text = SB_INIT, .syntax_only = true };
	struct tree_model *model;
	struct tree_entry *entry;

	vec__for_each(model, &tree->models) {
		vec__for_each(entry, &model->metrics) {
			uint32_t *text = &entry->event.text[TEXT_THRESHOLD];
			struct err err = ERR_INIT;

			if (!*text || !check(&expr, tree__text(tree, entry, TEXT_THRESHOLD), &err))
				continue;
			tree__report(tree, TREE_WARNING, tree->files.at[entry->file].path,
				     entry->line, "metric '%s' is without its threshold:%c%s",
				     tree__text(tree, entry, TEXT_METRIC), err__joint(err.msg),
				     err.msg);
			*text = 0;
		}
	}
	json_expr__free(&expr);
}
