// SPDX-License-Identifier: MIT
#include "runtime/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <unordered_map>
#include <utility>

#include "d2l_emulator/awkward.h"
#include "graphs/capture.h"
#include "graphs/exec.h"
#include "hip/program.h"
#include "order/timeline.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/memory.h"

namespace d2l::emulator {
namespace {

std::atomic<std::uint64_t> last_stream{0};
std::atomic<bool> any_device_failed{false};
thread_local int current = 0;
/// The streams of cudaStreamPerThread, by device.
thread_local std::unordered_map<int, std::shared_ptr<Stream>> streams_of_thread;

/// Never destroyed: the program may use devices in destructors of static objects.
std::vector<std::unique_ptr<Device>>& devices() {
  static auto* const all = [] {
    auto* const made = new std::vector<std::unique_ptr<Device>>;
    try {
      for (const auto& gpu : machine().gpus()) {
        made->push_back(std::make_unique<Device>(static_cast<int>(made->size()), *gpu));
        allocations().add_device_memory(gpu->arena().device_address(0), gpu->arena().bytes());
      }
      timeline().set_learner([] {
        for (int i = 0; i < device_count(); ++i) device_at(i).learn_of_waits();
      });
    } catch (const ConfigurationError& error) {  // of D2L_VIRTUAL_GPUS
      refuse_environment(error.what());
    }
    return made;
  }();
  return *all;
}

struct Handles {
  std::mutex mutex;
  std::unordered_map<cudaStream_t, std::shared_ptr<Stream>> streams;
};
Handles& handles() {
  static auto* const made = new Handles;
  return *made;
}

}  // namespace

std::uint64_t next_stream_id() { return ++last_stream; }

Stream::Stream(Device& device, std::shared_ptr<backend::WorkQueue> queue, unsigned flags, int priority,
               std::string text, bool is_default)
    : device_(&device), queue_(std::move(queue)), flags_(flags), priority_(priority) {
  role_.id = next_stream_id();
  role_.device = device.number();
  role_.blocking = blocking();
  role_.is_default = is_default;
  role_.compared = queue_ != device.gpu().queue();  // tensors add work to that one
  role_.text = device.number() == 0 ? std::move(text) : fmt::format("{} of device {}", text, device.number());
}

namespace {

/// Completes an operation when its work is destroyed: it has run, or was dropped.
class Completion {
 public:
  explicit Completion(std::shared_ptr<Operation> operation) : operation_(std::move(operation)) {}
  ~Completion() {
    if (operation_) timeline().complete(operation_, std::move(accesses));
  }
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;
  [[nodiscard]] const std::shared_ptr<Operation>& operation() const noexcept { return operation_; }
  std::vector<MemoryAccesses> accesses;

