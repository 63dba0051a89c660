// SPDX-License-Identifier: MIT
// CUB's algorithms of a device over segments and runs, partitions, and sorts with a function that compares.
#pragma once

#include <limits>

#include "device_algorithms.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {

struct DevicePartition {
  /// Those that are selected first; the others from the end, in reverse order.
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Count selected,
                             long long count, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DevicePartition", storage, bytes, stream,
        [](auto& from, auto& keep, auto& to, auto& number, auto& n) {
          split(from, to, number, n, [&](long long i) { return static_cast<bool>(keep[i]); });
        },
        in, flags, out, selected, count);
  }
  template <class In, class Out, class Count, class Predicate>
  static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Count selected, long long count,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DevicePartition", storage, bytes, stream,
        [](auto& from, auto& to, auto& number, auto& n, auto& keep) {
          split(from, to, number, n, [&](long long i) { return static_cast<bool>(keep(from[i])); });
        },
        in, out, selected, count, predicate);
  }

 private:
  template <class In, class Out, class Count, class Keep>
  static void split(In from, Out to, Count number, long long n, Keep keep) {
    long long kept = 0;
    for (long long i = 0; i < n; ++i) {
      if (keep(i)) {
        to[kept++] = from[i];
      } else {
        to[n - 1 - (i - kept)] = from[i];
      }
    }
    *number = static_cast<detail::value_of<Count>>(kept);
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Count>
  static cudaError_t Encode(void* storage, std::size_t& bytes, In in, Unique unique, Lengths lengths, Count runs,
                            long long count, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceRunLengthEncode", storage, bytes, stream,
        [](auto& from, auto& first_of, auto& length_of, auto& number, auto& n) {
          long long found = 0;
          each_run(from, n, [&](long long first, long long length) {
            first_of[found] = from[first];
            length_of[found++] = static_cast<detail::value_of<Lengths>>(length);
          });
          *number = static_cast<detail::value_of<Count>>(found);
        },
        in, unique, lengths, runs, count);
  }
  /// The runs of more than one item.
  template <class In, class Offsets, class Lengths, class Count>
  static cudaError_t NonTrivialRuns(void* storage, std::size_t& bytes, In in, Offsets offsets, Lengths lengths,
                                    Count runs, long long count, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceRunLengthEncode", storage, bytes, stream,
        [](auto& from, auto& offset_of, auto& length_of, auto& number, auto& n) {
          long long found = 0;
          each_run(from, n, [&](long long first, long long length) {
            if (length == 1) return;
            offset_of[found] = static_cast<detail::value_of<Offsets>>(first);
            length_of[found++] = static_cast<detail::value_of<Lengths>>(length);
          });
          *number = static_cast<detail::value_of<Count>>(found);
        },
        in, offsets, lengths, runs, count);
  }

 private:
  template <class In, class Visit>
  static void each_run(In from, long long n, Visit visit) {
    for (long long first = 0, last = 0; first < n; first = last) {
      while (last < n && from[last] == from[first]) ++last;
      visit(first, last - first);
    }
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Operation, class T>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begin begin, End end,
                            Operation operation, T initial, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceSegmentedReduce", storage, bytes, stream,
        [](auto& from, auto& to, auto& number, auto& first, auto& last, auto& combine, auto& start) {
          for (long long segment = 0; segment < number; ++segment) {
            T result = start;
            for (long long i = first[segment]; i < last[segment]; ++i) result = combine(result, from[i]);
            to[segment] = result;
          }
        },
        in, out, segments, begin, end, operation, initial);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begin begin, End end,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Sum(), detail::value_of<In>(), stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begin begin, End end,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Min(),
                  std::numeric_limits<detail::value_of<In>>::max(), stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, long long segments, Begin begin, End end,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Max(),
                  std::numeric_limits<detail::value_of<In>>::lowest(), stream);
  }
};

