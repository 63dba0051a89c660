// SPDX-License-Identifier: MIT
// StreamPolicy: Thrust's algorithms as kernels on a stream. Each is one launch, with checks and counts like a kernel of
// the program; the code of the algorithms belongs to the program's file, which is instrumented or not. Their accesses
// are those of a card where an element is a thread's; temporary memory is not modelled.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/memory.h>
#include <thrust/system_error.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "barriers.h"
#include "indices.h"
#include "launch.h"
#include "runtime_api.h"

namespace d2l::emulator {

/// From now on the host stays out of the memory of devices, although the program includes Thrust's headers, unless it
/// makes a device_vector. Returns true.
bool keep_host_out_of_devices();
inline const bool host_is_kept_out_of_devices = keep_host_out_of_devices();
/// Waits for a stream; the ledger names `operation`.
cudaError_t wait_for_stream(cudaStream_t stream, const char* operation);
/// Stops the checks and counts of the running thread's accesses, or continues with them; returns what was before.
bool instrument_accesses(bool wanted);

class StreamPolicy : public thrust::execution_policy<StreamPolicy> {
 public:
  StreamPolicy(cudaStream_t stream, Place place) : stream_(stream), place_(place) {}

  /// Launches `body`, which is called once for each thread.
  template <class Body>
  void launch(const char* name, unsigned blocks, unsigned threads, std::size_t shared, Body body) const {
    emulator::launch(name, place_.file, place_.line, std::move(body), Configuration(blocks, threads, shared, stream_));
    require_success(cudaGetLastError(), name);
  }
  /// Waits for the algorithms before.
  void wait(const char* name) const { require_success(wait_for_stream(stream_, name), name); }

 private:
  /// As Thrust on a card does, which clears the last error.
  static void require_success(cudaError_t status, const char* name) {
    if (status == cudaSuccess) return;
    throw thrust::system_error(static_cast<int>(status), thrust::generic_category(),
                               std::string(name) + ": " + cudaGetErrorString(status));
  }

  cudaStream_t stream_;
  Place place_;
};

namespace algorithm {

constexpr unsigned block_threads = 256;
constexpr unsigned max_blocks = 1024;

/// Calls `body(i)` for each i below `count`, in a grid.
template <class Body>
void for_each_index(const StreamPolicy& policy, const char* name, std::ptrdiff_t count, Body body) {
  if (count <= 0) return;
  const auto blocks = static_cast<unsigned>(std::min<std::ptrdiff_t>((count - 1) / block_threads + 1, max_blocks));
  policy.launch(name, blocks, block_threads, 0, [=] {
    auto own = body;  // a function may have state, which is each thread's own
    const auto step = static_cast<std::ptrdiff_t>(gridDim.x) * block_threads;
    for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(blockIdx.x) * block_threads + threadIdx.x; i < count; i += step)
      own(i);
  });
}

/// Memory of the host for `count` elements. Kernels use it by store() and load(), which are not checked.
template <class T>
std::shared_ptr<T> host_memory(std::ptrdiff_t count) {
  return {static_cast<T*>(::operator new (static_cast<std::size_t>(count) * sizeof(T), std::align_val_t{alignof(T)})),
          [](T* memory) { ::operator delete (memory, std::align_val_t{alignof(T)}); }};
}
template <class T>
__attribute__((no_sanitize("thread"), noinline)) void store(T* to, const T& value) {
  __builtin_memcpy(static_cast<void*>(to), static_cast<const void*>(&value), sizeof(T));
}
template <class T>
__attribute__((no_sanitize("thread"), noinline)) void load(T& value, const T* from) {
  __builtin_memcpy(static_cast<void*>(&value), static_cast<const void*>(from), sizeof(T));
}

/// Threads of the one block of an algorithm whose threads exchange one T each in shared memory.
template <class T>
constexpr unsigned threads_for() {
  constexpr std::size_t max_shared = std::size_t{48} << 10;
  constexpr std::size_t fitting = max_shared / sizeof(T);
  static_assert(fitting >= 1, "elements of this size are not supported by the emulator");
  return static_cast<unsigned>(std::min<std::size_t>(block_threads, fitting));
}

/// Combines the elements and `initial`: each thread its own elements, then the first thread theirs.
template <class T, class Element, class Combine>
T reduce(const StreamPolicy& policy, const char* name, std::ptrdiff_t count, Element load_element, T initial,
         Combine combine_two) {
  if (count <= 0) return initial;
  constexpr unsigned threads = threads_for<T>();
  const auto result = host_memory<T>(1);
  policy.launch(name, 1, threads, threads * sizeof(T), [=] {
    T* const partial = dynamic_shared<T>("the partial results");
    const std::ptrdiff_t own = threadIdx.x;
    auto element = load_element;
    auto combine = combine_two;
    if (own < count) {
      T sum = element(own);
      for (std::ptrdiff_t i = own + threads; i < count; i += threads) sum = combine(sum, element(i));
      new (partial + own) T(sum);
    }
    __syncthreads();
    if (own > 0) return;
    T sum = initial;
    for (std::ptrdiff_t i = 0; i < std::min<std::ptrdiff_t>(threads, count); ++i) sum = combine(sum, partial[i]);
    store(result.get(), sum);
  });
  policy.wait(name);
  return *result;
}

/// Calls `use(i, the combination of the elements up to i)` for each i; one block, tile by tile.
template <class T, class Element, class Combine, class Use>
void scan(const StreamPolicy& policy, const char* name, std::ptrdiff_t count, Element load_element, Combine combine_two,
          Use use_result) {
  if (count <= 0) return;
  constexpr unsigned threads = threads_for<T>();
  policy.launch(name, 1, threads, threads * sizeof(T), [=] {
    T* const tile = dynamic_shared<T>("the tile");
    const std::ptrdiff_t own = threadIdx.x;
    auto element = load_element;
    auto combine = combine_two;
    auto use = use_result;
    T before{};  // the last result of the tile before; the first thread's
    for (std::ptrdiff_t begin = 0; begin < count; begin += threads) {
      const auto size = std::min<std::ptrdiff_t>(threads, count - begin);
      if (own < size) new (tile + own) T(element(begin + own));
      __syncthreads();
      for (std::ptrdiff_t i = 0; own == 0 && i < size; ++i) {
        before = begin + i == 0 ? tile[i] : T(combine(before, tile[i]));
        tile[i] = before;
      }
      __syncthreads();
      if (own < size) use(begin + own, tile[own]);
    }
  });
}

/// The element of an iterator, as Thrust gives it to functions.
#define D2L_EMULATOR_ELEMENT(ITERATOR, INDEX) thrust::raw_reference_cast(*((ITERATOR) + (INDEX)))

}  // namespace algorithm

