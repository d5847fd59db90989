// SPDX-License-Identifier: Apache-2.0
/// \file Script sections before the run: options, traps, plan, cgroup, tracing.
#include "counterexamples/export/sh_sections.hpp"

namespace schedcheck {

const std::string_view kShOptions = R"SH(
# --- output: what nobody can read ends the run -------------------------------------------------

output_failed() {
  trap '' PIPE
  echo "$0: standard output cannot be written; stopped" >&2
  exit 1
}
trap output_failed PIPE

# Everything for standard output goes through here.
say() { printf '%s\n' "$*" 2>/dev/null || output_failed; }
note() { say "note: $*"; }

# --- options ---------------------------------------------------------------------------------

usage() {
  cat <<USAGE
usage: sh $0 [--scale K] [--trace] [--no-cgroup] [--keep] [--help]
  --scale K    real time = model time * K (default $scale)
  --trace      as root: record sched events in a private tracefs instance and print them
  --no-cgroup  as root: do not run in a cgroup of its own
  --keep       keep the directory with the plan, the helper and the results
Exit status: 0 the schedule ran, whatever came out; 1 it could not run, or its output could not be
written; 2 bad option.
USAGE
}

bad_option() {
  echo "$0: $1; see --help" >&2
  exit 2
}

set_scale() {
  case $1 in
    '' | *[!0-9.]* | *.*.*) bad_option "--scale needs a number, not '$1'" ;;
  esac
  awk -v k="$1" 'BEGIN { exit !(k > 0 && k <= 1000000) }' || bad_option "--scale must be above 0 and at most 1000000"
  scale=$1
}

trace=no use_cgroup=yes keep=no
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) say "$(usage)"; exit 0 ;;
    --scale) [ $# -ge 2 ] || bad_option "--scale needs a number"; set_scale "$2"; shift ;;
    --scale=*) set_scale "${1#--scale=}" ;;
    --trace) trace=yes ;;
    --no-cgroup) use_cgroup=no ;;
    --keep) keep=yes ;;
    *) bad_option "unknown option '$1'" ;;
  esac
  shift
done
)SH";

const std::string_view kShCleanup = R"SH(
# --- nothing is left behind ------------------------------------------------------------------

dir='' runner='' sleeper='' cgroup='' instance=''

# The helper leads a process group of its own; tasks of the fallback have their numbers in files.
kill_tasks() {
  for pid in $runner $sleeper; do kill -s TERM "$pid" 2>/dev/null; done
  [ -z "$runner" ] || wait "$runner" 2>/dev/null
  if [ -s "$dir/helper.pid" ]; then kill -s KILL -- "-$(cat "$dir/helper.pid")" 2>/dev/null; fi
  # A task may have forked while the first round was under way.
  for round in 1 2; do
    for file in "$dir"/pid.*; do
      if [ -s "$file" ]; then kill -s KILL "$(cat "$file")" 2>/dev/null; fi
    done
    [ "$round" = 2 ] || [ ! -e "$dir/turn" ] || rm -f "$dir/turn"
  done
}

remove_cgroup() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    rmdir "$cgroup" 2>/dev/null && return
    sleep 0.2
  done
  echo "$0: could not remove $cgroup" >&2
}

cleanup() {
  trap '' HUP INT TERM PIPE
  [ -z "$dir" ] || kill_tasks
  [ -z "$instance" ] || { echo 0 >"$instance/tracing_on"; rmdir "$instance"; }
  [ -z "$cgroup" ] || remove_cgroup
  if [ "$keep" = yes ]; then echo "kept: $dir" >&2; elif [ -n "$dir" ]; then rm -rf "$dir"; fi
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
)SH";

const std::string_view kShRealPlan = R"SH(
# --- from the model's CPUs and times to this machine's, for the fallback ---------------------

# The CPUs that this process may use, in ascending order.
allowed_cpus() {
  awk '/^Cpus_allowed_list:/ {
    n = split($2, part, ",")
    for (i = 1; i <= n; ++i) {
      m = split(part[i], end, "-")
      for (cpu = end[1] + 0; cpu <= end[m] + 0; ++cpu) printf "%d ", cpu
    }
  }' /proc/self/status
}

