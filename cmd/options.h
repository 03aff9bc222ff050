/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the options of all subcommands have in common. A subcommand's table of options and its words
 * come in; its options come out set, and --machine, which every subcommand takes, is carried out.
 */
#ifndef TMA_CMD_OPTIONS_H
#define TMA_CMD_OPTIONS_H

#include <stdbool.h>

struct err;
struct option;

/**
 * options__keep() - keep the program's words as they were given
 * @argv: those of main(); copied, as parsing takes options out of it
 * @machine: whether --machine was given before the subcommand
 * @otherwise: the machine of which the program runs where no --machine is given; or NULL
 */
void options__keep(const char **argv, bool machine, const char *otherwise);
/** options__quote() - what an unknown option after a word is told: how commands are quoted. */
void options__quote(const char *hint);
/**
 * options__walk() - look at options that a command line had, and carry none of them out
 * @argc, @argv: the subcommand's name and what follows it
 * @table: ends with OPT_END()
 * @found: called for each known option: @value is that behind it, or NULL; @unset: "--no-..."
 *
 * It ends at the first word that is neither an option nor the value of one. Return: its number, or
 * @argc.
 */
int options__walk(int argc, const char *const *argv, const struct option *table,
		  void (*found)(void *arg, const struct option *o, const char *value, bool unset),
		  void *arg);
/**
 * options__parse() - parse the options of a subcommand
 * @argc, @argv: the subcommand's name and what follows it; what is no option is left in @argv
 * @table: ends with OPT_END(); --machine is added to it, behind --tables where it has that
 * @usage: ends with NULL; its first line names the command
 * @flags: PARSE_OPT_STOP_AT_NON_OPTION, or 0
 *
 * With --machine, or with the machine that stands for it, the program starts anew. On wrong options
 * it ends, with a message that names the nearest known one, and STATUS_USAGE; under perf's name it
 * says what perf says.
 *
 * Return: the number of words left in @argv.
 */
int options__parse(int argc, const char **argv, const struct option *table,
		   const char *const usage[], int flags);

#define OPTIONS_LIST "list-options" /* the option that only completions use */

/**
 * options__list() - print, for the completion of a shell, what may follow a command
 * @table: ends with OPT_END()
 * @usage: ends with NULL: what may follow the options
 *
 * Lines have five fields between tabs: "option", its name, "required" or "optional" where it takes
 * a value, the words that this may be, and its help; or "words", with those that are no options in
 * the same place; or "command" and its name. A word that begins with '@' names a kind of things
 * that the shell looks up.
 */
void options__list(const struct option *table, const char *const usage[]);
/** options__list_command() - print such a line for a command. */
void options__list_command(const char *name, const char *about);
/** options__list_words() - print the line of words that are no options. */
void options__list_words(const char *words);

#endif
