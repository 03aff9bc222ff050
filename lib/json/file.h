/* SPDX-License-Identifier: GPL-2.0-only */
/* A path comes in; the elements of a JSON file come out, one at a time, each with its line. */
#ifndef TMA_JSON_FILE_H
#define TMA_JSON_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct json_object;
struct json_tokener;

/**
 * struct json_file - where the reading is
 * @path: as given, for messages
 * @line: from 1: where the element given last begins; after a failure, where it is wrong, which
 *        the message does not have
 * @text, @len: what is in the file
 */
struct json_file {
	const char *path;
	int line;

	char *text;
	size_t len, pos;
	size_t counted; /* bytes whose newlines are in @lines */
	int lines;
	int nr;		/* elements read */
	bool in_member; /* the array is a member of the file's object */
	struct json_tokener *tok;
};

/**
 * json_file__open() - read a file
 * @path: kept, not copied
 *
 * Return: 0 or -errno; json_file__close() it only when 0. -EFBIG for a file over 64 MiB, -EINVAL
 * for one with a NUL byte in it, and for a pipe. @line is 0 when the message names the file itself.
 */
int json_file__open(struct json_file *file, const char *path, struct err *err);

/** json_file__open_text() - use a text that was read before, NUL-terminated, and take it over. */
int json_file__open_text(struct json_file *file, const char *path, char *text, size_t len,
			 struct err *err);

/** json_file__read() - read the text of a file, which may be a pipe. Return: 0 or -errno. */
int json_file__read(const char *path, char **text, size_t *len, struct err *err);

/**
 * json_file__next() - read the next element of a file that holds one array
 * @out: set on success; json_object_put() it
 *
 * Elements are parsed singly, so that memory is that of one and an error has its line. A key that
 * an object has twice is an error, and so is nesting of more than 32 levels.
 *
 * Return: 1 with @out set, 0 at the end of the array, or -errno.
 */
int json_file__next(struct json_file *file, struct json_object **out, struct err *err);

/**
 * json_file__enter() - go to the array which a member of the file's object holds
 * @key: name of the member; those before it are passed over
 *
 * For files like {"Header": {...}, "Events": [...]}: json_file__next() then gives the elements.
 *
 * Return: 0; -ENOENT without a message when the object has no such member or the file holds an
 * array; -EINVAL.
 */
int json_file__enter(struct json_file *file, const char *key, struct err *err);

/** The layout of gitlab.arm.com/telemetry-solution: a file is one object, with these in it. */
#define TELEMETRY_LAYOUT "Arm's telemetry-solution repository"
#define TELEMETRY_FOLDER "data/pmu/cpu"

/** telemetry__is_text() - tell whether the text of a file is a specification of Arm's. */
bool telemetry__is_text(const char *text);
/** telemetry__is_dir() - tell whether a directory is Arm's repository, or has its models below. */
bool telemetry__is_dir(const char *path);
/** telemetry__refuse() - say that it is not read, and what to do. Return: -ENOTSUP. */
int telemetry__refuse(struct err *err);

/** json_file__whole() - read a file that holds a single value. Return: 0 or -errno. */
int json_file__whole(struct json_file *file, struct json_object **out, struct err *err);

/** json_file__close() - release what the reading needed. */
void json_file__close(struct json_file *file);

#endif
