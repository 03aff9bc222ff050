// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/ascii.h"
#include "json/file.h"

#define DEPTH_MAX 64 /* more than the JSON parser's own limit */
#define FILE_MAX (64u << 20) /* in bytes; files in the kernel's tree have less than 2 MB */

/* Find the line of a place in the text; calls must ask for places in ascending order. */
static int line_at(struct json_file *file, size_t pos)
{
	const char *at = file->text + file->counted, *end = file->text + pos;

	while (at < end && (at = memchr(at, '\n', end - at))) {
		file->lines++;
		at++;
	}
	if (pos > file->counted)
		file->counted = pos;
	return file->lines;
}

static int fail_at(struct json_file *file, size_t pos, const char *why, struct err *err)
{
	if (pos > file->len)
		pos = file->len;
	file->line = line_at(file, pos);
	return err__set(err, EINVAL, "%s", why);
}

static int check_bytes(struct json_file *file, struct err *err)
{
	size_t len = strlen(file->text);

	/* Functions that read the text would stop at a NUL. */
	if (len != file->len)
		return fail_at(file, len, "NUL byte", err);
	len = text__utf8_span(file->text, file->len);
	return len == file->len ? 0 : fail_at(file, len, "the text is not UTF-8 here", err);
}

int json_file__read(const char *path, char **text, size_t *len, struct err *err)
{
	return file__read(path, FILE_MAX, text, len, err);
}

int json_file__open(struct json_file *file, const char *path, struct err *err)
{
	char *text;
	size_t len;
	int rc;

	*file = (struct json_file){ .path = path, .lines = 1 };
	rc = file__read_regular(path, FILE_MAX, &text, &len, err);
	return rc ? rc : json_file__open_text(file, path, text, len, err);
}

int json_file__open_text(struct json_file *file, const char *path, char *text, size_t len,
			 struct err *err)
{
	char *ascii;
	int rc;

