// SPDX-License-Identifier: GPL-2.0-only
/*
 * The metrics of a run are found here: those of -M, those of the TopDown tree that --verdict needs
 * besides, and those of --topdown.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "stat.h"

/* --- The text of -M: names, and metrics defined on the spot -------------- */

/*
 * Find the end of an item: a comma that is in no brackets, between no two @ and behind no
 * backslash.
 */
static char *item_end(char *at)
{
	bool quoted = false;
	int depth = 0;

	for (; *at && (quoted || depth > 0 || *at != ','); at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '@')
			quoted = !quoted;
		else if (!quoted)
			depth += (*at == '(') - (*at == ')');
	}
	return at;
}

#define WORD_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

/*
 * Measure the kernel's own name with a '-' in it ("page-faults") that @text begins with: the
 * longest there is of words joined by it. Return: 0 when there is none.
 */
static size_t kernel_name_len(const char *text)
{
	size_t len = strspn(text, WORD_CHARS), found = 0;
	char name[64];

	while (len && text[len] == '-' && strspn(text + len + 1, WORD_CHARS)) {
		len += 1 + strspn(text + len + 1, WORD_CHARS);
		if (len >= sizeof(name))
			break;
		memcpy(name, text, len);
		name[len] = '\0';
		if (events__is_kernel_name(name))
			found = len;
	}
	return found;
}

/*
 * Copy a word at @text as it is, or a name of the kernel's with its '-' escaped. Return: its end.
 */
static const char *copy_word(const char *text, struct sb *sb)
{
	size_t len = kernel_name_len(text), word = strspn(text, WORD_CHARS);
	const char *end = text + (len ? len : word);

	for (; text < end; text++)
		sb__printf(sb, *text == '-' ? "\\%c" : "%c", *text);
	return end;
}

/*
 * Escape ',', '=' and '-' in names, as the JSON's language wants it. Between two @ they are part of
 * a name without doubt, and with little doubt where the kernel has an event of the name.
 */
static char *escaped(const char *expr)
{
	struct sb sb = SB_INIT;
	bool quoted = false;

	while (*expr) {
		if (!quoted && isalpha((unsigned char)*expr)) {
			expr = copy_word(expr, &sb);
			continue;
		}
		if (*expr == '@')
			quoted = !quoted;
		if (quoted && strchr(",=-", *expr))
			sb__putc(&sb, '\\');
		else if (*expr == '\\' && expr[1])
			sb__putc(&sb, *expr++);
		sb__putc(&sb, *expr++);
	}
	return sb__detach(&sb);
}

/* The host keeps what it is given as long as the process lives. */
static int define(const char *name, const char *expr, struct err *err)
{
	size_t len = strspn(name, WORD_CHARS);

	if (!*name || name[len] || isdigit((unsigned char)*name))
		return err__set(err, EINVAL,
				"-M '%s = ...': a metric's name is one word of letters, digits, _ and .",
				name);
	if (!*expr)
		return err__set(err, EINVAL, "-M '%s =': no expression after the =", name);
	host__define_metric(xstrdup(name), escaped(expr));
	return 0;
}

/* Check what stands behind the name of a metric: its events are not known yet. */
static int check_modifiers(const char *item, struct err *err)
{
	const char *colon = strchr(item, ':');

	return colon && colon[1] ? events__check_modifiers(item, colon + 1 - item, err) : 0;
}

int stat_metrics__add(struct sb *names, const char *text, struct err *err)
{
	auto_text copy = xstrdup(text);
	char *item = copy, *end;
	bool more = true;
	int rc = 0;

	host__use_common_for(1, &text);
	for (; !rc && more; item = end + 1) {
		char *equals = item + strcspn(item, "=@(");

		end = item_end(item);
		more = *end;
		*end = '\0';
		if (!item[strspn(item, " \t")])
			return err__set(err, EINVAL, "-M '%s': empty name between commas", text);
		if (equals < end && *equals == '=') {
			*equals = '\0';
			item = text__trim(item);
			rc = define(item, text__trim(equals + 1), err);
		}
		rc = rc ?: check_modifiers(text__trim(item), err);
		sb__printf(names, "%s%s", names->len ? "," : "", item);
	}
	return rc;
}

/* --- What --verdict needs ----------------------------------------------- */

static bool is_named(const struct metric_list *list, const struct metric *of, const char *name)
{
	return vec__find(m, list,
			 !strcasecmp((*m)->info.name, name) &&
				 !strcmp((*m)->info.pmu, of->info.pmu) &&
				 text__same((*m)->modifier, of->modifier));
}

static void add_name(const struct metric_list *list, const struct metric *of, const char *name,
		     struct sb *more)
{
	if (is_named(list, of, name))
		return;
	sb__printf(more, ",%s", name);
	if (of->modifier)
		sb__printf(more, ":%s", of->modifier);
}

/* The largest share of the first level is known once all of them are. */
static void add_siblings(const struct metrics_scope *scope, const struct metric_list *list,
			 const struct metric *m, struct sb *more)
{
	struct metric_info other;

	for (int i = 0; i < tables__nr_metrics(scope->tables); i++) {
		tables__metric(scope->tables, i, &other);
		if (metrics__topdown_level(&other) == 1 &&
		    metrics__related(&m->info, METRIC_SIBLING, &other))
			add_name(list, m, other.name, more);
	}
}