// Thrust finds these functions, which have its names, by the type of the policy.

template <class In, class Size, class Function>
In for_each_n(StreamPolicy& policy, In first, Size count, Function function) {
  algorithm::for_each_index(policy, "for_each", count,
                            [=](std::ptrdiff_t i) mutable { function(D2L_EMULATOR_ELEMENT(first, i)); });
  return first + count;
}
template <class In, class Function>
In for_each(StreamPolicy& policy, In first, In last, Function function) {
  return for_each_n(policy, first, last - first, function);
}

template <class In, class Out, class Function>
Out transform(StreamPolicy& policy, In first, In last, Out out, Function function) {
  algorithm::for_each_index(policy, "transform", last - first,
                            [=](std::ptrdiff_t i) mutable { *(out + i) = function(D2L_EMULATOR_ELEMENT(first, i)); });
  return out + (last - first);
}
template <class In, class In2, class Out, class Function>
Out transform(StreamPolicy& policy, In first, In last, In2 second, Out out, Function function) {
  algorithm::for_each_index(policy, "transform", last - first, [=](std::ptrdiff_t i) mutable {
    *(out + i) = function(D2L_EMULATOR_ELEMENT(first, i), D2L_EMULATOR_ELEMENT(second, i));
  });
  return out + (last - first);
}

template <class Out, class Size, class T>
Out fill_n(StreamPolicy& policy, Out first, Size count, const T& value) {
  algorithm::for_each_index(policy, "fill", count, [=](std::ptrdiff_t i) mutable { *(first + i) = value; });
  return first + count;
}
template <class Out, class T>
void fill(StreamPolicy& policy, Out first, Out last, const T& value) {
  fill_n(policy, first, last - first, value);
}

template <class Out, class T>
void sequence(StreamPolicy& policy, Out first, Out last, T initial, T step) {
  algorithm::for_each_index(policy, "sequence", last - first, [=](std::ptrdiff_t i) mutable {
    *(first + i) = static_cast<T>(initial + step * static_cast<T>(i));
  });
}
template <class Out, class T>
void sequence(StreamPolicy& policy, Out first, Out last, T initial) {
  sequence(policy, first, last, initial, T(1));
}
template <class Out>
void sequence(StreamPolicy& policy, Out first, Out last) {
  sequence(policy, first, last, typename thrust::iterator_traits<Out>::value_type(0));
}

