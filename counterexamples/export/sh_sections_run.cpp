// SPDX-License-Identifier: Apache-2.0
/// \file Script sections of the run: the C program, or the fallback with its report; main.
#include "counterexamples/export/sh_sections.hpp"

namespace schedcheck {

const std::string_view kShHelperRun = R"SH(
# --- the run, with the helper ----------------------------------------------------------------

# $CC, else the first compiler that is found.
build_helper() {
  for cc in ${CC:-cc gcc clang}; do
    command -v "$cc" >/dev/null || continue
    helper_source >"$dir/helper.c"
    if "$cc" -O2 -o "$dir/helper" "$dir/helper.c" 2>"$dir/compiler.log"; then return 0; fi
    note "$cc could not compile the helper"
  done
  return 1
}

# The guard is for a helper that hangs; it stops by itself at the limit.
run_helper() {
  guard=''
  if command -v timeout >/dev/null; then guard='timeout -k 2 3700'; fi
  set -- --scale "$scale" --pid-file "$dir/helper.pid"
  [ -z "$cgroup" ] || set -- "$@" --cgroup "$cgroup/cgroup.procs"
  # shellcheck disable=SC2086 # The guard is a command with arguments, or nothing.
  $guard "$dir/helper" "$@" >"$dir/results" &
  runner=$!
  wait "$runner"
  status=$?
  runner=''
  if [ "$status" != 0 ]; then
    echo "$0: the helper ended with status $status" >&2
    exit 1
  fi
  say "$(cat "$dir/results")"
}
)SH";

const std::string_view kShFallback = R"SH(
# --- the run, without a compiler: a shell process per task -----------------------------------

# Sets cpu: the CPU on which this process runs, field 39 of its stat file.
own_cpu() {
  read -r stat </proc/self/stat
  # shellcheck disable=SC2086 # One word per field; the name before `)` may have blanks.
  set -- ${stat##*) }
  shift 36
  cpu=$1
}

# shell_task NUMBER running|blocked: spins until it is this task's turn in the file `turn`.
shell_task() {
  own_cpu
  echo "$cpu" >"$dir/first.$1"
  seen=''
  if [ "$2" = blocked ]; then shell_block "$1"; fi
  while read -r label task what other <"$dir/turn"; do
    if [ "$label" = stop ]; then break; fi
    if [ "$task" != "$1" ] || [ "$label" = "$seen" ]; then continue; fi
    seen=$label
    own_cpu
    if [ "$what" = fork ]; then
      shell_task "$other" running &
      echo $! >"$dir/pid.$other"
    fi
    echo "$cpu" >"$dir/done.$label"
    case $what in
      block) shell_block "$1" ;;
      exit) exit 0 ;;
    esac
  done 2>/dev/null
}

# Sleeps in a FIFO until a wake event's label comes out of it.
shell_block() {
  read -r by <"$dir/wake.$1"
  own_cpu
  echo "$cpu" >"$dir/done.$by"
}

pause() {
  sleep "$1" &
  sleeper=$!
  wait "$sleeper"
  sleeper=''
}

# pause_until NS of the plan; a delay so far moves the rest.
pause_until() {
  if [ "$1" -le "$before" ]; then return; fi
  gap=$(($1 - before))
  before=$1
  pause "$(printf '%d.%09d' $((gap / 1000000000)) $((gap % 1000000000)))"
}

# Nanoseconds since boot, to 10 ms.
uptime_ns() {
  read -r up _ </proc/uptime
  echo "${up%.*}${up#*.}0000000"
}

take_turn() {
  echo "$*" >"$dir/turn.new"
  mv "$dir/turn.new" "$dir/turn"
}

start_shell_task() { # CPU NICE BLOCKED UTIL CPUS
  state=running
  if [ "$3" = 1 ]; then state=blocked; fi
  if [ "$4" != -1 ]; then note "task $nr_started: warm-up left out without the helper"; fi
  shell_task "$nr_started" "$state" &
  pid=$!
  echo "$pid" >"$dir/pid.$nr_started"
  if [ "$2" != 0 ]; then renice -n "$2" -p "$pid" >/dev/null 2>&1 || note "nice $2 is not permitted, left out"; fi
  if command -v taskset >/dev/null; then
    taskset -pc "$1" "$pid" >/dev/null
    pause 0.05
    taskset -pc "$5" "$pid" >/dev/null
  fi
  nr_started=$((nr_started + 1))
}

