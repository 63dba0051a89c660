// SPDX-License-Identifier: MIT
// fill_integer_product: matrix products of integers, which no vendor library has; sums and products wrap.
#pragma once

#include <cstdint>

#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

/// One row of one matrix of out (batch, n, m) = a (batch, n, k) × b (batch, k, m), or on a GPU one element of it.
template <class T>
struct ProductWork {
  T* out;
  const T* a;
  const T* b;
  std::int64_t n, k, m;
  std::int64_t a_strides[3];
  std::int64_t b_strides[3];

  D2L_HOST_DEVICE void element(std::int64_t index) const {
    out[index] = T{0};
    if (k == 0) return;  // a and b may be null
    const std::int64_t column = index % m;
    const std::int64_t row = index / m % n;
    const std::int64_t batch = index / m / n;
    const T* left = a + batch * a_strides[0] + row * a_strides[1];
    const T* right = b + batch * b_strides[0] + column * b_strides[2];
    T sum{0};
    for (std::int64_t i = 0; i < k; ++i) {
      sum = functions::add{}(sum, functions::mul{}(left[i * a_strides[2]], right[i * b_strides[1]]));
    }
    out[index] = sum;
  }

  void row(std::int64_t index) const {
    T* to = out + index * m;
    for (std::int64_t j = 0; j < m; ++j) to[j] = T{0};
    if (k == 0) return;  // a and b may be null
    const T* left = a + index / n * a_strides[0] + index % n * a_strides[1];
    const T* right = b + index / n * b_strides[0];
    for (std::int64_t i = 0; i < k; ++i) {
      const T factor = left[i * a_strides[2]];
      const T* from = right + i * b_strides[1];
      for (std::int64_t j = 0; j < m; ++j)
        to[j] = functions::add{}(to[j], functions::mul{}(factor, from[j * b_strides[2]]));
    }
  }

  D2L_HOST_DEVICE void operator()(std::int64_t index) const { element(index); }
};

template <class Policy, class T>
void integer_product(const KernelContext& context, const KernelArguments& arguments) {
  const auto& sizes = arguments.sizes;
  ProductWork<T> work{};
  work.out = static_cast<T*>(arguments.operands[0].data);
  work.a = static_cast<const T*>(arguments.operands[1].data);
  work.b = static_cast<const T*>(arguments.operands[2].data);
  work.n = sizes[1];
  work.k = sizes[2];
  work.m = sizes[3];
  for (std::size_t d = 0; d < 3; ++d) {
    work.a_strides[d] = arguments.operands[1].strides[d];
    work.b_strides[d] = arguments.operands[2].strides[d];
  }
  if (sizes[0] * work.n * work.m == 0) return;
  if constexpr (Policy::on_device) {
    Policy::for_each(context, sizes[0] * work.n * work.m, work);
  } else {
    const auto row = [&work](std::int64_t index) { work.row(index); };
    if (sizes[0] * work.n * work.k * work.m < parallel_threshold) {
      Policy::for_each(on_one_thread(context), sizes[0] * work.n, row);
    } else {
      Policy::for_each(context, sizes[0] * work.n, row);
    }
  }
}

template <class Policy>
void fill_integer_product(KernelTable& table) {
  add_kernels<Operation::matmul>(table, []<class T>(Type<T>) -> Kernel {
    if constexpr (is_floating<T>) {
      return nullptr;
    } else {
      return integer_product<Policy, T>;
    }
  });
}

}  // namespace d2l::backend::kernels
