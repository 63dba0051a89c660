// SPDX-License-Identifier: MIT
// The backend of virtual GPUs in host memory.
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "backend/test_switches.h"
#include "backend/virtual_gpu/cores.h"
#include "backend/virtual_gpu/pinned_memory.h"
#include "backend/virtual_gpu/virtual_gpu.h"
#include "d2l/error.h"
#include "values/gpu_type.h"

namespace d2l::backend {
namespace {

/// The items of work issued to one queue so far.
class VirtualMark : public Mark {
 public:
  explicit VirtualMark(std::shared_ptr<WorkQueue> queue) : queue_(std::move(queue)), sequence_(queue_->issued()) {}

  [[nodiscard]] bool done() const override { return queue_->finished(sequence_); }
  void wait() const override {
    queue_->wait_from_host(sequence_);
    queue_->require_usable("synchronize");
  }
  [[nodiscard]] const std::shared_ptr<WorkQueue>& queue() const noexcept { return queue_; }
  [[nodiscard]] std::uint64_t sequence() const noexcept { return sequence_; }

 private:
  std::shared_ptr<WorkQueue> queue_;
  std::uint64_t sequence_;
};

class VirtualGpus : public Backend, public TestSwitches, public VirtualGpuOwner {
 public:
  VirtualGpus(int count, std::int64_t memory) {
    for (int number = 0; number < count; ++number) gpus_.push_back(std::make_unique<VirtualGpu>(number, memory, gpus_));
    const std::lock_guard lock(running().mutex);
    running().backends.push_back(this);
  }
  ~VirtualGpus() override {
    {
      const std::lock_guard lock(running().mutex);
      std::erase(running().backends, this);
    }
    stop("its backend was destroyed");
  }

  [[nodiscard]] int device_count() const noexcept override { return static_cast<int>(gpus_.size()); }
  [[nodiscard]] Processor processor() const noexcept override { return Processor::host; }
  [[nodiscard]] DeviceProperties properties(int device) const override { return at(device).properties(); }
  [[nodiscard]] MemoryInfo memory(int device) const override { return usable(device, "memory_info").memory(); }

  void* allocate(int device, std::size_t bytes) override { return usable(device, "allocate").allocate(bytes); }
  void release(int device, void* memory, std::size_t bytes) noexcept override { at(device).release(memory, bytes); }
  void empty_cache(int device) override { at(device).empty_cache(); }
  [[nodiscard]] std::int64_t max_reserved(int device) const override { return at(device).max_reserved(); }
  void reset_max_reserved(int device) override { at(device).reset_max_reserved(); }
  void* allocate_pinned(std::size_t bytes) override {
    void* const memory = allocate_pinned_memory(bytes);
    if (memory == nullptr) {
      throw OutOfMemoryError(fmt::format("[pin_memory] cannot allocate {} bytes of pinned host memory", bytes));
    }
    return memory;
  }
  void release_pinned(void* memory, std::size_t /*bytes*/) noexcept override { release_pinned_memory(memory); }

  void launch(int device, NamedKernel kernel, const KernelArguments& arguments, std::shared_ptr<Span> span) override {
    usable(device, kernel.name).queue()->push(LaunchWork{kernel, arguments}, std::move(span));
  }
  std::shared_ptr<Graph> make_graph(int device, std::vector<GraphLaunch> launches) override {
    static_cast<void>(usable(device, "capture_end"));
    return std::make_shared<VirtualGraph>(std::move(launches));
  }
  void replay(int device, const std::shared_ptr<Graph>& graph, GraphSpans spans) override {
    const auto virtual_graph = std::dynamic_pointer_cast<const VirtualGraph>(graph);
    if (virtual_graph == nullptr) throw DeviceError("[replay] the graph belongs to another kind of device");
    usable(device, "replay").queue()->push(GraphWork{virtual_graph, std::move(spans.launches)}, std::move(spans.whole));
  }
  void copy_to_device(int device, void* destination, const void* host, std::size_t bytes, HostMemory kind,
                      std::shared_ptr<Span> span) override {
    VirtualGpu& gpu = usable(device, "copy");
    if (bytes == 0) return;
    const bool staged = kind == HostMemory::pageable && !owner(host);
    CopyWork copy{destination, host, bytes, device, host_side, staged ? StagingBuffer(host, bytes) : StagingBuffer()};
    gpu.queue()->push(std::move(copy), std::move(span));
  }
  void copy_to_host(int device, void* host, const void* source, std::size_t bytes, HostMemory /*kind*/,
                    std::shared_ptr<Span> span) override {
    VirtualGpu& gpu = usable(device, "copy");
    if (bytes == 0) return;
    gpu.queue()->push(CopyWork{host, source, bytes, host_side, device, {}}, std::move(span));
  }
  void copy_to_peer(int device, int peer, void* destination, const void* source, std::size_t bytes,
                    std::shared_ptr<Span> span) override {
    VirtualGpu& gpu = usable(device, "copy");
    if (!can_access_peer(device, peer)) {
      throw DeviceError(
          fmt::format("[copy] peer access is not supported between these two devices: {} and {}. "
                      "Copy through the host",
                      detail::gpu_number(device).str(), detail::gpu_number(peer).str()));
    }
    if (bytes == 0) return;
    const auto side_of = [&](const void* address) { return at(device).arena().contains(address) ? device : peer; };
    gpu.queue()->push(CopyWork{destination, source, bytes, side_of(destination), side_of(source), {}}, std::move(span));
  }
  [[nodiscard]] bool can_access_peer(int device, int peer) override { return device == peer || peer_access_.load(); }

