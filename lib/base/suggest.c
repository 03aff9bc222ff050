// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <string.h>

#include "base/sb.h"
#include "base/suggest.h"

#define NAME_MAX_LEN 96 /* longer names are compared by their beginning */

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
 * Compute the edit distance (Levenshtein), case ignored, up to @limit, or else anything over it.
 * Only cells matter whose places in both names differ by no more than @limit.
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

void suggest__offer(struct suggest *s, const char *name)
{
	int limit = 1 + (int)strnlen(s->want, NAME_MAX_LEN) / 3, cost, place;

	/* A name that is there was still not what was wanted: to name it again helps nobody. */
	if (!strcmp(s->want, name))
		return;
	/* The name must be nearer than one of those there are. */
	if (s->nr == SUGGEST_MAX && s->cost[SUGGEST_MAX - 1] <= limit)
		limit = s->cost[SUGGEST_MAX - 1] - 1;
	cost = distance(s->want, name, limit);
	if (cost > limit)
		return;
	for (int i = 0; i < s->nr; i++)
		if (!strcmp(s->best[i], name))
			return;
	for (place = s->nr; place > 0 && s->cost[place - 1] > cost; place--)
		;
	if (s->nr < SUGGEST_MAX)
		s->nr++;
	for (int i = s->nr - 1; i > place; i--) {
		s->best[i] = s->best[i - 1];
		s->cost[i] = s->cost[i - 1];
	}
	s->best[place] = name;
	s->cost[place] = cost;
}

void suggest__print(const struct suggest *s, struct sb *sb)
{
	for (int i = 0; i < s->nr; i++)
		sb__printf(sb, "%s'%s'",
			   !i ? "; did you mean " : i == s->nr - 1 ? " or " : ", ", s->best[i]);
	if (s->nr)
		sb__putc(sb, '?');
}
