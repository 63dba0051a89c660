// SPDX-License-Identifier: MIT
// For tests: a backend with short calls for kernels, copies and held queues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "backend/test_switches.h"
#include "kernels/kernel_arrays.h"
#include "ops/find_kernel.h"

namespace d2l::tests {

class Rig {
 public:
  explicit Rig(std::shared_ptr<backend::Backend> gpus) : gpus_(std::move(gpus)) {}

  [[nodiscard]] backend::Backend* operator->() const { return gpus_.get(); }
  void hold(int device) const { switches().hold_queue(device); }
  void release(int device) const { switches().release_queue(device); }
  void inject_fault(int device, const std::string& what) const { switches().inject_fault(device, what); }
  void set_peer_access(bool enabled) const { switches().set_peer_access(enabled); }

  /// Memory for `count` float32.
  [[nodiscard]] void* allocate(int device, std::int64_t count) const {
    return gpus_->allocate(device, static_cast<std::size_t>(count) * 4);
  }
  /// Issues a kernel that sets `count` float32 from `address` to `value`.
  void fill(int device, void* address, std::int64_t count, double value) const {
    const auto arguments = testing::arguments_of({count}, {floats(address, count), testing::number(kFloat, value)});
    launch(device, backend::Operation::fill, arguments);
  }
  /// New memory in which a kernel sets `count` float32 to `value`.
  [[nodiscard]] void* filled(int device, std::int64_t count, double value) const {
    void* const memory = allocate(device, count);
    fill(device, memory, count, value);
    return memory;
  }
  /// Issues a kernel that computes c = a + b, float32.
  void add(int device, void* c, void* a, void* b, std::int64_t count) const {
    const auto arguments = testing::arguments_of({count}, {floats(c, count), floats(a, count), floats(b, count)});
    launch(device, backend::Operation::add, arguments);
  }
  void launch(int device, backend::Operation operation, const backend::KernelArguments& arguments) const {
    gpus_->launch(device, find_kernel(*gpus_, operation, arguments), arguments, nullptr);
  }
  /// Copies `count` elements to the host and waits for them.
  template <class T = float>
  [[nodiscard]] std::vector<T> read(int device, const void* address, std::size_t count) const {
    std::vector<T> values(count);
    gpus_->copy_to_host(device, values.data(), address, count * sizeof(T), backend::HostMemory::pageable, nullptr);
    gpus_->synchronize(device);
    return values;
  }

 private:
  [[nodiscard]] backend::TestSwitches& switches() const { return dynamic_cast<backend::TestSwitches&>(*gpus_); }
  static backend::Operand floats(void* address, std::int64_t count) {
    return testing::operand_at(address, static_cast<std::size_t>(count) * 4, kFloat, {1});
  }

  std::shared_ptr<backend::Backend> gpus_;
};

/// Separate virtual GPUs: a fault in them ends with the test.
class VirtualRig : public Rig {
 public:
  explicit VirtualRig(int count = 2, std::int64_t memory = std::int64_t{64} << 20)
      : Rig(backend::make_virtual_gpus(count, memory, std::nullopt)) {}
};

}  // namespace d2l::tests
