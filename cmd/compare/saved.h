/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that write and read saved runs share this. */
#ifndef TMA_CMD_COMPARE_SAVED_H
#define TMA_CMD_COMPARE_SAVED_H

struct compared_sites;
struct json;
struct json_object;
struct series;

/** saved__text_of() - give a text, owned; NULL for "" and what is not there. */
char *saved__text_of(struct json_object *in, const char *key);
/** saved__int_of() - give a whole number; 0 for what is not there. */
int saved__int_of(struct json_object *in, const char *key);
/** saved__number_of() - give a number of at least 0; 0 for what is not there. */
double saved__number_of(struct json_object *in, const char *key);
/** saved__take_values() - add the values of each run, and what is known of their errors. */
void saved__take_values(struct series *s, struct json_object *row);

/** compare_saved__put_sites() - write the functions or files of the only side, if it has any. */
void compare_saved__put_sites(struct json *j, const struct compared_sites *s);
/** compare_saved__load_sites() - read them as those of a side. */
void compare_saved__load_sites(struct compared_sites *s, int side, struct json_object *from);

#endif
