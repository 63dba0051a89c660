// SPDX-License-Identifier: MIT
// Streams and events.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "calls/call_site.h"
#include "calls/explanations.h"
#include "calls/unread_errors.h"
#include "d2l_emulator/awkward.h"
#include "execution/run_kernel.h"
#include "graphs/capture.h"
#include "ledger/launch_notes.h"
#include "ledger/ledger.h"
#include "nested/in_kernel.h"
#include "order/timeline.h"
#include "report/report.h"
#include "runtime/blocking.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/recorded_wait.h"

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
  std::optional<CapturedEvent> captured;  ///< where it was recorded, if that was in a capture

  [[nodiscard]] EventPoint get() {
    const std::lock_guard lock(mutex);
    return point;
  }
  [[nodiscard]] std::optional<CapturedEvent> get_captured() {
    const std::lock_guard lock(mutex);
    return captured;
  }
  /// The same for a call of the host; Failure if it was recorded in a capture.
  [[nodiscard]] EventPoint get_for_host() {
    if (const auto recorded = get_captured()) forbid_event_wait(*recorded);
    return get();
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

/// The handles of a call belong to different devices.
[[noreturn]] void refuse_devices(std::string why) {
  explain_at_once(current_call().text(), std::move(why));
  throw Failure{cudaErrorInvalidResourceHandle};
}

void record_event(LedgerEntry::Kind kind, const char* name, int device) {
  if (!ledger_is_open()) return;
  LedgerEntry entry;
  entry.kind = kind;
  entry.name = name;
  entry.queue = d2l::gpu(device);
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

std::shared_ptr<Operation> record_in_stream(Event& event, Stream& stream, const StreamRole& role) {
  const int device = stream.device().number();
  record_event(LedgerEntry::Kind::event_record, "cudaEventRecord", device);
  const auto time = std::make_shared<std::atomic<std::int64_t>>(-1);
  const std::lock_guard additions(stream.additions());
  auto operation = stream.enqueue(role, [time] { *time = backend::steady_nanoseconds(); }, nullptr, {});
  const std::lock_guard lock(event.mutex);
  event.captured = std::nullopt;
  event.point = {&stream.device(), stream.shared_queue(), stream.queue().issued(), time, {}};
  if (operation) event.point.clock = operation->clock;
  return operation;
}

void wait_in_stream(Event& event, Stream& stream, const StreamRole& role) {
  const EventPoint point = event.get();
  record_event(LedgerEntry::Kind::event_wait, "cudaStreamWaitEvent", stream.device().number());
  if (!point.queue) return;
  stream.wait_for(point.queue, point.sequence);
  if (timeline().active()) timeline().stream_knows(role, point.clock);
}

}  // namespace

Work host_work(std::function<void()> function, const cudaHostNodeParams& parameters) {
  Work work;
  work.type = cudaGraphNodeTypeHost;
  work.name = "host function";
  work.parameters = parameters;
  work.enqueue = [function = std::move(function), site = current_call()](Stream& stream, const StreamRole& role) {
    Operation operation;
    operation.kind = Operation::Kind::host_function;
    operation.site = site;
    operation.reports = reports_of_this_thread();
    return stream.enqueue(
        role,
        [function](const std::shared_ptr<Operation>& of) {
          HostFunctionScope scope(of);
          function();
          return scope.take();
        },
        nullptr, std::move(operation));
  };
  return work;
}

Work event_record_work(cudaEvent_t handle) {
  Work work;
  work.type = cudaGraphNodeTypeEventRecord;
  work.name = "cudaEventRecord";
  work.parameters = EventParameter{handle};
  work.enqueue = [event = event_of(handle)](Stream& stream, const StreamRole& role) {
    return record_in_stream(*event, stream, role);
  };
  return work;
}

Work event_wait_work(cudaEvent_t handle) {
  Work work;
  work.type = cudaGraphNodeTypeWaitEvent;
  work.name = "cudaStreamWaitEvent";
  work.parameters = EventParameter{handle};
  work.enqueue = [event = event_of(handle)](Stream& stream, const StreamRole& role) {
    wait_in_stream(*event, stream, role);
    return stream.enqueue(role, [] {}, nullptr, {});
  };
  return work;
}

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
  if (in_kernel()) return in_kernel_calls::create_stream(stream, flags, __builtin_return_address(0));
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
  if (in_kernel()) return in_kernel_calls::destroy_stream(handle);
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(handle != nullptr && handle != cudaStreamLegacy && handle != cudaStreamPerThread,
            cudaErrorInvalidResourceHandle);
    auto stream = stream_of(handle);
    forbid_wait(*stream);
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
    forbid_wait(*stream);
    const RecordedWait waiting("cudaStreamSynchronize", d2l::gpu(stream->device().number()));
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
    forbid_wait(*stream);
    const bool ordered = timeline().active();
    const VectorClock clock = ordered ? timeline().clock_of(stream->role()) : VectorClock();
    idle = stream->idle();
    if (idle && ordered) timeline().host_knows(clock);
  });
  return error != cudaSuccess || idle ? error : cudaErrorNotReady;  // which is not the thread's last error
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags) {
  if (in_kernel()) return in_kernel_calls::wait_for(handle, event_handle);
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(flags == cudaEventWaitDefault || flags == cudaEventWaitExternal);
    const auto stream = stream_of(handle);
    const auto event = event_of(event_handle);
    if (flags == cudaEventWaitExternal && any_capture() && record_work(*stream, event_wait_work(event_handle))) return;
    if (const auto captured = event->get_captured()) return join_capture(stream, *captured);
    if (event->get().queue) forbid_outside_event(*stream);
    wait_in_stream(*event, *stream, stream->role());
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(function != nullptr);
    stream_of(handle)->submit(host_work([=] { function(data); }, {function, data}));
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(callback != nullptr && flags == 0);
    const auto stream = stream_of(handle);
    forbid_wait(*stream);  // a callback cannot be a node of a graph
    stream->submit(host_work([=] { callback(handle, cudaSuccess, data); }, {}));
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
  if (in_kernel()) return in_kernel_calls::create_event(event, flags, __builtin_return_address(0));
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
  if (in_kernel()) return in_kernel_calls::destroy_event(handle);
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    const auto event = event_of(handle);
    const std::lock_guard lock(events().mutex);
    events().known.erase(handle);
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle, unsigned flags) {
  if (in_kernel()) return in_kernel_calls::record(handle, stream_handle);
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(flags == cudaEventRecordDefault || flags == cudaEventRecordExternal);
    const auto event = event_of(handle);
    const auto stream = stream_of(stream_handle);
    const int device = stream->device().number();
    if (device != event->device) refuse_devices(why_not_recorded(event->device, device));
    if (flags == cudaEventRecordExternal && any_capture() && record_work(*stream, event_record_work(handle))) return;
    if (const auto captured = captured_event(*stream)) {
      const std::lock_guard lock(event->mutex);
      event->captured = captured;
      return;
    }
    record_in_stream(*event, *stream, stream->role());
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  const ApiCall call(__builtin_return_address(0));
  bool done = true;
  const cudaError_t error = device_call([&] {
    const EventPoint point = event_of(handle)->get_for_host();
    forbid_unsafe_call();
    done = point.done();
    if (done && timeline().active()) timeline().host_knows(point.clock);
  });
  return error != cudaSuccess || done ? error : cudaErrorNotReady;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const EventPoint point = event_of(handle)->get_for_host();
    if (!point.queue) return;
    const RecordedWait waiting("cudaEventSynchronize", d2l::gpu(point.device->number()));
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
    const EventPoint begin = first->get_for_host();
    const EventPoint end = second->get_for_host();
    if (first->device != second->device) refuse_devices(why_no_time(first->device, second->device));
    require(begin.queue && end.queue, cudaErrorInvalidResourceHandle);
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
