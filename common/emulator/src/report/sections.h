// SPDX-License-Identifier: MIT
// The parts of the page.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/page.h"

namespace d2l::emulator::report_page {

/// The table of launches, with a link to the section of each kernel.
std::string overview(const std::vector<Kernel>& kernels);

using FindPath = std::function<std::string(const std::string& file)>;
/// The counts of a kernel beside the lines of its source, what the checks reported there, and one request of a warp.
std::string kernel_section(std::size_t number, const detail::KernelSums::Sum& sum, const Findings& findings,
                           const FindPath& path_of);

}  // namespace d2l::emulator::report_page
