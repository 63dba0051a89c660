// SPDX-License-Identifier: MIT
// GlooEngine: collectives by Gloo's algorithms, over any of its transports, and messages from rank to rank.
#pragma once

#include <gloo/context.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/non_copyable.h"
#include "distributed/engine/engine.h"
#include "distributed/gloo/liveness.h"

namespace d2l::distributed::detail {

/// What connects the ranks of a group.
struct Connections {
  std::shared_ptr<gloo::transport::Context> transport;
  std::function<void()> close;      ///< ends the waits of this rank, and those of the others for it
  std::function<void()> end_waits;  ///< ends the waits of this rank; what it has sent still reaches the others
};

/// Makes the connections of some ranks of a group, each of which calls it with the same key.
using Connect = std::function<Connections(const std::vector<int>& global_ranks, int rank, const std::string& key)>;

class GlooEngine : public Engine, d2l::detail::NonCopyable {
 public:
  /// The rank `rank` of these.
  GlooEngine(std::vector<int> global_ranks, int rank, const std::string& key, std::chrono::milliseconds timeout,
             Connect connect, std::shared_ptr<Liveness> liveness, bool is_all);
  ~GlooEngine() override;
  /// Waits until all ranks have connected: until then the store must be there.
  void wait_for_all();

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(global_ranks_.size()); }

  void agree(const Call& call) override;
  void all_reduce(void* data, std::int64_t count, ScalarType dtype, ReduceOp op) override;
  void broadcast(void* data, std::size_t bytes, int src) override;
  void reduce(void* data, std::int64_t count, ScalarType dtype, ReduceOp op, int dst) override;
  void all_gather(void* out, const void* in, std::size_t bytes) override;
  void reduce_scatter(void* out, void* in, std::int64_t count, ScalarType dtype, ReduceOp op) override;
  void scatter(void* out, const void* in, std::size_t bytes, int src) override;
  void gather(void* out, const void* in, std::size_t bytes, int dst) override;
  void all_to_all(void* out, const std::vector<std::size_t>& out_bytes, const void* in,
                  const std::vector<std::size_t>& in_bytes) override;
  void send(const void* data, std::size_t bytes, int dst, int tag, const Call& call) override;
  int recv(void* data, std::size_t bytes, int src, int tag, const Call& call) override;
  std::unique_ptr<Engine> split(const std::vector<int>& ranks, const std::string& key) override;
  void leave(const std::string& failure) noexcept override;

 private:
  using Context = std::shared_ptr<gloo::Context>;
  /// The connections, and Gloo's context over them, which counts messages. It lives as long as a call uses it.
  struct Connected {
    Connections connections;
    Context context;
  };

  /// DistributedError if the group is broken or this rank has left it.
  std::shared_ptr<Connected> connected(Collective collective);
  /// Calls `work`, a part of a collective that all have begun, and throws Gloo's errors as DistributedError.
  void guarded(Collective collective, const std::function<void(const Context&)>& work);
  /// This rank has waited for the others in vain: finds the cause with them, and throws. `missed` is what a rank that
  /// is the cause did not do with the collective within the timeout, if that is over.
  [[noreturn]] void fail_together(Collective collective, bool late, const char* missed);
  /// Calls `work`, a part of a message, and throws Gloo's errors as DistributedError. `partner` is the other rank, and
  /// `missed` says what it did not do within the timeout.
  void guarded_message(Collective collective, int partner, const char* missed,
                       const std::function<void(const Connected&)>& work);
  /// Waits for a message from any rank; -1 if no more can come. Gloo does not end that wait when all others have left.
  int wait_for_any(gloo::transport::UnboundBuffer& buffer);
  [[nodiscard]] bool no_more_come();
  [[nodiscard]] std::vector<int> others() const;
  /// Whether all of these ranks of this group have left on purpose.
  [[nodiscard]] bool have_left(const std::vector<int>& ranks);
  /// Notes the first cause, ends the connections, and throws.
  [[noreturn]] void fail(Collective collective, const std::string& found);
  void close();
  [[nodiscard]] std::uint32_t tag() const { return static_cast<std::uint32_t>(number_.load()); }
  [[nodiscard]] int global(int rank) const { return global_ranks_[static_cast<std::size_t>(rank)]; }

  const std::vector<int> global_ranks_;
  const int rank_;
  const std::chrono::milliseconds timeout_;
  const Connect connect_;
  const std::shared_ptr<Liveness> liveness_;
  const bool is_all_;
  std::atomic<std::int64_t> number_{0};  ///< of the collective
  std::mutex mutex_;
  std::shared_ptr<Connected> connected_;  ///< null for one rank, and after leave()
  std::string broken_;                    ///< the cause
  bool left_ = false;
};

}  // namespace d2l::distributed::detail
