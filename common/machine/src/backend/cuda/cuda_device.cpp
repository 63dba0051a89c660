// SPDX-License-Identifier: MIT
// A device creates nothing on its card before the first use.
#include "backend/cuda/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>

#include "d2l/error.h"
#include "values/gpu_type.h"

namespace d2l::backend::cuda {
namespace {

thread_local CudaDevice* running_device = nullptr;
thread_local GraphScratch* running_scratch = nullptr;

void* scratch(const KernelContext&, std::size_t bytes) {
  if (running_scratch != nullptr) return running_scratch->take(bytes);
  return running_device->memory().allocate_scratch(bytes, running_device->stream());
}
void release_scratch(const KernelContext&, void* memory) {
  if (running_scratch != nullptr) return running_scratch->give_back(memory);
  running_device->memory().free_scratch(running_device->stream(), memory);
}

/// What the slices of a card share.
std::shared_ptr<SharedContext> context_of_card(int ordinal) {
  static std::mutex mutex;
  static std::map<int, std::shared_ptr<SharedContext>> contexts;
  const std::lock_guard lock(mutex);
  auto& context = contexts[ordinal];
  if (!context) context = std::make_shared<SharedContext>();
  return context;
}

}  // namespace

CudaDevice::CudaDevice(int number, Card card, std::optional<std::int64_t> limit)
    : number_(number),
      card_(std::move(card)),
      limit_(limit),
      health_(detail::gpu_number(number).str(), context_of_card(card_.ordinal)) {
  queue_ = std::make_shared<IssueQueue>([this](const IssueQueue::Work& work) { run_late(work); });
}

CudaDevice::~CudaDevice() {
  // At the end of the process CUDA may be shut down. Its errors can be ignored then, but cuBLAS would crash, so its
  // handle is not destroyed.
  staging_.reset();
  if (stream_ != nullptr) ignore(cudaStreamDestroy(stream_));
}

CudaDevice::Use::Use(CudaDevice& device, const char* operation)
    : calls_(device.health_, operation), guard_(device.card_.ordinal) {
  device.health_.require(operation);
  std::call_once(device.opened_, [&device] { device.open(); });
}

void CudaDevice::open() {
  if (stream_ == nullptr) D2L_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  memory_ = std::make_unique<DeviceMemory>(card_, limit_);
  clock_ = std::make_shared<Clock>();
  events_ = std::make_shared<EventPool>(cudaEventDisableTiming);
  staging_ = std::make_unique<Staging>(queue_, events_, stream_, health_);
  is_open_.store(true, std::memory_order_release);
}

void CudaDevice::run_late(const IssueQueue::Work& work) noexcept {
  try {
    const Use use(*this, "queue");
    work();
  } catch (const std::exception& error) {
    health_.fault(error.what());
  }
}

cudaMemPool_t CudaDevice::pool_if_open() const noexcept {
  return is_open_.load(std::memory_order_acquire) ? memory_->pool() : nullptr;
}

DeviceProperties CudaDevice::properties() const {
  DeviceProperties properties = card_.properties;
  if (is_slice()) properties.name = fmt::format("Virtual GPU {} (slice of {})", number_, properties.name);
  properties.kind = is_slice() ? DeviceKind::virtual_gpu_on_card : DeviceKind::physical_gpu;
  properties.total_memory = limit_.value_or(properties.total_memory);
  read_telemetry(properties);
  return properties;
}

void CudaDevice::run(Kernel kernel, const KernelArguments& arguments) { run_in(stream_, nullptr, kernel, arguments); }

void CudaDevice::capture(cudaStream_t stream, GraphScratch& scratch, Kernel kernel, const KernelArguments& arguments) {
  run_in(stream, &scratch, kernel, arguments);
}

void CudaDevice::run_in(cudaStream_t stream, GraphScratch* scratch_of_graph, Kernel kernel,
                        const KernelArguments& arguments) {
  running_device = this;
  running_scratch = scratch_of_graph;
  const KernelContext context{.stream = stream,
                              .threads = card_.properties.multiprocessors,
                              .scratch = scratch,
                              .release_scratch = release_scratch,
                              .library = [](const KernelContext& of_kernel) -> void* {
                                return running_device->library(static_cast<cudaStream_t>(of_kernel.stream));
                              }};
  try {
    kernel(context, arguments);
  } catch (const FatalDeviceError&) {
    throw;
  } catch (const std::exception& error) {
    // Thrust and cuBLAS may have cleared a fatal error; every further call returns it.
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess) status = cudaStreamQuery(stream_);
    if (is_fatal(status)) check(status, "launch");
    if (status != cudaSuccess) forget_last_error();
    if (dynamic_cast<const Error*>(&error) != nullptr) throw;
    throw Error(fmt::format("[launch] {} on {}", error.what(), health_.name()));
  }
}

cublasHandle_t CudaDevice::library(cudaStream_t stream) {
  // A stream that captures may have the address of an earlier one.
  if (library_ != nullptr && library_stream_ == stream && running_scratch == nullptr) return library_;
  if (library_ == nullptr) D2L_CUDA_CHECK(cublasCreate(&library_));
  D2L_CUDA_CHECK(cublasSetStream(library_, stream));  // which resets the workspace
  library_stream_ = stream;
  if (!is_slice()) return library_;
  // The library's own workspace would not count as the slice's memory. These are its default sizes.
  constexpr std::int64_t mebibyte = 1 << 20;
  const std::int64_t recommended = card_.properties.major >= 9 ? 32 * mebibyte : 4 * mebibyte;
  const auto bytes = static_cast<std::size_t>(std::min(recommended, *limit_ / 16));
  if (workspace_ == nullptr) workspace_ = memory_->allocate_scratch(bytes, stream_);
  D2L_CUDA_CHECK(cublasSetWorkspace(library_, workspace_, bytes));
  return library_;
}

void CudaDevice::refuse_to_wait_for_itself(const char* operation) const {
  if (queue_->is_issued() || !queue_->is_held_by_this_thread()) return;
  throw DeviceError(
      fmt::format("[{}] this thread holds the queue of {}, so the wait would never end; release the queue first",
                  operation, health_.name()));
}

}  // namespace d2l::backend::cuda
