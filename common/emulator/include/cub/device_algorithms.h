// SPDX-License-Identifier: MIT
// CUB's algorithms of a device, each as one piece of work of its stream. The first call of a pair asks for the size of
// the temporary memory, which is not used.
#pragma once

#include <algorithm>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <vector>

#include "block_sort.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {
namespace detail {

template <class T>
using value_of = std::remove_cvref_t<decltype(*std::declval<T>())>;

/// Answers the first call of a pair; else runs `work` on the stream.
template <class Work, class... A>
cudaError_t run(const char* /*name*/, void* storage, std::size_t& bytes, cudaStream_t stream, Work work,
                A... arguments) {
  if (storage == nullptr) {
    bytes = 1;
    return cudaSuccess;
  }
  return d2l::emulator::run_on_stream(stream, [=]() mutable { work(arguments...); });
}

/// Copies elements `order[i]` of `from` to `to`, which may be the same memory.
template <class From, class To>
void gather(From from, To to, const std::vector<long long>& order) {
  std::vector<value_of<From>> gathered;
  gathered.reserve(order.size());
  for (const long long i : order) gathered.push_back(from[i]);
  std::copy(gathered.begin(), gathered.end(), to);
}
/// The places first … last - 1 in the order that `before(place, place)` says; equal ones keep theirs.
template <class Before>
std::vector<long long> order_of(long long first, long long last, Before before) {
  std::vector<long long> order(static_cast<std::size_t>(last - first));
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

template <class Keys, class Values>
void sort(const Keys* keys, Keys* sorted, const Values* values, Values* sorted_values, long long first, long long last,
          int begin, int end, bool descending) {
  const std::vector<long long> order = order_of(first, last, [&](long long a, long long b) {
    const auto left = sort_key(keys[descending ? b : a], begin, end);
    return left < sort_key(keys[descending ? a : b], begin, end);
  });
  if (values != nullptr) gather(values, sorted_values + first, order);
  gather(keys, sorted + first, order);
}

}  // namespace detail

/// The two buffers of a sort, of which one is current.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

struct DeviceReduce {
  template <class In, class Out, class Operation, class T>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, long long count, Operation operation,
                            T initial, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceReduce", storage, bytes, stream,
        [](auto& from, auto& to, auto& n, auto& combine, auto& first) {
          T result = first;
          for (long long i = 0; i < n; ++i) result = combine(result, from[i]);
          *to = result;
        },
        in, out, count, operation, initial);
  }
  template <class In, class Out>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, long long count,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, count, cub::Sum(), detail::value_of<Out>(), stream);
  }
  template <class In, class Out>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, long long count,
                         cudaStream_t stream = nullptr) {
    return best(storage, bytes, in, out, count, stream, cub::Max());
  }
  template <class In, class Out>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, long long count,
                         cudaStream_t stream = nullptr) {
    return best(storage, bytes, in, out, count, stream, cub::Min());
  }
  template <class In, class Out>
  static cudaError_t ArgMax(void* storage, std::size_t& bytes, In in, Out out, long long count,
                            cudaStream_t stream = nullptr) {
    return best_place(storage, bytes, in, out, count, stream, cub::ArgMax());
  }
  template <class In, class Out>
  static cudaError_t ArgMin(void* storage, std::size_t& bytes, In in, Out out, long long count,
                            cudaStream_t stream = nullptr) {
    return best_place(storage, bytes, in, out, count, stream, cub::ArgMin());
  }
  /// One result for each run of equal keys.
  template <class Keys, class Unique, class Values, class Out, class Count, class Operation>
  static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys, Unique unique, Values values, Out out,
                                 Count runs, Operation operation, long long count, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceReduce", storage, bytes, stream,
        [](auto& key, auto& first_of, auto& from, auto& to, auto& number, auto& combine, auto& n) {
          long long run = 0;
          for (long long i = 0; i < n; ++run) {
            detail::value_of<Values> result = from[i];
            const long long first = i++;
            for (; i < n && key[i] == key[first]; ++i) result = combine(result, from[i]);
            first_of[run] = key[first];
            to[run] = result;
          }
          *number = static_cast<detail::value_of<Count>>(run);
        },
        keys, unique, values, out, runs, operation, count);
  }

 private:
  template <class In, class Out, class Operation>
  static cudaError_t best(void* storage, std::size_t& bytes, In in, Out out, long long count, cudaStream_t stream,
                          Operation operation) {
    return detail::run(
        "cub::DeviceReduce", storage, bytes, stream,
        [](auto& from, auto& to, auto& n, auto& combine) {
          auto result = from[0];
          for (long long i = 1; i < n; ++i) result = combine(result, from[i]);
          *to = result;
        },
        in, out, count, operation);
  }
  template <class In, class Out, class Operation>
  static cudaError_t best_place(void* storage, std::size_t& bytes, In in, Out out, long long count, cudaStream_t stream,
                                Operation operation) {
    return detail::run(
        "cub::DeviceReduce", storage, bytes, stream,
        [](auto& from, auto& to, auto& n, auto& combine) {
          detail::value_of<Out> result{0, from[0]};
          for (int i = 1; i < n; ++i) result = combine(result, detail::value_of<Out>{i, from[i]});
          *to = result;
        },
        in, out, count, operation);
  }
};

