/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that stays gives back the memory which only its beginning has needed. */
#ifndef TMA_BASE_PAGES_H
#define TMA_BASE_PAGES_H

/**
 * pages__give_back() - let go of memory that is free, and of what stands in files as it does here
 *
 * That is the program's and its libraries' code and constants: what is used again is mapped again,
 * from the page cache. A debugger's breakpoints in it are lost. Takes under a millisecond, and some
 * more page faults afterwards.
 */
void pages__give_back(void);

#endif
