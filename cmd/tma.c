// SPDX-License-Identifier: GPL-2.0-only
/* The main program: its options before the subcommand, and the list of subcommands. */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <subcmd/pager.h>
#include <subcmd/parse-options.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/publish.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "run/run.h"
#include "screen/screen.h"
#include "options.h"
#include "count/count.h"
#include "progress.h"
#include "simulated.h"

/**
 * struct command - a subcommand
 * @name:  name that users type
 * @about: one line for the list of subcommands
 * @run:   its main(): @argv[0] is the name, and it returns the exit status
 */
struct command {
	const char *name, *about;
	int (*run)(int argc, const char **argv);
};

static int cmd_version(int argc, const char **argv);
static int cmd_help(int argc, const char **argv);

static const struct command commands[] = {
	{"stat", "Count events and compute TopDown metrics", cmd_stat},
	{"top", "Show the TopDown tree live, with the busiest processes", cmd_top},
	{"why", "Find what limits a program or the machine, and where", cmd_why},
	{"compare", "Compare commands, or recordings, by time and TopDown", cmd_compare},
	{"serve", "Serve counters to Prometheus", cmd_serve},
	{"fleet", "Show where the slots of many machines go, from Prometheus", cmd_fleet},
	{"plan", "Show how tma stat would count, without counting", cmd_plan},
	{"list", "List the events, metrics and metric groups of this machine", cmd_list},
	{"script", "Print every count of a recording", cmd_script},
	{"test", "Check what can be counted on this machine", cmd_test},
	{"version", "Print the version", cmd_version},
	{"help", "Print this text, or the options of a command", cmd_help},
	{"explain", "Explain a metric, an event or a metric group", cmd_explain},
	{"check-tables", "Find mistakes in event and metric tables", cmd_check_tables},
};

#define PERF_VERSION "6.12" /* perf version whose options and formats tma has */

static bool named_perf;
static const char *named_compat;

bool as_perf(void)
{
	return named_perf;
}

const char *set_compat(const char **by)
{
	const char *set = getenv("TMA_COMPAT");

	*by = set ? "TMA_COMPAT" : "the program's name";
	return set ? set : named_compat;
}

/*
 * A link to this program may have the name perf, perf7, perf_7.3 and so on. This name is in
 * argv[0], and --machine keeps it.
 */
static void set_program_name(const char *name)
{
	const char *slash = strrchr(name, '/'), *version;

	name = slash ? slash + 1 : name;
	named_perf = text__has_prefix(name, "perf");
	version = named_perf ? strpbrk(name, "0123456789") : NULL;
	if (version && *version == '7')
		named_compat = "7";
}

/* --- The beginning and the end ------------------------------------------------------------- */

static pid_t own_pid;

/*
 * End the program without allocating. The process of tma ends the command, writes output that was
 * printed, and closes standard output and standard error: this ends a pager, which then resets the
 * terminal. A child that has not executed its program yet does nothing of this: its parent sees the
 * exit status.
 */
static _Noreturn void end_without_memory(void)
{
	static const char words[] = "tma: out of memory\n";
	static atomic_flag ending = ATOMIC_FLAG_INIT;
	bool own = getpid() == own_pid;

	/* If several threads run out of memory, only the first of them ends the program. */
	while (atomic_flag_test_and_set(&ending))
		pause();
	if (own) {
		screen__restore();
		workload__abandon();
		run__unfreeze();
		publish__abandon();
		fflush(NULL);
	}
	(void)!write(STDERR_FILENO, words, sizeof(words) - 1);
	if (own && pager_in_use()) {
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
		wait(NULL);
	}
	_exit(STATUS_FAILED);
}

static void check_memory(void)
{
	own_pid = getpid();
	xalloc__set_handler(end_without_memory);
}

/* The deepest formula that is allowed needs a quarter of a MiB. */
#define STACK_KIB 512

static bool stack_is_too_small(void)
{
	struct rlimit stack;

	if (getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur >= STACK_KIB << 10)
		return false;
	say("the stack is limited to %llu KiB, and %d are needed (ulimit -s %d)",
	    (unsigned long long)stack.rlim_cur >> 10, STACK_KIB, STACK_KIB);
	return true;
}