  [[nodiscard]] std::shared_ptr<Mark> record(int device) override {
    return std::make_shared<VirtualMark>(usable(device, "record").queue());
  }
  void wait(int device, const std::shared_ptr<Mark>& mark) override {
    VirtualGpu& gpu = usable(device, "wait");
    const auto* const virtual_mark = dynamic_cast<const VirtualMark*>(mark.get());
    if (virtual_mark == nullptr || !has(virtual_mark->queue())) {
      throw DeviceError("[wait] " + detail::gpu_number(device).str() +
                        " cannot wait for an event of another kind of device");
    }
    if (virtual_mark->done() || virtual_mark->queue() == gpu.queue()) return;
    gpu.queue()->push(WaitWork{virtual_mark->queue(), virtual_mark->sequence()});
  }
  void synchronize(int device) override {
    at(device).wait();
    at(device).queue()->require_usable("synchronize");
  }

  [[nodiscard]] std::optional<int> owner(const void* address) const override {
    const VirtualGpu* const gpu = VirtualGpu::owner(gpus_, address);
    return gpu == nullptr ? std::nullopt : std::optional(gpu->number());
  }

  [[nodiscard]] const VirtualGpu::All& virtual_gpus() const noexcept override { return gpus_; }

  void hold_queue(int device) override { usable(device, "hold").hold(); }
  void release_queue(int device) override { at(device).release_hold(); }
  void inject_fault(int device, const std::string& what) override {
    usable(device, "inject_fault").queue()->push(FaultWork{"CUDA error: " + what});
  }
  void set_peer_access(bool enabled) override { peer_access_ = enabled; }

 private:
  /// The backends whose threads must end before the process ends.
  struct Running {
    std::mutex mutex;
    std::vector<VirtualGpus*> backends;
    std::atomic<int> users{0};
  };
  /// Notes that this thread uses devices. When the last such thread ends, the queues end their threads, so that a
  /// process whose main() calls pthread_exit() ends. The main thread destroys its keys then, but no thread_local
  /// object.
  static void note_user() {
    static thread_local bool noted = false;
    if (noted) return;
    static const pthread_key_t key = [] {
      pthread_key_t made = 0;
      pthread_key_create(&made, [](void*) { end_user(); });
      return made;
    }();
    noted = true;
    running().users.fetch_add(1);
    pthread_setspecific(key, &running());
  }
  static void end_user() noexcept {
    if (running().users.fetch_sub(1) > 1 || in_forked_child()) return;
    const std::lock_guard lock(running().mutex);
    for (auto* backend : running().backends) {
      for (auto& gpu : backend->gpus_) gpu->rest();
    }
  }
  /// Never destroyed, because tensors with static lifetime may outlive every other object.
  static Running& running() {
    static auto* const made = [] {
      std::atexit(stop_all);
      return new Running;
    }();
    return *made;
  }
  static void stop_all() {
    if (in_forked_child()) return;  // it does not have these threads
    note_end_of_process();
    const std::lock_guard lock(running().mutex);
    for (auto* backend : running().backends) backend->stop("the process is ending");
  }
  /// Ends the threads. The memory stays, for tensors that are destroyed later.
  void stop(const char* why) noexcept {
    for (auto& gpu : gpus_) gpu->request_stop(why);
    for (auto& gpu : gpus_) gpu->join();
  }

  [[nodiscard]] VirtualGpu& at(int device) const { return *gpus_.at(static_cast<std::size_t>(device)); }
  [[nodiscard]] VirtualGpu& usable(int device, const char* call) const {
    note_user();
    VirtualGpu& gpu = at(device);
    gpu.queue()->require_usable(call);
    return gpu;
  }
  [[nodiscard]] bool has(const std::shared_ptr<WorkQueue>& queue) const {
    return std::any_of(gpus_.begin(), gpus_.end(), [&](const auto& gpu) { return gpu->queue() == queue; });
  }

  VirtualGpu::All gpus_;
  std::atomic<bool> peer_access_{true};
};

}  // namespace

std::unique_ptr<Backend> make_virtual_gpus(int count, std::int64_t memory, std::optional<std::uint64_t> delay_seed,
                                           int cores) {
  set_virtual_cores(cores);
  if (delay_seed) set_virtual_delays(delay_seed);
  return std::make_unique<VirtualGpus>(count, memory);
}

}  // namespace d2l::backend
