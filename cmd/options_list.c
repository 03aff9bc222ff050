// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shell completions use this list. It has a line for each option and word, with its possible
 * values, and is made from the tables of options and the usage texts.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <subcmd/parse-options.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "cmd.h"
#include "options.h"
#include "simulated.h"
#include "tables/tables.h"
#include "writers/writer.h"

/* --- Placeholders -------------------------------------------------------------------------- */

static void put_formats(struct sb *sb)
{
	for (int i = 0; format__at(i); i++)
		sb__printf(sb, "%s%s", i ? " " : "", format__name(format__at(i)));
}

static void put_models(struct sb *sb)
{
	for (int i = 0; i < tables__nr_models(); i++)
		sb__printf(sb, "%s%s", i ? " " : "", tables__model_name(i));
}

/**
 * struct kind - the meaning of a placeholder, a word between < and > in a help text
 * @argh:  the word
 * @words: its possible values. A word that begins with '@' names things that the shell looks up:
 *         files, directories, commands, processes; or events, metrics, PMUs, which "tma list"
 *         prints
 * @put:   appends the values, instead of @words
 */
static const struct kind {
	const char *argh, *words;
	void (*put)(struct sb *sb);
} kinds[] = {
	{"event", "@event", NULL},
	{"pattern", "@event @metric", NULL},
	{"metric/metric group list", "@metric", NULL},
	{"metric", "@metric", NULL},
	{"names", "@metric", NULL},
	{"name", "@metric @event", NULL},
	{"PMU", "@pmu", NULL},
	{"pmu", "@pmu", NULL},
	{"instructions", "instructions", NULL},
	{"pid", "@pid", NULL},
	{"tid", "@pid", NULL},
	{"file", "@file", NULL},
	{"recording", "@file", NULL},
	{"directory", "@directory", NULL},
	{"command", "@command", NULL},
	{"ports", "", NULL}, /* nothing lists the ports yet */
	{"saved", "", NULL}, /* users choose these names */
	{"L1-L4", "L1 L2 L3 L4", NULL},
	{"when", "auto always never", NULL},
	{"bottlenecks", "bottlenecks", NULL},
	{"level", "1 2 3 4 5 6 max", NULL},
	{"format", NULL, put_formats},
	{"machine", NULL, simulated__put_machines},
	{"model", NULL, put_models},
};

static const struct kind *options_list__find_kind(const char *name, int len)
{
	for (int i = 0; i < array__nr(kinds); i++)
		if ((int)strlen(kinds[i].argh) == len && !strncmp(kinds[i].argh, name, len))
			return &kinds[i];
	return NULL;
}

/*
 * Put the possible values of a word. A word that is not a placeholder is its own value: "mean" in
 * "mean|min|max".
 */
static void put_word(struct sb *words, const char *word, int len)
{
	const struct kind *kind = options_list__find_kind(word, len);

	if (kind && kind->words && !*kind->words)
		return;
	sb__puts(words, words->len ? " " : "");
	if (kind && kind->put)
		kind->put(words);
	else if (kind)
		sb__puts(words, kind->words);
	else
		sb__add(words, word, len);
}

/*
 * Put the possible values of an option; nothing for "n", "ms" and other placeholders for numbers.
 */
static void put_values(struct sb *words, const char *argh)
{
	int len = strlen(argh);

	if (strchr(argh, '|') && !options_list__find_kind(argh, len))
		text__for_each_item(word, len, argh, "|") put_word(words, word, len);
	else if (options_list__find_kind(argh, len))
		put_word(words, argh, len);
}

/* --- Options ------------------------------------------------------------------------------- */

static void print_line(const char *kind, const char *name, const char *value, const char *words,
		       const char *help)
{
	printf("%s\t%s\t%s\t%s\t%s\n", kind, name, value, words, help);
}

static const char *takes_value(const struct option *o)
{
	bool has_value = o->type == OPTION_STRING || o->type == OPTION_CALLBACK;

	if (!has_value || o->flags & PARSE_OPT_NOARG)
		return "";
	return o->flags & PARSE_OPT_OPTARG ? "optional" : "required";
}

static void print_option(const struct option *o)
{
	auto_free(sb) words = SB_INIT;
	const char *takes = takes_value(o);
	char name[64];

	/* An empty placeholder marks options of perf that tma accepts, but does not offer. */
	if (o->type == OPTION_GROUP || (o->argh && !*o->argh))
		return;
	if (*takes && o->argh)
		put_values(&words, o->argh);
	if (o->short_name) {
		snprintf(name, sizeof(name), "-%c", o->short_name);
		print_line("option", name, takes, sb__str(&words), o->help);
	}
	if (o->long_name) {
		snprintf(name, sizeof(name), "--%s", o->long_name);
		print_line("option", name, takes, sb__str(&words), o->help);
	}
}

/* --- Words that are not options ------------------------------------------------------------ */

/*
 * Put a word of a usage line. In brackets or capitals it is a placeholder; any other word, such as
 * "hw", is put unchanged.
 */
static void put_argument(struct sb *words, const char *text, int len)
{
	int item_len;

	text__for_each_item(item, item_len, text, "|")
	{
		const char *from = item + strspn(item, "[<'");
		int nr = strcspn(from, "|]>'. ");

		if (item >= text + len)
			break;
		if (nr == 3 && !strncmp(from, "DIR", 3))
			put_word(words, "directory", strlen("directory"));
		else if (nr == 4 && !strncmp(from, "FILE", 4))
			put_word(words, "file", strlen("file"));
		else if (memchr(item, '<', item_len))
			put_word(words, from, nr);
		else
			sb__printf(words, "%s%.*s", words->len ? " " : "", nr, from);
	}
}

/* Print the words that may follow the command's name and options, from all usage lines. */
static void print_words(const char *const usage[])
{
	const char *options = " [<options>]";
	const char *end = strstr(usage[0], " [") ?: usage[0] + strlen(usage[0]);
	size_t name_len = end - usage[0];
	auto_free(sb) words = SB_INIT;

	for (int i = 0; usage[i]; i++) {
		const char *rest = usage[i] + name_len;
		int len;

		rest += text__has_prefix(rest, options) ? strlen(options) : 0;
		text__for_each_item(word, len, rest, " ")
		{
			/*
			 * Options have lines of their own, and the words after "record" have
			 * another list.
			 */
			if (text__has_prefix(word, "[-"))
				break;
			put_argument(&words, word, len);
			if (islower((unsigned char)*word))
				break;
		}
	}
	print_line("words", "", "", sb__str(&words), "");
}

void options__list(const struct option *table, const char *const usage[])
{
	for (const struct option *o = table; o->type != OPTION_END; o++)
		print_option(o);
	print_line("option", "--help", "", "", "list the options");
	print_words(usage);
}

void options__list_command(const char *name, const char *about)
{
	print_line("command", name, "", "", about);
}

void options__list_words(const char *words)
{
	print_line("words", "", "", words, "");
}
