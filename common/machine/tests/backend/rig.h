// SPDX-License-Identifier: MIT
// For tests: a backend with short calls for kernels, copies and held queues.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/arguments.h"
#include "backend/backend.h"
#include "backend/test_switches.h"

namespace d2l::tests {

/// The kernels that a rig launches, for float32: operand 0 becomes the number of operand 1; operand 0 becomes the sum
/// of the others.
struct RigKernels {
  backend::NamedKernel fill;
  backend::NamedKernel add;
};

class Rig {
 public:
  Rig(std::shared_ptr<backend::Backend> gpus, RigKernels kernels) : gpus_(std::move(gpus)), kernels_(kernels) {}

  [[nodiscard]] backend::Backend* operator->() const { return gpus_.get(); }
  [[nodiscard]] backend::Backend& operator*() const { return *gpus_; }
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
    gpus_->launch(device, kernels_.fill, arguments, nullptr);
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
    gpus_->launch(device, kernels_.add, arguments, nullptr);
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
  RigKernels kernels_;
};

/// Those kernels on the host.
inline RigKernels host_kernels() {
  const auto fill = [](const backend::KernelContext&, const backend::KernelArguments& arguments) {
    auto* const result = static_cast<float*>(arguments.operands[0].data);
    std::fill_n(result, arguments.sizes[0], static_cast<float>(arguments.operands[1].immediate.real));
  };
  const auto add = [](const backend::KernelContext&, const backend::KernelArguments& arguments) {
    const auto* const a = static_cast<const float*>(arguments.operands[1].data);
    const auto* const b = static_cast<const float*>(arguments.operands[2].data);
    std::transform(a, a + arguments.sizes[0], b, static_cast<float*>(arguments.operands[0].data), std::plus<>());
  };
  return {{"fill", fill}, {"add", add}};
}

/// Separate virtual GPUs: a fault in them ends with the test.
class VirtualRig : public Rig {
 public:
  explicit VirtualRig(int count = 2, std::int64_t memory = std::int64_t{64} << 20)
      : Rig(backend::make_virtual_gpus(count, memory, std::nullopt), host_kernels()) {}
};

}  // namespace d2l::tests
