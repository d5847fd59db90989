// SPDX-License-Identifier: Apache-2.0
/// \file
/// The description of the machine we run on, from the files of a sysfs.

#include <algorithm>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>

#include "model/input_error.hpp"
#include "model/topology/machine_description.hpp"

namespace schedcheck {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "; try a named topology such as smp:4 instead of host";

/// The first line of a sysfs file without trailing blanks; nothing if it cannot be read.
std::optional<std::string> read_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!in) return std::nullopt;
  std::getline(in, line);
  line.erase(line.find_last_not_of(" \t\r\n") + 1);
  return line;
}

std::optional<int> parse_int(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The CPUs a sysfs list file names; nothing if the file is missing or empty.
std::optional<std::vector<int>> read_cpu_list(const fs::path& file) {
  const auto line = read_line(file);
  if (!line || line->empty()) return std::nullopt;
  auto cpus = parse_cpu_list(*line);
  if (!cpus) {
    throw InputError(file.string() + ":1: '" + *line + "' is not a CPU list" + kRemedy);
  }
  return cpus;
}

/// The numbers N of the entries `<prefix>N` of a directory, ascending; empty if it is missing.
std::vector<int> numbered_entries(const fs::path& directory, std::string_view prefix) {
  std::vector<int> numbers;
  std::error_code missing;
  for (fs::directory_iterator it(directory, missing), end; !missing && it != end;
       it.increment(missing)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    if (const auto number = parse_int(std::string_view(name).substr(prefix.size())))
      numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Hands out 0, 1, .. in order of first use.
class Numbering {
 public:
  int operator()(const std::string& key) {
    return numbers_.try_emplace(key, static_cast<int>(numbers_.size())).first->second;
  }

 private:
  std::map<std::string, int> numbers_;
};

/// Names the set of CPUs in the first readable file by its smallest member.
std::optional<std::string> set_name(std::initializer_list<fs::path> files) {
  for (const fs::path& file : files) {
    if (const auto cpus = read_cpu_list(file))
      return "cpu" + std::to_string(*std::min_element(cpus->begin(), cpus->end()));
  }
  return std::nullopt;
}

std::string package_name(const fs::path& cpu_dir) {
  const fs::path topology = cpu_dir / "topology";
  if (auto name = set_name({topology / "package_cpus_list", topology / "core_siblings_list"}))
    return *name;
  return "id" + read_line(topology / "physical_package_id").value_or("");
}

/// The set of CPUs that share the highest data cache.
std::optional<std::string> llc_name(const fs::path& cpu_dir) {
  std::optional<std::string> name;
  int highest = 0;
  for (const int index : numbered_entries(cpu_dir / "cache", "index")) {
    const fs::path cache = cpu_dir / "cache" / ("index" + std::to_string(index));
    const int level = parse_int(read_line(cache / "level").value_or("")).value_or(0);
    if (level <= highest || read_line(cache / "type") == "Instruction") continue;
    if (const auto shared = set_name({cache / "shared_cpu_list"})) {
      name = shared;
      highest = level;
    }
  }
  return name;
}

std::vector<int> online_cpus(const fs::path& cpu_root) {
  auto online = read_cpu_list(cpu_root / "online");
  std::vector<int> cpus = online ? *online : numbered_entries(cpu_root, "cpu");
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  if (cpus.empty()) {
    throw InputError(cpu_root.string() + ": no online CPU found" + kRemedy);
  }
  if (cpus.size() > kMaxCpus) {
    throw InputError("topology 'host': " + std::to_string(cpus.size()) +
                     " CPUs are online, but at most " + std::to_string(kMaxCpus) + " are modelled" +
                     kRemedy);
  }
  return cpus;
}

/// Sets the node of every CPU and the distances. Nodes without an online CPU are left out.
void read_nodes(const fs::path& node_root, MachineDescription& machine) {
  const std::vector<int> ids = numbered_entries(node_root, "node");
  std::vector<std::size_t> populated;  // Index into `ids` of each node of the machine.
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const fs::path dir = node_root / ("node" + std::to_string(ids[i]));
    const std::vector<int> cpus = read_cpu_list(dir / "cpulist").value_or(std::vector<int>{});
    bool used = false;
    for (std::size_t cpu = 0; cpu < machine.cpus.size(); ++cpu) {
      if (std::find(cpus.begin(), cpus.end(), machine.host_cpu[cpu]) == cpus.end()) continue;
      machine.cpus[cpu].node = static_cast<int>(populated.size());
      used = true;
    }
    if (used) populated.push_back(i);
  }
  machine.node_distance = default_distances(std::max(1, static_cast<int>(populated.size())));
  for (std::size_t a = 0; a < populated.size(); ++a) {
    std::ifstream row(node_root / ("node" + std::to_string(ids[populated[a]])) / "distance");
    const std::vector<int> values{std::istream_iterator<int>(row), {}};
    if (values.size() != ids.size()) continue;  // Missing or cut short: keep the default row.
    for (std::size_t b = 0; b < populated.size(); ++b)
      machine.node_distance[a][b] = values[populated[b]];
  }
  for (std::size_t a = 0; a < populated.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      machine.node_distance[a][b] = machine.node_distance[b][a] =
          std::max(machine.node_distance[a][b], machine.node_distance[b][a]);
}

}  // namespace

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::size_t dash = item.find('-');
    const auto first = parse_int(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_int(item.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= kMachineCpuEnd)
      return std::nullopt;
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
    if (item.size() + 1 == text.size()) return std::nullopt;  // A comma with nothing behind it.
    text.remove_prefix(std::min(text.size(), item.size() + 1));
  }
  return cpus;
}

MachineDescription read_host_topology(const fs::path& sysfs_root) {
  const fs::path cpu_root = sysfs_root / "devices/system/cpu";
  MachineDescription machine{"host", {}, {}, online_cpus(cpu_root)};
  Numbering core, cluster, llc, package;
  for (const int cpu : machine.host_cpu) {
    const fs::path dir = cpu_root / ("cpu" + std::to_string(cpu));
    // A part's name begins with that of the part around it, so that parts nest whatever sysfs says.
    const std::string in_package = package_name(dir);
    const std::string in_llc = in_package + "/" + llc_name(dir).value_or("");
    const auto cluster_name = set_name({dir / "topology/cluster_cpus_list"});
    const std::string in_cluster = in_llc + "/" + cluster_name.value_or("");
    const auto core_name =
        set_name({dir / "topology/core_cpus_list", dir / "topology/thread_siblings_list"})
            .value_or("cpu" + std::to_string(cpu));
    machine.cpus.push_back({.core = core(in_cluster + "/" + core_name),
                            .llc = llc(in_llc),
                            .package = package(in_package),
                            .cluster = cluster_name ? cluster(in_cluster) : -1});
  }
  read_nodes(sysfs_root / "devices/system/node", machine);
  return machine;
}

}  // namespace schedcheck
