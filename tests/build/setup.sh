#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# scripts/setup on other distributions than Debian 12 and 13: nothing is installed, and it says what to do by hand.
. "$(dirname "$0")/../cli/lib.sh"

sum=b1a2562be56e42afb3f8489d4c2a7ac472ac23098f1ef1c1e40da601f54625eb

# distribution ID [LIKE]: set up a copy without the kernel's files, on this distribution; apt must
# not be called
mkdir -p "$tmp/tree" "$tmp/bin"
cp -r scripts "$tmp/tree"
for tool in apt-get sudo; do
	printf '#!/bin/sh\necho "$0 $*" >>"%s"\nexit 1\n' "$tmp/called" >"$tmp/bin/$tool"
done
printf '#!/bin/sh\n[ "$1" != --exists ] || exit "${NO_LIBRARIES:-0}"\n' >"$tmp/bin/pkg-config"
for tool in gcc make python3 asciidoctor; do
	printf '#!/bin/sh\necho "$0 $*" >>"%s"\n' "$tmp/called" >"$tmp/bin/$tool"
done
chmod +x "$tmp"/bin/*

distribution()
{
	rm -f "$tmp/called"
	printf 'ID=%s\nID_LIKE="%s"\nVERSION_ID="1"\n' "$1" "${2-}" >"$tmp/os-release"
	run env -u KERNEL_SRC PATH="$tmp/bin:$PATH" OS_RELEASE="$tmp/os-release" ${3:+"$3"} "$tmp/tree/scripts/setup"
	expect_status 1
	[ ! -e "$tmp/called" ] || fail "it runs programs" "$tmp/called"
}

begin "where no package has the kernel source, its tarball and the sum are named"
for id in fedora ubuntu arch opensuse-tumbleweed alpine; do
	distribution $id
	expect_match stderr '^setup: This is not Debian 12 or 13, '
	expect_match stderr '^  curl -o third_party/linux-6\.12\.tar\.xz https://cdn\.kernel\.org/pub/linux/kernel/v6\.x/linux-6\.12\.tar\.xz$'
	expect_match stderr "^  echo \"$sum  third_party/linux-6\.12\.tar\.xz\" \| sha256sum -c\$"
	expect_match stderr '^  tar -xf third_party/linux-6\.12\.tar\.xz -C third_party linux-6\.12/tools '
	expect_match stderr '^  KERNEL_SRC=third_party/linux-6\.12 scripts/setup$'
	expect_no_match stderr 'not found here'
done

begin "what is missing is named as the distribution names it"
distribution fedora '' NO_LIBRARIES=1
expect_match stderr '^setup: Install json-c check \(not found here\):$'
expect_match stderr '^setup:   dnf install '
distribution linuxmint 'ubuntu debian' NO_LIBRARIES=1
expect_match stderr '^setup:   apt-get install '
distribution arch '' NO_LIBRARIES=1
expect_match stderr '^setup:   what these packages of Debian bring: '

begin "so it is where nothing says which distribution this is"
run env -u KERNEL_SRC PATH="$tmp/bin:$PATH" OS_RELEASE="$tmp/nothing" "$tmp/tree/scripts/setup"
expect_status 1
expect_match stderr "sha256sum -c\$"

begin "the commands check the sum and bring what the build reads"
distribution arch
sed -n 's/^  \(echo\|tar\) /\1 /p' "$stderr" >"$tmp/commands"
expect_lines "$tmp/commands" 2
mkdir -p "$tmp/made/linux-6.12/tools/lib/perf" "$tmp/made/linux-6.12/arch/x86" "$tmp/made/linux-6.12/include" "$tmp/made/linux-6.12/drivers"
touch "$tmp/made/linux-6.12/tools/lib/perf/core.c" "$tmp/made/linux-6.12/drivers/x"
tar -cJf "$tmp/tree/third_party/linux-6.12.tar.xz" -C "$tmp/made" linux-6.12
cd "$tmp/tree" || exit
run sh -c "$(sed -n 1p "$tmp/commands")"
[ "$status" != 0 ] || fail "another tarball has this sum"
expect_match stdout 'FAILED'
run sh -c "$(sed -n 2p "$tmp/commands")"
expect_status 0
cd "$OLDPWD" || exit
[ -e "$tmp/tree/third_party/linux-6.12/tools/lib/perf/core.c" ] || fail "tools is not unpacked"
[ ! -e "$tmp/tree/third_party/linux-6.12/drivers" ] || fail "all is unpacked"

begin "all that is taken from the kernel source is below the folders that are unpacked"
grep -v -e '^#' -e '^tools/' -e '^arch/x86/' -e '^include/' scripts/kernel-files >"$tmp/others"
expect_empty "$tmp/others"

begin "with the source tree it goes on, and installs nothing"
run env PATH="$tmp/bin:$PATH" OS_RELEASE="$tmp/os-release" KERNEL_SRC=third_party/linux-6.12 "$tmp/tree/scripts/setup"
expect_no_match stderr 'not Debian'
expect_match "$tmp/called" '/make -j'
expect_no_match "$tmp/called" 'apt-get|sudo'