/* A user may name a locale that is not installed: this is not an error. */
static void take_locale(int category)
{
	errno = 0;
	if (!setlocale(category, "") && errno == ENOMEM)
		xchecked(NULL);
}

/*
 * Use only the digits and character widths of the locale, as each category reads files.
 * Expressions, JSON and messages always have a decimal point, so numbers are "C" by default; only
 * rows for people use the locale of the process. Names are always compared as in English: in other
 * languages the small form of I may have no dot.
 */
static void take_locales(void)
{
	const char *letters = "C";
	locale_t plain, english;

	take_locale(LC_NUMERIC);
	take_locale(LC_CTYPE);
	if (!strcmp(nl_langinfo(CODESET), "UTF-8"))
		letters = "C.UTF-8";
	plain = newlocale(LC_NUMERIC_MASK, "C", duplocale(LC_GLOBAL_LOCALE));
	english = plain ? newlocale(LC_CTYPE_MASK, letters, plain) : NULL;
	if (english || plain)
		uselocale(english ? english : plain);
}

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

static void usage(FILE *out)
{
	fprintf(out, "usage: tma [--machine NAME|FILE] [--tables DIR] COMMAND [ARGS]\n"
		     "       tma --version [--tables] | --help\n\n");
	for (int i = 0; i < array__nr(commands); i++)
		fprintf(out, "  %-13s %s\n", commands[i].name, commands[i].about);
	fprintf(out,
		"\n"
		"  --machine NAME|FILE  run on a simulated machine (sapphirerapids, alderlake,\n"
		"                       zen4 ..., or a machine file); its counts are synthetic\n"
		"  --tables DIR         also use events and metrics from there; with --version,\n"
		"                       only print which tables are used\n"
		"\n"
		"'tma help COMMAND' lists a command's options, 'man tma-COMMAND' explains them.\n");
}

/* Print the options before a subcommand, and the subcommands, for the completion of a shell. */
static void list_options(void)
{
	static const char *const none[] = {"tma", NULL};
	const char *tables = NULL;
	bool version = false;
	const struct option options[] = {
		OPT_STRING(0, "machine", &tables, "machine|file", "run on a simulated machine"),
		OPT_STRING(0, "tables", &tables, "directory",
			   "also use events and metrics from there"),
		OPT_BOOLEAN(0, "version", &version, "print the version"),
		OPT_END(),
	};

	options__list(options, none);
	for (int i = 0; i < array__nr(commands); i++)
		options__list_command(commands[i].name, commands[i].about);
}

/*
 * If standard descriptors are closed, open /dev/null in their place: else the first counter or
 * output file would get their number. They are read-only, so writing to them still fails.
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

/* Names that other programs have for parts of tma, and the words after "tma stat". */
static const struct {
	const char *word, *command;
} aliases[] = {
	{"record", "stat record"},   {"report", "stat report"}, {"diff", "compare"},
	{"metrics", "list metric"},  {"events", "list event"},	{"topdown", "stat --topdown"},
	{"options", "help COMMAND"}, {"usage", "help"},
};

static int unknown_command(const char *name)
{
	auto_free(sb) near = SB_INIT;
	struct suggest s;

	suggest__init(&s, name);
	for (int i = 0; i < array__nr(aliases); i++)
		if (!strcmp(aliases[i].word, name))
			sb__printf(&near, "; use 'tma %s'", aliases[i].command);
	for (int i = 0; !near.len && i < array__nr(commands); i++)
		suggest__offer(&s, commands[i].name);
	if (strchr(name, '/'))
		s.nr = 0;
	suggest__print(&s, &near);
	if (!near.len)
		suggest_why(name, &near);
	say("'%s' is not a tma command%s ('tma --help' lists them)", name, sb__str(&near));
	return STATUS_USAGE;
}

static void end_well(void)
{
	fflush(NULL);
	_exit(ferror(stderr) || ferror(stdout) ? STATUS_FAILED : 0);
}

/*
 * libsubcmd prints help on standard error, and fails. Help that the user asks for should go to
 * standard output and succeed. The handler that is registered first runs last, so it sets the
 * status.
 */
static void expect_help(void)
{
	fflush(stdout);
	if (dup2(STDOUT_FILENO, STDERR_FILENO) >= 0)
		atexit(end_well);
}

