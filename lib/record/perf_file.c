// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the header of perf.data: the positions of its parts, the attributes and ids of the events,
 * and the features.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "record/recording.h"

#define FILE_MAGIC_V1 "PERFFILE"
/* In old files, the header ends before the bits for features. */
#define OLD_HEADER_SIZE offsetof(struct file_header, features)
#define ATTR_SIZE_MIN PERF_ATTR_SIZE_VER0
#define ATTR_SIZE_MAX 4096 /* far more bytes than the attributes of any kernel have */

bool perf_file__is(const char *data, size_t len)
{
	static const uint64_t magics[] = { FILE_MAGIC, FILE_MAGIC_SWAPPED };

	if (len < FILE_MAGIC_BYTES)
		return false;
	return !memcmp(data, &magics[0], FILE_MAGIC_BYTES) ||
	       !memcmp(data, &magics[1], FILE_MAGIC_BYTES) ||
	       !memcmp(data, FILE_MAGIC_V1, FILE_MAGIC_BYTES);
}

/* An entry has the attributes, which may have any size, and then the position of the ids. */
static int perf_file__read_attr(struct recording *r, const char *entry, uint64_t entry_size,
				uint64_t offset, struct err *err)
{
	struct file_section ids;
	char *data;
	int rc;

	memcpy(&ids, entry + entry_size - sizeof(ids), sizeof(ids));
	recording__add_attr(r, entry, entry_size - sizeof(ids));
	if (ids.size % sizeof(uint64_t))
		return input__damaged(&r->in, offset, err, "the ids of event %d have %" PRIu64 " bytes",
				      r->events.nr - 1, ids.size);
	/* The file contains each id once. */
	if (ids.size / sizeof(uint64_t) > r->in.size / sizeof(uint64_t) - r->ids.nr)
		return input__damaged(&r->in, offset, err,
				      "the events have more ids than the file can hold");
	rc = input__read_at(&r->in, ids.offset, ids.size, "the ids of an event", &data, err);
	if (rc)
		return rc;
	recording__add_ids(r, data, ids.size / sizeof(uint64_t));
	free(data);
	return 0;
}

static int read_attrs(struct recording *r, const struct file_header *h, struct err *err)
{
	const struct file_section *at = &h->attrs;
	uint64_t size = h->attr_size;
	char *data;
	int rc;

	if (size < ATTR_SIZE_MIN + sizeof(struct file_section) || size > ATTR_SIZE_MAX)
		return input__damaged(&r->in, offsetof(struct file_header, attr_size), err,
				      "an event's attributes have %" PRIu64 " bytes", size);
	if (at->size % size)
		return input__damaged(&r->in, at->offset, err,
				      "the attributes of the events are cut off");
	if (at->size / size > MAX_EVENTS)
		return recording__too_many(r, "events", err);
	rc = input__read_at(&r->in, at->offset, at->size, "the attributes of the events", &data,
			    err);
	if (rc)
		return rc;
	for (uint64_t i = 0; !rc && i < at->size / size; i++)
		rc = perf_file__read_attr(r, data + i * size, size, at->offset + i * size, err);
	free(data);
	return rc;
}

static int read_feature(struct recording *r, int feature, const struct file_section *at,
			struct err *err)
{
	char *data;
	int rc;

	if (!at->size)
		return 0;
	rc = input__read_at(&r->in, at->offset, at->size, "a feature of the header", &data, err);
	if (rc)
		return rc;
	rc = features__read(r, feature, data, at->size);
	free(data);
	return rc ? input__damaged(&r->in, at->offset, err, "feature %d of the header is damaged",
				   feature)
		  : 0;
}

static int count_features(const struct file_header *h)
{
	int nr = 0;

	for (int i = 0; i < FEATURE_BITS; i++)
		nr += h->features[i / 64] >> i % 64 & 1;
	return nr;
}

/*
 * Read the features. After the records there is a section for each bit that is set, in the order of
 * the bits.
 */
