// SPDX-License-Identifier: MIT
// The backend of virtual GPUs in host memory.
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>
#include <variant>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/kernel_tables.h"
#include "backend/test_switches.h"
#include "backend/virtual_gpu/arena.h"
#include "backend/virtual_gpu/memory_pool.h"
#include "backend/virtual_gpu/work_queue.h"
#include "base/units.h"
#include "d2l/error.h"

namespace d2l::backend {
namespace {

using detail::bytes_text;

std::atomic<bool> peer_access{true};

/// The memory that a driver reserves on a device for a process. It counts as used, but does not reduce what tensors can
/// allocate.
constexpr std::size_t context_share = std::size_t{8} << 20;

/// Uninitialised memory: nan as float32 and float64, 2147147437 as int32, and no byte is zero.
constexpr std::uint32_t fresh_pattern = 0x7FFADEAD;

/// The memory and the queue of one device, and how it executes each kind of work.
class VirtualGpu {
 public:
  /// All devices of one backend, by their numbers.
  using All = std::vector<std::unique_ptr<VirtualGpu>>;
  /// The device that owns an address; null for host memory.
  static const VirtualGpu* owner(const All& gpus, const void* address) {
    const auto found = std::ranges::find_if(gpus, [&](const auto& gpu) { return gpu->arena_.contains(address); });
    return found == gpus.end() ? nullptr : found->get();
  }

  VirtualGpu(int number, std::int64_t memory, const All& gpus)
      : number_(number),
        gpus_(gpus),
        arena_(number, static_cast<std::size_t>(memory)),
        pool_(arena_.bytes()),
        queue_(std::make_shared<WorkQueue>(number, [this](Work& work) { perform(work); })) {}

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] const Arena& arena() const noexcept { return arena_; }
  [[nodiscard]] const std::shared_ptr<WorkQueue>& queue() const noexcept { return queue_; }
  [[nodiscard]] DeviceProperties properties() const {
    return {.name = fmt::format("Virtual GPU {} (host memory, 1 core)", number_),
            .kind = DeviceKind::virtual_gpu_on_host,
            .total_memory = static_cast<std::int64_t>(arena_.bytes()),
            .multiprocessors = 1,
            .bus_id = {}};
  }
  [[nodiscard]] MemoryInfo memory() {
    const auto usage = pool_.usage();
    return {.total = static_cast<std::int64_t>(arena_.bytes()),
            .free = static_cast<std::int64_t>(usage.free),
            .used = static_cast<std::int64_t>(std::min(usage.reserved + context_share, arena_.bytes())),
            .reserved = static_cast<std::int64_t>(usage.reserved),
            .requested = static_cast<std::int64_t>(usage.requested),
            .blocks = static_cast<std::int64_t>(usage.blocks)};
  }
  void* allocate(std::size_t bytes) {
    const auto block = pool_.allocate(bytes);
    if (!block) {
      const auto usage = pool_.usage();
      throw OutOfMemoryError(fmt::format(
          "[allocate] CUDA out of memory. Tried to allocate {} (GPU {}; {} total capacity; {} already allocated; {} "
          "free; {} in the largest free block) on cuda:{}. No tensor was lost. Release tensors that are not needed, "
          "make smaller ones, or give the virtual GPUs more memory, for example D2L_VIRTUAL_GPUS=2:4GiB",
          bytes_text(bytes), number_, bytes_text(arena_.bytes()), bytes_text(usage.allocated), bytes_text(usage.free),
          bytes_text(usage.largest), number_));
    }
    if (block->fresh_end > block->fresh_begin) {
      arena_.use_up_to(block->fresh_end);
      void* const fresh = arena_.device_address(block->fresh_begin);
      try {
        queue_->push(FreshMemoryWork{fresh, block->fresh_end - block->fresh_begin});
      } catch (...) {
        pool_.release(block->offset, bytes);
        throw;
      }
    }
    return arena_.device_address(block->offset);
  }
  void release(void* address, std::size_t bytes) noexcept {
    if (in_forked_child()) return;  // the memory stays with the parent, and another thread may have held the pool
    if (arena_.contains(address)) pool_.release(arena_.offset_of(address), bytes);
  }

 private:
  void perform(Work& work) {
    std::visit([this](auto& what) { perform(what); }, work.what);
  }
  void perform(FaultWork& work) { throw FatalDeviceError(work.what); }
  void perform(WaitWork& work) { work.queue->wait_from_queue(*queue_, work.sequence); }
  void perform(FreshMemoryWork& work) {
    auto* const words = static_cast<std::uint32_t*>(translate(number_, work.address, work.bytes, "fresh memory"));
    std::fill_n(words, work.bytes / sizeof(std::uint32_t), fresh_pattern);
  }
  void perform(CopyWork& work) {
    void* const destination = translate(work.destination_side, work.destination, work.bytes, "a copy");
    const void* const source = work.staging.data() != nullptr
                                   ? work.staging.data()
                                   : translate(work.source_side, work.source, work.bytes, "a copy");
    std::memmove(destination, source, work.bytes);
  }
  void perform(LaunchWork& work) {
    const auto name = info(work.operation).name;
    for (int i = 0; i < work.arguments.operand_count; ++i) {
      auto& operand = work.arguments.operands[static_cast<std::size_t>(i)];
      if (operand.data == nullptr) continue;
      operand.data = translate(number_, operand.data, static_cast<std::size_t>(operand.extent), name);
    }
    work.kernel(host_context(1), work.arguments);
  }
  /// The address that the worker uses for `bytes` bytes of memory of `side`; FatalDeviceError if the memory is not
  /// there.
  [[nodiscard]] void* translate(int side, const void* address, std::size_t bytes, const char* doing) const {
    if (side == host_side) {
      if (owner(gpus_, address) == nullptr) return const_cast<void*>(address);
    } else if (const Arena& arena = gpus_[static_cast<std::size_t>(side)]->arena_; arena.in_use(address, bytes)) {
      return arena.alias(address);
    }
    const VirtualGpu* const gpu = owner(gpus_, address);
    const std::string expected = side == host_side ? "the host" : fmt::format("cuda:{}", side);
    const std::string found = gpu == nullptr ? "the host" : fmt::format("cuda:{}", gpu->number_);
    throw FatalDeviceError(fmt::format(
        "CUDA error: an illegal memory access was encountered: {} on cuda:{} was given {} ({} bytes) as memory of {}, "
        "{}. Pass a tensor on {}, for example from .to()",
        doing, number_, address, bytes, expected,
        found == expected ? "which ends before that, or was never allocated" : "but that address belongs to " + found,
        expected));
  }

