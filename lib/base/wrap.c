// SPDX-License-Identifier: GPL-2.0-only
#include "base/wrap.h"

#include <stdbool.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"

#define ROOM_LEAST 24 /* least columns for text; with fewer, the indentation is reduced */

static int wrap__columns_of(const char *word, int len)
{
	int columns = 0;

	for (int i = 0; i < len; i++)
		columns += (word[i] & 0xc0) != 0x80; /* count first bytes of UTF-8 */
	return columns;
}

/* Measure the next word; a number with its "%" and its "+- 1.2" counts as one word. */
static int word_len(const char *text)
{
	static const char blanks[] = " \t\n", error[] = " +- ";
	int len = strcspn(text, blanks);

	if (len && text[len] == ' ' && text[len + 1] == '%')
		len += 1 + strcspn(text + len + 1, blanks);
	if (len && text__has_prefix(text + len, error))
		len += strlen(error) + strcspn(text + len + strlen(error), blanks);
	return len;
}

/*
 * Return: number of bytes up to the last of some signs that fits into the line; 0 for none. "::" is
 * not split.
 */
static int end_after(const char *word, int fits, const char *signs)
{
	for (int i = fits; i > 0; i--)
		if (strchr(signs, word[i - 1]) && !(word[i - 1] == ':' && word[i] == ':'))
			return i;
	return 0;
}

/*
 * Measure the part of a word that fits; prefer to split between names rather than in one. Return:
 * number of bytes.
 */
static int piece_len(const char *word, int len, int room)
{
	int fits = text__fitting(word, room);

	if (fits >= len)
		return len;
	return end_after(word, fits, "/,;=&|(<:") ?: end_after(word, fits, "_.-") ?: len;
}

void wrap__text(struct sb *sb, const char *text, int column, int indent, int width)
{
	bool first = true, newline = false, glued = false;

	while (*text) {
		int len = word_len(text), columns = wrap__columns_of(text, len);

		if (newline || (!first && column + !glued + columns > width)) {
			sb__printf(sb, "\n%*s", indent, "");
			column = indent;
			first = true;
		}
		if (first && columns > width - column) {
			len = piece_len(text, len, width - column);
			columns = wrap__columns_of(text, len);
		}
		if (!first && !glued)
			sb__putc(sb, ' ');
		text__clean(sb, text, len, "");
		column += columns + (!first && !glued);
		first = first && !len;
		text += len;
		glued = *text && !strchr(" \t\n", *text);
		newline = *text == '\n' && text[1];
		text += strspn(text, " \t\n");
	}
}

/* Return: the length of the first word of a command line, including blanks between quotes. */
static int shell_word_len(const char *line)
{
	bool quoted = false;
	int len = 0;

	for (; line[len] && (quoted || line[len] != ' '); len++)
		if (line[len] == '\'')
			quoted = !quoted;
		else if (line[len] == '\\' && line[len + 1])
			len++;
	return len;
}

/*
 * Measure the text that stays in one line: a word, or an option and the next word, if a line has
 * room for both. The next word may be the option's value.
 */
static int shell_part_len(const char *line, int room)
{
	int len = shell_word_len(line), value;

	if (*line != '-' || !strncmp(line, "-- ", 3) || line[len] != ' ' || line[len + 1] == '-')
		return len;
	value = shell_word_len(line + len + 1);
	return value && len + 1 + value <= room ? len + 1 + value : len;
}

void wrap__command(struct sb *sb, const char *command, int column, int indent, int width)
{
	for (const char *at = command; *at; at += *at == ' ') {
		int len = shell_part_len(at, width - 2), more = len + (at > command);

		/* This line may need a " \" at its end, if another line follows. */
		if (at > command && column + more + (at[len] ? 2 : 0) > width) {
			column = width - len - 2 < indent ? width - len - 2 : indent;
			column = column < 0 ? 0 : column;
			sb__printf(sb, " \\\n%*s", column, "");
			column += len;
		} else {
			sb__puts(sb, at > command ? " " : "");
			column += more;
		}
		sb__add(sb, at, len);
		at += len;
	}
}

/* Lines that continue the reason after a caret begin below the reason, if there is room. */
static int indent_of(const char *line, int blanks, int more, int width)
{
	static const char caret[] = "\\___ ";
	int indent = blanks + (text__has_prefix(line + blanks, caret) ? (int)strlen(caret) : more);

	return width - indent < ROOM_LEAST && indent > more ? more : indent;
}

static void wrap_line(struct sb *sb, const char *line, int more, int width)
{
	int blanks = strspn(line, " "), indent = indent_of(line, blanks, more, width);
	const char *command = strchr(line, *WRAP_COMMAND);
	auto_free(sb) words = SB_INIT;

	if (!width || text__width(line) - (command != NULL) <= width) {
		sb__add(sb, line, command ? (size_t)(command - line) : strlen(line));
		sb__puts(sb, command ? command + 1 : "");
		return;
	}
	sb__add(&words, line + blanks,
		command ? (size_t)(command - line) - blanks : strlen(line + blanks));
	sb__pad(sb, width - blanks < ROOM_LEAST ? indent : blanks);
	wrap__text(sb, sb__str(&words), blanks, indent, width);
	if (!command)
		return;
	/* The command begins on a line of its own, so that only blanks precede it. */
	sb__printf(sb, "\n%*s", indent, "");
	wrap__command(sb, command + 1, indent, indent + 1, width);
}

void wrap__lines(struct sb *sb, const char *lines, int more, int width)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");
		auto_free(sb) line = SB_INIT;

		sb__add(&line, lines, len);
		wrap_line(sb, sb__str(&line), more, width);
		lines += len;
		if (*lines) {
			sb__putc(sb, '\n');
			lines++;
		}
	}
}
