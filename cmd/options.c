// SPDX-License-Identifier: GPL-2.0-only
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include <subcmd/parse-options.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "simulated.h"

/* The program's words as the user gave them. They are never released, as messages quote them. */
static struct {
	VEC(const char *) words;
	bool machine;
	const char *otherwise, *quoting;
} given;

void options__keep(const char **argv, bool machine, const char *otherwise)
{
	given.words.nr = 0;
	for (const char **arg = argv; *arg; arg++)
		vec__push(&given.words, *arg);
	given.machine = machine;
	given.otherwise = otherwise;
}

void options__quote(const char *hint)
{
	given.quoting = hint;
}

/* --- A simulated machine, named after the subcommand -------------------------------------- */

/* Return: whether @value points into this word, which may be "--machine=VALUE". */
static bool is_value_of(const char *value, const char *word)
{
	return value >= word && value <= word + strlen(word);
}

/*
 * Make the words of the same command with --machine before the subcommand: commands that tma
 * suggests then begin with it.
 */
static const char **words_with_machine(const char *machine)
{
	const char **words = xcalloc(given.words.nr + 3, sizeof(*words));
	int nr = 0;

	words[nr++] = given.words.at[0];
	words[nr++] = "--machine";
	words[nr++] = machine;
	for (int i = 1; i < given.words.nr; i++) {
		if (i + 1 < given.words.nr && given.words.at[i + 1] == machine)
			i++;
		else if (!is_value_of(machine, given.words.at[i]))
			words[nr++] = given.words.at[i];
	}
	return words;
}

static void options__enter(const char *machine, const char **words)
{
	struct err err = ERR_INIT;

	simulated__enter(machine, words, &err);
	exit(say_err(&err));
}

static int enter_machine(const struct option *opt, const char *arg, int unset)
{
	(void)opt;
	(void)unset; /* PARSE_OPT_NONEG */
	if (given.machine) {
		say("--machine is given before the command and after it: give it once");
		exit(STATUS_USAGE);
	}
	if (!*arg) {
		say("--machine: the name of the simulated machine is empty");
		exit(STATUS_USAGE);
	}
	options__enter(arg, words_with_machine(arg));
	return -1;
}

static const struct option machine_option = {
	.type = OPTION_CALLBACK,
	.long_name = "machine",
	.argh = "machine|file",
	.help = "run on this simulated machine; its counts are synthetic",
	.callback = enter_machine,
	.flags = PARSE_OPT_NONEG,
};

/* --- Wrong options ------------------------------------------------------------------------- */

/* libsubcmd adds these to every table. */
static const char *const own_options[] = {"help", "help-all", "list-opts", "list-cmds"};

/*
 * Return: whether a name means this option. A name may be shortened, and "no-" may be added or
 * removed.
 */
static bool is_name_of(const struct option *o, const char *name, int len)
{
	const char *known = o->long_name;

	if (!known)
		return false;
	if (!strncmp(known, name, len) || (len < 3 && !strncmp("no-", name, len)))
		return true;
	if (text__has_prefix(known, "no-") && !strncmp(known + 3, name, len))
		return true;
	return !strncmp(name, "no-", 3) && !strncmp(known, name + 3, len - 3);
}

static const struct option *find_long(const struct option *table, const char *name, int len)
{
	const struct option *near = NULL;

	for (const struct option *o = table; o->type != OPTION_END; o++) {
		if (!is_name_of(o, name, len))
			continue;
		if ((int)strlen(o->long_name) == len)
			return o;
		near = near ?: o;
	}
	return near;
}

static const struct option *find_short(const struct option *table, char name)
{
	for (const struct option *o = table; o->type != OPTION_END; o++)
		if (o->short_name == name)
			return o;
	return NULL;
}

/* Return: whether the next word is the option's value, if the option's own word has none. */
static bool takes_word(const struct option *o)
{
	bool has_value = o->type == OPTION_STRING || o->type == OPTION_CALLBACK;

	return has_value && !(o->flags & (PARSE_OPT_NOARG | PARSE_OPT_OPTARG));
}

/*
 * Find "--name" or "--name=value". Return: whether it is known; *takes is set to whether its value
 * is the next word.
 */
static bool knows_long(const struct option *table, const char *name, bool *takes)
{
	int len = strcspn(name, "=");
	const struct option *o = find_long(table, name, len);

	*takes = o && !name[len] && takes_word(o);
	for (int i = 0; !o && i < array__nr(own_options); i++)
		if (!strcmp(own_options[i], name))
			return true;
	return o;
}

/*
 * Check "-xyz". Return: the first unknown letter, or 0; *takes is set to whether a value is the
 * next word.
 */
static char unknown_letter(const struct option *table, const char *letters, bool *takes)
{
	*takes = false;
	for (; *letters; letters++) {
		const struct option *o = find_short(table, *letters);

		if (*letters == 'h')
			return 0;
		if (!o)
			return *letters;
		*takes = takes_word(o) && !letters[1];
		/* The rest of the word is this option's value. */
		if (takes_word(o) || (o->flags & PARSE_OPT_OPTARG))
			return 0;
	}
	return 0;
}

/* --- Options of a recorded command line ---------------------------------------------------- */

/**
 * struct past_words - a command line that is being walked
 * @at: index of the current word
 */
struct past_words {
	int argc, at;
	const char *const *argv;
	const struct option *table;
	void (*found)(void *arg, const struct option *o, const char *value, bool unset);
	void *arg;
};

