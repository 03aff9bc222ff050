/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A screen is a terminal that shows canvases and delivers keys. Its capabilities are looked up in
 * terminfo, whose library is loaded when the first screen is opened, and only then.
 *
 * To show a canvas, only the difference from the last one is written, with one write(2). The
 * terminal is restored however the program ends: normally, at a signal that kills it, and while it
 * is stopped after SIGTSTP.
 */
#ifndef TMA_SCREEN_SCREEN_H
#define TMA_SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct canvas;
struct err;
struct screen;

/* Keys: a byte that was typed, or one of these. */
enum screen_key {
	KEY_NONE = 0,
	KEY_TAB = '\t',
	KEY_ENTER = '\r',
	KEY_ESCAPE = 27,
	KEY_BACKSPACE = 127,
	KEY_UP = 256,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_OTHER,  /* an unknown sequence */
	KEY_REDRAW, /* not a key: the size changed, or the terminal has shown something else */
};

/**
 * screen__open() - take over the terminal of the process
 * @colour: use colours
 *
 * Only one can be open. Return: 0; -ENOTTY if there is no terminal; -ENOTSUP if it cannot move its
 * cursor, or terminfo does not know it; -ENOENT without terminfo's library.
 */
int screen__open(struct screen **out, bool colour, struct err *err);
/** screen__close() - restore the terminal; NULL is allowed. */
void screen__close(struct screen *s);
/** screen__fd() - return a descriptor that is readable when there is a key or a signal for it. */
int screen__fd(const struct screen *s);
/** screen__size() - get the columns and lines of the terminal. */
void screen__size(const struct screen *s, int *width, int *height);
/**
 * screen__key() - read the next key, if there is one
 *
 * SIGTSTP stops the process here, and after SIGCONT it returns KEY_REDRAW. Return: the byte or enum
 * screen_key; KEY_NONE if there is none.
 */
int screen__key(struct screen *s);
/** screen__lost() - return whether the terminal was closed. */
bool screen__lost(const struct screen *s);
/**
 * screen__show() - show a canvas
 *
 * Return: the bytes that were written.
 */
size_t screen__show(struct screen *s, const struct canvas *c);
/** screen__restore() - restore the terminal at once; safe in a signal handler. */
void screen__restore(void);
/** screen__keep_stderr() - set the file that screen__restore() makes standard error; -1: none. */
void screen__keep_stderr(int fd);

#endif
