// SPDX-License-Identifier: MIT
// Waits and WaitWatch: a rank's waits for others, which can be ended. Gloo ends no wait for a message that is on its
// way when the connection ends, and none when the connection is closed on this side.
#pragma once

#include <gloo/transport/context.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/non_copyable.h"

namespace d2l::distributed::detail {

/// Those of one group.
class Waits : d2l::detail::NonCopyable {
 public:
  /// Calls `wait`, which returns false after `abort` was called; gloo::IoException then.
  void add(std::function<void()> abort, const std::function<bool()>& wait);
  /// Ends all waits, also those that are added later.
  void end();
  [[nodiscard]] bool has_one_since(std::chrono::steady_clock::time_point time);

 private:
  struct Wait {
    std::chrono::steady_clock::time_point began;
    std::function<void()> abort;
  };

  std::mutex mutex_;
  std::list<Wait> waits_;
  bool has_ended_ = false;
};

/// A transport whose waits are among these.
std::shared_ptr<gloo::transport::Context> with_waits(std::shared_ptr<gloo::transport::Context> transport,
                                                     std::shared_ptr<Waits> waits);

/// Ends the waits of all groups that last if a rank has failed, also those of groups without it.
class WaitWatch : d2l::detail::NonCopyable {
 public:
  /// A thread calls `have_failed` while there are such waits.
  explicit WaitWatch(std::function<bool()> have_failed);
  ~WaitWatch();
  /// The waits of a new group.
  std::shared_ptr<Waits> of_group();

 private:
  void run();

  const std::function<bool()> have_failed_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  std::vector<std::weak_ptr<Waits>> groups_;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace d2l::distributed::detail
