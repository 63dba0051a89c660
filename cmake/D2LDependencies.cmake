# SPDX-License-Identifier: MIT
# What the library is built from; all of it is installed on the system, nothing is downloaded.

# d2l_need(FOUND WHAT PACKAGE): stops with the package to install when FOUND is false.
function(d2l_need found what package)
  if(NOT found)
    message(FATAL_ERROR "${what} is missing.\n"
                        "./learn setup installs it; by hand, on Debian and Ubuntu: apt-get install ${package}")
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(OpenMP COMPONENTS CXX)
d2l_need("${OpenMP_CXX_FOUND}" "OpenMP for ${CMAKE_CXX_COMPILER}" "g++, or with Clang: libomp-dev")
find_package(fmt QUIET)
d2l_need("${fmt_FOUND}" "fmt" libfmt-dev)
find_package(nlohmann_json QUIET)
d2l_need("${nlohmann_json_FOUND}" "nlohmann-json" nlohmann-json3-dev)
find_package(OpenBLAS MODULE QUIET)
d2l_need("${OpenBLAS_FOUND}" "OpenBLAS" libopenblas-openmp-dev)

find_package(CLI11 QUIET)
d2l_need("${CLI11_FOUND}" "CLI11" libcli11-dev)
find_package(OpenSSL QUIET COMPONENTS Crypto)
d2l_need("${OPENSSL_FOUND}" "OpenSSL" libssl-dev)
if(EXISTS "${PROJECT_SOURCE_DIR}/common/runner/grading") # not in the tree for students
  find_library(D2L_SECCOMP seccomp)
  d2l_need("${D2L_SECCOMP}" "libseccomp" libseccomp-dev)
endif()

find_path(D2L_RANDOM123_INCLUDE Random123/philox.h)
d2l_need("${D2L_RANDOM123_INCLUDE}" "Random123" librandom123-dev)

if(D2L_CUDA)
  include(D2LCuda)
else()
  # Without CUDA, Thrust is the distribution's, or that of a toolkit that happens to be there.
  find_program(D2L_NVCC nvcc)
  get_filename_component(toolkit "${D2L_NVCC}" REALPATH)
  get_filename_component(toolkit "${toolkit}/../.." ABSOLUTE)
  find_path(D2L_THRUST_INCLUDE thrust/version.h PATHS "${toolkit}/include/cccl" /usr/local/cuda/include/cccl)
  d2l_need("${D2L_THRUST_INCLUDE}" "Thrust" libthrust-dev)
endif()

if(D2L_TESTS)
  find_package(GTest QUIET)
  d2l_need("${GTest_FOUND}" "GoogleTest" libgtest-dev)
endif()
if(D2L_BENCHMARKS)
  find_package(benchmark QUIET)
  d2l_need("${benchmark_FOUND}" "Google Benchmark" libbenchmark-dev)
endif()

# For tests in Python: the virtual environment that ./learn setup --all makes, else the system's, whose packages may be
# missing, else what says that there is none.
set(D2L_PYTHON "" CACHE FILEPATH "A Python with the packages that tests take: safetensors, playwright, nbclient and so on")
set(D2L_TEST_PYTHON "${D2L_PYTHON}")
if(NOT D2L_TEST_PYTHON)
  find_program(D2L_SYSTEM_PYTHON python3)
  set(D2L_TEST_PYTHON "${PROJECT_SOURCE_DIR}/cmake/no_python3")
  if(EXISTS "${PROJECT_SOURCE_DIR}/build/venv/bin/python3")
    set(D2L_TEST_PYTHON "${PROJECT_SOURCE_DIR}/build/venv/bin/python3")
  elseif(D2L_SYSTEM_PYTHON)
    set(D2L_TEST_PYTHON "${D2L_SYSTEM_PYTHON}")
  endif()
endif()
