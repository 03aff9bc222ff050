#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$(dirname "$0")/../cli/lib.sh"

# Under valgrind, $TMA is not the program that make has built.
program=$BUILD/tma

begin "a second make does nothing"
run make O="$BUILD"
expect_status 0
expect_stdout <<END
make: Nothing to be done for 'all'.
END

begin "make install leaves what runs"
run make O="$BUILD" DESTDIR="$tmp/root" prefix=/usr/local install
expect_status 0
run "$tmp/root/usr/local/bin/tma" --version
expect_status 0
expect_match stdout '^tma version [0-9]+\.[0-9]+'
run cmp "$program" "$tmp/root/usr/local/bin/tma"
expect_status 0

begin "and the simulator, its machines and the man pages"
run find "$tmp/root" -type f
for file in lib/tma/libtma-sim.so share/tma/machines/alderlake share/man/man1/tma.1 \
	share/man/man1/tma-stat.1 share/man/man1/tma-list.1; do
	expect_match stdout "/root/usr/local/$file"
done

begin "a machine is found where the library is in a folder of the architecture"
mkdir -p "$tmp/multi/lib/x86_64-linux-gnu/tma" "$tmp/multi/share/tma"
cp "$BUILD/libtma-sim.so" "$tmp/multi/lib/x86_64-linux-gnu/tma"
cp -r lib/sim/machines "$tmp/multi/share/tma"
run env LD_PRELOAD="$tmp/multi/lib/x86_64-linux-gnu/tma/libtma-sim.so" TMA_MACHINE=alderlake cat /dev/null
expect_status 0
expect_stderr </dev/null

begin "make uninstall takes away what install put there, and nothing else"
touch "$tmp/root/usr/local/share/man/man1/other.1" "$tmp/root/usr/local/share/tma/machines/mine"
run make O="$BUILD" DESTDIR="$tmp/root" prefix=/usr/local uninstall
expect_status 0
run find "$tmp/root" ! -type d
expect_lines stdout 2
expect_match stdout '/man1/other\.1$'
expect_match stdout '/machines/mine$'
run find "$tmp/root" -name 'tma*'
expect_stdout <<END
$tmp/root/usr/local/share/tma
END

begin "a library of the version before is followed by that of this one"
for version in 9.8.6 9.8.7; do
	run make O="$tmp/library" VERSION=$version DESTDIR="$tmp/root-$version" prefix=/usr install-topdown
	expect_status 0
	run readlink -e "$tmp/root-$version/usr/lib/libtma-topdown.so" "$tmp/library/libtma-topdown.so"
	expect_stdout <<END
$tmp/root-$version/usr/lib/libtma-topdown.so.$version
$tmp/library/libtma-topdown.so.$version
END
done

begin "the version names the commit, and perf's name has perf's"
if commit=$(git rev-parse --short HEAD 2>/dev/null); then
	run "$TMA" --version
	expect_match stdout "^tma version [0-9.]+ \(commit $commit\)\$"
else
	skip "the tree that is tested is no git tree"
fi

begin "the tarball is the same wherever it is made, and names its commit"
if [ -n "$commit" ]; then
	for copy in one two; do
		run make O="$tmp/$copy" dist
		expect_status 0
		sleep 1
	done
	run cmp "$tmp"/one/tma-*.tar.xz "$tmp"/two/tma-*.tar.xz
	expect_status 0
	mkdir "$tmp/dist" && tar -xf "$tmp"/one/tma-*.tar.xz -C "$tmp/dist"
	run "$tmp"/dist/tma-*/scripts/package/commit
	expect_stdout <<END
$commit
END
else
	skip "a tarball is made of a commit"
fi

begin "make help names every target and variable"
run make help
for word in all program demo check install uninstall dist deb rpm clean O= V=1 CC= CFLAGS= SANITIZE= prefix= libdir= DESTDIR= KERNEL_SRC= ARCHS= TABLES=; do
	expect_match stdout "$word"
done

# Built files are used again: everything but the tables is the same.
begin "nothing is removed from a directory that is no build's"
mkdir -p "$tmp/other/pmu-events/overlay/x86/mine" && touch "$tmp/other/pmu-events/overlay/x86/mine/file"
run make O="$tmp/other" help
expect_status 0
run make O="$tmp/other" clean
run make O="$tmp/other"
[ -f "$tmp/other/pmu-events/overlay/x86/mine/file" ] || fail "a file has gone"

begin "the overlay tables alone need no JSON of the kernel"
mkdir "$tmp/min" && (cd "$BUILD" && cp -a .flags .flags-cmd .commit .bpf-missing .optional-headers lib cmd pmu-events libperf.a libsubcmd.a "$tmp/min")
run make O="$tmp/min" TABLES=overlay "$tmp/min/tma"
expect_status 0
expect_no_match stdout ' (LINK|CC) +(lib|cmd)/'
run make -n -B O="$tmp/min" TABLES=overlay "$tmp/min/tma"
expect_match stdout "gen-tables --arch x86 pmu-events/overlay "
expect_no_match stdout 'tools/perf/pmu-events'
for cpu in GenuineIntel-6-AD-1 GenuineIntel-6-BD-1 AuthenticAMD-25-11-1 AuthenticAMD-26-2-0; do
	run env PERF_CPUID=$cpu "$tmp/min/tma" list --names metricgroup
	expect_status 0
	expect_match stdout '^TopdownL2$'
