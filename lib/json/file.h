/* SPDX-License-Identifier: GPL-2.0-only */
/* Read JSON files one element at a time, with the line of each. */
#ifndef TMA_JSON_FILE_H
#define TMA_JSON_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct json_object;
struct json_tokener;

/**
 * struct json_file - a file that is being read
 * @path: as given, for messages
 * @line: line where the last element begins, from 1; after a failure, line of the error, which the
 *        message does not have
 * @text, @len: the contents of the file
 */
struct json_file {
	const char *path;
	int line;

	char *text;
	size_t len, pos;
	size_t counted; /* bytes whose newlines are counted in @lines */
	int lines;
	int nr;		/* elements read */
	bool in_member; /* the array is a member of the file's object */
	struct json_tokener *tok;
};

/**
 * json_file__open() - read a file
 * @path: not copied, so it must stay valid
 *
 * Return: 0 or -errno; call json_file__close() only after 0. -EFBIG for a file over 64 MiB, -EINVAL
 * for a NUL byte, and for a pipe. @line is 0 if the message names the file itself.
 */
int json_file__open(struct json_file *file, const char *path, struct err *err);

/** json_file__open_text() - use a NUL-terminated text that was read already, and take it over. */
int json_file__open_text(struct json_file *file, const char *path, char *text, size_t len,
			 struct err *err);

/** json_file__read() - read the text of a file, which may be a pipe. Return: 0 or -errno. */
int json_file__read(const char *path, char **text, size_t *len, struct err *err);

/**
 * json_file__next() - read the next element of a file that holds one array
 * @out: set on success; release it with json_object_put()
 *
 * Elements are parsed singly, so that only one is in memory, and an error has its line. It is an
 * error if an object has a key twice, or if values are nested more than 32 levels deep.
 *
 * Return: 1 with @out set, 0 at the end of the array, or -errno.
 */
int json_file__next(struct json_file *file, struct json_object **out, struct err *err);

/**
 * json_file__enter() - skip to the array that is a member of the file's object
 * @key: name of the member; those before it are skipped
 *
 * It is for files like {"Header": {...}, "Events": [...]}: json_file__next() then reads the
 * elements.
 *
 * Return: 0; -ENOENT without a message if the object has no such member or the file is an array;
 * -EINVAL.
 */
int json_file__enter(struct json_file *file, const char *key, struct err *err);

/**
 * The layout of gitlab.arm.com/telemetry-solution: a file is one object, which has these members.
 */
#define TELEMETRY_LAYOUT "Arm's telemetry-solution repository"
#define TELEMETRY_FOLDER "data/pmu/cpu"

/** telemetry__is_text() - tell whether the text of a file is a specification by Arm. */
bool telemetry__is_text(const char *text);
/** telemetry__is_dir() - tell whether a directory is Arm's repository, or one above its models. */
bool telemetry__is_dir(const char *path);
/**
 * telemetry__refuse() - set an error that this layout is not read, with the remedy. Return:
 * -ENOTSUP.
 */
int telemetry__refuse(struct err *err);

/** json_file__whole() - read a file that holds a single value. Return: 0 or -errno. */
int json_file__whole(struct json_file *file, struct json_object **out, struct err *err);

/** json_file__close() - release the memory of a file. */
void json_file__close(struct json_file *file);

#endif
