// SPDX-License-Identifier: MIT
#include "execution/cores.h"

#include <system_error>

namespace d2l::emulator {

Cores::~Cores() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  for (std::thread& each : threads_) each.join();
}

void Cores::serve(unsigned core) {
  std::unique_lock lock(mutex_);
  for (unsigned done = 0;;) {
    changed_.wait(lock, [&] { return ends_ || (runs_ != done && core < wanted_); });
    if (ends_) return;
    done = runs_;
    const auto& work = *work_;
    lock.unlock();
    work(core);
    lock.lock();
    if (--running_ == 0) changed_.notify_all();
  }
}

void Cores::run(unsigned count, const std::function<void(unsigned)>& work) {
  try {
    while (threads_.size() + 1 < count) {
      threads_.emplace_back(&Cores::serve, this, static_cast<unsigned>(threads_.size() + 1));
    }
  } catch (const std::system_error&) {  // no more threads
    count = static_cast<unsigned>(threads_.size() + 1);
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    wanted_ = count;
    running_ = count - 1;
    ++runs_;
  }
  changed_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return running_ == 0; });
  wanted_ = 0;
}

}  // namespace d2l::emulator