	*file = (struct json_file){ .path = path, .lines = 1, .text = text, .len = len };
	rc = check_bytes(file, err);
	if (rc) {
		json_file__close(file);
		return rc;
	}
	/* Editors may insert a byte order mark, which RFC 8259 allows a parser to ignore. */
	if (text__has_prefix(text, "\xef\xbb\xbf"))
		memset(text, ' ', 3);
	ascii = json_ascii(text, len);
	if (ascii) {
		free(text);
		file->text = ascii;
		file->len = strlen(ascii);
	}
	file->tok = json_tokener_new();
	json_tokener_set_flags(file->tok, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
	file->line = 1;
	return 0;
}

/* Skip to the next byte that is not a blank. Return: that byte, or 0 at the end. */
static char peek(struct json_file *file)
{
	file->pos += strspn(file->text + file->pos, " \t\r\n");
	return file->pos < file->len ? file->text[file->pos] : '\0';
}

/* Find the end of the string that begins at @at, in valid JSON. */
static const char *string_end(const char *at)
{
	for (at++;;) {
		at += strcspn(at, "\"\\");
		if (*at == '"')
			return at + 1;
		at += 2; /* skip the backslash and the character after it */
	}
}

/* Count the members of all objects in a text, by the colons outside of strings. */
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

/*
 * Find a key that occurs twice in an object. Objects are numbered, and each key is stored with the
 * number of its object.
 */
static const char *find_double_key(const char *text, const char *end, int *len)
{
	int objects[DEPTH_MAX] = { 0 }, depth = 0, nr_objects = 0, nr = 0;
	struct strmap *seen = strmap__new();
	struct sb name = SB_INIT;
	const char *at = text, *key = NULL;

	while (nr == strmap__nr(seen) && (at += strcspn(at, "\"{}")) < end) {
		if (*at == '"') {
			key = at + 1;
			at = string_end(at);
			*len = at - 1 - key;
			if (at[strspn(at, " \t\r\n")] != ':')
				continue;
			sb__clear(&name);
			sb__printf(&name, "%d:%.*s", objects[depth], *len, key);
			strmap__put(seen, name.buf, nr++);
			continue;
		}
		if (*at == '{' && depth + 1 < DEPTH_MAX)
			objects[++depth] = ++nr_objects;
		else if (*at == '}' && depth)
			depth--;
		at++;
	}
	if (nr == strmap__nr(seen))
		key = NULL;
	strmap__free(seen);
	sb__free(&name);
	return key;
}

/*
 * Refuse a value with an object that has a key twice: json-c's parser silently keeps one of the
 * members.
 */
static int check_keys(struct json_file *file, size_t end, struct json_object *json, struct err *err)
{
	const char *text = file->text + file->pos, *text_end = file->text + end;
	const char *key;
	char why[128];
	int len = 0;

	/* Compare numbers of members first: nearly all values need no look-ups of keys. */
	if (members_written(text, text_end) == members_kept(json))
		return 0;
	key = find_double_key(text, text_end, &len);
	if (key) {
		snprintf(why, sizeof(why), "key %.*s appears twice in one object",
			 len < 64 ? len : 64, key);
		return fail_at(file, key - file->text, why, err);
	}
	/* The two keys are spelt differently ("\u0041" and "A"). */
	return fail_at(file, file->pos, "key appears twice in one object", err);
}

static int json_file__read_value(struct json_file *file, struct json_object **out, struct err *err)
{
	enum json_tokener_error jerr;
	size_t end;
	int rc;

	file->line = line_at(file, file->pos);
	json_tokener_reset(file->tok);
	*out = json_tokener_parse_ex(file->tok, file->text + file->pos,
				     (int)(file->len - file->pos));
	jerr = json_tokener_get_error(file->tok);
	end = file->pos + json_tokener_get_parse_end(file->tok);
	if (jerr == json_tokener_continue)
		return err__set(err, EINVAL, "the file ends within this value");
	if (jerr != json_tokener_success) {
		json_object_put(*out);
		return fail_at(file, end, json_tokener_error_desc(jerr), err);
	}
	rc = check_keys(file, end, *out, err);
	if (rc) {
		json_object_put(*out);
		return rc;
	}
	file->pos = end;
	return 0;
}

/* Read the name of a member, and the colon. Return: 1 if the name is @want, 0 if not, or -errno. */
static int read_key(struct json_file *file, const char *want, struct err *err)
{
	struct json_object *json;
	bool is;
	int rc;

	if (peek(file) != '"')
		return fail_at(file, file->pos, "expected a member of the object", err);
	rc = json_file__read_value(file, &json, err);
	if (rc)
		return rc;
	is = !strcmp(json_object_get_string(json), want);
	json_object_put(json);
	if (peek(file) != ':')
		return fail_at(file, file->pos, "expected ':' after the name of a member", err);
	file->pos++;
	peek(file);
	return is;
}

static int skip_value(struct json_file *file, struct err *err)
{
	struct json_object *json;
	int rc = json_file__read_value(file, &json, err);

	if (!rc)
		json_object_put(json);
	return rc;
}

/* Check that the rest of the file has only other members of its object. */
static int read_end(struct json_file *file, struct err *err)
{
	char c;
	int rc;

	while (file->in_member) {
		c = peek(file);
		if (c != ',' && c != '}')
			return fail_at(file, file->pos, "expected ',' or '}' after a member", err);
		file->pos++;
		if (c == '}')
			break;
		rc = read_key(file, "", err);
		if (rc >= 0)
			rc = skip_value(file, err);
		if (rc)
			return rc;
	}
	if (peek(file))
		return fail_at(file, file->pos, "text after the end of the array", err);
	return 0;
}

int json_file__next(struct json_file *file, struct json_object **out, struct err *err)
{
	char c = peek(file);
	int rc;

	if (!file->nr) {
		if (c != '[' && telemetry__is_text(file->text))
			return telemetry__refuse(err);
		if (c != '[')
			return fail_at(file, file->pos, "expected '[', an array of events", err);
		file->pos++;
		c = peek(file);
	} else if (c == ',') {
		file->pos++;
		if (peek(file) == ']')
			return fail_at(file, file->pos, "comma before the end of the array", err);
	} else if (c != ']') {
		return fail_at(file, file->pos, "expected ',' or ']' after an element", err);
	}
	if (c == ']') {
		file->pos++;
		return read_end(file, err);
	}
	file->nr++;
	rc = json_file__read_value(file, out, err);
	return rc ? rc : 1;
}

int json_file__enter(struct json_file *file, const char *key, struct err *err)
{
	int rc;

	if (peek(file) != '{')
		return -ENOENT;
	while (file->pos++, peek(file) == '"') {
		rc = read_key(file, key, err);
		if (rc < 0)
			return rc;
		if (rc && peek(file) == '[') {
			file->in_member = true;
			return 0;
		}
		rc = skip_value(file, err);
		if (rc)
			return rc;
		if (peek(file) != ',')
			break;
	}
	if (peek(file) != '}')
		return fail_at(file, file->pos, "expected a member of the object or '}'", err);
	return -ENOENT;
}

int json_file__whole(struct json_file *file, struct json_object **out, struct err *err)
{
	int rc;

	peek(file);
	rc = json_file__read_value(file, out, err);
	if (!rc && peek(file)) {
		json_object_put(*out);
		rc = fail_at(file, file->pos, "text after the end of the value", err);
	}
	return rc;
}

void json_file__close(struct json_file *file)
{
	free(file->text);
	if (file->tok)
		json_tokener_free(file->tok);
	file->text = NULL;
	file->tok = NULL;
}
