/* SPDX-License-Identifier: GPL-2.0-only */
/* The libraries that a server needs, and no other command. */
#ifndef TMA_HTTP_LIBRARIES_H
#define TMA_HTTP_LIBRARIES_H

#include "base/library.h"

/* Where the headers of one of them are missing at the build, there is no server. */
#if __has_include(<microhttpd.h>) && __has_include(<yaml.h>) && __has_include(<zlib.h>) && \
	__has_include(<crypt.h>)
#define HTTP_IS_BUILT 1
#else
#define HTTP_IS_BUILT 0
#endif

#endif
