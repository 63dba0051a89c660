// SPDX-License-Identifier: MIT
// The older functions of cuSPARSE that the generic ones do not replace: incomplete factors, and conversions of indices.
#pragma once

#include <cstddef>

#include "cuComplex.h"
#include "d2l_emulator/sparse/types.h"
#include "library_types.h"

// NOLINTBEGIN: the names are CUDA's.
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* description);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t description);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t description, cusparseMatrixType_t type);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t description);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t description, cusparseFillMode_t mode);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t description);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t description, cusparseDiagType_t type);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t description);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t description, cusparseIndexBase_t base);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t description);

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows, int nnz, int m, int* row_offsets,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* row_offsets, int nnz, int m, int* rows,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void* values,
                                               const int* row_offsets, const int* columns, void* csc_values,
                                               int* column_offsets, int* rows, cudaDataType type,
                                               cusparseAction_t action, cusparseIndexBase_t base,
                                               cusparseCsr2CscAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void* values,
                                    const int* row_offsets, const int* columns, void* csc_values, int* column_offsets,
                                    int* rows, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
                                    cusparseCsr2CscAlg_t algorithm, void* buffer);

// Of a square matrix as CSR, in its own pattern: L U = A (csrilu02), L L^H = A (csric02, of the lower triangle).
#define D2L_FACTOR(name, Info)                                          \
  cusparseStatus_t cusparseCreate##Info##02Info(name##02Info_t * info); \
  cusparseStatus_t cusparseDestroy##Info##02Info(name##02Info_t info);  \
  /* Waits for the stream. CUSPARSE_STATUS_ZERO_PIVOT tells the row. */ \
  cusparseStatus_t cusparseX##name##02_zeroPivot(cusparseHandle_t handle, name##02Info_t info, int* position);
D2L_FACTOR(csrilu, Csrilu)
D2L_FACTOR(csric, Csric)
#undef D2L_FACTOR
#define D2L_FACTOR(letter, name, T)                                                                                 \
  cusparseStatus_t cusparse##letter##name##02_bufferSize(                                                           \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t description, T* values,                     \
      const int* row_offsets, const int* columns, name##02Info_t info, int* bytes);                                 \
  cusparseStatus_t cusparse##letter##name##02_analysis(                                                             \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t description, const T* values,               \
      const int* row_offsets, const int* columns, name##02Info_t info, cusparseSolvePolicy_t policy, void* buffer); \
  cusparseStatus_t cusparse##letter##name##02(                                                                      \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t description, T* values,                     \
      const int* row_offsets, const int* columns, name##02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
#define D2L_FACTORS(letter, T)  \
  D2L_FACTOR(letter, csrilu, T) \
  D2L_FACTOR(letter, csric, T)
D2L_FACTORS(S, float)
D2L_FACTORS(D, double)
D2L_FACTORS(C, cuComplex)
D2L_FACTORS(Z, cuDoubleComplex)
#undef D2L_FACTORS
#undef D2L_FACTOR
// NOLINTEND
