#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma why on programs whose hot place is known: the place is the line, the function or the address,
# whatever kind of file the code is in.
. "$(dirname "$0")/lib.sh"

cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
"$TMA" stat -e cpu-clock true >/dev/null 2>&1 || skip_all "no software events here"
has_libdw || skip_all "libdw is not installed"

# compile FILE OPTION ...: make a program of work.c
compile()
{
	out=$tmp/$1
	shift
	run $cc -O1 -o "$out" "$@"
	[ "$status" = 0 ] || fail "it does not compile"
}

# expect_place CONDITION: it is true of the places of most samples outside the kernel, see place.py
expect_place()
{
	[ $test_state = ok ] || return 0
	python3 -B tests/cli/place.py "$stdout" "$tmp/work.c" "$1" 2>"$tmp/odd" || fail "the place is another one" "$tmp/odd"
}

cat >"$tmp/work.c" <<'END'
#define SIZE (1 << 20)
static unsigned next_of[SIZE];
volatile unsigned long result;

__attribute__((noinline)) unsigned long chase(unsigned times)
{
	unsigned at = 0;

	while (times--)
		at = next_of[at]; /* chased */
	return at;
}

__attribute__((noinline)) unsigned long branch(unsigned times)
{
	unsigned long random = 1, sum = 0;

	while (times--) {
		random = random * 6364136223846793005 + 1442695040888963407; /* drawn */
		if (random >> 63) /* branched */
			sum ^= times; /* taken */
		else
			__asm__ volatile("nop; nop" : "+r"(sum)); /* not taken */
	}
	return sum;
}

__attribute__((noinline)) unsigned long divide(unsigned long value, unsigned times)
{
	volatile unsigned long by = 3;

	while (times--)
		value = value / by + ~0ul / 2; /* divided */
	return value;
}

static inline __attribute__((always_inline)) unsigned long inside(unsigned long value, unsigned times)
{
	volatile unsigned long by = 3;

	while (times--)
		value = value / by + ~0ul / 2; /* inlined */
	return value;
}

__attribute__((noinline)) unsigned long outside(unsigned long value, unsigned times)
{
	return inside(value, times) + 1;
}

#ifndef NO_MAIN
int main(int argc, char **argv)
{
	unsigned at = 0;

	for (int i = 0; i < SIZE; i++) {
		unsigned next = (at + 514229) % SIZE;

		next_of[at] = next;
		at = next;
	}
	result = argv[argc - 1][0] == 'c' ? chase(10000000)
		: argv[argc - 1][0] == 'b' ? branch(40000000)
		: argv[argc - 1][0] == 'o' ? outside(~0ul, 20000000)
					   : divide(~0ul, 40000000);
	return 0;
}
#endif
END

begin "a chase of pointers ends in its line"
compile work -g "$tmp/work.c"
run "$TMA" why -j "$tmp/work" chase
expect_status 0
expect_place 'place.function == "chase" and place.line in
	line("/* chased") + line("while (times--)")[:1]'

begin "branches on random data end in their lines"
run "$TMA" why -j "$tmp/work" branch
expect_status 0
expect_place 'place.function == "branch" and place.line in line("/* drawn") + line("/* branched") +
	line("/* taken") + line("/* not taken") + line("while (times--) {")'

begin "a loop of divisions ends in its line"
run "$TMA" why -j "$tmp/work" divide
expect_status 0
expect_place 'place.function == "divide" and place.line in line("/* divided")'

begin "a function that was inlined is told with the one that it is in"
run "$TMA" why -j "$tmp/work" outside
expect_status 0
expect_place 'place.function == "inside" and place.inlined_into == "outside" and
	place.line in line("/* inlined")'

begin "people are told of the line, and the event that is not a share of time has its name"
run "$TMA" why -v "$tmp/work" divide
expect_status 0
tr -s '\n ' ' ' <"$stdout" >"$tmp/unfolded"
expect_match "$tmp/unfolded" "where +$tmp/work.c:[0-9]+ in divide\(\)[:, ] *[0-9]+ % of [0-9]+ samples"
expect_match stdout 'of (cycles|cpu-clock)$'
run "$TMA" why "$tmp/work" divide
expect_status 0
tr -s '\n ' ' ' <"$stdout" >"$tmp/unfolded"
expect_match "$tmp/unfolded" "where +$tmp/work.c:[0-9]+ in divide\(\)[:, ] *[0-9]+ % of the time "