/* Return: whether the two words are the names of a command. */
static bool is_verb(const char *command, const char *verb)
{
	return (!strcmp(command, "stat") && text__is_any(verb, "record", "report")) ||
	       (!strcmp(command, "fleet") && text__is_any(verb, "top", "tree", "diff"));
}

static int run_command(int argc, const char **argv)
{
	const struct command *command = array__find(commands, name, argv[0]);

	/* As in perf, --help exits with 0, but -h is a usage error. */
	if (command && !strcmp(argv[argc - 1], "--help") &&
	    (argc == 2 || (argc == 3 && is_verb(argv[0], argv[1]))))
		expect_help();
	if (as_perf() && !strcmp(argv[0], "check"))
		return cmd_check(argc, argv);
	return command ? command->run(argc, argv) : unknown_command(argv[0]);
}

int suggest_subcommand(struct err *err, const char *word)
{
	if (as_perf())
		return -err->code;
	if (!strcmp(word, "help"))
		return err__append(err, " ('tma help COMMAND' lists the options of a command)");
	if (array__find(commands, name, word))
		return err__append(err, " ('tma %s' is a command of its own)", word);
	return -err->code;
}

/* If output could not be written, this is a failure, even if the command succeeded. */
static int check_written(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		say("cannot write to standard output: %s", strerror(errno));
		return status ? status : STATUS_FAILED;
	}
	return status;
}

/**
 * struct globals - the options before the subcommand
 * @machine: the simulated machine, or NULL
 * @version: --version was given
 * @tables:  --tables was given; --version then prints which tables are used
 * @features: --version also prints the features of this build
 */
struct globals {
	const char *machine;
	bool version, tables, features;
};

/*
 * Find the value of a long option, "--name=VALUE" or "--name VALUE"; *arg is moved to the last word
 * of it.
 */
static const char *option_value(const char ***arg, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(**arg, name, len))
		return NULL;
	if ((**arg)[len] == '=')
		return **arg + len + 1;
	if ((**arg)[len] || !(*arg)[1])
		return NULL;
	return *++*arg;
}

static int list_machines(void)
{
	auto_free(sb) names = SB_INIT;
	int len;

	simulated__put_machines(&names);
	text__for_each_item(at, len, sb__str(&names), " ")
		printf("%.*s\n", len, at);
	return 0;
}

/* Return: an exit status to end with; or -1 to continue, and *argv points at the subcommand. */
static int parse_global(const char ***argv, struct globals *g)
{
	const char **arg = *argv + 1, *value;

	for (; *arg && **arg == '-'; arg++) {
		if (!strcmp(*arg, "--version") || !strcmp(*arg, "-v")) {
			g->version = true;
		} else if (as_perf() && !strcmp(*arg, "-vv")) {
			g->version = g->features = true;
		} else if (!strcmp(*arg, "--help") || !strcmp(*arg, "-h")) {
			usage(stdout);
			return 0;
		} else if (!strcmp(*arg, "--" OPTIONS_LIST)) {
			list_options();
			return 0;
		} else if ((value = option_value(&arg, "--machine"))) {
			if (!strcmp(value, "list"))
				return list_machines();
			g->machine = value;
		} else if (g->version && !strcmp(*arg, "--tables") && !arg[1]) {
			g->tables = true;
		} else if ((value = option_value(&arg, "--tables"))) {
			g->tables = true;
			vec__push(&host_asked()->tables, value);
		} else {
			bool known = !strcmp(*arg, "--machine") || !strcmp(*arg, "--tables");

			say(known ? "%s needs a name, a directory or a file"
				  : "unknown option '%s' before the command; a command's options "
				    "follow it, as in 'tma stat --topdown'",
			    *arg);
			return STATUS_USAGE;
		}
	}
	if (!*arg && !g->version) {
		usage(stderr);
		return STATUS_USAGE;
	}
	*argv = arg;
	return -1;
}

const char *tma_version(void)
{
	return *TMA_COMMIT ? TMA_VERSION " (commit " TMA_COMMIT ")" : TMA_VERSION;
}

/* --- Version and help ---------------------------------------------------------------------- */

