/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the known names nearest to an unknown one, for "did you mean" lines. */
#ifndef TMA_BASE_SUGGEST_H
#define TMA_BASE_SUGGEST_H

#define SUGGEST_MAX 3

struct sb;

/**
 * struct suggest - the best candidates so far
 * @want: the unknown name; not copied
 * @best: up to SUGGEST_MAX names, nearest first; not copied, so they must stay valid
 * @cost: distance of each name: letters that differ and additional parts ("dram" is a part of
 *        "tma_dram_bound")
 * @nr:   number of names in @best
 */
struct suggest {
	const char *want;
	const char *best[SUGGEST_MAX];
	int cost[SUGGEST_MAX];
	int nr;
};

/** suggest__init() - start looking for names near @want. */
void suggest__init(struct suggest *s, const char *want);
/**
 * suggest__offer() - consider a name: keep it if it is near, and neither kept already nor @want.
 */
void suggest__offer(struct suggest *s, const char *name);
/**
 * suggest__offer_node() - consider a node of a TopDown tree; nodes precede other names of the same
 * distance
 * @words: the node's name in plain words, which may be the wanted text; "" for none
 */
void suggest__offer_node(struct suggest *s, const char *name, const char *words);
/**
 * suggest__print() - append "; did you mean 'a', 'b' or 'c'?"; nothing if no name is near
 *
 * Names that are much farther away than the nearest are left out.
 */
void suggest__print(const struct suggest *s, struct sb *sb);

#endif
