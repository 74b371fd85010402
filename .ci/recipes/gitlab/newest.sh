#!/usr/bin/env bash
# Checks out the default branch as it is now. A job is of the commit that began it, and may have waited behind another one, or for
# an approval, since: what that one wrote back is how this one knows what is at the target.
# Needs FERRY_TOKEN (scope write_repository) and the variables of GitLab.
set -euo pipefail
remote=https://$CI_SERVER_HOST/$CI_PROJECT_PATH.git
# The token is in no argument, which other processes could see.
git -c credential.helper= \
  -c credential.helper='!f() { printf "username=ferry\npassword=%s\n" "$FERRY_TOKEN"; }; f' \
  fetch --quiet "$remote" "$CI_DEFAULT_BRANCH"
git checkout --quiet --detach FETCH_HEAD
