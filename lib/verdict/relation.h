/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the events of a group go with each other: what their rates in its turns have shown so far.
 * Rates of turns come in; of each event it is told how much of it goes with what others of the
 * group did. Pure calculation.
 */
#ifndef TMA_VERDICT_RELATION_H
#define TMA_VERDICT_RELATION_H

#include <stdbool.h>

struct arena;

/**
 * struct relation - the members of a group, those first that other groups have, too
 * @nr, @nr_known: how many members; how many of them are known from other groups
 * @turns:   how many differences of two turns it is made of, older ones counting less
 * @moves:   sums of products of such differences, [member * nr_known + known]; @squares: of each
 *           member's with itself
 * @last:    the rates of the latest turn, once it @has_last
 * @loads:   by how much a member moves with the news of each known one, [member * nr_known + known]
 * @news:    by how much each known member was off in the row at hand, but for what those before it
 *           tell, in units of its own; @scratch: room for as many
 * @usable:  there were turns enough
 */
struct relation {
	int nr, nr_known;
	double turns, *moves, *squares, *last, *loads, *news, *scratch;
	bool has_last, usable;
};

/** relation__init() - make room, out of @memory. */
void relation__init(struct relation *r, int nr, int nr_known, struct arena *memory);
/** relation__learn() - take in a turn; @rates: of each member. */
void relation__learn(struct relation *r, const double *rates);
/**
 * relation__solve() - find the loads, and forget the news
 *
 * A load is taken to be smaller the more it may be a matter of chance, down to 0.
 */
void relation__solve(struct relation *r);
/** relation__explained() - by how much a member is off, by the news of those before it. */
double relation__explained(const struct relation *r, int member);
/** relation__tell() - a known member is @off by so much, those before it having been told. */
void relation__tell(struct relation *r, int known, double off);
/**
 * relation__take_out() - take from a turn what is explained
 * @rates:  by how much each member's is above that of the row; what remains is left there
 * @remains: for each known member, what part of its news is not known after all, from 0 to 1
 */
void relation__take_out(const struct relation *r, double *rates, const double *remains);
/**
 * relation__fitted() - by how much more the variance is of what remains than the turns show, which
 * the loads were fitted to
 */
double relation__fitted(const struct relation *r);
/** relation__leverage() - the variance of what is explained, in variances of what remains. */
double relation__leverage(const struct relation *r);

#endif
