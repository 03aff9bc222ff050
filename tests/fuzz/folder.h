/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A folder of files, made from one input. A line "@x" begins the file with the letter x; text
 * before the first such line belongs to the first file. A capital letter means that the elements of
 * an array are abbreviated:
 *
 *	@E
 *	EventName INST_RETIRED.ANY
 *	Level: 1
 *
 *	EventName ...
 *
 * means [{"EventName": "INST_RETIRED.ANY", "Level": 1}, {"EventName": ...}]. So a fuzzer does not
 * have to discover quotes first. If a key ends with a colon, the value is written with its own
 * quotes.
 */
#ifndef TMA_TESTS_FUZZ_FOLDER_H
#define TMA_TESTS_FUZZ_FOLDER_H

#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sb.h"
#include "fuzz.h"
#include "root.h"

/**
 * struct folder_file - a file that the folder may have
 * @letter: lower-case letter that means this file in the input
 * @path:   path below the folder
 * @member: name of the array of abbreviated elements in an object; NULL if the file is an array
 * @text:   current content; NULL if the file does not exist
 */
struct folder_file {
	char letter;
	const char *path, *member;
	char *text;
};

struct folder {
	const char *root;
	pid_t owner;
	struct folder_file *files;
	int nr_files;
};

/* Each process has its own folder: see replay.c. */
static inline void folder__init(struct folder *f)
{
	char path[4096];

	if (f->owner == getpid())
		return;
	f->owner = getpid();
	f->root = fuzz__root();
	for (int i = 0; i < f->nr_files; i++) {
		snprintf(path, sizeof(path), "%s/%s", f->root, f->files[i].path);
		for (char *slash = path + strlen(f->root) + 1; (slash = strchr(slash, '/'));
		     slash++) {
			*slash = '\0';
			fuzz_check(!mkdir(path, 0755) || errno == EEXIST, "%s", path);
			*slash = '/';
		}
	}
}

/* A file whose content is the same as for the last input is not written again. */
static inline void folder__put(struct folder *f, struct folder_file *file, char *text)
{
	bool same = !text == !file->text && (!text || !strcmp(text, file->text));
	char path[4096];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s", f->root, file->path);
	if (!same && !text)
		fuzz_check(!unlink(path), "%s", path);
	if (!same && text) {
		stream = fopen(path, "w");
		fuzz_check(stream, "%s", path);
		fputs(text, stream);
		fuzz_check(!fclose(stream), "%s", path);
	}
	free(file->text);
	file->text = text;
}

static inline void folder__put_string(const char *text, size_t len, struct sb *out)
{
	sb__putc(out, '"');
	for (size_t i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (c == '"' || c == '\\')
			sb__printf(out, "\\%c", c);
		else if (c < ' ' || c > '~')
			sb__printf(out, "\\u%04x", c);
		else
			sb__putc(out, c);
	}
	sb__putc(out, '"');
}

static inline void folder__put_field(const char *line, struct sb *out)
{
	size_t key = strcspn(line, " ");
	bool raw = key && line[key - 1] == ':';
	const char *value = line + key + !!line[key];

	folder__put_string(line, key - raw, out);
	sb__puts(out, ": ");
	if (raw)
		sb__puts(out, value);
	else
		folder__put_string(value, strlen(value), out);
}

/* Turn abbreviated elements into JSON. */
static inline char *folder__expand(const struct folder_file *file, char *text)
{
	struct sb out = SB_INIT;
	bool first = true;
	char *line;

	if (file->member)
		sb__printf(&out, "{\"%s\": ", file->member);
	sb__puts(&out, "[{");
	while ((line = strsep(&text, "\n"))) {
		if (!*line) {
			sb__puts(&out, "},\n{");
		} else {
			sb__puts(&out, first ? "" : ", ");
			folder__put_field(line, &out);
		}
		first = !*line;
	}
	sb__puts(&out, file->member ? "}]}\n" : "}]\n");
	fuzz_check(!out.err);
	return sb__detach(&out);
}

static inline struct folder_file *folder__find(struct folder *f, char letter)
{
	for (int i = 0; i < f->nr_files; i++)
		if (f->files[i].letter == tolower((unsigned char)letter))
			return &f->files[i];
	return NULL;
}

/* Return: the beginning of the next file in the input, or its end. */
static inline char *folder__next(struct folder *f, char *at)
{
	for (; (at = strchr(at, '@')); at++)
		if (at[-1] == '\n' && folder__find(f, at[1]))
			return at;
	return NULL;
}

static inline void folder__fill(struct folder *f, const uint8_t *data, size_t size)
{
	char *text = malloc(size + 2), *next, **texts = calloc(f->nr_files, sizeof(*texts));

	fuzz_check(text && texts);
	folder__init(f);
	/* Put a newline before the input, so that a file can begin in its first line. */
	text[0] = '\n';
	if (size)
		memcpy(text + 1, data, size);
	text[size + 1] = '\0';
	for (char *at = text; at; at = next) {
		char letter = *at == '@' ? at[1] : f->files[0].letter;
		struct folder_file *file = folder__find(f, letter);
		char **to = &texts[file - f->files], *body = at + 1;

		next = folder__next(f, body);
		if (next)
			next[-1] = '\0';
		if (*at == '@')
			body += strcspn(body, "\n");
		body += *body == '\n';
		if (at == text && !*body)
			continue;
		free(*to);
		*to = isupper((unsigned char)letter) ? folder__expand(file, body) : strdup(body);
		fuzz_check(*to);
	}
	for (int i = 0; i < f->nr_files; i++)
		folder__put(f, &f->files[i], texts[i]);
	free(texts);
	free(text);
}

static inline bool folder__has(struct folder *f, char letter)
{
	return folder__find(f, letter)->text;
}

#endif
