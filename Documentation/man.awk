# SPDX-License-Identifier: GPL-2.0-only
# Takes out of a page what asciidoctor writes and mandoc -Tlint finds fault with: macros for links, of which no
# page has one, and blank lines behind a heading, at its end and at the beginning of a table's cell.

/^\.de URL$/	{ links = 1 }
links		{ links = !/^\.\\}$/; next }
/^\.br$/	{ breaks++; next }
/^\.sp$/ && headed { next }
{
	for (; breaks; breaks--)
		if (!/^\.SH /)
			print ".br"
	print
	headed = /^\.S[HS] |T\{$/
}
