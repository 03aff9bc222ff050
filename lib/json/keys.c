// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "json/keys.h"

#define DEPTH_MAX 64 /* more than the parser takes */

/* Behind the string which begins at @at; the text is valid, so that it ends. */
static const char *string_end(const char *at)
{
	for (at++;;) {
		at += strcspn(at, "\"\\");
		if (*at == '"')
			return at + 1;
		at += 2; /* the backslash and what it stands before */
	}
}

/* Members that the text gives to objects: there are as many colons outside of strings. */
static int members_written(const char *text, const char *end)
{
	const char *at = text;
	int nr = 0;

	while (at < end) {
		at += strcspn(at, "\":");
		if (at >= end)
			break;
		if (*at == '"') {
			at = string_end(at);
			continue;
		}
		nr++;
		at++;
	}
	return nr;
}

static int members_kept(struct json_object *json)
{
	int nr = 0;

	switch (json_object_get_type(json)) {
	case json_type_object:
		nr = json_object_object_length(json);
		json_object_object_foreach(json, key, value) {
			(void)key;
			nr += members_kept(value);
		}
		break;
	case json_type_array:
		for (size_t i = 0; i < json_object_array_length(json); i++)
			nr += members_kept(json_object_array_get_idx(json, i));
		break;
	default:
		break;
	}
	return nr;
}

/* Remember a key of the object which is open. Return: 1 when it is there already. */
static int note_key(struct strmap **seen, const char *from, const char *to)
{
	char *key;
	int rc;

	if (!*seen)
		*seen = strmap__new();
	key = strndup(from, to - from);
	rc = *seen && key ? strmap__get(*seen, key) >= 0 : -ENOMEM;
	if (!rc)
		rc = strmap__put(*seen, key, 0);
	free(key);
	return rc;
}

static int find_double(const char *text, const char *end, const char **key, size_t *key_len)
{
	struct strmap *seen[DEPTH_MAX] = { NULL };
	const char *at = text, *after;
	int depth = 0, rc = 0;

	while (!rc && (at += strcspn(at, "\"{}")) < end) {
		if (*at == '"') {
			after = string_end(at);
			if (after[strspn(after, " \t\r\n")] == ':') {
				rc = note_key(&seen[depth], at + 1, after - 1);
				*key = at + 1;
				*key_len = after - 1 - *key;
			}
			at = after;
			continue;
		}
		if (*at == '{' && depth + 1 < DEPTH_MAX) {
			depth++;
		} else if (*at == '}' && depth) {
			strmap__free(seen[depth]);
			seen[depth--] = NULL;
		}
		at++;
	}
	for (int i = 0; i < DEPTH_MAX; i++)
		strmap__free(seen[i]);
	return rc;
}

int keys__double(struct json_object *json, const char *text, size_t len, const char **key,
		 size_t *key_len)
{
	int rc;

	/* Counting is enough for nearly all of them, and looks nothing up. */
	if (members_written(text, text + len) == members_kept(json))
		return 0;
	rc = find_double(text, text + len, key, key_len);
	if (rc)
		return rc;
	*key = text;
	*key_len = 0;
	return 1;
}
