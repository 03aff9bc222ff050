/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a scrape in the forms that a client may ask for: Prometheus' text format, OpenMetrics
 * 1.0, and each of them in gzip.
 */
#ifndef TMA_HTTP_EXPOSITION_H
#define TMA_HTTP_EXPOSITION_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct sb;

/**
 * accepts__open_metrics() - tell whether a client wants OpenMetrics rather than the text format
 * @accept: its header Accept, or NULL
 */
bool accepts__open_metrics(const char *accept);
/** accepts__gzip() - tell whether it takes gzip. @encodings: its Accept-Encoding, or NULL */
bool accepts__gzip(const char *encodings);
/** open_metrics__of() - append the OpenMetrics form of a text that tma has written. */
void open_metrics__of(const char *text, struct sb *to);
/** gzip__load() - load what compresses, before gzip__of(). Return: 0 or -ELIBACC. */
int gzip__load(struct err *err);
/** gzip__of() - append @len bytes in gzip. */
void gzip__of(const char *text, size_t len, struct sb *to);

#endif
