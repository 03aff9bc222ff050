// SPDX-License-Identifier: GPL-2.0-only
/* Put a page together: its head, its data and its end; escape texts for HTML. */
#include "writers/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/publish.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "writers/page_sources.h"

#define NOTES_MOST 20

/**
 * struct page - a page that is being written
 * @begun: the head was written
 * @facts: lines of the first table
 * @notes: items of a list, @nr_notes of them
 * @above: HTML above the runs; @over: HTML of runs that have ended
 * @put, @flush: functions of the current run, called with @run; or NULL
 * @text: buffer for the current text
 */
struct page {
	struct publish *file;
	bool named, begun;
	struct sb facts, notes, above, over, text;
	int nr_notes;
	void (*put)(void *run, struct sb *sb);
	int (*flush)(void *run, struct err *err);
	void *run;
	int nr_runs;
};

/* --- Texts ----------------------------------------------------------------------------------- */

void page__put_text(struct sb *sb, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "&<>\"'");

		text__clean_utf8(sb, text, len, "\n\t");
		text += len;
		if (*text)
			sb__printf(sb, "&#%d;", *text++);
	}
}

/* JSON has these characters only in strings, and its strings allow this escape. */
void page__put_data(struct sb *sb, const char *kind, const struct sb *json)
{
	const char *at = sb__str(json);

	sb__printf(sb, "<script type=\"application/json\" class=\"%s\">", kind);
	while (*at) {
		size_t len = strcspn(at, "&<>");

		sb__add(sb, at, len);
		at += len;
		if (*at)
			sb__printf(sb, "\\u%04x", *at++);
	}
	sb__puts(sb, "</script>\n");
}

/* --- Parts ----------------------------------------------------------------------------------- */

struct page *page__new(const char *path, int fd, struct err *err)
{
	struct publish *file = publish__new(path, fd, err);
	struct page *p;

	if (!file)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->file = file;
	p->named = path;
	return p;
}

void page__free(struct page *p)
{
	if (!p)
		return;
	publish__free(p->file);
	sb__free(&p->facts);
	sb__free(&p->notes);
	sb__free(&p->above);
	sb__free(&p->over);
	sb__free(&p->text);
	free(p);
}

void page__add_fact(struct page *p, const char *name, const char *text)
{
	if (!*text)
		return;
	sb__puts(&p->facts, "<tr><th scope=\"row\">");
	page__put_text(&p->facts, name);
	sb__puts(&p->facts, "</th><td>");
	page__put_text(&p->facts, text);
	sb__puts(&p->facts, "</td></tr>\n");
}

void page__add_note(struct page *p, const char *text)
{
	if (p->nr_notes++ >= NOTES_MOST)
		return;
	sb__puts(&p->notes, "<li>");
	page__put_text(&p->notes, text);
	sb__puts(&p->notes, "</li>\n");
}

void page__put(struct page *p, const char *html)
{
	sb__puts(&p->above, html);
}

int page__begin_run(struct page *p, void (*put)(void *run, struct sb *sb),
		    int (*flush)(void *run, struct err *err), void *run)
{
	page__end_run(p);
	p->put = put;
	p->flush = flush;
	p->run = run;
	return p->nr_runs++;
}

void page__end_run(struct page *p)
{
	if (p->put)
		p->put(p->run, &p->over);
	p->put = NULL;
}

bool page__is_named(const struct page *p)
{
	return p->named;
}

/* The policy allows only the page's own style and script, which it names by their hashes. */
static void put_head(struct sb *sb)
{
	sb__printf(sb,
		   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		   "style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; "
		   "form-action 'none'\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		   "<link rel=\"icon\" href=\"data:,\">\n<title>tma</title>\n<style>",
		   page_css_hash, page_js_hash);
	sb__puts(sb, page_css);
	sb__puts(sb, "</style>\n</head>\n<body>\n");
}

static int page__add(struct page *p, struct err *err)
{
	return publish__add(p->file, sb__str(&p->text), p->text.len, err);
}

static int page__begin(struct page *p, struct err *err)
{
	if (p->begun)
		return 0;
	p->begun = true;
	sb__clear(&p->text);
	put_head(&p->text);
	return page__add(p, err);
}

int page__add_data(struct page *p, const char *kind, const struct sb *json, struct err *err)
{
	int rc = page__begin(p, err);

	if (rc)
		return rc;
	sb__clear(&p->text);
	page__put_data(&p->text, kind, json);
	return page__add(p, err);
}

static void put_end(struct page *p)
{
	struct sb *sb = &p->text;

	sb__clear(sb);
	sb__puts(sb, "<main>\n");
	if (p->facts.len)
		sb__printf(sb,
			   "<section aria-label=\"What was measured\"><table class=\"facts\">\n"
			   "%s</table></section>\n",
			   sb__str(&p->facts));
	sb__printf(sb, "%s<div id=\"runs\"%s>\n%s", sb__str(&p->above),
		   p->nr_runs > 1 ? " class=\"beside\"" : "", sb__str(&p->over));
	if (p->put)
		p->put(p->run, sb);
	if (!p->nr_runs && !p->above.len)
		sb__puts(sb, "<p>Nothing was counted.</p>\n");
	sb__puts(sb, "</div>\n");
	if (p->notes.len)
		sb__printf(sb,
			   "<section><h3>Notes on the measurement</h3>\n<ul>\n%s</ul></section>\n",
			   sb__str(&p->notes));
	sb__printf(sb, "</main>\n<script>%s</script>\n</body>\n</html>\n", page_js);
}

int page__show(struct page *p, struct err *err)
{
	int rc = page__begin(p, err);

	if (rc)
		return rc;
	put_end(p);
	return publish__show(p->file, sb__str(&p->text), p->text.len, err);
}

int page__save(struct page *p, const char *path, struct err *err)
{
	int rc = page__begin(p, err);

	if (!rc && p->put)
		rc = p->flush(p->run, err);
	if (rc)
		return rc;
	put_end(p);
	return publish__save(p->file, path, sb__str(&p->text), p->text.len, err);
}
