// SPDX-License-Identifier: Apache-2.0
/// \file The C program of `c` and `sh`, part 1: what a task process does.
#include "counterexamples/export/c_program.hpp"

namespace schedcheck {

const std::string_view kProgramTasksC =
    R"PROGRAM(#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000LL
#define GAP_NS 50000LL         /* Between two events, so that the first has taken effect. */
#define SHIFT_NS (1 * MS)      /* A longer delay moves the rest of the timeline. */
#define GIVE_UP_NS (2000 * MS) /* An event that is later than this is missed. */

enum { WAITING, CLAIMED, DONE, MISSED };

struct event {
  char label[16], what[16];
  const struct kind *kind;
  int task, other, predicted, cpu; /* other: a fork's child, whom an exit wakes, nice, RT priority. */
  cpu_set_t cpus;
  long long planned_ns, done_ns; /* Since the start. */
  atomic_int state;
};

struct task {
  int initial, cpu, nice, blocked, util, pid, first_cpu;
  cpu_set_t cpus;
  atomic_int alive, woken_by; /* woken_by: index of the wake event; -1: none. */
  atomic_uint awake;
};

/* Memory that all processes share. */
static struct {
  atomic_int stop, started;
  atomic_uint ready, next; /* next: index of the event whose turn it is. */
  atomic_llong shift_ns, earliest_ns;
  long long start_ns, deadline_ns;
} *sh;
static struct task *tasks;
static struct event *events;
static int nr_cpus, nr_tasks, have_cpus, real_cpu[CPU_SETSIZE];
static unsigned nr_events;
static long long end_ns;
static int marks_fd = -1; /* trace_marker of tracefs: what happens when, for readers of the trace. */

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 * MS + t.tv_nsec;
}

static int is_over(void) { return atomic_load(&sh->stop) || now() > sh->deadline_ns; }

static struct timespec time_of(long long ns) {
  return (struct timespec){(time_t)(ns / (1000 * MS)), (long)(ns % (1000 * MS))};
}

/* In slices: a stop is seen even if its signal came just before. */
static void sleep_until(long long until) {
  for (long long at; (at = now()) < until && !is_over();) {
    struct timespec t = time_of(until < at + 100 * MS ? until : at + 100 * MS);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
  }
}

