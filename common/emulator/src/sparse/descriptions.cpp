// SPDX-License-Identifier: MIT
// cuSPARSE: descriptions of vectors and matrices, which only hold pointers and sizes.
#include <cstring>
#include <initializer_list>
#include <memory>

#include "sparse/handle.h"

using namespace d2l::emulator::sparse;

namespace {

bool valid(cusparseIndexBase_t base) { return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE; }
bool are_sizes(std::initializer_list<std::int64_t> sizes) {
  return std::ranges::all_of(sizes, [](std::int64_t size) { return size >= 0; });
}

/// Makes a description, if its values are right.
template <class D>
cusparseStatus_t create(D** made, bool is_valid, cudaDataType type, const D& description) {
  if (made == nullptr || !is_valid) return CUSPARSE_STATUS_INVALID_VALUE;
  if (size_of(type) == 0) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *made = std::make_unique<D>(description).release();
  return CUSPARSE_STATUS_SUCCESS;
}
/// Copies a value to where a program wants it.
template <class D, class T>
cusparseStatus_t get(const D* description, T D::*member, T* to) {
  if (description == nullptr || to == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *to = description->*member;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class D, class T>
cusparseStatus_t set(D* description, T D::*member, T value) {
  if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  description->*member = value;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t first_error(std::initializer_list<cusparseStatus_t> all) {
  const auto* const found = std::ranges::find_if(all, [](auto one) { return one != CUSPARSE_STATUS_SUCCESS; });
  return found == all.end() ? CUSPARSE_STATUS_SUCCESS : *found;
}

cusparseStatus_t create_matrix(cusparseSpMatDescr_t* matrix, const cusparseSpMatDescr& a) {
  const bool fits = are_sizes({a.rows, a.columns, a.nnz}) && (a.nnz == 0 || a.rows > 0) &&
                    (a.columns == 0 ? a.nnz == 0 : a.nnz / a.columns <= a.rows);
  const bool types = size_of(a.offset_type) != 0 && size_of(a.index_type) != 0;
  return create(matrix, fits && types && valid(a.base), a.type, a);
}
using Matrix = cusparseSpMatDescr;
cusparseStatus_t get_matrix(const Matrix* a, cusparseFormat_t format, std::int64_t* rows, std::int64_t* columns,
                            std::int64_t* nnz, void** offsets, void** indices, void** values,
                            cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type) {
  if (a == nullptr || a->format != format) return CUSPARSE_STATUS_INVALID_VALUE;
  return first_error({get(a, &Matrix::rows, rows), get(a, &Matrix::columns, columns), get(a, &Matrix::nnz, nnz),
                      get(a, &Matrix::offsets, offsets), get(a, &Matrix::indices, indices),
                      get(a, &Matrix::values, values), get(a, &Matrix::index_type, index_type),
                      get(a, &Matrix::base, base), get(a, &Matrix::type, type)});
}
cusparseStatus_t set_pointers(Matrix* a, cusparseFormat_t format, void* offsets, void* indices, void* values) {
  if (a == nullptr || a->format != format || offsets == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  a->offsets = offsets;
  a->indices = indices;
  a->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz, void* indices,
                                     void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                     cudaDataType type) {
  const bool is_valid = are_sizes({size, nnz}) && nnz <= size && size_of(index_type) != 0 && valid(base) &&
                        (nnz == 0 || (indices != nullptr && values != nullptr));
  return create(vector, is_valid, type, cusparseSpVecDescr{size, nnz, indices, values, index_type, base, type});
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) { return destroy(vector); }
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t x, int64_t* size, int64_t* nnz, void** indices, void** values,
                                  cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type) {
  using V = cusparseSpVecDescr;
  return first_error({get(x, &V::size, size), get(x, &V::nnz, nnz), get(x, &V::indices, indices),
                      get(x, &V::values, values), get(x, &V::index_type, index_type), get(x, &V::base, base),
                      get(x, &V::type, type)});
}
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector, cusparseIndexBase_t* base) {
  return get(vector, &cusparseSpVecDescr::base, base);
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values) {
  return get(vector, &cusparseSpVecDescr::values, values);
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values) {
  return set(vector, &cusparseSpVecDescr::values, values);
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, cudaDataType type) {
  const bool is_valid = size >= 0 && (size == 0 || values != nullptr);
  return create(vector, is_valid, type, cusparseDnVecDescr{size, values, type});
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) { return destroy(vector); }
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t x, int64_t* size, void** values, cudaDataType* type) {
  using V = cusparseDnVecDescr;
  return first_error({get(x, &V::size, size), get(x, &V::values, values), get(x, &V::type, type)});
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values) {
  return get(vector, &cusparseDnVecDescr::values, values);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  return set(vector, &cusparseDnVecDescr::values, values);
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
                                   void* row_offsets, void* column_indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  return create_matrix(matrix, {CUSPARSE_FORMAT_CSR, rows, columns, nnz, row_offsets, column_indices, values,
                                offset_type, index_type, base, type});
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
                                   void* column_offsets, void* row_indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  return create_matrix(matrix, {CUSPARSE_FORMAT_CSC, rows, columns, nnz, column_offsets, row_indices, values,
                                offset_type, index_type, base, type});
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
                                   void* row_indices, void* column_indices, void* values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {
  return create_matrix(matrix, {CUSPARSE_FORMAT_COO, rows, columns, nnz, row_indices, column_indices, values,
                                index_type, index_type, base, type});
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) { return destroy(matrix); }
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* nnz,
                                void** row_offsets, void** column_indices, void** values,
                                cusparseIndexType_t* offset_type, cusparseIndexType_t* index_type,
                                cusparseIndexBase_t* base, cudaDataType* type) {
  return first_error(
      {get(a, &Matrix::offset_type, offset_type), get_matrix(a, CUSPARSE_FORMAT_CSR, rows, columns, nnz, row_offsets,
                                                             column_indices, values, index_type, base, type)});
}
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* nnz,
                                void** column_offsets, void** row_indices, void** values,
                                cusparseIndexType_t* offset_type, cusparseIndexType_t* index_type,
                                cusparseIndexBase_t* base, cudaDataType* type) {
  return first_error(
      {get(a, &Matrix::offset_type, offset_type), get_matrix(a, CUSPARSE_FORMAT_CSC, rows, columns, nnz, column_offsets,
                                                             row_indices, values, index_type, base, type)});
}
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* nnz,
                                void** row_indices, void** column_indices, void** values,
                                cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type) {
  return get_matrix(a, CUSPARSE_FORMAT_COO, rows, columns, nnz, row_indices, column_indices, values, index_type, base,
                    type);
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* row_offsets, void* column_indices,
                                        void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_CSR, row_offsets, column_indices, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* column_offsets, void* row_indices,
                                        void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_CSC, column_offsets, row_indices, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* row_indices, void* column_indices,
                                        void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_COO, row_indices, column_indices, values);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* nnz) {
  return first_error({get(a, &Matrix::rows, rows), get(a, &Matrix::columns, columns), get(a, &Matrix::nnz, nnz)});
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format) {
  return get(matrix, &Matrix::format, format);
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base) {
  return get(matrix, &Matrix::base, base);
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values) {
  return get(matrix, &Matrix::values, values);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  return set(matrix, &Matrix::values, values);
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void* data, size_t bytes) {
  if (bytes != sizeof(int)) return CUSPARSE_STATUS_INVALID_VALUE;
  return attribute == CUSPARSE_SPMAT_FILL_MODE ? get(matrix, &Matrix::fill, static_cast<cusparseFillMode_t*>(data))
                                               : get(matrix, &Matrix::diagonal, static_cast<cusparseDiagType_t*>(data));
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  int value = 0;
  if (data == nullptr || bytes != sizeof value) return CUSPARSE_STATUS_INVALID_VALUE;
  std::memcpy(&value, data, bytes);
  if (value < 0 || value > 1) return CUSPARSE_STATUS_INVALID_VALUE;
  return attribute == CUSPARSE_SPMAT_FILL_MODE ? set(matrix, &Matrix::fill, static_cast<cusparseFillMode_t>(value))
                                               : set(matrix, &Matrix::diagonal, static_cast<cusparseDiagType_t>(value));
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t leading,
                                     void* values, cudaDataType type, cusparseOrder_t order) {
  const bool by_column = order == CUSPARSE_ORDER_COL;
  const bool is_valid = are_sizes({rows, columns}) && (by_column || order == CUSPARSE_ORDER_ROW) &&
                        leading >= (by_column ? rows : columns) && (rows == 0 || columns == 0 || values != nullptr);
  return create(matrix, is_valid, type, cusparseDnMatDescr{rows, columns, leading, values, type, order});
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) { return destroy(matrix); }
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* leading,
                                  void** values, cudaDataType* type, cusparseOrder_t* order) {
  using D = cusparseDnMatDescr;
  return first_error({get(a, &D::rows, rows), get(a, &D::columns, columns), get(a, &D::leading, leading),
                      get(a, &D::values, values), get(a, &D::type, type), get(a, &D::order, order)});
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values) {
  return get(matrix, &cusparseDnMatDescr::values, values);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  return set(matrix, &cusparseDnMatDescr::values, values);
}
