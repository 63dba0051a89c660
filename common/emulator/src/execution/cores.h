// SPDX-License-Identifier: MIT
// Cores: threads of the process that run the blocks of one launch together.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace d2l::emulator {

/// The further cores of a queue of a device; they wait between kernels.
class Cores {
 public:
  Cores() = default;
  ~Cores();
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  /// Calls `work(core)` once for each core from 0 to `count` - 1, core 0 on the calling thread. With fewer cores if the
  /// system refuses a thread.
  void run(unsigned count, const std::function<void(unsigned)>& work);

 private:
  void serve(unsigned core);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
  const std::function<void(unsigned)>* work_ = nullptr;
  unsigned wanted_ = 0;   ///< cores of the current run
  unsigned running_ = 0;  ///< of them, those that have not ended
  unsigned runs_ = 0;
  bool ends_ = false;
};

}  // namespace d2l::emulator
