// SPDX-License-Identifier: MIT
// For the tests of kernels: the tables under test, strided arrays, and calls of a kernel.
#pragma once

#include <cstdlib>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "backend/arguments.h"
#include "backend/backend.h"
#include "kernels/kernel_table.h"

namespace d2l::testing {

using backend::KernelArguments;
using backend::KernelContext;
using backend::KernelTable;
using backend::Operand;
using backend::Operation;

/// Blocks of scratch memory that kernels have not released.
inline int scratch_blocks = 0;

inline KernelContext host_context(int threads) {
  KernelContext context;
  context.threads = threads;
  context.scratch = [](const KernelContext&, std::size_t bytes) {
    ++scratch_blocks;
    return std::malloc(bytes);
  };
  context.release_scratch = [](const KernelContext&, void* memory) {
    --scratch_blocks;
    std::free(memory);
  };
  return context;
}

/// A kernel table with the context that its kernels are called with.
struct Engine {
  std::string name;
  const KernelTable& table;
  KernelContext context;

  void run(Operation operation, const KernelArguments& arguments) const {
    table.find(operation, arguments)(context, arguments);
  }
};
inline std::vector<Engine> engines() {
  return {{"1 thread", backend::host_kernels(), host_context(1)},
          {"3 threads", backend::host_kernels(), host_context(3)}};
}

inline std::int64_t product_of(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

/// Whether two results of a kernel are equal; NaN equals NaN.
template <class T>
bool same(T a, T b) {
  return a == b || (a != a && b != b);
}

template <class T>
Operand operand_of(std::vector<T>& values, const Sizes& strides = {},
                   ScalarType dtype = CppTypeToScalarType<T>::value) {
  return operand_at(values.data(), values.size() * sizeof(T), dtype, strides);
}
/// The layout of an array in memory.
enum class Layout { contiguous, transposed, gaps, broadcast_first, broadcast_last, broadcast_all };

inline Sizes strides_of(const Sizes& sizes, Layout layout) {
  Sizes strides(sizes.size());
  std::int64_t step = layout == Layout::gaps ? 2 : 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t d = layout == Layout::transposed ? i : sizes.size() - 1 - i;
    const bool broadcast = layout == Layout::broadcast_all || (layout == Layout::broadcast_first && d == 0) ||
                           (layout == Layout::broadcast_last && d + 1 == sizes.size());
    strides[d] = broadcast ? 0 : step;
    if (!broadcast) step *= sizes[d];
  }
  return strides;
}

/// A strided array, with a canary wherever there is no element.
template <class T>
struct StridedArray {
  Sizes sizes;
  Sizes strides;
  std::vector<T> memory;

  StridedArray(const Sizes& shape, Layout layout, T canary) : sizes(shape), strides(strides_of(shape, layout)) {
    std::int64_t last = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) last += (sizes[d] - 1) * strides[d];
    memory.assign(static_cast<std::size_t>(product_of(sizes) == 0 ? 0 : last + 1), canary);
  }
  /// The offset in memory of element number i of the shape, in row-major order.
  [[nodiscard]] std::size_t offset(std::int64_t i) const {
    // Pointers, because tests are compiled without optimisation and this is most of their time.
    const std::int64_t* const size = sizes.data();
    const std::int64_t* const stride = strides.data();
    std::int64_t result = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      result += i % size[d] * stride[d];
      i /= size[d];
    }
    return static_cast<std::size_t>(result);
  }
  [[nodiscard]] Operand operand(ScalarType dtype) { return operand_of(memory, strides, dtype); }
};

/// The type in which a test holds elements of a dtype.
template <ScalarType dtype>
struct Held {
  using type =
      std::tuple_element_t<static_cast<std::size_t>(dtype), std::tuple<std::uint8_t, std::uint8_t, std::int32_t,
                                                                       std::int64_t, Half, BFloat16, float, double>>;
};
template <ScalarType dtype>
struct Dtype_ : std::integral_constant<ScalarType, dtype> {
  using Element = typename Held<dtype>::type;
};

/// Calls test(Dtype_<…>{}) for each dtype.
template <class Test>
void for_each_dtype(const Test& test) {
  test(Dtype_<kBool>{});
  test(Dtype_<kByte>{});
  test(Dtype_<kInt>{});
  test(Dtype_<kLong>{});
  test(Dtype_<kFloat>{});
  test(Dtype_<kDouble>{});
}

/// Calls test(Dtype_<…>{}) for float and double.
template <class Test>
void for_each_real(const Test& test) {
  test(Dtype_<kFloat>{});
  test(Dtype_<kDouble>{});
}

/// Element number i of a sequence with both signs, zeros, fractions and large values, as far as the dtype has them.
template <ScalarType dtype>
typename Held<dtype>::type sample(std::int64_t i) {
  using T = typename Held<dtype>::type;
  const auto mixed = static_cast<std::uint64_t>(i + 1) * 0x9E3779B97F4A7C15U;
  if constexpr (dtype == kBool) {
    return static_cast<T>(mixed >> 63);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (mixed >> 60 == 0) return T{0};
    return static_cast<T>(static_cast<std::int64_t>(mixed >> 40) - (1 << 23)) / static_cast<T>(1 << 20);
  } else {
    return mixed >> 61 == 0 ? static_cast<T>(mixed) : static_cast<T>(static_cast<std::int64_t>(mixed >> 59) - 7);
  }
}

/// An array of that sequence from number `first`.
template <ScalarType dtype>
StridedArray<typename Held<dtype>::type> samples(const Sizes& shape, std::int64_t first = 0,
                                                 Layout layout = Layout::contiguous) {
  StridedArray<typename Held<dtype>::type> array(shape, layout, {});
  for (auto& element : array.memory) element = sample<dtype>(first + (&element - array.memory.data()));
  return array;
}

}  // namespace d2l::testing
