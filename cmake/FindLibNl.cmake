# SPDX-License-Identifier: MIT
# libnl with its part for routes: target LibNl::LibNl, LibNl_VERSION.
find_path(LibNl_INCLUDE_DIR netlink/route/link/veth.h PATH_SUFFIXES libnl3)
find_library(LibNl_LIBRARY nl-3)
find_library(LibNl_ROUTE_LIBRARY nl-route-3)
if(LibNl_INCLUDE_DIR)
  file(STRINGS "${LibNl_INCLUDE_DIR}/netlink/version.h" LibNl_VERSION REGEX "define LIBNL_VERSION ")
  string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" LibNl_VERSION "${LibNl_VERSION}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibNl REQUIRED_VARS LibNl_ROUTE_LIBRARY LibNl_LIBRARY LibNl_INCLUDE_DIR
  VERSION_VAR LibNl_VERSION)
mark_as_advanced(LibNl_INCLUDE_DIR LibNl_LIBRARY LibNl_ROUTE_LIBRARY)

if(LibNl_FOUND AND NOT TARGET LibNl::LibNl)
  add_library(LibNl::LibNl UNKNOWN IMPORTED)
  set_target_properties(LibNl::LibNl PROPERTIES IMPORTED_LOCATION "${LibNl_ROUTE_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LibNl_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES "${LibNl_LIBRARY}")
endif()
