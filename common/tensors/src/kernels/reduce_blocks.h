// SPDX-License-Identifier: MIT
// Reductions of long contiguous rows on a GPU: blocks of threads read vectors, and join their parts in shared memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "backend/kernel.h"
#include "kernels/element.h"
#include "kernels/scratch.h"

namespace d2l::backend::kernels {

/// The arrays of a reduction.
template <class R>
struct ReductionArrays {
  const typename R::Input* in;
  typename R::Output* out;
  std::int64_t* indices;  ///< null unless the reduction has indices
  std::int64_t outer;
  std::int64_t reduced;
  std::int64_t inner;
  double correction = 0;  ///< subtracted from the count, by the reductions that take it

  D2L_HOST_DEVICE void finish(std::int64_t output, const typename R::Accumulator& accumulator) const {
    if constexpr (requires { R::finish(accumulator, reduced, correction); }) {
      out[output] = R::finish(accumulator, reduced, correction);
    } else {
      out[output] = R::finish(accumulator, reduced);
    }
    if constexpr (R::has_index) indices[output] = accumulator.index;
  }
};

template <class R>
ReductionArrays<R> reduction_arrays(const KernelArguments& arguments) {
  return {static_cast<const typename R::Input*>(arguments.operands[1].data),
          static_cast<typename R::Output*>(arguments.operands[0].data),
          R::has_index ? static_cast<std::int64_t*>(arguments.operands[2].data) : nullptr,
          arguments.sizes[0],
          arguments.sizes[1],
          arguments.sizes[2],
          arguments.parameters[0].real};
}

/// Whether a policy runs blocks of threads.
template <class Policy>
concept has_blocks = requires {
  Policy::block_threads;
};

inline constexpr std::int64_t shortest_block_row = 1024;
/// A block reads at least this much, and a row has at most this many blocks.
inline constexpr std::int64_t block_bytes = 65536;
inline constexpr std::int64_t max_blocks_of_a_row = 1024;

/// What one load instruction reads.
template <class T>
struct alignas(16) LoadedVector {
  static constexpr int count = 16 / sizeof(T);
  T values[count];
};

/// Joins the results of all threads of a block; thread 0 gets the result.
template <class R, int threads, class Block>
D2L_DEVICE void join_block(const Block& block, typename R::Accumulator& result) {
  auto* const shared = block.template shared<typename R::Accumulator>();
  const int thread = block.thread();
  shared[thread] = result;
  block.synchronise();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (thread < half) R::join(shared[thread], shared[thread + half]);
    block.synchronise();
  }
  if (thread == 0) result = shared[0];
}

/// Part `index % parts` of row `index / parts`, by one block.
template <class R, int threads>
struct BlockPass {
  using Input = typename R::Input;
  using Vector = LoadedVector<Input>;

  ReductionArrays<R> arrays;
  typename R::Accumulator* partial;  ///< (outer, parts); null for one part, which finishes
  std::int64_t parts;

  template <class Block>
  D2L_DEVICE void operator()(const Block& block) const {
    const std::int64_t row = block.index() / parts;
    const std::int64_t part = block.index() % parts;
    const std::int64_t begin = arrays.reduced * part / parts;
    const std::int64_t end = arrays.reduced * (part + 1) / parts;
    auto result = R::start();
    reduce(arrays.in + row * arrays.reduced, begin, end, block.thread(), result);
    join_block<R, threads>(block, result);
    if (block.thread() != 0) return;
    if (partial != nullptr) {
      partial[block.index()] = result;
    } else {
      arrays.finish(row, result);
    }
  }

 private:
  static D2L_DEVICE void reduce(const Input* row, std::int64_t begin, std::int64_t end, int thread,
                                typename R::Accumulator& result) {
    const auto address = reinterpret_cast<std::uintptr_t>(row + begin);
    const auto unaligned = static_cast<std::int64_t>((16 - address % 16) % 16 / sizeof(Input));
    const std::int64_t first = begin + unaligned < end ? begin + unaligned : end;
    for (std::int64_t i = begin + thread; i < first; i += threads) R::add(result, row[i], i);
    const auto* const vectors = reinterpret_cast<const Vector*>(row + first);
    const std::int64_t count = (end - first) / Vector::count;
    std::int64_t v = thread;
    for (; v + threads < count; v += std::int64_t{2} * threads) {  // two loads under way
      const Vector one = vectors[v];
      const Vector two = vectors[v + threads];
      add(result, one, two, first + v * Vector::count);
    }
    if (v < count) add(result, vectors[v], first + v * Vector::count);
    for (std::int64_t i = first + count * Vector::count + thread; i < end; i += threads) R::add(result, row[i], i);
  }
  static D2L_DEVICE void add(typename R::Accumulator& result, const Vector& vector, std::int64_t index) {
    for (int i = 0; i < Vector::count; ++i) R::add(result, vector.values[i], index + i);
  }
  static D2L_DEVICE void add(typename R::Accumulator& result, const Vector& one, const Vector& two,
                             std::int64_t index) {
    if constexpr (requires { requires R::adds_runs; }) {
      const float values[8] = {one.values[0], one.values[1], one.values[2], one.values[3],
                               two.values[0], two.values[1], two.values[2], two.values[3]};
      const float run =
          ((values[0] + values[1]) + (values[2] + values[3])) + ((values[4] + values[5]) + (values[6] + values[7]));
      R::add_run(result, run, values);
    } else {
      add(result, one, index);
      add(result, two, index + threads * Vector::count);
    }
  }
};

/// The parts of a row, by one block.
template <class R, int threads>
struct BlockJoin {
  ReductionArrays<R> arrays;
  const typename R::Accumulator* partial;  ///< (outer, parts)
  std::int64_t parts;

  template <class Block>
  D2L_DEVICE void operator()(const Block& block) const {
    auto result = R::start();
    for (std::int64_t part = block.thread(); part < parts; part += threads) {
      R::join(result, partial[block.index() * parts + part]);
    }
    join_block<R, threads>(block, result);
    if (block.thread() == 0) arrays.finish(block.index(), result);
  }
};

/// The number of parts depends only on the shape, so the result is the same on every card.
template <class Policy, class R>
void reduce_rows_in_blocks(const KernelContext& context, const ReductionArrays<R>& arrays) {
  using Accumulator = typename R::Accumulator;
  constexpr int threads = Policy::block_threads;
  constexpr std::size_t shared_bytes = threads * sizeof(Accumulator);
  const std::int64_t row_bytes = arrays.reduced * static_cast<std::int64_t>(sizeof(typename R::Input));
  const std::int64_t most = std::max<std::int64_t>(max_blocks_of_a_row / arrays.outer, 1);
  const std::int64_t parts = std::clamp<std::int64_t>(row_bytes / block_bytes, 1, most);
  const Scratch<Accumulator> partial(context, parts > 1 ? arrays.outer * parts : 0);
  Policy::for_each_block(context, arrays.outer * parts, shared_bytes,
                         BlockPass<R, threads>{arrays, partial.data(), parts});
  if (parts == 1) return;
  Policy::for_each_block(context, arrays.outer, shared_bytes, BlockJoin<R, threads>{arrays, partial.data(), parts});
}

}  // namespace d2l::backend::kernels
