/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts come in that may quote what people called their things; the same texts come out without
 * those names, so that they can be shown to strangers. Names and paths which are known are looked
 * for as whole words; other absolute paths are found by how they look.
 */
#ifndef TMA_BASE_NAMELESS_H
#define TMA_BASE_NAMELESS_H

#include <stdbool.h>

#include "base/vec.h"

struct sb;

/**
 * struct nameless_word - something to leave out
 * @text: the name or path, in any case; owned
 * @shown: is printed in its place: "(host)"
 * @quoted: it may be any word of the program's own: only where it stands beside a quote, a slash or
 *         another sign of a name it is left out
 */
struct nameless_word {
	char *text;
	const char *shown;
	bool quoted;
};

/** struct nameless - all that is to be left out */
struct nameless {
	VEC(struct nameless_word) words;
};

#define NAMELESS_INIT { .words = { .at = NULL } }

/**
 * nameless__add() - leave a name or a path out from now on
 * @text:  is copied; NULL, "" and "/" are nothing to leave out
 * @shown: is printed in its place, and stays the caller's
 */
void nameless__add(struct nameless *n, const char *text, const char *shown);
/** nameless__add_quoted() - the same of what may be a word of the program's own: a user, a host. */
void nameless__add_quoted(struct nameless *n, const char *text, const char *shown);
/**
 * nameless__clean() - append a text without what is to be left out
 *
 * A path that begins with a word of @n goes to its end. An absolute path goes, too, unless it leads
 * to /sys, /proc or /dev; below /sys/fs/cgroup/ the names of cgroups go.
 */
void nameless__clean(const struct nameless *n, const char *text, struct sb *out);
/** nameless__free() - release the words. */
void nameless__free(struct nameless *n);

#endif
