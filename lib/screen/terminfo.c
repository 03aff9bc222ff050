// SPDX-License-Identifier: GPL-2.0-only
#include "screen/terminfo.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "screen/screen.h"

/* The part of ncurses that describes terminals, with the interface of X/Open. */
#define LIBRARY "libtinfo.so.6"
#define ESCAPE "\033"

static struct {
	int (*setupterm)(const char *term, int fd, int *status);
	char *(*tigetstr)(const char *name);
	int (*tigetnum)(const char *name);
	char *(*tparm)(const char *text, ...);
} lib;

static bool find_calls(void *library)
{
	lib.setupterm = (__typeof__(lib.setupterm))dlsym(library, "setupterm");
	lib.tigetstr = (__typeof__(lib.tigetstr))dlsym(library, "tigetstr");
	lib.tigetnum = (__typeof__(lib.tigetnum))dlsym(library, "tigetnum");
	lib.tparm = (__typeof__(lib.tparm))dlsym(library, "tparm");
	return lib.setupterm && lib.tigetstr && lib.tigetnum && lib.tparm;
}

static const char *capability(const char *name)
{
	const char *text = lib.tigetstr(name);

	return text && text != (const char *)-1 ? text : "";
}

/* Append a sequence without delays ("$<5>"), which only printing terminals need. */
static void terminfo__put(struct sb *sb, const char *text)
{
	while (*text) {
		const char *pause = strstr(text, "$<");

		sb__add(sb, text, pause ? (size_t)(pause - text) : strlen(text));
		text = pause ? strchr(pause, '>') : NULL;
		if (!text)
			return;
		text++;
	}
}

/* Return: up to three sequences, one after the other. */
static char *sequence(const char *first, const char *second, const char *third)
{
	struct sb sb = SB_INIT;

	terminfo__put(&sb, first);
	terminfo__put(&sb, second);
	terminfo__put(&sb, third);
	return sb.buf ? sb__detach(&sb) : xstrdup("");
}

static const struct {
	const char *capability, *usual;
	int key;
} known_keys[] = {
	{"kcuu1", ESCAPE "[A", KEY_UP},	    {"kcud1", ESCAPE "[B", KEY_DOWN},
	{"kcub1", ESCAPE "[D", KEY_LEFT},   {"kcuf1", ESCAPE "[C", KEY_RIGHT},
	{"kpp", ESCAPE "[5~", KEY_PAGE_UP}, {"knp", ESCAPE "[6~", KEY_PAGE_DOWN},
	{"khome", ESCAPE "[H", KEY_HOME},   {"kend", ESCAPE "[F", KEY_END},
	{"kbs", "\b", KEY_BACKSPACE},
};

static void add_key(struct terminfo *t, const char *sends, int key)
{
	if (!*sends)
		return;
	t->keys[t->nr_keys].sends = xstrdup(sends);
	t->keys[t->nr_keys++].key = key;
}

/* Return: the sequence of a colour, valid until the next call. */
static const char *tint_of(int colour)
{
	return lib.tparm(capability("setaf"), colour, 0, 0, 0, 0, 0, 0, 0, 0) ?: "";
}

/* Make the sequences of styles. On terminals without colours, attributes replace colours. */
static void make_styles(struct terminfo *t, bool colour)
{
	static const struct {
		const char *attribute, *without;
		int colour;
	} styles[STYLE_PART] = {
		[STYLE_PLAIN] = {"", "", -1},
		[STYLE_BOLD] = {"bold", "", -1},
		[STYLE_DIM] = {"dim", "", -1},
		[STYLE_HEAD] = {"rev", "", -1},
		[STYLE_SELECTED] = {"rev", "bold", -1},
		[STYLE_OVER] = {"", "bold", 1},
		[STYLE_UNDER] = {"", "", 2},
		[STYLE_WARN] = {"", "bold", 3},
	};
	int colours = colour && *capability("setaf") ? lib.tigetnum("colors") : 0;
	bool has_colours = colours >= 8;

	for (int i = 0; i < PART_NR; i++) {
		int number = grid_part__colour(i, colours);

		t->styles[STYLE_PART + i] = sequence(number < 0 ? "" : tint_of(number), "", "");
	}
	for (int i = 0; i < STYLE_PART; i++) {
		const char *attribute = capability(styles[i].attribute), *tint = "";

		if (styles[i].colour >= 0 && has_colours)
			tint = tint_of(styles[i].colour);
		else if (*styles[i].without)
			tint = capability(styles[i].without);
		t->styles[i] = sequence(attribute, tint, "");
	}
}

static int terminfo__refuse(const char *term, struct err *err)
{
	return err__set(err, ENOTSUP,
			"the terminal '%s' has no screen to draw on: -b prints a table for each "
			"interval, or set TERM to the terminal's type (such as xterm)",
			term);
}

int terminfo__load(struct terminfo *t, int fd, bool colour, struct err *err)
{
	const char *term = getenv("TERM");
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	int status = 0;

	*t = (struct terminfo){.nr_keys = 0};
	if (!library || !find_calls(library))
		return err__set(err, ENOENT,
				"%s, which describes terminals, cannot be loaded: install "
				"libtinfo6, or use -b to print a table for each interval",
				LIBRARY);
	if (!term || !*term || lib.setupterm(term, fd, &status) || status != 1 ||
	    !*capability("cup") || !*capability("clear"))
		return terminfo__refuse(term ?: "", err);
	t->enter = sequence(capability("smcup"), capability("civis"), capability("smkx"));
	t->leave = sequence(capability("rmkx"), capability("cnorm"), capability("rmcup"));
	t->clear = sequence(capability("clear"), "", "");
	t->clear_line = sequence(capability("el"), "", "");
	t->normal = sequence(capability("sgr0"), "", "");
	t->move = xstrdup(capability("cup"));
	make_styles(t, colour);
	for (int i = 0; i < array__nr(known_keys); i++) {
		add_key(t, capability(known_keys[i].capability), known_keys[i].key);
		add_key(t, known_keys[i].usual, known_keys[i].key);
	}
	return 0;
}

void terminfo__free(struct terminfo *t)
{
	free(t->enter);
	free(t->leave);
	free(t->clear);
	free(t->clear_line);
	free(t->normal);
	free(t->move);
	for (int i = 0; i < STYLE_NR; i++)
		free(t->styles[i]);
	for (int i = 0; i < t->nr_keys; i++)
		free(t->keys[i].sends);
	*t = (struct terminfo){.nr_keys = 0};
}

void terminfo__put_move(const struct terminfo *t, int row, int column, struct sb *sb)
{
	terminfo__put(sb, lib.tparm(t->move, row, column, 0, 0, 0, 0, 0, 0, 0) ?: "");
}
