// SPDX-License-Identifier: GPL-2.0-only
/* Makes commands that do by hand what "tma why" has done, quoted for a shell. */
#include "base/array.h"
#include "base/text.h"
#include "cmd.h"
#include "metrics/metrics.h"
#include "simulated.h"
#include "why/why.h"

#define WINDOW_MS "1000" /* length of a measurement without a command, in ms */

/** struct why_words - words of a command line, which are not owned */
struct why_words {
	const char **at;
	int nr, cap;
};

static void why_by_hand__add_option(struct why_words *words, const char *option, const char *value)
{
	if (!value)
		return;
	vec__push(words, option);
	vec__push(words, value);
}

static void add_target(const struct why_target *t, struct why_words *words)
{
	if (t->system_wide)
		vec__push(words, "-a");
	why_by_hand__add_option(words, "-C", t->cpus);
	why_by_hand__add_option(words, "-p", t->pids);
	why_by_hand__add_option(words, "-t", t->tids);
	why_by_hand__add_option(words, "--for-each-cgroup", t->cgroups);
	why_by_hand__add_option(words, "--cputype", t->cputype);
}

static void add_command(const struct why_target *t, struct why_words *words)
{
	if (!*t->argv)
		return;
	vec__push(words, "--");
	for (int i = 0; t->argv[i]; i++)
		vec__push(words, t->argv[i]);
}

/* Append words to a text, with a blank before each word, and release the words. */
static void put_words(struct why_words *words, struct sb *sb)
{
	for (int i = 0; i < words->nr; i++) {
		sb__putc(sb, ' ');
		text__shell(sb, words->at[i]);
	}
	vec__free(words);
}

bool why_target__is_of_cpus(const struct why_target *t)
{
	return !t->cgroups && !t->pids && !t->tids && (t->system_wide || t->cpus);
}

bool why_target__is_command(const struct why_target *t)
{
	return *t->argv && !t->cgroups && !t->pids && !t->tids && !why_target__is_of_cpus(t);
}

void why_target__request(const struct why_target *t, struct request *req)
{
	req->target = (struct target){
		.system_wide = t->system_wide,
		.cpus = t->cpu_list,
		.pids = t->pids,
		.tids = t->tids,
		.argv = *t->argv ? (char *const *)t->argv : NULL,
	};
	req->cpu_text = t->cpus;
	req->each_cgroup = t->cgroups;
	req->cgroups_option = "-G";
	req->cputype = t->cputype;
}

void why_target__put(const struct why_target *t, struct sb *sb)
{
	struct why_words words = {0};
	struct sb text = SB_INIT;

	add_target(t, &words);
	add_command(t, &words);
	put_words(&words, &text);
	sb__puts(sb, text.len ? text.buf + 1 : "");
	sb__free(&text);
}

void why__put_measure(const struct why_answer *a, const struct way *way, struct sb *sb)
{
	struct why_words words = {0};

	if (!way->path.nr)
		return;
	host_asked__put_stat(sb, simulated__machine());
	if (way->state == WAY_LEAF && *way->groups) {
		metrics__put_options(way->groups, sb);
	} else {
		vec__push(&words, "--verdict");
		why_by_hand__add_option(&words, "-M", way->path.at[way->path.nr - 1].name);
	}
	add_target(&a->target, &words);
	if (!*a->target.argv)
		why_by_hand__add_option(&words, "--timeout", WINDOW_MS);
	add_command(&a->target, &words);
	put_words(&words, sb);
}

/*
 * Add the target for perf record. It has no option for core types, and needs -a and, after each
 * event, -G for cgroups.
 */
static void add_recorded(const struct why_target *t, struct why_words *words)
{
	static const char *const a_second[] = {"--", "sleep", "1"};

	if (t->system_wide || t->cgroups)
		vec__push(words, "-a");
	why_by_hand__add_option(words, "-C", t->cpus);
	why_by_hand__add_option(words, "-p", t->pids);
	why_by_hand__add_option(words, "-t", t->tids);
	why_by_hand__add_option(words, "-G", t->cgroups);
	for (int i = 0; !*t->argv && i < array__nr(a_second); i++)
		vec__push(words, a_second[i]);
	add_command(t, words);
}

void why__put_record(const struct why_answer *a, const struct way *way, struct sb *sb)
{
	struct why_words words = {0};

	if (way && !*way->record)
		return;
	sb__printf(sb, "perf record%s", way ? way->record : " -e cpu-clock");
	add_recorded(&a->target, &words);
	put_words(&words, sb);
}
