// SPDX-License-Identifier: GPL-2.0-only
/* Names that compilers have made become names of the source again. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "unit.h"
#include "where/demangle.h"

/* struct made - a name in the source, and the same name in object files */
struct made {
	const char *by_compiler, *in_source;
};

static void check_names(const struct made *at, int nr)
{
	for (int i = 0; i < nr; i++) {
		auto_text name = demangle__name(at[i].by_compiler);

		ck_assert_ptr_nonnull(name);
		ck_assert_str_eq(name, at[i].in_source);
	}
}

/* libiberty or libstdc++ may be missing here. */
static bool knows(const char *name, const char *test)
{
	auto_text known = demangle__name(name);

	if (!known)
		printf("SKIP %s: nothing here demangles %s\n", test, name);
	return known;
}

START_TEST(names_of_cxx_have_no_types_of_the_function)
{
	static const struct made names[] = {
		{"_Z4walki", "walk"},
		{"_ZNK2ns5Class4walkEi", "ns::Class::walk"},
		{"_ZN2ns5Class3getIiEET_S2_", "ns::Class::get<int>"},
		{"_ZN2ns5ClassclEi", "ns::Class::operator()"},
		{"_ZN2ns5ClassltES0_", "ns::Class::operator<"},
		{"_ZN2ns5ClassnwEm", "ns::Class::operator new"},
		{"_ZN2ns12_GLOBAL__N_16hiddenEi", "ns::(anonymous namespace)::hidden"},
		{"_ZN2ns2tfIPFicEEEvPFvT_E", "ns::tf<int (*)(char)>"},
		{"_ZN3foo3barEi.part.0", "foo::bar"},
	};

	if (knows("_Z4walki", "names of C++"))
		check_names(names, sizeof(names) / sizeof(*names));
}
END_TEST

START_TEST(names_of_rust_have_no_hash)
{
	static const struct made names[] = {
		{"_ZN7mycrate3foo17h0123456789abcdefE", "mycrate::foo"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
		{"_RINvCs1234_7mycrate3fooNvNtC3std3ops3addE", "mycrate::foo::<std::ops::add>"},
	};

	/* libstdc++ without libiberty does not know these names. */
	if (knows("_RNvCs1234_7mycrate3foo", "names of Rust"))
		check_names(names, sizeof(names) / sizeof(*names));
}
END_TEST

START_TEST(names_of_d_have_no_types_of_the_function)
{
	static const struct made names[] = {{"_D3app4testFiZv", "app.test"}};

	if (knows("_D3app4testFiZv", "names of D"))
		check_names(names, 1);
}
END_TEST

START_TEST(other_names_are_left_alone)
{
	static const char *const names[] = {"",	   "main", "_start", "_Z",  "_R",	    "_D",
					    "_ZN", "i",	   "_ZN5",   "___", "divide.part.0"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ck_assert_ptr_null(demangle__name(names[i]));
}
END_TEST

/* A hostile name must not use up the stack or the memory. */
START_TEST(names_without_end_are_left_alone) /* R75 */
{
	const int len = 1 << 20;
	auto_text name = malloc(len + 1);

	ck_assert_ptr_nonnull(name);
	memset(name, 'P', len);
	memcpy(name, "_Z1f", 4);
	name[len] = '\0';
	ck_assert_ptr_null(demangle__name(name));
	/* This name is short enough to be tried. */
	name[8000] = 'i';
	name[8001] = '\0';
	free(demangle__name(name));
}
END_TEST

START_TEST(parameters_and_returned_types_are_dropped)
{
	static const struct made names[] = {
		{"walk(int)", "walk"},
		{"ns::Class::walk(int) const", "ns::Class::walk"},
		{"int ns::get<int>(int)", "ns::get<int>"},
		{"ns::Class::operator()(int)", "ns::Class::operator()"},
		{"operator new(unsigned long)", "operator new"},
		{"ns::(anonymous namespace)::hidden(int)", "ns::(anonymous namespace)::hidden"},
		{"void ns::tf<int (*)(char)>(void (*)(int (*)(char)))", "ns::tf<int (*)(char)>"},
		{"g()::{lambda(int)#1}::operator()(int) const", "g()::{lambda(int)#1}::operator()"},
		{"foo::bar(int) [clone .part.0]", "foo::bar"},
		{"ns::value", "ns::value"},
		{"app.test(int)", "app.test"},
		{"", ""},
		{")", ")"},
		{"(", "("},
		{"()", "()"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		auto_text name = strdup(names[i].by_compiler);

		demangle__drop_types(name);
		ck_assert_str_eq(name, names[i].in_source);
	}
}
END_TEST

TMA_TEST_MAIN(where_demangle, names_of_cxx_have_no_types_of_the_function,
	      names_of_rust_have_no_hash, names_of_d_have_no_types_of_the_function,
	      other_names_are_left_alone, names_without_end_are_left_alone,
	      parameters_and_returned_types_are_dropped)
