# SPDX-License-Identifier: MIT
# What the library is built from; all of it is installed on the system, nothing is downloaded.
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

find_path(D2L_RANDOM123_INCLUDE Random123/philox.h REQUIRED)
find_path(D2L_CBLAS_INCLUDE cblas.h PATH_SUFFIXES x86_64-linux-gnu/openblas-openmp aarch64-linux-gnu/openblas-openmp openblas REQUIRED)
find_library(D2L_OPENBLAS NAMES openblas PATH_SUFFIXES openblas-openmp x86_64-linux-gnu/openblas-openmp REQUIRED)

if(D2L_CUDA)
  include(D2LCuda)
else()
  # Without CUDA, Thrust is the distribution's, or that of a toolkit that happens to be there.
  find_path(D2L_THRUST_INCLUDE thrust/version.h PATHS /usr/include /usr/local/cuda/include/cccl REQUIRED)
endif()
