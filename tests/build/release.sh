#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The way of a tag to a release, and the tests on a computer of GitHub that has counters.
. "$(dirname "$0")/../cli/lib.sh"

version=$(sed -n 's/^VERSION := //p' Makefile)

begin "this tree may become the release that its Makefile names"
run scripts/release-check "v$version"
expect_status 0
expect_match stdout "^v$version: version $version of 2[0-9]{3}-[0-9]{2}-[0-9]{2}\$"

begin "notes are the changelog's section alone"
run scripts/release-check --notes "v$version"
expect_status 0
expect_match stdout '^### Added$'
expect_match stdout '^- '
expect_no_match stdout '^## |^\[|^First version'
expect_equal "first line" "$(head -n 1 "$stdout")" '### Added'

# tree: copy the files that are checked, so that tests can change them
tree()
{
	rm -rf "$tmp/tree"
	mkdir -p "$tmp/tree/scripts/package/deb/debian" "$tmp/tree/scripts/package/rpm" "$tmp/tree/scripts/container"
	for file in Makefile CHANGELOG.md scripts/package/deb/debian/changelog scripts/package/rpm/tma.spec scripts/container/daemonset.yaml; do
		cp "$file" "$tmp/tree/$file"
	done
}

# refuses TEXT TAG: the copy may not become the release of this tag, and TEXT is the reason
refuses()
{
	run env RELEASE_TREE="$tmp/tree" scripts/release-check "$2"
	expect_status 1
	expect_empty stdout
	expect_match stderr "^release-check: $1"
}

begin "a tag of another version or form is refused"
tree
run env RELEASE_TREE="$tmp/tree" scripts/release-check "v$version"
expect_status 0
refuses "the tag is v9\.8\.7, and the Makefile's version is $version: tag v$version, or change VERSION$" v9.8.7
refuses "the tag '$version' does not begin with v: " "$version"
refuses "the tag is v${version}-rc1, and the Makefile's version is $version" "v$version-rc1"
run scripts/release-check
expect_status 2
expect_match stderr '^usage: scripts/release-check'

begin "a changelog without the section, its date or its text is refused"
tree
sed -i "s/^\(## \[$version\]\).*/\1/" "$tmp/tree/CHANGELOG.md"
refuses "CHANGELOG\.md has no date in the heading of \[$version\]: write '## \[$version\] - YYYY-MM-DD'\$" "v$version"
sed -i "s/^## \[$version\].*/& - 2026-02-30/" "$tmp/tree/CHANGELOG.md"
refuses "CHANGELOG\.md: \[$version\] has the date 2026-02-30, which is not a day$" "v$version"
sed -i "s/^## \[$version\].*/## [$version] - 2026-02-28\n\n## [0.0.1]/" "$tmp/tree/CHANGELOG.md"
refuses "CHANGELOG\.md: the section \[$version\] is empty$" "v$version"
sed -i "/^## \[$version\].*/d" "$tmp/tree/CHANGELOG.md"
refuses "CHANGELOG\.md has no section \[$version\]: " "v$version"

begin "packages of another version are refused"
tree
sed -i "1s/$version/0.0.9/" "$tmp/tree/scripts/package/deb/debian/changelog"
refuses 'scripts/package/deb/debian/changelog begins with another version' "v$version"
tree
sed -i 's/^\(Version: *\).*/\10.0.9/' "$tmp/tree/scripts/package/rpm/tma.spec"
refuses 'scripts/package/rpm/tma\.spec has another Version' "v$version"
tree
sed -i "s/ - $version-1/ - 0.0.9-1/" "$tmp/tree/scripts/package/rpm/tma.spec"
refuses 'scripts/package/rpm/tma\.spec has no entry for ' "v$version"
tree
sed -i 's/image: tma:.*/image: tma:0.0.9/' "$tmp/tree/scripts/container/daemonset.yaml"
refuses 'scripts/container/daemonset\.yaml names another image' "v$version"

