// SPDX-License-Identifier: MIT
// fill_take: take reads the elements at an index along a dimension; index_add, its gradient, adds to them.
#pragma once

#include <algorithm>

#include "kernels/fill_table.h"
#include "kernels/functions.h"
#include "kernels/policy.h"
#include "kernels/sorting/sort_lines.h"

namespace d2l::backend::kernels {

/// Throws IndexError with the sentence of the public operation: `index` is outside of a dimension of size `n`.
[[noreturn]] void fail_index(IndexUse use, std::int64_t index, std::int64_t dimension, std::int64_t n);

/// Throws IndexError; on a GPU, ends the kernel and makes the device unusable for this process.
D2L_HOST_DEVICE inline void refuse_index(IndexUse use, std::int64_t index, std::int64_t dimension, std::int64_t n) {
#ifdef __CUDA_ARCH__
  static_cast<void>(use);
  static_cast<void>(index);
  static_cast<void>(dimension);
  static_cast<void>(n);
  // The function behind assert(), which works with NDEBUG too.
  __assert_fail("[index] index >= 0 && index < size: index out of range in self", __FILE__, __LINE__, __func__);
#else
  fail_index(use, index, dimension, n);
#endif
}

/// The index of take and index_add: (m) if it is shared, else (outer, m, inner).
struct IndexArray {
  const std::int64_t* data;
  std::int64_t outer;
  std::int64_t n;
  std::int64_t inner;
  std::int64_t m;
  bool shared;
  IndexUse use;
  std::int64_t dimension;

  /// An entry, counted from the front.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t wrapped(std::int64_t entry) const {
    const std::int64_t index = data[entry];
    return index < 0 && use == IndexUse::index ? index + n : index;
  }
  [[nodiscard]] D2L_HOST_DEVICE bool refused(std::int64_t index) const { return index < 0 || index >= n; }
  /// An entry, which may not be refused.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t checked(std::int64_t entry) const {
    const std::int64_t index = wrapped(entry);
    if (refused(index)) refuse_index(use, data[entry], dimension, n);
    return index;
  }
  [[nodiscard]] std::int64_t entries() const { return shared ? m : outer * m * inner; }
  /// Throws IndexError if an entry is refused, on a host. The first loop has no branch, so that it is fast.
  void check() const {
    bool any = false;
    for (std::int64_t entry = 0; entry < entries(); ++entry) any |= refused(wrapped(entry));
    if (!any) return;
    for (std::int64_t entry = 0; entry < entries(); ++entry) static_cast<void>(checked(entry));
  }
};

inline IndexArray index_array(const KernelArguments& arguments) {
  const auto& sizes = arguments.sizes;
  return {static_cast<const std::int64_t*>(arguments.operands[2].data),
          sizes[0],
          sizes[1],
          sizes[2],
          sizes[3],
          arguments.parameters[0].integer != 0,
          static_cast<IndexUse>(arguments.parameters[1].integer),
          static_cast<std::int64_t>(arguments.parameters[1].real)};
}

/// out (outer, m, inner) = a (outer, n, inner) at the index. T has the size of an element.
template <class T>
struct TakeWork {
  T* out;
  const T* a;
  IndexArray index;

  /// One element, for a GPU's thread.
  D2L_HOST_DEVICE void operator()(std::int64_t at) const {
    const std::int64_t row = at / index.inner;
    const std::int64_t from = index.checked(index.shared ? row % index.m : at);
    out[at] = a[(row / index.m * index.n + from) * index.inner + at % index.inner];
  }
  /// The rows begin to end of outer × m, for a host's thread.
  void rows(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t row = begin; row < end;) {
      const std::int64_t j = row % index.m;
      const std::int64_t count = std::min(end - row, index.m - j);
      rows_of_block(a + row / index.m * index.n * index.inner, row, j, count);
      row += count;
    }
  }

 private:
  /// `count` rows from `row` on, which is row j of its block.
  void rows_of_block(const T* block, std::int64_t row, std::int64_t j, std::int64_t count) const {
    T* to = out + row * index.inner;
    if (index.inner == 1) {
      const std::int64_t first = index.shared ? j : row;
      for (std::int64_t i = 0; i < count; ++i) to[i] = block[index.wrapped(first + i)];
      return;
    }
    for (std::int64_t number = 0; number < count; ++number, to += index.inner) {
      if (index.shared) {
        const T* const from = block + index.wrapped(j + number) * index.inner;
        for (std::int64_t i = 0; i < index.inner; ++i) to[i] = from[i];
      } else {
        const std::int64_t first = (row + number) * index.inner;
        for (std::int64_t i = 0; i < index.inner; ++i) to[i] = block[index.wrapped(first + i) * index.inner + i];
      }
    }
  }
};

template <class Policy, class T>
void take(const KernelContext& context, const KernelArguments& arguments) {
  const TakeWork<T> work{static_cast<T*>(arguments.operands[0].data), static_cast<const T*>(arguments.operands[1].data),
                         index_array(arguments)};
  const std::int64_t rows = work.index.outer * work.index.m;
  const std::int64_t count = rows * work.index.inner;
  if constexpr (!Policy::on_device) work.index.check();
  if (count == 0) return;
  if constexpr (Policy::on_device) {
    Policy::for_each(context, count, work);
  } else {
    const std::int64_t piece =
        count < parallel_threshold ? rows : std::max<std::int64_t>(chunk_elements / work.index.inner, 1);
    Policy::for_each(context, (rows + piece - 1) / piece, [&work, piece, rows](std::int64_t number) {
      work.rows(number * piece, std::min(rows, (number + 1) * piece));
    });
  }
}

