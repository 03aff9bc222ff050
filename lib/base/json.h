/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values come in; JSON comes out, appended to a string buffer in one of a few styles. Commas,
 * blanks and line ends come by themselves. Nothing is taken back, and nothing but the buffer grows.
 */
#ifndef TMA_BASE_JSON_H
#define TMA_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

struct sb;

enum json_style {
	JSON_COMPACT,  /* {"name":"x","list":[1,2]} */
	JSON_SPACED,   /* {"name" : "x", "list" : [1, 2]}, as perf has it */
	JSON_INDENTED, /* each value has a line; the outermost's objects are at the margin */
};

/**
 * struct json - a text of JSON under way
 * @sb:    what it is appended to, the caller's
 * @style: may be set to another one for a value in between, and back
 * @depth: how many arrays and objects are open, 32 at most
 * @some:  bit i: there is something in the one at depth i already
 */
struct json {
	struct sb *sb;
	enum json_style style;
	unsigned int depth, some;
};

#define JSON_INIT(buffer, how) { .sb = (buffer), .style = (how) }

/*
 * A value has a key in an object, and NULL for it in an array and outermost. Keys are printed as
 * they are: who makes them of names has them escaped by text__json().
 */

/** json__open() - begin an array ('[') or an object ('{'). */
void json__open(struct json *j, const char *key, char bracket);
/** json__close() - end the innermost with its closing @bracket; behind the outermost, the line. */
void json__close(struct json *j, char bracket);

/** json__text() - put a string, which is valid whatever its bytes. */
void json__text(struct json *j, const char *key, const char *text);
/** json__text_if() - put a string, unless it is empty. */
void json__text_if(struct json *j, const char *key, const char *text);
/** json__escaped() - put a string that text__json() gave. */
void json__escaped(struct json *j, const char *key, const char *text);
/** json__u64(), json__int() - put an integer. */
void json__u64(struct json *j, const char *key, uint64_t number);
void json__int(struct json *j, const char *key, int number);
/**
 * json__double() - put a number with 15 digits at most, as "%.15g"; null for what is none (NaN,
 * infinity). The thread's locale must have C's point.
 */
void json__double(struct json *j, const char *key, double number);
/**
 * json__number() - put a number as decimal__print() does, which loses nothing; null for NaN and
 * infinity.
 */
void json__number(struct json *j, const char *key, double number);
/** json__bool() - put true or false. */
void json__bool(struct json *j, const char *key, bool is);
/** json__bare() - put what is printed already and stands without quotes: "12.50", "null". */
void json__bare(struct json *j, const char *key, const char *printed);

/*
 * The caller may append to @sb itself: escaped text between json__begin_text() and
 * json__end_text(), which put the quotes, or one value without quotes behind json__key().
 */
void json__key(struct json *j, const char *key);
void json__begin_text(struct json *j, const char *key);
void json__end_text(struct json *j);

#endif
