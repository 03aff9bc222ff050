#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What GitHub reads of this repository: workflows, and the form of an issue.
. "$(dirname "$0")/../cli/lib.sh"

# needs_yaml: skip the test if YAML cannot be read
needs_yaml()
{
	python3 -c 'import yaml' 2>/dev/null || skip "needs python3 with yaml (package python3-yaml)"
}

begin "workflows and forms of issues have what GitHub asks of them, and steps are scripts"
needs_yaml
run python3 -B tests/build/github.py .github/workflows/*.yml .github/ISSUE_TEMPLATE/*.yml
expect_empty stdout
expect_status 0

begin "scripts that steps run are there"
grep -ohE 'scripts/[a-z-]+' .github/workflows/*.yml | sort -u >"$tmp/scripts"
expect_between "scripts" "$(wc -l <"$tmp/scripts")" 4 20
while read -r script; do
	[ -x "$script" ] || fail "there is no program $script"
done <"$tmp/scripts"

begin "mistakes in them are found"
needs_yaml
mkdir -p "$tmp/.github/workflows" "$tmp/.github/ISSUE_TEMPLATE"
sed 's,actions/checkout@v4,someone/checkout@main,; s,scripts/setup deb,curl https://example.org | sh,; s/needs: build/needs: nothing/; s/\$GITHUB_REF_NAME/${{ github.ref_name }}/
	/^    runs-on: \$/d' .github/workflows/release.yml >"$tmp/.github/workflows/release.yml"
sed '0,/required: true/{/required: true/d}; 0,/label:/{/label:/d}; s/id: came/id: expected/' .github/ISSUE_TEMPLATE/bug.yml >"$tmp/.github/ISSUE_TEMPLATE/bug.yml"
echo 'a: [' >"$tmp/.github/ISSUE_TEMPLATE/config.yml"
cd "$tmp" || exit
run python3 -B "$OLDPWD/tests/build/github.py" ./.github/workflows/release.yml ./.github/ISSUE_TEMPLATE/bug.yml ./.github/ISSUE_TEMPLATE/config.yml
cd "$OLDPWD" || exit
expect_status 1
expect_match stdout 'release\.yml: job build has no runs-on$'
expect_match stdout 'release\.yml: job build: someone/checkout@main is not an action of GitHub'
expect_match stdout "release\.yml: job build: 'curl https://example\.org | sh' is not a script of this repository$"
expect_match stdout "release\.yml: job build: .* has an expression that is not of the matrix$"
expect_match stdout 'release\.yml: job publish needs nothing, which is not a job$'
expect_match stdout 'bug\.yml: command has no label$'
expect_match stdout 'bug\.yml: command does not say whether it is required$'
expect_match stdout "bug\.yml: the id 'expected' is missing, there twice, or has odd characters$"
expect_match stdout 'config\.yml: is not YAML: '
