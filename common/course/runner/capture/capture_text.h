// SPDX-License-Identifier: MIT
// A lesson's output as the text in chapters/*/expected.
#pragma once

#include <string>
#include <vector>

namespace d2l::runner {

/// Renders a capture as text. Cells have a number and a title, so that edited prose changes nothing; measured values
/// are rendered as label, unit and range. ConfigurationError for a malformed capture.
std::string render(const std::string& json);

/// A rendered capture without its header and the remark on times of virtual GPUs, and with "[GPU]" for the names of
/// devices.
std::string without_devices(const std::string& rendered);
/// The number of devices in the header of a rendered capture.
int count_devices(const std::string& rendered);

/// One sentence for each measured value outside of its range.
std::vector<std::string> values_out_of_range(const std::string& json);

}  // namespace d2l::runner
