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

/* Edit distance (Levenshtein), case ignored. */
static int distance(const char *a, const char *b)
{
	int row[NAME_MAX_LEN + 1];
	int la = strnlen(a, NAME_MAX_LEN), lb = strnlen(b, NAME_MAX_LEN);

	for (int j = 0; j <= lb; j++)
		row[j] = j;
	for (int i = 1; i <= la; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			int same = lower(a[i - 1]) == lower(b[j - 1]);
			int cost = min3(row[j] + 1, row[j - 1] + 1, diagonal + !same);

			diagonal = row[j];
			row[j] = cost;
		}
	}
	return row[lb];
}

void suggest__offer(struct suggest *s, const char *name)
{
	int len = strnlen(s->want, NAME_MAX_LEN), cost, place;

	cost = distance(s->want, name);
	if (cost > 1 + len / 3)
		return;
	for (int i = 0; i < s->nr; i++)
		if (!strcmp(s->best[i], name))
			return;
	for (place = s->nr; place > 0 && s->cost[place - 1] > cost; place--)
		;
	if (place == SUGGEST_MAX)
		return;
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
