/* SPDX-License-Identifier: GPL-2.0-only */
/* Making a metric of the kernel's form: what its parts share. */
#ifndef TMA_JSON_PERFMON_METRIC_H
#define TMA_JSON_PERFMON_METRIC_H

#include <stdbool.h>

#include "base/sb.h"
#include "json/perfmon.h"

#define WORD_MAX 256 /* bytes of a name, with its NUL */
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:="

struct err;

/**
 * struct making - a metric being made
 * @json:    of Intel's form
 * @metrics: those of its file
 * @out:     the expression as far as it is written
 */
struct making {
	const struct perfmon *p;
	struct json_object *json;
	const struct perfmon_metrics *metrics;
	struct sb out;
	struct err *err;
};

/**
 * making__expr() - write the expression
 *
 * From "Formula", in which letters stand for events and constants; TMA metrics have a "BaseFormula"
 * over other metrics, which is the shorter. What compares with ">=" or "<=" is rewritten.
 *
 * Return: 0, or -EINVAL when something is named that there is not.
 */
int making__expr(struct making *m);

/** perfmon__or_equal() - length of a ">=" or "<=" that stands here, blanks in it included, or 0. */
size_t perfmon__or_equal(const char *at);

/**
 * perfmon__rewrite_or_equal() - write comparisons with ">=" and "<=" as the run time knows them
 * @expr: "a >= b + c" becomes "(1 - (a < b + c))"
 * @logic_is_weaker: & | and ^ bind weaker than comparisons, as in thresholds, which the run time
 *        reads as they are; in expressions of the JSON they bind tighter
 *
 * Return: 0; -EINVAL when a side is missing.
 */
int perfmon__rewrite_or_equal(struct sb *expr, bool logic_is_weaker, struct err *err);

/** perfmon__is_tma() - whether a metric is of the TMA tree. */
bool perfmon__is_tma(struct json_object *json);
/** perfmon__is_percent() - whether its formula has a factor of 100, which perf has in the unit. */
bool perfmon__is_percent(struct json_object *json);
/** perfmon__put_name() - its name: "Frontend_Bound" of the tree is tma_frontend_bound. */
void perfmon__put_name(struct json_object *json, struct sb *sb);

#endif