begin "a tag that is elsewhere is refused"
tree
git_in_tree()
{
	git -C "$tmp/tree" -c user.name=t -c user.email=t@localhost.invalid "$@"
}
command -v git >/dev/null || skip "needs git"
git_in_tree init -q
git_in_tree commit -q --allow-empty -m one
git_in_tree tag "v$version"
git_in_tree commit -q --allow-empty -m two
refuses "the tag v$version is at another commit than the one that is checked out$" "v$version"

begin "packages, tarball, sums and notes go to gh"
mkdir -p "$tmp/bin" "$tmp/packages/amd64/deb" "$tmp/packages/arm64/deb"
cat >"$tmp/bin/gh" <<'END'
#!/bin/sh
printf '%s\n' "$*" >"$GH_LOG"
for word; do
	case $word in
	*/SHA256SUMS) cp "$word" "$GH_LOG.sums" && cd "${word%/*}" && sha256sum -c --quiet SHA256SUMS || exit ;;
	*/notes) cp "$word" "$GH_LOG.notes" ;;
	esac
done
END
chmod +x "$tmp/bin/gh"
for arch in amd64 arm64; do
	echo "$arch" >"$tmp/packages/$arch/deb/tma_${version}_$arch.deb"
	echo tarball >"$tmp/packages/$arch/tma-$version.tar.xz"
done
echo other >"$tmp/packages/amd64/deb/tma_${version}_amd64.changes"
echo source >"$tmp/packages/amd64/deb/tma_$version.tar.xz"
run env PATH="$tmp/bin:$PATH" GH_LOG="$tmp/gh" scripts/release-publish "v$version" "$tmp/packages"
expect_status 0
expect_match "$tmp/gh" "^release create v$version --verify-tag --title tma $version --notes-file .*/SHA256SUMS .*/tma-$version\.tar\.xz .*_amd64\.deb .*_arm64\.deb\$"
expect_no_match "$tmp/gh" 'changes'
expect_equal "sums" "$(wc -l <"$tmp/gh.sums")" 3
expect_equal "first line of the notes" "$(head -n 1 "$tmp/gh.notes")" '### Added'

begin "two tarballs that differ, and a missing package, are refused"
echo another >"$tmp/packages/arm64/tma-$version.tar.xz"
run env PATH="$tmp/bin:$PATH" GH_LOG="$tmp/gh" scripts/release-publish "v$version" "$tmp/packages"
expect_status 1
expect_match stderr 'differs from another file of that name below '
rm "$tmp"/packages/*/deb/*.deb
echo tarball >"$tmp/packages/arm64/tma-$version.tar.xz"
run env PATH="$tmp/bin:$PATH" GH_LOG="$tmp/gh" scripts/release-publish "v$version" "$tmp/packages"
expect_status 1
expect_match stderr "there is no tma_${version}_\*\.deb below "

begin "counters are tried where there are some, and a machine without is no failure"
run env -u GITHUB_STEP_SUMMARY TMA_MACHINE=kernels scripts/try-counters "$BUILD" "$tmp/counters"
expect_status 0
expect_match stdout '^report\.md: status 0$'
expect_match stdout '^stat: status 0$'
expect_match "$tmp/counters/report.md" '^## PMUs$'
expect_match "$tmp/counters/stat.txt" 'tma_retiring|retiring'
mkdir "$tmp/fake"
cat >"$tmp/fake/tma" <<'END'
#!/bin/sh
[ "$2" != --report ] || echo 'no   hardware events'
case $1 in
"$TMA_WRONG") exit "$TMA_STATUS" ;;
esac
END
chmod +x "$tmp/fake/tma"
run env -u GITHUB_STEP_SUMMARY TMA_WRONG=stat TMA_STATUS=125 scripts/try-counters "$tmp/fake" "$tmp/counters"
expect_status 0
for wrong in 'test 1' 'stat 139' 'why 134'; do
	run env GITHUB_STEP_SUMMARY="$tmp/summary" TMA_WRONG="${wrong% *}" TMA_STATUS="${wrong#* }" scripts/try-counters "$tmp/fake" "$tmp/counters"
	expect_status 1
	expect_match stderr "ended with ${wrong#* }, which is not one of: "
done
expect_match "$tmp/summary" '^no   hardware events$'
