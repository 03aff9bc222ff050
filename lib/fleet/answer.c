// SPDX-License-Identifier: GPL-2.0-only
#include "fleet/answer.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include <json-c/json.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "fleet/query.h"
#include "json/ascii.h"
#include "json/member.h"

#define MOST_PARTS 1500000 /* limit of values in an answer; 1000 rows may have 1.4 million */
#define MOST_DEPTH 8 /* an answer has 6 levels: data, result, elements, labels or value */

static const char *string(struct json_object *in, const char *key)
{
	struct json_object *found = json_member(in, key, json_type_string);

	return found ? json_object_get_string(found) : NULL;
}

static int no_answer(struct err *err, const char *why)
{
	return err__set(err, EBADMSG, "not an answer of Prometheus: %s", why);
}

/*
 * Return: an upper limit of the number of values, from the number of characters that precede
 * values. It is needed since short values of JSON take fifty times as much memory as their text.
 */
static size_t count_parts(const char *text, size_t len)
{
	bool quoted = false;
	size_t nr = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			quoted = !quoted;
		else if (quoted)
			i += text[i] == '\\';
		else
			nr += text[i] == '[' || text[i] == '{' || text[i] == ',';
	}
	return nr;
}

static int fleet_answer__parse(struct fleet_answer *answer, const char *text, size_t len,
			       struct err *err)
{
	auto_text ascii = json_ascii(text, len);
	struct json_tokener *tok;
	enum json_tokener_error code;
	size_t end;

	if (ascii) {
		text = ascii;
		len = strlen(ascii);
	}
	if (len > INT_MAX)
		return no_answer(err, "it is too long");
	if (count_parts(text, len) > MOST_PARTS)
		return no_answer(err, "it has too many values");
	tok = xchecked(json_tokener_new_ex(MOST_DEPTH));
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8 |
					    JSON_TOKENER_ALLOW_TRAILING_CHARS);
	answer->json = json_tokener_parse_ex(tok, text, len);
	code = json_tokener_get_error(tok);
	end = json_tokener_get_parse_end(tok);
	json_tokener_free(tok);
	/* More text could follow: the text ends within an object, or after a number. */
	if (code == json_tokener_continue)
		return no_answer(err, "its JSON ends too early");
	if (code != json_tokener_success)
		return err__set(err, EBADMSG, "not an answer of Prometheus: JSON: %s",
				json_tokener_error_desc(code));
	while (end < len && strchr(" \t\r\n", text[end]) && text[end])
		end++;
	if (end < len)
		return no_answer(err, "text after its JSON");
	return json_object_is_type(answer->json, json_type_object)
		       ? 0
		       : no_answer(err, "its JSON is not an object");
}

/* Read a value like [1700000000.1, "12.5"]: the time, and a text, since JSON has no NaN. */
static int fleet_answer__read_value(struct json_object *pair, double *time, double *value,
				    struct err *err)
{
	struct json_object *at, *text;
	const char *number;

	if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
		return no_answer(err, "a value is not a pair");
	at = json_object_array_get_idx(pair, 0);
	text = json_object_array_get_idx(pair, 1);
	if (!json_object_is_type(text, json_type_string) ||
	    (!json_object_is_type(at, json_type_double) && !json_object_is_type(at, json_type_int)))
		return no_answer(err, "a value is not a time and a text");
	*time = json_object_get_double(at);
	number = json_object_get_string(text);
	*value = NAN;
	if (!strcmp(number, "NaN") || !strcmp(number, "+Inf") || !strcmp(number, "-Inf"))
		return 0;
	return num__parse_double("a value", number, value, NULL)
		       ? no_answer(err, "a value is not a number")
		       : 0;
}

static int check_labels(struct json_object *labels, struct err *err)
{
	json_object_object_foreach(labels, name, value)
	{
		if (!fleet__is_label(name, strlen(name)) ||
		    !json_object_is_type(value, json_type_string))
			return no_answer(err, "a label is not a name with a text");
	}
	return 0;
}

static int read_sample(struct fleet_answer *answer, struct json_object *element, struct err *err)
{
	struct fleet_sample sample = {.labels = json_member(element, "metric", json_type_object)};
	struct json_object *pair = json_member(element, "value", json_type_array);
	double time = 0;
	int rc;

	if (!sample.labels || !pair)
		return no_answer(err, "a result has no labels and value");
	rc = check_labels(sample.labels, err)
		     ?: fleet_answer__read_value(pair, &time, &sample.value, err);
	if (rc || !isfinite(sample.value))
		return rc;
	if (!answer->samples.nr)
		answer->time = time;
	vec__push(&answer->samples, sample);
	return 0;
}

static int read_data(struct fleet_answer *answer, struct err *err)
{
	struct json_object *data = json_member(answer->json, "data", json_type_object), *result;
	const char *type = string(data, "resultType");
	size_t nr;
	int rc = 0;

	result = json_member(data, "result", json_type_array);
	if (!type || !result || strcmp(type, "vector"))
		return no_answer(err, "it has no vector");
	nr = json_object_array_length(result);
	for (size_t i = 0; !rc && i < nr; i++)
		rc = read_sample(answer, json_object_array_get_idx(result, i), err);
	return rc;
}

static void read_warnings(struct fleet_answer *answer)
{
	struct json_object *list = json_member(answer->json, "warnings", json_type_array), *at;
	size_t nr = list ? json_object_array_length(list) : 0;

	for (size_t i = 0; i < nr; i++) {
		at = json_object_array_get_idx(list, i);
		if (json_object_is_type(at, json_type_string))
			vec__push(&answer->warnings, json_object_get_string(at));
	}
}

int fleet_answer__read(struct fleet_answer *answer, const char *text, size_t len, struct err *err)
{
	const char *status, *type, *words;
	int rc = fleet_answer__parse(answer, text, len, err);

	if (rc)
		return rc;
	status = string(answer->json, "status");
	if (status && !strcmp(status, "error")) {
		type = string(answer->json, "errorType");
		words = string(answer->json, "error");
		err__set(err, EREMOTEIO, "%s: %s", type && *type ? type : "error",
			 words && *words ? words : "without a message");
		text__one_line(err->msg);
		return -EREMOTEIO;
	}
	if (!status || strcmp(status, "success"))
		return no_answer(err, "it has neither success nor error");
	read_warnings(answer);
	return read_data(answer, err);
}

void fleet_answer__free(struct fleet_answer *answer)
{
	vec__free(&answer->samples);
	vec__free(&answer->warnings);
	json_object_put(answer->json);
	answer->json = NULL;
}

const char *fleet_sample__label(const struct fleet_sample *sample, const char *name)
{
	return string(sample->labels, name) ?: "";
}
