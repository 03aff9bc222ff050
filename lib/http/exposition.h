/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Convert the text of a scrape to a form that a client accepts: Prometheus' text format or
 * OpenMetrics 1.0, either of them with or without gzip.
 */
#ifndef TMA_HTTP_EXPOSITION_H
#define TMA_HTTP_EXPOSITION_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct sb;

/**
 * accepts__open_metrics() - tell whether a client prefers OpenMetrics to the text format
 * @accept: the request's header Accept, or NULL
 */
bool accepts__open_metrics(const char *accept);
/**
 * accepts__gzip() - tell whether a client accepts gzip
 * @encodings: the request's header Accept-Encoding, or NULL
 */
bool accepts__gzip(const char *encodings);
/** open_metrics__put() - append a text in Prometheus' format, converted to OpenMetrics. */
void open_metrics__put(const char *text, struct sb *to);
/** gzip__load() - load the library that gzip__put() needs. Return: 0 or -ELIBACC. */
int gzip__load(struct err *err);
/** gzip__put() - append @len bytes, compressed with gzip. */
void gzip__put(const char *text, size_t len, struct sb *to);

#endif
