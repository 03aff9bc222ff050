// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "json/file.h"

#define FILE_MAX (64u << 20) /* the largest file of the kernel tree has under 2 MB */

int json_file__open(struct json_file *file, const char *path, struct err *err)
{
	int rc;

	*file = (struct json_file){ .path = path, .line = 1, .lines = 1 };
	rc = file__read(path, FILE_MAX, &file->text, &file->len, err);
	if (rc)
		return rc;
	file->tok = json_tokener_new();
	if (!file->tok) {
		json_file__close(file);
		return err__set(err, ENOMEM, "%s: out of memory", path);
	}
	json_tokener_set_flags(file->tok, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS |
						  JSON_TOKENER_VALIDATE_UTF8);
	return 0;
}

/* The line of a place in the text, which is never before the last one asked for. */
static int line_at(struct json_file *file, size_t pos)
{
	for (; file->counted < pos; file->counted++)
		file->lines += file->text[file->counted] == '\n';
	return file->lines;
}

static int fail_at(struct json_file *file, size_t pos, const char *why, struct err *err)
{
	if (pos > file->len)
		pos = file->len;
	return err__set(err, EINVAL, "%s:%d: %s", file->path, line_at(file, pos), why);
}

/* The next byte that is no blank, or 0 at the end. */
static char peek(struct json_file *file)
{
	file->pos += strspn(file->text + file->pos, " \t\r\n");
	return file->pos < file->len ? file->text[file->pos] : '\0';
}

static int read_value(struct json_file *file, struct json_object **out, struct err *err)
{
	enum json_tokener_error jerr;
	size_t end;

	file->line = line_at(file, file->pos);
	json_tokener_reset(file->tok);
	*out = json_tokener_parse_ex(file->tok, file->text + file->pos,
				     (int)(file->len - file->pos));
	jerr = json_tokener_get_error(file->tok);
	end = file->pos + json_tokener_get_parse_end(file->tok);
	if (jerr == json_tokener_continue)
		return err__set(err, EINVAL, "%s:%d: the file ends within this value", file->path,
				file->line);
	if (jerr != json_tokener_success) {
		json_object_put(*out);
		return fail_at(file, end, json_tokener_error_desc(jerr), err);
	}
	file->pos = end;
	return 0;
}

int json_file__next(struct json_file *file, struct json_object **out, struct err *err)
{
	char c = peek(file);
	int rc;

	if (!file->nr) {
		if (c != '[')
			return fail_at(file, file->pos, "expected '[', an array of events", err);
		file->pos++;
		c = peek(file);
	} else if (c == ',') {
		file->pos++;
		if (peek(file) == ']')
			return fail_at(file, file->pos, "comma before the end of the array", err);
	} else if (c != ']') {
		return fail_at(file, file->pos, "expected ',' or ']' behind an element", err);
	}
	if (c == ']') {
		file->pos++;
		if (peek(file))
			return fail_at(file, file->pos, "text behind the end of the array", err);
		return 0;
	}
	file->nr++;
	rc = read_value(file, out, err);
	return rc ? rc : 1;
}

int json_file__whole(struct json_file *file, struct json_object **out, struct err *err)
{
	int rc;

	peek(file);
	rc = read_value(file, out, err);
	if (!rc && peek(file)) {
		json_object_put(*out);
		rc = fail_at(file, file->pos, "text behind the end of the value", err);
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
