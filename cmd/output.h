/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Listings are written through this: as text or as values of JSON, to standard output or to a file.
 * A pager shows them if standard output is a terminal. Text is wrapped to the width.
 */
#ifndef TMA_CMD_OUTPUT_H
#define TMA_CMD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "base/sb.h"

struct err;
struct event_info;

/** enum output_style - how a piece of text looks if colours are printed */
enum output_style { STYLE_PLAIN, STYLE_STRONG, STYLE_BAD };

/**
 * struct output - a listing that is being written
 * @path:  name of the file after -o, or NULL for standard output
 * @fd:    descriptor of the file
 * @failed: errno of the first write to the file that failed, or 0
 * @width: columns that text is wrapped to
 * @colour: print colours; false until a caller sets it
 * @held:  this is a part: nothing is written before output__end_part()
 * @text:  lines that are not written yet; callers may append to it
 * @line:  buffer that callers may use
 * @scratch: see output__scratch()
 * @json:  writer that appends JSON to @text, for callers that print only JSON
 */
struct output {
	const char *path;
	int fd, failed;
	int width;
	bool colour, held;
	struct sb text, line, scratch;
	struct json json;
};

/**
 * output__open() - begin to write
 * @path: file to write to, or NULL for standard output
 * @page: use a pager if standard output is a terminal
 *
 * Return: 0, or -errno when the file cannot be opened.
 */
int output__open(struct output *o, const char *path, bool page, struct err *err);
/** output__flush() - write the whole lines of @text, so that messages of say() come after them. */
void output__flush(struct output *o);
/** output__end_line() - end the line that is being made in @text, and write it. */
void output__end_line(struct output *o);
/** output__begin_part() - begin a part of an output that is put into its place later. */
void output__begin_part(struct output *part, const struct output *whole);
/** output__lines() - count the lines of @text. */
int output__lines(const struct output *o);
/** output__end_part() - append a part to the whole, and release it. */
void output__end_part(struct output *part, struct output *whole);
/** output__scratch() - get an empty buffer to make a text in; the next call clears it. */
struct sb *output__scratch(struct output *o);
/**
 * output__close() - write the rest, and release everything
 *
 * Return: 0, or -errno if not everything could be written to the file.
 */
int output__close(struct output *o, struct err *err);

/**
 * struct printed - an answer that is collected, and written when it is complete
 * @f: stream that collects the answer
 */
struct printed {
	FILE *f;
	char *text;
	size_t len;
};

/** printed__begin() - open the stream of an empty answer. */
void printed__begin(struct printed *p);
/**
 * printed__write() - write the answer in whole lines, and release it
 * @fd: descriptor of a file, which is closed; or STDOUT_FILENO
 *
 * Return: 0, or -errno if not everything could be written.
 */
int printed__write(struct printed *p, int fd, struct err *err);

/**
 * output__wrap() - print a text wrapped as wrap__text() does (base/wrap.h), and end the line
 * @column: column at which the text begins, on the line that is being made
 * @indent: blanks before each further line
 */
void output__wrap(struct output *o, int column, int indent, const char *text);
/**
 * output__begin_style(), output__end_style() - append the escape sequence that begins or ends a
 * style, if colours are printed
 */
void output__begin_style(struct output *o, enum output_style style);
void output__end_style(struct output *o, enum output_style style);
/** output__wrap_in() - print a text like output__wrap(), in a style. */
void output__wrap_in(struct output *o, enum output_style style, int column, int indent,
		     const char *text);
/** output__command() - print a command, wrapped in such places that it can be pasted. */
void output__command(struct output *o, int column, int indent, const char *command);
/** output__line() - print a text like output__wrap() on a new line, after @column blanks. */
void output__line(struct output *o, int column, int indent, const char *text);

/**
 * output__put() - append @len bytes of one line, without characters that control a terminal
 *
 * Return: how many columns they take.
 */
int output__put(struct output *o, const char *text, int len);
/**
 * output__puts() - append a text, without characters that control a terminal. Return: its columns.
 */
int output__puts(struct output *o, const char *text);

/**
 * output__latency() - append an event's retire latency from the tables; nothing if they have none
 */
void output__latency(const struct event_info *info, struct sb *out);
/**
 * output__latency_need() - append where the value of EVENT:R comes from
 * @info:     the event in the tables, or NULL
 * @measured: the CPU can sample the latency
 */
void output__latency_need(const struct event_info *info, bool measured, struct sb *out);

#endif
