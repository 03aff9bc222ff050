// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "json/ascii.h"
#include "unit.h"

static void check(const char *text, const char *wanted)
{
	char *ascii = json_ascii(text, strlen(text));

	if (wanted)
		ck_assert_str_eq(ascii, wanted);
	else
		ck_assert_ptr_null(ascii);
	free(ascii);
}

START_TEST(characters_beyond_ascii_are_escaped)
{
	check("[\"\xc3\xa9\"]", "[\"\\u00e9\"]");
	check("\xe2\x89\xa5 \xc2\xb5s", "\\u2265 \\u00b5s");
	check("\xf0\x9d\x84\x9e\n", "\\ud834\\udd1e\n");
	check("\xdf\xbf", "\\u07ff");
	check("\"\\\\\xc3\xa9\"", "\"\\\\\\u00e9\"");
}
END_TEST

START_TEST(what_needs_no_change_has_none)
{
	check("", NULL);
	check("[\"a\\u00e9\", \"\x7f\"]", NULL);
	/* not UTF-8 */
	check("\xff", NULL);
	check("a\xc3", NULL);
	check("\xc3\xa9\x80", NULL);
	/* not an escape */
	check("\"\\\xc3\xa9\"", NULL);
	check("\"\\\\\\\xc3\xa9\"", NULL);
}
END_TEST

TMA_TEST_MAIN(json_ascii, characters_beyond_ascii_are_escaped, what_needs_no_change_has_none)
