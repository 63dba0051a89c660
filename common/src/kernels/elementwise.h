// SPDX-License-Identifier: MIT
// Elementwise kernels: out[i] = f(a[i], b[i]) over a shape, each operand contiguous, broadcast, strided or a number.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "kernels/element.h"
#include "kernels/kernel.h"
#include "kernels/policy.h"
#include "kernels/rows.h"

namespace d2l::backend::kernels {

/// Work of fewer elements than this stays on the calling thread; a parallel region costs as much.
inline constexpr std::int64_t parallel_threshold = 32768;
/// Elements that a host thread takes at once.
inline constexpr std::int64_t chunk_elements = 16384;

/// How many elements the shape of the arguments has.
inline std::int64_t element_count(const KernelArguments& arguments) {
  std::int64_t count = 1;
  for (int d = 0; d < arguments.rank; ++d) count *= arguments.sizes[static_cast<std::size_t>(d)];
  return count;
}

inline constexpr std::array<std::int64_t, max_dimensions> no_strides{};
inline constexpr std::int64_t one_element = 1;

/// Leads a row function along the operands, on as many threads as the policy and the size of the work ask for.
template <class Policy>
void run_rows(const KernelContext& context, const KernelArguments& arguments, RowWork& work) {
  const std::int64_t count = element_count(arguments);
  if (count == 0) return;
  if (arguments.rank <= 1 && count < parallel_threshold) {
    std::array<std::int64_t, 3> strides{};
    if (arguments.rank == 1) {
      for (std::size_t k = 0; k < 3; ++k) strides[k] = work.strides[k][0];
    }
    work.row(work.data.data(), strides.data(), count);
    return;
  }
  work.rank = std::max(arguments.rank, 1);
  work.sizes = arguments.rank == 0 ? &one_element : arguments.sizes.data();
  const bool alone = count < parallel_threshold || Policy::workers(context) == 1;
  const std::int64_t chunk = alone ? count : chunk_elements;
  const std::int64_t chunks = (count + chunk - 1) / chunk;
  for_each_index<Policy>(context, chunks, [&work, chunk, count](std::int64_t index) {
    walk_rows(work, index * chunk, std::min(count, (index + 1) * chunk));
  });
}

/// An operand as a GPU's thread reads it.
template <class T, class Index>
struct View {
  T* data;
  std::remove_const_t<T> value;
  Index strides[max_dimensions];
};

/// One element of the work, for a GPU's thread.
template <class F, class Out, class In, int inputs, class Index>
struct ElementWork {
  int rank;
  Index sizes[max_dimensions];
  View<Out, Index> out;
  View<const In, Index> in[inputs];

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    Index rest = static_cast<Index>(i);
    Index to = 0;
    Index from[inputs] = {};
    for (int d = rank - 1; d >= 0; --d) {
      Index position = rest;
      if (d > 0) {
        const Index next = rest / sizes[d];
        position = rest - next * sizes[d];
        rest = next;
      }
      to += position * out.strides[d];
      for (int k = 0; k < inputs; ++k) from[k] += position * in[k].strides[d];
    }
    In values[inputs];
    for (int k = 0; k < inputs; ++k) values[k] = in[k].data != nullptr ? in[k].data[from[k]] : in[k].value;
    if constexpr (inputs == 1) {
      out.data[to] = F{}(values[0]);
    } else {
      out.data[to] = F{}(values[0], values[1]);
    }
  }
};

template <class F, class Out, class In, int inputs, class Index, class Policy>
void run_elements(const KernelContext& context, const KernelArguments& arguments, std::int64_t count) {
  ElementWork<F, Out, In, inputs, Index> work{};
  const auto rank = static_cast<std::size_t>(arguments.rank);
  work.rank = arguments.rank;
  for (std::size_t d = 0; d < rank; ++d) work.sizes[d] = static_cast<Index>(arguments.sizes[d]);
  const auto set_strides = [&](auto& view, const Operand& operand) {
    for (std::size_t d = 0; d < rank; ++d) {
      view.strides[d] = operand.data != nullptr ? static_cast<Index>(operand.strides[d]) : Index{0};
    }
  };
  work.out.data = static_cast<Out*>(arguments.operands[0].data);
  set_strides(work.out, arguments.operands[0]);
  for (std::size_t k = 0; k < inputs; ++k) {
    const Operand& operand = arguments.operands[k + 1];
    work.in[k].data = static_cast<const In*>(operand.data);
    work.in[k].value = number<In>(operand.immediate);
    set_strides(work.in[k], operand);
  }
  for_each_index<Policy>(context, count, work);
}

/// True when every offset of the work fits 32 bits, in which a GPU divides faster.
inline bool fits_32_bits(const KernelArguments& arguments, std::int64_t count) {
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
  bool fits = count <= limit;
  for (std::size_t k = 0; k < static_cast<std::size_t>(arguments.operand_count); ++k) {
    fits = fits && arguments.operands[k].extent <= limit;
  }
  return fits;
}

/// The kernel out = f(a) or out = f(a, b), for operands of one type.
template <class Policy, class F, class Out, class In, int inputs>
void elementwise_kernel(const KernelContext& context, const KernelArguments& arguments) {
  if constexpr (Policy::on_device) {
    const std::int64_t count = element_count(arguments);
    if (count == 0) return;
    if (fits_32_bits(arguments, count)) {
      run_elements<F, Out, In, inputs, std::int32_t, Policy>(context, arguments, count);
    } else {
      run_elements<F, Out, In, inputs, std::int64_t, Policy>(context, arguments, count);
    }
  } else {
    RowWork work{};
    work.row = Rows<F, Out, In, inputs>::choose();
    work.operand_count = inputs + 1;
    work.element_sizes = {sizeof(Out), sizeof(In), sizeof(In)};
    work.data[0] = static_cast<char*>(arguments.operands[0].data);
    work.strides[0] = arguments.operands[0].strides.data();
    work.strides[2] = no_strides.data();
    std::array<In, 2> numbers;
    for (std::size_t k = 0; k < inputs; ++k) {
      const Operand& operand = arguments.operands[k + 1];
      const bool is_number = operand.data == nullptr;
      if (is_number) numbers[k] = number<In>(operand.immediate);
      work.data[k + 1] = is_number ? reinterpret_cast<char*>(&numbers[k]) : static_cast<char*>(operand.data);
      work.strides[k + 1] = is_number ? no_strides.data() : operand.strides.data();
    }
    run_rows<Policy>(context, arguments, work);
  }
}

/// The place of a kernel in a table.
inline Kernel& entry(KernelTable& table, Operation operation, ScalarType type) {
  return table.kernels[static_cast<std::size_t>(operation)][static_cast<std::size_t>(type)];
}

}  // namespace d2l::backend::kernels
