// SPDX-License-Identifier: MIT
// Devices, memory, synchronisation and ownership.
#include "backend/cuda/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cuda/cuda_mark.h"
#include "backend/cuda/pool_of.h"
#include "d2l/error.h"

namespace d2l::backend::cuda {
namespace {

std::string in_units(std::int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes >= std::int64_t{1} << 30) return fmt::format("{:.2f} GiB", size / 0x1p30);
  if (bytes >= std::int64_t{1} << 20) return fmt::format("{:.2f} MiB", size / 0x1p20);
  if (bytes >= std::int64_t{1} << 10) return fmt::format("{:.2f} KiB", size / 0x1p10);
  return fmt::format("{} bytes", bytes);
}

}  // namespace

const std::shared_ptr<CudaDevice>& CudaBackend::at(int device) const {
  if (device < 0 || device >= device_count()) {
    throw DeviceError(
        fmt::format("[gpu] asked for cuda:{}, found {} GPU{}", device, device_count(), device_count() == 1 ? "" : "s"));
  }
  return devices_[static_cast<std::size_t>(device)];
}

DeviceProperties CudaBackend::properties(int device) const {
  at(device)->health().require("properties");
  return at(device)->properties();
}

MemoryInfo CudaBackend::memory(int device) const {
  CudaDevice& gpu = *at(device);
  const CudaDevice::Use use(gpu, "memory");
  return gpu.memory().info();
}

void* CudaBackend::allocate(int device, std::size_t bytes) {
  CudaDevice& gpu = *at(device);
  const CudaDevice::Use use(gpu, "allocate");
  if (void* memory = gpu.memory().try_allocate(bytes, gpu.stream())) return memory;
  // What was released may still be in the stream, and other slices of the card may keep what they do not use.
  if (gpu.queue().is_issued()) D2L_CUDA_CHECK(cudaStreamSynchronize(gpu.stream()));
  for (const auto& other : devices_) {
    if (other->card().ordinal == gpu.card().ordinal && other->pool_if_open() != nullptr) other->memory().trim();
  }
  if (void* memory = gpu.memory().try_allocate(bytes, gpu.stream())) return memory;
  report_out_of_memory(gpu, bytes);
}

void CudaBackend::report_out_of_memory(CudaDevice& device, std::size_t bytes) const {
  const MemoryInfo memory = device.memory().info();
  throw OutOfMemoryError(fmt::format(
      "[allocate] CUDA out of memory. Tried to allocate {} (GPU {}; {} total capacity; {} already "
      "allocated; {} free) on {}. Nothing was lost. Let go of tensors that are not needed any more, or make "
      "smaller ones{}",
      in_units(static_cast<std::int64_t>(bytes)), device.number(), in_units(memory.total), in_units(memory.requested),
      in_units(memory.free), device.health().name(),
      device.is_slice() ? ", or give the virtual GPUs more memory, for example D2L_VIRTUAL_GPUS=2:4GiB"
                        : "; nvidia-smi shows what other programs hold"));
}

void CudaBackend::release(int device, void* memory, std::size_t bytes) noexcept {
  try {
    CudaDevice& gpu = *at(device);
    gpu.memory().count_release(bytes);
    const CallsFor calls(gpu.health(), "release");
    const CardGuard guard(gpu.card().ordinal);
    gpu.queue().issue([self = gpu.shared_from_this(), memory] { DeviceMemory::free_in(self->stream(), memory); });
  } catch (...) {  // the card is gone, and the memory with it
  }
}

void* CudaBackend::allocate_pinned(std::size_t bytes) {
  // Any card that still works will do: the memory is for all of them.
  const auto well =
      std::find_if(devices_.begin(), devices_.end(), [](auto& device) { return !device->health().faulty(); });
  const CudaDevice::Use use(well == devices_.end() ? *at(0) : **well, "allocate_pinned");
  return pinned_.allocate(bytes);
}

void CudaBackend::release_pinned(void* memory, std::size_t bytes) noexcept { pinned_.release(memory, bytes); }

std::shared_ptr<Mark> CudaBackend::record(int device) {
  const CudaDevice::Use use(*at(device), "record");
  return CudaMark::record(at(device));
}

void CudaBackend::wait(int device, const std::shared_ptr<Mark>& mark) {
  const auto* cuda_mark = dynamic_cast<const CudaMark*>(mark.get());
  if (cuda_mark == nullptr) throw DeviceError("[wait] a GPU can wait for a mark of a GPU alone");
  CudaDevice& gpu = *at(device);
  const CudaDevice::Use use(gpu, "wait");
  cuda_mark->make_wait(gpu);
}

void CudaBackend::synchronize(int device) {
  CudaDevice& gpu = *at(device);
  const CudaDevice::Use use(gpu, "synchronize");
  gpu.refuse_to_wait_for_itself("synchronize");
  gpu.queue().wait_until_issued();
  D2L_CUDA_CHECK(cudaStreamSynchronize(gpu.stream()));
  gpu.health().surface("synchronize");
}

std::optional<int> CudaBackend::owner(const void* address) const {
  for (const auto& device : devices_) {
    const cudaMemPool_t pool = device->pool_if_open();
    if (pool == nullptr) continue;  // nothing was ever allocated on it
    const CardGuard guard(device->card().ordinal);
    const bool owned = device->is_slice() ? pool_of(address, device->card().ordinal) == pool
                                          : card_of(address) == device->card().ordinal;
    if (owned) return device->number();
  }
  return std::nullopt;
}

void CudaBackend::examine(CudaDevice& user, CudaDevice& device, const void* address, std::int64_t bytes,
                          const char* operation) const {
  if (!device.is_slice() || address == nullptr || bytes <= 0) return;
  const int card = device.card().ordinal;
  const CardGuard guard(card);
  const auto* last = static_cast<const char*>(address) + bytes - 1;
  if (pool_of(address, card) == device.memory().pool() && pool_of(last, card) == device.memory().pool()) return;
  const std::optional<int> owned_by = owner(address);
  std::string fault = fmt::format(
      "CUDA error: an illegal memory access was encountered: {} on {} was given {} ({} bytes) as memory of "
      "{}, and that "
      "address belongs to {}",
      operation, user.health().name(), address, bytes, device.health().name(),
      owned_by ? fmt::format("cuda:{}", *owned_by) : std::string("the host or to nobody"));
  user.queue().issue([self = user.shared_from_this(), fault = std::move(fault)] { self->health().fault(fault); });
}

void CudaBackend::hold(int device) {
  const CudaDevice::Use use(*at(device), "hold");
  at(device)->queue().hold();
}

void CudaBackend::let_go(int device) { at(device)->queue().let_go(); }

void CudaBackend::inject_fault(int device, const std::string& what) {
  CudaDevice& gpu = *at(device);
  const CudaDevice::Use use(gpu, "inject_fault");
  gpu.queue().issue([self = gpu.shared_from_this(), what] { self->health().fault(what); });
}

}  // namespace d2l::backend::cuda
