#!/usr/bin/env bash
# One comment a plan on a pull request, with the last report: comment.sh PLAN NUMBER
# Needs GH_TOKEN (pull-requests: write) and GITHUB_REPOSITORY; gh is on GitHub's runners.
set -euo pipefail
# A plan may be named by its file: what it has left lies in a folder that is called as that is, without the ending.
plan=${1##*/} number=$2
case $plan in *.yaml | *.yml | *.json) plan=${plan%.*} ;; esac
report=plans/$plan/report.md
if [ ! -f "$report" ]; then
  echo "There is no $report: ferry has not come to a report, and the log says why." >&2
  exit 0
fi
mark="<!-- ferry: $plan -->"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
{ printf '%s\n\n' "$mark"; cat "$report"; } > "$body"

comments=repos/$GITHUB_REPOSITORY/issues/$number/comments
# Only a comment of these workflows is ever changed: anybody may write such a mark.
mine=".[] | select(.user.login == \"github-actions[bot]\" and (.body | startswith(\"$mark\"))) | .id"
found=$(gh api --paginate "$comments" --jq "$mine" | head -n 1)
if [ -n "$found" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$found" --field "body=@$body"
else
  gh api --silent --method POST "$comments" --field "body=@$body"
fi
