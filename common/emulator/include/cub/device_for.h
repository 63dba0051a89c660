// SPDX-License-Identifier: MIT
// CUB's loops over a range, each as one piece of work of its stream.
#pragma once

#include <cstddef>
#include <cuda/std/tuple>
#include <type_traits>
#include <utility>

#include "device_algorithms.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {

struct DeviceFor {
  template <class Count, class Operation>
  requires std::is_integral_v<Count>
  static cudaError_t Bulk(Count count, Operation operation, cudaStream_t stream = nullptr) {
    return d2l::emulator::run_on_stream(stream, [=]() mutable {
      for (Count i = 0; i < count; ++i) operation(i);
    });
  }
  template <class In, class Count, class Operation>
  requires std::is_integral_v<Count>
  static cudaError_t ForEachN(In first, Count count, Operation operation, cudaStream_t stream = nullptr) {
    return d2l::emulator::run_on_stream(stream, [=]() mutable {
      for (Count i = 0; i < count; ++i) operation(first[i]);
    });
  }
  template <class In, class Count, class Operation>
  requires std::is_integral_v<Count>
  static cudaError_t ForEachCopyN(In first, Count count, Operation operation, cudaStream_t stream = nullptr) {
    return d2l::emulator::run_on_stream(stream, [=]() mutable {
      for (Count i = 0; i < count; ++i) operation(detail::value_of<In>(first[i]));
    });
  }
  template <class In, class Operation>
  static cudaError_t ForEach(In first, In last, Operation operation, cudaStream_t stream = nullptr) {
    return ForEachN(first, last - first, operation, stream);
  }
  template <class In, class Operation>
  static cudaError_t ForEachCopy(In first, In last, Operation operation, cudaStream_t stream = nullptr) {
    return ForEachCopyN(first, last - first, operation, stream);
  }

// The pairs of calls of which the first asks for the size of the temporary memory.
#define D2L_CUB_FOR(NAME)                                                      \
  template <class... A>                                                        \
  static cudaError_t NAME(void* storage, std::size_t& bytes, A... arguments) { \
    if (storage != nullptr) return NAME(arguments...);                         \
    bytes = 1;                                                                 \
    return cudaSuccess;                                                        \
  }
  D2L_CUB_FOR(Bulk)
  D2L_CUB_FOR(ForEachN)
  D2L_CUB_FOR(ForEachCopyN)
  D2L_CUB_FOR(ForEach)
  D2L_CUB_FOR(ForEachCopy)
#undef D2L_CUB_FOR
};

struct DeviceTransform {
  /// out[i] = operation(in[i]...) for all inputs of a tuple.
  template <class... In, class Out, class Count, class Operation>
  static cudaError_t Transform(cuda::std::tuple<In...> in, Out out, Count count, Operation operation,
                               cudaStream_t stream = nullptr) {
    return transform(in, out, count, operation, stream, std::index_sequence_for<In...>());
  }
  template <class In, class Out, class Count, class Operation>
  static cudaError_t Transform(In in, Out out, Count count, Operation operation, cudaStream_t stream = nullptr) {
    return Transform(cuda::std::tuple<In>(in), out, count, operation, stream);
  }

 private:
  template <class Tuple, class Out, class Count, class Operation, std::size_t... index>
  static cudaError_t transform(Tuple in, Out out, Count count, Operation operation, cudaStream_t stream,
                               std::index_sequence<index...>) {
    return d2l::emulator::run_on_stream(stream, [=]() mutable {
      using cuda::std::get;
      for (Count i = 0; i < count; ++i) out[i] = operation(get<index>(in)[i]...);
    });
  }
};

}  // namespace cub
// NOLINTEND
