// SPDX-License-Identifier: MIT
// fill_sort: the stable sort along the middle of {outer, n, inner}, with the indices of the elements; or the first of
// each sorted line alone.
#pragma once

#include <algorithm>

#include "kernels/fill_table.h"
#include "kernels/scratch.h"
#include "kernels/sorting/radix_sort.h"
#include "kernels/sorting/sort_keys.h"
#include "kernels/sorting/sort_lines.h"

namespace d2l::backend::kernels {

/// The arrays of a sort. A line is the n elements at one place of outer and inner, of which `kept` are written.
template <class T>
struct SortArrays {
  using Key = typename SortKey<T>::type;
  T* out;
  const T* in;
  std::int64_t* indices;
  std::int64_t n;
  std::int64_t inner;
  std::int64_t kept;
  bool descending;

  /// Element j of a line of `length` elements, in its array.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t place(std::int64_t line, std::int64_t j, std::int64_t length) const {
    return (line / inner * length + j) * inner + line % inner;
  }
  [[nodiscard]] D2L_HOST_DEVICE Key key(std::int64_t line, std::int64_t j) const {
    return SortKey<T>::of(in[place(line, j, n)], descending);
  }

  /// How many records a line needs at once: all, or enough that the search for a few seldom selects among them.
  [[nodiscard]] std::int64_t records_at_once() const {
    constexpr std::int64_t shortest = 1024;
    return kept < n ? std::min(n, 2 * kept + shortest) : n;
  }

  /// Writes the records that are sorted to the front of `records`, in any order: all, or the `kept` smallest, of which
  /// at most records_at_once() are compared at a time.
  template <class RecordKey>
  void gather_records(std::int64_t line, SortRecord<RecordKey>* records) const {
    using Record = SortRecord<RecordKey>;
    const T* const from = in + place(line, 0, n);
    const auto record = [this, from](std::int64_t j) { return Record(SortKey<T>::of(from[j * inner], descending), j); };
    const std::int64_t room = records_at_once();
    for (std::int64_t j = 0; j < room; ++j) records[j] = record(j);
    if (kept == n) return;
    const auto select = [this, records](std::int64_t count) {
      std::nth_element(records, records + (kept - 1), records + count);
      return records[kept - 1];
    };
    Record bound = select(room);  // the largest of the smallest so far
    std::int64_t count = kept;
    for (std::int64_t j = room; j < n; ++j) {
      const Record next = record(j);
      if (!(next < bound)) continue;
      records[count++] = next;
      if (count < room) continue;
      bound = select(room);
      count = kept;
    }
    if (count > kept) select(count);
  }

  /// Sorts one line on a host; both arrays have room for records_at_once() records.
  template <class RecordKey>
  void sort_line(std::int64_t line, SortRecord<RecordKey>* records, SortRecord<RecordKey>* spare) const {
    gather_records(line, records);
    const T* const from = in + place(line, 0, n);
    const std::int64_t first = place(line, 0, kept);
    const SortRecord<RecordKey>* sorted = records;
    if (kept == n) {
      sorted = radix_sort<RecordKey>(records, spare, n, SortKey<T>::bits);
    } else {
      std::sort(records, records + kept);  // a selection does not keep the order of equal keys
    }
    for (std::int64_t j = 0; j < kept; ++j) {
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
  const std::int64_t room = arrays.records_at_once();
  const Scratch<Record> records(context, 2 * parts * room);
  const auto part = [&arrays, &records, lines, parts, room](std::int64_t number) {
    Record* const own = records.data() + 2 * number * room;
    for (std::int64_t line = lines * number / parts; line < lines * (number + 1) / parts; ++line) {
      arrays.template sort_line<RecordKey>(line, own, own + room);
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

/// Writes element i of the first elements of the sorted lines.
template <class T>
struct SortedWork {
  SortArrays<T> arrays;
  const std::int64_t* order;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t line = i / arrays.kept;
    const std::int64_t j = i % arrays.kept;
    const std::int64_t position = order[line * arrays.n + j] % arrays.n;
    const std::int64_t to = arrays.place(line, j, arrays.kept);
    arrays.out[to] = arrays.in[arrays.place(line, position, arrays.n)];
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
                             arguments.sizes[3],
                             arguments.parameters[0].integer != 0};
  const std::int64_t lines = arguments.sizes[0] * arrays.inner;
  const std::int64_t count = lines * arrays.n;
  if (count == 0 || arrays.kept == 0) return;
  if constexpr (Policy::on_device) {
    const Scratch<Key> keys(context, count);
    const Scratch<std::int64_t> order(context, count);
    Policy::for_each(context, count, KeyWork<T>{arrays, keys.data()});
    sort_rows<Policy>(context, keys.data(), order.data(), lines, arrays.n, SortKey<T>::bits);
    Policy::for_each(context, lines * arrays.kept, SortedWork<T>{arrays, order.data()});
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
