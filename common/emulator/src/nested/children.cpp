// SPDX-License-Identifier: MIT
// What the threads of a grid add to the streams of the device.
#include "nested/children.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "runtime/errors.h"
#include "runtime/limits.h"

namespace d2l::emulator {

/// Null if the grid has no such stream.
Children::DeviceStream* Children::find(std::uint64_t block, cudaStream_t stream) {
  if (stream == nullptr) return &own_streams_[block];
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : found->second.get();
}

cudaError_t Children::submit(KernelLaunch launch, std::uint64_t block, cudaStream_t stream) {
  auto child = std::make_shared<Child>();
  child->launch = std::move(launch);
  child->block = block;
  bool too_many = false;
  {
    const std::lock_guard lock(mutex_);
    if (fault_) return cudaErrorLaunchFailure;
    if (stream == cudaStreamTailLaunch) {
      tails_.push_back(std::move(child));
      return cudaSuccess;
    }
    if (stream != cudaStreamFireAndForget) {
      DeviceStream* const into = find(block, stream);
      if (into == nullptr) return cudaErrorInvalidResourceHandle;
      into->awaited.push_back(std::exchange(into->last, child));
      for (const auto& before : std::exchange(into->awaited, {})) {
        if (before == nullptr || before->done) continue;
        before->after.push_back(child.get());
        ++child->waits;
      }
    }
    pending_.emplace(child.get(), child);
    ++of_block_[block];
    if (child->waits == 0) ready_.push_back(std::move(child));
    too_many = pending_.size() > device_limit(cudaLimitDevRuntimePendingLaunchCount);
  }
  changed_.notify_all();
  if (too_many) run_in_other_thread([this] { return pending_.empty(); });
  return cudaSuccess;
}

cudaError_t Children::create_stream(cudaStream_t* stream) {
  const std::lock_guard lock(mutex_);
  auto made = std::make_unique<DeviceStream>();
  *stream = reinterpret_cast<cudaStream_t>(made.get());
  streams_.emplace(made.get(), std::move(made));
  return cudaSuccess;
}
cudaError_t Children::destroy_stream(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  return streams_.erase(stream) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
cudaError_t Children::create_event(cudaEvent_t* event) {
  const std::lock_guard lock(mutex_);
  auto made = std::make_unique<DeviceEvent>();
  *event = reinterpret_cast<cudaEvent_t>(made.get());
  events_.emplace(made.get(), std::move(made));
  return cudaSuccess;
}
cudaError_t Children::destroy_event(cudaEvent_t event) {
  const std::lock_guard lock(mutex_);
  return events_.erase(event) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t Children::record(cudaEvent_t event, std::uint64_t block, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  const DeviceStream* const from = find(block, stream);
  if (found == events_.end() || from == nullptr) return cudaErrorInvalidResourceHandle;
  found->second->after = from->last;
  return cudaSuccess;
}
cudaError_t Children::wait_for(cudaEvent_t event, std::uint64_t block, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  DeviceStream* const into = find(block, stream);
  if (found == events_.end() || into == nullptr) return cudaErrorInvalidResourceHandle;
  if (found->second->after != nullptr && found->second->after != into->last) {
    into->awaited.push_back(found->second->after);
  }
  return cudaSuccess;
}

cudaError_t Children::note_error(cudaError_t error, std::uint64_t block, unsigned thread, std::string launch) {
  if (error == cudaSuccess) return error;
  const std::lock_guard lock(mutex_);
  auto& last = errors_[{block, thread}];
  last.error = error;
  if (last.launch.empty()) last.launch = std::move(launch);
  return error;
}
cudaError_t Children::last_error(std::uint64_t block, unsigned thread, bool forget) {
  const std::lock_guard lock(mutex_);
  const auto found = errors_.find({block, thread});
  if (found == errors_.end()) return cudaSuccess;
  found->second.launch.clear();
  const cudaError_t error = found->second.error;
  if (forget) errors_.erase(found);
  return error;
}

void Children::fail(KernelFault fault) {
  const std::lock_guard lock(mutex_);
  if (!fault_) fault_ = std::move(fault);
}

/// A launch that failed and whose error no thread has read would be missed.
void Children::add_unread_errors() {
  std::size_t more = 0;
  std::string text;
  for (const auto& [thread, last] : errors_) {
    if (last.launch.empty()) continue;
    if (text.empty()) {
      text = fmt::format("{} failed with {}, {}, and the thread did not call cudaGetLastError() after it\n",
                         last.launch, error_name(last.error), error_text(last.error));
    } else {
      ++more;
    }
  }
  if (text.empty()) return;
  if (more > 0) text += fmt::format("and {} more\n", more);
  if (!fault_) fault_ = KernelFault{FaultKind::check, ""};
  fault_->text += text;
}

void Children::finish(KernelOutcome& outcome) {
  run_until([this] { return pending_.empty(); });
  add_unread_errors();
  outcome.accesses.insert(outcome.accesses.end(), std::make_move_iterator(accesses_.begin()),
                          std::make_move_iterator(accesses_.end()));
  if (!fault_) return;
  if (!outcome.fault) outcome.fault = KernelFault{fault_->kind, ""};
  outcome.fault->text = fault_->text + outcome.fault->text;
}

}  // namespace d2l::emulator
