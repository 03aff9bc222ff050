/* SPDX-License-Identifier: GPL-2.0-only */
/* A JSON file read one element at a time, knowing the line of each. */
#ifndef TMA_JSON_FILE_H
#define TMA_JSON_FILE_H

#include <stddef.h>

struct err;
struct json_object;
struct json_tokener;

/**
 * struct json_file - where the reading is
 * @path: as given, for messages
 * @line: line of the element given last, from 1
 */
struct json_file {
	const char *path;
	int line;

	char *text;
	size_t len, pos;
	size_t counted; /* bytes whose newlines are in @lines */
	int lines;
	int nr; /* elements read */
	struct json_tokener *tok;
};

/**
 * json_file__open() - read a file
 * @path: kept, not copied
 *
 * Return: 0 or -errno; json_file__close() it only when 0.
 */
int json_file__open(struct json_file *file, const char *path, struct err *err);

/**
 * json_file__next() - the next element of a file that holds one array
 * @out: set on success; json_object_put() it
 *
 * Elements are parsed singly, so that memory is that of one and an error has its line.
 *
 * Return: 1 with @out set, 0 at the end of the array, or -errno with "path:line: why".
 */
int json_file__next(struct json_file *file, struct json_object **out, struct err *err);

/** json_file__whole() - the value of a file that holds one value. Return: 0 or -errno. */
int json_file__whole(struct json_file *file, struct json_object **out, struct err *err);

/** json_file__close() - release what the reading needed. */
void json_file__close(struct json_file *file);

#endif
