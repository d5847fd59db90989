// SPDX-License-Identifier: Apache-2.0
/// \file What every page of export format `html` has: style, frame and script. The data stands in
/// between, as JSON; the script writes it into the page as text only.
#pragma once

#include <string_view>

namespace schedcheck {

extern const std::string_view kHtmlHead;   ///< Up to the content of the data element.
extern const std::string_view kHtmlFrame;  ///< What the script fills in.
extern const std::string_view kHtmlDraw;   ///< The script: timeline.
extern const std::string_view kHtmlShow;   ///< The script: tables, slider; the end of the page.

}  // namespace schedcheck
