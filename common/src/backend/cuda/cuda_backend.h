// SPDX-License-Identifier: MIT
// CudaBackend: the backend of devices that are whole cards or slices of cards.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "backend/cuda/cuda_device.h"
#include "backend/cuda/memory/pinned_memory.h"
#include "backend/test_switches.h"

namespace d2l::backend::cuda {

class CudaBackend final : public Backend, public TestSwitches {
 public:
  explicit CudaBackend(std::vector<std::shared_ptr<CudaDevice>> devices) : devices_(std::move(devices)) {}

  [[nodiscard]] int device_count() const noexcept override { return static_cast<int>(devices_.size()); }
  [[nodiscard]] DeviceProperties properties(int device) const override;
  [[nodiscard]] MemoryInfo memory(int device) const override;

  void* allocate(int device, std::size_t bytes) override;
  void release(int device, void* memory, std::size_t bytes) noexcept override;
  void* allocate_pinned(std::size_t bytes) override;
  void release_pinned(void* memory, std::size_t bytes) noexcept override;

  void launch(int device, Operation operation, const KernelArguments& arguments, std::shared_ptr<Span> span) override;
  void copy_to_device(int device, void* destination, const void* host, std::size_t bytes, HostMemory kind,
                      std::shared_ptr<Span> span) override;
  void copy_to_host(int device, void* host, const void* source, std::size_t bytes, HostMemory kind,
                    std::shared_ptr<Span> span) override;
  void copy_to_peer(int device, int peer, void* destination, const void* source, std::size_t bytes,
                    std::shared_ptr<Span> span) override;
  [[nodiscard]] bool can_access_peer(int device, int peer) override;

  [[nodiscard]] std::shared_ptr<Mark> record(int device) override;
  void wait(int device, const std::shared_ptr<Mark>& mark) override;
  void synchronize(int device) override;

  [[nodiscard]] std::optional<int> owner(const void* address) const override;

  void hold_queue(int device) override;
  void release_queue(int device) override;
  void inject_fault(int device, const std::string& what) override;

 private:
  /// DeviceError if the device does not exist.
  [[nodiscard]] const std::shared_ptr<CudaDevice>& at(int device) const;
  /// A card does not protect its slices from each other. So if `device` is a slice that does not own the memory, this
  /// adds a fault to the queue of `user`.
  void examine(CudaDevice& user, CudaDevice& device, const void* address, std::int64_t bytes,
               const char* operation) const;
  bool connect(CudaDevice& from, CudaDevice& to);
  [[noreturn]] void report_out_of_memory(CudaDevice& device, std::size_t bytes) const;

  std::vector<std::shared_ptr<CudaDevice>> devices_;
  PinnedMemory pinned_;
  std::mutex peers_mutex_;
  std::map<std::pair<int, int>, bool> peers_;  // the known answers of can_access_peer()
};

}  // namespace d2l::backend::cuda
