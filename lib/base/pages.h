/* SPDX-License-Identifier: GPL-2.0-only */
/* Give back memory that a long-running process needed only at its start. */
#ifndef TMA_BASE_PAGES_H
#define TMA_BASE_PAGES_H

/**
 * pages__give_back() - release free memory, and pages that are the same as in their files
 *
 * Such pages are the code and constants of the program and its libraries. When they are used again,
 * the kernel maps them from the page cache. A debugger's breakpoints in them are lost. The call
 * takes less than a millisecond, and causes some page faults afterwards.
 */
void pages__give_back(void);

#endif