begin "the source around the hottest line is shown, as far as everybody may read it"
run "$TMA" why "$tmp/work" divide
expect_status 0
expect_match stdout '^ +> +[0-9]+ \| .* value / by'
expect_between "lines of the source" "$(grep -cE '^ +>? +[0-9]+ \|' "$stdout")" 3 5
expect_no_match stdout '^ +>? +[0-9]+ \|[ {}]*$'
chmod 600 "$tmp/work.c"
run "$TMA" why "$tmp/work" divide
chmod 644 "$tmp/work.c"
expect_status 0
expect_match stdout 'work\.c:[0-9]+ in'
expect_no_match stdout 'value / by'

begin "how many threads ran at once, and the one that works while the others wait"
cat >"$tmp/threads.c" <<'END'
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sum;
static void *wait_for_gate(void *arg)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return arg;
}
static void *work(void *arg)
{
	if (arg)
		prctl(PR_SET_NAME, "the one");
	for (long i = 0; i < 300000000; i++)
		sum += i;
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[32];
	(void)argv;
	pthread_mutex_lock(&gate);
	for (int i = 0; i < 32; i++)
		pthread_create(&threads[i], NULL, i ? (argc > 1 ? work : wait_for_gate) : work,
			       argc > 1 ? NULL : &threads);
	pthread_join(threads[0], NULL);
	pthread_mutex_unlock(&gate);
	for (int i = 1; i < 32; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
compile threads -pthread "$tmp/threads.c"
run "$TMA" why "$tmp/threads"
expect_status 0
tr -s '\n ' ' ' <"$stdout" >"$tmp/unfolded"
expect_match "$tmp/unfolded" ' ran .* on CPU .* 33 threads, [01]\.[0-9] at once; one alone for [0-9]+ % of the time: the one has (9[0-9]|100) % of the CPU time, and the others wait '
run "$TMA" why -j "$tmp/threads"
expect_status 0
python3 - "$stdout" <<'END' || fail "these are not its threads" "$stdout"
import json, sys
answer = json.loads(open(sys.argv[1]).read().splitlines()[-1])
threads, = answer["threads"]
assert threads["threads"] == 33 and threads["processes"] == 1, threads
assert threads["busiest_name"] == "the one" and threads["busiest"] > 90 and threads["one_alone"] > 20, threads
assert not answer["ran"]["waited"] and answer["ran"]["seconds"] > 0.05, answer["ran"]
END

begin "processes that take turns are told as such"
run "$TMA" why sh -c 'for i in 1 2 3; do sh -c "i=0; while [ \$i -lt 100000 ]; do i=\$((i+1)); done"; done'
expect_status 0
tr -s '\n ' ' ' <"$stdout" >"$tmp/unfolded"
expect_match "$tmp/unfolded" ' 4 processes, [01]\.[0-9] at once; one alone for [0-9]+ % of the time'
expect_no_match "$tmp/unfolded" 'the others wait'

begin "a program that waits for a pipe is told so, and nothing is advised"
run sh -c "sleep 0.6 | $TMA why cat"
expect_status 0
tr -s '\n ' ' ' <"$stdout" >"$tmp/unfolded"
expect_match "$tmp/unfolded" '^ ran [0-9.]+ s, [0-9] % on CPU \(user 0\.0[0-9], system 0\.0[0-9]\): it waited, and counters do not see for what $'

begin "children that nobody waits for count as time on CPUs"
run "$TMA" why sh -c 'while :; do :; done & sleep 0.6; kill $!'
expect_status 0
expect_match stdout '^  ran         [0-9.]+ s, ([2-9][0-9]|100) % on CPU '
expect_no_match stdout 'counters do not see'

begin "a command beside a process says how long it takes"
sleep 100 &
sleeper=$!
run timeout 50 "$TMA" why -p $sleeper sleep 0.2
kill $sleeper
[ "$status" != 124 ] || fail "it went on after the command"
expect_match stdout '^  where '

begin "a command beside CPUs is not judged by what it waits for, and idle CPUs are left out"
needs_system_wide
run "$TMA" why -a -v sleep 0.3
expect_status 0
expect_no_match stdout 'counters do not see|_halt\(\)'
expect_match stdout '^  where '

begin "a pipe that only the first run reads is told"
needs_counters
run sh -c "printf '3\n' | $TMA --machine skylakex why --no-sample sh -c 'cat; exec $TMA test -w adds 0.1'"
expect_match stderr "^tma: the command's standard input is a pipe, which only its first run reads: "

begin "what is lost and where is in colour on demand, and on no file and no pipe"
bold=$(printf '\033\\[1m') plain=$(printf '\033\\[m')
run env COLUMNS=120 "$TMA" why --color always "$tmp/work" divide
expect_status 0
expect_match stdout "^  where +$bold.*work\\.c:[0-9]+ in"
expect_match stdout "^ +$bold> +[0-9]+ \\| .*$plain\$"
run "$TMA" why --color=always -o "$tmp/answer" "$tmp/work" divide
expect_match "$tmp/answer" "$bold.*work\\.c"
run "$TMA" why -o "$tmp/answer" "$tmp/work" divide
expect_no_match "$tmp/answer" "$bold"
run "$TMA" --machine skylakex why --color=always --no-sample "$tmp/work" divide
expect_match stdout "^  $(printf '\033\\[1;31m')[0-9.]+ % of slots[^a-z]*$plain  ${bold}[a-z ]+ \\(tma_[a-z_]+\\)$plain\$"
run "$TMA" why --color sometimes true
expect_status 129
expect_match stderr "^tma: --color: unknown value 'sometimes'; use auto, always or never"

for kind in no-pie pie static; do
	begin "the line is found in a program built with -$kind"
	options=-$kind
	[ $kind != pie ] || options="-fPIE -pie"
	[ $kind != no-pie ] || options="-fno-pie -no-pie"
	# shellcheck disable=SC2086 # options are words
	$cc -O1 -g $options -o "$tmp/$kind" "$tmp/work.c" 2>/dev/null || skip "no -$kind here"
	run "$TMA" why -j "$tmp/$kind" divide
	expect_status 0
	expect_place 'place.function == "divide" and place.line in line("/* divided") + line("while (times--)")'
done

begin "without debug information it is the function, and what is missing is told"
compile plain "$tmp/work.c"
run "$TMA" why -j "$tmp/plain" divide
expect_status 0
expect_place 'place.function == "divide" and not place.line and "compile with -g" in notes'

begin "of a stripped program it is the address"
compile bare -s "$tmp/work.c"
run "$TMA" why -j "$tmp/bare" divide
expect_status 0
expect_place 'not place.function and place.offset and place.object.endswith("/bare") and
	"compile with -g" in notes'

begin "the code of a shared library is found in it"
compile libwork.so -g -shared -fPIC -DNO_MAIN "$tmp/work.c"
echo 'unsigned long divide(unsigned long, unsigned); int main(void) { divide(~0ul, 40000000); return 0; }' \
	>"$tmp/user.c"
compile user "$tmp/user.c" "$tmp/libwork.so" "-Wl,-rpath,$tmp"
run "$TMA" why -j "$tmp/user"
expect_status 0
expect_place 'place.function == "divide" and place.object.endswith("/libwork.so") and
	place.line in line("/* divided")'

begin "code that was made as the program ran is told"
cat >"$tmp/made.c" <<'END'
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
int main(void)
{
#if defined(__x86_64__)
	/* mov ecx, 0x30000000; dec ecx; jnz -4; ret */
	static const unsigned char code[] = {0xb9, 0, 0, 0, 0x30, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
#else
	/* mov w0, #0x30000000; subs w0, w0, #1; b.ne -4; ret */
	static const uint32_t code[] = {0x52a60000, 0x71000400, 0x54ffffe1, 0xd65f03c0};
#endif
	void *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(page, code, sizeof(code));
	mprotect(page, 4096, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(page, (char *)page + sizeof(code));
	((void (*)(void))page)();
	return 0;
}
END
case $(uname -m) in x86_64 | aarch64) ;; *) skip "no code for this machine" ;; esac
compile made "$tmp/made.c"
run "$TMA" why -j "$tmp/made"
expect_status 0
expect_place 'place.object == "[anonymous memory]" and place.offset and "just-in-time" in notes'

begin "the line is found in a program of 32 bits"
cat >"$tmp/narrow.c" <<'END'
static volatile unsigned sum;
__attribute__((noinline)) static void spin(unsigned times)
{
	while (times--)
		sum += times ^ sum; /* narrow */
}
void _start(void)
{
	spin(300000000);
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
END
cp "$tmp/work.c" "$tmp/wide.c"
cp "$tmp/narrow.c" "$tmp/work.c"
$cc -m32 -O1 -g -fno-pic -static -nostdlib -fno-stack-protector -o "$tmp/narrow" "$tmp/work.c" 2>/dev/null &&
	"$tmp/narrow" || skip "no programs of 32 bits here"
run "$TMA" why -j "$tmp/narrow"
expect_status 0
expect_place 'place.function == "spin" and place.line in line("/* narrow") + line("while (times--)")'
cp "$tmp/wide.c" "$tmp/work.c"

begin "an ordinary user is told the same place, on a simulated machine too, and what all CPUs take"
needs_root
needs_command setpriv
make_public "$TMA" "$BUILD/libtma-sim.so" "$tmp/work"
cp -r lib/sim/machines "$tmp/public"
chmod -R a+rX "$tmp/public"
for machine in "" "--machine sapphirerapids"; do
	# shellcheck disable=SC2086 # an option and its value
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/public/tma" $machine why -j "$tmp/public/work" divide
	expect_status 0
	expect_place 'place.function == "divide" and "the kernel is not sampled" in notes'
done

begin "a program that was deleted is told"
compile going -g "$tmp/work.c"
cp "$tmp/going" "$tmp/gone"
run "$TMA" why -j sh -c "$tmp/gone divide & until grep -q gone /proc/\$!/comm; do sleep 0.02; done; rm $tmp/gone; wait"
expect_status 0
expect_place 'place.object.endswith("/gone") and place.offset and "have changed since they were run" in notes and
	"compile with -g" not in notes'

# begin_spin COMMAND ...: start a program that computes until end_spin, as $spin
begin_spin()
{
	[ $test_state = ok ] || return 0
	"$@" &
	spin=$!
}

end_spin()
{
	[ -z "${spin-}" ] || kill "$spin" 2>/dev/null
	spin=
}

busiest='^  busiest     .*\(pid [0-9]+\): [0-9]+ % of CPU time, [0-9.]+ CPUs; all: tma top$'

# expect_busiest: the answer has the busiest process, which may be another one than that of begin_spin
expect_busiest()
{
	expect_match stdout "$busiest"
	expect_match stdout '^  of it:      tma why -p [0-9]+$'
}

begin "a cgroup that may not be sampled is not taken for a process"
needs_root
needs_command setpriv
needs_command strace
make_public "$TMA"
run setpriv --reuid=65534 --regid=65534 --clear-groups strace -f -e trace=perf_event_open "$tmp/public/tma" why -G / --budget 1s
expect_no_match stderr '^perf_event_open.*, [0-9]+, [0-9]+, -1, PERF_FLAG_FD_CLOEXEC\)'

begin "the busiest process is named for the whole machine, with rights and without"
needs_root
needs_command setpriv
begin_spin sh -c 'while :; do :; done'
make_public "$TMA"
run env COLUMNS=200 "$TMA" why --budget 600ms
expect_status 0
expect_busiest
run "$TMA" why -j --budget 600ms
expect_match stdout '"busiest":\{"pid":[1-9]'
run env COLUMNS=200 setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/public/tma" why -a --budget 1s
expect_status 125
expect_match stderr 'the whole machine needs root, CAP_PERFMON or kernel.perf_event_paranoid=0'
expect_match stdout "$busiest"
# The busiest process belongs to another user, unless another test began one.
! grep -q "(pid ${spin-})" "$stdout" || expect_no_match stdout 'tma why -p'
run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/public/tma" why -p "${spin-}"
expect_status 125
expect_match stderr 'a process of another user needs root or CAP_PERFMON'
end_spin

begin "what cannot be run and a CPU that does not exist have the status and message of tma stat"
run "$TMA" why .
expect_status 126
run "$TMA" why "$tmp/"
expect_status 126
run "$TMA" why -C 0,9999
expect_status 125
expect_match stderr '^tma: -C: this machine has no CPU 9999; online: '

sed 's/int main/int unused/' "$tmp/work.c" >"$tmp/endless.c"
cat >>"$tmp/endless.c" <<'END'
int main(void)
{
	for (;;)
		divide(~0ul, 1000000);
}
END

begin "a process and a thread have the same place if a command sets the time"
compile endless -g "$tmp/endless.c"
begin_spin "$tmp/endless"
until_found '^endless$' "/proc/${spin-self}/comm"
for task in -p -t; do
	run "$TMA" why -j $task "${spin-}" sleep 0.3
	expect_status 0
	expect_place 'place.function == "divide" and place.line in line("/* divided")'
done
end_spin

begin "a program that was deleted and runs is read as long as it does"
compile endless -g "$tmp/endless.c"
begin_spin "$tmp/endless"
until_found '^endless$' "/proc/${spin-self}/comm"
rm -f "$tmp/endless"
run "$TMA" why -j --budget 2s -p "${spin-}"
end_spin
expect_status 0
expect_place 'place.function == "divide" and place.line in line("/* divided")'

begin "a process that sees other files is read through its own"
needs_root
unshare -m true 2>/dev/null || skip "there are no mount namespaces here"
[ $test_state != ok ] || mkdir "$tmp/inside"
compile endless -g "$tmp/endless.c"
cat >"$tmp/enter" <<END
mount -t tmpfs none $tmp/inside && cp $tmp/endless $tmp/inside/hidden && exec $tmp/inside/hidden
END
begin_spin unshare -m sh "$tmp/enter"
until_found '^hidden$' "/proc/${spin-self}/comm"
run "$TMA" why -j --budget 2s -p "${spin-}"
end_spin
expect_status 0
expect_place 'place.function == "divide" and place.line in line("/* divided") and
	place.object.endswith("/inside/hidden")'

begin "an ordinary user is told what the kernel does not show"
needs_root
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ] || skip "the kernel shows itself to all users"
needs_command setpriv
[ $test_state != ok ] || make_public "$TMA" "$tmp/work"
run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/public/${TMA##*/}" why -j "$tmp/public/work" divide
case $(cat /proc/sys/kernel/perf_event_paranoid) in [3-9]) skip "the kernel lets no user count" ;; esac
expect_status 0
expect_place 'place.function == "divide" and "perf_event_paranoid" in notes'

begin "libdw is loaded by a child when there are samples, and not before"
needs_command strace
run strace -f -e trace=openat,fork,vfork,clone,clone3 -o "$tmp/calls" "$TMA" stat -e cpu-clock "$tmp/work" outside
strace -o /dev/null true 2>/dev/null || skip "nothing can be traced here"
expect_status 0
expect_no_match "$tmp/calls" 'libdw'
run strace -f -e trace=openat -o "$tmp/calls" "$TMA" why --no-sample true
expect_no_match "$tmp/calls" 'libdw'
run strace -f -e trace=openat -o "$tmp/calls" "$TMA" why -j "$tmp/work" outside
expect_status 0
expect_match "$tmp/calls" 'libdw'
[ $test_state != ok ] || [ "$(head -n 1 "$tmp/calls" | cut -d ' ' -f 1)" != \
	"$(grep -m 1 libdw "$tmp/calls" | cut -d ' ' -f 1)" ] || fail "tma itself has loaded libdw"

begin "a pipe in the place of debug information is not waited for"
needs_command objcopy
compile linked -g "$tmp/work.c"
[ $test_state != ok ] || {
	objcopy --only-keep-debug "$tmp/linked" "$tmp/linked.info" && strip "$tmp/linked" &&
		(cd "$tmp" && objcopy --add-gnu-debuglink=linked.info linked)
} || fail "debug information cannot be taken apart"
run "$TMA" why -j "$tmp/linked" divide
expect_place 'place.function == "divide" and place.line in line("/* divided")'
for name in linked.info .debug/linked.info linked.debug; do
	[ $test_state = ok ] || continue
	rm -f "$tmp/linked.info"
	mkdir -p "$tmp/.debug"
	mkfifo "$tmp/$name"
	run timeout 60 "$TMA" why -j "$tmp/linked" divide
	rm "$tmp/$name"
	expect_status 0
	expect_place 'not place.function and place.object.endswith("/linked") and "could not be read" not in notes'
done
