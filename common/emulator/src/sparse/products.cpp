// SPDX-License-Identifier: MIT
// cuSPARSE: products of a sparse matrix with a dense vector or matrix, and of dense matrices where a sparse one has
// elements.
#include "sparse/rows.h"

using namespace d2l::emulator;
using namespace d2l::emulator::sparse;

namespace {

/// op(A) as rows and columns.
struct Shape {
  std::int64_t rows, columns;
  bool operator==(const Shape&) const = default;
};
template <class Matrix>
Shape shape_of(const Matrix& a, cusparseOperation_t op) {
  return is_transposed(op) ? Shape{a.columns, a.rows} : Shape{a.rows, a.columns};
}

/// What a product and its bufferSize() refuse.
cusparseStatus_t check_vectors(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                               const cusparseSpMatDescr* a, const cusparseDnVecDescr* x, const void* beta,
                               const cusparseDnVecDescr* y, cudaDataType compute) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || beta == nullptr || a == nullptr || x == nullptr || y == nullptr || !sparse::valid(op) ||
      shape_of(*a, op) != Shape{y->size, x->size}) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const bool types = a->type == x->type && fits(a->type, compute) && fits(y->type, compute);
  return types ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}
template <class A, class B, class C>
cusparseStatus_t check_matrices(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                const void* alpha, const A* a, const B* b, const void* beta, const C* c,
                                cudaDataType compute) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || beta == nullptr || a == nullptr || b == nullptr || c == nullptr || !sparse::valid(op_a) ||
      !sparse::valid(op_b)) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const Shape left = shape_of(*a, op_a), right = shape_of(*b, op_b);
  if (left.columns != right.rows || Shape{left.rows, right.columns} != Shape{c->rows, c->columns}) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const bool types = a->type == b->type && fits(a->type, compute) && fits(c->type, compute);
  return types ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// alpha sum + beta before, where before is not read if beta is 0.