template <class T>
struct IndexAddArrays {
  T* out;      ///< (outer, n, inner)
  const T* a;  ///< (outer, m, inner)
  IndexArray index;
};

inline constexpr std::int64_t add_tile = 256;

/// One tile of neighbouring inner indices of one outer index, on a host.
template <class T>
void add_tile_on_host(const IndexAddArrays<T>& arrays, std::int64_t number) {
  const IndexArray& index = arrays.index;
  const std::int64_t tiles = (index.inner + add_tile - 1) / add_tile;
  const std::int64_t o = number / tiles;
  const std::int64_t begin = number % tiles * add_tile;
  const std::int64_t end = std::min(index.inner, begin + add_tile);
  T* const block = arrays.out + o * index.n * index.inner;
  for (std::int64_t c = 0; c < index.n; ++c)
    std::fill(block + c * index.inner + begin, block + c * index.inner + end, T{0});
  for (std::int64_t j = 0; j < index.m; ++j) {
    const std::int64_t row = (o * index.m + j) * index.inner;
    for (std::int64_t i = begin; i < end; ++i) {
      T& sum = block[index.wrapped(index.shared ? j : row + i) * index.inner + i];
      sum = functions::add{}(sum, arrays.a[row + i]);
    }
  }
}

// On a GPU, the index is sorted, which keeps the order of equal entries. Then one thread finds the entries of an
// element by bisection, and adds them in their order: the result does not depend on the order in which threads run.

/// Writes the entries of all lines as keys, one line after the other; a shared index is one line.
struct IndexKeys {
  IndexArray index;
  std::uint64_t* keys;

  D2L_HOST_DEVICE void operator()(std::int64_t at) const {
    const std::int64_t line = at / index.m;
    const std::int64_t j = at % index.m;
    const std::int64_t entry = index.shared ? j : (line / index.inner * index.m + j) * index.inner + line % index.inner;
    keys[at] = static_cast<std::uint64_t>(index.checked(entry));
  }
};

template <class T>
struct IndexAddWork {
  IndexAddArrays<T> arrays;
  const std::int64_t* order;  ///< (lines, m): positions in all lines, sorted by their entries

  /// Entry number `number` in the order of its line.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t position(std::int64_t line, std::int64_t number) const {
    return order[line * arrays.index.m + number] % arrays.index.m;
  }
  D2L_HOST_DEVICE void operator()(std::int64_t at) const {
    const IndexArray& index = arrays.index;
    const std::int64_t i = at % index.inner;
    const std::int64_t c = at / index.inner % index.n;
    const std::int64_t o = at / index.inner / index.n;
    const std::int64_t line = index.shared ? 0 : o * index.inner + i;
    const auto entry = [&](std::int64_t j) {
      return index.wrapped(index.shared ? j : (o * index.m + j) * index.inner + i);
    };
    std::int64_t first = 0;
    for (std::int64_t end = index.m; first < end;) {
      const std::int64_t middle = (first + end) / 2;
      if (entry(position(line, middle)) < c) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    T sum{0};
    for (; first < index.m; ++first) {
      const std::int64_t j = position(line, first);
      if (entry(j) != c) break;
      sum = functions::add{}(sum, arrays.a[(o * index.m + j) * index.inner + i]);
    }
    arrays.out[at] = sum;
  }
};

template <class Policy, class T>
void index_add(const KernelContext& context, const KernelArguments& arguments) {
  const IndexAddArrays<T> arrays{static_cast<T*>(arguments.operands[0].data),
                                 static_cast<const T*>(arguments.operands[1].data), index_array(arguments)};
  const IndexArray& index = arrays.index;
  const std::int64_t count = index.outer * index.n * index.inner;
  if (index.outer * index.inner == 0) return;
  if constexpr (Policy::on_device) {
    const std::int64_t lines = index.shared ? 1 : index.outer * index.inner;
    const Scratch<std::uint64_t> keys(context, lines * index.m);
    const Scratch<std::int64_t> order(context, lines * index.m);
    if (index.m > 0) {
      Policy::for_each(context, lines * index.m, IndexKeys{index, keys.data()});
      sort_rows<Policy>(context, keys.data(), order.data(), lines, index.m, std::max(bits_to_count(index.n), 1));
    }
    if (count > 0) Policy::for_each(context, count, IndexAddWork<T>{arrays, order.data()});
  } else {
    index.check();
    const std::int64_t tiles = (index.inner + add_tile - 1) / add_tile;
    const auto tile = [&arrays](std::int64_t number) { add_tile_on_host(arrays, number); };
    const std::int64_t work = count + index.outer * index.m * index.inner;
    Policy::for_each(work < parallel_threshold ? on_one_thread(context) : context, index.outer * tiles, tile);
  }
}

template <class Policy>
void fill_take(KernelTable& table) {
  add_kernels<Operation::take>(table, []<class T>(Type<T>) -> Kernel { return take<Policy, ElementBits<T>>; });
  add_kernels<Operation::index_add>(table, []<class T>(Type<T>) -> Kernel { return index_add<Policy, T>; });
}

}  // namespace d2l::backend::kernels
