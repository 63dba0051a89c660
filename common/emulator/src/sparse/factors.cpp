// SPDX-License-Identifier: MIT
// cuSPARSE: incomplete factors of a matrix, in its own pattern.
#include <atomic>
#include <complex>
#include <memory>

#include "sparse/rows.h"

using namespace d2l::emulator;
using namespace d2l::emulator::sparse;

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

namespace d2l::emulator::sparse {

/// The first row without a pivot, counted from the index base; -1 if there is none.
struct FactorInfo {
  std::shared_ptr<std::atomic<int>> zero_pivot = std::make_shared<std::atomic<int>>(-1);
  bool analysed = false;
};

}  // namespace d2l::emulator::sparse

struct csrilu02Info : FactorInfo {};
struct csric02Info : FactorInfo {};

namespace {

template <class T>
struct Element {
  using type = T;
};
template <>
struct Element<cuComplex> {
  using type = std::complex<float>;
};
template <>
struct Element<cuDoubleComplex> {
  using type = std::complex<double>;
};

template <class T>
auto real_part(T value) {
  if constexpr (std::is_floating_point_v<T>) return value;
  if constexpr (!std::is_floating_point_v<T>) return value.real();
}

/// The number of the element in a row with this column; -1 if there is none.
std::int64_t find(const Rows& rows, std::int64_t row, std::int64_t column) {
  for (std::int64_t k = rows.begin(row); k < rows.end(row); ++k) {
    if (rows.column(k) == column) return k;
  }
  return -1;
}

/// The first row without an element on the diagonal; -1 if there is none.
std::int64_t first_gap(const Rows& rows) {
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    if (find(rows, row, row) < 0) return row;
  }
  return -1;
}

/// L and U in the place of A, where the columns of each row ascend. Returns the first row whose pivot is 0, or -1.
template <class T>
std::int64_t factor_lu(const Rows& rows, const Values<T>& a) {
  std::int64_t zero = -1;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    for (std::int64_t k = rows.begin(row); k < rows.end(row) && rows.column(k) < row; ++k) {
      const std::int64_t above = rows.column(k), pivot = find(rows, above, above);
      const T factor = a.get(k) / (pivot < 0 ? T{} : a.get(pivot));
      a.set(k, factor);
      for (std::int64_t j = rows.begin(above); j < rows.end(above); ++j) {
        const std::int64_t same = rows.column(j) > above ? find(rows, row, rows.column(j)) : -1;
        if (same >= 0) a.set(same, a.get(same) - factor * a.get(j));
      }
    }
    const std::int64_t pivot = find(rows, row, row);
    if (zero < 0 && (pivot < 0 || a.get(pivot) == T{})) zero = row;
  }
  return zero;
}

/// L in the place of the lower triangle of A; the rest stays. Returns the first row whose pivot is not positive, or -1.
template <class T>
std::int64_t factor_cholesky(const Rows& rows, const Values<T>& a) {
  std::int64_t zero = -1;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    for (std::int64_t k = rows.begin(row); k < rows.end(row) && rows.column(k) <= row; ++k) {
      const std::int64_t column = rows.column(k);
      T sum = a.get(k);
      for (std::int64_t j = rows.begin(row); j < rows.end(row) && rows.column(j) < column; ++j) {
        const std::int64_t other = find(rows, column, rows.column(j));
        if (other >= 0) sum -= a.get(j) * conjugate(a.get(other), true);
      }
      if (column < row) {
        const std::int64_t pivot = find(rows, column, column);
        a.set(k, sum / (pivot < 0 ? T{} : a.get(pivot)));
        continue;
      }
      if (zero < 0 && !(real_part(sum) > 0)) zero = row;
      a.set(k, std::sqrt(real_part(sum)));
    }
    if (zero < 0 && find(rows, row, row) < 0) zero = row;
  }
  return zero;
}

template <class T>
cusparseSpMatDescr describe(const cusparseMatDescr& description, int m, int nnz, const T* values, const int* offsets,
                            const int* columns) {
  return {CUSPARSE_FORMAT_CSR,
          m,
          m,
          nnz,
          const_cast<int*>(offsets),
          const_cast<int*>(columns),
          const_cast<T*>(values),
          CUSPARSE_INDEX_32I,
          CUSPARSE_INDEX_32I,
          description.base,
          type_of<typename Element<T>::type>()};
}

cusparseStatus_t check(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr* description,
                       const FactorInfo* info) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m < 0 || nnz < 0 || description == nullptr || info == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return description->type == CUSPARSE_MATRIX_TYPE_GENERAL ? CUSPARSE_STATUS_SUCCESS
                                                           : CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}
