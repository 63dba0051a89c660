// SPDX-License-Identifier: MIT
// Virtual GPUs of a test's own, apart from those of the process: a fault in them ends with the test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backend/backend.h"

namespace d2l::tests {

class VirtualRig {
 public:
  explicit VirtualRig(int count = 2, std::int64_t memory = std::int64_t{64} << 20)
      : gpus_(backend::make_virtual_gpus(count, memory, std::nullopt)) {}

  [[nodiscard]] backend::Backend& operator*() const { return *gpus_; }
  [[nodiscard]] backend::Backend* operator->() const { return gpus_.get(); }

  /// Issues a kernel that sets `count` float32 from `address` to `value`.
  void fill(int device, void* address, std::int64_t count, double value) const {
    backend::KernelArguments arguments{};
    arguments.rank = 1;
    arguments.sizes[0] = count;
    arguments.operand_count = 2;
    arguments.operands[0].data = address;
    arguments.operands[0].extent = count * 4;
    arguments.operands[0].strides[0] = 1;
    arguments.operands[1].immediate.real = value;
    gpus_->launch(device, backend::Operation::fill, arguments, nullptr);
  }
  /// Issues a kernel that computes c = a + b, float32.
  void add(int device, void* c, void* a, void* b, std::int64_t count) const {
    backend::KernelArguments arguments{};
    arguments.rank = 1;
    arguments.sizes[0] = count;
    arguments.operand_count = 3;
    void* const addresses[] = {c, a, b};
    for (std::size_t i = 0; i < 3; ++i) {
      arguments.operands[i].data = addresses[i];
      arguments.operands[i].extent = count * 4;
      arguments.operands[i].strides[0] = 1;
    }
    gpus_->launch(device, backend::Operation::add, arguments, nullptr);
  }
  /// Copies `count` elements to the host and waits for them.
  template <class T = float>
  [[nodiscard]] std::vector<T> read(int device, const void* address, std::size_t count) const {
    std::vector<T> values(count);
    gpus_->copy_to_host(device, values.data(), address, count * sizeof(T), backend::HostMemory::pageable, nullptr);
    gpus_->synchronize(device);
    return values;
  }
  [[nodiscard]] void* allocate(int device, std::int64_t count) const {
    return gpus_->allocate(device, static_cast<std::size_t>(count) * 4);
  }

 private:
  std::unique_ptr<backend::Backend> gpus_;
};

}  // namespace d2l::tests
