// SPDX-License-Identifier: MIT
// In place of the toolkit's header: the part of cuSPARSE that the emulator has. Its generic functions take matrices as
// CSR, CSC or COO, with indices of 32 or 64 bits from 0 or 1, and values of float, double, their complex numbers, half
// and bfloat16; half numbers are added in float. Each row is summed in the order of its elements in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "d2l_emulator/sparse/types.h"
#include "library_types.h"

// NOLINTBEGIN: the names are CUDA's.
#define CUSPARSE_H_
#define CUSPARSEAPI  // headers of programs test whether it is defined

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value);
const char* cusparseGetErrorName(cusparseStatus_t status);
const char* cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);

// Vectors.
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz, void* indices,
                                     void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                     cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* nnz, void** indices,
                                  void** values, cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                  cudaDataType* type);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector, cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values, cudaDataType* type);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values);

// Matrices.
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
                                   void* row_offsets, void* column_indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
                                   void* column_offsets, void* row_indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
                                   void* row_indices, void* column_indices, void* values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* nnz,
                                void** row_offsets, void** column_indices, void** values,
                                cusparseIndexType_t* offset_type, cusparseIndexType_t* index_type,
                                cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* nnz,
                                void** column_offsets, void** row_indices, void** values,
                                cusparseIndexType_t* offset_type, cusparseIndexType_t* index_type,
                                cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* nnz,
                                void** row_indices, void** column_indices, void** values,
                                cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* row_offsets, void* column_indices,
                                        void* values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* column_offsets, void* row_indices,
                                        void* values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* row_indices, void* column_indices,
                                        void* values);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* nnz);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void* data, size_t bytes);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t leading,
                                     void* values, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* leading,
                                  void** values, cudaDataType* type, cusparseOrder_t* order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values);

// The same of memory that is not written.
inline cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                                 const void* indices, const void* values,
                                                 cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                                 cudaDataType type) {
  return cusparseCreateSpVec(const_cast<cusparseSpVecDescr_t*>(vector), size, nnz, const_cast<void*>(indices),
                             const_cast<void*>(values), index_type, base, type);
}
inline cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values,
                                                 cudaDataType type) {
  return cusparseCreateDnVec(const_cast<cusparseDnVecDescr_t*>(vector), size, const_cast<void*>(values), type);
}
inline cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                               int64_t nnz, const void* row_offsets, const void* column_indices,
                                               const void* values, cusparseIndexType_t offset_type,
                                               cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                               cudaDataType type) {
  return cusparseCreateCsr(const_cast<cusparseSpMatDescr_t*>(matrix), rows, columns, nnz,
                           const_cast<void*>(row_offsets), const_cast<void*>(column_indices), const_cast<void*>(values),
                           offset_type, index_type, base, type);
}
inline cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                               int64_t nnz, const void* row_indices, const void* column_indices,
                                               const void* values, cusparseIndexType_t index_type,
                                               cusparseIndexBase_t base, cudaDataType type) {
  return cusparseCreateCoo(const_cast<cusparseSpMatDescr_t*>(matrix), rows, columns, nnz,
                           const_cast<void*>(row_indices), const_cast<void*>(column_indices), const_cast<void*>(values),
                           index_type, base, type);
}
inline cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                                 int64_t leading, const void* values, cudaDataType type,
                                                 cusparseOrder_t order) {
  return cusparseCreateDnMat(const_cast<cusparseDnMatDescr_t*>(matrix), rows, columns, leading,
                             const_cast<void*>(values), type, order);
}

#include "d2l_emulator/sparse/factors.h"
#include "d2l_emulator/sparse/generic.h"
// NOLINTEND
