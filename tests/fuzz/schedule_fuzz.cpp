// SPDX-License-Identifier: Apache-2.0
/// \file
/// libFuzzer target: any text is a schedule or refused in one line, and a schedule that was read
/// is read back the same from what is written of it.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "counterexamples/schedule_json.hpp"
#include "model/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace schedcheck;  // NOLINT(google-build-using-namespace): the function is C's.
  Schedule schedule;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are text here.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    schedule = schedule_from_json(text, "input");
  } catch (const InputError& refusal) {
    if (std::string_view(refusal.what()).find('\n') != std::string_view::npos) std::abort();
    return 0;
  }
  if (schedule_from_json(to_json(schedule), "written") != schedule) std::abort();
  return 0;
}
