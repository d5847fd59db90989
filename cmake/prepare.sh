# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by ./schedcheck and ./run-tests: installs missing packages and builds the release preset.
# Expects `root`, the root of the repository.

: "${root:?}"

# shellcheck disable=SC2034 # The lists are used by the scripts that source this file.
{
  packages_build=(g++ cmake ninja-build pkg-config libz3-dev librapidcheck-dev libboost-graph-dev
    libfmt-dev libgtest-dev libgmock-dev libbenchmark-dev libcli11-dev nlohmann-json3-dev)
  packages_tests=(clang-format shellcheck cvc5)
  packages_tidy=(clang-tidy)
}

# ensure_packages PACKAGE...: installs those that are missing, as root on Debian; exit 2 otherwise.
ensure_packages() {
  local package missing=()
  # On other systems CMake says what it does not find.
  command -v dpkg >/dev/null || return 0
  for package in "$@"; do
    # shellcheck disable=SC2016 # Expanded by dpkg-query.
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed* ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    echo "schedcheck: packages are missing, install them with: apt-get install ${missing[*]}" >&2
    exit 2
  fi
  echo "schedcheck: installing ${missing[*]}" >&2
  mkdir -p "$root/build"
  local log=$root/build/packages.log
  local apt=(apt-get -o DPkg::Lock::Timeout=120 -y --no-install-recommends)
  if ! { "${apt[@]}" update && DEBIAN_FRONTEND=noninteractive "${apt[@]}" install "${missing[@]}"; } \
    >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    echo "schedcheck: apt-get failed, install by hand: ${missing[*]}" >&2
    exit 2
  fi
}

# build_release TARGET...: configures and builds the preset; the log is shown only when it fails.
# Two builds at a time wait for each other.
build_release() {
  local log=$root/build/release/build.log stamp=$root/build/release/.schedcheck-stamp
  mkdir -p "$root/build/release"
  (
    flock 9
    # The time of the start: after an edit during the build, ./schedcheck builds again.
    touch "$stamp.new"
    cd "$root" &&
      { cmake --preset release &&
        cmake --build --preset release --parallel "$(nproc)" --target "$@"; } \
        >"$log" 2>&1 </dev/null && mv "$stamp.new" "$stamp" && exit 0
    grep -E -m 8 -A 12 'FAILED:|CMake Error' "$log" >&2 || tail -n 40 "$log" >&2
    echo "schedcheck: the build failed, the whole log is ${log#"$PWD"/}" >&2
    exit 4
  ) 9>"$root/build/release/.lock"
}
