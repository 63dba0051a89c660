// SPDX-License-Identifier: MIT
// The rate of a link, as text.
#pragma once

#include <optional>
#include <string>

namespace d2l::launch {

/// The bytes per second of "1Gbit", "2.5Gbit", "100Mbit" or "500kbit"; nullopt if the text is not a rate.
std::optional<double> bytes_per_second(const std::string& rate);

}  // namespace d2l::launch
