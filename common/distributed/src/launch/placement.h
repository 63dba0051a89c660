// SPDX-License-Identifier: MIT
// Puts ranks on servers, or shows the link between them in another way where there can be none.
#pragma once

#include <functional>
#include <string>

#include "launch/ranks.h"

namespace d2l::launch {

/// Makes the servers of `options`, with the rate of a link between them (no limit if it is empty), and sets
/// options.separate, master_addr and master_port. Where that is not possible, sets options.instead and
/// bytes_per_second: then the ranks have the variables of servers, and the transport of a process group limits the
/// rate. Returns what each rank calls first, to give to run() or continue_as_ranks().
std::function<void(int server)> place(Options& options, const std::string& rate);

}  // namespace d2l::launch
