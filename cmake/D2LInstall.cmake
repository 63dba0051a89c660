# SPDX-License-Identifier: MIT
# cmake --install: the headers, their libraries, and a package for find_package(d2l).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/d2l")

# d2l/check.h needs d2l_check, which lessons do without: it is built here if it is not there yet.
install(CODE "if(NOT EXISTS \"$<TARGET_FILE:d2l_check>\")
  execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target d2l_check COMMAND_ERROR_IS_FATAL ANY)
endif()")
install(TARGETS d2l_common d2l_check EXPORT d2lTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY common/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT d2lTargets NAMESPACE d2l:: DESTINATION "${package}")
configure_package_config_file(cmake/d2lConfig.cmake.in "${PROJECT_BINARY_DIR}/d2lConfig.cmake"
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/d2lConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/d2lConfig.cmake" "${PROJECT_BINARY_DIR}/d2lConfigVersion.cmake"
  cmake/FindOpenBLAS.cmake DESTINATION "${package}")
install(FILES LICENSE NOTICE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/d2l")
