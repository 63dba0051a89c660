# SPDX-License-Identifier: MIT
# cmake --install: the headers, their libraries, and a package for find_package(d2l).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/d2l")

# Lessons do without some of the targets: they are built here if they are not there yet.
set(installed d2l_common d2l_check)
if(NOT D2L_CUDA)  # the emulator and a library for cards would define the same functions
  list(APPEND installed d2l_cuda_emulator d2l_cuda_translator d2l_cuda)
  install(TARGETS d2l_cuda_emulator d2l_cuda_translator EXPORT d2lTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS d2l_cuda RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY common/emulator/include/ "${PROJECT_BINARY_DIR}/common/emulator/include/"
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/d2l_cuda_emulator)
  set(descriptions "${PROJECT_BINARY_DIR}/common/emulator")
  install(FILES "${descriptions}/installed/compile.txt" "${descriptions}/installed/link.txt" "${descriptions}/instrument.txt"
    "${descriptions}/cuda.gdb" DESTINATION ${CMAKE_INSTALL_DATADIR}/d2l/cuda_emulator)
endif()
foreach(target IN LISTS installed)
  install(CODE "if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target ${target} COMMAND_ERROR_IS_FATAL ANY)
  endif()")
endforeach()
install(TARGETS d2l_common d2l_check EXPORT d2lTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
d2l_room_includes(includes ${D2L_ALL_ROOMS})
list(FILTER includes EXCLUDE REGEX "/emulator/")
list(TRANSFORM includes APPEND /)
install(DIRECTORY ${includes} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The target d2l_headers_alone compiles each of these headers alone, first and twice, unless it is the first that a source of the
# library includes.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS common/*/include/d2l/*.h)
list(TRANSFORM headers REPLACE "^.*/include/" "")
list(REMOVE_ITEM headers d2l/thrust.h)  # for .cu files
file(GLOB_RECURSE sources common/*/src/*.cpp)
foreach(source IN LISTS sources)
  file(STRINGS "${source}" first REGEX "^#include" LIMIT_COUNT 1)
  string(REGEX REPLACE "^#include [<\"](.*)[>\"]$" "\\1" first "${first}")
  list(REMOVE_ITEM headers "${first}")
endforeach()
foreach(header IN LISTS headers)
  set(source "${PROJECT_BINARY_DIR}/headers_alone/${header}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include <${header}>\n#include <${header}>\n")
  list(APPEND headers_alone "${source}")
endforeach()
add_library(d2l_headers_alone OBJECT EXCLUDE_FROM_ALL ${headers_alone})
target_compile_options(d2l_headers_alone PRIVATE -O0)
target_link_libraries(d2l_headers_alone PRIVATE d2l::common d2l_warnings)

install(EXPORT d2lTargets NAMESPACE d2l:: DESTINATION "${package}")
configure_package_config_file(cmake/d2lConfig.cmake.in "${PROJECT_BINARY_DIR}/d2lConfig.cmake"
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/d2lConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/d2lConfig.cmake" "${PROJECT_BINARY_DIR}/d2lConfigVersion.cmake"
  cmake/FindOpenBLAS.cmake cmake/FindGloo.cmake cmake/FindLibNl.cmake cmake/D2LCudaPrograms.cmake cmake/D2LThrust.cmake
  cmake/thrust_folder DESTINATION "${package}")
install(FILES LICENSE NOTICE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/d2l")
