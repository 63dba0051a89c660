// SPDX-License-Identifier: MIT
// The groups that this process, or in run_ranks() this thread, has joined.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/non_copyable.h"
#include "d2l/distributed/process_group.h"
#include "distributed/cards.h"
#include "distributed/engine/engine.h"
#include "distributed/worker.h"

namespace d2l::distributed::detail {

/// A group. A rank's own groups alone are in its memory.
class GroupState : d2l::detail::NonCopyable {
 public:
  /// `own_engine` is null for one process, which is rank 0, and for a group without this process.
  GroupState(std::string backend_name, std::vector<int> ranks, int own_rank, std::unique_ptr<Engine> own_engine)
      : backend(std::move(backend_name)),
        global_ranks(std::move(ranks)),
        rank(own_rank),
        engine(std::move(own_engine)) {}
  /// Leaves the group: works that are not done end with an error.
  ~GroupState();

  [[nodiscard]] int size() const { return static_cast<int>(global_ranks.size()); }

  const std::string backend;
  const std::vector<int> global_ranks;
  const int rank;  ///< -1 if this process is not a member
  const std::unique_ptr<Engine> engine;
  std::unique_ptr<Cards> cards;  ///< of nccl; set before the group is used
  std::atomic<bool> is_leaving{false};
  std::int64_t collectives = 0;  ///< begun so far
  std::int64_t groups = 0;       ///< made of its ranks so far
  Worker worker;                 ///< runs the collectives and the messages
};

/// What a process knows of itself and the others.
struct World {
  std::shared_ptr<GroupState> all;
  std::vector<std::weak_ptr<GroupState>> further;
  std::vector<Device> devices;
  int local_rank = 0;
};

/// The world of this thread, else of the process; null if neither has joined a group.
World* world();
/// ValueError if there is none.
World& joined(const char* operation);
/// The state of a group; ValueError if no group was joined.
GroupState& state_of(const ProcessGroup& group, const char* operation);
/// The same; ValueError if this process is not a member.
GroupState& member_of(const ProcessGroup& group, const char* operation);
/// Whether NCCL joins these tensors, one on each card of this process.
[[nodiscard]] bool on_cards(const GroupState& state, const std::vector<Tensor>& tensors);
/// Makes `own` the world of this thread until the scope ends.
class ThreadWorld : d2l::detail::NonCopyable {
 public:
  explicit ThreadWorld(World& own);
  ~ThreadWorld();
};

}  // namespace d2l::distributed::detail
