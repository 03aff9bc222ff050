/* SPDX-License-Identifier: GPL-2.0-only */
/* Give back memory that only the start of a long-running process needed. */
#ifndef TMA_BASE_PAGES_H
#define TMA_BASE_PAGES_H

/**
 * pages__give_back() - release free memory, and pages that are the same as in their files
 *
 * The latter are the code and constants of the program and its libraries. The kernel maps them
 * again from the page cache when they are used. A debugger's breakpoints in them are lost. It takes
 * less than a millisecond, and causes some page faults afterwards.
 */
void pages__give_back(void);

#endif
