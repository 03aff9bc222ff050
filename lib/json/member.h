/* SPDX-License-Identifier: GPL-2.0-only */
/* Members of JSON objects that may be missing or of another type. */
#ifndef TMA_JSON_MEMBER_H
#define TMA_JSON_MEMBER_H

#include <json-c/json.h>

/**
 * json_member() - find a member of a given type
 * @in: an object; other values, and NULL, have no members
 *
 * Return: the member, which @in owns; NULL if the object lacks the member, or the member has
 * another type.
 */
static inline struct json_object *json_member(struct json_object *in, const char *key,
					      enum json_type type)
{
	struct json_object *found;

	return json_object_object_get_ex(in, key, &found) && json_object_is_type(found, type) ?
		       found :
		       NULL;
}

#endif
