/* SPDX-License-Identifier: GPL-2.0-only */
/* What a terminal can show. */
#ifndef TMA_BASE_TERMINAL_H
#define TMA_BASE_TERMINAL_H

/** terminal__width() - count the columns of the terminal at @fd; 0 where there is none. */
int terminal__width(int fd);

#endif
