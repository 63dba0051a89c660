// SPDX-License-Identifier: MIT
// CUB's algorithms of a device, each as one piece of work of its stream. The first call of a pair asks for the size of
// the temporary memory, which is not used.
#pragma once

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <vector>

#include "block_collectives.h"

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

template <class Keys, class Values>
void sort(const Keys* keys, Keys* sorted, const Values* values, Values* sorted_values, long long count,
          bool descending) {
  std::vector<long long> order(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<long long>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](long long a, long long b) { return descending ? keys[b] < keys[a] : keys[a] < keys[b]; });
  std::vector<Keys> new_keys;
  std::vector<Values> new_values;
  for (const long long i : order) {
    new_keys.push_back(keys[i]);
    if (values != nullptr) new_values.push_back(values[i]);
  }
  std::copy(new_keys.begin(), new_keys.end(), sorted);
  if (values != nullptr) std::copy(new_values.begin(), new_values.end(), sorted_values);
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
};

struct DeviceRadixSort {
#define D2L_CUB_SORT(SUFFIX, DESCENDING)                                                                              \
  template <class Key>                                                                                                \
  static cudaError_t SortKeys##SUFFIX(void* storage, std::size_t& bytes, const Key* in, Key* out, long long count,    \
                                      int = 0, int = 0, cudaStream_t stream = nullptr) {                              \
    return SortPairs##SUFFIX(storage, bytes, in, out, static_cast<const char*>(nullptr), static_cast<char*>(nullptr), \
                             count, 0, 0, stream);                                                                    \
  }                                                                                                                   \
  template <class Key>                                                                                                \
  static cudaError_t SortKeys##SUFFIX(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys, long long count,    \
                                      int = 0, int = 0, cudaStream_t stream = nullptr) {                              \
    if (storage != nullptr) keys.selector ^= 1;                                                                       \
    return SortKeys##SUFFIX(storage, bytes, static_cast<const Key*>(keys.Alternate()), keys.Current(), count, 0, 0,   \
                            stream);                                                                                  \
  }                                                                                                                   \
  template <class Key, class Value>                                                                                   \
  static cudaError_t SortPairs##SUFFIX(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys,                    \
                                       DoubleBuffer<Value>& values, long long count, int = 0, int = 0,                \
                                       cudaStream_t stream = nullptr) {                                               \
    if (storage != nullptr) {                                                                                         \
      keys.selector ^= 1;                                                                                             \
      values.selector ^= 1;                                                                                           \
    }                                                                                                                 \
    return SortPairs##SUFFIX(storage, bytes, static_cast<const Key*>(keys.Alternate()), keys.Current(),               \
                             static_cast<const Value*>(values.Alternate()), values.Current(), count, 0, 0, stream);   \
  }                                                                                                                   \
  template <class Key, class Value>                                                                                   \
  static cudaError_t SortPairs##SUFFIX(void* storage, std::size_t& bytes, const Key* in, Key* out, const Value* from, \
                                       Value* to, long long count, int = 0, int = 0, cudaStream_t stream = nullptr) { \
    return detail::run(                                                                                               \
        "cub::DeviceRadixSort", storage, bytes, stream,                                                               \
        [](auto&... arguments) { detail::sort<Key, Value>(arguments..., DESCENDING); }, in, out, from, to, count);    \
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
