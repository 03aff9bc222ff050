/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Break text into lines of a given width, at blanks.
 *
 * A word that is wider than a line, such as a path or the name of a template, is broken after a
 * punctuation sign if it has one. Control characters become '?', as in text__clean().
 */
#ifndef TMA_BASE_WRAP_H
#define TMA_BASE_WRAP_H

struct sb;

/* Mark in a line for wrap__lines(): the rest of the line is a command that must stay pastable. */
#define WRAP_COMMAND "\v"

/**
 * wrap__text() - append a text with its newlines
 * @column: columns already used in the current line
 * @indent: blanks before each line except the first
 * @width:  columns of a line
 */
void wrap__text(struct sb *sb, const char *text, int column, int indent, int width);
/**
 * wrap__command() - append a shell command as wrap__text() does; a broken line ends with a
 * backslash.
 */
void wrap__command(struct sb *sb, const char *command, int column, int indent, int width);
/**
 * wrap__lines() - append lines; lines wider than @width are broken
 * @more:  number of blanks before a continuation, in addition to those before its first line
 * @width: columns; 0: break no line
 */
void wrap__lines(struct sb *sb, const char *lines, int more, int width);

#endif
