// SPDX-License-Identifier: MIT
// Elementwise kernels of three or four inputs: out[i] = f(a[i], b[i], c[i], …) over a shape, each input an array of any
// layout or a number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

#include "kernels/elementwise_kernel.h"

namespace d2l::backend::kernels {

/// The number that stands in place of an array of T. An unsigned integer of 32 or 64 bits, which is no dtype's element,
/// gets the bits of the number.
template <class T>
T number_or_bits(const Operand& operand) {
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    return operand.dtype == kFloat ? std::bit_cast<T>(static_cast<float>(operand.immediate.real))
                                   : static_cast<T>(operand.immediate.integer);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return operand.dtype == kDouble ? std::bit_cast<T>(operand.immediate.real)
                                    : static_cast<T>(operand.immediate.integer);
  } else {
    return number<T>(operand.immediate);
  }
}

/// An input of a row, which a host reads in blocks: its own elements where they are contiguous, else copies of them.
template <class T>
class BlocksOfInput {
 public:
  static constexpr std::int64_t size = 256;

  BlocksOfInput(const char* data, std::int64_t stride, std::int64_t count)
      : data_(reinterpret_cast<const T*>(data)), stride_(stride) {
    if (stride == 0) std::fill_n(copies_.begin(), std::min(size, count), *data_);
  }
  /// The `count` elements from `first`.
  const T* at(std::int64_t first, std::int64_t count) {
    if (stride_ == 1) return data_ + first;
    if (stride_ != 0) {
      for (std::int64_t i = 0; i < count; ++i) copies_[static_cast<std::size_t>(i)] = data_[(first + i) * stride_];
    }
    return copies_.data();
  }

 private:
  const T* data_;
  std::int64_t stride_;
  std::array<T, static_cast<std::size_t>(size)> copies_;
};

/// The row function of out = f(a, b, c, …).
template <class F, class Out, class... In>
struct RowsOfMore {
  static D2L_ALWAYS_INLINE void loop(Out* out, std::int64_t count, const In*... in) {
    const F f{};
    D2L_VECTORISE
    for (std::int64_t i = 0; i < count; ++i) out[i] = f(in[i]...);
  }
  D2L_NEVER_INLINE static void baseline(Out* out, std::int64_t count, const In*... in) { loop(out, count, in...); }
  D2L_WIDE static void wide(Out* out, std::int64_t count, const In*... in) { loop(out, count, in...); }

  static void blocks(Out* out, std::int64_t stride, std::int64_t count, BlocksOfInput<In>&&... inputs) {
    constexpr std::int64_t size = BlocksOfInput<Out>::size;
    std::array<Out, static_cast<std::size_t>(size)> results;
    auto* compute = &baseline;
    if constexpr (!is_one_by_one<F>) compute = wide_vectors() ? &wide : &baseline;
    for (std::int64_t first = 0; first < count; first += size) {
      const std::int64_t length = std::min(size, count - first);
      Out* const to = stride == 1 ? out + first : results.data();
      compute(to, length, inputs.at(first, length)...);
      if (stride == 1) continue;
      for (std::int64_t i = 0; i < length; ++i) out[(first + i) * stride] = results[static_cast<std::size_t>(i)];
    }
  }
  template <std::size_t... k>
  static void row_of(char* const* data, const std::int64_t* strides, std::int64_t count,
                     std::index_sequence<k...> /*inputs*/) {
    blocks(reinterpret_cast<Out*>(data[0]), strides[0], count,
           BlocksOfInput<In>(data[k + 1], strides[k + 1], count)...);
  }
  static void row(char* const* data, const std::int64_t* strides, std::int64_t count) {
    row_of(data, strides, count, std::index_sequence_for<In...>());
  }
};

