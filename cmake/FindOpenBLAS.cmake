# SPDX-License-Identifier: MIT
# OpenBLAS with its C interface, the OpenMP build before others: target OpenBLAS::OpenBLAS, OpenBLAS_VERSION.
find_path(OpenBLAS_INCLUDE_DIR openblas_config.h
  PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp openblas-openmp openblas ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread)
find_library(OpenBLAS_LIBRARY NAMES openblaso openblas
  PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp openblas-openmp)

if(OpenBLAS_INCLUDE_DIR)
  file(STRINGS "${OpenBLAS_INCLUDE_DIR}/openblas_config.h" OpenBLAS_VERSION REGEX "OPENBLAS_VERSION")
  string(REGEX REPLACE ".*OpenBLAS ([0-9.]+).*" "\\1" OpenBLAS_VERSION "${OpenBLAS_VERSION}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR VERSION_VAR OpenBLAS_VERSION)
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION "${OpenBLAS_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR}")
endif()
