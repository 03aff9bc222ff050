// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command lines of tma stat, a word a line; "plan" as the first word makes it tma plan. Options
 * that are taken hang together, those that are refused have a message or end in a usage text.
 * Nothing is counted.
 */
#include <errno.h>
#include <setjmp.h>

#include "../../cmd/options.h"
#include "../../cmd/simulated.h"
#include "../../cmd/stat.h"
#include "fuzz.h"
#include "messages.h"

#define WORDS_MAX 64

/* Where exit() of libsubcmd, which prints a usage text, leads to while an input is tried. */
static jmp_buf *way_out;
static FILE *nowhere;

void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));

void __wrap_exit(int status)
{
	if (way_out)
		longjmp(*way_out, status);
	__real_exit(status);
}

/* These stand in for host.c: what they are given is for a host, which there is none of. */
void host__use_common_for(int argc, const char **argv)
{
	(void)argc;
	(void)argv;
}

void host__define_metric(const char *name, const char *expr)
{
	fuzz_check(*name && *expr);
	free((char *)name);
	free((char *)expr);
}

int host__no_pmu(const char *what, const char *example, struct err *err)
{
	(void)example;
	return err__set(err, ENODEV, "%s", what);
}

void host__family(const struct host *h, struct sb *sb)
{
	(void)h;
	(void)sb;
}

/* --machine is refused: nothing is started anew. */
int simulated__enter(const char *machine, const char **argv, struct err *err)
{
	fuzz_check(*machine && argv[0] && argv[1]);
	free(argv);
	return err__set(err, ENOENT, "%s", machine);
}

void options__list(const struct option *table, const char *const usage[])
{
	fuzz_check(table && usage[0]);
}

const char *simulated__machine(void)
{
	return NULL;
}

int option__tables(const struct option *opt, const char *arg, int unset)
{
	(void)opt;
	fuzz_check(arg && !unset);
	return 0;
}

int option__metrics_file(const struct option *opt, const char *arg, int unset)
{
	return option__tables(opt, arg, unset);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	nowhere = fopen("/dev/null", "w");
	fuzz_check(nowhere);
	return 0;
}

static void check(const struct stat_options *o)
{
	const struct target *t = &o->target;

	fuzz_check(o->format.format && o->report.aggr < AGGR_NR);
	fuzz_check(!o->format.separator || *o->format.separator);
	fuzz_check(o->interval_ms <= UINT32_MAX && o->timeout_ms <= UINT32_MAX);
	fuzz_check(!o->interval_count || o->interval_ms || o->verb == STAT_REPORT);
	if (o->verb == STAT_REPORT)
		return;
	fuzz_check(o->verb != STAT_PLAN || o->dry_run);
	fuzz_check(!o->have_command == !t->argv && (!t->argv || t->argv[0]));
	fuzz_check(o->have_command || t->system_wide || t->pids || t->tids || t->cpus.nr);
	fuzz_check(!(t->pids && t->tids));
	fuzz_check(o->repeat == 1 || (o->have_command && !o->interval_ms));
	for (int i = 0; i < o->events.nr; i++)
		fuzz_check(o->events.at[i].text);
	for (int i = 1; i < t->cpus.nr; i++)
		fuzz_check(t->cpus.at[i - 1] < t->cpus.at[i]);
}

/* What libsubcmd still holds when it calls exit() is no leak. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* Messages go nowhere meanwhile, and those of a failed check do not. */
static int parse(struct stat_options *o, enum stat_verb verb, int argc, const char **argv,
		 struct err *err)
{
	FILE *out = stdout, *messages = stderr;
	jmp_buf here;
	volatile int rc;
	int status;

	stdout = stderr = nowhere;
	way_out = &here;
	status = setjmp(here);
	if (!status)
		rc = stat_options__parse(o, verb, argc, argv, err);
	way_out = NULL;
	stdout = out;
	stderr = messages;
	if (!status)
		return rc;
	/* --machine leads to another process, which there is none of. */
	fuzz_check(status == STATUS_USAGE || status == 130 || status == STATUS_FAILED, "%d",
		   status);
	return status;
}

/*
 * As in a process, other strings stand behind the words: libsubcmd looks at the second letter of an
 * empty one, and at the fourth of "--n".
 */
static char *copy_words(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 4);

	fuzz_check(text);
	if (size)
		memcpy(text, data, size);
	return text;
}

static int try_words(const uint8_t *data, size_t size)
{
	static struct stat_options o;
	const char *argv[WORDS_MAX + 1] = {NULL};
	char *text = copy_words(data, size), *rest = text;
	enum stat_verb verb;
	struct err err = ERR_INIT;
	int argc = 0, rc;

	while (argc < WORDS_MAX && rest)
		argv[argc++] = strsep(&rest, "\n");
	verb = strcmp(argv[0], "plan") ? STAT_PRINT : STAT_PLAN;
	sb__clear(&said);
	options__keep(argv, false, NULL);
	o = (struct stat_options){.verb = verb};
	rc = parse(&o, verb, argc, argv, &err);
	if (rc < 0)
		fuzz__check_error(rc, &err);
	else if (!rc)
		check(&o);
	stat_options__free(&o);
	free(text);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int rc;

	if (__lsan_disable)
		__lsan_disable();
	rc = try_words(data, size);
	if (__lsan_enable)
		__lsan_enable();
	/* Once more, as the same comes of the same words, and now with an eye on leaks. */
	if (rc <= 0)
		fuzz_check(try_words(data, size) == rc);
	return 0;
}
