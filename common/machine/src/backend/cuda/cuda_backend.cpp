// SPDX-License-Identifier: MIT
// The backend of CUDA, and the functions that create it for whole cards and for slices of cards.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "backend/cuda/cuda_devices.h"
#include "backend/cuda/cuda_graph.h"
#include "backend/cuda/cuda_mark.h"
#include "backend/cuda/discovery/discovery.h"
#include "backend/cuda/memory/pinned_memory.h"
#include "backend/cuda_queues.h"
#include "backend/test_switches.h"
#include "base/units.h"
#include "d2l/error.h"
#include "values/gpu_type.h"

namespace d2l::backend::cuda {
namespace {

using detail::bytes_text;

/// True if the driver reads the pageable memory of a copy to the device before the call returns, and does not wait.
bool is_read_at_once(const CudaDevice& gpu, std::size_t bytes) {
  constexpr std::size_t limit = std::size_t{64} << 10;
  return bytes <= limit && !gpu.card().reads_pageable_memory;
}

/// The backend of devices that are whole cards or slices of cards.
class CudaBackend final : public Backend, public CudaDevices, public CudaQueues, public TestSwitches {
 public:
  explicit CudaBackend(std::vector<std::shared_ptr<CudaDevice>> devices) : devices_(std::move(devices)) {}

  [[nodiscard]] int device_count() const noexcept override { return static_cast<int>(devices_.size()); }
  [[nodiscard]] Processor processor() const noexcept override { return Processor::cuda; }
  [[nodiscard]] const std::shared_ptr<CudaDevice>& at(int device) const override {
    if (device < 0 || device >= device_count()) {
      throw DeviceError(fmt::format("[gpu] asked for {}, found {} GPU{}", detail::gpu_number(device).str(),
                                    device_count(), device_count() == 1 ? "" : "s"));
    }
    return devices_[static_cast<std::size_t>(device)];
  }
  [[nodiscard]] DeviceProperties properties(int device) const override {
    at(device)->health().require("properties");
    return at(device)->properties();
  }
  [[nodiscard]] MemoryInfo memory(int device) const override {
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "memory");
    return gpu.memory().info();
  }

