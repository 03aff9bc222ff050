/* SPDX-License-Identifier: GPL-2.0-only */
/* An unknown name and known ones come in; the nearest come out, for "did you mean" lines. */
#ifndef TMA_BASE_SUGGEST_H
#define TMA_BASE_SUGGEST_H

#define SUGGEST_MAX 3

struct sb;

/**
 * struct suggest - the best candidates so far
 * @want: the unknown name; not copied
 * @best: up to SUGGEST_MAX names, nearest first; not copied, so they must outlive this
 * @cost: how far each is: by letters that differ, or by parts that it has more ("dram" is a part of
 *        "tma_dram_bound")
 * @nr:   how many
 */
struct suggest {
	const char *want;
	const char *best[SUGGEST_MAX];
	int cost[SUGGEST_MAX];
	int nr;
};

/** suggest__init() - start looking for names near @want. */
void suggest__init(struct suggest *s, const char *want);
/** suggest__offer() - consider a name; not one too far off, offered or @want itself. */
void suggest__offer(struct suggest *s, const char *name);
/**
 * suggest__offer_node() - consider a node of a TopDown tree, which comes before other names as near
 * @words: what it is called in plain words, which may be what is wanted; "" for none
 */
void suggest__offer_node(struct suggest *s, const char *name, const char *words);
/**
 * suggest__print() - append "; did you mean 'a', 'b' or 'c'?", or nothing when none is near
 *
 * Those that are much farther than the first are left out.
 */
void suggest__print(const struct suggest *s, struct sb *sb);

#endif
