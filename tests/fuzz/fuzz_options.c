// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command lines of tma stat, one word in each line; if the first word is "plan", of tma plan.
 * Options that are accepted are consistent. If options are refused, there is a message or a usage
 * text. Nothing is counted.
 */
#include <errno.h>
#include <setjmp.h>

#include "../../cmd/options.h"
#include "../../cmd/simulated.h"
#include "../../cmd/stat/stat.h"
#include "fuzz.h"
#include "messages.h"

#define WORDS_MAX 64

/* libsubcmd prints a usage text and calls exit(): this returns here while an input is tried. */
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

/* Functions that ask about a host give no answer here. */
struct host_options *host_asked(void)
{
	static struct host_options asked;

	for (int i = 0; i < asked.definitions.nr; i++) {
		fuzz_check(*asked.definitions.at[i].name && *asked.definitions.at[i].expr);
		free((char *)asked.definitions.at[i].name);
		free((char *)asked.definitions.at[i].expr);
	}
	vec__free(&asked.definitions);
	return &asked;
}

void host_asked__put_stat(struct sb *sb, const char *machine)
{
	(void)sb;
	(void)machine;
}

/* --machine is refused, since it would start a program. */
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
	const struct request *r = &o->req;
	const struct target *t = &r->target;

	fuzz_check(o->format.format && r->aggr < AGGR_NR);
	fuzz_check(!o->format.separator || *o->format.separator);
	fuzz_check(r->interval_ms <= UINT32_MAX && r->timeout_ms <= UINT32_MAX);
	fuzz_check(!r->interval_count || r->interval_ms || o->verb == STAT_REPORT);
	if (o->verb == STAT_REPORT)
		return;
	fuzz_check(o->verb != STAT_PLAN || o->dry_run);
	fuzz_check(!t->argv || t->argv[0]);
	fuzz_check(t->argv || t->system_wide || t->pids || t->tids || t->cpus.nr);
	fuzz_check(!(t->pids && t->tids));
	fuzz_check(r->repeat == 1 || (t->argv && !r->interval_ms));
	for (int i = 0; i < r->nr_events; i++)
		fuzz_check(r->events[i].text);
	for (int i = 1; i < t->cpus.nr; i++)
		fuzz_check(t->cpus.at[i - 1] < t->cpus.at[i]);
}

/* It is not a leak if libsubcmd still holds memory when it calls exit(). */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* Messages are discarded here, except for the message of a failed check. */
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
	/*
	 * With --machine tma would execute itself again, which fails here. An exit with 0, as after
	 * --list-options, is returned as 1.
	 */
	fuzz_check(status == STATUS_USAGE || status == 130 || status == STATUS_FAILED ||
			   status == 1,
		   "%d", status);
	return status;
}

/*
 * Other strings follow the words, as in a process: libsubcmd reads the second letter of an empty
 * word, and the fourth letter of "--n".
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
	/* The same words again have the same result. Leaks are checked this time. */
	if (rc <= 0)
		fuzz_check(try_words(data, size) == rc);
	return 0;
}
