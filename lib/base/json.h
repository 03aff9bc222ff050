/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Write JSON to a string buffer in one of a few styles, with commas, blanks and line ends. Values
 * are written immediately, and no memory grows except the buffer.
 */
#ifndef TMA_BASE_JSON_H
#define TMA_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

struct sb;

enum json_style {
	JSON_COMPACT,  /* {"name":"x","list":[1,2]} */
	JSON_SPACED,   /* {"name" : "x", "list" : [1, 2]}, as perf writes it */
	JSON_INDENTED, /* one value in each line; objects in the outermost array are not indented */
};

/**
 * struct json - state of a JSON text that is being written
 * @sb:    the caller's buffer, which the text is appended to
 * @style: style; a caller may change it for a single value
 * @depth: number of open arrays and objects, at most 32
 * @some:  bit i: the array or object at depth i has an element already
 */
struct json {
	struct sb *sb;
	enum json_style style;
	unsigned int depth, some;
};

#define JSON_INIT(buffer, how) { .sb = (buffer), .style = (how) }

/*
 * In an object, values have a @key; in an array and outermost, @key is NULL. Keys are not escaped:
 * a caller whose keys contain names escapes them with text__json().
 */

/** json__open() - begin an array ('[') or an object ('{'). */
void json__open(struct json *j, const char *key, char bracket);
/**
 * json__close() - end the innermost array or object with its @bracket; after the outermost, add a
 * newline.
 */
void json__close(struct json *j, char bracket);

/** json__text() - put a string, which is escaped to valid JSON whatever its bytes. */
void json__text(struct json *j, const char *key, const char *text);
/** json__text_if() - put a string, unless it is empty. */
void json__text_if(struct json *j, const char *key, const char *text);
/** json__escaped() - put a string that text__json() has escaped. */
void json__escaped(struct json *j, const char *key, const char *text);
/** json__u64(), json__int() - put an integer. */
void json__u64(struct json *j, const char *key, uint64_t number);
void json__int(struct json *j, const char *key, int number);
/**
 * json__double() - put a number in the form of "%.15g"; null for NaN and infinity
 *
 * The locale of the thread must have C's decimal point.
 */
void json__double(struct json *j, const char *key, double number);
/**
 * json__number() - put a number in the form of decimal__print(), without loss; null for NaN and
 * infinity
 */
void json__number(struct json *j, const char *key, double number);
/** json__bool() - put true or false. */
void json__bool(struct json *j, const char *key, bool is);
/** json__bare() - put a printed value that needs no quotes: "12.50", "null". */
void json__bare(struct json *j, const char *key, const char *printed);

/*
 * The caller may append a value to @sb itself: escaped text between json__begin_text() and
 * json__end_text(), which put the quotes, or one value without quotes after json__key().
 */
void json__key(struct json *j, const char *key);
void json__begin_text(struct json *j, const char *key);
void json__end_text(struct json *j);

#endif
