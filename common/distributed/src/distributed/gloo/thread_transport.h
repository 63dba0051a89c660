// SPDX-License-Identifier: MIT
// A transport of Gloo for ranks that are threads of one process: messages are copied through memory.
#pragma once

#include <gloo/transport/context.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/non_copyable.h"
#include "distributed/engine/roll_call.h"

namespace d2l::distributed::detail {

/// What is on the way between the threads, and which have gone.
class MessageBoard : d2l::detail::NonCopyable {
 public:
  struct Message {
    std::string group;
    int from;
    int to;
    std::uint64_t slot;
    std::vector<char> bytes;
  };
  struct Wanted {
    std::vector<int> from;
    std::uint64_t slot;
    char* to;
    std::size_t bytes;
  };

  void send(Message message);
  /// Waits until one of the wanted messages for `rank` is there, copies it, removes it from the list, and returns its
  /// sender; nullopt after abort(). gloo::IoException after the timeout, and if this rank or the sender of a wanted
  /// message has gone.
  std::optional<int> receive(const std::string& group, int rank, std::vector<Wanted>& wanted,
                             std::chrono::milliseconds timeout, const bool& is_aborted);
  /// Ends a receive().
  void abort(bool& is_aborted);
  /// A rank of the group goes: it sends no more.
  void close(const std::string& group, int rank);

  std::optional<std::string> first_cause(std::chrono::milliseconds patience);
  std::set<int> left();
  std::optional<std::string> call_roll(const Stuck& stuck);
  void report(const std::string& cause);
  void leave(int rank);

 private:
  [[nodiscard]] bool waits_for_gone(const std::string& group, int own, const std::vector<Wanted>& wanted) const;
  std::optional<int> take(const std::string& group, int rank, std::vector<Wanted>& wanted);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
  std::set<std::pair<std::string, int>> gone_;
  std::optional<std::string> cause_;
  std::set<int> left_;
  RollCall roll_call_;
};

class ThreadTransport : public gloo::transport::Context {
 public:
  ThreadTransport(std::shared_ptr<MessageBoard> board, std::string group, int rank, int size);
  std::unique_ptr<gloo::transport::Pair>& createPair(int other) override { return getPair(other); }
  /// One without functions: Gloo's algorithms look whether there is one.
  std::unique_ptr<gloo::transport::Pair>& getPair(int other) override;
  std::unique_ptr<gloo::transport::UnboundBuffer> createUnboundBuffer(void* memory, std::size_t bytes) override;

 private:
  std::shared_ptr<MessageBoard> board_;
  std::string group_;
  std::unique_ptr<gloo::transport::Pair> pair_;
};

}  // namespace d2l::distributed::detail
