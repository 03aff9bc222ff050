/* SPDX-License-Identifier: GPL-2.0-only */
/* An expression as text again. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/vec.h"
#include "metrics/expr.h"
#include "metrics/literal.h"

/* What stands before, between and behind the operands. */
static const char *const spelling[][4] = {
	[EXPR_IF] = { "(", " if ", " else ", ")" },
	[EXPR_OR] = { "(", " | ", ")" },
	[EXPR_XOR] = { "(", " ^ ", ")" },
	[EXPR_AND] = { "(", " & ", ")" },
	[EXPR_LESS] = { "(", " < ", ")" },
	[EXPR_GREATER] = { "(", " > ", ")" },
	[EXPR_SUB] = { "(", " - ", ")" },
	[EXPR_ADD] = { "(", " + ", ")" },
	[EXPR_MUL] = { "(", " * ", ")" },
	[EXPR_DIV] = { "(", " / ", ")" },
	[EXPR_MOD] = { "(", " % ", ")" },
	[EXPR_D_RATIO] = { "d_ratio(", ", ", ")" },
	[EXPR_MIN] = { "min(", ", ", ")" },
	[EXPR_MAX] = { "max(", ", ", ")" },
	[EXPR_NEG] = { "-", "" },
};

static void print_id(const char *id, struct sb *sb)
{
	for (; *id; id++) {
		if (strchr("-,=", *id))
			sb__putc(sb, '\\');
		sb__putc(sb, *id);
	}
}

static void print_call(const char *name, const char *id, struct sb *sb)
{
	sb__printf(sb, "%s(", name);
	print_id(id, sb);
	sb__putc(sb, ')');
}

static void print_number(double number, struct sb *sb)
{
	char text[32];
	char *plus;

	if (isnan(number)) {
		sb__puts(sb, "NaN");
		return;
	}
	/* An exponent's plus sign is no part of a number in this language. */
	snprintf(text, sizeof(text), "%.17g", number);
	plus = strchr(text, '+');
	if (plus)
		memmove(plus, plus + 1, strlen(plus));
	sb__puts(sb, text);
}

static void print_leaf(const struct expr_node *node, struct sb *sb)
{
	switch (node->op) {
	case EXPR_NUMBER:
		print_number(node->number, sb);
		break;
	case EXPR_LITERAL:
		sb__printf(sb, "#%s", literal__name(node->literal));
		break;
	case EXPR_SOURCE_COUNT:
		print_call("source_count", node->id, sb);
		break;
	case EXPR_HAS_EVENT:
		print_call("has_event", node->id, sb);
		break;
	case EXPR_STRCMP_CPUID:
		print_call("strcmp_cpuid_str", node->id, sb);
		break;
	default:
		print_id(node->id, sb);
	}
}

static int nr_operands(enum expr_op op)
{
	if (op == EXPR_IF)
		return 3;
	return op == EXPR_NEG ? 1 : 2;
}

int expr__print(const struct expr *e, struct sb *sb)
{
	/* A stack of our own: a long chain of operators is a deep tree. */
	struct frame {
		int node, done;
	} top;
	VEC(struct frame) stack = { .at = NULL };
	int ret = vec__push(&stack, (struct frame){ .node = e->nr - 1 });

	while (!ret && stack.nr) {
		const struct expr_node *node;

		top = stack.at[--stack.nr];
		node = &e->at[top.node];
		if (!expr_op__is_operator(node->op)) {
			print_leaf(node, sb);
			continue;
		}
		sb__puts(sb, spelling[node->op][top.done]);
		if (top.done == nr_operands(node->op))
			continue;
		ret = vec__push(&stack, (struct frame){ top.node, top.done + 1 }) ?:
			      vec__push(&stack, (struct frame){ node->at[top.done], 0 });
	}
	free(stack.at);
	return ret || sb->err ? -ENOMEM : 0;
}
