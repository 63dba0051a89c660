// SPDX-License-Identifier: MIT
// Collectives between cards, of one process or of several, by NCCL. They are defined by backend/cuda/nccl, or in its
// place by backend/cuda/no_nccl or backend/no_cuda.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "d2l/distributed/reduce_op.h"
#include "d2l/dtype.h"

namespace d2l::backend {

/// A collective in which all cards of a group take part. Tensors are contiguous.
struct CardCollective {
  enum class Kind : std::int8_t { all_reduce, broadcast, reduce, all_gather, reduce_scatter };
  /// What a card reads and writes. They may be the same, except for all_gather and reduce_scatter.
  struct Buffers {
    const void* in;
    void* out;
  };
  Kind kind = Kind::all_reduce;
  ScalarType dtype = kFloat;
  distributed::ReduceOp op = distributed::ReduceOp::SUM;
  std::size_t count = 0;  ///< the elements of one card's tensor: all_gather writes, and reduce_scatter reads, more
  int root = 0;           ///< a card of the group, of broadcast and reduce
  std::vector<Buffers> buffers;  ///< of the cards of this process
};

/// A collective that runs beside the queues of the cards.
class CardWork {
 public:
  virtual ~CardWork() = default;
  /// Starts it after the work that was in the queues when it was prepared; any thread may call it. The host may wait
  /// for the other processes to do so, up to the timeout: then DistributedError.
  virtual void issue() = 0;
  /// Work that is issued to the queues from now on waits for it; the host does not.
  virtual void make_queues_wait() = 0;
  [[nodiscard]] virtual bool done() const = 0;
};

/// The cards of the processes of a group, of which this process drives some.
class CardGroup {
 public:
  virtual ~CardGroup() = default;
  /// Notes what is in the queues of the cards now.
  [[nodiscard]] virtual std::shared_ptr<CardWork> prepare(CardCollective collective) = 0;
  /// Ends what waits for other cards. Every later call is a DistributedError.
  virtual void abort() noexcept = 0;
};

/// What the processes must know to find each other: one of them makes it.
using CardGroupId = std::array<char, 128>;

/// Whether this build may have cards.
[[nodiscard]] bool has_card_collectives() noexcept;
/// Why NCCL cannot join the cards of so many processes here; empty if it can.
[[nodiscard]] std::string card_collectives_obstacle(int processes);
/// Whether NCCL is better than copies between the cards: not on emulated cards.
[[nodiscard]] bool prefers_card_collectives() noexcept;
/// DistributedError if NCCL reports an error.
[[nodiscard]] CardGroupId make_card_group_id();
/// The group of `count` cards, in which the devices of `backend`, a backend of cards, are those from `first` on. All
/// processes call it with the same id; DistributedError if one does not within the timeout.
[[nodiscard]] std::shared_ptr<CardGroup> join_card_group(Backend& backend, const CardGroupId& id,
                                                         const std::vector<int>& devices, int first, int count,
                                                         std::chrono::milliseconds timeout);

}  // namespace d2l::backend
