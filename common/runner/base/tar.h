// SPDX-License-Identifier: MIT
// Archives in the format ustar, the same bytes for the same files.
#pragma once

#include <map>
#include <string>

namespace d2l::runner {

/// The archive of files: their bytes by their path in it. Stop when a path is too long for the format.
std::string tar(const std::map<std::string, std::string>& files);

}  // namespace d2l::runner
