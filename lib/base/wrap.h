/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text is broken into lines that fit a width, at blanks.
 *
 * A word that is wider than a line, a path or the name of a template, is broken after a sign where
 * it has one. Control characters become '?', as in text__clean().
 */
#ifndef TMA_BASE_WRAP_H
#define TMA_BASE_WRAP_H

struct sb;

/* In lines of wrap__lines(): a command that can be pasted follows, up to the end of the line. */
#define WRAP_COMMAND "\v"

/**
 * wrap__text() - append a text, whose newlines stay
 * @column: columns that are taken in the line at hand
 * @indent: blanks before each line but the first
 * @width:  columns of a line
 */
void wrap__text(struct sb *sb, const char *text, int column, int indent, int width);
/** wrap__command() - append a shell's command likewise; each broken line ends with a backslash. */
void wrap__command(struct sb *sb, const char *command, int column, int indent, int width);
/**
 * wrap__lines() - append lines, each as it is, or broken where it is wider than @width
 * @more:  blanks before what was broken off, besides those that the line begins with
 * @width: 0: none is broken
 */
void wrap__lines(struct sb *sb, const char *lines, int more, int width);

#endif