cusparseStatus_t tell_factor_bytes(cusparseStatus_t status, int* bytes) {
  if (status == CUSPARSE_STATUS_SUCCESS && bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (status == CUSPARSE_STATUS_SUCCESS) *bytes = static_cast<int>(work_bytes);
  return status;
}

void tell_zero_pivot(FactorInfo& info, std::int64_t row, cusparseIndexBase_t base) {
  *info.zero_pivot = row < 0 ? -1 : static_cast<int>(row) + base;
}

/// The analysis, which looks for gaps on the diagonal, and the factors.
template <class T>
cusparseStatus_t analyse(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr* description, const T* values,
                         const int* offsets, const int* columns, FactorInfo* info, void* buffer) {
  const auto status = check(handle, m, nnz, description, info);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  info->analysed = true;
  const auto a = describe(*description, m, nnz, values, offsets, columns);
  Memories all{work_area(buffer)};
  add_memory_of(all, a, LibraryUse::somewhere);
  return submit(handle, std::move(all),
                [a, to = *info]() mutable { tell_zero_pivot(to, first_gap(Rows(a, false)), a.base); });
}
template <class T, class Work>
cusparseStatus_t factor(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr* description, T* values,
                        const int* offsets, const int* columns, FactorInfo* info, void* buffer, Work work) {
  const auto status = check(handle, m, nnz, description, info);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (buffer == nullptr || !info->analysed) return CUSPARSE_STATUS_INVALID_VALUE;
  const auto a = describe(*description, m, nnz, values, offsets, columns);
  Memories all{bytes_of(buffer, work_bytes, LibraryUse::both)};
  add_memory_of(all, a, LibraryUse::both);
  return submit(handle, std::move(all), [a, work, to = *info]() mutable {
    const Values<typename Element<T>::type> in_a(a.values, a.type);
    tell_zero_pivot(to, work(Rows(a, false), in_a), a.base);
  });
}

cusparseStatus_t zero_pivot(cusparseHandle_t handle, const FactorInfo* info, int* position) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (info == nullptr || position == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (wait_for_library_work(handle->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;
  const int found = *info->zero_pivot;
  (handle->mode == CUSPARSE_POINTER_MODE_HOST ? *position : *at(position)) = found;
  return found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

}  // namespace

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* description) { return create_empty(description); }
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t description) { return destroy(description); }

#define D2L_MEMBER(Name, Type, member)                                                          \
  cusparseStatus_t cusparseSetMat##Name(cusparseMatDescr_t description, Type value) {           \
    if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;                           \
    description->member = value;                                                                \
    return CUSPARSE_STATUS_SUCCESS;                                                             \
  }                                                                                             \
  Type cusparseGetMat##Name(const cusparseMatDescr_t description) { /* NOLINT: the real type */ \
    return description == nullptr ? Type{} : description->member;                               \
  }
D2L_MEMBER(Type, cusparseMatrixType_t, type)
D2L_MEMBER(FillMode, cusparseFillMode_t, fill)
D2L_MEMBER(DiagType, cusparseDiagType_t, diagonal)
D2L_MEMBER(IndexBase, cusparseIndexBase_t, base)
#undef D2L_MEMBER

#define D2L_FACTOR(name, Info)                                                                                  \
  cusparseStatus_t cusparseCreate##Info##02Info(name##02Info_t * info) { return create_empty(info); }           \
  cusparseStatus_t cusparseDestroy##Info##02Info(name##02Info_t info) { return destroy(info); }                 \
  cusparseStatus_t cusparseX##name##02_zeroPivot(cusparseHandle_t handle, name##02Info_t info, int* position) { \
    const ApiCall call(__builtin_return_address(0));                                                            \
    return zero_pivot(handle, info, position);                                                                  \
  }
D2L_FACTOR(csrilu, Csrilu)
D2L_FACTOR(csric, Csric)
#undef D2L_FACTOR

#define D2L_FACTOR(letter, name, T, function)                                                                  \
  cusparseStatus_t cusparse##letter##name##02_bufferSize(cusparseHandle_t handle, int m, int nnz,              \
                                                         const cusparseMatDescr_t description, T*, const int*, \
                                                         const int*, name##02Info_t info, int* bytes) {        \
    return tell_factor_bytes(check(handle, m, nnz, description, info), bytes);                                 \
  }                                                                                                            \
  cusparseStatus_t cusparse##letter##name##02_analysis(                                                        \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t description, const T* values,          \
      const int* row_offsets, const int* columns, name##02Info_t info, cusparseSolvePolicy_t, void* buffer) {  \
    const ApiCall call(__builtin_return_address(0));                                                           \
    return analyse(handle, m, nnz, description, values, row_offsets, columns, info, buffer);                   \
  }                                                                                                            \
  cusparseStatus_t cusparse##letter##name##02(                                                                 \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t description, T* values,                \
      const int* row_offsets, const int* columns, name##02Info_t info, cusparseSolvePolicy_t, void* buffer) {  \
    const ApiCall call(__builtin_return_address(0));                                                           \
    return factor(handle, m, nnz, description, values, row_offsets, columns, info, buffer,                     \
                  [](const Rows& rows, const auto& a) { return function(rows, a); });                          \
  }
#define D2L_FACTORS(letter, T)             \
  D2L_FACTOR(letter, csrilu, T, factor_lu) \
  D2L_FACTOR(letter, csric, T, factor_cholesky)
D2L_FACTORS(S, float)
D2L_FACTORS(D, double)
D2L_FACTORS(C, cuComplex)
D2L_FACTORS(Z, cuDoubleComplex)
#undef D2L_FACTORS
#undef D2L_FACTOR
