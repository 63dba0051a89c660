// SPDX-License-Identifier: MIT
// Elementwise kernels: out[i] = f(a[i], b[i]) over a shape, each operand contiguous, broadcast, strided or a number.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#include "backend/kernel.h"
#include "kernels/element.h"
#include "kernels/policy.h"
#include "kernels/rows.h"

namespace d2l::backend::kernels {

/// The count of elements of the shape.
inline std::int64_t element_count(const KernelArguments& arguments) {
  std::int64_t count = 1;
  for (int d = 0; d < arguments.rank; ++d) count *= arguments.sizes[static_cast<std::size_t>(d)];
  return count;
}

inline constexpr std::array<std::int64_t, max_dimensions> no_strides{};
inline constexpr std::int64_t one_element = 1;

/// True if the result is too large for the cache and has long rows, so that it should bypass the cache.
inline bool worth_streaming(const RowWork& work, std::int64_t count) {
  constexpr std::int64_t shortest_row = 1024;
  if (count * work.element_sizes[0] < streaming_threshold) return false;
  const auto last = static_cast<std::size_t>(work.rank - 1);
  if (work.strides[0][last] != 1 || work.sizes[last] < shortest_row) return false;
  return std::find(work.data.begin() + 1, work.data.end(), work.data[0]) == work.data.end();
}

/// Calls the row function for all rows of the operands, on one thread or several, depending on the size.
template <class Policy>
void run_rows(const KernelContext& context, const KernelArguments& arguments, RowWork& work) {
  const std::int64_t count = element_count(arguments);
  if (count == 0) return;
  if (arguments.rank <= 1 && count < parallel_threshold) {
    std::array<std::int64_t, max_operands> strides{};
    if (arguments.rank == 1) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(work.operand_count); ++k) strides[k] = work.strides[k][0];
    }
    work.row(work.data.data(), strides.data(), count);
    return;
  }
  work.rank = std::max(arguments.rank, 1);
  work.sizes = arguments.rank == 0 ? &one_element : arguments.sizes.data();
  work.streams = worth_streaming(work, count);
  const bool alone = count < parallel_threshold || context.threads == 1;
  const std::int64_t chunk = alone ? count : chunk_elements;
  const std::int64_t chunks = (count + chunk - 1) / chunk;
  Policy::for_each(context, chunks, [&work, chunk, count](std::int64_t index) {
    walk_rows(work, index * chunk, std::min(count, (index + 1) * chunk));
  });
}

// A GPU keeps the arrays of a thread in registers if the compiler knows every index.
#ifdef __CUDA_ARCH__
#define D2L_UNROLL _Pragma("unroll")
#else
#define D2L_UNROLL
#endif

/// An operand, for a GPU thread.
template <class T, class Index>
struct View {
  T* data;
  Compute<std::remove_const_t<T>> value;
  Index strides[max_dimensions];
};

/// Computes one element, in a GPU thread.
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
    D2L_UNROLL
    for (int d = max_dimensions - 1; d >= 0; --d) {
      if (d >= rank) continue;
      Index position = rest;
      if (d > 0) {
        const Index next = rest / sizes[d];
        position = rest - next * sizes[d];
        rest = next;
      }
      to += position * out.strides[d];
      D2L_UNROLL
      for (int k = 0; k < inputs; ++k) from[k] += position * in[k].strides[d];
    }
    using Value = Compute<In>;
    Value values[inputs];
    D2L_UNROLL
    for (int k = 0; k < inputs; ++k) {
      values[k] = in[k].data != nullptr ? static_cast<Value>(in[k].data[from[k]]) : in[k].value;
    }
    if constexpr (inputs == 1) {
      out.data[to] = stored<Out>(F{}(values[0]));
    } else {
      out.data[to] = stored<Out>(F{}(values[0], values[1]));
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
    work.in[k].value = number<Compute<In>>(operand.immediate);
    set_strides(work.in[k], operand);
  }
  Policy::for_each(context, count, work);
}

/// The count of neighbouring elements that a GPU thread reads and writes at once.
inline constexpr int pack_elements = 4;
template <class T>
struct alignas(std::min<std::size_t>(16, pack_elements * sizeof(T))) Pack {
  T values[pack_elements];
};

