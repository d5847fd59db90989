// SPDX-License-Identifier: Apache-2.0
/// \file Export format `dot`: which event made another possible or changed what it read, with the
/// slice behind the violation highlighted.
#include <fmt/format.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <map>
#include <set>

#include "counterexamples/export/export.hpp"
#include "counterexamples/export/timeline.hpp"
#include "counterexamples/export/workload_words.hpp"

namespace schedcheck {
namespace {

struct Node {
  std::string text;
  bool violated = false;
};
struct Edge {
  std::string text;
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Node, Edge>;

struct Collect : boost::default_bfs_visitor {
  std::set<std::size_t>* found;
  explicit Collect(std::set<std::size_t>* f) : found(f) {}
  template <class V, class G>
  void discover_vertex(V v, const G& /*graph*/) const {
    found->insert(v);
  }
};

/// Edges say why a later event needs an earlier one: the earlier one made or woke its task, was its
/// task's last, or was the last to change a CPU whose queue the later one reads.
class CausalityGraph {
 public:
  CausalityGraph(const Timeline& t, const Schedule& schedule) : graph_(t.events.size()) {
    const std::size_t first = schedule.preamble.size();
    for (std::size_t i = 0; i < t.events.size(); ++i)
      graph_[i].text = fmt::format("{}. {}\\nat {} ns", t.events[i].label,
                                   event_words(t.events[i].event), t.events[i].ns);
    if (schedule.finding && schedule.finding->event > 0)
      goal_ = first + static_cast<std::size_t>(schedule.finding->event) - 1;
    if (goal_ < t.events.size()) graph_[goal_].violated = true;
    collect(t);
    for (std::size_t i = 0; i < t.events.size(); ++i) connect(i, t.events[i], t.nr_cpus);
  }

  [[nodiscard]] std::string text(const std::string& title) const {
    const std::set<std::size_t> slice = slice_of_goal();
    std::ostringstream out;
    boost::write_graphviz(
        out, graph_,
        [&](std::ostream& o, std::size_t v) {
          o << "[label=\"" << graph_[v].text << "\""
            << (graph_[v].violated  ? ", style=filled, fillcolor=\"#f4b6b0\", penwidth=2"
                : slice.contains(v) ? ", style=filled, fillcolor=\"#fbe8b0\""
                                    : ", color=gray60, fontcolor=gray40")
            << "]";
        },
        [&](std::ostream& o, const Graph::edge_descriptor& e) {
          const bool matters =
              slice.contains(source(e, graph_)) && slice.contains(target(e, graph_));
          o << "[label=\"" << graph_[e].text << "\""
            << (matters ? ", penwidth=2" : ", color=gray60, fontcolor=gray40") << "]";
        },
        [&](std::ostream& o) {
          o << "label=\"" << title << "\"; labelloc=t; rankdir=TB;\n"
            << "node [shape=box, fontname=\"monospace\"]; edge [fontname=\"monospace\"];\n";
        });
    return out.str();
  }

 private:
  /// The CPUs that each event changes and the tasks that it makes, wakes or moves.
  void collect(const Timeline& t) {
    cpus_.resize(t.events.size());
    tasks_.resize(t.events.size());
    int event = -1;
    for (const Change& c : t.changes) {
      if (c.kind == ChangeKind::kEvent) event = c.event;
      if (event < 0 || c.kind == ChangeKind::kEvent) continue;
      const auto i = static_cast<std::size_t>(event);
      if (c.kind == ChangeKind::kSwitch) {
        cpus_[i].insert(c.cpu);
      } else if (c.kind == ChangeKind::kFork) {
        tasks_[i][c.other] = "child";
      } else if (c.kind != ChangeKind::kExit) {
        cpus_[i].insert(c.target);
        if (c.kind != ChangeKind::kNew)
          tasks_[i].try_emplace(c.task, c.kind == ChangeKind::kMigrate ? "moved" : "woken");
      }
    }
  }

  void connect(std::size_t i, const TimelineEvent& e, int nr_cpus) {
    std::map<std::size_t, std::string> why;
    const auto need = [&](const std::map<int, std::size_t>& last, int key,
                          const std::string& text) {
      const auto found = last.find(key);
      if (found == last.end()) return;
      std::string& label = why[found->second];
      label += (label.empty() ? "" : "\\n") + text;
    };
    const bool time = e.event.after_ns > 0 || e.event.duration_ns > 0;
    const bool names_task = has_task(e.event.kind);
    if (names_task) {
      const auto made = last_of_task_.find(e.event.task);
      const bool other = made != last_of_task_.end() && tasks_[made->second].contains(e.event.task);
      need(last_of_task_, e.event.task,
           fmt::format("task {}{}", e.event.task,
                       other ? " " + tasks_[made->second].at(e.event.task) : ""));
    }
    // Placement reads every queue, time ages every queue, other events their own.
    const bool reads_all = time || e.event.kind == EventKind::kFork;
    for (int cpu = 0; cpu < nr_cpus; ++cpu)
      if (reads_all || cpus_[i].contains(cpu) ||
          (e.event.kind == EventKind::kUpdateBlocked && e.event.cpu == cpu))
        need(last_of_cpu_, cpu, fmt::format("CPU {}", cpu));
    for (const auto& [from, text] : why) add_edge(from, i, Edge{text}, graph_);
    if (!e.happened) return;
    if (names_task) last_of_task_[e.event.task] = i;
    for (const auto& [task, how] : tasks_[i]) last_of_task_[task] = i;
    for (int cpu = 0; cpu < nr_cpus; ++cpu)
      if (time || cpus_[i].contains(cpu)) last_of_cpu_[cpu] = i;
    if (e.event.kind == EventKind::kUpdateBlocked) last_of_cpu_[e.event.cpu] = i;
  }

  /// What the violated event needs, directly or through others: the rest cannot matter.
  [[nodiscard]] std::set<std::size_t> slice_of_goal() const {
    std::set<std::size_t> slice;
    if (goal_ >= num_vertices(graph_)) return slice;
    boost::breadth_first_search(boost::make_reverse_graph(graph_), goal_,
                                boost::visitor(Collect(&slice)));
    return slice;
  }

  Graph graph_;
  std::size_t goal_ = static_cast<std::size_t>(-1);
  std::vector<std::set<int>> cpus_;
  std::vector<std::map<int, std::string>> tasks_;
  std::map<int, std::size_t> last_of_task_, last_of_cpu_;
};

}  // namespace

std::string export_dot(const Schedule& schedule) {
  const Timeline timeline = record_timeline(schedule);
  const std::string property =
      schedule.finding ? harmless(schedule.finding->property) : "no finding";
  return CausalityGraph(timeline, schedule)
      .text(fmt::format("{} on {}, {}\\nred: violated there; yellow: what it needs; published: {}",
                        property, harmless(schedule.kernel), harmless(schedule.topology),
                        published_command(schedule)));
}

}  // namespace schedcheck
