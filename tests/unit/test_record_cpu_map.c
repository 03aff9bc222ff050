// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPUs in records: all forms are read, and the shortest form is written. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "base/sb.h"
#include "record/cpu_map.h"
#include "unit.h"

#define BYTES(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

static void check_read(const uint8_t *data, size_t len, const char *want, bool want_any)
{
	struct cpulist cpus = CPULIST_INIT;
	struct err err = ERR_INIT;
	struct sb sb = SB_INIT;
	bool any = !want_any;

	ck_assert_msg(!cpu_map__read(data, len, &cpus, &any, &err), "%s", err.msg);
	cpulist__print(&cpus, &sb);
	ck_assert_str_eq(sb__str(&sb), want);
	ck_assert(any == want_any);
	sb__free(&sb);
	cpulist__free(&cpus);
}

START_TEST(a_list_is_read)
{
	check_read(BYTES(0, 0, 3, 0, 1, 0, 5, 0, 0, 1), "1,5,256", false);
	check_read(BYTES(0, 0, 0, 0), "", false);
}
END_TEST

START_TEST(any_cpu_in_a_list_is_no_cpu)
{
	check_read(BYTES(0, 0, 1, 0, 0xff, 0xff, 0, 0), "", true);
	check_read(BYTES(0, 0, 2, 0, 0xff, 0xff, 3, 0), "3", true);
}
END_TEST

START_TEST(a_mask_of_32_bit_words_is_read)
{
	check_read(BYTES(1, 0, 2, 0, 4, 0, 0x0f, 0, 0, 0x80, 1, 0, 0, 0), "0-3,31-32", false);
}
END_TEST

START_TEST(a_mask_of_64_bit_words_has_padding)
{
	check_read(BYTES(1, 0, 1, 0, 8, 0, 9, 9, 9, 9, 5, 0, 0, 0, 0, 0, 0, 0x80), "0,2,63",
		   false);
}
END_TEST

START_TEST(a_range_is_read)
{
	check_read(BYTES(2, 0, 0, 0, 4, 0, 7, 0), "4-7", false);
	check_read(BYTES(2, 0, 1, 0, 0, 0, 1, 0), "0-1", true);
	/* A range from 1 to 0 has no CPUs. */
	check_read(BYTES(2, 0, 0, 0, 1, 0, 0, 0), "", false);
}
END_TEST

static void check_refused(const uint8_t *data, size_t len, const char *why)
{
	struct cpulist cpus = CPULIST_INIT;
	struct err err = ERR_INIT;
	bool any;

	ck_assert_int_eq(cpu_map__read(data, len, &cpus, &any, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, why));
	cpulist__free(&cpus);
}

START_TEST(what_is_not_whole_is_refused)
{
	check_refused(BYTES(0), "cut off");
	check_refused(BYTES(0, 0, 1), "cut off");
	check_refused(BYTES(0, 0, 2, 0, 1, 0), "longer than its record");
	check_refused(BYTES(1, 0, 1, 0), "cut off");
	check_refused(BYTES(1, 0, 2, 0, 4, 0, 1, 0, 0, 0), "longer than its record");
	check_refused(BYTES(1, 0, 0xff, 0xff, 8, 0, 0, 0, 0, 0), "longer than its record");
	check_refused(BYTES(2, 0, 0, 0, 4, 0), "cut off");
}
END_TEST

START_TEST(what_is_not_known_is_refused)
{
	check_refused(BYTES(3, 0, 0, 0, 0, 0, 0, 0), "unknown form (3)");
	check_refused(BYTES(1, 0, 1, 0, 3, 0, 0, 0, 0, 0), "odd size");
}
END_TEST

/*
 * A list that was written is read as the same list. @type: the form of the record; @size: its size
 * with padding.
 */
static void check_written(const char *text, int type, size_t size)
{
	struct cpulist cpus = CPULIST_INIT;
	struct sb sb = SB_INIT;

	ck_assert(!cpulist__parse("CPUs", text, &cpus, NULL));
	cpu_map__write(&sb, &cpus);
	ck_assert(!sb.err);
	ck_assert_int_eq(sb.buf[0], type);
	ck_assert_uint_eq(sb.len, size);
	check_read((const uint8_t *)sb.buf, sb.len, text, false);
	sb__free(&sb);
	cpulist__free(&cpus);
}

START_TEST(the_shortest_form_is_written)
{
	check_written("0-7", 2, 8);
	check_written("65534", 2, 8);
	check_written("0,2", 0, 8);
	check_written("0,4000", 0, 8);
	check_written("0-3,8-63,100", 1, 24);
	check_written("", 0, 8);
}
END_TEST

START_TEST(no_list_is_any_cpu)
{
	struct sb sb = SB_INIT;

	cpu_map__write(&sb, NULL);
	ck_assert_uint_eq(sb.len, 8);
	check_read((const uint8_t *)sb.buf, sb.len, "", true);
	sb__free(&sb);
}
END_TEST

TMA_TEST_MAIN(record_cpu_map, a_list_is_read, any_cpu_in_a_list_is_no_cpu,
	      a_mask_of_32_bit_words_is_read, a_mask_of_64_bit_words_has_padding, a_range_is_read,
	      what_is_not_whole_is_refused, what_is_not_known_is_refused,
	      the_shortest_form_is_written, no_list_is_any_cpu)
