/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Listings are written through this. In come texts, or values of JSON; out they go to standard
 * output, through a pager where it is a terminal, or to a file. Text is wrapped to the width.
 */
#ifndef TMA_CMD_OUTPUT_H
#define TMA_CMD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "base/sb.h"

struct err;
struct event_info;

/** enum output_style - how text looks where there are colours */
enum output_style { STYLE_PLAIN, STYLE_STRONG, STYLE_BAD };

/**
 * struct output - something to write to
 * @path:  of -o, or NULL for standard output
 * @fd:    of the file; @failed: the errno value of the first write that it did not take, or 0
 * @width: columns that text is wrapped to
 * @colour: it is for a terminal that shows colours; false until somebody sets it
 * @held:  it is a part, of which nothing is written before output__end_part()
 * @text:  lines being put together, to which anything may be appended; @line: the user's own
 * @scratch: see output__scratch()
 * @json:  a writer to @text, for those who print JSON and nothing else
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
 * @page: through a pager if standard output is a terminal
 *
 * Return: 0, or -errno when the file cannot be opened.
 */
int output__open(struct output *o, const char *path, bool page, struct err *err);
/** output__flush() - write the whole lines of @text: say() must find none behind itself. */
void output__flush(struct output *o);
/** output__end_line() - end the line that stands in @text, and write it. */
void output__end_line(struct output *o);
/** output__begin_part() - begin a part of an output, whose place is not known yet. */
void output__begin_part(struct output *part, const struct output *whole);
/** output__lines() - count the lines that wait to be written. */
int output__lines(const struct output *o);
/** output__end_part() - write a part, and release it. */
void output__end_part(struct output *part, struct output *whole);
/** output__scratch() - an empty buffer to make a text in, until it is asked for again. */
struct sb *output__scratch(struct output *o);
/**
 * output__close() - end writing. Return: 0, or -errno when not all could be written to the file.
 */
int output__close(struct output *o, struct err *err);

/**
 * struct printed - what is printed as a whole once all is known: an answer
 * @f: the stream to print to
 */
struct printed {
	FILE *f;
	char *text;
	size_t len;
};

/** printed__begin() - nothing has been printed. */
void printed__begin(struct printed *p);
/**
 * printed__write() - write it, in whole lines, and release it
 * @fd: of a file, which is closed; or STDOUT_FILENO
 *
 * Return: 0, or -errno when not all can be written.
 */
int printed__write(struct printed *p, int fd, struct err *err);

/**
 * output__wrap() - print a text wrapped as wrap__text() does (base/wrap.h), and end the line
 *
 * @indent: columns before each line but the first, which begins where the line is
 * @column: where that is
 */
void output__wrap(struct output *o, int column, int indent, const char *text);
/**
 * output__begin_style(), output__end_style() - where there are colours, append what makes text
 * look so, and what ends that; nothing else
 */
void output__begin_style(struct output *o, enum output_style style);
void output__end_style(struct output *o, enum output_style style);
/** output__wrap_in() - wrap likewise, in a style. */
void output__wrap_in(struct output *o, enum output_style style, int column, int indent,
		     const char *text);
/** output__command() - print a command that can be pasted, wrapped likewise. */
void output__command(struct output *o, int column, int indent, const char *command);
/** output__line() - wrap a text likewise in a line that begins here, @column blanks in. */
void output__line(struct output *o, int column, int indent, const char *text);

/**
 * output__put() - append @len bytes of one line, without what a terminal would act on
 *
 * Return: how many columns that are.
 */
int output__put(struct output *o, const char *text, int len);
/** output__puts() - print a whole text likewise. */
int output__puts(struct output *o, const char *text);

/**
 * output__latency() - append an event's retire latency as the tables have it; nothing without one.
 */
void output__latency(const struct event_info *info, struct sb *out);
/**
 * output__latency_need() - append where the value of EVENT:R comes from
 * @info:     of the event, or NULL where the tables do not have it
 * @measured: the CPU can sample it
 */
void output__latency_need(const struct event_info *info, bool measured, struct sb *out);

#endif
