// SPDX-License-Identifier: GPL-2.0-only
/* Loads the host as the command line asks. */
#include <stdlib.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "cmd.h"
#include "machine/machine.h"
#include "run/host.h"
#include "run/note.h"
#include "simulated.h"
#include "tables/tables.h"

static bool is_made_up(void)
{
	return simulated__machine() && !simulated__follows();
}

struct host_options *host_asked(void)
{
	static struct host_options asked;
	static bool is_filled;

	if (!is_filled) {
		asked.env_tables = getenv("TMA_TABLES");
		asked.simulated = simulated__machine();
		asked.perf = as_perf();
		asked.is_made_up = is_made_up;
		is_filled = true;
	}
	return &asked;
}

void host_asked__common_for(int argc, const char **argv)
{
	for (int i = 0; i < argc; i++)
		host_asked()->common |= tables__names_common(argv[i]);
}

static void put_option(const char *option, const char *value, struct sb *sb)
{
	if (!value)
		return;
	sb__printf(sb, " %s ", option);
	text__shell(sb, value);
}

void host_asked__put_stat(struct sb *sb, const char *machine)
{
	const struct host_options *asked = host_asked();

	sb__puts(sb, "tma");
	put_option("--machine", machine, sb);
	sb__puts(sb, " stat");
	for (int i = 0; i < asked->tables.nr; i++)
		put_option("--tables", asked->tables.at[i], sb);
	for (int i = 0; i < asked->metrics_files.nr; i++)
		put_option("--metrics-file", asked->metrics_files.at[i], sb);
}

int option__tables(const struct option *opt, const char *arg, int unset)
{
	(void)opt;
	(void)unset; /* PARSE_OPT_NONEG */
	vec__push(&host_asked()->tables, arg);
	return 0;
}

int option__metrics_file(const struct option *opt, const char *arg, int unset)
{
	(void)opt;
	(void)unset; /* PARSE_OPT_NONEG */
	vec__push(&host_asked()->metrics_files, arg);
	return 0;
}

int load_host(struct host *h, struct err *err)
{
	struct notes notes = {.wanted = NOTES_OF_EVERY_RUN};
	int rc = host__load(h, host_asked(), &notes, err);

	say_notes(&notes);
	notes__free(&notes);
	return rc;
}

int refresh_host(struct host *h, struct err *err)
{
	struct host now;

	if (!machine__has_changed(h->machine))
		return 0;
	if (load_host(&now, err))
		return -err->code;
	host__free(h);
	*h = now;
	return 0;
}

int tell_odd(const struct host *h, int status)
{
	auto_free(sb) what = SB_INIT;
	bool failed;

	if (!host__describe_odd_facts(h, &what, &failed))
		return status;
	say("%s", sb__str(&what));
	return status || !failed ? status : STATUS_FAILED;
}

void suggest_simulated(const struct host *h, const char *command)
{
	if (h->machine && !machine__nr_core_pmus(h->machine) && !as_perf())
		say("no hardware counters here: 'tma --machine sapphirerapids %s' shows what a "
		    "simulated machine has",
		    command);
}