static int read_features(struct recording *r, const struct file_header *h, struct err *err)
{
	uint64_t offset = h->data.offset + h->data.size;
	struct file_section section;
	int nr = count_features(h), next = 0, rc;
	char *data;

	if (!nr)
		return 0;
	rc = input__read_at(&r->in, offset, nr * sizeof(section), "the list of features", &data,
			    err);
	if (rc)
		return rc;
	for (int i = 0; !rc && i < FEATURE_BITS; i++) {
		if (!(h->features[i / 64] >> i % 64 & 1))
			continue;
		memcpy(&section, data + next++ * sizeof(section), sizeof(section));
		rc = read_feature(r, i, &section, err);
	}
	free(data);
	return rc;
}

/* Read what follows the rows. Rows do not depend on it, so damage is reported after the rows. */
static void read_end(struct recording *r, const struct file_header *h)
{
	r->declared_end = h->data.offset + h->data.size;
	/* If records are missing, the missing records are reported instead. */
	if (r->declared_end <= r->in.size)
		read_features(r, h, &r->late);
}

static int check_header(struct recording *r, struct file_header *h, struct err *err)
{
	if (h->size == OLD_HEADER_SIZE)
		memset(h->features, 0, sizeof(h->features));
	else if (h->size < sizeof(*h))
		return input__damaged(&r->in, FILE_MAGIC_BYTES, err,
				      "a header cannot have %" PRIu64 " bytes", h->size);
	if (h->data.size > UINT64_MAX - h->data.offset)
		return input__damaged(&r->in, offsetof(struct file_header, data), err,
				      "the end of the records is beyond any possible file");
	return 0;
}

static int perf_file__open_file(struct recording *r, struct err *err)
{
	struct file_header h = { .magic = 0 };
	uint64_t end;
	char *data;
	int rc;

	if (!input__can_seek(&r->in)) {
		rc = input__hold(&r->in, INPUT_HOLD_MAX, err);
		if (rc)
			return rc;
	}
	rc = input__read_at(&r->in, 0, r->in.size < sizeof(h) ? OLD_HEADER_SIZE : sizeof(h),
			    "the header", &data, err);
	if (rc)
		return rc;
	memcpy(&h, data, r->in.size < sizeof(h) ? OLD_HEADER_SIZE : sizeof(h));
	free(data);
	rc = check_header(r, &h, err);
	if (!rc)
		rc = read_attrs(r, &h, err);
	if (rc)
		return rc;
	/* Features are written at the end of the run. */
	r->info.unfinished = !h.data.size || !count_features(&h);
	if (h.data.size)
		read_end(r, &h);
	else
		r->declared_end = r->in.size;
	r->has_features = !r->info.unfinished && !r->late.code && r->declared_end <= r->in.size;
	end = r->declared_end < r->in.size ? r->declared_end : r->in.size;
	if (h.data.offset > end)
		rc = input__damaged(&r->in, offsetof(struct file_header, data), err,
				    "the records begin after the end of the file");
	input__go(&r->in, h.data.offset, end);
	return rc;
}

static int open_pipe(struct recording *r, struct err *err)
{
	const char *data;
	int rc = input__take(&r->in, sizeof(struct pipe_header), &data, err);

	r->declared_end = UINT64_MAX;
	return rc < 0 ? rc : 0;
}

int perf_file__open(struct recording *r, struct err *err)
{
	struct pipe_header head = { 0 };
	const char *data;
	size_t len;
	int rc = input__peek(&r->in, sizeof(head), &data, &len, err);

	if (rc)
		return rc;
	memcpy(&head, data, len);
	if (!memcmp(data, FILE_MAGIC_V1, FILE_MAGIC_BYTES))
		return err__set(err, EINVAL,
				"%s is of the first version of perf.data, which has no counts",
				r->in.name);
	if (head.magic != FILE_MAGIC)
		return err__set(err, EINVAL,
				"%s was recorded on a machine of the other byte order: not supported",
				r->in.name);
	if (len < sizeof(head))
		return input__damaged(&r->in, len, err, "the file ends within its header");
	rc = head.size == sizeof(head) ? open_pipe(r, err) : perf_file__open_file(r, err);
	return rc ? rc : perf_records__meta(r, err);
}
