#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A line on the terminal shows the progress of long work, and is removed at the end.
. "$(dirname "$0")/lib.sh"

TERM=xterm
export TERM
raw=$tmp/raw
screen=$tmp/screen

# on_screen [--stdout FILE] COMMAND [ARG ...]: run a command on a terminal
on_screen()
{
	set -- --columns 100 "$@"
	options=
	while [ "${1#--}" != "$1" ]; do
		options="$options $1 $2"
		shift 2
	done
	# shellcheck disable=SC2086 # several words
	run python3 -B tests/cli/screen.py $options "$raw" "$screen" "$@"
	expect_status 0
}

# expect_told WORDS: a line with these words was on the screen, and has been removed
expect_told()
{
	expect_match "$raw" "tma: $1"
	expect_no_match "$screen" "tma: (warm-up )?(run|pass|step|reading) "
}

# expect_silence: no line about progress was on the screen
expect_silence()
{
	expect_no_match "$raw" 'tma: (run|pass|step|reading) '
	expect_no_match "$raw" "$(printf '\033')"
}

begin "which of several runs it is, and how long they take"
needs_counters
on_screen --stdout /dev/null "$TMA" stat -r 3 -e page-faults sleep 0.1
expect_told 'run 1 of 3'
expect_told 'run 3 of 3, about [0-9]+ s left'
expect_match "$screen" '\(3 runs\)'

begin "which pass it is"
on_screen --stdout /dev/null "$TMA" --machine skylakex stat --passes -M TopdownL2 sleep 0.1
expect_told 'pass 2 of [0-9]+, about [0-9]+ s left'

begin "a command that prints to the terminal has it for itself"
needs_counters
on_screen "$TMA" stat -r 3 -e page-faults sh -c 'printf "%090d\n" 0; printf end'
expect_told 'run 3 of 3'
zeros=$(printf '%090d' 0)
expect_equal "the first lines" "$(head -n 4 "$screen")" "$zeros
end$zeros
end$zeros
end"
esc=$(printf '\033')
expect_match "$raw" "tma: run 3 of 3[^$esc]*${esc}8$esc\\[K0000"
on_screen "$TMA" stat -r 3 -e page-faults sleep 0.1
expect_match "$raw" "tma: run 1 of 3[^$esc]*${esc}8$esc\\[K${esc}7"
expect_match "$raw" "tma: run 2 of 3[^$esc]*${esc}8${esc}7"
expect_match "$raw" "tma: run 3 of 3[^$esc]*${esc}8$esc\\[K"
expect_no_match "$screen" 'tma: run'

begin "what a command says on standard error stays whole"
needs_counters
on_screen --stdout /dev/null "$TMA" stat -r 2 -e page-faults sh -c 'echo words >&2; printf more >&2'
expect_match "$raw" 'tma: run 2 of 2'
expect_match "$screen" '^words( +tma: run 1 of 2)?$'
expect_match "$screen" '^more'

begin "why and compare"
on_screen "$TMA" compare -r 2 'sleep 0.1' 'sleep 0.2'
expect_told 'run 2 of 2: A [0-9.]+ m?s, B [0-9.]+ m?s, about [0-9]+ s left'
expect_match "$screen" '^  time '
on_screen "$TMA" --machine skylakex why --runs 3 -- sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'
expect_told 'step 1, run 1 of the command'
expect_match "$screen" '^  end '
on_screen "$TMA" --machine skylakex why -a --budget 4s
expect_told 'step 1'
expect_match "$screen" 'next: '

# A file whose reading takes long: a pipe whose rest comes a second after its beginning was read.
begin "how much of a recording is read"
run "$TMA" --machine skylakex stat record -o "$tmp/data" -a -e cycles -I 10 --interval-count 20
expect_status 0
cat >"$tmp/late.py" <<'END'
import fcntl, os, struct, sys, termios, time
with open(sys.argv[1], "rb") as file:
    os.write(1, file.read(3000))
    while struct.unpack("i", fcntl.ioctl(1, termios.FIONREAD, b"1234"))[0]:
        time.sleep(0.01)
    time.sleep(1)
    os.write(1, file.read())
END
cat >"$tmp/late" <<END
python3 "$tmp/late.py" "$tmp/data" | $TMA "\$@" -i -
END
on_screen --stdout "$tmp/rows" sh "$tmp/late" script
expect_told 'reading standard input, '
expect_equal "rows" "$(($(wc -l <"$tmp/rows") > 20))" 1
on_screen sh "$tmp/late" stat report -o "$tmp/rows" --format=csv-wide
expect_told 'reading standard input, '
expect_lines "$tmp/rows" 21
begin "rows on the terminal tell themselves"
on_screen sh "$tmp/late" stat report
expect_silence

begin "nothing in a file or pipe, on a terminal that takes nothing back, under the name of perf"
needs_counters
run "$TMA" stat -r 3 -e page-faults true
expect_no_match stderr 'tma: run'
expect_no_match stderr "$(printf '\033')"
on_screen --stdout /dev/null env TERM=dumb "$TMA" stat -r 3 -e page-faults true
expect_silence
on_screen --stdout /dev/null env -u TERM "$TMA" stat -r 3 -e page-faults true
expect_silence
on_screen --stdout /dev/null --columns 30 "$TMA" stat -r 3 -e page-faults true
expect_silence
on_screen --stdout /dev/null "$TMA" stat -r 3 --quiet -e page-faults true
expect_silence
ln -s "$TMA" "$tmp/perf"
on_screen --stdout /dev/null "$tmp/perf" stat -r 3 -e page-faults true
expect_silence
