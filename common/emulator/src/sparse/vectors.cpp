// SPDX-License-Identifier: MIT
// cuSPARSE: sparse and dense vectors together.
#include "sparse/rows.h"

using namespace d2l::emulator;
using namespace d2l::emulator::sparse;

namespace {

using SparseVector = cusparseSpVecDescr;
using DenseVector = cusparseDnVecDescr;

/// The elements of a dense vector that a sparse one has; LibraryFault if the dense one has not all.
Memories elements_at(const SparseVector& x, const DenseVector& y, LibraryUse use) {
  const Indices indices(x.indices, x.index_type, x.base);
  require_indices(indices, x.nnz, y.size, "elements of the dense vector");
  LibraryMemory memory{y.values, {}, use};
  const std::size_t bytes = size_of(y.type);
  for (std::int64_t i = 0; i < x.nnz; ++i) memory.ranges.push_back({unsigned_of(indices.get(i)) * bytes, bytes});
  return {std::move(memory)};
}

cusparseStatus_t invalid(cusparseHandle_t handle, const SparseVector* x, const DenseVector* y) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (x == nullptr || y == nullptr || x->size != y->size) return CUSPARSE_STATUS_INVALID_VALUE;
  return x->type == y->type ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// Adds work that uses the elements of y which x has: each(values of x, place in x, values of y, place in y).
template <class T, class Each>
cusparseStatus_t submit_pairs(cusparseHandle_t handle, Memories all, const SparseVector& x, LibraryUse use_x,
                              const DenseVector& y, LibraryUse use_y, const Each& each) {
  add_memory_of(all, x, use_x);
  all.push_back(memory_of(y, LibraryUse::somewhere));
  return submit(handle, std::move(all), LibraryWork([=] {
                  auto used = elements_at(x, y, use_y);
                  const Indices indices(x.indices, x.index_type, x.base);
                  const Values<T> in_x(x.values, x.type), in_y(y.values, y.type);
                  for (std::int64_t i = 0; i < x.nnz; ++i) each(in_x, i, in_y, indices.get(i));
                  return used;
                }));
}

/// Calls function(T{}) for a type that is only copied.
template <class Function>
cusparseStatus_t with_type_of(const SparseVector& x, const Function& function) {
  return with_type(computed_with(x.type), function);
}

}  // namespace

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t x,
                               const void* beta, cusparseDnVecDescr_t y) {
  const ApiCall call(__builtin_return_address(0));
  if (const auto status = invalid(handle, x, y); status != CUSPARSE_STATUS_SUCCESS) return status;
  if (alpha == nullptr || beta == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type_of(*x, [&](auto zero) {
    using T = decltype(zero);
    const Factor<T> first(handle, alpha), second(handle, beta);
    Memories all{memory_of(*y, second.use())};
    first.add_memory(all);
    second.add_memory(all);
    add_memory_of(all, *x, LibraryUse::read);
    auto work = [=, x = *x, y = *y] {
      const Indices indices(x.indices, x.index_type, x.base);
      require_indices(indices, x.nnz, y.size, "elements of the dense vector");
      const Values<T> in_x(x.values, x.type), in_y(y.values, y.type);
      const T a = first.get(), b = second.get();
      for (std::int64_t i = 0; i < y.size; ++i) in_y.set(i, b == T{} ? T{} : b * in_y.get(i));
      for (std::int64_t i = 0; i < x.nnz; ++i) {
        in_y.set(indices.get(i), in_y.get(indices.get(i)) + a * in_x.get(i));
      }
      return second.late_use(memory_of(y, LibraryUse::read));
    };
    return submit(handle, std::move(all), LibraryWork(std::move(work)));
  });
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x) {
  const ApiCall call(__builtin_return_address(0));
  if (const auto status = invalid(handle, x, y); status != CUSPARSE_STATUS_SUCCESS) return status;
  return with_type_of(*x, [&](auto zero) {
    using T = Values<decltype(zero)>;
    return submit_pairs<decltype(zero)>(
        handle, {}, *x, LibraryUse::write, *y, LibraryUse::read,
        [](const T& in_x, std::int64_t i, const T& in_y, std::int64_t j) { in_x.set(i, in_y.get(j)); });
  });
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y) {
  const ApiCall call(__builtin_return_address(0));
  if (const auto status = invalid(handle, x, y); status != CUSPARSE_STATUS_SUCCESS) return status;
  return with_type_of(*x, [&](auto zero) {
    using T = Values<decltype(zero)>;
    return submit_pairs<decltype(zero)>(
        handle, {}, *x, LibraryUse::read, *y, LibraryUse::write,
        [](const T& in_x, std::int64_t i, const T& in_y, std::int64_t j) { in_y.set(j, in_x.get(i)); });
  });
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* c, const void* s, cusparseSpVecDescr_t x,
                             cusparseDnVecDescr_t y) {
  const ApiCall call(__builtin_return_address(0));
  if (const auto status = invalid(handle, x, y); status != CUSPARSE_STATUS_SUCCESS) return status;
  if (c == nullptr || s == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type_of(*x, [&](auto zero) {
    using T = decltype(zero);
    const Factor<T> cosine(handle, c), sine(handle, s);
    Memories all;
    cosine.add_memory(all);
    sine.add_memory(all);
    return submit_pairs<T>(handle, std::move(all), *x, LibraryUse::both, *y, LibraryUse::both,
                           [=](const Values<T>& in_x, std::int64_t i, const Values<T>& in_y, std::int64_t j) {
                             const T a = in_x.get(i), b = in_y.get(j);
                             in_x.set(i, cosine.get() * a + sine.get() * b);
                             in_y.set(j, cosine.get() * b - sine.get() * a);
                           });
  });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                                         cusparseConstDnVecDescr_t y, const void* /*result*/, cudaDataType compute,
                                         size_t* bytes) {
  if (const auto status = invalid(handle, x, y); status != CUSPARSE_STATUS_SUCCESS) return status;
  if (!sparse::valid(op)) return CUSPARSE_STATUS_INVALID_VALUE;
  return tell_bytes(fits(x->type, compute) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED, bytes);
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void* result, cudaDataType compute, void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  std::size_t bytes = 0;
  const auto status = cusparseSpVV_bufferSize(handle, op, x, y, result, compute, &bytes);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (result == nullptr || buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(compute, [&](auto zero) {
    using T = decltype(zero);
    Memories all{work_area(buffer), memory_of(*y, LibraryUse::somewhere)};
    add_memory_of(all, *x, LibraryUse::read);
    const bool on_host = handle->mode == CUSPARSE_POINTER_MODE_HOST;
    auto* const to = static_cast<T*>(result);
    if (!on_host) all.push_back(elements_of(to, 1, LibraryUse::write));
    auto work = [=, x = *x, y = *y] {
      auto used = elements_at(x, y, LibraryUse::read);
      const Indices indices(x.indices, x.index_type, x.base);
      const Values<T> in_x(x.values, x.type), in_y(y.values, y.type);
      T sum{};
      for (std::int64_t i = 0; i < x.nnz; ++i) {
        sum += conjugate(in_x.get(i), conjugates(op)) * in_y.get(indices.get(i));
      }
      *(on_host ? to : at(to)) = sum;
      return used;
    };
    return submit(handle, std::move(all), LibraryWork(std::move(work)), on_host);
  });
}