struct DeviceScan {
  template <class In, class Out, class Operation, class T>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Operation operation, T initial,
                                   long long count, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceScan", storage, bytes, stream,
        [](auto& from, auto& to, auto& combine, auto& first, auto& n) {
          T sum = first;
          for (long long i = 0; i < n; ++i) {
            const T next = combine(sum, from[i]);
            to[i] = sum;
            sum = next;
          }
        },
        in, out, operation, initial, count);
  }
  template <class In, class Out, class Operation>
  static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Operation operation,
                                   long long count, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceScan", storage, bytes, stream,
        [](auto& from, auto& to, auto& combine, auto& n) {
          if (n == 0) return;
          detail::value_of<In> sum = from[0];
          to[0] = sum;
          for (long long i = 1; i < n; ++i) to[i] = sum = combine(sum, from[i]);
        },
        in, out, operation, count);
  }
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out, long long count,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveScan(storage, bytes, in, out, Sum(), detail::value_of<In>(), count, stream);
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, long long count,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, in, out, Sum(), count, stream);
  }

  /// Starts anew where a key differs from the one before.
  template <class Keys, class In, class Out, class Operation, class T, class Equal = Equality>
  static cudaError_t ExclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out,
                                        Operation operation, T initial, long long count, Equal equal = Equal(),
                                        cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceScan", storage, bytes, stream,
        [](auto& key, auto& from, auto& to, auto& combine, auto& first, auto& same, auto& n) {
          T sum = first;
          for (long long i = 0; i < n; ++i) {
            if (i == 0 || !same(key[i - 1], key[i])) sum = first;
            const T next = combine(sum, from[i]);
            to[i] = sum;
            sum = next;
          }
        },
        keys, in, out, operation, initial, equal, count);
  }
  template <class Keys, class In, class Out, class Operation, class Equal = Equality>
  static cudaError_t InclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out,
                                        Operation operation, long long count, Equal equal = Equal(),
                                        cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceScan", storage, bytes, stream,
        [](auto& key, auto& from, auto& to, auto& combine, auto& same, auto& n) {
          detail::value_of<In> sum{};
          for (long long i = 0; i < n; ++i) {
            sum = i == 0 || !same(key[i - 1], key[i]) ? from[i] : combine(sum, from[i]);
            to[i] = sum;
          }
        },
        keys, in, out, operation, equal, count);
  }
  template <class Keys, class In, class Out, class Equal = Equality>
  static cudaError_t ExclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, long long count,
                                       Equal equal = Equal(), cudaStream_t stream = nullptr) {
    return ExclusiveScanByKey(storage, bytes, keys, in, out, Sum(), detail::value_of<In>(), count, equal, stream);
  }
  template <class Keys, class In, class Out, class Equal = Equality>
  static cudaError_t InclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, long long count,
                                       Equal equal = Equal(), cudaStream_t stream = nullptr) {
    return InclusiveScanByKey(storage, bytes, keys, in, out, Sum(), count, equal, stream);
  }
};