# Returns once the event is done, after at most 2 s.
shell_event() { # LABEL WHAT TASK OTHER CPUS
  case $2 in
    run | update_blocked) return ;;
    set_affinity)
      if command -v taskset >/dev/null; then taskset -pc "$5" "$(cat "$dir/pid.$3")" >/dev/null && echo -1 >"$dir/done.$1"; fi
      ;;
    fork | block | exit) take_turn "$1" "$3" "$2" "$4" ;;
  esac
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    # The label is lost if nobody reads yet, so it is sent again.
    if [ "$2" = wake ]; then echo "$1" 1<>"$dir/wake.$3"; fi
    pause 0.01
    if [ -s "$dir/done.$1" ]; then break; fi
    pause 0.09
  done
  if [ "$2" = exit ] && [ "$4" != -1 ]; then echo none 1<>"$dir/wake.$4"; fi
  uptime_ns >"$dir/time.$1"
}

run_with_shell() {
  note "no compiler: shell processes and sleeps, exact to about 50 ms; no cgroup"
  command -v taskset >/dev/null || note "no taskset: tasks are not pinned, affinities left out"
  nr_started=0 before=0 end=0
  awk '/^task / { print n++ } $4 == "fork" { print $6 }' "$dir/plan" | while read -r number; do
    mkfifo "$dir/wake.$number"
  done
  take_turn none - - -
  start=$(uptime_ns)
  while read -r word a b c d e f g; do
    case $word in
      machine) end=$c ;;
      task) start_shell_task "$a" "$b" "$c" "$d" "$e"; start=$(uptime_ns) ;;
      event)
        pause_until "$b"
        shell_event "$a" "$c" "$d" "$e" "$g"
        ;;
    esac
  done <"$dir/plan"
  pause_until "$end"
  take_turn stop - - -
  for fifo in "$dir"/wake.*; do echo none 1<>"$fifo"; done
  pause 0.1
  grep '^event ' "$dir/plan" | while read -r word a b c d e f g; do
    at=-1 cpu=-1 pid=-1 first=-1
    if [ -s "$dir/done.$a" ]; then at=$(($(cat "$dir/time.$a") - start)) cpu=$(cat "$dir/done.$a"); fi
    if [ "$c" = fork ] && [ -s "$dir/first.$e" ]; then pid=$(cat "$dir/pid.$e") first=$(cat "$dir/first.$e"); fi
    echo "event $a $c $d $b $at $cpu $e $pid $first $f"
  done >"$dir/results"
}
)SH";

const std::string_view kShReport = R"SH(
# --- the report ------------------------------------------------------------------------------

# Forks of the preamble (labels p1, p2, ..) are shown but not judged.
report() {
  awk -v have="$have" -v modelled="$nr_cpus" -v kernel="$model_kernel" '
    BEGIN { printf "%-7s %-14s %5s %12s %12s %12s %4s\n", "event", "what", "task", "planned us", "done us", "late us", "CPU" }
    $1 == "note" { print; next }
    {
      passes = $3 == "run" || $3 == "update_blocked"
      printf "%-7s %-14s %5s %12.1f ", $2, $3, (passes ? "-" : $4), $5 / 1000
      if (passes) printf "%12s", "-"
      else if ($6 < 0) printf "%12s", "not done"
      else printf "%12.1f %12.1f %4s", $6 / 1000, ($6 - $5) / 1000, ($7 < 0 ? "-" : $7)
      if ($3 == "fork") {
        same = $6 >= 0 && $10 == $11
        printf "  child %d (pid %d) first ran on CPU %s, the model says CPU %d%s", $8, $9,
          ($10 < 0 ? "none" : $10), $11, (same ? "" : " <- different")
        if ($2 !~ /^p/) { ++children; good += same }
      }
      print ""
    }
    END {
      printf "children that first ran where the model says: %d of %d\n", good, children
      if (children == 0) print "outcome: nothing to compare (no fork)"
      else if (have < modelled)
        printf "outcome: not comparable (%d CPUs here for %d modelled ones)\n", have, modelled
      else if (good == children) print "outcome: as in the model"
      else print "outcome: different (the model is of kernel " kernel "; see also the notes)"
    }' "$dir/results"
}
)SH";

const std::string_view kShMain = R"SH(
# --- main ------------------------------------------------------------------------------------

dir=$(mktemp -d "${TMPDIR:-/tmp}/schedcheck.XXXXXX") || exit 1
say "a schedule of $model_kernel on $model_topology"
trace_on
if build_helper; then
  make_cgroup
  run_helper
else
  prepare_plan
  run_with_shell
  say "$(report)"
fi
trace_off
)SH";

}  // namespace schedcheck
