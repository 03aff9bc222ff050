/* SPDX-License-Identifier: GPL-2.0-only */
/* Properties of a terminal. */
#ifndef TMA_BASE_TERMINAL_H
#define TMA_BASE_TERMINAL_H

/** terminal__width() - get the columns of the terminal at @fd; 0 if it is not a terminal. */
int terminal__width(int fd);

#endif
