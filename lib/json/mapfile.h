/* SPDX-License-Identifier: GPL-2.0-only */
/* Read rows of a mapfile.csv: pattern of CPU ids, version and folder. */
#ifndef TMA_JSON_MAPFILE_H
#define TMA_JSON_MAPFILE_H

#define MAPFILE_COLS 7 /* Intel's perfmon repository has 7; the kernel has the first four */

struct err;

/* Columns; both forms have the first four. MAP_ROLE is Intel's core type ("Core", "Atom" ...). */
enum { MAP_PATTERN, MAP_VERSION, MAP_FOLDER, MAP_TYPE, MAP_KERNEL_COLS, MAP_ROLE = 6 };

/**
 * struct mapfile - a mapfile that is being read
 * @path: of the file
 * @line: line of the last row
 */
struct mapfile {
	char path[4096];
	char *text, *rest;
	int line;
};

/**
 * mapfile__open() - read @dir/mapfile.csv. Return: 0, and then call mapfile__close(); or -errno.
 */
int mapfile__open(struct mapfile *map, const char *dir, struct err *err);

/**
 * mapfile__next() - read the next row
 * @cols: set to its columns, which stay valid until mapfile__close(); missing ones are NULL
 *
 * Rows are separated by newlines and columns by commas. A first row with the names of the columns
 * is skipped, as are empty rows and those that begin with '#'.
 *
 * Return: the number of columns, 0 at the end, or -EINVAL with a message without a place.
 */
int mapfile__next(struct mapfile *map, char *cols[MAPFILE_COLS], struct err *err);

/** mapfile__close() - release the text. */
void mapfile__close(struct mapfile *map);

/**
 * mapfile__find() - find a CPU's model in a mapfile, without reading the model
 * @dir:    the architecture's folder
 * @folder: set to the folder of the first row whose pattern matches @cpuid, which the caller frees,
 *          or to NULL
 *
 * Return: 0; -errno if there is no mapfile, or a row before the wanted one is malformed.
 */
int mapfile__find(const char *dir, const char *cpuid, char **folder, struct err *err);

#endif
