// SPDX-License-Identifier: MIT
// In place of backend/cuda/nccl, in a build without the header of NCCL.
#include "backend/card_collectives.h"
#include "d2l/error.h"

namespace d2l::backend {

namespace {

constexpr const char* obstacle = "this library was built without nccl.h (libnccl-dev has it)";

}  // namespace

bool has_card_collectives() noexcept { return false; }
std::string card_collectives_obstacle(int /*processes*/) { return obstacle; }
bool prefers_card_collectives() noexcept { return false; }
CardGroupId make_card_group_id() { throw DistributedError(obstacle); }
std::shared_ptr<CardGroup> join_card_group(Backend& /*backend*/, const CardGroupId& /*id*/,
                                           const std::vector<int>& /*devices*/, int /*first*/, int /*count*/,
                                           std::chrono::milliseconds /*timeout*/) {
  throw DistributedError(obstacle);
}

}  // namespace d2l::backend
