#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks who includes whom: `layering.sh [ROOT]`, or `layering.sh --self-test [ROOT]` to show that
# it can fail.
#
# A folder with a file ALLOWED_INCLUDES is a layer. Its lines name the layers whose headers it may
# include (`model`), and the third-party libraries (`<z3>`), these optionally only in files that
# match a pattern relative to the layer (`<boost> topology/*.cpp`). A file belongs to the innermost
# layer around it. Quoted includes start at the repository root.
set -eu

check() (
  cd "$1"
  find . \( -path ./build -o -path './.?*' -o -path ./tests/data \) -prune -o -type f \
    -name ALLOWED_INCLUDES -print | sed 's,^\./,,' | sort >"$2/layers"
  sed 's,/ALLOWED_INCLUDES$,,' "$2/layers" | while read -r layer; do
    find "$layer" -path tests/data -prune -o -type f \( -name '*.hpp' -o -name '*.cpp' \) -print
  done | sort -u >"$2/files"
  if ! [ -s "$2/layers" ]; then
    echo "layering: no ALLOWED_INCLUDES file in $1" >&2
    exit 1
  fi
  # The files come after the layers, so that the rules are known when they are read.
  # shellcheck disable=SC2016 # The dollars are awk's.
  cat "$2/layers" "$2/files" | tr '\n' '\0' | xargs -0 awk '
    # The innermost layer around a path, "" if there is none.
    function layer_of(path) {
      while (sub("/[^/]*$", "", path)) if (path in is_layer) return path
      return ""
    }
    function glob_matches(pattern, text) {
      gsub(/[.+]/, "\\\\&", pattern)
      gsub(/\*/, "[^/]*", pattern)
      return text ~ ("^" pattern "$")
    }
    function report(text) {
      printf "%s:%d: %s\n", FILENAME, FNR, text
      bad = 1
    }
    function check_quoted(name,   to) {
      to = layer_of(name)
      if (to == "") report("\"" name "\" does not start with a layer of the repository root")
      else if (!((from, to) in may)) report(from " must not include " to " (\"" name "\")")
    }
    function check_third_party(name,   library, pattern) {
      library = name
      sub(/[\/.+_].*/, "", library)
      if (!(library in confined)) return
      pattern = grant[from, library]
      if (pattern == "any") return
      if (pattern == "" || !glob_matches(pattern, substr(FILENAME, length(from) + 2)))
        report("<" name "> is not allowed here, see " from "/ALLOWED_INCLUDES")
    }
    BEGIN {
      split("CLI benchmark boost fmt gmock gtest nlohmann rapidcheck z3", names, " ")
      for (i in names) confined[names[i]] = 1
    }
    FNR == 1 {
      is_rules = FILENAME ~ /\/ALLOWED_INCLUDES$/
      from = is_rules ? FILENAME : layer_of(FILENAME)
      if (is_rules) { sub(/\/ALLOWED_INCLUDES$/, "", from); is_layer[from] = 1 }
    }
    is_rules && /^[ \t]*(#|$)/ { next }
    is_rules && /^</ { grant[from, substr($1, 2, length($1) - 2)] = NF > 1 ? $2 : "any"; next }
    is_rules { may[from, $1] = 1; next }
    /^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); check_quoted(part[2]) }
    /^[ \t]*#[ \t]*include[ \t]*</ { split($0, part, /[<>]/); check_third_party(part[2]) }
    END { exit bad }
  '
)

# self_test ROOT WORK: every rule is broken once in a small tree with the real ALLOWED_INCLUDES files.
self_test() {
  tree=$2/tree
  mkdir "$tree"
  (cd "$1" && find . \( -path ./build -o -path './.?*' \) -prune -o -name ALLOWED_INCLUDES -print) |
    while read -r rules; do
      mkdir -p "$tree/$(dirname "$rules")"
      cp "$1/$rules" "$tree/$rules"
    done
  mkdir -p "$tree/model/topology" "$tree/model/fair" "$tree/counterexamples/export"
  echo '#include <boost/graph/adjacency_list.hpp>' >"$tree/model/topology/domains.cpp"
  echo '#include "properties/catalogue.hpp"' >"$tree/solver/bmc.cpp"
  echo '#include "solver/bmc.hpp"' >"$tree/cli/solve.cpp"
  if ! check "$tree" "$2"; then
    echo "layering: self-test failed: a good tree is rejected" >&2
    return 1
  fi
  survivors=0
  while read -r file include; do
    echo "#include $include" >"$tree/$file"
    if check "$tree" "$2" >"$2/out"; then
      echo "layering: self-test failed: $include in $file is accepted" >&2
      survivors=1
    elif [ "$(grep -c "^$file:1: " "$2/out")" != 1 ] || [ "$(grep -c . "$2/out")" != 1 ]; then
      echo "layering: self-test failed: $include in $file is not reported as its own line" >&2
      survivors=1
    fi
    rm "$tree/$file"
  done <<'END'
model/fair/a.hpp "properties/catalogue.hpp"
model/fair/a.hpp "solver/bmc.hpp"
model/fair/a.hpp "../step.hpp"
model/fair/a.hpp <boost/graph/adjacency_list.hpp>
model/topology/a.hpp <boost/graph/adjacency_list.hpp>
model/fair/a.cpp <z3++.h>
properties/a.hpp "properties/random/driver.hpp"
properties/a.hpp <rapidcheck.h>
properties/random/a.cpp "solver/bmc.hpp"
solver/a.cpp "counterexamples/replay.hpp"
solver/a.cpp <rapidcheck/Gen.h>
counterexamples/export/a.cpp "solver/bmc.hpp"
counterexamples/export/a.cpp "properties/random/driver.hpp"
cli/a.cpp "tests/support/machine.hpp"
cli/a.cpp <z3.h>
tests/a_test.cpp <z3++.h>
END
  return "$survivors"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "$0")/.." && pwd)
if [ "${1:-}" = --self-test ]; then
  self_test "${2:-$here}" "$work"
else
  check "${1:-$here}" "$work"
fi