 private:
  std::shared_ptr<Operation> operation_;
};

/// The thread of the queue runs a part of a piece of work.
void run_part(JointOperation& joint, const Stream::OrderedWork& work, const std::shared_ptr<backend::Span>& span,
              Operation operation) {
  joint.add(std::move(operation.accesses));
  if (span) span->began = backend::steady_nanoseconds();
  joint.add(work(joint.operation));
  if (span) span->ended = backend::steady_nanoseconds();
}

}  // namespace

std::shared_ptr<Operation> Stream::enqueue(const StreamRole& role, OrderedWork work,
                                           std::shared_ptr<backend::Span> span, Operation operation) {
  if (role.joint != nullptr) {
    run_part(*role.joint, work, span, std::move(operation));
    return nullptr;
  }
  const std::lock_guard lock(additions_);
  std::shared_ptr<Operation> submitted;
  if (timeline().active()) submitted = timeline().submit(role, std::move(operation));
  add([work = std::move(work),
       completion = std::make_shared<Completion>(submitted)] { completion->accesses = work(completion->operation()); },
      std::move(span));
  if (!host_uses_memory()) return submitted;
  queue_->wait_from_host(queue_->issued());
  if (submitted) timeline().host_knows(submitted->clock);
  return submitted;
}

std::shared_ptr<Operation> Stream::enqueue(const StreamRole& role, std::function<void()> work,
                                           std::shared_ptr<backend::Span> span, Operation operation) {
  OrderedWork ordered = [work = std::move(work)](const std::shared_ptr<Operation>&) {
    work();
    return std::vector<MemoryAccesses>();
  };
  return enqueue(role, std::move(ordered), std::move(span), std::move(operation));
}

void Stream::push(std::function<void()> work, std::shared_ptr<backend::Span> span, Operation operation) {
  if (any_capture() && record_work(*this, plain_work(work, operation))) return;
  enqueue(role_, std::move(work), std::move(span), std::move(operation));
}

void Stream::submit(const Work& work) {
  if (!any_capture() || !record_work(*this, work)) work.enqueue(*this, role_);
}

void Stream::add(std::function<void()> work, std::shared_ptr<backend::Span> span) {
  const auto others = is_default() ? device_->streams() : std::vector{device_->default_stream()};
  const std::lock_guard lock(device_->order());
  const auto wait = [this](const Stream& other) {
    const std::uint64_t issued = other.queue().issued();
    if (&other != this && !other.queue().finished(issued)) {
      queue_->push(backend::WaitWork{other.shared_queue(), issued});
    }
  };
  for (const auto& other : others) {
    if (blocking() && other->blocking()) wait(*other);
  }
  Device* const device = device_;
  queue_->push(backend::CallWork{[device, work = std::move(work)] {
                 if (device->fatal_error() == cudaSuccess) work();
               }},
               std::move(span));
}

void Stream::wait_for(const std::shared_ptr<backend::WorkQueue>& other, std::uint64_t sequence) {
  if (other == queue_ || other->finished(sequence)) return;
  const std::lock_guard lock(device_->order());
  queue_->push(backend::WaitWork{other, sequence});
}

bool Stream::idle() const {
  const auto done = [](const Stream& one) { return one.queue().finished(one.queue().issued()); };
  if (!is_default()) return done(*this);
  const auto all = device_->streams();
  return std::ranges::all_of(all, [&](const auto& one) { return !one->blocking() || done(*one); });
}

void Stream::synchronize() {
  forbid_wait(*this);
  const bool ordered = timeline().active();
  const VectorClock clock = ordered ? timeline().clock_of(role_) : VectorClock();
  wait_unnoticed();
  if (ordered) timeline().host_knows(clock);
}

void Stream::wait_unnoticed() {
  const auto wait = [](const Stream& one) { one.queue().wait_from_host(one.queue().issued()); };
  if (is_default()) {
    for (const auto& one : device_->streams()) {
      if (one->blocking()) wait(*one);
    }
  }
  wait(*this);
  require(device_->fatal_error() == cudaSuccess, device_->fatal_error());
}

Device::Device(int number, backend::VirtualGpu& gpu)
    : number_(number),
      gpu_(&gpu),
      tensor_stream_(
          std::make_shared<Stream>(*this, gpu.queue(), cudaStreamNonBlocking, 0, "the stream of the tensors")),
      default_stream_(std::make_shared<Stream>(*this, gpu.make_queue(), 0, 0, "the default stream", true)) {}

std::shared_ptr<Stream> Device::make_stream(unsigned flags, int priority, std::string text) {
  auto stream = std::make_shared<Stream>(*this, gpu_->make_queue(), flags, priority, std::move(text));
  const std::lock_guard lock(order_);
  if (!gpu_->queue()->finished(awaited_tensor_work_)) {
    stream->queue().push(backend::WaitWork{gpu_->queue(), awaited_tensor_work_});
  }
  std::erase_if(streams_, [](const auto& one) { return one.expired(); });
  streams_.push_back(stream);
  return stream;
}

std::vector<std::shared_ptr<Stream>> Device::streams() {
  std::vector<std::shared_ptr<Stream>> all{default_stream_, tensor_stream_};
  const std::lock_guard lock(order_);
  for (const auto& one : streams_) {
    if (auto stream = one.lock()) all.push_back(std::move(stream));
  }
  return all;
}

void Device::synchronize() {
  const bool ordered = timeline().active();
  const VectorClock clock = ordered ? timeline().clock_of_device(number_) : VectorClock();
  for (const auto& one : streams()) one->queue().wait_from_host(one->queue().issued());
  if (ordered) timeline().host_knows(clock);
  require(fatal_error() == cudaSuccess, fatal_error());
}

void Device::wait_for_tensors() {
  const std::uint64_t issued = gpu_->queue()->issued();
  if (gpu_->queue()->finished(issued)) return;
  {
    const std::lock_guard lock(order_);
    awaited_tensor_work_ = issued;
  }
  for (const auto& stream : streams()) stream->wait_for(gpu_->queue(), issued);
}

void Device::learn_of_waits() {
  const std::uint64_t waits = gpu_->waits();
  if (known_waits_.exchange(waits) != waits) timeline().host_knows(timeline().clock_of_device(number_));
}

std::vector<int> Device::reachable() {
  const std::lock_guard lock(peers_mutex_);
  std::set<int> all = peers_;
  all.insert(pool_peers_.begin(), pool_peers_.end());
  all.insert(number_);
  return {all.begin(), all.end()};
}

void Device::require_context() {
  require(awkward().occupied != number_, cudaErrorDevicesUnavailable);
  has_context_ = true;
}

cudaError_t Device::fatal_error() const noexcept {
  if (const cudaError_t error = fatal_.load(); error != cudaSuccess) return error;
  try {
    gpu_->queue()->require_usable("CUDA");
  } catch (const std::exception& error) {  // the work of a tensor failed
    const bool assertion = std::string(error.what()).find("assert") != std::string::npos;
    fatal_ = assertion ? cudaErrorAssert : cudaErrorLaunchFailure;
  }
  return fatal_.load();
}

bool Device::any_failed() noexcept { return any_device_failed.load(); }

void Device::fail(cudaError_t error, const std::string& text) {
  const std::string message =
      in_names_of_program(fmt::format("CUDA error: {}: {}", error_text(error), text.substr(0, text.find('\n'))));
  cudaError_t none = cudaSuccess;
  if (fatal_.compare_exchange_strong(none, error)) {
    any_device_failed = true;
    timeline().lose_device();
    std::fflush(stdout);
    fmt::print(stderr, "{}{}", in_names_of_program(text), text.ends_with('\n') ? "" : "\n");
    gpu_->queue()->push(backend::FaultWork{message});
  }
  throw FatalDeviceError(message);
}

void stall(int device, bool stalled) {
  for (const auto& stream : device_at(device).streams()) {
    stalled ? stream->queue().hold() : stream->queue().release();
  }
}

bool has_context(int device) { return device_at(device).has_context(); }

int device_count() { return static_cast<int>(devices().size()); }

Device& device_at(int number) {
  require(device_count() > 0, cudaErrorNoDevice);
  require(number >= 0 && number < device_count(), cudaErrorInvalidDevice);
  return *devices()[static_cast<std::size_t>(number)];
}

Device& current_device() { return device_at(current); }

void set_current_device(int number) {
  device_at(number).require_context();
  current = number;
}

std::shared_ptr<Stream> stream_of(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return current_device().default_stream();
  if (handle == cudaStreamPerThread) {
    auto& stream = streams_of_thread[current];
    if (!stream) stream = current_device().make_stream(0, 0, "the default stream of a thread");
    return stream;
  }
  const std::lock_guard lock(handles().mutex);
  const auto found = handles().streams.find(handle);
  require(found != handles().streams.end(), cudaErrorInvalidResourceHandle);
  return found->second;
}

cudaStream_t add_stream(const std::shared_ptr<Stream>& stream) {
  auto* const handle = reinterpret_cast<cudaStream_t>(stream.get());
  const std::lock_guard lock(handles().mutex);
  handles().streams[handle] = stream;
  return handle;
}

void remove_stream(cudaStream_t handle) {
  const auto stream = stream_of(handle);  // destroyed without the lock
  const std::lock_guard lock(handles().mutex);
  require(handles().streams.erase(handle) == 1, cudaErrorInvalidResourceHandle);
}

namespace {

/// Streams that were destroyed while they had work.
struct Retired {
  std::mutex mutex;
  std::vector<std::shared_ptr<Stream>> streams;
};
Retired& retired() {
  static auto* const made = new Retired;
  return *made;
}

}  // namespace

void retire(std::shared_ptr<Stream> stream) {
  const std::lock_guard lock(retired().mutex);
  std::erase_if(retired().streams, [](const auto& one) { return one->idle(); });
  if (!stream->idle()) retired().streams.push_back(std::move(stream));
}

}  // namespace d2l::emulator
