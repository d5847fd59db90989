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

/// Properties that this model is documented to fail (pages, "Fails on").
PropertySet documented_failures(const Model& model);

}  // namespace schedcheck
