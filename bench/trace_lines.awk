# SPDX-License-Identifier: Apache-2.0
# A trace of LINES lines in ftrace text: eight CPUs, one fork, wakeup or switch per microsecond.
#   awk -v lines=1000000 -f bench/trace_lines.awk > million.txt
function out(cpu, pid, text) {
  printf "        worker-%-8d [%03d] d..2. %d.%06d: %s\n", pid, cpu, 100 + n / 1000000, n % 1000000, text
  if (++n >= lines) exit
}
function to(cpu, from, state, next_pid) {
  out(cpu, from, sprintf("sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120", \
    from ? "worker" : "swapper/" cpu, from, state, next_pid ? "worker" : "swapper/" cpu, next_pid))
}
BEGIN {
  print "# tracer: nop\n#\n# entries-in-buffer/entries-written: " lines "/" lines "   #P:8"
  for (pid = 1000;; pid = pid > 30000 ? 1000 : pid + 2) {
    cpu = pid / 2 % 8
    to(cpu, 0, "R", pid)
    out(cpu, pid, sprintf("sched_process_fork: comm=worker pid=%d child_comm=worker child_pid=%d", pid, pid + 1))
    out(cpu, pid, sprintf("sched_wakeup_new: comm=worker pid=%d prio=120 target_cpu=%03d", pid + 1, cpu))
    to(cpu, pid, "S", pid + 1)
    out(cpu, pid + 1, sprintf("sched_waking: comm=worker pid=%d prio=120 target_cpu=%03d", pid, cpu))
    out(cpu, pid + 1, sprintf("sched_wakeup: comm=worker pid=%d prio=120 target_cpu=%03d", pid, cpu))
    to(cpu, pid + 1, "R+", pid)
    to(cpu, pid, pid % 10 ? "S" : "Z", pid + 1)
    to(cpu, pid + 1, "Z", 0)
  }
}