  void* allocate(int device, std::size_t bytes) override {
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "allocate");
    if (void* memory = gpu.memory().try_allocate(bytes, gpu.stream())) return memory;
    // Released memory may still be in the stream, and other slices of the card may cache memory that they do not use.
    const auto shares_card = [&gpu](const auto& other) {
      return other->card().ordinal == gpu.card().ordinal && other->pool_if_open() != nullptr;
    };
    for (const auto& other : devices_) {
      if (shares_card(other)) other->memory().empty_cache(other->stream());
    }
    if (gpu.queue().is_issued()) D2L_CUDA_CHECK(cudaStreamSynchronize(gpu.stream()));
    for (const auto& other : devices_) {
      if (shares_card(other)) other->memory().trim();
    }
    if (void* memory = gpu.memory().try_allocate(bytes, gpu.stream())) return memory;
    report_out_of_memory(gpu, bytes);
  }
  void release(int device, void* memory, std::size_t bytes) noexcept override {
    try {
      CudaDevice& gpu = *at(device);
      gpu.memory().count_release(bytes);
      const CallsFor calls(gpu.health(), "release");
      const CardGuard guard(gpu.card().ordinal);
      gpu.queue().issue(
          [self = gpu.shared_from_this(), memory, bytes] { self->memory().free_in(self->stream(), memory, bytes); });
    } catch (...) {  // the card is lost, and its memory too
    }
  }
  void empty_cache(int device) override {
    CudaDevice& gpu = *at(device);
    if (gpu.pool_if_open() == nullptr) return;  // it never allocated memory
    const CudaDevice::Use use(gpu, "empty_cache");
    gpu.memory().empty_cache(gpu.stream());
    if (gpu.queue().is_issued()) D2L_CUDA_CHECK(cudaStreamSynchronize(gpu.stream()));
    gpu.memory().trim();
  }
  [[nodiscard]] std::int64_t max_reserved(int device) const override {
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "memory");
    return gpu.memory().max_reserved();
  }
  void reset_max_reserved(int device) override {
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "memory");
    gpu.memory().reset_max_reserved();
  }
  void* allocate_pinned(std::size_t bytes) override {
    // Any working card can allocate it: all cards can use the memory.
    const auto well =
        std::find_if(devices_.begin(), devices_.end(), [](auto& device) { return !device->health().faulty(); });
    const CudaDevice::Use use(well == devices_.end() ? *at(0) : **well, "allocate_pinned");
    return pinned_memory().allocate(bytes);
  }
  void release_pinned(void* memory, std::size_t bytes) noexcept override { pinned_memory().release(memory, bytes); }

  void launch(int device, NamedKernel kernel, const KernelArguments& arguments, std::shared_ptr<Span> span) override {
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, kernel.name);
    examine_operands(gpu, kernel, arguments);
    const auto run = [&gpu, kernel, arguments] { gpu.run(kernel.run, arguments); };
    gpu.queue().issue(gpu.timed(std::move(span), run));
  }
  std::shared_ptr<Graph> make_graph(int device, std::vector<GraphLaunch> launches) override {
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "capture_end");
    for (const auto& [kernel, arguments] : launches) examine_operands(gpu, kernel, arguments);
    auto graph = std::make_shared<CudaGraph>(at(device));
    gpu.queue().issue([graph, launches = std::move(launches)] { graph->instantiate(launches); });
    return graph;
  }
  void replay(int device, const std::shared_ptr<Graph>& graph, GraphSpans spans) override {
    const auto cuda_graph = std::dynamic_pointer_cast<CudaGraph>(graph);
    if (cuda_graph == nullptr) throw DeviceError("[replay] the graph belongs to another kind of device");
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "replay");
    gpu.queue().issue(gpu.timed(std::move(spans.whole), [cuda_graph] { cuda_graph->launch(); }));
  }
  void copy_to_device(int device, void* destination, const void* host, std::size_t bytes, HostMemory kind,
                      std::shared_ptr<Span> span) override {
    if (bytes == 0) return;
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "copy");
    examine(gpu, gpu, destination, static_cast<std::int64_t>(bytes), "copy");
    if (kind == HostMemory::pinned) {
      issue_copy(gpu, destination, host, bytes, cudaMemcpyHostToDevice, std::move(span));
      return;
    }
    if (is_read_at_once(gpu, bytes)) {
      const auto copy_from = [&gpu, destination, bytes](const void* memory) {
        D2L_CUDA_CHECK(cudaMemcpyAsync(destination, memory, bytes, cudaMemcpyHostToDevice, gpu.stream()));
      };
      gpu.queue().issue_either(gpu.timed(span, [copy_from, host] { copy_from(host); }), [&] {
        // The queue is held: the host memory is read now and copied later.
        const auto* const first = static_cast<const std::byte*>(host);
        std::vector<std::byte> read(first, first + bytes);
        return IssueQueue::Work(gpu.timed(span, [copy_from, read = std::move(read)] { copy_from(read.data()); }));
      });
      return;
    }
    const auto copy = [&gpu, destination](const void* pinned, std::size_t offset, std::size_t count) {
      D2L_CUDA_CHECK(cudaMemcpyAsync(static_cast<std::byte*>(destination) + offset, pinned, count,
                                     cudaMemcpyHostToDevice, gpu.stream()));
    };
    const bool waited = gpu.staging().to_device(host, bytes, gpu.timed_pieces(span, bytes, copy));
    if (span && waited) span->waited = true;
  }
  void copy_to_host(int device, void* host, const void* source, std::size_t bytes, HostMemory kind,
                    std::shared_ptr<Span> span) override {
    if (bytes == 0) return;
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "copy");
    examine(gpu, gpu, source, static_cast<std::int64_t>(bytes), "copy");
    if (kind == HostMemory::pinned) {
      issue_copy(gpu, host, source, bytes, cudaMemcpyDeviceToHost, std::move(span));
      return;
    }
    const auto copy = [&gpu, source](void* pinned, std::size_t offset, std::size_t count) {
      D2L_CUDA_CHECK(cudaMemcpyAsync(pinned, static_cast<const std::byte*>(source) + offset, count,
                                     cudaMemcpyDeviceToHost, gpu.stream()));
    };
    const bool waited = gpu.staging().to_host(host, bytes, gpu.timed_pieces(span, bytes, copy));
    if (span && waited) span->waited = true;
  }
  void copy_to_peer(int device, int peer, void* destination, const void* source, std::size_t bytes,
                    std::shared_ptr<Span> span) override {
    if (bytes == 0) return;
    CudaDevice& gpu = *at(device);
    CudaDevice& other = *at(peer);
    { const CudaDevice::Use check_that_peer_works(other, "copy"); }
    const CudaDevice::Use use(gpu, "copy");
    examine(gpu, gpu, source, static_cast<std::int64_t>(bytes), "copy");
    examine(gpu, other, destination, static_cast<std::int64_t>(bytes), "copy");
    const int from = gpu.card().ordinal;
    const int to = other.card().ordinal;
    if (from == to) {
      issue_copy(gpu, destination, source, bytes, cudaMemcpyDeviceToDevice, std::move(span));
      return;
    }
    const auto copy = [&gpu, destination, source, bytes, from, to] {
      D2L_CUDA_CHECK(cudaMemcpyPeerAsync(destination, to, source, from, bytes, gpu.stream()));
    };
    gpu.queue().issue(gpu.timed(std::move(span), copy));
  }
  [[nodiscard]] bool can_access_peer(int device, int peer) override {
    CudaDevice& from = *at(device);
    CudaDevice& to = *at(peer);
    if (device != peer && !peer_access_) return false;
    if (from.card().ordinal == to.card().ordinal) return true;
    const std::lock_guard lock(peers_mutex_);
    const std::pair pair{device, peer};
    if (const auto known = peers_.find(pair); known != peers_.end()) return known->second;
    return peers_[pair] = connect(from, to);  // an error leaves no answer
  }

  [[nodiscard]] std::shared_ptr<Mark> record(int device) override {
    const CudaDevice::Use use(*at(device), "record");
    return std::make_shared<CudaMark>(at(device));
  }
  void wait(int device, const std::shared_ptr<Mark>& mark) override {
    const auto* cuda_mark = dynamic_cast<const CudaMark*>(mark.get());
    if (cuda_mark == nullptr) throw DeviceError("[wait] a GPU can only wait for an event of a GPU");
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "wait");
    cuda_mark->make_wait(gpu);
  }
  void synchronize(int device) override {
    CudaDevice& gpu = *at(device);
    if (gpu.pool_if_open() == nullptr) {  // it never had work
      gpu.health().require("synchronize");
      return;
    }
    gpu.wait_on_host([&gpu] {
      gpu.refuse_to_wait_for_itself("synchronize");
      gpu.queue().wait_until_issued();
      const std::int64_t in_queue = steady_nanoseconds();
      D2L_CUDA_CHECK(cudaStreamSynchronize(gpu.stream()));
      return in_queue;
    });
  }

  [[nodiscard]] std::optional<int> owner(const void* address) const override {
    for (const auto& device : devices_) {
      const cudaMemPool_t pool = device->pool_if_open();
      if (pool == nullptr) continue;  // it never allocated memory
      const CardGuard guard(device->card().ordinal);
      const bool owned = device->is_slice() ? pool_of(address, device->card().ordinal) == pool
                                            : card_of(address) == device->card().ordinal;
      if (owned) return device->number();
    }
    return std::nullopt;
  }

  void* stream(int device) override {
    const CudaDevice::Use use(*at(device), "stream");
    return at(device)->stream();
  }

  void hold_queue(int device) override {
    const CudaDevice::Use use(*at(device), "hold");
    at(device)->queue().hold();
  }
  void release_queue(int device) override { at(device)->queue().release(); }
  void inject_fault(int device, const std::string& what) override {
    CudaDevice& gpu = *at(device);
    const CudaDevice::Use use(gpu, "inject_fault");
    gpu.queue().issue([self = gpu.shared_from_this(), what] { self->health().fault(what); });
  }
  void set_peer_access(bool enabled) override { peer_access_ = enabled; }

 private:
  /// Adds a fault to the queue of `user` if `device` does not own the memory. A card does not protect its slices from
  /// each other, and some cards read the host's memory.
  void examine(CudaDevice& user, CudaDevice& device, const void* address, std::int64_t bytes,
               const char* operation) const {
    if (address == nullptr || bytes <= 0) return;
    const int card = device.card().ordinal;
    const CardGuard guard(card);
    const auto* last = static_cast<const char*>(address) + bytes - 1;
    const auto is_owned = [&](const void* byte) {
      return device.is_slice() ? pool_of(byte, card) == device.memory().pool() : card_of(byte) == card;
    };
    if (is_owned(address) && (!device.is_slice() || is_owned(last))) return;
    const std::optional<int> owned_by = owner(address);
    std::string fault = fmt::format(
        "CUDA error: an illegal memory access was encountered: {} on {} was given {} ({} bytes) as memory of {}, but "
        "that address belongs to {}",
        operation, user.health().name(), address, bytes, device.health().name(),
        owned_by ? detail::gpu_number(*owned_by).str() : std::string("the host or to no device"));
    user.queue().issue([self = user.shared_from_this(), fault = std::move(fault)] { self->health().fault(fault); });
  }
  void examine_operands(CudaDevice& gpu, const NamedKernel& kernel, const KernelArguments& arguments) const {
    for (int i = 0; i < arguments.operand_count; ++i) {
      const Operand& operand = arguments.operands[static_cast<std::size_t>(i)];
      examine(gpu, gpu, operand.data, operand.extent, kernel.name);
    }
  }
  static void issue_copy(CudaDevice& gpu, void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                         std::shared_ptr<Span> span) {
    const auto copy = [&gpu, destination, source, bytes, kind] {
      D2L_CUDA_CHECK(cudaMemcpyAsync(destination, source, bytes, kind, gpu.stream()));
    };
    gpu.queue().issue(gpu.timed(std::move(span), copy));
  }
  bool connect(CudaDevice& from, CudaDevice& to) {
    // A pool can be opened, and access enabled, only if the other card is in use.
    { const CudaDevice::Use open(to, "copy"); }
    const CudaDevice::Use use(from, "copy");
    int possible = 0;
    D2L_CUDA_CHECK(cudaDeviceCanAccessPeer(&possible, from.card().ordinal, to.card().ordinal));
    if (possible == 0) return false;
    const cudaError_t status = cudaDeviceEnablePeerAccess(to.card().ordinal, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      forget_last_error();
    } else {
      check(status, "cudaDeviceEnablePeerAccess");
    }
    to.memory().open_to(from.card().ordinal);  // a memory pool has its own access rights
    return true;
  }
  [[noreturn]] void report_out_of_memory(CudaDevice& device, std::size_t bytes) const {
    const MemoryInfo memory = device.memory().info();
    throw OutOfMemoryError(fmt::format(
        "[allocate] CUDA out of memory. Tried to allocate {} (GPU {}; {} total capacity; {} already "
        "allocated; {} free) on {}. No tensor was lost. Release tensors that are not needed, or make smaller ones{}",
        bytes_text(bytes), device.number(), bytes_text(static_cast<std::size_t>(memory.total)),
        bytes_text(static_cast<std::size_t>(memory.requested)), bytes_text(static_cast<std::size_t>(memory.free)),
        device.health().name(),
        device.is_slice() ? ", or give the virtual GPUs more memory, for example D2L_VIRTUAL_GPUS=2:4GiB"
                          : "; nvidia-smi shows the memory of other programs"));
  }

  std::vector<std::shared_ptr<CudaDevice>> devices_;
  std::atomic<bool> peer_access_{true};
  std::mutex peers_mutex_;
  std::map<std::pair<int, int>, bool> peers_;  // the known answers of can_access_peer()
};

/// `count` devices, which divide the cards among them: whole cards, or slices of `limit` bytes.
std::vector<std::shared_ptr<CudaDevice>> make_devices(std::size_t count, std::optional<std::int64_t> limit) {
  const auto& cards = discovery().cards;
  std::vector<std::shared_ptr<CudaDevice>> devices;
  for (std::size_t number = 0; number < count; ++number) {
    devices.push_back(std::make_shared<CudaDevice>(static_cast<int>(number), cards[number % cards.size()], limit));
  }
  return devices;
}

}  // namespace
}  // namespace d2l::backend::cuda

namespace d2l::backend {

Backend& cuda_backend() {
  // Never destroyed: at the end of the process CUDA may be shut down before it.
  static auto* backend = new cuda::CudaBackend(cuda::make_devices(cuda::discovery().cards.size(), std::nullopt));
  return *backend;
}

std::unique_ptr<Backend> make_card_slices(int count, std::int64_t memory) {
  if (cuda::discovery().cards.empty()) return nullptr;
  return std::make_unique<cuda::CudaBackend>(cuda::make_devices(static_cast<std::size_t>(count), memory));
}

DriverInfo cuda_driver_info() { return cuda::discovery().driver; }

}  // namespace d2l::backend
