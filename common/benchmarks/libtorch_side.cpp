// SPDX-License-Identifier: MIT
// LibTorch's side of the comparison.
#include <torch/torch.h>

#include <sstream>

#include "side.h"

namespace library = torch;
namespace {
std::string text(const library::Tensor& tensor) {
  std::ostringstream out;
  out << tensor;
  return out.str();
}
}  // namespace
#include "works.h"

const d2l::benchmarks::Side* libtorch_side() {
  static constexpr d2l::benchmarks::Side side{"libtorch", torch::set_num_threads, prepare, run, finish};
  return &side;
}
