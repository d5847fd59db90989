// SPDX-License-Identifier: Apache-2.0
/// \file The property catalogue.
#include "properties/catalogue.hpp"

#include <array>

#include "model/input_error.hpp"

namespace schedcheck {

std::span<const PropertyInfo> property_catalogue() {
  static const auto kPages = [] {
    std::array<PropertyInfo, kPropertyCount> infos{};
    for_each_property([&]<class P>(std::size_t i, P) { infos[i] = P::kInfo; });
    return infos;
  }();
  return kPages;
}

std::size_t property_index(std::string_view name) {
  std::string known;
  for (std::size_t i = 0; i < kPropertyCount; ++i) {
    if (property_catalogue()[i].name == name) return i;
    known += (i == 0 ? "" : ", ") + std::string(property_catalogue()[i].name);
  }
  throw InputError("property '" + std::string(name) + "' is unknown; known properties: " + known);
}

PropertySet parse_properties(std::string_view list) {
  PropertySet set = 0;
  for (;;) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    set |= name == "all" ? kEveryProperty : PropertySet{1} << property_index(name);
    if (comma == std::string_view::npos) return set;
    list.remove_prefix(comma + 1);
  }
}

PropertySet judged_on(PropertySet wanted, std::string_view list, int version) {
  constexpr int kFirstEevdf = 6'006'000;
  if (version >= kFirstEevdf) return wanted;
  for (std::size_t i = 0; i < kPropertyCount; ++i) {
    if ((kEevdfProperties >> i & 1) == 0 ||
        list.find(property_catalogue()[i].name) == std::string_view::npos)
      continue;
    throw InputError("property '" + std::string(property_catalogue()[i].name) +
                     "' depends on the pick of v6.6 and later; kernels before had another one, "
                     "which is not modelled");
  }
  return wanted & ~kEevdfProperties;
}

PropertySet documented_failures(const Model& model) {
  PropertySet set = 0;
  for_each_property([&]<class P>(std::size_t i, P) {
    if (P::documented(model)) set |= PropertySet{1} << i;
  });
  return set;
}

}  // namespace schedcheck