done
run env PERF_CPUID=GenuineIntel-6-8F-8 "$tmp/min/tma" list metric
expect_match stderr 'nothing for this CPU \(GenuineIntel-6-8F-8\)'

begin "and --topdown works with them"
ln -s "$PWD/lib/sim/machines" "$tmp/min/machines"
cp "$BUILD/libtma-sim.so" "$tmp/min"
run "$tmp/min/tma" --machine zen4 stat -a --topdown -I100 --interval-count 1
expect_status 0
expect_match stderr '%  smt_contention'

begin "a file of the overlay that changed is read again, and what has gone is left out"
run make O="$tmp/min" TABLES=overlay -W pmu-events/overlay/groups.py "$tmp/min/tma"
expect_match stdout 'GEN +pmu-events/overlay/x86/lunarlake/metrics.json'
expect_match stdout 'GEN +pmu-events/x86.c'
mkdir "$tmp/min/pmu-events/overlay/x86/gone"
echo '[]' >"$tmp/min/pmu-events/overlay/x86/gone/metrics.json"
run make O="$tmp/min" TABLES=overlay "$tmp/min/tma"
expect_status 0
[ ! -e "$tmp/min/pmu-events/overlay/x86/gone" ] || fail "the folder is still there"

begin "tables of which there are none are told"
run make O="$tmp/min" TABLES=mine
expect_status 2
expect_match stderr 'TABLES=mine: it is "all", "overlay" or "kernel"'

begin "a kernel tree that is none is told"
run make O="$tmp/build" KERNEL_SRC="$tmp"
expect_status 2
expect_match stderr "No kernel source in $tmp: run scripts/setup, or give KERNEL_SRC="

begin "so does the set-up"
run scripts/setup KERNEL_SRC="$tmp"
expect_status 1
expect_stderr <<END
setup: KERNEL_SRC=$tmp is no kernel source tree: it has no tools/lib/perf/core.c.
END

begin "the set-up explains itself"
run scripts/setup --help
expect_status 0
expect_match stdout '^usage: scripts/setup \[TARGET\]'
run scripts/setup --no-such
expect_status 2
expect_empty stdout

# A compiler that does not find the headers named in the file. Nothing is compiled: make only prints
# its commands.
begin "a header that appears is used, by the files that ask for it alone"
cat >"$tmp/cc" <<END
#!/bin/sh
case " \$* " in
*' -E -P '*) ${CC:-gcc} "\$@" | grep -v -f '$tmp/hidden' ;;
*) exec ${CC:-gcc} "\$@" ;;
esac
END
chmod +x "$tmp/cc"
objects="$tmp/some/lib/where/dwarf.o $tmp/some/lib/base/sb.o"
# shellcheck disable=SC2086 # two files
{
	echo elfutils >"$tmp/hidden"
	run make O="$tmp/some" CC="$tmp/cc" $objects
	expect_status 0
	run make O="$tmp/some" CC="$tmp/cc" $objects
	expect_match stdout 'up to date|Nothing to be done'
	echo nothing >"$tmp/hidden"
	run make O="$tmp/some" CC="$tmp/cc" $objects
	expect_match stdout '^  CC       lib/where/dwarf.o$'
	expect_no_match stdout '^  CC       lib/base/sb.o$'
}

begin "the program is built without Check, and unit tests are not"
mkdir "$tmp/bin"
printf '#!/bin/sh\ncase " $* " in *" check "*) exit 1 ;; esac\nexec %s "$@"\n' "$(command -v pkg-config)" >"$tmp/bin/pkg-config"
chmod +x "$tmp/bin/pkg-config"
run env PATH="$tmp/bin:$PATH" make -n O="$tmp/some" demo
expect_status 0
run env PATH="$tmp/bin:$PATH" make -n O="$tmp/some" tests
expect_status 2
expect_match stderr 'Check, which unit tests need, is not installed: run scripts/setup'

begin "the set-up names folders in place of files, and what the program lacks"
sed -n '/^name_rooms()/,/^}/p; /^say()/,/^}/p; /^lacking()/,/^}/p' scripts/setup >"$tmp/functions"
{
	for file in third/perf/cpumap.o lib/count/bpf/code.o lib/count/read.o cmd/tma.o pic/lib/sim/load.o; do
		echo "  CC       $file"
	done
	echo '  LINK     tma'
	echo 'warning: something else'
} >"$tmp/made"
run sh -eu -c '. "$1" && name_rooms <"$2"' sh "$tmp/functions" "$tmp/made"
expect_stdout <<END
warning: something else
setup: Building third_party lib/count cmd lib/sim
END
echo "there: libiberty/demangle.h capstone/capstone.h microhttpd.h yaml.h zlib.h crypt.h bpf/libbpf.h" >"$tmp/.optional-headers"
run sh -eu -c 'out=$2 && . "$1" && lacking' sh "$tmp/functions" "$tmp"
expect_match stdout '^names of functions and lines in tma why, tma fleet, (--pfm-events, )?$'
