#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs shellcheck on every shell script of the repository.
set -eu
cd "$(dirname "$0")/.."

if ! command -v shellcheck >/dev/null; then
  echo "shellcheck.sh: shellcheck is missing, install the package shellcheck" >&2
  exit 2
fi

find . \( -path ./build -o -path ./.git -o -path ./tests/data \) -prune -o -type f \
  \( -name '*.sh' -o -path ./schedcheck -o -path ./run-tests -o -path './.ci/*' \) -print0 |
  xargs -0 shellcheck -x