template <class T>
D2L_HOST_DEVICE inline Pack<T> load_pack(const T* from) {
#ifdef __CUDA_ARCH__
  return *reinterpret_cast<const Pack<T>*>(from);  // one instruction
#else
  Pack<T> pack;
  std::memcpy(&pack, from, sizeof(pack));
  return pack;
#endif
}
template <class T>
D2L_HOST_DEVICE inline void store_pack(T* to, const Pack<T>& pack) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<Pack<T>*>(to) = pack;
#else
  std::memcpy(to, &pack, sizeof(pack));
#endif
}

/// Computes pack_elements contiguous elements, in a GPU thread.
template <class F, class Out, class In, int inputs>
struct PackWork {
  std::int64_t count;
  Out* out;
  const In* in[inputs];  ///< null for a number
  Compute<In> value[inputs];

  D2L_HOST_DEVICE static Out apply(const Pack<Compute<In>> (&packs)[inputs], int j) {
    if constexpr (inputs == 1) {
      return stored<Out>(F{}(packs[0].values[j]));
    } else {
      return stored<Out>(F{}(packs[0].values[j], packs[1].values[j]));
    }
  }
  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t first = i * pack_elements;
    const bool whole = first + pack_elements <= count;
    Pack<Compute<In>> packs[inputs];
    D2L_UNROLL
    for (int k = 0; k < inputs; ++k) {
      if (in[k] != nullptr && whole) {
        const Pack<In> pack = load_pack(in[k] + first);
        D2L_UNROLL
        for (int j = 0; j < pack_elements; ++j) packs[k].values[j] = static_cast<Compute<In>>(pack.values[j]);
        continue;
      }
      D2L_UNROLL
      for (int j = 0; j < pack_elements; ++j) {
        const bool read = in[k] != nullptr && first + j < count;
        packs[k].values[j] = read ? static_cast<Compute<In>>(in[k][first + j]) : value[k];
      }
    }
    Pack<Out> results;
    D2L_UNROLL
    for (int j = 0; j < pack_elements; ++j) results.values[j] = apply(packs, j);
    if (whole) {
      store_pack(out + first, results);
      return;
    }
    D2L_UNROLL
    for (int j = 0; j < pack_elements; ++j) {
      if (first + j < count) out[first + j] = results.values[j];
    }
  }
};

/// Computes by packs; returns false, without any work, unless all operands are contiguous and aligned to packs.
template <class F, class Out, class In, int inputs, class Policy>
bool run_packs(const KernelContext& context, const KernelArguments& arguments, std::int64_t count) {
  const auto fits = [&arguments](const Operand& operand, std::size_t alignment) {
    const bool contiguous = arguments.rank == 0 || (arguments.rank == 1 && operand.strides[0] == 1);
    return contiguous && reinterpret_cast<std::uintptr_t>(operand.data) % alignment == 0;
  };
  PackWork<F, Out, In, inputs> work{};
  work.count = count;
  work.out = static_cast<Out*>(arguments.operands[0].data);
  if (!fits(arguments.operands[0], alignof(Pack<Out>))) return false;
  for (std::size_t k = 0; k < inputs; ++k) {
    const Operand& operand = arguments.operands[k + 1];
    if (operand.data != nullptr && !fits(operand, alignof(Pack<In>))) return false;
    work.in[k] = static_cast<const In*>(operand.data);
    work.value[k] = number<Compute<In>>(operand.immediate);
  }
  Policy::for_each(context, (count + pack_elements - 1) / pack_elements, work);
  return true;
}

/// True if every offset fits 32 bits, with which a GPU divides faster.
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
    if (count == 0 || run_packs<F, Out, In, inputs, Policy>(context, arguments, count)) return;
    if (fits_32_bits(arguments, count)) {
      run_elements<F, Out, In, inputs, std::int32_t, Policy>(context, arguments, count);
    } else {
      run_elements<F, Out, In, inputs, std::int64_t, Policy>(context, arguments, count);
    }
  } else {
    RowWork work{};
    work.row = Rows<F, Out, In, inputs>::template choose<false>();
    work.streaming_row = Rows<F, Out, In, inputs>::template choose<true>();
    work.operand_count = inputs + 1;
    work.element_sizes = {sizeof(Out), sizeof(In), sizeof(In)};
    work.data[0] = static_cast<char*>(arguments.operands[0].data);
    work.strides[0] = arguments.operands[0].strides.data();
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

}  // namespace d2l::backend::kernels
