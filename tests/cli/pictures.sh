#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Pictures of the README: how a terminal's screen is drawn, and that they are there, and small.
. "$(dirname "$0")/lib.sh"

begin "a screen is drawn as it was"
esc=$(printf '\033')
# Colours by name, by number and by value, upside down, and the blocks of bars.
cat >"$tmp/screen" <<END
a <b> &  c${esc}[31m red${esc}[1;32m green${esc}[m plain
██▌ ${esc}[48;5;196m▃${esc}[0;7mover${esc}[27;38;2;1;2;3m values

beyond the edge of the screen
END
run sh -c "scripts/screen-svg --columns 24 --title 'what & where' <'$tmp/screen'"
expect_status 0
cp "$stdout" "$tmp/picture.svg"
expect_equal "what an XML parser makes of it" "$(python3 - "$tmp/picture.svg" <<'END'
import sys
from xml.etree import ElementTree

SVG = '{http://www.w3.org/2000/svg}'
root = ElementTree.parse(sys.argv[1]).getroot()
print(root.get('width'), root.get('height'), root.find(SVG + 'title').text)
for text in root.iter(SVG + 'text'):
    print(text.get('x'), text.get('y'), text.get('textLength'), text.get('fill'),
          text.get('font-weight'), text.text)
for rect in list(root.iter(SVG + 'rect'))[1:]:
    print(*(rect.get(name) for name in ('x', 'y', 'width', 'height', 'fill')))
END
)" "216 92 what & where
12 25 56 None None a <b> &
84 25 8 None None c
100 25 24 #e5695f None red
132 25 40 #7fb75a bold green
180 25 24 None None pla
52 42 32 #1c1e21 None over
92 42 48 #010203 None values
12 76 192 #010203 None beyond the edge of the s
44 29 8 17 #ff0000
52 29 32 17 #d8d8d8
12 29 16 17 #d8d8d8
28 29 4 17 #d8d8d8
44 39.62 8 6.38 #d8d8d8"

begin "a picture that nobody knows"
run scripts/pictures "$TMA" bottom
expect_status 1
expect_match stderr "there is no picture 'bottom': page and top are"
run scripts/pictures
expect_status 2
expect_match stderr "usage: scripts/pictures PROGRAM"

begin "what README.md shows is there, and has at most 150 kB"
sed -n 's/.*(\(Documentation\/pictures\/[a-z.]*\)).*/\1/p' README.md >"$tmp/shown"
while read -r picture; do
	expect_between "bytes of $picture" "$(wc -c <"$picture" 2>/dev/null || echo 0)" 1000 153600
done <"$tmp/shown"
