// SPDX-License-Identifier: MIT
// Engine: what moves bytes between the processes of a group. gloo implements it, over TCP and for ranks
// that are threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "distributed/engine/call.h"

namespace d2l::distributed::detail {

/// The processes of one group. All memory is host memory, contiguous. A call blocks until the memory may be used again;
/// it throws DistributedError, which names the rank and the collective, if a rank has died or does not take part within
/// the timeout. After that every call throws the same error at once. One thread at a time calls collectives;
/// beside them, one at a time calls send() for a rank and tag, and recv() for those that the same message could fit.
class Engine {
 public:
  virtual ~Engine() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Sends this rank's call to the others, waits for theirs, and throws unless all are the same; every collective
  /// begins with it, and a barrier is nothing else.
  virtual void agree(const Call& call) = 0;

  virtual void all_reduce(void* data, std::int64_t count, ScalarType dtype, ReduceOp op) = 0;
  virtual void broadcast(void* data, std::size_t bytes, int src) = 0;
  /// `data` of ranks other than `dst` is left as it is.
  virtual void reduce(void* data, std::int64_t count, ScalarType dtype, ReduceOp op, int dst) = 0;
  /// `out` has size() × bytes.
  virtual void all_gather(void* out, const void* in, std::size_t bytes) = 0;
  /// `in` has size() × count elements and may be overwritten.
  virtual void reduce_scatter(void* out, void* in, std::int64_t count, ScalarType dtype, ReduceOp op) = 0;
  /// `in` has size() × bytes on rank `src`, and is null elsewhere.
  virtual void scatter(void* out, const void* in, std::size_t bytes, int src) = 0;
  /// `out` has size() × bytes on rank `dst`, and is null elsewhere.
  virtual void gather(void* out, const void* in, std::size_t bytes, int dst) = 0;
  /// `in` has a part for each rank, one after another, of in_bytes[r] bytes, and `out` one from each rank; the ranks'
  /// sizes fit.
  virtual void all_to_all(void* out, const std::vector<std::size_t>& out_bytes, const void* in,
                          const std::vector<std::size_t>& in_bytes) = 0;
  /// The call goes with the data; a receiver that expects another count or dtype throws, and so does the sender.
  virtual void send(const void* data, std::size_t bytes, int dst, int tag, const Call& call) = 0;
  /// From any rank if `src` is -1; returns the rank that sent it.
  virtual int recv(void* data, std::size_t bytes, int src, int tag, const Call& call) = 0;

  /// The engine of some of these ranks, in this order; each of them, and no other, calls it with the same `key`, which
  /// is not used twice.
  virtual std::unique_ptr<Engine> split(const std::vector<int>& ranks, const std::string& key) = 0;
  /// This rank leaves: on purpose if `failure` is empty, else the others get it as the cause of their errors. A
  /// collective that another thread is in ends with an error. Only the first call counts.
  virtual void leave(const std::string& failure) noexcept = 0;
};

/// What an engine is made of.
struct EngineOptions {
  int rank = 0;
  int size = 1;
  std::string master_addr;
  int master_port = 0;
  std::chrono::milliseconds timeout{};
};

/// The group of all processes over TCP, by Gloo; ConfigurationError in a build without Gloo.
std::unique_ptr<Engine> make_gloo_engine(const EngineOptions& options);
/// The engines of `size` ranks in this process, which pass messages through memory; ConfigurationError in a build
/// without Gloo, whose algorithms they use.
std::vector<std::unique_ptr<Engine>> make_thread_engines(int size, std::chrono::milliseconds timeout);
[[nodiscard]] bool has_gloo();

}  // namespace d2l::distributed::detail
