/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that write and read saved runs share this. */
#ifndef TMA_CMD_COMPARE_SAVED_H
#define TMA_CMD_COMPARE_SAVED_H

struct compared_sites;
struct err;
struct json;
struct json_object;
struct series;

#define MOST_SAVED_VALUE 1e100 /* largest value of a run: its square is finite, too */

/**
 * compare_saved__check_limits() - refuse lists that are too long, and values that tma does not
 * write; the message has the place in the file and a remedy
 *
 * Return: 0 or -EINVAL.
 */
int compare_saved__check_limits(const char *path, struct json_object *from, struct err *err);
/** compare_saved__nr_runs() - count the runs: the values of the longest row. */
int compare_saved__nr_runs(struct json_object *from);
/** saved__text_of() - get a text, owned by the caller; NULL for "" and a missing key. */
char *saved__text_of(struct json_object *in, const char *key);
/** saved__int_of() - get a whole number; 0 for a missing key. */
int saved__int_of(struct json_object *in, const char *key);
/** saved__number_of() - get a number of at least 0; 0 for a missing key. */
double saved__number_of(struct json_object *in, const char *key);
/** saved__take_values() - read the value of each run, and the value's error if it is known. */
void saved__take_values(struct series *s, struct json_object *row);

/** compare_saved__put_sites() - write the functions or files of the only side, if it has any. */
void compare_saved__put_sites(struct json *j, const struct compared_sites *s);
/** compare_saved__load_sites() - read functions or files, and give them to a side. */
void compare_saved__load_sites(struct compared_sites *s, int side, struct json_object *from);

#endif