/// Sorts each segment.
struct DeviceSegmentedRadixSort {
#define D2L_CUB_SORT(SUFFIX, DESCENDING)                                                                              \
  template <class Key, class Begin, class End>                                                                        \
  static cudaError_t SortKeys##SUFFIX(void* storage, std::size_t& bytes, const Key* in, Key* out, long long count,    \
                                      long long segments, Begin begin, End end, int begin_bit = 0,                    \
                                      int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr) {                 \
    return SortPairs##SUFFIX(storage, bytes, in, out, static_cast<const char*>(nullptr), static_cast<char*>(nullptr), \
                             count, segments, begin, end, begin_bit, end_bit, stream);                                \
  }                                                                                                                   \
  template <class Key, class Value, class Begin, class End>                                                           \
  static cudaError_t SortPairs##SUFFIX(void* storage, std::size_t& bytes, const Key* in, Key* out, const Value* from, \
                                       Value* to, long long /*count*/, long long segments, Begin begin, End end,      \
                                       int begin_bit = 0, int end_bit = 8 * sizeof(Key),                              \
                                       cudaStream_t stream = nullptr) {                                               \
    return detail::run(                                                                                               \
        "cub::DeviceSegmentedRadixSort", storage, bytes, stream,                                                      \
        [](auto& keys, auto& sorted, auto& values, auto& moved, auto& number, auto& first, auto& last, auto& low,     \
           auto& high) {                                                                                              \
          for (long long i = 0; i < number; ++i) {                                                                    \
            if (first[i] < last[i]) {                                                                                 \
              detail::sort<Key, Value>(keys, sorted, values, moved, first[i], last[i], low, high, DESCENDING);        \
            }                                                                                                         \
          }                                                                                                           \
        },                                                                                                            \
        in, out, from, to, segments, begin, end, begin_bit, end_bit);                                                 \
  }
  D2L_CUB_SORT(, false)
  D2L_CUB_SORT(Descending, true)
#undef D2L_CUB_SORT
};

struct DeviceSegmentedSort {
#define D2L_CUB_SORT(NAME, ORDER)                                                                                      \
  template <class Key, class Begin, class End>                                                                         \
  static cudaError_t NAME##Keys##ORDER(void* storage, std::size_t& bytes, const Key* in, Key* out, long long count,    \
                                       long long segments, Begin begin, End end, cudaStream_t stream = nullptr) {      \
    return DeviceSegmentedRadixSort::SortKeys##ORDER(storage, bytes, in, out, count, segments, begin, end, 0,          \
                                                     8 * sizeof(Key), stream);                                         \
  }                                                                                                                    \
  template <class Key, class Value, class Begin, class End>                                                            \
  static cudaError_t NAME##Pairs##ORDER(void* storage, std::size_t& bytes, const Key* in, Key* out, const Value* from, \
                                        Value* to, long long count, long long segments, Begin begin, End end,          \
                                        cudaStream_t stream = nullptr) {                                               \
    return DeviceSegmentedRadixSort::SortPairs##ORDER(storage, bytes, in, out, from, to, count, segments, begin, end,  \
                                                      0, 8 * sizeof(Key), stream);                                     \
  }
  D2L_CUB_SORT(Sort, )
  D2L_CUB_SORT(Sort, Descending)
  D2L_CUB_SORT(StableSort, )
  D2L_CUB_SORT(StableSort, Descending)
#undef D2L_CUB_SORT
};

struct DeviceMergeSort {
  template <class Keys, class Before>
  static cudaError_t SortKeys(void* storage, std::size_t& bytes, Keys keys, long long count, Before before,
                              cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceMergeSort", storage, bytes, stream,
        [](auto& all, auto& n, auto& less) { detail::gather(all, all, order(all, n, less)); }, keys, count, before);
  }
  template <class Keys, class Values, class Before>
  static cudaError_t SortPairs(void* storage, std::size_t& bytes, Keys keys, Values values, long long count,
                               Before before, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceMergeSort", storage, bytes, stream,
        [](auto& all, auto& others, auto& n, auto& less) {
          const std::vector<long long> places = order(all, n, less);
          detail::gather(all, all, places);
          detail::gather(others, others, places);
        },
        keys, values, count, before);
  }
  template <class Keys, class Before>
  static cudaError_t StableSortKeys(void* storage, std::size_t& bytes, Keys keys, long long count, Before before,
                                    cudaStream_t stream = nullptr) {
    return SortKeys(storage, bytes, keys, count, before, stream);
  }
  template <class Keys, class Values, class Before>
  static cudaError_t StableSortPairs(void* storage, std::size_t& bytes, Keys keys, Values values, long long count,
                                     Before before, cudaStream_t stream = nullptr) {
    return SortPairs(storage, bytes, keys, values, count, before, stream);
  }

 private:
  template <class Keys, class Before>
  static std::vector<long long> order(Keys& all, long long n, Before& less) {
    return detail::order_of(0, n, [&](long long a, long long b) { return less(all[a], all[b]); });
  }
};

}  // namespace cub
// NOLINTEND
