/* SPDX-License-Identifier: GPL-2.0-only */
/* Read the samples in answers of Prometheus' HTTP API. */
#ifndef TMA_FLEET_ANSWER_H
#define TMA_FLEET_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct err;
struct json_object;

/**
 * struct fleet_sample - a value of an instant vector
 * @labels: labels of the series, see fleet_sample__label(); the answer owns them
 * @value:  a finite number; samples with NaN or infinity are left out
 */
struct fleet_sample {
	struct json_object *labels;
	double value;
};

/**
 * struct fleet_answer - samples and warnings of an answer
 * @time:     time of the first sample, in seconds since 1970; 0 without samples
 * @warnings: Prometheus' warnings; @json owns them
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
 * @answer: FLEET_ANSWER_INIT; call fleet_answer__free() after a failure, too
 * @text:   any text of @len bytes, without a NUL byte at its end
 *
 * Return: 0; -EREMOTEIO with Prometheus' own message if the query failed; -EBADMSG if the text is
 * not an answer.
 */
int fleet_answer__read(struct fleet_answer *answer, const char *text, size_t len, struct err *err);
/** fleet_answer__free() - release an answer. */
void fleet_answer__free(struct fleet_answer *answer);
/** fleet_sample__label() - get the value of a label; "" if the series does not have the label. */
const char *fleet_sample__label(const struct fleet_sample *sample, const char *name);

#endif
