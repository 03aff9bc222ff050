// SPDX-License-Identifier: GPL-2.0-only
/* Prints the lines of the source around the one that has most samples, or the instructions. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "output.h"
#include "why/why.h"

#define INDENT 14
#define MOST_AROUND 2 /* lines before and after the hottest line */
#define CONTINUED 4 /* columns by which further rows of a long line are indented */
#define MOST_ROWS 3 /* rows for a line, which may be very long in generated code */
#define MOST_BYTES (16 << 20)
#define TAB 8

/*
 * Read a source file. The program names it, and may name any file, so only files that everybody may
 * read are shown. Return: the text, allocated by malloc(), or NULL.
 */
static char *read_source(const char *path)
{
	int fd = file__open_regular(AT_FDCWD, path, 0);
	struct stat status;
	char *text = NULL;
	size_t len;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) || !(status.st_mode & S_IROTH) ||
	    file__read_fd(fd, MOST_BYTES, &text, &len))
		text = NULL;
	close(fd);
	return text;
}

/* Append a line with tabs expanded. */
static void expand(const char *line, int len, struct sb *sb)
{
	size_t begin = sb->len;

	for (int i = 0; i < len; i++)
		if (line[i] == '\t')
			sb__printf(sb, "%*s", TAB - (int)((sb->len - begin) % TAB), "");
		else
			sb__putc(sb, line[i]);
}

/*
 * Count the blanks before a line; -1 if indentation means nothing: for empty lines and the
 * preprocessor's.
 */
static int indent_of(const char *text)
{
	int nr = 0;

	while (text[nr] == ' ')
		nr++;
	return text[nr] && text[nr] != '#' ? nr : -1;
}

/*
 * struct excerpt - lines of a source, with tabs expanded
 * @first: number of the first line
 * @from, @to: the lines from @from to before @to are shown
 */
struct excerpt {
	int first, nr, from, to;
	struct sb line[2 * MOST_AROUND + 1];
};

static void take_excerpt(char *text, int line, struct excerpt *e)
{
	char *rest = text, *at;
	int first = line > MOST_AROUND ? line - MOST_AROUND : 1, number = 0;
	int64_t last = (int64_t)line + MOST_AROUND;

	e->first = first;
	while ((at = strsep(&rest, "\n")) && ++number <= last)
		if (number >= first)
			expand(at, strlen(at), &e->line[e->nr++]);
	/* If the line does not exist, the file is of another version. */
	if (number < line)
		e->nr = 0;
}

static int common_indent(const struct excerpt *e)
{
	int least = -1;

	for (int i = e->from; i < e->to; i++) {
		int indent = indent_of(sb__str(&e->line[i]));

		if (indent >= 0 && (least < 0 || indent < least))
			least = indent;
	}
	return least < 0 ? 0 : least;
}

/* Return: whether a line has only blanks and braces: such lines are not shown at an edge. */
static bool is_bare(const struct excerpt *e, int i, int hottest)
{
	const char *text = sb__str(&e->line[i]);

	return e->first + i != hottest && !text[strspn(text, " {}")];
}

/* Show at most @most lines around the hottest one. */
static void narrow(struct excerpt *e, int hottest, int most)
{
	int at = hottest - e->first, after = (most - 1) / 2;

	e->from = at > most / 2 ? at - most / 2 : 0;
	e->to = at + after + 1 < e->nr ? at + after + 1 : e->nr;
	while (e->from < e->to && is_bare(e, e->from, hottest))
		e->from++;
	while (e->to > e->from && is_bare(e, e->to - 1, hottest))
		e->to--;
}

/* Put a line in at most this many rows; dots replace the rest. */
static void put_wrapped(struct output *o, enum output_style style, int column, const char *text)
{
	int room = MOST_ROWS * (o->width - column - CONTINUED);
	auto_text start = NULL;

	if (text__width(text) > room)
		start = xasprintf("%.*s ...", (int)text__fitting(text, room > 0 ? room : 1), text);
	output__wrap_in(o, style, column, column + CONTINUED, start ?: text);
}

static void why_source__put_line(const struct excerpt *e, int i, int hottest, int indent,
				 struct output *o)
{
	enum output_style style = e->first + i == hottest ? STYLE_STRONG : STYLE_PLAIN;
	const char *text = sb__str(&e->line[i]);
	int column = INDENT + 8, own;

	while (indent-- && *text == ' ')
		text++;
	sb__pad(&o->text, INDENT - 2);
	output__begin_style(o, style);
	sb__printf(&o->text, "%s%5d |%s", style ? "> " : "  ", e->first + i, *text ? " " : "");
	if (column + text__width(text) <= o->width) {
		text__clean(&o->text, text, strlen(text), "");
		output__end_style(o, style);
		output__end_line(o);
		return;
	}
	output__end_style(o, style);
	own = strspn(text, " ");
	sb__pad(&o->text, own);
	column += own;
	put_wrapped(o, style, column, text + own);
}

static void free_excerpt(struct excerpt *e)
{
	for (int i = 0; i <= 2 * MOST_AROUND; i++)
		sb__free(&e->line[i]);
}

/* Read the lines around a place. Return: whether there are any. */
static bool read_excerpt(const struct where_place *p, struct excerpt *e)
{
	auto_text text = p->line ? read_source(p->file) : NULL;

	*e = (struct excerpt){0};
	if (text)
		take_excerpt(text, p->line, e);
	return e->nr;
}

bool why_source__is_there(const struct where_place *p)
{
	struct excerpt e;
	bool there = read_excerpt(p, &e);

	free_excerpt(&e);
	return there;
}

static void put_instruction(const struct where_instruction *instruction, struct output *o)
{
	enum output_style style = instruction->hottest ? STYLE_STRONG : STYLE_PLAIN;
	auto_text head = xasprintf("%s%6llx |", instruction->hottest ? "> " : "  ",
				   (unsigned long long)instruction->address);
	int column = INDENT - 2 + strlen(head) + 1;

	sb__pad(&o->text, INDENT - 2);
	output__begin_style(o, style);
	sb__puts(&o->text, head);
	output__end_style(o, style);
	sb__putc(&o->text, ' ');
	put_wrapped(o, style, column, instruction->text);
}

static void source__put_code(const struct where_code *code, int most, struct output *o)
{
	int hottest = 0, first;

	while (hottest < code->nr && !code->at[hottest].hottest)
		hottest++;
	first = hottest > most / 2 ? hottest - most / 2 : 0;
	for (int i = first; i < code->nr && i < first + most; i++)
		put_instruction(&code->at[i], o);
}

static void put_excerpt(struct excerpt *e, int hottest, int most, struct output *o)
{
	int indent;

	narrow(e, hottest, most);
	indent = common_indent(e);
	for (int i = e->from; i < e->to; i++)
		why_source__put_line(e, i, hottest, indent, o);
}

void why_source__put(const struct where_place *p, int left, struct output *o)
{
	struct output part;
	struct excerpt e;
	bool there = read_excerpt(p, &e);

	for (int most = 2 * MOST_AROUND + 1; most; most--) {
		output__begin_part(&part, o);
		if (there)
			put_excerpt(&e, p->line, most, &part);
		else
			source__put_code(&p->code, most, &part);
		if (most == 1 || output__lines(&part) <= left)
			break;
		sb__free(&part.text);
	}
	output__end_part(&part, o);
	free_excerpt(&e);
}
