// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where and when runs are made: runs on two computers differ for more reasons than their commands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "compare/compare.h"
#include "machine/machine.h"
#include "record/record.h"

#define GIT "git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null"

static char *find_commit(void)
{
	FILE *git = compare_side__is_program("git") ? popen(GIT, "re") : NULL;
	char line[128] = "";

	if (!git)
		return NULL;
	if (!fgets(line, sizeof(line), git))
		*line = '\0';
	return pclose(git) || !*text__trim(line) ? NULL : xstrdup(text__one_line(text__trim(line)));
}

static char *format_date(time_t when)
{
	struct tm utc;
	char text[32];

	if (!gmtime_r(&when, &utc) || !strftime(text, sizeof(text), "%F %T", &utc))
		return NULL;
	return xstrdup(text);
}

void compare_about__here(struct compare_about *about, const struct host *host)
{
	struct utsname name;

	if (about->kernel || uname(&name))
		return;
	about->host = xstrdup(name.nodename);
	about->kernel = xstrdup(name.release);
	about->processor = machine__processor(host->machine) ?: xstrdup(host__cpuid(host));
	about->date = format_date(time(NULL));
}

/* A recording was made when its file was last changed. */
static char *find_date_of(const char *path)
{
	struct stat file;

	return stat(path, &file) ? NULL : format_date(file.st_mtime);
}

void compare_about__recorded(struct compare_about *about, const struct recording_info *info,
			     const char *path)
{
	if (about->date)
		return;
	about->host = xstrdup(info->host);
	about->kernel = xstrdup(info->kernel);
	about->processor = xstrdup(info->processor);
	about->date = find_date_of(path);
}

void compare_about__find_commit(struct compare_about *about)
{
	if (!about->commit)
		about->commit = find_commit();
}

void compare_about__free(struct compare_about *about)
{
	free(about->host);
	free(about->processor);
	free(about->kernel);
	free(about->commit);
	free(about->date);
}

static void put_two(const char *what, const char *a, const char *b, struct sb *sb)
{
	if (!a || !b || !strcmp(a, b))
		return;
	sb__printf(sb, "%s%s ", sb->len ? ", " : "", what);
	text__clean_utf8(sb, a, strlen(a), "");
	sb__puts(sb, " and ");
	text__clean_utf8(sb, b, strlen(b), "");
}

void compare_about__put_differences(const struct compare_answer *a, int side, struct sb *sb)
{
	const struct compare_side *one = &a->sides[0], *other = &a->sides[side];
	auto_free(sb) what = SB_INIT;

	put_two("hosts", one->about.host, other->about.host, &what);
	put_two("processors", one->about.processor, other->about.processor, &what);
	put_two("kernels", one->about.kernel, other->about.kernel, &what);
	put_two("simulated machines", one->simulated ?: "(none)", other->simulated ?: "(none)",
		&what);
	if (what.len)
		sb__printf(sb,
			   "%s and %s ran on different computers (%s): this may explain "
			   "differences\n",
			   compare__letter(0), compare__letter(side), sb__str(&what));
	else if (one->kind == SIDE_SAVED && other->kind == SIDE_COMMAND)
		sb__printf(sb,
			   "%s ran at %s UTC: changes of this computer since then affect the "
			   "comparison\n",
			   compare__letter(0), one->about.date ?: "(not known)");
}
