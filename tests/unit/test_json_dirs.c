// SPDX-License-Identifier: GPL-2.0-only
/* Several folders as layers, single models, and reading that goes on after errors. */
#include <limits.h>

#include "json/mapfile.h"
#include "json_fixture.h"

/* Put the files of two folders of one architecture, "a" and "b". */
static const char *dumped_both(void)
{
	char first[80], second[80];

	snprintf(first, sizeof(first), "%s/a", top);
	snprintf(second, sizeof(second), "%s/b", top);
	return dumped_as((struct tree_options){ .dirs = (const char *[]){ first, second },
						.nr_dirs = 2 });
}

#define CPU "cpu\tA-1\n# model\tm\tv1\n"
#define EVENT(name, terms) "event\tdefault_core\t" name "\te\t" terms "\t\t0\t0\t\t\t\n"
#define METRIC(name, expr) "metric\tdefault_core\t" name "\t\t" expr "\t\t\t\t\t\t0\t0\t\t\n"

static void put_both(const char *in_a, const char *in_b)
{
	put("a/mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	put("a/m/e.json", in_a);
	put("b/m/e.json", in_b);
}

START_TEST(a_later_folder_replaces_events)
{
	put_both("[{\"EventName\": \"E\", \"EventCode\": \"1\"},"
		 "{\"EventName\": \"F\", \"EventCode\": \"2\"}]",
		 "[{\"EventName\": \"e\", \"EventCode\": \"3\"},"
		 "{\"EventName\": \"G\", \"EventCode\": \"4\"},"
		 "{\"EventName\": \"F\", \"EventCode\": \"5\", \"Unit\": \"CHA\"}]");
	ck_assert_str_eq(dumped_both(),
			 CPU EVENT("e", "event=3") EVENT("f", "event=2") EVENT("g", "event=4")
			 "event\tuncore_cha\tf\te\tevent=5\t\t0\t0\t\t\t\n");
}
END_TEST

START_TEST(a_later_folder_replaces_metrics)
{
	/* A metric that a folder has twice stays there twice; a later folder replaces both. */
	put_both("[{\"MetricName\": \"M\", \"MetricExpr\": \"a\"},"
		 "{\"MetricName\": \"M\", \"MetricExpr\": \"b\"},"
		 "{\"MetricName\": \"N\", \"MetricExpr\": \"n\"},"
		 "{\"MetricName\": \"N\", \"MetricExpr\": \"o\"}]",
		 "[{\"MetricName\": \"M\", \"MetricExpr\": \"z\"},"
		 "{\"MetricName\": \"M\", \"MetricExpr\": \"y\"},"
		 "{\"MetricName\": \"n\", \"MetricExpr\": \"x\"}]"); /* whatever the case */
	ck_assert_str_eq(dumped_both(), CPU METRIC("M", "y") METRIC("M", "z") METRIC("n", "x"));
}
END_TEST

START_TEST(a_later_folder_adds_groups_and_replaces_counters)
{
	put_both("[{\"MetricName\": \"M\", \"MetricExpr\": \"a\", \"MetricGroup\": \"G;H\"}]", "[]");
	put("a/m/metricgroups.json", "{\"G\": \"first\", \"H\": \"only\"}");
	put("b/m/metricgroups.json", "{\"G\": \"second\"}");
	put("a/m/counter.json", "[{\"Unit\": \"core\", \"CountersNumGeneric\": \"4\"},"
				"{\"Unit\": \"CHA\", \"CountersNumGeneric\": \"3\"}]");
	put("b/m/counter.json", "[{\"Unit\": \"core\", \"CountersNumGeneric\": \"8\"}]");
	ck_assert_str_eq(dumped_both(),
			 CPU "# counters\tdefault_core\t8\t0\n# counters\tuncore_cha\t3\t0\n"
			     "metric\tdefault_core\tM\tG;H\ta\t\t\t\t\t\t0\t0\t\t\n"
			     "group\tG\tfirst\ngroup\tH\tonly\n");
}
END_TEST

START_TEST(rows_of_later_folders_come_first)
{
	put_both("[]", "[]");
	put("b/new/e.json", "[]");
	put("b/mapfile.csv", MAP_HEAD "A-2,v3,new,core\nA-3,v4,m,core\n");
	ck_assert_str_eq(dumped_both(), "cpu\tA-2\n# model\tnew\tv3\n"
					"cpu\tA-3\n# model\tm\tv4\n" CPU);
}
END_TEST

START_TEST(standard_events_of_an_earlier_folder)
{
	put_both("[]", "[{\"ArchStdEvent\": \"STD\"}]");
	put("a/std.json", "[{\"EventName\": \"STD\", \"EventCode\": \"0x7\"}]");
	ck_assert_str_eq(dumped_both(), CPU EVENT("std", "event=7"));
}
END_TEST

START_TEST(an_event_twice_in_a_later_folder_is_an_error)
{
	put_both("[{\"EventName\": \"E\"}]", "[{\"EventName\": \"E\"},\n{\"EventName\": \"e\"}]");
	ck_assert_str_eq(dumped_both(), "!b/m/e.json:2: event 'e' of PMU default_core is already "
					"in b/m/e.json:1");
}
END_TEST

static void put_models(void)
{
	put("mapfile.csv", MAP_HEAD "A-1,v1,v/m,core\nA-2,v2,other,core\nA-3,v3,v/m,core\n");
	put("std.json", "[{\"EventName\": \"STD\", \"EventCode\": \"0x7\"}]");
	put("v/m/e.json", "[{\"ArchStdEvent\": \"STD\"}]");
	put("v/m/sys/e.json", "[{\"EventName\": \"S\"}]");
	put("other/broken.json", "not read at all");
}

#define ONE_MODEL                                                                                  \
	"cpu\tA-1\n# model\tv/m\tv1\n" EVENT("std", "event=7")                                     \
		"cpu\tA-3\n# model\tv/m\tv3\n" EVENT("std", "event=7")                             \
			"sys\tv/m/sys\n" EVENT("s", "event=0")

START_TEST(one_model_of_many)
{
	const char *dir = top;

	put_models();
	ck_assert_str_eq(dumped_as((struct tree_options){ .dirs = &dir,
							  .nr_dirs = 1,
							  .only = "v/m",
							  .report = print_problem }),
			 ONE_MODEL);
	ck_assert_str_eq(dumped(), "!other/broken.json:1: expected '[', an array of events");
}
END_TEST

static const char *dumped_model_dir(const char *below)
{
	char path[128];
	const char *dir = path;

	snprintf(path, sizeof(path), "%s/%s", top, below);
	return dumped_as((struct tree_options){ .dirs = &dir,
						.nr_dirs = 1,
						.model_dirs = true,
						.report = print_problem });
}

START_TEST(a_model_by_its_own_folder)
{
	put_models();
	ck_assert_str_eq(dumped_model_dir("v/m"), ONE_MODEL);
	ck_assert_str_eq(dumped_model_dir("v/m/"), ONE_MODEL);
	ck_assert_str_eq(dumped_model_dir("other/../v/m/sys/.."), ONE_MODEL);
	/* Without a mapfile nearby, the model has a name but no CPU. */
	put("alone/deep/e.json", "[{\"EventName\": \"E\"}]");
	ck_assert_int_eq(unlink((snprintf(text, sizeof(text), "%s/mapfile.csv", top), text)), 0);
	ck_assert_str_eq(dumped_model_dir("alone/deep"), "");
	ck_assert_ptr_nonnull(strstr(dumped_model_dir("none"), "No such file or directory"));
}
END_TEST

START_TEST(where_the_mapfile_is)
{
	char dir[128], want[PATH_MAX], *above, *folder;

	put_models();
	snprintf(dir, sizeof(dir), "%s/v/m", top);
	ck_assert_int_eq(tree__find_top(dir, &above, &folder), 0);
	ck_assert_str_eq(folder, "v/m");
	ck_assert_ptr_nonnull(realpath(top, want));
	ck_assert_str_eq(above, want);
	free(above);
	free(folder);
	ck_assert_int_eq(tree__find_top("/usr/lib", &above, &folder), 0);
	ck_assert_str_eq(folder, "lib");
	ck_assert_ptr_null(above);
	free(folder);
	ck_assert_int_eq(tree__find_top("/none/at/all", &above, &folder), -ENOENT);
	ck_assert_ptr_null(folder);
}
END_TEST

START_TEST(the_model_of_perfs_own_tests)
{
	put("test_soc/cpu/e.json", "[{\"EventName\": \"E\"}]");
	ck_assert_str_eq(dumped(), "cpu\ttestcpu\n# model\ttest_soc/cpu\t\n" EVENT("e", "event=0"));
}
END_TEST

START_TEST(the_folder_of_a_cpu)
{
	struct err err = ERR_INIT;
	char *folder;

	put_models();
	/* Rows after the one that is searched for are not read. */
	put("mapfile.csv", MAP_HEAD "A-1,v1,v/m,core\nA-2,v2,other,core\nA-3,v3\n");
	ck_assert_int_eq(mapfile__find(top, "A-2", &folder, &err), 0);
	ck_assert_str_eq(folder, "other");
	free(folder);
	put("mapfile.csv", MAP_HEAD "A-1,v1,v/m,core\n");
	ck_assert_int_eq(mapfile__find(top, "A-2", &folder, &err), 0);
	ck_assert_ptr_null(folder);
	put("mapfile.csv", MAP_HEAD "A-1,v1\n");
	ck_assert_int_eq(mapfile__find(top, "A-2", &folder, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "/mapfile.csv:2: expected four columns"));
}
END_TEST

/* Return: the hash of the only model. */
static uint64_t hash_of_model(void)
{
	const char *dir = top;
	struct tree tree;
	uint64_t hash;

	ck_assert_int_eq(tree__read(&tree, &(struct tree_options){ .dirs = &dir, .nr_dirs = 1 },
				    NULL),
			 0);
	ck_assert_int_eq(tree.models.nr, 1);
	hash = tree.models.at[0].hash;
	tree__free(&tree);
	return hash;
}

START_TEST(the_hash_is_that_of_names_and_bytes)
{
	uint64_t first, hash;

	put("m/a.json", "[]");
	put("m/b.json", "[ ]");
	first = hash_of_model();
	ck_assert_uint_eq(first,
			  tree__hash(tree__hash(TREE_HASH_INIT, "a.json", "[]", 2), "b.json", "[ ]", 3));
	put("m/readme.txt", "of no matter");
	put("mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	ck_assert_uint_eq(hash_of_model(), first);
	put("m/b.json", "[] ");
	hash = hash_of_model();
	ck_assert_uint_ne(hash, first);
	put("m/b.json", "[]");
	put("m/a.json", "[ ]");
	ck_assert_uint_ne(hash_of_model(), first);
	ck_assert_uint_ne(hash_of_model(), hash);
}
END_TEST

static const char *dumped_tolerantly(void)
{
	const char *dir = top;

	return dumped_as((struct tree_options){
		.dirs = &dir, .nr_dirs = 1, .tolerant = true, .report = print_problem });
}

START_TEST(reading_goes_on_after_errors)
{
	put("mapfile.csv", MAP_HEAD "A-(,v1,m,core\nA-1,v1,m,core\nshort,row\nA-2,v2,none,core\n");
	put("m/a.json", "[{\"EventName\": \"e\", \"EventCode\": \"x\"},\n"
			"{\"EventName\": \"f\", \"Nonsense\": \"1\"},\n"
			"{\"EventName\": \"F\"},\n"
			"{\"EventName\": 1},\n"
			"{\"MetricName\": \"m\", \"MetricExpr\": \"1 +\"},\n"
			"{\"EventName\": \"g\"},\n"
			"{\"EventName\": \"h\" 5}, {\"EventName\": \"lost\"}]");
	put("m/b.json", "[{\"MetricName\": \"n\", \"MetricExpr\": \"1\","
			"\"MetricConstraint\": \"NEW\", \"AggregationMode\": \"NEW\"}]");
	put("m/metricgroups.json", "[]");
	ck_assert_str_eq(
		dumped_tolerantly(),
		"error: m/a.json:1: EventCode: 'x' is not a number\n"
		"note: m/a.json:2: unknown field 'Nonsense'\n"
		"error: m/a.json:4: EventName: expected a string\n"
		"error: m/a.json:5: MetricExpr syntax error: '1 +'\n"
		"                             \\___ expected a number, an event, a function or '('\n"
		"error: m/a.json:7: object value separator ',' expected\n"
		"warning: m/b.json:1: MetricConstraint: 'NEW' is not known\n"
		"warning: m/b.json:1: AggregationMode: 'NEW' is not known\n"
		"error: m/metricgroups.json:1: expected an object of groups\n"
		"error: mapfile.csv:2: pattern 'A-(': Unmatched ( or \\(\n"
		"error: mapfile.csv:4: expected four columns: pattern, version, folder, type\n"
		"note: mapfile.csv:5: no folder 'none'\n"
		"double: m/a.json:3: event 'f' of PMU default_core is already in m/a.json:2\n"
		"cpu\tA-1\n# model\tm\tv1\n"
		"event\tdefault_core\tf\ta\tevent=0\t\t0\t0\t\t\t\n"
		"event\tdefault_core\tg\ta\tevent=0\t\t0\t0\t\t\t\n"
		"metric\tdefault_core\tn\t\t1\t\t\t\t\t\t0\t1\t\t\n");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_later_folder_replaces_events,
		a_later_folder_replaces_metrics,
		a_later_folder_adds_groups_and_replaces_counters,
		rows_of_later_folders_come_first,
		standard_events_of_an_earlier_folder,
		an_event_twice_in_a_later_folder_is_an_error,
		one_model_of_many,
		a_model_by_its_own_folder,
		where_the_mapfile_is,
		the_model_of_perfs_own_tests,
		the_folder_of_a_cpu,
		the_hash_is_that_of_names_and_bytes,
		reading_goes_on_after_errors,
	};

	return run_tree_tests("json_dirs", tests, sizeof(tests) / sizeof(*tests));
}
