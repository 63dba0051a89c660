# SPDX-License-Identifier: MIT
# The CUDA toolkit: its compiler, the architectures to build for, and its own Thrust before any other.
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_STANDARD 20)
find_path(D2L_THRUST_INCLUDE thrust/version.h
  PATHS ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES cccl NO_DEFAULT_PATH REQUIRED)