/* Add the parent of a metric of the tree, and the metrics that its threshold compares. */
static void add_needed(const struct metrics_scope *scope, const struct metric_list *list,
		       const struct metric *m, struct sb *more)
{
	const struct expr *e = m->threshold;
	struct metric_info parent;

	if (!metrics__topdown_level(&m->info))
		return;
	if (metrics__topdown_level(&m->info) == 1)
		add_siblings(scope, list, m, more);
	if (metrics__topdown_parent(scope->tables, &m->info, &parent))
		add_name(list, m, parent.name, more);
	for (int i = 0; e && i < e->nr; i++)
		if (e->at[i].op == EXPR_ID &&
		    tables__find_metric(scope->tables, m->info.pmu, e->at[i].id) >= 0)
			add_name(list, m, e->at[i].id, more);
}

static void add_parents(const struct metrics_scope *scope, struct sb *names)
{
	auto_free(metric_list) list = METRIC_LIST_INIT;
	auto_free(sb) more = SB_INIT;
	int from = 0;

	/* Names that cannot be selected are told of when the plan is made. */
	if (metrics__select(scope, sb__str(names), false, &list, NULL))
		list.nr = 0;
	/* The metrics that are added need others in turn. */
	while (from < list.nr) {
		sb__clear(&more);
		for (; from < list.nr; from++)
			add_needed(scope, &list, list.at[from], &more);
		if (more.len && !metrics__select(scope, more.buf + 1, false, &list, NULL))
			sb__puts(names, more.buf);
	}
}

void stat_metrics__names(const struct stat_run *run, struct sb *names)
{
	sb__puts(names, sb__str(&run->o->metrics));
	if (run->o->report.verdict && names->len && run->metrics.tables)
		add_parents(&run->metrics, names);
}

/* --- --topdown ---------------------------------------------------------- */

static int no_topdown(const struct stat_run *run, const char *cpu, struct err *err)
{
	const struct host *host = &run->host;
	const char *cpuid = host->machine->cpuid;
	auto_free(sb) family = SB_INIT;

	if (run->o->verb == STAT_REPORT)
		return err__set(err, ENOENT, "--topdown: no TopDown metrics for %s", cpu);
	if (!machine__nr_core_pmus(host->machine))
		return host__no_pmu("--topdown", "alderlake stat -a --topdown -I1000", err);
	if (!tables__name_cpu(host->tables)) {
		host__family(host, &family);
		return err__set(
			err, ENOENT,
			"--topdown: no metrics for this CPU (%s); events can still be counted%s",
			cpuid, sb__str(&family));
	}
	return err__set(err, ENOENT, "--topdown: the tables of this CPU (%s, %s) have no TopDown "
			"metrics; 'tma list metricgroup' shows what they have", cpuid,
			tables__model(host->tables));
}

/* Messages call the CPU by this name. */
static void name_cpu(const struct stat_run *run, char *name, size_t size)
{
	const char *cpuid = run->host.machine->cpuid;

	if (run->o->verb == STAT_REPORT)
		snprintf(name, size, "CPU %s", *cpuid ? cpuid : "(unknown)");
	else
		snprintf(name, size, "this CPU (%s)",
			 tables__name_cpu(run->host.tables) ? tables__model(run->host.tables)
							    : cpuid);
}

int stat_metrics__topdown(const struct stat_run *run, struct sb *names, struct err *err)
{
	const struct stat_options *o = run->o;
	const char *prefix = "";
	uint64_t level = o->td_level ? o->td_level : 1;
	char cpu[128] = "";
	bool above;
	int max = 0;

	name_cpu(run, cpu, sizeof(cpu));
	if (run->host.tables)
		max = metrics__topdown_levels(run->host.tables, run->events.pmu_filter, &prefix);
	if (!max || (o->verb != STAT_REPORT && !machine__nr_core_pmus(run->host.machine)))
		return no_topdown(run, cpu, err);
	if (level == TD_LEVEL_MAX)
		level = max;
	if (level > (uint64_t)max)
		return err__set(err, EINVAL, "--td-level %d: the deepest level of %s is %d",
				(int)level, cpu, max);
	above = o->report.verdict || format__is(o->format.format, FORMAT_LEVELS);
	/* A verdict needs the levels on the way there, too, and so does a tree. */
	for (uint64_t i = above ? 1 : level; i < level; i++)
		sb__printf(names, "%s%d,", prefix, (int)i);
	sb__printf(names, "%s%d", prefix, (int)level);
	return 0;
}

int stat_metrics__check(struct stat_run *run, struct err *err)
{
	const struct plan *plan = run->plan;

	if (!run->report.verdict)
		return 0;
	for (int i = 0; i < plan->nr_metrics; i++)
		if (metrics__topdown_level(&plan->metrics[i].metric->info))
			return 0;
	run->report.verdict = run->o->report.verdict;
	if (!run->report.verdict)
		return 0;
	return err__set(err, EINVAL,
			"--verdict: no TopDown metric is counted: add --topdown, or -M with a "
			"metric of the tree");
}
