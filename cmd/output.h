/* SPDX-License-Identifier: GPL-2.0-only */
/* Where listings go: a file, a pipe, or a pager; text that is wrapped, and JSON. */
#ifndef TMA_CMD_OUTPUT_H
#define TMA_CMD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/sb.h"

struct err;

#define OUTPUT_NESTING 8 /* arrays and objects of JSON inside each other */

/**
 * struct output - something to write to
 * @f:     the stream
 * @path:  of -o, or NULL for standard output
 * @width: columns that text is wrapped to
 * @text:  what is being put together, and @line: by the user of this
 * @depth, @some: (JSON) how deep, and whether there was something at each level already
 */
struct output {
	FILE *f;
	const char *path;
	int width;
	struct sb text, line;
	int depth;
	bool some[OUTPUT_NESTING];
};

/**
 * output__open() - begin
 * @path: file to write to, or NULL for standard output
 * @page: through a pager if standard output is a terminal
 *
 * Return: 0, or -errno when the file cannot be opened.
 */
int output__open(struct output *o, const char *path, bool page, struct err *err);
/** output__close() - end. Return: 0, or -errno when not all could be written to the file. */
int output__close(struct output *o, struct err *err);

/**
 * output__wrap() - print a text wrapped at blanks, and end the line
 * @indent: columns before each line but the first, which begins where the line is
 * @column: where that is
 */
void output__wrap(struct output *o, int column, int indent, const char *text);

/**
 * output__put() - print @len bytes of one line, without what a terminal would act on
 *
 * Return: how many columns that are.
 */
int output__put(struct output *o, const char *text, int len);
/** output__puts() - the same for a whole text. */
int output__puts(struct output *o, const char *text);

/*
 * JSON: json__open(o, NULL, '['), then values and objects, and json__close() for each that was
 * opened. Keys are NULL inside an array. Each object of the outermost array has lines of its own.
 */

/** json__open() - begin an array ('[') or an object ('{'). */
void json__open(struct output *o, const char *key, char bracket);
/** json__close() - end the innermost, which json__open() began with the opening of @bracket. */
void json__close(struct output *o, char bracket);
/** json__text() - a string, valid whatever its bytes. */
void json__text(struct output *o, const char *key, const char *text);
/** json__text_if() - the same, unless it is empty. */
void json__text_if(struct output *o, const char *key, const char *text);
/** json__number() - a number; null for what is none (NaN, infinity). */
void json__number(struct output *o, const char *key, double number);

#endif
