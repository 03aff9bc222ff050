/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Remove names that people chose (users, hosts, paths) from texts, so that the texts can be shown
 * to strangers. Known names and paths are searched as whole words; other absolute paths are
 * recognised by their form.
 */
#ifndef TMA_BASE_NAMELESS_H
#define TMA_BASE_NAMELESS_H

#include <stdbool.h>

#include "base/vec.h"

struct sb;

/**
 * struct nameless_word - a name or path to leave out
 * @text: the word, in any case; owned
 * @shown: text that is printed in place of the word: "(host)"
 * @quoted: the program's own texts may have the word, too; it is left out only beside a quote, a
 *          slash or another sign of a name
 */
struct nameless_word {
	char *text;
	const char *shown;
	bool quoted;
};

/** struct nameless - all names and paths to leave out */
struct nameless {
	VEC(struct nameless_word) words;
};

#define NAMELESS_INIT { .words = { .at = NULL } }

/**
 * nameless__add() - add a name or a path to leave out
 * @text:  the name, which is copied; NULL, "" and "/" are ignored
 * @shown: text that is printed in place of the name; not copied
 */
void nameless__add(struct nameless *n, const char *text, const char *shown);
/**
 * nameless__add_quoted() - add a name, such as a user or host, that the program's own texts may
 * have, too.
 */
void nameless__add_quoted(struct nameless *n, const char *text, const char *shown);
/**
 * nameless__clean() - append a text without the names and paths
 *
 * A path that begins with a word of @n is left out completely. Other absolute paths are left out,
 * too, except those below /sys, /proc and /dev. Below /sys/fs/cgroup/ the names of cgroups are left
 * out.
 */
void nameless__clean(const struct nameless *n, const char *text, struct sb *out);
/** nameless__free() - release the words. */
void nameless__free(struct nameless *n);

#endif
