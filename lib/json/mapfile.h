/* SPDX-License-Identifier: GPL-2.0-only */
/* A folder comes in; the rows of its mapfile.csv come out: pattern of CPU ids, version, folder. */
#ifndef TMA_JSON_MAPFILE_H
#define TMA_JSON_MAPFILE_H

#define MAPFILE_COLS 7 /* as Intel's perfmon repository has; the kernel's have the first four */

struct err;

/* Both kinds have the first columns; the last is Intel's core type ("Core", "Atom" ...). */
enum { MAP_PATTERN, MAP_VERSION, MAP_FOLDER, MAP_TYPE, MAP_KERNEL_COLS, MAP_ROLE = 6 };

/**
 * struct mapfile - a mapfile while it is read
 * @path: of the file
 * @line: of the row given last
 */
struct mapfile {
	char path[4096];
	char *text, *rest;
	int line;
};

/** mapfile__open() - read @dir/mapfile.csv. mapfile__close() it when 0 is returned. */
int mapfile__open(struct mapfile *map, const char *dir, struct err *err);

/**
 * mapfile__next() - read the next row
 * @cols: set to its columns, which stay valid until mapfile__close(); columns not there are NULL
 *
 * Rows are separated by newlines and columns by commas. A first row which names the columns is not
 * given, nor are empty rows and those that begin with '#'.
 *
 * Return: the number of columns, 0 at the end, or -EINVAL with a message without a place.
 */
int mapfile__next(struct mapfile *map, char *cols[MAPFILE_COLS], struct err *err);

/** mapfile__close() - release the text. */
void mapfile__close(struct mapfile *map);

/**
 * mapfile__find() - find the model which a mapfile gives to a CPU, without reading any
 * @dir:    the architecture's folder
 * @folder: set to the folder of the first row whose pattern means @cpuid, to be freed, or to NULL
 *
 * Return: 0; -errno when there is no mapfile or a row before the one wanted is malformed.
 */
int mapfile__find(const char *dir, const char *cpuid, char **folder, struct err *err);

#endif
