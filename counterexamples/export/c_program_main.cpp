// SPDX-License-Identifier: Apache-2.0
/// \file The C program of `c` and `sh`, part 3: from the model's plan to this machine; main.
#include "counterexamples/export/c_program.hpp"

namespace schedcheck {

const std::string_view kProgramMainC = R"PROGRAM(
static int fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(2);
}

static void *share(size_t size) {
  void *memory = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) perror("mmap"), exit(1);
  return memory;
}

/* Model CPU i is the i-th CPU that this process may use; too few: they are used again. */
static void map_cpus(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed)) perror("sched_getaffinity"), exit(1);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET((size_t)cpu, &allowed)) real_cpu[have_cpus++] = cpu;
}

static void read_cpus(const char *list, cpu_set_t *cpus) {
  CPU_ZERO(cpus);
  for (char *rest; *list; list = *rest ? rest + 1 : rest)
    CPU_SET((size_t)real_cpu[strtol(list, &rest, 10) % have_cpus], cpus);
}

static const struct kind *kind_of(const char *what) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (!strcmp(kinds[i].what, what)) return &kinds[i];
  fail(what, "this program cannot do such an event");
  return NULL;
}

/* Events at the same model time are GAP_NS apart, so that the one before has taken effect. */
static void read_events(FILE *file, double scale) {
  char cpus[1000];
  long long earliest = 0;
  for (struct event *e = events; e < events + nr_events; ++e) {
    if (fscanf(file, " event %15s %lld %15s %d %d %d %999s", e->label, &e->planned_ns, e->what,
               &e->task, &e->other, &e->predicted, cpus) != 7)
      fail("plan", "an event is malformed");
    e->kind = kind_of(e->what);
    read_cpus(cpus, &e->cpus);
    e->cpu = -1;
    if (e->predicted >= 0) e->predicted = real_cpu[e->predicted % have_cpus];
    e->planned_ns = (long long)((double)e->planned_ns * scale);
    if (e->planned_ns < earliest) e->planned_ns = earliest;
    earliest = e->planned_ns + (is_time(e) ? 0 : GAP_NS);
  }
}

static void read_plan(double scale) {
  char cpus[1000];
  FILE *file = fmemopen((void *)(size_t)plan, sizeof plan - 1, "r");
  if (!file || fscanf(file, "machine %d %d %u %lld", &nr_cpus, &nr_tasks, &nr_events, &end_ns) != 4)
    fail("plan", "no machine");
  end_ns = (long long)((double)end_ns * scale);
  sh = share(sizeof *sh);
  tasks = share((size_t)nr_tasks * sizeof *tasks);
  events = share(nr_events * sizeof *events);
  for (int n = 0; n < nr_tasks; ++n) tasks[n].first_cpu = -1, atomic_store(&tasks[n].woken_by, -1);
  for (struct task *t = tasks; fscanf(file, " task %d %d %d %d %999s", &t->cpu, &t->nice,
                                      &t->blocked, &t->util, cpus) == 5; ++t)
    t->initial = 1, t->cpu = real_cpu[t->cpu % have_cpus], read_cpus(cpus, &t->cpus);
  read_events(file, scale);
  fclose(file);
}

static void write_number(const char *path, int number) {
  FILE *file = fopen(path, "w");
  if (!file || fprintf(file, "%d\n", number) < 0 || fclose(file)) fail(path, strerror(errno));
}

/* The driver keeps off the CPUs of the tasks if it can. */
static void place_driver(void) {
  cpu_set_t spare;
  if (have_cpus <= nr_cpus) {
    printf("note: no spare CPU: the driver runs for moments on the CPUs of the tasks\n");
    if (have_cpus < nr_cpus)
      printf("note: %d CPUs for %d modelled ones: model CPUs share real ones\n", have_cpus, nr_cpus);
    return;
  }
  printf("note: this machine has more CPUs than the model: the kernel sees groups that the model "
         "lacks\n");
  CPU_ZERO(&spare);
  CPU_SET((size_t)real_cpu[nr_cpus], &spare);
  set_cpus(0, &spare);
}

static void announce(double scale, int limit_s) {
  struct utsname system;
  uname(&system);
  printf("kernel %s, modelled: %s on %s\nmodel CPU i is CPU: ", system.release, model_kernel,
         model_topology);
  for (int i = 0; i < have_cpus; ++i) printf("%d ", real_cpu[i]);
  printf("(the first %d); scale %g; time limit %d s\n", nr_cpus, scale, limit_s);
}

/* Which CPUs the model's are; then the spare ones. */
static void mark_cpus(void) {
  char mark[1000] = "schedcheck cpus";
  int length = (int)strlen(mark);
  for (int i = 0; i < have_cpus && length < (int)sizeof mark - 16; ++i)
    length += snprintf(mark + length, 16, " %d", real_cpu[i]);
  write_mark(mark, length);
}

static void on_signal(int number) { atomic_store(&sh->stop, number); }

static double number_above_0(const char *text) {
  char *rest;
  double value = text ? strtod(text, &rest) : 0;
  if (!text || *rest || !(value > 0 && value <= 1000000))
    fail("--scale", "must be a number above 0 and at most 1000000");
  return value;
}

int main(int argc, char **argv) {
  double scale = default_scale;
  const char *pid_file = NULL;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--scale")) scale = number_above_0(argv[++i]);
    else if (!strcmp(argv[i], "--cgroup") && i + 1 < argc) write_number(argv[++i], 0);
    else if (!strcmp(argv[i], "--marks") && i + 1 < argc) {
      if ((marks_fd = open(argv[++i], O_WRONLY | O_CLOEXEC)) < 0) fail(argv[i], strerror(errno));
    } else if (!strcmp(argv[i], "--pid-file") && i + 1 < argc) pid_file = argv[++i];
    else
      fail(argv[i], "unknown; usage: [--scale K] [--cgroup CGROUP/cgroup.procs] [--pid-file FILE] "
                    "[--marks TRACE_MARKER]; see the head of the source");
  }
  map_cpus();
  read_plan(scale);
  double limit_s = 2.0 * (double)end_ns / 1e9 + nr_events / 20.0 + 5;
  if (limit_s > 3600) limit_s = 3600;
  sh->deadline_ns = now() + (long long)(limit_s * 1e9);
  signal(SIGTERM, on_signal);
  signal(SIGINT, on_signal);
  signal(SIGCHLD, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_TIMERSLACK, 1);
  if (pid_file) setpgid(0, 0), write_number(pid_file, getpid());
  announce(scale, (int)limit_s);
  place_driver();
  mark_cpus();
  fflush(stdout);
  start_tasks();
  drive();
  return end();
}
)PROGRAM";

}  // namespace schedcheck
