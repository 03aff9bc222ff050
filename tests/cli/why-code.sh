#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Where tma why finds no source, it shows the instructions around the hottest one: by libcapstone, else by objdump.
. "$(dirname "$0")/lib.sh"

cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
"$TMA" stat -e cpu-clock true >/dev/null 2>&1 || skip_all "no software events here"
has_libdw || skip_all "libdw is not installed"
case $(uname -m) in x86_64 | aarch64) ;; *) skip_all "code of this machine is not taken apart" ;; esac

# The hottest instruction is the division, or the instruction after it.
cat >"$tmp/work.c" <<'END'
volatile unsigned long by = 3, result;
__attribute__((noinline)) unsigned long divide(unsigned long value, unsigned times)
{
	while (times--)
		value = value / by + ~0ul / 2; /* divided */
	return value;
}
int main(void)
{
	result = divide(~0ul, 40000000);
	return 0;
}
END
$cc -O1 -g -o "$tmp/work" "$tmp/work.c" && cp "$tmp/work" "$tmp/bare" && strip "$tmp/bare" || skip_all "it does not compile"
"$TMA" why -v "$tmp/bare" >"$tmp/first" 2>/dev/null
grep -qE '^ +> +[0-9a-f]+ \| ' "$tmp/first" || command -v objdump >/dev/null || grep -q capstone "$BUILD/.optional-headers" ||
	skip_all "neither libcapstone nor objdump is here"

# expect_code: there are five instructions; the third is the hottest, and one is a division
expect_code()
{
	[ $test_state = ok ] || return 0
	grep -E '^ +(> +)?[0-9a-f]+ \| ' "$stdout" >"$tmp/code"
	[ "$(grep -c '' "$tmp/code")" = 5 ] || fail "it is not five instructions" "$stdout"
	sed -n 3p "$tmp/code" | grep -q '^ *> ' || fail "the third one is not marked" "$tmp/code"
	grep -qE '\| (u|i)?div ' "$tmp/code" || fail "no division" "$tmp/code"
}

# expect_in_step: objdump has an instruction at each address
expect_in_step()
{
	[ $test_state = ok ] || return 0
	objdump -d "$tmp/work" >"$tmp/objdump"
	sed 's/^[> ]*\([0-9a-f]*\) .*/\1/' "$tmp/code" | while read -r address; do
		grep -q "^ *$address:" "$tmp/objdump" || echo "$address"
	done >"$tmp/strange"
	expect_empty "$tmp/strange"
}

begin "the instructions of a stripped program are shown"
run "$TMA" why -v "$tmp/bare"
expect_status 0
expect_code

begin "instructions are in step with those that the assembler wrote"
needs_command objdump
run "$TMA" why -v "$tmp/bare"
expect_code
expect_in_step

begin "instructions stand for a source that not everybody may read, or is not there"
chmod 600 "$tmp/work.c"
run "$TMA" why -v "$tmp/work"
expect_match stdout 'work\.c:[0-9]+ in divide'
expect_code
chmod 644 "$tmp/work.c"
mv "$tmp/work.c" "$tmp/moved.c"
run "$TMA" why -v "$tmp/work"
expect_code
mv "$tmp/moved.c" "$tmp/work.c"
run "$TMA" why -v "$tmp/work"
expect_match stdout 'value / by'
expect_no_match stdout "^ +(> +)?[0-9a-f]+ \\| [a-z]+ (rsi|e?ax|e?dx)"

begin "JSON has the instructions, or none where there is a source"
run "$TMA" why -j "$tmp/bare"
expect_status 0
[ $test_state != ok ] || python3 - "$stdout" <<'END' 2>"$tmp/odd" || fail "it is something else" "$tmp/odd"
import json, sys
code = json.loads(open(sys.argv[1]).read().splitlines()[-1])["code"]
assert [i["hottest"] for i in code] == [False, False, True, False, False], code
assert sorted(i["address"] for i in code) == [i["address"] for i in code], code
assert any("div" in i["text"] for i in code), code
END
run "$TMA" why -j "$tmp/work"
expect_match stdout '"code":\[\]'

# without_capstone COMMAND ...: run the command so that the library cannot be loaded
without_capstone()
{
	needs_root
	unshare -m true 2>/dev/null || skip "there are no mount namespaces here"
	[ $test_state = ok ] || return 0
	PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n 's/.*libcapstone\.so.* => //p' >"$tmp/libraries"
	# shellcheck disable=SC2016 # it is the inner shell's
	run unshare -m sh -c 'while read -r library; do mount --bind /dev/null "$(readlink -f "$library")"; done <"$0"; exec "$@"' \
		"$tmp/libraries" "$@"
}

begin "without libcapstone, objdump takes the code apart"
needs_command objdump
without_capstone "$TMA" why -v "$tmp/bare"
expect_status 0
expect_code
expect_in_step

begin "without both, there are no instructions, and nobody is bothered"
without_capstone env PATH=/nowhere "$TMA" why -v "$tmp/bare"
expect_status 0
expect_match stdout '^  where '
expect_no_match stdout '^ +(> +)?[0-9a-f]+ \| '
expect_no_match stdout 'objdump|capstone'
expect_no_match stderr 'objdump|capstone'

begin "an objdump that says too much, or nothing, is not waited for, and ends" # R75
[ $test_state != ok ] || mkdir "$tmp/bin"
printf '#!/bin/sh\nwhile :; do echo heading; done\n' >"$tmp/bin/objdump"
chmod +x "$tmp/bin/objdump"
without_capstone env PATH="$tmp/bin:$PATH" timeout 100 "$TMA" why -v "$tmp/bare"
expect_status 0
expect_match stdout '^  where '
printf '#!/bin/sh\necho $$ >"%s"\nexec sleep 1000\n' "$tmp/pid" >"$tmp/bin/objdump"
without_capstone env PATH="$tmp/bin:$PATH" timeout 100 "$TMA" why --budget 2s "$tmp/bare"
expect_match stdout '^  where '
if [ $test_state = ok ]; then
	read -r pid <"$tmp/pid"
	waited=0
	while grep -q '^State:[[:blank:]]*[^ZX]' "/proc/$pid/status" 2>/dev/null && [ $waited -lt 100 ]; do
		waited=$((waited + 1))
		sleep 0.1
	done
	[ $waited -lt 100 ] || fail "objdump goes on"
fi

begin "libcapstone is loaded by a child where there is no source, and not before"
needs_command strace
strace -o /dev/null true 2>/dev/null || skip "nothing can be traced here"
grep -q capstone "$BUILD/.optional-headers" || skip "tma was built without libcapstone"
run strace -f -e trace=openat -o "$tmp/calls" "$TMA" why -j "$tmp/work"
expect_no_match "$tmp/calls" 'capstone'
run strace -f -e trace=openat -o "$tmp/calls" "$TMA" why -j "$tmp/bare"
expect_match "$tmp/calls" 'capstone'
[ $test_state != ok ] || [ "$(head -n 1 "$tmp/calls" | cut -d ' ' -f 1)" != \
	"$(grep -m 1 capstone "$tmp/calls" | cut -d ' ' -f 1)" ] || fail "tma itself has loaded libcapstone"
