// SPDX-License-Identifier: MIT
// Convolutions on a card: the products are those of cuBLAS.
#include "kernels/column_convolution.h"
#include "kernels/cuda/cublas_kernels.h"

namespace d2l::backend::cuda {
namespace {

template <class T>
void add(KernelTable& table, ScalarType type) {
  using Convolutions = kernels::ColumnConvolution<T, cuda_kernels>;
  const auto entry = [&](Operation operation) -> Kernel& {
    return table.kernels[static_cast<std::size_t>(operation)][static_cast<std::size_t>(type)];
  };
  entry(Operation::conv2d) = Convolutions::conv2d;
  entry(Operation::conv2d_backward_input) = Convolutions::backward_input;
  entry(Operation::conv2d_backward_weight) = Convolutions::backward_weight;
}

}  // namespace

void add_convolutions(KernelTable& table) {
  add<float>(table, kFloat);
  add<double>(table, kDouble);
}

}  // namespace d2l::backend::cuda