/// Computes one element, in a GPU thread.
template <class F, class Out, class... In>
struct ElementOfMore {
  static constexpr int operands = 1 + static_cast<int>(sizeof...(In));
  int rank;
  std::int64_t sizes[max_dimensions];
  std::int64_t strides[operands][max_dimensions];
  void* data[operands];  ///< null for a number
  alignas(8) unsigned char values[operands][8];

  template <class T>
  [[nodiscard]] D2L_HOST_DEVICE T input(std::size_t k, std::int64_t offset) const {
    if (data[k] != nullptr) return static_cast<const T*>(data[k])[offset];
    T value;
    std::memcpy(&value, values[k], sizeof(T));
    return value;
  }
  template <std::size_t... k>
  [[nodiscard]] D2L_HOST_DEVICE Out apply(const std::int64_t (&offsets)[operands],
                                          std::index_sequence<k...> /*inputs*/) const {
    return F{}(input<In>(k + 1, offsets[k + 1])...);
  }
  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    std::int64_t offsets[operands] = {};
    std::int64_t rest = i;
    D2L_UNROLL
    for (int d = max_dimensions - 1; d >= 0; --d) {
      if (d >= rank) continue;
      const std::int64_t next = d > 0 ? rest / sizes[d] : 0;
      const std::int64_t position = rest - next * (d > 0 ? sizes[d] : 0);
      rest = next;
      D2L_UNROLL
      for (int k = 0; k < operands; ++k) offsets[k] += position * strides[k][d];
    }
    static_cast<Out*>(data[0])[offsets[0]] = apply(offsets, std::index_sequence_for<In...>());
  }
};

/// The kernel out = f(a, b, c, …), for inputs of the types In.
template <class Policy, class F, class Out, class... In>
void choice_kernel(const KernelContext& context, const KernelArguments& arguments) {
  constexpr std::size_t operands = 1 + sizeof...(In);
  static_assert(operands <= max_operands);
  const std::tuple<Out, In...> numbers = [&arguments]<std::size_t... k>(std::index_sequence<k...>) {
    return std::tuple<Out, In...>{Out{}, number_or_bits<In>(arguments.operands[k + 1])...};
  }
  (std::index_sequence_for<In...>());
  constexpr std::array<std::int64_t, operands> sizes{sizeof(Out), sizeof(In)...};
  std::array<const void*, operands> values = std::apply(
      [](const auto&... each) { return std::array<const void*, operands>{static_cast<const void*>(&each)...}; },
      numbers);
  if constexpr (Policy::on_device) {
    const std::int64_t count = element_count(arguments);
    if (count == 0) return;
    ElementOfMore<F, Out, In...> work{};
    work.rank = arguments.rank;
    for (std::size_t d = 0; d < static_cast<std::size_t>(arguments.rank); ++d) work.sizes[d] = arguments.sizes[d];
    for (std::size_t k = 0; k < operands; ++k) {
      const Operand& operand = arguments.operands[k];
      work.data[k] = operand.data;
      std::memcpy(work.values[k], values[k], static_cast<std::size_t>(sizes[k]));
      for (std::size_t d = 0; d < static_cast<std::size_t>(arguments.rank); ++d) {
        work.strides[k][d] = operand.data != nullptr ? operand.strides[d] : 0;
      }
    }
    Policy::for_each(context, count, work);
  } else {
    RowWork work{};
    work.row = work.streaming_row = &RowsOfMore<F, Out, In...>::row;
    work.operand_count = static_cast<int>(operands);
    for (std::size_t k = 0; k < operands; ++k) {
      const Operand& operand = arguments.operands[k];
      const bool is_number = k > 0 && operand.data == nullptr;
      work.element_sizes[k] = sizes[k];
      work.data[k] = is_number ? static_cast<char*>(const_cast<void*>(values[k])) : static_cast<char*>(operand.data);
      work.strides[k] = is_number ? no_strides.data() : operand.strides.data();
    }
    run_rows<Policy>(context, arguments, work);
  }
}

}  // namespace d2l::backend::kernels