/*
 * The value of an option is the rest of its word; an option that needs a value but has none there
 * takes the next word.
 */
static void walk_option(struct past_words *w, const struct option *o, const char *rest, bool unset)
{
	if (!rest && !unset && takes_word(o) && w->at + 1 < w->argc)
		rest = w->argv[++w->at];
	w->found(w->arg, o, rest, unset);
}

static void walk_long(struct past_words *w, const char *name)
{
	int len = strcspn(name, "=");
	const struct option *o = find_long(w->table, name, len);

	if (o)
		walk_option(w, o, name[len] ? name + len + 1 : NULL,
			    !strncmp(name, "no-", 3) && strncmp(o->long_name, name, len));
}

static void walk_letters(struct past_words *w, const char *letters)
{
	for (; *letters; letters++) {
		const struct option *o = find_short(w->table, *letters);
		bool value = o && (takes_word(o) || (o->flags & PARSE_OPT_OPTARG));

		if (o)
			walk_option(w, o, value && letters[1] ? letters + 1 : NULL, false);
		if (value)
			return;
	}
}

int options__walk(int argc, const char *const *argv, const struct option *table,
		  void (*found)(void *arg, const struct option *o, const char *value, bool unset),
		  void *arg)
{
	struct past_words w = {
		.argc = argc, .argv = argv, .table = table, .found = found, .arg = arg};

	for (w.at = 1; w.at < argc; w.at++) {
		const char *word = argv[w.at];

		if (*word != '-' || !word[1] || !strcmp(word, "--"))
			break;
		if (word[1] == '-')
			walk_long(&w, word + 2);
		else
			walk_letters(&w, word + 1);
	}
	return w.at;
}

/* --- Unknown options ----------------------------------------------------------------------- */

/*
 * End the program with a message about an unknown option
 * @len: length of the option in the word, without a value
 * @after_word: the option may belong to a command whose quotes are missing
 */
static _Noreturn void end_unknown(const char *word, int len, const struct option *table,
				  const char *usage, bool after_word)
{
	struct sb name = SB_INIT, near = SB_INIT, all = SB_INIT;
	struct suggest s;

	sb__printf(&name, "%.*s", len, word);
	for (const struct option *o = table; word[1] == '-' && o->type != OPTION_END; o++)
		if (o->long_name && !(o->flags & PARSE_OPT_HIDDEN))
			sb__printf(&all, "--%s%c", o->long_name, '\0');
	suggest__init(&s, sb__str(&name));
	for (size_t at = 0; at < all.len; at += strlen(all.buf + at) + 1)
		suggest__offer(&s, all.buf + at);
	suggest__print(&s, &near);
	say("unknown option '%s'%s ('%.*s -h' lists them)%s%s", sb__str(&name), sb__str(&near),
	    (int)(strstr(usage, " [") - usage), usage, after_word && given.quoting ? "; " : "",
	    after_word && given.quoting ? given.quoting : "");
	sb__free(&name);
	sb__free(&near);
	sb__free(&all);
	exit(STATUS_USAGE);
}

/* End the program at the first unknown option, before any option takes effect. */
static void check_known(int argc, const char **argv, const struct option *table, const char *usage,
			bool stop)
{
	bool takes, after_word = false;

	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		const char *word = argv[i];
		char letter, name[] = "-x";

		if (*word != '-' || !word[1]) {
			if (stop)
				return;
			after_word = true;
			continue;
		}
		if (word[1] == '-' && !knows_long(table, word + 2, &takes)) {
			end_unknown(word, strcspn(word, "="), table, usage, after_word);
		} else if (word[1] != '-' && (letter = unknown_letter(table, word + 1, &takes))) {
			name[1] = letter;
			end_unknown(name, 2, table, usage, after_word);
		}
		i += takes;
	}
}

/* --- Parsing ------------------------------------------------------------------------------- */

/* Copy a table, and add --machine after --tables, or else at the end. */
static struct option *with_machine(const struct option *table)
{
	struct option *copy;
	int nr = 0, at;

	while (table[nr].type != OPTION_END)
		nr++;
	for (at = 0; at < nr; at++)
		if (text__same(table[at].long_name, "tables"))
			break;
	at = at < nr ? at + 1 : nr;
	copy = xcalloc(nr + 2, sizeof(*copy));
	memcpy(copy, table, at * sizeof(*copy));
	copy[at] = machine_option;
	memcpy(copy + at + 1, table + at, (nr + 1 - at) * sizeof(*copy));
	return copy;
}

int options__parse(int argc, const char **argv, const struct option *table,
		   const char *const usage[], int flags)
{
	/*
	 * After wrong options libsubcmd ends the program, so only the next call can release the
	 * table.
	 */
	static struct option *options;
	int left;

	if (!as_perf()) {
		free(options);
		table = options = with_machine(table);
		if (argc == 2 && !strcmp(argv[1], "--" OPTIONS_LIST)) {
			options__list(options, usage);
			exit(fflush(stdout) ? STATUS_FAILED : 0);
		}
		check_known(argc, argv, table, usage[0], flags & PARSE_OPT_STOP_AT_NON_OPTION);
	}
	left = parse_options(argc, argv, table, usage, flags);
	if (given.otherwise) {
		vec__push(&given.words, NULL);
		options__enter(given.otherwise, given.words.at);
	}
	return left;
}
