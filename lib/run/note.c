// SPDX-License-Identifier: GPL-2.0-only
#include "run/note.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"

void notes__add(struct notes *n, enum note_kind kind, const char *place, const char *fmt, ...)
{
	struct sb text = SB_INIT;
	va_list ap;

	if (!notes__want(n, kind))
		return;
	va_start(ap, fmt);
	sb__vprintf(&text, fmt, ap);
	va_end(ap);
	vec__push(&n->list, ((struct note){.kind = kind,
					   .place = place ? xstrdup(place) : NULL,
					   .text = sb__detach(&text)}));
}

void notes__add_lines(struct notes *n, enum note_kind kind, const char *lines)
{
	if (notes__want(n, kind) && lines && *lines)
		vec__push(&n->list,
			  ((struct note){.kind = kind, .text = xstrdup(lines), .lines = true}));
}

void notes__add_each(struct notes *n, enum note_kind kind, const char *lines)
{
	int len;

	text__for_each_item(line, len, lines ?: "", "\n")
	{
		notes__add(n, kind, NULL, "%.*s", len, line);
	}
}

void notes__clear(struct notes *n)
{
	struct note *note;

	vec__for_each (note, &n->list) {
		free(note->place);
		free(note->text);
	}
	n->list.nr = 0;
}

void notes__free(struct notes *n)
{
	notes__clear(n);
	vec__free(&n->list);
}
