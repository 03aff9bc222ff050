# SPDX-License-Identifier: GPL-2.0-only
# Takes out of a page what asciidoctor writes and mandoc -Tlint finds fault with: macros for links, of which no
# page has one, and blank lines behind a heading, at its end and at the beginning of a table's cell. Columns of
# tables get the width of their longest word at least, and what is left of 80 columns by how much they have.

# How wide a text is, without its escapes.
function width(text)
{
	gsub(/\\f[A-Z]/, "", text)
	gsub(/\\\(../, "x", text)
	gsub(/\\./, "x", text)
	return length(text)
}

# The text of a cell counts for its column.
function measure(text, column,    nr, words, i)
{
	if (width(text) > whole[column])
		whole[column] = width(text)
	nr = split(text, words, " ")
	for (i = 1; i <= nr; i++)
		if (width(words[i]) > word[column])
			word[column] = width(words[i])
}

# The line that says how columns are aligned, with the width of each.
function alignment(nr,    i, free, wanted, line)
{
	# An indentation of 7, margins of 2, a border and two blanks for each column, and a border.
	free = 80 - 9 - 3 * nr - 1
	for (i = 1; i <= nr; i++) {
		free -= word[i]
		wanted += whole[i] - word[i]
	}
	free = free < 0 ? 0 : free < wanted ? free : wanted
	for (i = 1; i <= nr; i++)
		line = line (i > 1 ? " " : "") "ltw(" word[i] + (wanted ? int(free * (whole[i] - word[i]) / wanted) : 0) "n)"
	return line "."
}

function end_table(    i)
{
	for (i = 1; i <= nr_lines; i++)
		print lines[i] ~ /^lt( lt)*\.$/ ? alignment(split(lines[i], word_of_line, " ")) : lines[i]
	split("", word)
	split("", whole)
	nr_lines = in_table = 0
}

function put(line)
{
	if (line == ".TS") {
		in_table = 1
		column = 0
	}
	if (!in_table) {
		print line
		return
	}
	lines[++nr_lines] = line
	if (line == "T{")
		column = 1
	else if (line == "T}:T{")
		column++
	else if (column && line != "T}" && line !~ /^\./)
		measure(line, column)
	if (line == ".TE")
		end_table()
}

/^\.de URL$/	{ links = 1 }
links		{ links = !/^\.\\}$/; next }
/^\.br$/	{ breaks++; next }
/^\.sp$/ && headed { next }
{
	for (; breaks; breaks--)
		if (!/^\.SH /)
			put(".br")
	put($0)
	headed = /^\.S[HS] |T\{$/
}
