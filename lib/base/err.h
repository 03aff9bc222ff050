/* SPDX-License-Identifier: GPL-2.0-only */
/* Error messages for people: which action failed, on which object, and what to do next. */
#ifndef TMA_BASE_ERR_H
#define TMA_BASE_ERR_H

/**
 * struct err - the text of one failure
 * @code: a positive errno value; 0 when nothing failed
 * @msg:  one or more lines without the last newline; empty when nothing failed
 */
struct err {
	int code;
	char msg[2048];
};

#define ERR_INIT { .code = 0, .msg = "" }

/**
 * err__set() - record a failure
 * @err:  set to the message and code; NULL if the caller wants only the code
 * @code: a positive errno value
 * @fmt:  printf format of the message
 *
 * A later failure replaces an earlier one.
 *
 * Return: -@code, so that a function can end in `return err__set(...)`.
 */
int err__set(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
#ifdef __clang_analyzer__
/* The analyzer sees one source file at a time, so it needs to know that err__set() returns < 0. */
#define err__set(...)                                                                              \
	({                                                                                         \
		int err_rc = (err__set)(__VA_ARGS__);                                              \
                                                                                                   \
		__builtin_assume(err_rc < 0);                                                      \
		err_rc;                                                                            \
	})
#endif

/**
 * err__prefix() - put words before the present message ("events file x: ...")
 * @err: an error that has been set; NULL is allowed
 * @fmt: printf format of the words
 *
 * Return: -err->code, or -EINVAL when @err is NULL.
 */
int err__prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * err__append() - put a remedy or a second line after the present message
 * @err: an error that has been set; NULL is allowed
 * @fmt: printf format; begin it with "\n" for a new line
 *
 * Return: -err->code, or -EINVAL when @err is NULL.
 */
int err__append(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * err__caret() - record a syntax error, with a mark under its place in the text
 * @err:    set to the message; NULL is allowed
 * @what:   kind of the text ("event", "metric tma_retiring")
 * @text:   the text as the user wrote it; control bytes are shown as '?', a long text is cut
 *          around the place
 * @column: offset in @text, in bytes from 0, of the mistake
 * @why:    what is wrong at @column, without a full stop
 *
 * The message reads:
 *
 *	event syntax error: 'cycles:q'
 *	                            \___ unknown modifier 'q'
 *
 * Return: -EINVAL.
 */
int err__caret(struct err *err, const char *what, const char *text, int column, const char *why);

/**
 * err__joint() - choose the character between a prefix and the message that follows it
 *
 * Return: a newline before a message of several lines, so that its caret stays under the mistake;
 * else a blank.
 */
char err__joint(const char *msg);

/**
 * err__reason() - find the reason (@why) in a message of err__caret(); in other messages, return
 * the whole message.
 */
const char *err__reason(const struct err *err);

#endif
