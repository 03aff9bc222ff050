#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma why: the way down a tree to the leaf that a machine is made to have, and the place in a program.
. "$(dirname "$0")/../cli/lib.sh"

export TMA_SIM_STEP=10
machines=lib/sim/machines

# Skylake, of whose cycles most wait for memory behind the last cache.
mkdir "$tmp/machines"
cp "$machines"/*.part "$tmp/machines"
sed 's/^let retiring .*/let retiring 0.20/; s/^let bad_spec .*/let bad_spec 0.04/
	s/^let fe_bound .*/let fe_bound 0.08/; s/^let mem_share .*/let mem_share 0.85/
	s/^\(rate event=0xa3,umask=0x06,cmask=6\) .*/\1 0.62*mem_cycles/' \
	"$machines/skylakex" >"$tmp/machines/dram"

begin "the way leads to a leaf of level 5"
run "$TMA" --machine "$tmp/machines/dram" why -a
expect_status 0
expect_match stdout '^   68\.[0-9] % .*  tma_backend_bound$'
expect_match stdout ' 1[0-9]\.[0-9] % .*  tma_local_mem$'
expect_match stdout '^  ruled out .*tma_l3_bound'
expect_match stdout '^  measured    [34] windows, '

begin "the answer for a program is one object"
run "$TMA" --machine "$tmp/machines/dram" why -a -j
expect_status 0
python3 - "$stdout" <<'END' || fail "this is not the answer" "$stdout"
import json, sys
sys.path.insert(0, "tests/formats")
import check
lines = open(sys.argv[1]).read().splitlines()
answer = json.loads(lines[0])
with open("Documentation/tma-why.schema.json") as file:
    schema = json.load(file)
check.DEFINITIONS.update({f"#/$defs/{name}": part for name, part in schema["$defs"].items()})
check.check_schema(answer, schema, "")
way = answer["answers"][0]
assert len(lines) == 1 and answer["type"] == "why", lines
assert way["outcome"] == "leaf" and way["bottleneck"] == "tma_local_mem", way
assert [n["level"] for n in way["path"]] == [1, 2, 3, 4, 5], way
assert all(n["value"] > 0 and n["error"] >= 0 for n in way["path"]), way
assert answer["steps"][0]["groups"] == "" and len(answer["steps"]) in (3, 4), answer
END

begin "each core type has its answer"
run "$TMA" --machine alderlake why -a
expect_status 0
expect_match stdout '^cpu_core:$'
expect_match stdout '^cpu_atom:$'

begin "a tree without thresholds leads to its largest part"
run "$TMA" --machine zen4 why -a
expect_status 0
expect_match stdout ' backend_bound_memory$'

begin "a budget ends it with what is known"
run "$TMA" --machine "$tmp/machines/dram" why -a --budget 1s --no-sample
expect_status 0
expect_match stdout 'tma_memory_bound$'
expect_match stdout '; its budget of time is spent$'
expect_no_match stdout 'tma_local_mem'

begin "a budget that is none"
run "$TMA" why --budget 3x true
expect_status 125
expect_match stderr '^tma: --budget 3x: it is a time of at least 10ms'

begin "the first run of a command has its streams, the later ones the same input"
run sh -c "printf 'one\n' >$tmp/in; $TMA --machine $tmp/machines/dram why sh -c \
	'read line; echo \"\$line\" >>$tmp/seen; echo out' <$tmp/in"
expect_status 0
expect_equal "what it read" "$(sort -u "$tmp/seen")" one
expect_equal "times that it printed" "$(grep -c '^out$' "$stdout")" 1

begin "a command's own status is passed on"
run "$TMA" --machine skylakex why sh -c 'exit 3'
expect_status 3

begin "a command that is not there"
run "$TMA" --machine skylakex why ./nosuch
expect_status 127

begin "the place in a program, on this machine"
"$BUILD/tma" stat -e cpu-clock true 2>/dev/null >&2 || skip "no software events here"
command -v "${CC:-cc}" >/dev/null || skip "no compiler"
cat >"$tmp/spin.c" <<'END'
#include <time.h>
static volatile long sum;
__attribute__((noinline)) static void spin(long times)
{
	while (times--)
		sum += times ^ sum;
}
int main(void)
{
	spin(400000000);
	return 0;
}
END
[ $test_state != ok ] || "${CC:-cc}" -O1 -g -o "$tmp/spin" "$tmp/spin.c" || fail "it does not compile"
run env -u TMA_SIM_STEP "$TMA" why -j "$tmp/spin"
expect_status 0
! grep -q 'libdw.so.1 is not installed' "$stdout" || skip "libdw is not installed"
python3 - "$stdout" <<'END' || fail "the place is another one" "$stdout"
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["sampled"][-1]["samples"] > 20, answer["sampled"]
places = [p for p in answer["where"] if p["function"] == "spin" and p["line"] in (5, 6)]
assert sum(p["percent"][-1] for p in places) > 80, answer["where"][:3]
END
