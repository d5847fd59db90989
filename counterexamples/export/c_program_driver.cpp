// SPDX-License-Identifier: Apache-2.0
/// \file The C program of `c` and `sh`, part 2: starts and drives the tasks, reports.
#include "counterexamples/export/c_program.hpp"

namespace schedcheck {

const std::string_view kProgramDriverC = R"PROGRAM(
/* For explicit averages: runs util/1024 of the time for 200 ms. */
static void warm_up(int util) {
  for (int i = 0; i < 20; ++i) {
    long long begin = now(), spin = 10 * MS * util / 1024;
    while (now() < begin + spin) continue;
    if (util < 1024) sleep_until(begin + 10 * MS);
  }
}

static void set_cpus(int pid, const cpu_set_t *cpus) {
  if (sched_setaffinity(pid, sizeof *cpus, cpus)) perror("sched_setaffinity");
}

static void start_task(int n) {
  struct task *t = &tasks[n];
  cpu_set_t home;
  atomic_store(&t->alive, 1);
  atomic_store(&t->awake, t->blocked ? 0 : 1);
  t->pid = fork();
  if (t->pid < 0) perror("fork"), exit(1);
  if (t->pid > 0) return;
  signal(SIGTERM, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  CPU_ZERO(&home);
  CPU_SET((size_t)t->cpu, &home);
  set_cpus(0, &home);
  if (t->nice && setpriority(PRIO_PROCESS, 0, t->nice))
    fprintf(stderr, "task %d: nice %d is not permitted, left out\n", n, t->nice);
  if (t->util >= 0) warm_up(t->util);
  atomic_fetch_add(&sh->ready, 1);
  be_task(n);
}

/* Starts the tasks, those with a warm-up first, each on its CPU; then they may move. */
static void start_tasks(void) {
  unsigned started = 0;
  for (int warm = 1; warm >= 0; --warm) {
    for (int n = 0; n < nr_tasks; ++n)
      if (tasks[n].initial && (tasks[n].util >= 0) == warm) start_task(n), ++started;
    while (atomic_load(&sh->ready) < started && !is_over()) sleep_until(now() + MS);
  }
  for (int n = 0; n < nr_tasks; ++n)
    if (tasks[n].initial) set_cpus(tasks[n].pid, &tasks[n].cpus);
  sh->start_ns = now() + MS;
  advance(0);
  atomic_store(&sh->started, 1);
}

/* Wakes and affinities are the driver's; it waits while the tasks do the rest. */
static void drive(void) {
  unsigned i;
  while ((i = atomic_load(&sh->next)) < nr_events && !is_over()) {
    struct event *e = &events[i];
    if (!driver_does(e)) {
      futex_wait(&sh->next, i, now() + 100 * MS);
      if (atomic_load(&sh->next) == i && now() > due(e) + GIVE_UP_NS && claim(e)) finish(e, MISSED);
      continue;
    }
    sleep_until(due(e));
    if (is_over() || !claim(e)) continue;
    act(e);
  }
  sleep_until(sh->start_ns + end_ns + atomic_load(&sh->shift_ns));
  /* The last children may still wait for a CPU. */
  for (struct task *t = tasks; t < tasks + nr_tasks; ++t)
    for (int ms = 0; ms < 1000 && !t->initial && atomic_load(&t->alive) && t->first_cpu < 0; ++ms)
      sleep_until(now() + MS);
}

/* Forks of the preamble (labels p1, p2, ..) are shown but not judged. */
static void report_fork(const struct event *e, int *children, int *good) {
  const struct task *child = &tasks[e->other];
  int same = atomic_load(&e->state) == DONE && child->first_cpu == e->predicted;
  printf("  child %d (pid %d) first ran on CPU ", e->other, child->pid);
  if (child->first_cpu < 0) printf("none");
  else printf("%d", child->first_cpu);
  printf(", the model says CPU %d%s", e->predicted, same ? "" : " <- different");
  if (*e->label != 'p') ++*children, *good += same;
}

static void report(void) {
  int children = 0, good = 0;
  printf("%-7s %-14s %5s %12s %12s %12s %4s\n", "event", "what", "task", "planned us", "done us",
         "late us", "CPU");
  for (const struct event *e = events; e < events + nr_events; ++e) {
    if (is_time(e)) {
      printf("%-7s %-14s %5s %12.1f %12s\n", e->label, e->what, "-", (double)e->planned_ns / 1e3, "-");
      continue;
    }
    printf("%-7s %-14s %5d %12.1f ", e->label, e->what, e->task, (double)e->planned_ns / 1e3);
    if (atomic_load(&e->state) != DONE) printf("%12s", "not done");
    else
      printf("%12.1f %12.1f ", (double)e->done_ns / 1e3, (double)(e->done_ns - e->planned_ns) / 1e3),
          e->cpu < 0 ? printf("%4s", "-") : printf("%4d", e->cpu);
    if (is_fork(e)) report_fork(e, &children, &good);
    printf("\n");
  }
  printf("children that first ran where the model says: %d of %d\n", good, children);
  if (children == 0) printf("outcome: nothing to compare (no fork)\n");
  else if (have_cpus < nr_cpus)
    printf("outcome: not comparable (%d CPUs here for %d modelled ones)\n", have_cpus, nr_cpus);
  else if (good == children) printf("outcome: as in the model\n");
  else
    printf("outcome: different (the model is of kernel %s; see also the notes)\n", model_kernel);
}

/* Tasks that spin see the end, tasks that sleep are woken for it. Then prints the results. */
static int end(void) {
  int interrupted = atomic_load(&sh->stop);
  if (!interrupted && now() > sh->deadline_ns) printf("note: stopped at the time limit\n");
  atomic_store(&sh->stop, 1);
  for (int n = 0; n < nr_tasks; ++n) wake(n, -1);
  report();
  while (wait(NULL) > 0) continue;
  if (fflush(stdout) || ferror(stdout)) return perror("standard output"), 1;
  return interrupted ? 143 : 0;
}
)PROGRAM";

}  // namespace schedcheck
