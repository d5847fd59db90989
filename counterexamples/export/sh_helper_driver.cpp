// SPDX-License-Identifier: Apache-2.0
/// \file The C helper of exported scripts, second half: starts and drives the tasks.
#include "counterexamples/export/sh_sections.hpp"

namespace schedcheck {

const std::string_view kHelperDriverC = R"HELPER(
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
    if (is(e, "wake")) wake(e->task, (int)i);
    else set_cpus(tasks[e->task].pid, &e->cpus);
    finish(e, DONE);
  }
  sleep_until(sh->start_ns + end_ns + atomic_load(&sh->shift_ns));
  /* The last children may still wait for a CPU. */
  for (struct task *t = tasks; t < tasks + nr_tasks; ++t)
    for (int ms = 0; ms < 1000 && !t->initial && atomic_load(&t->alive) && t->first_cpu < 0; ++ms)
      sleep_until(now() + MS);
}

/* Tasks that spin see the end, tasks that sleep are woken for it. Then prints the results. */
static void end(void) {
  int interrupted = atomic_load(&sh->stop);
  if (!interrupted && now() > sh->deadline_ns) printf("note stopped at the time limit\n");
  atomic_store(&sh->stop, 1);
  for (int n = 0; n < nr_tasks; ++n) wake(n, -1);
  for (struct event *e = events; e < events + nr_events; ++e) {
    const struct task *child = is(e, "fork") ? &tasks[e->other] : NULL;
    printf("event %s %s %d %lld %lld %d %d %d %d %d\n", e->label, e->what, e->task, e->planned_ns,
           atomic_load(&e->state) == DONE ? e->done_ns : -1, e->cpu, e->other,
           child ? child->pid : -1, child ? child->first_cpu : -1, e->predicted);
  }
  fflush(stdout);
  while (wait(NULL) > 0) continue;
  exit(interrupted ? 143 : 0);
}

static void read_cpus(const char *list, cpu_set_t *cpus) {
  CPU_ZERO(cpus);
  for (char *rest; *list; list = *rest ? rest + 1 : rest) CPU_SET(strtoul(list, &rest, 10), cpus);
}

static void *share(size_t size) {
  void *memory = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) perror("mmap"), exit(1);
  return memory;
}

static void read_plan(FILE *file) {
  char cpus[1000];
  int n = 0;
  if (fscanf(file, "machine %d %u %lld", &nr_tasks, &nr_events, &end_ns) != 3) exit(2);
  sh = share(sizeof *sh);
  tasks = share((size_t)nr_tasks * sizeof *tasks);
  events = share(nr_events * sizeof *events);
  for (; n < nr_tasks; ++n) tasks[n].first_cpu = -1, atomic_store(&tasks[n].woken_by, -1);
  for (struct task *t = tasks; fscanf(file, " task %d %d %d %d %999s", &t->cpu, &t->nice,
                                      &t->blocked, &t->util, cpus) == 5; ++t)
    t->initial = 1, read_cpus(cpus, &t->cpus);
  for (struct event *e = events; e < events + nr_events; ++e, read_cpus(cpus, &e[-1].cpus))
    if (fscanf(file, " event %15s %lld %15s %d %d %d %999s", e->label, &e->planned_ns, e->what,
               &e->task, &e->other, &e->predicted, cpus) != 7) exit(2);
    else e->cpu = -1;
}

static void on_signal(int number) { atomic_store(&sh->stop, number); }

int main(int argc, char **argv) {
  FILE *file = argc == 5 ? fopen(argv[1], "r") : NULL;
  cpu_set_t cpus;
  if (!file) return 2;
  read_plan(file);
  fclose(file);
  sh->deadline_ns = now() + atoll(argv[2]) * 1000 * MS;
  setpgid(0, 0);
  signal(SIGTERM, on_signal);
  signal(SIGCHLD, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_TIMERSLACK, 1);
  if (!(file = fopen(argv[3], "w")) || fprintf(file, "%d\n", getpid()) < 0 || fclose(file))
    return perror(argv[3]), 2;
  if (*argv[4] != '-') read_cpus(argv[4], &cpus), set_cpus(0, &cpus);
  start_tasks();
  drive();
  end();
}
)HELPER";

}  // namespace schedcheck
