# SPDX-License-Identifier: MIT
# The CUDA toolkit: its compiler, and the architectures to build for.
option(D2L_CUDA_ALL_ARCHITECTURES "Build the CUDA kernels for every architecture that the toolkit knows" OFF)

if(NOT CMAKE_CUDA_COMPILER AND "$ENV{CUDACXX}" STREQUAL "")
  find_program(CMAKE_CUDA_COMPILER nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin
    DOC "The CUDA compiler")
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)
    message(FATAL_ERROR "D2L_CUDA is on, but nvcc was not found on PATH, in CUDA_HOME or in /usr/local/cuda/bin.\n"
                        "Install the CUDA toolkit (12 or newer), or build without CUDA: cmake --preset cpu")
  endif()
endif()
set(nvcc "${CMAKE_CUDA_COMPILER}")
if(NOT nvcc)
  set(nvcc "$ENV{CUDACXX}")
endif()

# d2l_known_architectures(OUT): the architectures that nvcc lists, oldest first: 75;80;…
function(d2l_known_architectures out)
  execute_process(COMMAND "${nvcc}" --list-gpu-arch OUTPUT_VARIABLE listed ERROR_QUIET)
  string(REGEX MATCHALL "compute_[0-9]+" listed "${listed}")
  list(TRANSFORM listed REPLACE "compute_" "")
  list(SORT listed COMPARE NATURAL)
  if(NOT listed)
    message(FATAL_ERROR "${nvcc} --list-gpu-arch lists nothing; is it from CUDA 12 or newer?")
  endif()
  set(${out} "${listed}" PARENT_SCOPE)
endfunction()

# d2l_visible_architectures(OUT): those of the cards that nvidia-smi lists; empty without a card.
function(d2l_visible_architectures out)
  set(visible "")
  find_program(D2L_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(D2L_NVIDIA_SMI)
  if(D2L_NVIDIA_SMI)
    execute_process(COMMAND "${D2L_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
      RESULT_VARIABLE failed OUTPUT_VARIABLE answer ERROR_QUIET)
    if(NOT failed)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]+" visible "${answer}")
      list(TRANSFORM visible REPLACE "\\." "")
      list(REMOVE_DUPLICATES visible)
    endif()
  endif()
  set(${out} "${visible}" PARENT_SCOPE)
endfunction()

# d2l_choose_architectures(OUT WHY): the architectures to build for when the user has not set them.
function(d2l_choose_architectures out why)
  d2l_known_architectures(known)
  list(GET known 0 oldest)
  list(GET known -1 newest)
  if(D2L_CUDA_ALL_ARCHITECTURES)
    list(TRANSFORM known APPEND "-real" OUTPUT_VARIABLE chosen)
    list(APPEND chosen "${newest}-virtual")
    set(${out} "${chosen}" PARENT_SCOPE)
    set(${why} "all that the toolkit supports" PARENT_SCOPE)
    return()
  endif()
  d2l_visible_architectures(visible)
  set(chosen "")
  foreach(architecture IN LISTS visible)
    if(architecture IN_LIST known)
      list(APPEND chosen "${architecture}")
    elseif(architecture GREATER oldest)
      list(APPEND chosen "${newest}-virtual")
    else()
      message(WARNING "A card here has architecture ${architecture}, which this CUDA toolkit no longer supports: its oldest "
                      "is ${oldest}. Use an older toolkit for this card.")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES chosen)
  if(chosen)
    set(${why} "the card of this machine" PARENT_SCOPE)
  else()
    set(chosen "${oldest}")
    set(${why} "no card found: the oldest that the toolkit supports; newer cards translate it" PARENT_SCOPE)
  endif()
  set(${out} "${chosen}" PARENT_SCOPE)
endfunction()

if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND "$ENV{CUDAARCHS}" STREQUAL "")
  d2l_choose_architectures(CMAKE_CUDA_ARCHITECTURES D2L_CUDA_ARCHITECTURES_WHY)
endif()
message(STATUS "CUDA architectures: ${CMAKE_CUDA_ARCHITECTURES}$ENV{CUDAARCHS} (${D2L_CUDA_ARCHITECTURES_WHY})")

enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  # CMake before 3.26 does not know that nvcc supports C++20 since CUDA 12.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

# Kernels round alike on every device: no implicit fused multiply-add. nvcc passes code full of extensions to the host
# compiler, so -Wpedantic is not used.
add_compile_options(
  "$<$<COMPILE_LANGUAGE:CUDA>:-O3;-fmad=false;--expt-relaxed-constexpr;-Xcompiler=-Wall,-Wextra,-Wconversion,-Wshadow>"
  # A false warning of GCC 12: see D2LDefaults.cmake.
  "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Xcompiler=-Wno-restrict>"
  "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${D2L_WERROR}>>:-Werror=all-warnings;-Xcompiler=-Werror>")