struct DeviceRadixSort {
#define D2L_CUB_SORT(SUFFIX, DESCENDING)                                                                               \
  template <class Key>                                                                                                 \
  static cudaError_t SortKeys##SUFFIX(void* storage, std::size_t& bytes, const Key* in, Key* out, long long count,     \
                                      int begin = 0, int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {       \
    return SortPairs##SUFFIX(storage, bytes, in, out, static_cast<const char*>(nullptr), static_cast<char*>(nullptr),  \
                             count, begin, end, stream);                                                               \
  }                                                                                                                    \
  template <class Key>                                                                                                 \
  static cudaError_t SortKeys##SUFFIX(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys, long long count,     \
                                      int begin = 0, int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {       \
    if (storage != nullptr) keys.selector ^= 1;                                                                        \
    return SortKeys##SUFFIX(storage, bytes, static_cast<const Key*>(keys.Alternate()), keys.Current(), count, begin,   \
                            end, stream);                                                                              \
  }                                                                                                                    \
  template <class Key, class Value>                                                                                    \
  static cudaError_t SortPairs##SUFFIX(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys,                     \
                                       DoubleBuffer<Value>& values, long long count, int begin = 0,                    \
                                       int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {                     \
    if (storage != nullptr) {                                                                                          \
      keys.selector ^= 1;                                                                                              \
      values.selector ^= 1;                                                                                            \
    }                                                                                                                  \
    return SortPairs##SUFFIX(storage, bytes, static_cast<const Key*>(keys.Alternate()), keys.Current(),                \
                             static_cast<const Value*>(values.Alternate()), values.Current(), count, begin, end,       \
                             stream);                                                                                  \
  }                                                                                                                    \
  template <class Key, class Value>                                                                                    \
  static cudaError_t SortPairs##SUFFIX(void* storage, std::size_t& bytes, const Key* in, Key* out, const Value* from,  \
                                       Value* to, long long count, int begin = 0, int end = 8 * sizeof(Key),           \
                                       cudaStream_t stream = nullptr) {                                                \
    return detail::run(                                                                                                \
        "cub::DeviceRadixSort", storage, bytes, stream,                                                                \
        [](auto&... arguments) { detail::sort<Key, Value>(arguments..., DESCENDING); }, in, out, from, to, 0LL, count, \
        begin, end);                                                                                                   \
  }
  D2L_CUB_SORT(, false)
  D2L_CUB_SORT(Descending, true)
#undef D2L_CUB_SORT
};

struct DeviceSelect {
  template <class In, class Out, class Count, class Predicate>
  static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Count selected, long long count,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceSelect", storage, bytes, stream,
        [](auto& from, auto& to, auto& number, auto& n, auto& keep) {
          long long kept = 0;
          for (long long i = 0; i < n; ++i) {
            if (keep(from[i])) to[kept++] = from[i];
          }
          *number = static_cast<detail::value_of<Count>>(kept);
        },
        in, out, selected, count, predicate);
  }
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Count selected,
                             long long count, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceSelect", storage, bytes, stream,
        [](auto& from, auto& keep, auto& to, auto& number, auto& n) {
          long long kept = 0;
          for (long long i = 0; i < n; ++i) {
            if (keep[i]) to[kept++] = from[i];
          }
          *number = static_cast<detail::value_of<Count>>(kept);
        },
        in, flags, out, selected, count);
  }
  template <class In, class Out, class Count>
  static cudaError_t Unique(void* storage, std::size_t& bytes, In in, Out out, Count selected, long long count,
                            cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceSelect", storage, bytes, stream,
        [](auto& from, auto& to, auto& number, auto& n) {
          long long kept = 0;
          for (long long i = 0; i < n; ++i) {
            if (i == 0 || !(from[i] == from[i - 1])) to[kept++] = from[i];
          }
          *number = static_cast<detail::value_of<Count>>(kept);
        },
        in, out, selected, count);
  }
};

struct DeviceHistogram {
  template <class In, class Counter, class Level>
  static cudaError_t HistogramEven(void* storage, std::size_t& bytes, In in, Counter* histogram, int levels,
                                   Level lowest, Level highest, long long count, cudaStream_t stream = nullptr) {
    return detail::run(
        "cub::DeviceHistogram", storage, bytes, stream,
        [](auto& from, auto& to, auto& edges, auto& low, auto& high, auto& n) {
          for (int bin = 0; bin + 1 < edges; ++bin) to[bin] = 0;
          for (long long i = 0; i < n; ++i) {
            const double place = (static_cast<double>(from[i]) - static_cast<double>(low)) * (edges - 1) /
                                 (static_cast<double>(high) - static_cast<double>(low));
            if (place >= 0 && place < edges - 1) ++to[static_cast<int>(place)];
          }
        },
        in, histogram, levels, lowest, highest, count);
  }
};

}  // namespace cub
// NOLINTEND
