// SPDX-License-Identifier: GPL-2.0-only
/* The program: options before the subcommand, and the table of subcommands. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <subcmd/pager.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "cmd.h"

static const struct command commands[] = {
	{ "stat", "Count events and compute TopDown metrics", cmd_stat },
	{ "list", "List the events, metrics and metric groups of this machine", cmd_list },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

static void usage(FILE *out)
{
	fprintf(out, "usage: tma [--machine NAME|FILE] COMMAND [ARGS]\n"
		     "       tma --version | --help\n\n");
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].about);
	fprintf(out, "\n"
		     "  --machine NAME|FILE  run on a simulated machine (skylakex, sapphirerapids,\n"
		     "                       alderlake, zen4, or a machine file); its counts are synthetic\n\n"
		     "'tma COMMAND -h' lists a command's options, 'man tma-COMMAND' explains them.\n");
}

/*
 * A descriptor below 3 that is closed would be taken by the first counter or output file. Opened
 * for reading alone, so that writing to what was closed stays the failure it is.
 */
static void fill_standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

static int unknown_command(const char *name)
{
	struct sb near = SB_INIT;
	struct suggest s;

	suggest__init(&s, name);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		suggest__offer(&s, commands[i].name);
	suggest__print(&s, &near);
	say("'%s' is no command of tma%s ('tma --help' lists them)", name, sb__str(&near));
	sb__free(&near);
	return STATUS_USAGE;
}

static int run_command(int argc, const char **argv)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(argv[0], commands[i].name))
			return commands[i].run(argc, argv);
	return unknown_command(argv[0]);
}

/* Output that could not be written is a failure, whatever the command thought of it. */
static int check_written(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		say("cannot write to standard output: %s", strerror(errno));
		return status ? status : STATUS_FAILED;
	}
	return status;
}

/* Return: an exit status to leave with at once, or -1 to go on with *argv on the subcommand. */
static int parse_global(const char ***argv, const char **machine)
{
	const char **arg = *argv + 1;

	for (; *arg && **arg == '-'; arg++) {
		if (!strcmp(*arg, "--version") || !strcmp(*arg, "-v")) {
			printf("tma version %s\n", TMA_VERSION);
			return 0;
		}
		if (!strcmp(*arg, "--help") || !strcmp(*arg, "-h")) {
			usage(stdout);
			return 0;
		}
		if (!strncmp(*arg, "--machine=", strlen("--machine="))) {
			*machine = *arg + strlen("--machine=");
		} else if (!strcmp(*arg, "--machine") && arg[1]) {
			*machine = *++arg;
		} else {
			say(strcmp(*arg, "--machine") ? "unknown option '%s' before the command" :
							"%s needs a name or a file behind it",
			    *arg);
			usage(stderr);
			return STATUS_USAGE;
		}
	}
	if (!*arg) {
		usage(stderr);
		return STATUS_USAGE;
	}
	*argv = arg;
	return -1;
}

int main(int argc, const char **argv)
{
	const char *machine = NULL, **rest = argv;
	struct err err = ERR_INIT;
	int status;

	fill_standard_descriptors();
	/* Digits and widths are all that is taken from the locale: every category costs files. */
	setlocale(LC_NUMERIC, "");
	setlocale(LC_CTYPE, "");
	pager_init("TMA_PAGER");

	status = parse_global(&rest, &machine);
	if (status >= 0)
		return check_written(status);

	if (!machine && !simulate__active())
		machine = getenv("TMA_MACHINE");
	if (machine && !*machine) {
		say("the name of the simulated machine is empty (--machine or TMA_MACHINE)");
		return STATUS_USAGE;
	}
	if (machine) {
		simulate__enter(machine, rest, &err);
		return say_err(&err);
	}
	if (simulate__active())
		say("simulated machine '%s': its counts are synthetic", simulate__active());
	return check_written(run_command(argc - (rest - argv), rest));
}
