/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Break text into lines of a given width, at blanks.
 *
 * A word that is wider than a line, such as a path or the name of a template, is broken after a
 * sign where it has one. Control characters become '?', as in text__clean().
 */
#ifndef TMA_BASE_WRAP_H
#define TMA_BASE_WRAP_H

struct sb;

/* In lines for wrap__lines(), it begins a command that can be pasted, up to the line's end. */
#define WRAP_COMMAND "\v"

/**
 * wrap__text() - append a text; its newlines stay
 * @column: columns already used in the current line
 * @indent: blanks before each line but the first
 * @width:  columns of a line
 */
void wrap__text(struct sb *sb, const char *text, int column, int indent, int width);
/** wrap__command() - append a shell command likewise; each broken line ends with a backslash. */
void wrap__command(struct sb *sb, const char *command, int column, int indent, int width);
/**
 * wrap__lines() - append lines; those wider than @width are broken
 * @more:  blanks before the continuation of a line, in addition to those that the line begins with
 * @width: columns; 0: no line is broken
 */
void wrap__lines(struct sb *sb, const char *lines, int more, int width);

#endif
