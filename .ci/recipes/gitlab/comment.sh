#!/usr/bin/env bash
# One comment a plan on a merge request, with the last report: comment.sh PLAN NUMBER
# Needs FERRY_TOKEN (scope api), CI_API_V4_URL and CI_PROJECT_ID.
set -euo pipefail
plan=$1 number=$2
report=plans/$plan/report.md
if [ ! -f "$report" ]; then
  echo "There is no $report: ferry has not come to a report, and the log says why." >&2
  exit 0
fi
api() { curl --fail --silent --show-error --header @<(printf 'PRIVATE-TOKEN: %s\n' "$FERRY_TOKEN") "$@"; }
mark="<!-- ferry: $plan -->"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
jq --null-input --arg mark "$mark" --rawfile report "$report" '{ body: ($mark + "\n\n" + $report) }' > "$body"

notes=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$number/notes
# Only a comment of this very token is ever changed: anybody may write such a mark.
me=$(api "$CI_API_V4_URL/user" | jq .id)
found='' page=1
while [ -z "$found" ] && [ -n "$page" ]; do
  headers=$(mktemp)
  listed=$(api --dump-header "$headers" "$notes?per_page=100&page=$page")
  found=$(jq --raw-output --arg mark "$mark" --argjson me "$me" \
    '[.[] | select(.author.id == $me and (.body | startswith($mark))) | .id][0] // empty' <<< "$listed")
  page=$(tr -d '\r' < "$headers" | sed -n 's/^x-next-page: *//Ip')
  rm -f "$headers"
done
send() { api --output /dev/null --header 'Content-Type: application/json' --data @"$body" "$@"; }
if [ -n "$found" ]; then send --request PUT "$notes/$found"; else send --request POST "$notes"; fi
