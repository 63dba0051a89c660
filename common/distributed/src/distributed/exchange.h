// SPDX-License-Identifier: MIT
// all_to_all() of one tensor for each rank, whose arguments are checked.
#pragma once

#include <functional>
#include <vector>

#include "d2l/distributed/collectives.h"
#include "distributed/group.h"

namespace d2l::distributed::detail {

/// For processes with so many devices; Work::wait() calls `then` at the end.
Work all_to_all_then(GroupState& state, const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                     int devices, std::function<void()> then);

}  // namespace d2l::distributed::detail
