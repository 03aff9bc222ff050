/* SPDX-License-Identifier: GPL-2.0-only */
/* Read rows of a mapfile.csv: pattern of CPU ids, version and folder. */
#ifndef TMA_JSON_MAPFILE_H
#define TMA_JSON_MAPFILE_H

#define MAPFILE_COLS 7 /* limit of columns; Intel's mapfiles have 7, the kernel's the first four */

struct err;

/* Columns; both forms have the first four. MAP_ROLE is Intel's core type ("Core", "Atom" ...). */
enum { MAP_PATTERN, MAP_VERSION, MAP_FOLDER, MAP_TYPE, MAP_KERNEL_COLS, MAP_ROLE = 6 };

/**
 * struct mapfile - a mapfile that is being read
 * @path: path of the mapfile
 * @line: line of the last row
 */
struct mapfile {
	char path[4096];
	char *text, *rest;
	int line;
};

/**
 * mapfile__open() - read @dir/mapfile.csv. Return: 0, to be followed by mapfile__close(); or
 * -errno.
 */
int mapfile__open(struct mapfile *map, const char *dir, struct err *err);

/**
 * mapfile__next() - read the next row
 * @cols: set to the row's columns, which stay valid until mapfile__close(); NULL for missing
 *        columns
 *
 * Rows are separated by newlines, and columns by commas. Empty rows, rows that begin with '#', and
 * a first row with the names of the columns are skipped.
 *
 * Return: the number of columns, 0 at the end, or -EINVAL with a message without a place.
 */
int mapfile__next(struct mapfile *map, char *cols[MAPFILE_COLS], struct err *err);

/** mapfile__close() - release the text. */
void mapfile__close(struct mapfile *map);

/**
 * mapfile__find() - find a CPU's model in a mapfile, without reading the model
 * @dir:    the architecture's folder
 * @folder: set to the folder in the first row whose pattern matches @cpuid, which the caller frees,
 *          or to NULL
 *
 * Return: 0; -errno if there is no mapfile, or a row before the matching one is malformed.
 */
int mapfile__find(const char *dir, const char *cpuid, char **folder, struct err *err);

#endif