  const int number_;
  const All& gpus_;
  Arena arena_;
  MemoryPool pool_;
  std::shared_ptr<WorkQueue> queue_;
};

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

class VirtualGpus : public Backend, public TestSwitches {
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
  [[nodiscard]] DeviceProperties properties(int device) const override { return at(device).properties(); }
  [[nodiscard]] MemoryInfo memory(int device) const override { return usable(device, "memory_info").memory(); }

  void* allocate(int device, std::size_t bytes) override { return usable(device, "allocate").allocate(bytes); }
  void release(int device, void* memory, std::size_t bytes) noexcept override { at(device).release(memory, bytes); }
  void* allocate_pinned(std::size_t bytes) override {
    void* const memory = ::operator new (std::max<std::size_t>(bytes, 1), std::align_val_t{64}, std::nothrow);
    if (memory == nullptr) {
      throw OutOfMemoryError(fmt::format("[pin_memory] cannot allocate {} bytes of pinned host memory", bytes));
    }
    return memory;
  }
  void release_pinned(void* memory, std::size_t /*bytes*/) noexcept override {
    ::operator delete (memory, std::align_val_t{64});
  }

  void launch(int device, Operation operation, const KernelArguments& arguments, std::shared_ptr<Span> span) override {
    VirtualGpu& gpu = usable(device, info(operation).name);
    const Kernel kernel = host_kernels().find(operation, arguments);
    if (kernel == nullptr) {
      const auto& typed = arguments.operands[arguments.operand_count > 1 ? 1 : 0];
      throw TypeError(
          fmt::format("[{0}] \"{0}_cuda\" not implemented for '{1}': cuda:{2} has no kernel for it. Convert the "
                      "tensor first, for example with .to(kFloat)",
                      info(operation).name, toString(typed.dtype), device));
    }
    gpu.queue()->push(LaunchWork{operation, kernel, arguments}, std::move(span));
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
          fmt::format("[copy] peer access is not supported between these two devices: cuda:{} and cuda:{}. "
                      "Copy through the host",
                      device, peer));
    }
    if (bytes == 0) return;
    const auto side_of = [&](const void* address) { return at(device).arena().contains(address) ? device : peer; };
    gpu.queue()->push(CopyWork{destination, source, bytes, side_of(destination), side_of(source), {}}, std::move(span));
  }
  [[nodiscard]] bool can_access_peer(int device, int peer) override { return device == peer || peer_access.load(); }

  [[nodiscard]] std::shared_ptr<Mark> record(int device) override {
    return std::make_shared<VirtualMark>(usable(device, "record").queue());
  }
  void wait(int device, const std::shared_ptr<Mark>& mark) override {
    VirtualGpu& gpu = usable(device, "wait");
    const auto* const virtual_mark = dynamic_cast<const VirtualMark*>(mark.get());
    if (virtual_mark == nullptr || !has(virtual_mark->queue())) {
      throw DeviceError(fmt::format("[wait] cuda:{} cannot wait for an event of another kind of device", device));
    }
    if (virtual_mark->done() || virtual_mark->queue() == gpu.queue()) return;
    gpu.queue()->push(WaitWork{virtual_mark->queue(), virtual_mark->sequence()});
  }
  void synchronize(int device) override {
    WorkQueue& queue = *at(device).queue();
    queue.wait_from_host(queue.issued());
    queue.require_usable("synchronize");
  }

  [[nodiscard]] std::optional<int> owner(const void* address) const override {
    const VirtualGpu* const gpu = VirtualGpu::owner(gpus_, address);
    return gpu == nullptr ? std::nullopt : std::optional(gpu->number());
  }

  void hold_queue(int device) override { usable(device, "hold").queue()->hold(); }
  void release_queue(int device) override { at(device).queue()->release(); }
  void inject_fault(int device, const std::string& what) override {
    usable(device, "inject_fault").queue()->push(FaultWork{"CUDA error: " + what});
  }

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
      for (auto& gpu : backend->gpus_) gpu->queue()->rest();
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
    for (auto& gpu : gpus_) gpu->queue()->request_stop(why);
    for (auto& gpu : gpus_) gpu->queue()->join();
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
};

}  // namespace

std::unique_ptr<Backend> make_virtual_gpus(int count, std::int64_t memory, std::optional<std::uint64_t> delay_seed) {
  if (delay_seed) set_virtual_delays(delay_seed);
  return std::make_unique<VirtualGpus>(count, memory);
}

void set_virtual_peer_access(bool enabled) { peer_access = enabled; }

}  // namespace d2l::backend
