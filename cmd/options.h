/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options: the parts that all subcommands share. A subcommand's table of options and its words
 * come in; its options are set, and --machine, which every subcommand takes, is carried out.
 */
#ifndef TMA_CMD_OPTIONS_H
#define TMA_CMD_OPTIONS_H

#include <stdbool.h>

struct err;
struct option;

/**
 * options__keep() - keep the program's words as they were given
 * @argv: of main(); copied, as parsing takes options out of it
 * @machine: --machine was given before the subcommand
 * @otherwise: the machine to run on if --machine is not given; or NULL
 */
void options__keep(const char **argv, bool machine, const char *otherwise);
/** options__quote() - set a hint for unknown options after a word: how commands are quoted. */
void options__quote(const char *hint);
/**
 * options__walk() - pass the options of a command line to a function, without carrying them out
 * @argc, @argv: the subcommand's name and what follows it
 * @table: ends with OPT_END()
 * @found: called for each known option: @value is its value, or NULL; @unset: "--no-..."
 *
 * It ends at the first word that is neither an option nor the value of one. Return: the index of
 * that word, or @argc.
 */
int options__walk(int argc, const char *const *argv, const struct option *table,
		  void (*found)(void *arg, const struct option *o, const char *value, bool unset),
		  void *arg);
/**
 * options__parse() - parse the options of a subcommand
 * @argc, @argv: the subcommand's name and what follows it; words that are not options are left in
 *               @argv
 * @table: ends with OPT_END(); --machine is added to it, after --tables where it has that
 * @usage: ends with NULL; its first line names the command
 * @flags: PARSE_OPT_STOP_AT_NON_OPTION, or 0
 *
 * With --machine, or a machine of options__keep(), the program starts itself again. On wrong
 * options it ends, with a message that names the nearest known one, and STATUS_USAGE; under perf's
 * name it prints the same as perf.
 *
 * Return: the number of words left in @argv.
 */
int options__parse(int argc, const char **argv, const struct option *table,
		   const char *const usage[], int flags);

#define OPTIONS_LIST "list-options" /* the option that only completions use */

/**
 * options__list() - print the options and words that may follow a command, for shell completion
 * @table: ends with OPT_END()
 * @usage: ends with NULL: its lines show which words may follow the options
 *
 * Lines have five fields between tabs: "option", its name, "required" or "optional" where it takes
 * a value, the words that this may be, and its help; or "words", with the words that are not
 * options in the same place; or "command" and its name. A word that begins with '@' names a kind of
 * things that the shell looks up.
 */
void options__list(const struct option *table, const char *const usage[]);
/** options__list_command() - print the line of a command. */
void options__list_command(const char *name, const char *about);
/** options__list_words() - print the line of words that are not options. */
void options__list_words(const char *words);

#endif
