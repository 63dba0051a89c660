# SPDX-License-Identifier: MIT
# The libraries that the project is built with. All are installed on the system; nothing is downloaded.

# d2l_need(FOUND PACKAGE): stops and names the package of packages.txt when FOUND is false.
function(d2l_need found package)
  if(found)
    return()
  endif()
  file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/packages.txt" lines)
  foreach(line IN LISTS lines)
    if(line MATCHES "^[a-z]+ ([^ ]+) [^ ]+ (.+)$" AND CMAKE_MATCH_1 STREQUAL package)
      message(FATAL_ERROR "${CMAKE_MATCH_2} is missing.\n"
                          "./learn setup installs it; by hand, on Debian and Ubuntu: apt-get install ${package}")
    endif()
  endforeach()
  message(FATAL_ERROR "cmake/packages.txt does not have ${package}.")
endfunction()

find_package(Threads REQUIRED)
find_package(OpenMP COMPONENTS CXX)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  d2l_need("${OpenMP_CXX_FOUND}" libomp-dev)
else()
  d2l_need("${OpenMP_CXX_FOUND}" g++)
endif()
find_package(fmt QUIET)
d2l_need("${fmt_FOUND}" libfmt-dev)
find_package(nlohmann_json QUIET)
d2l_need("${nlohmann_json_FOUND}" nlohmann-json3-dev)
find_package(OpenBLAS MODULE QUIET)
d2l_need("${OpenBLAS_FOUND}" libopenblas-openmp-dev)

find_package(LibNl MODULE QUIET)
d2l_need("${LibNl_FOUND}" libnl-route-3-dev)

# Without Gloo there is no backend gloo, and so one process at a time.
find_package(Gloo MODULE QUIET)

# NCCL is loaded at run time: the build needs its header only. The emulator has one of its own.
if(D2L_CUDA STREQUAL "EMULATED")
  set(D2L_NCCL_INCLUDE "${PROJECT_SOURCE_DIR}/common/emulator/include")
endif()

find_package(CLI11 QUIET)
d2l_need("${CLI11_FOUND}" libcli11-dev)
find_package(pugixml QUIET)
d2l_need("${pugixml_FOUND}" libpugixml-dev)
find_package(OpenSSL QUIET COMPONENTS Crypto)
d2l_need("${OPENSSL_FOUND}" libssl-dev)
if(EXISTS "${PROJECT_SOURCE_DIR}/common/course/runner/grading") # not in the students' tree
  find_library(D2L_SECCOMP seccomp)
  d2l_need("${D2L_SECCOMP}" libseccomp-dev)
endif()

find_path(D2L_RANDOM123_INCLUDE Random123/philox.h)
d2l_need("${D2L_RANDOM123_INCLUDE}" librandom123-dev)

if(D2L_CUDA AND NOT D2L_CUDA STREQUAL "EMULATED")
  include(D2LCuda)
  find_path(D2L_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
endif()

include(D2LThrust)
d2l_find_thrust()
d2l_need("${D2L_THRUST_INCLUDE}" libthrust-dev)
d2l_check_thrust()

if(D2L_TESTS)
  find_package(GTest QUIET)
  d2l_need("${GTest_FOUND}" libgtest-dev)
  # The tests of common/tensors/tests/golden embed Python; without it they say that they are skipped.
  find_package(Python3 3.10 QUIET COMPONENTS Interpreter Development.Embed)
  if(Python3_FOUND)
    find_package(pybind11 QUIET)
  endif()
endif()
if(D2L_BENCHMARKS)
  find_package(benchmark QUIET)
  d2l_need("${benchmark_FOUND}" libbenchmark-dev)
endif()

# For tests in Python: the virtual environment that ./learn setup --all makes, else the system's, whose packages may be
# missing, else a script that reports that Python is missing.
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
