/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A screen is a terminal that shows canvases and delivers keys. Its capabilities come from
 * terminfo, whose library is loaded when the first screen is opened.
 *
 * Only the difference from the last canvas is written, with one write(2). The terminal is restored
 * when the program ends, when a signal kills the program, and while it is stopped by SIGTSTP.
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
	KEY_REDRAW, /* not a key: the size changed, or the terminal shows something else */
};

/**
 * screen__open() - take over the terminal of the process
 * @colour: whether to use colours
 *
 * Only one screen can be open. Return: 0; -ENOTTY without a terminal; -ENOTSUP if the terminal
 * cannot move its cursor, or if terminfo does not describe it; -ENOENT without the library of
 * terminfo.
 */
int screen__open(struct screen **out, bool colour, struct err *err);
/** screen__close() - restore the terminal; NULL is allowed. */
void screen__close(struct screen *s);
/**
 * screen__fd() - return a descriptor that becomes readable at a key, or at a signal for the screen.
 */
int screen__fd(const struct screen *s);
/** screen__size() - get the columns and lines of the terminal. */
void screen__size(const struct screen *s, int *width, int *height);
/**
 * screen__key() - read the next key, if there is one
 *
 * SIGTSTP stops the process in this function, which returns KEY_REDRAW after SIGCONT. Return: a
 * byte or enum screen_key; KEY_NONE without a key.
 */
int screen__key(struct screen *s);
/** screen__lost() - return whether the terminal was closed. */
bool screen__lost(const struct screen *s);
/**
 * screen__show() - show a canvas
 *
 * Return: number of bytes that were written.
 */
size_t screen__show(struct screen *s, const struct canvas *c);
/** screen__restore() - restore the terminal immediately; safe in a signal handler. */
void screen__restore(void);
/**
 * screen__keep_stderr() - set the file that screen__restore() makes standard error again; -1 for
 * none.
 */
void screen__keep_stderr(int fd);

#endif
