// SPDX-License-Identifier: MIT
// fill_sort: the stable sort along the middle of {outer, n, inner}, with the indices of the elements.
#pragma once

#include <algorithm>

#include "kernels/kernel_table.h"
#include "kernels/radix_sort.h"
#include "kernels/scratch.h"
#include "kernels/sort_keys.h"
#include "kernels/sort_lines.h"

namespace d2l::backend::kernels {

/// The arrays of a sort. A line is the n elements at one place of outer and inner.
template <class T>
struct SortArrays {
  using Key = typename SortKey<T>::type;
  T* out;
  const T* in;
  std::int64_t* indices;
  std::int64_t n;
  std::int64_t inner;
  bool descending;

  /// Element j of a line, in the arrays.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t place(std::int64_t line, std::int64_t j) const {
    return (line / inner * n + j) * inner + line % inner;
  }
  [[nodiscard]] D2L_HOST_DEVICE Key key(std::int64_t line, std::int64_t j) const {
    return SortKey<T>::of(in[place(line, j)], descending);
  }

  /// Sorts one line on a host; both arrays have room for n records.
  template <class RecordKey>
  void sort_line(std::int64_t line, SortRecord<RecordKey>* records, SortRecord<RecordKey>* spare) const {
    const std::int64_t first = place(line, 0);
    const T* const from = in + first;
    for (std::int64_t j = 0; j < n; ++j) {
      records[j] = SortRecord<RecordKey>(SortKey<T>::of(from[j * inner], descending), j);
    }
    const SortRecord<RecordKey>* const sorted = radix_sort<RecordKey>(records, spare, n, SortKey<T>::bits);
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t position = sorted[j].position();
      out[first + j * inner] = from[position * inner];
      indices[first + j * inner] = position;
    }
  }
};

/// Sorts the lines on a host; each thread takes a part of them.
template <class Policy, class RecordKey, class T>
void sort_on_host(const KernelContext& context, const SortArrays<T>& arrays, std::int64_t lines) {
  using Record = SortRecord<RecordKey>;
  constexpr std::int64_t elements_of_a_thread = parallel_threshold / 8;  // a sort costs several additions an element
  const std::int64_t useful = std::max<std::int64_t>(lines * arrays.n / elements_of_a_thread, 1);
  const std::int64_t parts = std::min({lines, useful, std::int64_t{context.threads}});
  const Scratch<Record> records(context, 2 * parts * arrays.n);
  const auto part = [&arrays, &records, lines, parts](std::int64_t number) {
    Record* const own = records.data() + 2 * number * arrays.n;
    for (std::int64_t line = lines * number / parts; line < lines * (number + 1) / parts; ++line) {
      arrays.template sort_line<RecordKey>(line, own, own + arrays.n);
    }
  };
  Policy::for_each(parts == 1 ? on_one_thread(context) : context, parts, part);
}

/// Writes the keys of all lines, one line after the other.
template <class T>
struct KeyWork {
  SortArrays<T> arrays;
  typename SortArrays<T>::Key* keys;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const { keys[i] = arrays.key(i / arrays.n, i % arrays.n); }
};

/// Writes element i of the sorted lines.
template <class T>
struct SortedWork {
  SortArrays<T> arrays;
  const std::int64_t* order;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t line = i / arrays.n;
    const std::int64_t position = order[i] % arrays.n;
    const std::int64_t to = arrays.place(line, i % arrays.n);
    arrays.out[to] = arrays.in[arrays.place(line, position)];
    arrays.indices[to] = position;
  }
};

template <class Policy, class T>
void sort_kernel(const KernelContext& context, const KernelArguments& arguments) {
  using Key = typename SortArrays<T>::Key;
  const SortArrays<T> arrays{static_cast<T*>(arguments.operands[0].data),
                             static_cast<const T*>(arguments.operands[1].data),
                             static_cast<std::int64_t*>(arguments.operands[2].data),
                             arguments.sizes[1],
                             arguments.sizes[2],
                             arguments.parameters[0].integer != 0};
  const std::int64_t lines = arguments.sizes[0] * arrays.inner;
  const std::int64_t count = lines * arrays.n;
  if (count == 0) return;
  if constexpr (Policy::on_device) {
    const Scratch<Key> keys(context, count);
    const Scratch<std::int64_t> order(context, count);
    Policy::for_each(context, count, KeyWork<T>{arrays, keys.data()});
    sort_rows<Policy>(context, keys.data(), order.data(), lines, arrays.n, SortKey<T>::bits);
    Policy::for_each(context, count, SortedWork<T>{arrays, order.data()});
  } else if (arrays.n >> 32 == 0) {
    sort_on_host<Policy, Key>(context, arrays, lines);
  } else {
    sort_on_host<Policy, std::uint64_t>(context, arrays, lines);  // a position has more than 32 bits
  }
}

template <class Policy>
void fill_sort(KernelTable& table) {
  add_kernels<Operation::sort>(table, []<class T>(Type<T>) -> Kernel { return sort_kernel<Policy, T>; });
}

}  // namespace d2l::backend::kernels