template <class In, class Function, class T, class Combine>
T transform_reduce(StreamPolicy& policy, In first, In last, Function function, T initial, Combine combine) {
  return algorithm::reduce<T>(
      policy, "transform_reduce", last - first,
      [=](std::ptrdiff_t i) -> T { return function(D2L_EMULATOR_ELEMENT(first, i)); }, initial, combine);
}
template <class In, class T, class Combine>
T reduce(StreamPolicy& policy, In first, In last, T initial, Combine combine) {
  return algorithm::reduce<T>(
      policy, "reduce", last - first, [=](std::ptrdiff_t i) -> T { return D2L_EMULATOR_ELEMENT(first, i); }, initial,
      combine);
}
template <class In, class T>
T reduce(StreamPolicy& policy, In first, In last, T initial) {
  return reduce(policy, first, last, initial, thrust::plus<T>());
}
template <class In>
auto reduce(StreamPolicy& policy, In first, In last) {
  return reduce(policy, first, last, typename thrust::iterator_traits<In>::value_type(0));
}

template <class In, class Out, class Combine>
Out inclusive_scan(StreamPolicy& policy, In first, In last, Out out, Combine combine) {
  using T = typename thrust::iterator_traits<In>::value_type;
  algorithm::scan<T>(
      policy, "inclusive_scan", last - first, [=](std::ptrdiff_t i) -> T { return D2L_EMULATOR_ELEMENT(first, i); },
      combine, [=](std::ptrdiff_t i, const T& value) mutable { *(out + i) = value; });
  return out + (last - first);
}
template <class In, class Out>
Out inclusive_scan(StreamPolicy& policy, In first, In last, Out out) {
  return inclusive_scan(policy, first, last, out, thrust::plus<typename thrust::iterator_traits<In>::value_type>());
}

template <class In, class Stencil, class Out, class Predicate>
Out copy_if(StreamPolicy& policy, In first, In last, Stencil stencil, Out out, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  if (count <= 0) return out;
  const auto copied = algorithm::host_memory<std::ptrdiff_t>(1);
  auto chosen = [=](std::ptrdiff_t i) mutable -> std::ptrdiff_t {
    return predicate(D2L_EMULATOR_ELEMENT(stencil, i)) ? 1 : 0;
  };
  // An element was chosen if the number of chosen ones grows there, so the predicate is called twice.
  algorithm::scan<std::ptrdiff_t>(policy, "copy_if", count, chosen, thrust::plus<std::ptrdiff_t>(),
                                  [=, last_number = copied.get()](std::ptrdiff_t i, std::ptrdiff_t number) mutable {
                                    if (chosen(i) != 0) *(out + (number - 1)) = D2L_EMULATOR_ELEMENT(first, i);
                                    if (i == count - 1) algorithm::store(last_number, number);
                                  });
  policy.wait("copy_if");
  return out + *copied;
}
template <class In, class Out, class Predicate>
Out copy_if(StreamPolicy& policy, In first, In last, Out out, Predicate predicate) {
  return copy_if(policy, first, last, first, out, predicate);
}

template <class In, class Compare>
void stable_sort(StreamPolicy& policy, In first, In last, Compare compare) {
  using T = typename thrust::iterator_traits<In>::value_type;
  const std::ptrdiff_t count = last - first;
  if (count <= 0) return;
  const auto sorted = algorithm::host_memory<T>(count);
  policy.launch("sort", 1, algorithm::block_threads, 0, [=] {
    const std::ptrdiff_t own = threadIdx.x;
    for (std::ptrdiff_t i = own; i < count; i += algorithm::block_threads)
      algorithm::store(sorted.get() + i, T(*(first + i)));
    __syncthreads();
    if (own == 0) {
      const bool before = instrument_accesses(false);
      std::stable_sort(sorted.get(), sorted.get() + count, compare);
      instrument_accesses(before);
    }
    __syncthreads();
    for (std::ptrdiff_t i = own; i < count; i += algorithm::block_threads) {
      alignas(T) std::byte bytes[sizeof(T)];
      T& value = *reinterpret_cast<T*>(bytes);
      algorithm::load(value, sorted.get() + i);
      *(first + i) = value;
    }
  });
}
template <class In>
void stable_sort(StreamPolicy& policy, In first, In last) {
  stable_sort(policy, first, last, thrust::less<typename thrust::iterator_traits<In>::value_type>());
}
template <class In, class Compare>
void sort(StreamPolicy& policy, In first, In last, Compare compare) {
  stable_sort(policy, first, last, compare);
}
template <class In>
void sort(StreamPolicy& policy, In first, In last) {
  stable_sort(policy, first, last);
}

#undef D2L_EMULATOR_ELEMENT

}  // namespace d2l::emulator