static int print_version(const struct globals *g, const char *more)
{
	auto_free(sb) text = SB_INIT;
	auto_free(host) host = { .machine = NULL };
	struct err err = ERR_INIT;

	if (more) {
		say("unexpected argument '%s': --version takes none", more);
		return STATUS_USAGE;
	}
	if (as_perf())
		puts("perf version " PERF_VERSION);
	else
		printf("tma version %s\n", tma_version());
	if (g->features)
		check__print_features();
	if (!g->tables)
		return 0;
	if (load_host(&host, &err))
		return say_err(&err);
	host__describe(&host, &text);
	sb__putc(&text, '\n');
	/* The text has PERF_CPUID and names of files, which may be any text. */
	print_clean(sb__str(&text));
	return 0;
}

static int cmd_version(int argc, const char **argv)
{
	static const char *const usage[] = { "tma version", NULL };
	struct globals g = { .version = true };
	const struct option perfs[] = {
		OPT_BOOLEAN(0, "build-options", &g.features, "what this build can do"),
		OPT_END(),
	};
	const struct option ours[] = { OPT_END() };

	argc = options__parse(argc, argv, as_perf() ? perfs : ours, usage, 0);
	return print_version(&g, argc ? argv[0] : NULL);
}

static int list_help(void)
{
	auto_free(sb) words = SB_INIT;

	for (int i = 0; i < array__nr(commands); i++)
		sb__printf(&words, "%s%s", i ? " " : "", commands[i].name);
	options__list_words(sb__str(&words));
	return 0;
}

static int cmd_help(int argc, const char **argv)
{
	const char *words[] = {argc > 1 ? argv[1] : "help", "-h", NULL};

	if (argc == 2 && !strcmp(argv[1], "--" OPTIONS_LIST))
		return list_help();
	if (argc == 3 && is_verb(argv[1], argv[2])) {
		expect_help();
		return run_command(3, (const char *[]){argv[1], argv[2], "-h", NULL});
	}
	if (argc > 2) {
		say("unexpected argument '%s': tma help takes one command", argv[2]);
		return STATUS_USAGE;
	}
	if (argc > 1 && *argv[1] != '-' && strcmp(argv[1], "help")) {
		if (array__find(commands, name, argv[1]))
			expect_help();
		return run_command(2, words);
	}
	usage(stdout);
	return 0;
}

/* If the variable is empty, it does not name a machine. */
static const char *machine_of_environment(void)
{
	const char *name = getenv("TMA_MACHINE");

	return name && *name ? name : NULL;
}

int main(int argc, const char **argv)
{
	struct globals g = {.machine = NULL};
	const char **rest = argv, *here;
	struct err err = ERR_INIT;
	int status;

	set_program_name(argc ? argv[0] : "");
	check_memory();
	fill_standard_descriptors();
	if (stack_is_too_small())
		return STATUS_FAILED;
	take_locales();
	pager_init("TMA_PAGER");

	status = parse_global(&rest, &g);
	if (status >= 0)
		return check_written(status);

	here = simulated__machine();
	/* An option after the subcommand overrides the environment. */
	options__keep(argv, g.machine, g.machine || here ? NULL : machine_of_environment());
	if (g.machine && !*g.machine) {
		say("--machine: the name of the simulated machine is empty");
		return STATUS_USAGE;
	}
	if (!g.machine && !here && g.version)
		g.machine = machine_of_environment();
	if (g.machine && !text__same(g.machine, here) && (!g.version || g.tables)) {
		simulated__enter(g.machine, argv, &err);
		return say_err(&err);
	}
	/* If a file has reached its size limit, report this like a full disk. */
	signals__ignore(SIGXFSZ);
	if (here)
		simulated__observe();
	if (here && !g.version)
		say("simulated machine '%s': its counts are synthetic", here);
	if (g.version)
		return check_written(print_version(&g, *rest));
	status = run_command(argc - (rest - argv), rest);
	progress__clear();
	if (here && simulated__follows() == SIM_FOLLOWS_COMMAND)
		say("simulated machine '%s': its rates were written to fit this command", here);
	else if (here && simulated__follows() == SIM_FOLLOWS_SCRIPT)
		say("simulated machine '%s': its counts follow the script in its file", here);
	return check_written(status);
}
