#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Where the machine's files cannot all be written, the program ends and leaves no files.
. "$(dirname "$0")/../cli/lib.sh"

export TMA_SIM_STEP=20
small=$tmp/small
mkdir "$small"
what="--machine sapphirerapids stat -a --per-socket -e cycles --timeout 20 --format=csv-wide"

# on_disk OPTIONS COMMAND ...: run the command with TMPDIR on a file system of the size in OPTIONS
on_disk()
{
	options=$1
	shift
	run unshare -m sh -c '
		mount -t tmpfs -o "$1" tmpfs "$2" || exit 99
		export TMPDIR="$2"
		shift 2
		"$@"
		status=$?
		ls "$TMPDIR" >&2
		exit $status' sh "$options" "$small" "$@"
}

begin "every command that reads the machine reports a full disk" # R68
needs_root
needs_command unshare util-linux
on_disk size=4m "$TMA" $what
if [ $status = 99 ] || [ $status = 1 ]; then
	skip "no file system can be mounted here"
else
	expect_status 0
	cp "$stdout" "$tmp/good"
	for size in 8k 40k 128k; do
		for command in "$what" "--machine sapphirerapids list metric" \
			"--machine sapphirerapids plan -a --topdown -j" "--machine sapphirerapids top -b -n 1" \
			"--machine sapphirerapids why -a -- true"; do
			on_disk size=$size "$TMA" $command
			expect_status 125
			expect_match stderr "^tma-sim: cannot write $small: No space left on device$"
			expect_no_match stderr 'tma-sim\.'
			expect_empty stdout
		done
	done
fi

begin "nor does one with few inodes have other numbers" # R68
for inodes in 2 4 8 16 32 64 128 256; do
	on_disk nr_inodes=$inodes "$TMA" $what
	if [ $status = 0 ]; then
		expect_file "$stdout" <"$tmp/good"
	elif [ $status != 1 ] && [ $status != 99 ]; then
		expect_status 125
		expect_match stderr 'No space left on device$'
	fi
	expect_no_match stderr 'tma-sim\.'
done

begin "without descriptors, nothing is left" # R68
mkdir "$tmp/few"
for limit in 4 5 6 7 8 9 12; do
	run env TMPDIR="$tmp/few" sh -c "ulimit -n $limit; exec \"\$@\"" sh "$TMA" $what
	expect_status 125
	expect_equal "folders after ulimit -n $limit" "$(ls "$tmp/few" | wc -l)" 0
done

begin "what is there without an owner is removed by the next run" # R68
mkdir -p "$tmp/few/tma-sim.empty" "$tmp/few/tma-sim.unlocked/sys/devices" "$tmp/few/tma-sim.locked/sys"
echo 1 >"$tmp/few/tma-sim.unlocked/sys/devices/type"
: >"$tmp/few/tma-sim.locked/lock"
flock "$tmp/few/tma-sim.locked/lock" env TMPDIR="$tmp/few" "$TMA" $what >"$stdout" 2>"$stderr"
expect_equal "what is left" "$(ls "$tmp/few")" tma-sim.locked
run env TMPDIR="$tmp/few" "$TMA" $what
expect_equal "what is left" "$(ls "$tmp/few")" ""

begin "machines that begin at once keep their files" # R68
for i in 1 2 3 4 5 6 7 8; do
	(
		for j in 1 2 3 4 5; do
			TMPDIR="$tmp/few" "$TMA" $what >"$tmp/same.$i.$j" 2>&1 || echo "status $?" >>"$tmp/same.$i.$j"
		done
	) &
done
wait
run env TMPDIR="$tmp/few" "$TMA" $what
cat "$stderr" "$stdout" | sort >"$tmp/wanted"
for file in "$tmp"/same.*; do
	sort "$file" | cmp -s - "$tmp/wanted" || fail "a run differs" "$file"
done
expect_equal "folders" "$(ls "$tmp/few" | wc -l)" 0