template <class T, class Before>
T joined(T alpha, T sum, T beta, const Before& before) {
  return beta == T{} ? alpha * sum : alpha * sum + beta * before();
}

}  // namespace

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t /*algorithm*/,
                                         size_t* bytes) {
  return tell_bytes(check_vectors(handle, op, alpha, a, x, beta, y, compute), bytes);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t /*algorithm*/,
                                         void* /*buffer*/) {
  return check_vectors(handle, op, alpha, a, x, beta, y, compute);
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t /*algorithm*/,
                              void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  const auto status = check_vectors(handle, op, alpha, a, x, beta, y, compute);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(compute, [&](auto zero) {
    using T = decltype(zero);
    const Factor<T> first(handle, alpha), second(handle, beta);
    Memories all{memory_of(*x, LibraryUse::read), memory_of(*y, second.use()), work_area(buffer)};
    add_memory_of(all, *a, LibraryUse::read);
    first.add_memory(all);
    second.add_memory(all);
    auto work = [=, a = *a, x = *x, y = *y] {
      const Rows rows(a, is_transposed(op));
      const Values<T> in_a(a.values, a.type), in_x(x.values, x.type), in_y(y.values, y.type);
      const T factor = first.get(), before = second.get();
      for (std::int64_t row = 0; row < rows.count(); ++row) {
        T sum{};
        for (std::int64_t k = rows.begin(row), end = rows.end(row); k < end; ++k) {
          sum += conjugate(in_a.get(rows.value(k)), conjugates(op)) * in_x.get(rows.column(k));
        }
        in_y.set(row, joined(factor, sum, before, [&] { return in_y.get(row); }));
      }
      return second.late_use(memory_of(y, LibraryUse::read));
    };
    return submit(handle, std::move(all), LibraryWork(std::move(work)));
  });
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                         cusparseSpMMAlg_t /*algorithm*/, size_t* bytes) {
  return tell_bytes(check_matrices(handle, op_a, op_b, alpha, a, b, beta, c, compute), bytes);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                         cusparseSpMMAlg_t /*algorithm*/, void* /*buffer*/) {
  return check_matrices(handle, op_a, op_b, alpha, a, b, beta, c, compute);
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                              cusparseSpMMAlg_t /*algorithm*/, void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  const auto status = check_matrices(handle, op_a, op_b, alpha, a, b, beta, c, compute);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(compute, [&](auto zero) {
    using T = decltype(zero);
    const Factor<T> first(handle, alpha), second(handle, beta);
    Memories all{memory_of(*b, LibraryUse::read), memory_of(*c, second.use()), work_area(buffer)};
    add_memory_of(all, *a, LibraryUse::read);
    first.add_memory(all);
    second.add_memory(all);
    auto work = [=, a = *a, b = *b, c = *c] {
      const Rows rows(a, is_transposed(op_a));
      const Values<T> in_a(a.values, a.type), in_b(b.values, b.type), in_c(c.values, c.type);
      const T factor = first.get(), before = second.get();
      for (std::int64_t row = 0; row < rows.count(); ++row) {
        for (std::int64_t column = 0; column < c.columns; ++column) {
          T sum{};
          for (std::int64_t k = rows.begin(row), end = rows.end(row); k < end; ++k) {
            const std::int64_t inner = rows.column(k);
            const T right = in_b.get(is_transposed(op_b) ? b.place(column, inner) : b.place(inner, column));
            sum += conjugate(in_a.get(rows.value(k)), conjugates(op_a)) * conjugate(right, conjugates(op_b));
          }
          const std::int64_t place = c.place(row, column);
          in_c.set(place, joined(factor, sum, before, [&] { return in_c.get(place); }));
        }
      }
      return second.late_use(memory_of(c, LibraryUse::read));
    };
    return submit(handle, std::move(all), LibraryWork(std::move(work)));
  });
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                          const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                          cusparseSDDMMAlg_t /*algorithm*/, size_t* bytes) {
  return tell_bytes(check_matrices(handle, op_a, op_b, alpha, a, b, beta, c, compute), bytes);
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                          const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                          cusparseSDDMMAlg_t /*algorithm*/, void* /*buffer*/) {
  return check_matrices(handle, op_a, op_b, alpha, a, b, beta, c, compute);
}
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                               const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                               cusparseSDDMMAlg_t /*algorithm*/, void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  const auto status = check_matrices(handle, op_a, op_b, alpha, a, b, beta, c, compute);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(compute, [&](auto zero) {
    using T = decltype(zero);
    const Factor<T> first(handle, alpha), second(handle, beta);
    Memories all{memory_of(*a, LibraryUse::read), memory_of(*b, LibraryUse::read), work_area(buffer)};
    add_memory_of(all, *c, second.use());
    first.add_memory(all);
    second.add_memory(all);
    const std::int64_t inner = shape_of(*a, op_a).columns;
    auto work = [=, a = *a, b = *b, c = *c] {
      const Rows rows(c, false);
      const Values<T> in_a(a.values, a.type), in_b(b.values, b.type), in_c(c.values, c.type);
      const T factor = first.get(), before = second.get();
      for (std::int64_t row = 0; row < rows.count(); ++row) {
        for (std::int64_t k = rows.begin(row), end = rows.end(row); k < end; ++k) {
          const std::int64_t column = rows.column(k), place = rows.value(k);
          T sum{};
          for (std::int64_t i = 0; i < inner; ++i) {
            const T left = in_a.get(is_transposed(op_a) ? a.place(i, row) : a.place(row, i));
            const T right = in_b.get(is_transposed(op_b) ? b.place(column, i) : b.place(i, column));
            sum += conjugate(left, conjugates(op_a)) * conjugate(right, conjugates(op_b));
          }
          in_c.set(place, joined(factor, sum, before, [&] { return in_c.get(place); }));
        }
      }
      return second.late_use(bytes_of(c.values, unsigned_of(c.nnz) * size_of(c.type), LibraryUse::read));
    };
    return submit(handle, std::move(all), LibraryWork(std::move(work)));
  });
}
