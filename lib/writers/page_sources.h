/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the styles and the program of a page. page/embed turns page/page.css and
 * page/page.js into strings, with their hashes.
 */
#ifndef TMA_WRITERS_PAGE_SOURCES_H
#define TMA_WRITERS_PAGE_SOURCES_H

extern const char page_css[], page_css_hash[], page_js[], page_js_hash[];

#endif
