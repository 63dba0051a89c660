# SPDX-License-Identifier: MIT
# Gloo, the engine of PyTorch's process groups on CPUs: target Gloo::Gloo. Its own package file names the folder in which
# Debian built it, so it is not read.
find_path(Gloo_INCLUDE_DIR gloo/transport/unbound_buffer.h)
find_library(Gloo_LIBRARY gloo)
if(Gloo_INCLUDE_DIR)
  file(STRINGS "${Gloo_INCLUDE_DIR}/gloo/config.h" lines REGEX "define GLOO_VERSION_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE "[^;0-9]*([0-9]+)" "\\1" lines "${lines}")
  string(REPLACE ";" "." Gloo_VERSION "${lines}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Gloo REQUIRED_VARS Gloo_LIBRARY Gloo_INCLUDE_DIR VERSION_VAR Gloo_VERSION)
mark_as_advanced(Gloo_INCLUDE_DIR Gloo_LIBRARY)

if(Gloo_FOUND AND NOT TARGET Gloo::Gloo)
  add_library(Gloo::Gloo UNKNOWN IMPORTED)
  set_target_properties(Gloo::Gloo PROPERTIES
    IMPORTED_LOCATION "${Gloo_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Gloo_INCLUDE_DIR}")
endif()
