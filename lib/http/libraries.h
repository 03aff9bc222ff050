/* SPDX-License-Identifier: GPL-2.0-only */
/* Libraries that only the server needs. */
#ifndef TMA_HTTP_LIBRARIES_H
#define TMA_HTTP_LIBRARIES_H

#include "base/library.h"

/* If a header of these libraries is missing at build time, tma is built without a server. */
#if __has_include(<microhttpd.h>) && __has_include(<yaml.h>) && __has_include(<zlib.h>) && \
	__has_include(<crypt.h>)
#define HTTP_IS_BUILT 1
#else
#define HTTP_IS_BUILT 0
#endif

#endif
