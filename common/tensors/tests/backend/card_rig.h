// SPDX-License-Identifier: MIT
// For tests: a rig whose kernels are the library's, so that it works on any backend.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "backend/rig.h"
#include "ops/launch.h"

namespace d2l::tests {

class CardRig : public Rig {
 public:
  explicit CardRig(const std::shared_ptr<backend::Backend>& gpus)
      : Rig(gpus, {find_kernel(*gpus, backend::Operation::fill, floats(2)),
                   find_kernel(*gpus, backend::Operation::add, floats(3))}) {}

 private:
  static backend::KernelArguments floats(std::size_t operands) {
    return testing::arguments_of({1}, std::vector(operands, testing::operand_at(nullptr, 4, kFloat, {1})));
  }
};

}  // namespace d2l::tests
