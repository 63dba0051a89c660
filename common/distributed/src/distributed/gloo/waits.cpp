// SPDX-License-Identifier: MIT
#include "distributed/gloo/waits.h"

#include <gloo/common/error.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "distributed/gloo/wrapped_transport.h"

namespace d2l::distributed::detail {

namespace {

using Clock = std::chrono::steady_clock;

/// How often WaitWatch looks at the waits, and how long one may last before it asks for a failure.
constexpr std::chrono::milliseconds between_rounds(500);

class BufferWithWaits : public WrappedBuffer {
 public:
  BufferWithWaits(std::unique_ptr<UnboundBuffer> buffer, std::shared_ptr<Waits> waits)
      : WrappedBuffer(std::move(buffer)), waits_(std::move(waits)) {}

  bool waitRecv(int* rank, std::chrono::milliseconds timeout) override {
    waits_->add([this] { abortWaitRecv(); }, [&] { return WrappedBuffer::waitRecv(rank, timeout); });
    return true;
  }
  bool waitSend(int* rank, std::chrono::milliseconds timeout) override {
    waits_->add([this] { abortWaitSend(); }, [&] { return WrappedBuffer::waitSend(rank, timeout); });
    return true;
  }

 private:
  std::shared_ptr<Waits> waits_;
};

class TransportWithWaits : public WrappedTransport {
 public:
  TransportWithWaits(std::shared_ptr<gloo::transport::Context> transport, std::shared_ptr<Waits> waits)
      : WrappedTransport(std::move(transport)), waits_(std::move(waits)) {}

  std::unique_ptr<gloo::transport::UnboundBuffer> createUnboundBuffer(void* memory, std::size_t bytes) override {
    return std::make_unique<BufferWithWaits>(WrappedTransport::createUnboundBuffer(memory, bytes), waits_);
  }

 private:
  std::shared_ptr<Waits> waits_;
};

}  // namespace

void Waits::add(std::function<void()> abort, const std::function<bool()>& wait) {
  std::list<Wait> own;
  own.push_back({Clock::now(), std::move(abort)});
  const auto place = own.begin();
  const auto remove = [&] {
    const std::lock_guard lock(mutex_);
    waits_.erase(place);
  };
  {
    const std::lock_guard lock(mutex_);
    if (has_ended_) throw gloo::IoException("the waits of this group have ended");
    waits_.splice(waits_.end(), own);
  }
  bool is_complete = false;
  try {
    is_complete = wait();
  } catch (...) {
    remove();
    throw;
  }
  remove();
  if (!is_complete) throw gloo::IoException("the wait was ended");
}

void Waits::end() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  for (const Wait& wait : waits_) wait.abort();
}

bool Waits::has_one_since(Clock::time_point time) {
  const std::lock_guard lock(mutex_);
  return std::any_of(waits_.begin(), waits_.end(), [time](const Wait& wait) { return wait.began <= time; });
}

std::shared_ptr<gloo::transport::Context> with_waits(std::shared_ptr<gloo::transport::Context> transport,
                                                     std::shared_ptr<Waits> waits) {
  return std::make_shared<TransportWithWaits>(std::move(transport), std::move(waits));
}

WaitWatch::WaitWatch(std::function<bool()> have_failed) : have_failed_(std::move(have_failed)) {
  thread_ = std::thread([this] { run(); });
}

WaitWatch::~WaitWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  stopped_.notify_one();
  thread_.join();
}

std::shared_ptr<Waits> WaitWatch::of_group() {
  auto waits = std::make_shared<Waits>();
  const std::lock_guard lock(mutex_);
  std::erase_if(groups_, [](const auto& group) { return group.expired(); });
  groups_.push_back(waits);
  return waits;
}

void WaitWatch::run() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, between_rounds, [this] { return is_stopped_; })) {
    const auto groups = groups_;
    lock.unlock();
    std::vector<std::shared_ptr<Waits>> waiting;
    for (const auto& weak : groups) {
      auto group = weak.lock();
      if (group != nullptr && group->has_one_since(Clock::now() - between_rounds)) waiting.push_back(std::move(group));
    }
    if (!waiting.empty() && have_failed_()) {
      for (const auto& group : waiting) group->end();
    }
    lock.lock();
  }
}

}  // namespace d2l::distributed::detail
