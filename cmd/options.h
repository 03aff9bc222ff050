/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of all subcommands are parsed here. A subcommand passes its table of options and its
 * words; its options are set, and --machine, which every subcommand has, takes effect.
 */
#ifndef TMA_CMD_OPTIONS_H
#define TMA_CMD_OPTIONS_H

#include <stdbool.h>

struct err;
struct option;

/**
 * options__keep() - keep the program's words as the user gave them
 * @argv: argument of main(); copied, since parsing removes options from it
 * @machine: --machine was given before the subcommand
 * @otherwise: the machine to run on if --machine is not given, or NULL
 */
void options__keep(const char **argv, bool machine, const char *otherwise);
/**
 * options__quote() - set the hint of messages about unknown options after a command: how to quote
 * it
 */
void options__quote(const char *hint);
/**
 * options__walk() - pass each option of a command line to a function, and set nothing
 * @argc, @argv: the subcommand's name and what follows it
 * @table: table of options, ended by OPT_END()
 * @found: called for each known option; @value: its value, or NULL; @unset: it began with "--no-"
 *
 * The walk ends at the first word that is neither an option nor an option's value. Return: the
 * index of this word, or @argc.
 */
int options__walk(int argc, const char *const *argv, const struct option *table,
		  void (*found)(void *arg, const struct option *o, const char *value, bool unset),
		  void *arg);
/**
 * options__parse() - parse the options of a subcommand
 * @argc, @argv: the subcommand's name and what follows it; words that are not options remain in
 *               @argv
 * @table: table of options, ended by OPT_END(); --machine is added to it
 * @usage: lines of usage, ended by NULL; the first line names the command
 * @flags: PARSE_OPT_STOP_AT_NON_OPTION, or 0
 *
 * With --machine, or a machine of options__keep(), the program starts itself again. With wrong
 * options it ends: a message names the most similar option, and the exit status is STATUS_USAGE.
 * Under perf's name it prints what perf prints.
 *
 * Return: the number of words that remain in @argv.
 */
int options__parse(int argc, const char **argv, const struct option *table,
		   const char *const usage[], int flags);

#define OPTIONS_LIST "list-options" /* name of an option that only completions use */

/**
 * options__list() - print the options and words that may follow a command, for shell completion
 * @table: table of options, ended by OPT_END()
 * @usage: lines of usage, ended by NULL: they show which words may follow the options
 *
 * Each line has five fields, separated by tabs. The line of an option has "option", the option's
 * name, "required" or "optional" if it has a value, the possible values, and the help. The line
 * "words" has, in place of the values, the words that are not options. The line of a command has
 * "command" and its name. A word that begins with '@' names a kind of things that the shell looks
 * up.
 */
void options__list(const struct option *table, const char *const usage[]);
/** options__list_command() - print the line of a command. */
void options__list_command(const char *name, const char *about);
/** options__list_words() - print the line with the words that are not options. */
void options__list_words(const char *words);

#endif
