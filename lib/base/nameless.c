// SPDX-License-Identifier: GPL-2.0-only
#include "base/nameless.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"

#define PATH_SHOWN "(path)"
#define CGROUPS "/sys/fs/cgroup/"
/* Characters that end a path. */
#define PATH_ENDS " \t\n'\"`,;:()<>|"

/* "alice" is a word in "alice:" and "(alice)", but not in "alice-2" or "malice". */
static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_-.", c)) || (unsigned char)c >= 0x80;
}

/* The full stop after the last word of a sentence does not belong to the word. */
static bool ends_word(const char *at)
{
	return !is_word_char(*at) || (*at == '.' && !is_word_char(at[1]));
}

static void add_word(struct nameless *n, const char *text, const char *shown, bool quoted)
{
	if (text && *text && strcmp(text, "/"))
		vec__push(&n->words, (struct nameless_word){xstrdup(text), shown, quoted});
}

void nameless__add(struct nameless *n, const char *text, const char *shown)
{
	add_word(n, text, shown, false);
}

void nameless__add_quoted(struct nameless *n, const char *text, const char *shown)
{
	add_word(n, text, shown, true);
}

/*
 * Tell whether the characters around a word show that it is a name: alice@, 'alice', ~alice,
 * alice/x.
 */
static bool is_quoted(char before, char after)
{
	return (before && strchr("'\"`/@~=", before)) || (after && strchr("'\"`/@:", after));
}

/* Find the longest word that the text begins with, or NULL. */
static const struct nameless_word *find_word(const struct nameless *n, const char *text,
					     char before)
{
	const struct nameless_word *w, *found = NULL;

	vec__for_each(w, &n->words)
	{
		size_t len = strlen(w->text);

		if (strncasecmp(text, w->text, len) || !ends_word(text + len) ||
		    (w->quoted && !is_quoted(before, text[len])))
			continue;
		if (!found || len > strlen(found->text))
			found = w;
	}
	return found;
}

/* Return: how many bytes of an absolute path to leave out; 0 if it may stay, or is not a path. */
static size_t path_len(const char *text)
{
	static const char *const ours[] = {"/sys", "/proc", "/dev"};

	if (*text != '/' || !is_word_char(text[1]))
		return 0;
	for (int i = 0; i < array__nr(ours); i++)
		if (text__has_prefix(text, ours[i]) && !is_word_char(text[strlen(ours[i])]))
			return 0;
	return strcspn(text, PATH_ENDS);
}

/*
 * Leave out a word or path at the start of the text. Return: its length in bytes; 0 if there is
 * none.
 */
static size_t leave_out(const struct nameless *n, const char *text, char before, struct sb *out)
{
	const struct nameless_word *word = find_word(n, text, before);
	size_t len = word ? strlen(word->text) : path_len(text);

	if (!len)
		return 0;
	sb__puts(out, word ? word->shown : PATH_SHOWN);
	return text[len] == '/' ? len + strcspn(text + len, PATH_ENDS) : len;
}

void nameless__clean(const struct nameless *n, const char *text, struct sb *out)
{
	char before = '\0';

	while (*text) {
		size_t len = is_word_char(before) ? 0 : leave_out(n, text, before, out);

		if (!len && text__has_prefix(text, CGROUPS) &&
		    !strchr(PATH_ENDS, text[strlen(CGROUPS)])) {
			sb__puts(out, CGROUPS "(cgroup)");
			len = strcspn(text, PATH_ENDS);
		}
		if (!len)
			sb__putc(out, text[len++]);
		before = text[len - 1];
		text += len;
	}
}

void nameless__free(struct nameless *n)
{
	struct nameless_word *w;

	vec__for_each(w, &n->words)
		free(w->text);
	vec__free(&n->words);
}
