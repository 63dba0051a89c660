// SPDX-License-Identifier: MIT
// Streams and events.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "calls/call_site.h"
#include "d2l_emulator/awkward.h"
#include "ledger/launch_notes.h"
#include "ledger/ledger.h"
#include "order/timeline.h"
#include "runtime/blocking.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/recorded_wait.h"
#include "runtime/report.h"

namespace d2l::emulator {
namespace {

/// Where an event was recorded.
struct EventPoint {
  Device* device = nullptr;
  std::shared_ptr<backend::WorkQueue> queue;
  std::uint64_t sequence = 0;
  std::shared_ptr<std::atomic<std::int64_t>> time;  ///< in steady_nanoseconds(); -1 before
  VectorClock clock;                                ///< what is done when it is

  [[nodiscard]] bool done() const { return !queue || queue->finished(sequence); }
};

struct Event {
  int device = 0;
  unsigned flags = 0;
  std::mutex mutex;
  EventPoint point;

  [[nodiscard]] EventPoint get() {
    const std::lock_guard lock(mutex);
    return point;
  }
};

struct Events {
  std::mutex mutex;
  std::unordered_map<cudaEvent_t, std::shared_ptr<Event>> known;
};
Events& events() {
  static auto* const made = new Events;
  return *made;
}

std::shared_ptr<Event> event_of(cudaEvent_t handle) {
  const std::lock_guard lock(events().mutex);
  const auto found = events().known.find(handle);
  require(found != events().known.end(), cudaErrorInvalidResourceHandle);
  return found->second;
}

/// Streams that were destroyed while they had work.
struct Retired {
  std::mutex mutex;
  std::vector<std::shared_ptr<Stream>> streams;
};
Retired& retired() {
  static auto* const made = new Retired;
  return *made;
}

void retire(std::shared_ptr<Stream> stream) {
  const std::lock_guard lock(retired().mutex);
  std::erase_if(retired().streams, [](const auto& one) { return one->idle(); });
  if (!stream->idle()) retired().streams.push_back(std::move(stream));
}

void record_event(LedgerEntry::Kind kind, const char* name, int device) {
  if (!ledger_is_open()) return;
  LedgerEntry entry;
  entry.kind = kind;
  entry.name = name;
  entry.queue = d2l::Device(kCUDA, device);
  detail::record(entry);
}

constexpr int greatest_priority = -5;

cudaStream_t create_stream(unsigned flags, int priority) {
  require(flags == cudaStreamDefault || flags == cudaStreamNonBlocking);
  static std::atomic<int> created{0};
  std::string text = fmt::format("stream {}", ++created);
  if (timeline().active()) text += fmt::format(" ({})", current_call().text());
  return add_stream(current_device().make_stream(flags, std::clamp(priority, greatest_priority, 0), std::move(text)));
}

/// A function of the host that runs in the order of a stream.
void push_host_function(cudaStream_t handle, std::function<void()> function) {
  Operation operation;
  operation.kind = Operation::Kind::host_function;
  operation.site = current_call();
  operation.reports = reports_of_this_thread();
  stream_of(handle)->push_ordered(
      [function = std::move(function)](const std::shared_ptr<Operation>& of) {
        HostFunctionScope scope(of);
        function();
        return scope.take();
      },
      nullptr, std::move(operation));
}

}  // namespace
}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(stream != nullptr);
    *stream = create_stream(flags, priority);
    d2l::detail::note_stream(1);
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  const ApiCall call(__builtin_return_address(0));
  return cudaStreamCreateWithPriority(stream, 0, 0);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(handle != nullptr && handle != cudaStreamLegacy && handle != cudaStreamPerThread,
            cudaErrorInvalidResourceHandle);
    auto stream = stream_of(handle);
    remove_stream(handle);
    d2l::detail::note_stream(-1);
    if (timeline().active()) timeline().retire(stream->role());
    retire(std::move(stream));
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const auto stream = stream_of(handle);
    const RecordedWait waiting("cudaStreamSynchronize", d2l::Device(d2l::kCUDA, stream->device().number()));
    note_blocking_call();
    stream->synchronize();
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  const ApiCall call(__builtin_return_address(0));
  if (const cudaError_t fatal = fatal_error_here(); fatal != cudaSuccess) return note(fatal);
  bool idle = true;
  const cudaError_t error = plain_call([&] {
    const auto stream = stream_of(handle);
    const bool ordered = timeline().active();
    const VectorClock clock = ordered ? timeline().clock_of(stream->role()) : VectorClock();
    idle = stream->idle();
    if (idle && ordered) timeline().host_knows(clock);
  });
  return error != cudaSuccess || idle ? error : cudaErrorNotReady;  // which is not the thread's last error
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(flags == 0);
    const auto stream = stream_of(handle);
    const EventPoint point = event_of(event)->get();
    record_event(d2l::LedgerEntry::Kind::event_wait, "cudaStreamWaitEvent", stream->device().number());
    if (!point.queue) return;
    stream->wait_for(point.queue, point.sequence);
    if (timeline().active()) timeline().stream_knows(stream->role(), point.clock);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(function != nullptr);
    push_host_function(handle, [=] { function(data); });
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(callback != nullptr && flags == 0);
    push_host_function(handle, [=] { callback(handle, cudaSuccess, data); });
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(flags != nullptr), *flags = stream_of(handle)->flags(); });
}
cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(priority != nullptr), *priority = stream_of(handle)->priority(); });
}
cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(device != nullptr), *device = stream_of(handle)->device().number(); });
}
cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(id != nullptr), *id = stream_of(handle)->id(); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(event != nullptr && flags <= (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess));
    const auto made = std::make_shared<Event>();
    made->device = current_device().number();
    made->flags = flags;
    *event = reinterpret_cast<cudaEvent_t>(made.get());
    const std::lock_guard lock(events().mutex);
    events().known[*event] = made;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    const auto event = event_of(handle);
    const std::lock_guard lock(events().mutex);
    events().known.erase(handle);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const auto event = event_of(handle);
    const auto stream = stream_of(stream_handle);
    require(stream->device().number() == event->device, cudaErrorInvalidResourceHandle);
    record_event(d2l::LedgerEntry::Kind::event_record, "cudaEventRecord", stream->device().number());
    const auto time = std::make_shared<std::atomic<std::int64_t>>(-1);
    stream->push([time] { *time = d2l::backend::steady_nanoseconds(); });
    const std::lock_guard lock(event->mutex);
    event->point = {&stream->device(), stream->shared_queue(), stream->queue().issued(), time, {}};
    if (timeline().active()) event->point.clock = timeline().clock_of_submitted(stream->role());
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned /*flags*/) {
  const ApiCall call(__builtin_return_address(0));
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  const ApiCall call(__builtin_return_address(0));
  bool done = true;
  const cudaError_t error = device_call([&] {
    const EventPoint point = event_of(handle)->get();
    done = point.done();
    if (done && timeline().active()) timeline().host_knows(point.clock);
  });
  return error != cudaSuccess || done ? error : cudaErrorNotReady;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const EventPoint point = event_of(handle)->get();
    if (!point.queue) return;
    const RecordedWait waiting("cudaEventSynchronize", d2l::Device(d2l::kCUDA, point.device->number()));
    note_blocking_call();
    point.queue->wait_from_host(point.sequence);
    if (timeline().active()) timeline().host_knows(point.clock);
    require(point.device->fatal_error() == cudaSuccess, point.device->fatal_error());
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(milliseconds != nullptr);
    const auto first = event_of(start);
    const auto second = event_of(stop);
    require((first->flags & cudaEventDisableTiming) == 0 && (second->flags & cudaEventDisableTiming) == 0,
            cudaErrorInvalidResourceHandle);
    const EventPoint begin = first->get();
    const EventPoint end = second->get();
    require(begin.queue && end.queue && first->device == second->device, cudaErrorInvalidResourceHandle);
    require(begin.done() && end.done(), cudaErrorNotReady);
    if (timeline().active()) timeline().host_knows(begin.clock), timeline().host_knows(end.clock);
    const double nanoseconds = static_cast<double>(end.time->load() - begin.time->load());
    *milliseconds = static_cast<float>(nanoseconds * 1e-6 * (1 + awkward().clock_drift * 1e-6));
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return cudaEventCreateWithFlags(event, flags);
}
