// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/sb.h"
#include "base/suggest.h"

#define NAME_MAX_LEN 96	 /* only the beginning of longer names is compared */
#define WANT_MAX_LEN 512 /* a longer text cannot be a mistyped name */
#define PREFIX_MIN_LEN 4 /* equal first letters that make parts of names match */
#define LESS_MIN_LEN 3	 /* parts from this length on may lack a letter, except the first */
#define TYPO_MIN_LEN 5	 /* parts from this length on may have a wrong letter */
#define TYPO_MANY_LEN 8	 /* letters per wrong letter in a long part */

/*
 * Costs, in quarters of a wrong letter. A name with all wanted parts and additional ones costs as
 * much as one or two wrong letters. Nodes of a TopDown tree cost less, since most users look for
 * nodes.
 */
enum {
	COST_LETTER = 4,
	COST_PARTS = 6,
	COST_PART = 1,
	COST_ENDING = 3,
	COST_TYPO = 4,
	COST_NODE = 3,
	COST_MORE = 5, /* a suggestion may cost this much more than the best name */
};

void suggest__init(struct suggest *s, const char *want)
{
	*s = (struct suggest){ .want = want };
}

static int min3(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

static int lower(char c)
{
	return tolower((unsigned char)c);
}

/*
 * Compute the edit distance (Levenshtein), ignoring case; if it exceeds @limit, any number above
 * @limit. Only cells are computed whose positions in both names differ by at most @limit.
 */
static int distance(const char *a, const char *b, int limit)
{
	int row[NAME_MAX_LEN + 1];
	int la = strnlen(a, NAME_MAX_LEN), lb = strnlen(b, NAME_MAX_LEN);

	if (la - lb > limit || lb - la > limit)
		return limit + 1;
	for (int j = 0; j <= lb; j++)
		row[j] = j;
	for (int i = 1; i <= la; i++) {
		int from = i > limit ? i - limit : 1, to = i + limit < lb ? i + limit : lb;
		int diagonal = row[from - 1], c = lower(a[i - 1]), nearest;

		nearest = row[from - 1] = from == 1 ? i : limit + 1;
		for (int j = from; j <= to; j++) {
			int cost = min3(row[j] + 1, row[j - 1] + 1,
					diagonal + (c != lower(b[j - 1])));

			diagonal = row[j];
			row[j] = cost;
			nearest = cost < nearest ? cost : nearest;
		}
		if (nearest > limit)
			return limit + 1;
	}
	return row[lb];
}

/* Tell whether two neighbouring letters are swapped, and all others are the same. */
static bool is_swapped(const char *a, const char *b)
{
	size_t len = strlen(a), i = 0;

	if (len != strlen(b))
		return false;
	while (a[i] && lower(a[i]) == lower(b[i]))
		i++;
	return i + 1 < len && lower(a[i]) == lower(b[i + 1]) && lower(a[i + 1]) == lower(b[i]) &&
	       !strcasecmp(a + i + 2, b + i + 2);
}

/* --- Parts of names ------------------------------------------------------------------------ */

/* A part of a name: "dram" and "bound" of "tma_dram_bound", "Memory" and "BW" of "MemoryBW". */
struct name_part {
	const char *text;
	int len;
};

/* Take the next part of the name at *@at. Return: whether there is one. */
static bool next_part(const char **at, struct name_part *part)
{
	const char *c = *at;

	while (*c && !isalnum((unsigned char)*c))
		c++;
	part->text = c;
	while (isalnum((unsigned char)*c) &&
	       (c == part->text || !isupper((unsigned char)*c) || isupper((unsigned char)c[-1])))
		c++;
	part->len = c - part->text;
	*at = c;
	return part->len;
}

static bool is_the_same(const struct name_part *a, const struct name_part *b, int len)
{
	return !strncasecmp(a->text, b->text, len);
}

/*
 * Compute the cost of one part in place of another, for a different ending or wrong letters; -1 if
 * they differ too much.
 */
static int part_cost(const struct name_part *a, const struct name_part *b)
{
	int shorter = a->len < b->len ? a->len : b->len, longer = a->len + b->len - shorter;
	int typos = 1 + shorter / TYPO_MANY_LEN;
	char one[NAME_MAX_LEN + 1], other[NAME_MAX_LEN + 1];
	bool lacks_one = shorter >= LESS_MIN_LEN && longer == shorter + 1;

	if (a->len == b->len && is_the_same(a, b, shorter))
		return 0;
	if (shorter >= PREFIX_MIN_LEN && 2 * shorter >= longer && is_the_same(a, b, shorter))
		return COST_ENDING;
	if (shorter < TYPO_MIN_LEN && !(lacks_one && is_the_same(a, b, 1)))
		return -1;
	if (longer > NAME_MAX_LEN)
		return -1;
	snprintf(one, sizeof(one), "%.*s", a->len, a->text);
	snprintf(other, sizeof(other), "%.*s", b->len, b->text);
	return distance(one, other, typos) <= typos ? COST_TYPO : -1;
}

static int count_parts(const char *text)
{
	struct name_part part;
	int nr = 0;

	while (next_part(&text, &part))
		nr++;
	return nr;
}

/* Compute the least cost of finding a part among the parts of a name; -1 if no part is near. */
static int find_part(const struct name_part *wanted, const char *name)
{
	struct name_part part;
	int best = -1;

	while (next_part(&name, &part)) {
		int cost = part_cost(wanted, &part);

		if (cost >= 0 && (best < 0 || cost < best))
			best = cost;
	}
	return best;
}

/*
 * Compute the cost of a name that has all parts of @want, or -1. Each additional part costs one
 * step, and so does a different first part. The prefix "tma" of most metrics does not count.
 */
static int parts_cost(const char *want, const char *name)
{
	const char *rest = strncasecmp(name, "tma_", 4) ? name : name + 4;
	int more = count_parts(rest), cost = COST_PARTS;
	struct name_part part, first;

	if (!count_parts(want))
		return -1;
	if (next_part(&rest, &first) && find_part(&first, want) < 0)
		cost += COST_PART;
	while (next_part(&want, &part)) {
		int found = find_part(&part, name);

		if (found < 0)
			return -1;
		cost += found;
		more -= 1;
	}
	return cost + (more > 0 ? more * COST_PART : 0);
}

/* Copy the letters and digits of a name. Return: their number. */
static int squash(const char *name, char *out)
{
	int nr = 0;

	for (; *name && nr < NAME_MAX_LEN; name++)
		if (isalnum((unsigned char)*name))
			out[nr++] = lower(*name);
	out[nr] = '\0';
	return nr;
}

/* Compute the cost of a name that begins or ends with @want, wherever its parts begin; or -1. */
static int squashed_cost(const char *want, const char *name)
{
	char wanted[NAME_MAX_LEN + 1], all[NAME_MAX_LEN + 1];
	int len = squash(want, wanted), more = squash(name, all) - len;

	if (len < PREFIX_MIN_LEN || more < 0 || more > len ||
	    (strncmp(all, wanted, len) && strcmp(all + more, wanted)))
		return -1;
	return more ? COST_PARTS : COST_PART;
}

/* --- Names --------------------------------------------------------------------------------- */

/*
 * Compute the cost of a name by its letters; -1 if too many differ. In a short word few may differ.
 */
static int letters_cost(const char *want, const char *name)
{
	int len = strnlen(want, NAME_MAX_LEN), limit = len < 4 ? 1 : 1 + len / 4;
	int cost = is_swapped(want, name) ? 1 : distance(want, name, limit);

	return cost > limit ? -1 : cost * COST_LETTER;
}

/* Return: the lower of two costs, where -1 means no match. */
static int lower_cost(int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

/* Insert a name among the best by cost; it follows earlier names of the same cost. */
static void suggest__keep(struct suggest *s, const char *name, int cost)
{
	int place = 0, last;

	while (place < s->nr && s->cost[place] <= cost && strcmp(s->best[place], name))
		place++;
	if (place == SUGGEST_MAX || (place < s->nr && s->cost[place] <= cost))
		return;
	for (last = place; last < s->nr && strcmp(s->best[last], name); last++)
		;
	if (last == s->nr)
		last = s->nr < SUGGEST_MAX ? s->nr++ : SUGGEST_MAX - 1;
	for (int i = last; i > place; i--) {
		s->best[i] = s->best[i - 1];
		s->cost[i] = s->cost[i - 1];
	}
	s->best[place] = name;
	s->cost[place] = cost;
}

/*
 * Refuse the wanted name itself, which would not help. Refuse a very long wanted text: no name is
 * near it, but comparing it with each name would take long.
 */
static bool is_of_no_use(const struct suggest *s, const char *name)
{
	return !s->want[0] || !s->want[1] ||
	       strnlen(s->want, WANT_MAX_LEN + 1) > WANT_MAX_LEN || !strcmp(s->want, name);
}

void suggest__offer(struct suggest *s, const char *name)
{
	int cost;

	if (is_of_no_use(s, name))
		return;
	cost = lower_cost(letters_cost(s->want, name), parts_cost(s->want, name));
	cost = lower_cost(cost, squashed_cost(s->want, name));
	if (cost >= 0)
		suggest__keep(s, name, cost);
}

void suggest__offer_node(struct suggest *s, const char *name, const char *words)
{
	int cost;

	suggest__offer(s, name);
	if (is_of_no_use(s, name))
		return;
	cost = lower_cost(parts_cost(s->want, name), parts_cost(s->want, words));
	if (cost >= 0)
		suggest__keep(s, name, cost - COST_NODE);
}

void suggest__print(const struct suggest *s, struct sb *sb)
{
	int nr = s->nr;

	while (nr && s->cost[nr - 1] > s->cost[0] + COST_MORE)
		nr--;
	for (int i = 0; i < nr; i++)
		sb__printf(sb, "%s'%s'",
			   !i		 ? "; did you mean "
			   : i == nr - 1 ? " or "
					 : ", ",
			   s->best[i]);
	if (s->nr)
		sb__putc(sb, '?');
}
