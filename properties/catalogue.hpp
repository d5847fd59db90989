// SPDX-License-Identifier: Apache-2.0
/// \file The properties by name.
#pragma once

#include <span>
#include <string_view>

#include "properties/observer.hpp"

namespace schedcheck {

/// Pages in the order of AllProperties.
std::span<const PropertyInfo> property_catalogue();

/// Position of a property. Throws InputError that lists the known names.
std::size_t property_index(std::string_view name);

/// "all" or a comma-separated list of names. Throws InputError.
PropertySet parse_properties(std::string_view list);

/// Of `wanted`, what a kernel of `version` (kernel_switches.hpp) can be judged by: before v6.6
/// another rule picked, which the model does not have. `all` leaves such properties out; one that
/// `list` names throws InputError.
PropertySet judged_on(PropertySet wanted, std::string_view list, int version);

/// Properties that this model is documented to fail (pages, "Fails on").
PropertySet documented_failures(const Model& model);

}  // namespace schedcheck
