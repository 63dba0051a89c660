// SPDX-License-Identifier: MIT
// HIP's names of the types of a matrix's elements.
#pragma once

#include "library_types.h"

// NOLINTBEGIN: the names are HIP's.
#define HIP_R_32F CUDA_R_32F
#define HIP_R_64F CUDA_R_64F
#define HIP_R_16F CUDA_R_16F
#define HIP_R_8I CUDA_R_8I
#define HIP_C_32F CUDA_C_32F
#define HIP_C_64F CUDA_C_64F
#define HIP_C_16F CUDA_C_16F
#define HIP_R_8U CUDA_R_8U
#define HIP_R_32I CUDA_R_32I
#define HIP_R_16BF CUDA_R_16BF
#define HIP_LIBRARY_MAJOR_VERSION MAJOR_VERSION
#define HIP_LIBRARY_MINOR_VERSION MINOR_VERSION
#define HIP_LIBRARY_PATCH_LEVEL PATCH_LEVEL
#define hipLibraryPropertyType libraryPropertyType
// NOLINTEND
