/* SPDX-License-Identifier: GPL-2.0-only */
/* Locales; tests/locale makes those that the system does not have. */
#ifndef TMA_TESTS_LOCALE_FIXTURE_H
#define TMA_TESTS_LOCALE_FIXTURE_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Set a country's locale with UTF-8, such as "de_DE". Return: false if the system does not have it.
 */
static inline bool set_locale_of(const char *country)
{
	const char *build = getenv("BUILD");
	char command[4096], dir[4096] = "", name[32];
	FILE *made;

	snprintf(name, sizeof(name), "%s.UTF-8", country);
	if (setlocale(LC_ALL, name))
		return true;
	snprintf(command, sizeof(command), "tests/locale '%s' %s", build ? build : "build", country);
	made = popen(command, "r");
	if (!made)
		return false;
	if (fgets(dir, sizeof(dir), made))
		dir[strcspn(dir, "\n")] = '\0';
	if (pclose(made) != 0 || !*dir)
		return false;
	setenv("LOCPATH", dir, 1);
	return setlocale(LC_ALL, name);
}

#endif
