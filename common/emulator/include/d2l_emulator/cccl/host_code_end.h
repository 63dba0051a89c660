// SPDX-License-Identifier: MIT
// See host_code_begin.h.
#pragma pop_macro("__HIP__")
#pragma pop_macro("__HIPCC__")
#pragma pop_macro("__NVCC__")
#pragma pop_macro("__CUDACC__")
