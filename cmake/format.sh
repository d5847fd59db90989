#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks (`format.sh check`) or rewrites (`format.sh fix`) the layout of every C++ file.
set -eu
cd "$(dirname "$0")/.."

case "${1:-check}" in
  check) options="--dry-run -Werror" ;;
  fix) options="-i" ;;
  *) echo "usage: format.sh check|fix" >&2; exit 2 ;;
esac

if ! command -v clang-format >/dev/null; then
  echo "format.sh: clang-format is missing, install the package clang-format" >&2
  exit 2
fi

# shellcheck disable=SC2086 # The options are words.
find . \( -path ./build -o -path './.?*' -o -path ./tests/data \) -prune -o \
  -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0 | xargs -0 -r clang-format $options
