/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A screen is a terminal that shows canvases and gives keys. What it can do is looked up in
 * terminfo, whose library is loaded when the first screen is opened, and by nothing else.
 *
 * Between two canvases only what differs is written, with one write(2). However the program ends,
 * the terminal is put back as it was: in the end, at a signal that kills it, and while it stands
 * still after SIGTSTP.
 */
#ifndef TMA_SCREEN_SCREEN_H
#define TMA_SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct canvas;
struct err;
struct screen;

/* A key is a byte that was typed, or one of these. */
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
	KEY_OTHER,  /* a sequence that no key here has */
	KEY_REDRAW, /* no key: the size is another, or the terminal has shown something else */
};

/**
 * screen__open() - take the terminal of the process over
 * @colour: it may show colours
 *
 * There is one at a time. Return: 0; -ENOTTY where there is no terminal; -ENOTSUP for one that has
 * no cursor to move, or that terminfo does not know; -ENOENT without terminfo's library.
 */
int screen__open(struct screen **out, bool colour, struct err *err);
/** screen__close() - put the terminal back as it was; NULL is allowed. */
void screen__close(struct screen *s);
/** screen__fd() - a descriptor that can be read when there is a key, or a signal for the screen. */
int screen__fd(const struct screen *s);
/** screen__size() - columns and lines of the terminal. */
void screen__size(const struct screen *s, int *width, int *height);
/**
 * screen__key() - take the next key, if there is one
 *
 * SIGTSTP stops the process here, and SIGCONT lets it go on: then KEY_REDRAW comes. Return: the
 * byte or enum screen_key; KEY_NONE where there is none.
 */
int screen__key(struct screen *s);
/** screen__lost() - tell whether the terminal has gone away. */
bool screen__lost(const struct screen *s);
/**
 * screen__show() - show a canvas
 *
 * Return: the bytes that were written.
 */
size_t screen__show(struct screen *s, const struct canvas *c);
/** screen__restore() - put the terminal back at once; safe in a handler of signals. */
void screen__restore(void);
/** screen__keep_stderr() - screen__restore() puts standard error back to @fd; -1: leaves it. */
void screen__keep_stderr(int fd);

#endif
