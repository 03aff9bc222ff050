/* SPDX-License-Identifier: GPL-2.0-only */
/* A member of a JSON object that a file or an answer should have, but need not. */
#ifndef TMA_JSON_MEMBER_H
#define TMA_JSON_MEMBER_H

#include <json-c/json.h>

/**
 * json_member() - find a member of a type
 * @in: an object; of anything else, NULL among it, nothing is a member
 *
 * Return: the member, which @in owns; NULL when there is none, or it has another type.
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
