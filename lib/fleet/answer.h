/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of an answer of Prometheus' HTTP API comes in; its samples come out. */
#ifndef TMA_FLEET_ANSWER_H
#define TMA_FLEET_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct err;
struct json_object;

/**
 * struct fleet_sample - a value of an instant vector
 * @labels: of the series, see fleet_sample__label(); it is the answer's
 * @value:  a number, never NaN or infinite: samples of such values are left out
 */
struct fleet_sample {
	struct json_object *labels;
	double value;
};

/**
 * struct fleet_answer - samples of an answer, and what Prometheus warned of
 * @time:     in seconds since 1970, of the first sample; 0 without one
 * @warnings: are the answer's
 */
struct fleet_answer {
	VEC(struct fleet_sample) samples;
	VEC(const char *) warnings;
	double time;
	struct json_object *json;
};

#define FLEET_ANSWER_INIT    \
	{                    \
		.json = NULL \
	}

/**
 * fleet_answer__read() - read the answer to a query whose result is an instant vector
 * @answer: FLEET_ANSWER_INIT; fleet_answer__free() it, also after a failure
 * @text:   of @len bytes, any; no NUL need stand behind it
 *
 * Return: 0; -EREMOTEIO with Prometheus' own words when it says that the query failed; -EBADMSG
 * when it is no such answer.
 */
int fleet_answer__read(struct fleet_answer *answer, const char *text, size_t len, struct err *err);
/** fleet_answer__free() - release it. */
void fleet_answer__free(struct fleet_answer *answer);
/** fleet_sample__label() - give the value of a label, "" when the series does not have it. */
const char *fleet_sample__label(const struct fleet_sample *sample, const char *name);

#endif