# Model CPU i becomes the i-th allowed CPU; too few: they are used again. Events at the same model
# time are 50 us apart, so that the one before has taken effect.
real_plan() {
  model_plan | awk -v allowed="$allowed" -v scale="$scale" '
    function real(list,   n, part, i, out) {
      n = split(list, part, ",")
      for (i = 1; i <= n; ++i) out = out (i > 1 ? "," : "") cpu[part[i] + 0]
      return out
    }
    /^machine / {
      have = split(allowed, all, " ")
      for (i = 0; i < $2; ++i) cpu[i] = all[i % have + 1]
      printf "machine %d %d %.0f\n", $3, $4, $5 * scale
    }
    /^task / { print "task", cpu[$2], $3, $4, $5, real($6) }
    /^event / {
      planned = $3 * scale
      if (planned < earliest) planned = earliest
      earliest = planned + ($4 == "run" || $4 == "update_blocked" ? 0 : 50000)
      printf "event %s %.0f %s %d %d %d %s\n", $2, planned, $4, $5, $6,
        ($7 < 0 ? -1 : cpu[$7]), real($8)
    }'
}

# Sets allowed and have (their number).
prepare_plan() {
  allowed=$(allowed_cpus)
  # shellcheck disable=SC2086 # One word per CPU.
  set -- $allowed
  have=$#
  [ "$have" -gt 0 ] || { echo "$0: cannot read the allowed CPUs from /proc" >&2; exit 1; }
  real_plan >"$dir/plan"
  say "kernel $(uname -r), modelled: $model_kernel on $model_topology"
  say "model CPU i is CPU: $allowed(the first $nr_cpus); scale $scale"
}
)SH";

const std::string_view kShCgroup = R"SH(
# --- a cgroup of its own: autogroup does not interfere ----------------------------------------

# A hierarchy whose groups are task groups: v1 `cpu`, or v2 with the cpu controller handed down.
cpu_hierarchy() {
  for base in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct /sys/fs/cgroup /sys/fs/cgroup/unified; do
    [ -w "$base/cgroup.procs" ] || continue
    if [ -e "$base/cpu.shares" ] || grep -qsw cpu "$base/cgroup.subtree_control"; then
      echo "$base"
      return
    fi
  done
}

make_cgroup() {
  if [ "$use_cgroup" = no ]; then return; fi
  if [ "$(id -u)" != 0 ]; then note "cgroup left out: not root"; return; fi
  base=$(cpu_hierarchy)
  if [ -z "$base" ]; then note "cgroup left out: no writable cpu hierarchy below /sys/fs/cgroup"; return; fi
  if mkdir "$base/schedcheck-$$" 2>/dev/null; then
    cgroup=$base/schedcheck-$$
    note "runs in the temporary cgroup $cgroup"
  else
    note "cgroup left out: cannot make one in $base"
  fi
}
)SH";

const std::string_view kShTrace = R"SH(
# --- tracing, in an instance of its own: global settings stay as they are --------------------

trace_on() {
  if [ "$(id -u)" != 0 ]; then note "tracefs left out: not root"; return; fi
  if [ "$trace" = no ]; then return; fi
  for base in /sys/kernel/tracing /sys/kernel/debug/tracing; do
    [ -d "$base/instances" ] || continue
    mkdir "$base/instances/schedcheck-$$" 2>/dev/null || continue
    instance=$base/instances/schedcheck-$$
    for event in sched_wakeup_new sched_process_fork sched_process_exit sched_switch sched_migrate_task; do
      echo 1 >"$instance/events/sched/$event/enable"
    done
    return
  done
  note "tracefs left out: not mounted, or instances cannot be made"
}

trace_off() {
  [ -n "$instance" ] || return 0
  echo 0 >"$instance/tracing_on"
  say "trace (at most 1000 lines; sctask-N is model task N, a new child still has its parent's name):"
  say "$(grep sctask- "$instance/trace" | head -n 1000)"
  rmdir "$instance"
  instance=''
}
)SH";

}  // namespace schedcheck
