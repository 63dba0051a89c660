# SPDX-License-Identifier: MIT
# Prints the parts of this build, found and missing; summary.txt keeps the text for ./learn setup.
set(summary "d2l ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE} build in ${PROJECT_BINARY_DIR}\n")

# d2l_part(FOUND NAME TEXT MISSING): one line: a tick and TEXT, or a cross and MISSING.
macro(d2l_part found name text missing)
  string(SUBSTRING "${name}                    " 0 18 padded)
  if(${found})
    string(APPEND summary "  ✓ ${padded}${text}\n")
  else()
    string(APPEND summary "  ✗ ${padded}${missing}\n")
  endif()
endmacro()

d2l_thrust_version(thrust)
find_path(D2L_TORCH_INCLUDE torch/csrc/api/include/torch/torch.h)
find_program(D2L_CLANG_FORMAT clang-format)
find_program(D2L_CLANG_TIDY clang-tidy)

d2l_part(TRUE "compiler" "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "")
d2l_part(OpenMP_CXX_FOUND "OpenMP" "${OpenMP_CXX_VERSION}" "")
d2l_part(D2L_THRUST_INCLUDE "Thrust" "${thrust} in ${D2L_THRUST_INCLUDE}" "")
d2l_part(OpenBLAS_FOUND "OpenBLAS" "${OpenBLAS_VERSION} in ${OpenBLAS_LIBRARY}" "")
d2l_part(Gloo_FOUND "Gloo" "${Gloo_VERSION} in ${Gloo_LIBRARY}"
  "not found; several GPUs in one process work, several processes do not (libgloo-dev has it)")
d2l_part(LibNl_FOUND "libnl" "${LibNl_VERSION} in ${LibNl_LIBRARY}" "")
d2l_part(D2L_RANDOM123_INCLUDE "Random123" "in ${D2L_RANDOM123_INCLUDE}" "")
if(D2L_CUDA STREQUAL "EMULATED")
  set(cuda "emulated, for tests: D2L_EMULATED_CARDS=2:512MiB makes two cards of host memory")
else()
  set(cuda "${CMAKE_CUDA_COMPILER_VERSION}, for architectures ${CMAKE_CUDA_ARCHITECTURES}")
endif()
d2l_part(D2L_CUDA "CUDA" "${cuda}"
  "not in this build; this is fine: virtual GPUs do not need it (the preset cuda has it)")
if(D2L_CUDA)
  d2l_part(D2L_NCCL_INCLUDE "NCCL" "nccl.h in ${D2L_NCCL_INCLUDE}; libnccl.so.2 is loaded when it is needed"
    "nccl.h not found; this is fine: collectives copy between cards and use Gloo between processes (libnccl-dev has it)")
endif()
d2l_part(D2L_TESTS "tests" "GoogleTest ${GTest_VERSION}" "not built (-DD2L_TESTS=ON builds them)")
if(D2L_TESTS)
  d2l_part(pybind11_FOUND "Python in tests" "${Python3_VERSION}, pybind11 ${pybind11_VERSION}"
    "not found; this is fine: the comparisons with PyTorch's reference cases are skipped")
endif()
d2l_part(D2L_BENCHMARKS "benchmarks" "Google Benchmark ${benchmark_VERSION}"
  "not built; this is fine (-DD2L_BENCHMARKS=ON builds them)")
if(NOT D2L_ROOMS)
  d2l_part(D2L_DOCS "the HTML book" "Doxygen ${DOXYGEN_VERSION}; ./learn docs makes it"
    "not found; this is fine: ./learn docs installs what it needs")
endif()
d2l_part(D2L_TORCH_INCLUDE "LibTorch" "in ${D2L_TORCH_INCLUDE}" "not found; this is fine: comparisons with it are skipped")
d2l_part(D2L_CLANG_FORMAT "clang-format" "${D2L_CLANG_FORMAT}" "not found; this is fine: contributors use it")
d2l_part(D2L_CLANG_TIDY "clang-tidy" "${D2L_CLANG_TIDY}" "not found; this is fine: contributors use it")
d2l_part(D2L_CCACHE "ccache" "${D2L_CCACHE}" "not found; this is fine: it makes repeated builds faster")
if(D2L_ROOMS)
  list(JOIN D2L_BUILT_ROOMS ", " rooms)
  d2l_part(TRUE "rooms" "${rooms}; no lessons and exercises" "")
endif()
if(D2L_SANITIZER)
  d2l_part(TRUE "sanitizers" "${D2L_SANITIZER}" "")
endif()

message("\n${summary}")
file(WRITE "${PROJECT_BINARY_DIR}/summary.txt" "${summary}")
