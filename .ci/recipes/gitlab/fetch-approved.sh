#!/usr/bin/env bash
# Fetches the diff that was reviewed in the merge request of this commit, with its snapshot: fetch-approved.sh PLAN
# Needs FERRY_TOKEN (scope api), CI_API_V4_URL, CI_PROJECT_ID and CI_COMMIT_SHA.
set -euo pipefail
plan=$1
project=$CI_API_V4_URL/projects/$CI_PROJECT_ID
api() { curl --fail --silent --show-error --location --header @<(printf 'PRIVATE-TOKEN: %s\n' "$FERRY_TOKEN") "$@"; }
number=$(api "$project/repository/commits/$CI_COMMIT_SHA/merge_requests" |
  jq --raw-output '[.[] | select(.state == "merged")][0].iid // empty')
if [ -z "$number" ]; then
  echo "This commit came without a merge request: there is no diff that anybody has seen." >&2
  exit 1
fi
# The newest pipeline first; the job itself may have ended with 4, since some objects need a person.
for pipeline in $(api "$project/merge_requests/$number/pipelines" | jq '.[].id'); do
  job=$(api "$project/pipelines/$pipeline/jobs?per_page=100" |
    jq --raw-output '[.[] | select(.name == "review" and any(.artifacts[]?; .file_type == "archive"))][0].id // empty')
  if [ -n "$job" ]; then break; fi
done
if [ -z "${job:-}" ]; then
  echo "Merge request !$number has no review: run its pipeline again." >&2
  exit 1
fi
archive=$(mktemp)
trap 'rm -f "$archive"' EXIT
api --output "$archive" "$project/jobs/$job/artifacts"
unzip -q -o "$archive" "plans/$plan/*"
