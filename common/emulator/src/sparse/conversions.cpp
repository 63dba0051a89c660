// SPDX-License-Identifier: MIT
// cuSPARSE: conversions between sparse and dense matrices, and between the formats of sparse ones.
#include <cstring>
#include <memory>

#include "sparse/rows.h"

using namespace d2l::emulator;
using namespace d2l::emulator::sparse;

namespace {

template <class A, class B>
cusparseStatus_t check(cusparseHandle_t handle, const A* a, const B* b) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a == nullptr || b == nullptr || a->rows != b->rows || a->columns != b->columns) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  return a->type == b->type ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// Calls use(row, column, value) for the elements of a dense matrix that are not 0: by column of CSC, else by row.
template <class T, class Use>
void each_element(const cusparseDnMatDescr& a, bool by_column, const Use& use) {
  const Values<T> values(a.values, a.type);
  for (std::int64_t outer = 0; outer < (by_column ? a.columns : a.rows); ++outer) {
    for (std::int64_t inner = 0; inner < (by_column ? a.rows : a.columns); ++inner) {
      const std::int64_t row = by_column ? inner : outer, column = by_column ? outer : inner;
      const T value = values.get(a.place(row, column));
      if (value != T{}) use(row, column, value);
    }
  }
}

template <class T>
void fill(const cusparseDnMatDescr& a, const cusparseSpMatDescr& b) {
  const bool by_column = b.format == CUSPARSE_FORMAT_CSC, has_lines = b.format == CUSPARSE_FORMAT_COO;
  const Indices offsets(b.offsets, b.offset_type, b.base), indices(b.indices, b.index_type, b.base);
  const Values<T> values(b.values, b.type);
  std::int64_t count = 0, lines = 0;
  each_element<T>(a, by_column, [&](std::int64_t row, std::int64_t column, T value) {
    const std::int64_t line = by_column ? column : row;
    if (count == b.nnz)
      throw LibraryFault{"writes more elements than the analysis has counted: the values have changed"};
    if (has_lines) offsets.set(count, line);
    while (!has_lines && lines <= line) offsets.set(lines++, count);
    indices.set(count, by_column ? row : column);
    values.set(count++, value);
  });
  while (!has_lines && lines < b.offset_count()) offsets.set(lines++, count);
}

}  // namespace

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t /*algorithm*/,
                                                  size_t* bytes) {
  return tell_bytes(check(handle, a, b), bytes);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t /*algorithm*/, void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  if (const auto status = check(handle, a, b); status != CUSPARSE_STATUS_SUCCESS) return status;
  if (buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(computed_with(a->type), [&](auto zero) {
    using T = decltype(zero);
    Memories all{memory_of(*b, LibraryUse::write), work_area(buffer)};
    add_memory_of(all, *a, LibraryUse::read);
    return submit(handle, std::move(all), [a = *a, b = *b] {
      const Rows rows(a, false);
      const Values<T> from(a.values, a.type), to(b.values, b.type);
      for (std::int64_t row = 0; row < b.rows; ++row) {
        for (std::int64_t column = 0; column < b.columns; ++column) to.set(b.place(row, column), T{});
        for (std::int64_t k = rows.begin(row), end = rows.end(row); k < end; ++k) {
          to.set(b.place(row, rows.column(k)), from.get(rows.value(k)));
        }
      }
    });
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t /*algorithm*/,
                                                  size_t* bytes) {
  return tell_bytes(check(handle, a, b), bytes);
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t /*algorithm*/,
                                                void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  if (const auto status = check(handle, a, b); status != CUSPARSE_STATUS_SUCCESS) return status;
  if (buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(computed_with(a->type), [&](auto zero) {
    using T = decltype(zero);
    const auto count = std::make_shared<std::int64_t>(0);
    auto work = [a = *a, count] { each_element<T>(a, false, [&](std::int64_t, std::int64_t, T) { ++*count; }); };
    const auto status = submit(handle, {memory_of(*a, LibraryUse::read), work_area(buffer)}, std::move(work), true);
    if (status == CUSPARSE_STATUS_SUCCESS) b->nnz = *count;
    return status;
  });
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t /*algorithm*/,
                                               void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  if (const auto status = check(handle, a, b); status != CUSPARSE_STATUS_SUCCESS) return status;
  if (buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(computed_with(a->type), [&](auto zero) {
    using T = decltype(zero);
    Memories all{memory_of(*a, LibraryUse::read), work_area(buffer)};
    add_memory_of(all, *b, LibraryUse::write, LibraryUse::write);
    return submit(handle, std::move(all), [a = *a, b = *b] { fill<T>(a, b); });
  });
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows, int nnz, int m, int* row_offsets,
                                  cusparseIndexBase_t base) {
  const ApiCall call(__builtin_return_address(0));
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (nnz < 0 || m < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  Memories all{elements_of(rows, unsigned_of(nnz), LibraryUse::read),
               elements_of(row_offsets, unsigned_of(m) + 1, LibraryUse::write)};
  return submit(handle, std::move(all), [=] {
    const Indices from(rows, CUSPARSE_INDEX_32I, base), to(row_offsets, CUSPARSE_INDEX_32I, base);
    require_indices(from, nnz, m, "rows");
    int k = 0;
    for (int row = 0; row <= m; ++row) {
      while (k < nnz && from.get(k) < row) ++k;
      to.set(row, k);
    }
    if (k != nnz) throw LibraryFault{"reads rows that are not sorted"};
  });
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* row_offsets, int nnz, int m, int* rows,
                                  cusparseIndexBase_t base) {
  const ApiCall call(__builtin_return_address(0));
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (nnz < 0 || m < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  Memories all{elements_of(row_offsets, unsigned_of(m) + 1, LibraryUse::read),
               elements_of(rows, unsigned_of(nnz), LibraryUse::write)};
  return submit(handle, std::move(all), [=] {
    const Indices offsets(row_offsets, CUSPARSE_INDEX_32I, base), to(rows, CUSPARSE_INDEX_32I, base);
    require_offsets(offsets, m, nnz);
    for (int row = 0; row < m; ++row) {
      for (std::int64_t k = offsets.get(row); k < offsets.get(row + 1); ++k) to.set(k, row);
    }
  });
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void* /*values*/,
                                               const int* /*row_offsets*/, const int* /*columns*/, void* /*csc_values*/,
                                               int* /*column_offsets*/, int* /*rows*/, cudaDataType type,
                                               cusparseAction_t /*action*/, cusparseIndexBase_t /*base*/,
                                               cusparseCsr2CscAlg_t /*algorithm*/, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || nnz < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return tell_bytes(size_of(type) == 0 ? CUSPARSE_STATUS_NOT_SUPPORTED : CUSPARSE_STATUS_SUCCESS, bytes);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void* values,
                                    const int* row_offsets, const int* columns, void* csc_values, int* column_offsets,
                                    int* rows, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
                                    cusparseCsr2CscAlg_t algorithm, void* buffer) {
  const ApiCall call(__builtin_return_address(0));
  std::size_t bytes = 0;
  const auto status = cusparseCsr2cscEx2_bufferSize(handle, m, n, nnz, values, row_offsets, columns, csc_values,
                                                    column_offsets, rows, type, action, base, algorithm, &bytes);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  const auto describe = [&](cusparseFormat_t format, const int* offsets, const int* indices, const void* of) {
    return cusparseSpMatDescr{format,
                              m,
                              n,
                              nnz,
                              const_cast<int*>(offsets),
                              const_cast<int*>(indices),
                              const_cast<void*>(of),
                              CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I,
                              base,
                              type};
  };
  const auto a = describe(CUSPARSE_FORMAT_CSR, row_offsets, columns, values);
  const auto b = describe(CUSPARSE_FORMAT_CSC, column_offsets, rows, csc_values);
  const bool numeric = action == CUSPARSE_ACTION_NUMERIC;
  Memories all{work_area(buffer)};
  add_memory_of(all, a, LibraryUse::read);
  add_memory_of(all, b, LibraryUse::write, LibraryUse::write);
  if (!numeric)
    std::erase_if(all, [&](const LibraryMemory& one) { return one.begin == values || one.begin == csc_values; });
  return submit(handle, std::move(all), [=] {
    const Rows by_column(a, true);
    const Indices offsets(b.offsets, b.offset_type, base), to(b.indices, b.index_type, base);
    const std::size_t size = size_of(type);
    for (std::int64_t column = 0; column <= n; ++column) offsets.set(column, by_column.begin(column));
    for (std::int64_t k = 0; k < nnz; ++k) {
      to.set(k, by_column.column(k));
      if (!numeric) continue;
      std::memcpy(static_cast<std::byte*>(at(csc_values)) + unsigned_of(k) * size,
                  static_cast<const std::byte*>(at(values)) + unsigned_of(by_column.value(k)) * size, size);
    }
  });
}
