/* SPDX-License-Identifier: GPL-2.0-only */
/* Read JSON files one element at a time, and note the line of each element. */
#ifndef TMA_JSON_FILE_H
#define TMA_JSON_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct json_object;
struct json_tokener;

/**
 * struct json_file - a file that is being read
 * @path: path for messages, as it was given
 * @line: line where the last element begins, from 1. After a failure: line of the error, which is
 *        not in the message
 * @text, @len: contents of the file
 */
struct json_file {
	const char *path;
	int line;

	char *text;
	size_t len, pos;
	size_t counted; /* number of bytes whose newlines are counted in @lines */
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
 * for a NUL byte, and for a pipe. @line is 0 if the message contains the path.
 */
int json_file__open(struct json_file *file, const char *path, struct err *err);

/**
 * json_file__open_text() - use a NUL-terminated text that was read already; the file then owns the
 * text.
 */
int json_file__open_text(struct json_file *file, const char *path, char *text, size_t len,
			 struct err *err);

/** json_file__read() - read the text of a file or a pipe. Return: 0 or -errno. */
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
 * json_file__enter() - skip to an array that is a member of the file's object
 * @key: name of the member; earlier members are skipped
 *
 * For files like {"Header": {...}, "Events": [...]}: json_file__next() then reads the elements of
 * the array.
 *
 * Return: 0; -ENOENT without a message if the object has no such member or the file is an array;
 * -EINVAL.
 */
int json_file__enter(struct json_file *file, const char *key, struct err *err);

/** Members of the object that each file of gitlab.arm.com/telemetry-solution has. */
#define TELEMETRY_LAYOUT "Arm's telemetry-solution repository"
#define TELEMETRY_FOLDER "data/pmu/cpu"

/** telemetry__is_text() - tell whether the text of a file is a specification by Arm. */
bool telemetry__is_text(const char *text);
/**
 * telemetry__is_dir() - tell whether a directory is Arm's repository, or a folder of it above the
 * models.
 */
bool telemetry__is_dir(const char *path);
/**
 * telemetry__refuse() - set the error that tma does not read Arm's layout, with the remedy. Return:
 * -ENOTSUP.
 */
int telemetry__refuse(struct err *err);

/** json_file__whole() - read a file that holds a single value. Return: 0 or -errno. */
int json_file__whole(struct json_file *file, struct json_object **out, struct err *err);

/** json_file__close() - release the memory of a file. */
void json_file__close(struct json_file *file);

#endif
