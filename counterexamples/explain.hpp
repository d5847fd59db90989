// SPDX-License-Identifier: Apache-2.0
/// \file A schedule in sentences with the numbers of each decision, and a property's page.
#pragma once

#include <string>

#include "counterexamples/replay.hpp"

namespace schedcheck {

/// Claim, why, source, assumes, holds on, fails on, of a property of the catalogue.
std::string explain_property(std::size_t property);

/// What happens in `schedule`, why its property fails, the trade-off where it applies, and the
/// limits in force. `source` names the file in errors. Throws InputError when an event is not
/// enabled.
std::string explain_schedule(const Schedule& schedule, const std::string& source);

/// One step in a line or two: the event and, for a fork, each level's numbers and the reason.
std::string step_text(const ReplayStep& step, bool with_numbers);

/// "no ... point" text of both numbers; see TradeOff.
std::string trade_off_text(const TradeOff& t);

}  // namespace schedcheck