static void futex_wait(atomic_uint *word, unsigned value, long long until) {
  struct timespec t = time_of(until);
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, &t, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void futex_wake(atomic_uint *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

/* Who does what, one row per kind of event: the task itself, the driver, or time by itself. */
enum who { TASK, DRIVER, TIME };
struct kind {
  const char *what;
  enum who who;
  int (*act)(struct event *); /* Returns DONE or MISSED; NULL: it finishes the event itself. */
  void (*last)(struct event *);
};
static int driver_does(const struct event *e) { return e->kind->who == DRIVER; }
static int is_time(const struct event *e) { return e->kind->who == TIME; }
static int is_fork(const struct event *e) { return !strcmp(e->what, "fork"); }
static long long due(const struct event *e) {
  long long ns = sh->start_ns + e->planned_ns + atomic_load(&sh->shift_ns);
  return ns > atomic_load(&sh->earliest_ns) ? ns : atomic_load(&sh->earliest_ns);
}

static int claim(struct event *e) {
  return atomic_compare_exchange_strong(&e->state, &(int){WAITING}, CLAIMED);
}

/* The turn goes to event i, or to the first one after it that somebody can do. */
static void advance(unsigned i) {
  for (; i < nr_events; ++i) {
    if (!is_time(&events[i]) && atomic_load(&tasks[events[i].task].alive)) break;
    atomic_store(&events[i].state, is_time(&events[i]) ? DONE : MISSED);
  }
  atomic_store(&sh->next, i);
  if (i == nr_events || driver_does(&events[i])) futex_wake(&sh->next);
}

static void finish(struct event *e, int state) {
  long long done = now(), late = done - due(e);
  e->done_ns = done - sh->start_ns;
  if (state == DONE && late > SHIFT_NS) atomic_fetch_add(&sh->shift_ns, late);
  atomic_store(&sh->earliest_ns, done + GAP_NS);
  atomic_store(&e->state, state);
  advance((unsigned)(e - events) + 1);
}

static void wake(int n, int by) {
  atomic_store(&tasks[n].woken_by, by);
  if (atomic_exchange(&tasks[n].awake, 1) == 0) futex_wake(&tasks[n].awake);
}

static void sleep_until_woken(struct task *t) {
  while (!atomic_load(&t->awake) && !is_over()) futex_wait(&t->awake, 0, sh->deadline_ns);
  if (t->woken_by >= 0) events[t->woken_by].cpu = sched_getcpu();
}

static void be_task(int me);

static int do_fork(struct event *e) {
  struct task *child = &tasks[e->other];
  atomic_store(&child->alive, 1);
  atomic_store(&child->awake, 1);
  int pid = fork();
  if (pid == 0) child->first_cpu = sched_getcpu(), be_task(e->other);
  if (pid < 0) atomic_store(&child->alive, 0);
  else child->pid = pid;
  return pid < 0 ? MISSED : DONE;
}

static void do_block(struct event *e) {
  atomic_store(&tasks[e->task].woken_by, -1);
  atomic_store(&tasks[e->task].awake, 0);
  finish(e, DONE);
  sleep_until_woken(&tasks[e->task]);
}

static void do_exit(struct event *e) {
  if (e->other >= 0 && atomic_load(&tasks[e->other].alive)) wake(e->other, -1);
  atomic_store(&tasks[e->task].alive, 0);
  finish(e, DONE);
  _exit(0);
}

static int do_yield(struct event *e) { return (void)e, sched_yield() ? MISSED : DONE; }
static int do_setsid(struct event *e) { return (void)e, setsid() < 0 ? MISSED : DONE; }

static int do_wake(struct event *e) { return wake(e->task, (int)(e - events)), DONE; }
static int do_set_affinity(struct event *e) {
  return sched_setaffinity(tasks[e->task].pid, sizeof e->cpus, &e->cpus) ? MISSED : DONE;
}
static int do_set_nice(struct event *e) {
  return setpriority(PRIO_PROCESS, (id_t)tasks[e->task].pid, e->other) ? MISSED : DONE;
}
/* other: the FIFO priority, the RR priority + 100, 0 for the fair class. */
static int do_set_policy(struct event *e) {
  struct sched_param param = {.sched_priority = e->other % 100};
  int policy = e->other > 100 ? SCHED_RR : e->other ? SCHED_FIFO : SCHED_OTHER;
  return sched_setscheduler(tasks[e->task].pid, policy, &param) ? MISSED : DONE;
}

static const struct kind kinds[] = {
    {"run", TIME, NULL, NULL},
    {"update_blocked", TIME, NULL, NULL},
    {"fork", TASK, do_fork, NULL},
    {"block", TASK, NULL, do_block},
    {"exit", TASK, NULL, do_exit},
    {"yield", TASK, do_yield, NULL},
    {"setsid", TASK, do_setsid, NULL},
    {"wake", DRIVER, do_wake, NULL},
    {"set_affinity", DRIVER, do_set_affinity, NULL},
    {"set_nice", DRIVER, do_set_nice, NULL},
    {"set_policy", DRIVER, do_set_policy, NULL},
};

static void write_mark(const char *text, int length) {
  if (marks_fd >= 0 && write(marks_fd, text, (size_t)length) < 0) marks_fd = -1;
}

static void act(struct event *e) {
  char mark[64];
  if (marks_fd >= 0)
    write_mark(mark, snprintf(mark, sizeof mark, "schedcheck event %s: %s", e->label, e->what));
  if (e->kind->act) finish(e, e->kind->act(e));
  else e->kind->last(e);
}

/* A task that runs spins until its next event is due. */
static void be_task(int me) {
  char name[16];
  snprintf(name, sizeof name, "sctask-%d", me);
  prctl(PR_SET_NAME, name);
  tasks[me].pid = getpid(); /* Before the parent knows it. */
  sleep_until_woken(&tasks[me]); /* If it starts blocked. */
  while (!is_over()) {
    unsigned i = atomic_load(&sh->next);
    struct event *e = &events[i];
    if (!atomic_load(&sh->started) || i >= nr_events) continue;
    if (e->task != me || driver_does(e) || now() < due(e) || !claim(e)) continue;
    e->cpu = sched_getcpu();
    act(e);
  }
  _exit(0);
}
)PROGRAM";

}  // namespace schedcheck
