# SPDX-License-Identifier: MIT
# What holds the house together: headers that stand alone, the seam, the installed package.

# Each public header compiles by itself, first and twice.
file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/common/include"
  "${PROJECT_SOURCE_DIR}/common/include/d2l/*.h" "${PROJECT_SOURCE_DIR}/common/include/d2l/*/*.h")
set(alone)
foreach(header IN LISTS headers)
  string(MAKE_C_IDENTIFIER "${header}" name)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include <${header}>\n#include <${header}>\n")
  list(APPEND alone "${source}")
endforeach()
add_library(d2l_headers_alone OBJECT ${alone})
target_link_libraries(d2l_headers_alone PRIVATE d2l::common d2l_warnings)
target_compile_options(d2l_headers_alone PRIVATE -O0)

# The seam holds here; and the test of it finds each breach that is planted.
add_test(NAME house.seam COMMAND ${CMAKE_COMMAND}
  -DROOT=${PROJECT_SOURCE_DIR} -P "${CMAKE_CURRENT_SOURCE_DIR}/seam.cmake")
set_tests_properties(house.seam PROPERTIES LABELS unit)
foreach(breach "#include <cuda_runtime.h>" "#ifdef D2L_CUDA" "__global__ void kernel()" "#include <thrust/sort.h>")
  string(MAKE_C_IDENTIFIER "${breach}" name)
  set(planted "${CMAKE_CURRENT_BINARY_DIR}/breaches/${name}")
  file(CONFIGURE OUTPUT "${planted}/chapters/1_planted/1_breach.cpp" CONTENT "${breach}\n")
  add_test(NAME house.seam_breach.${name} COMMAND ${CMAKE_COMMAND}
    -DROOT=${planted} -P "${CMAKE_CURRENT_SOURCE_DIR}/seam.cmake")
  set_tests_properties(house.seam_breach.${name} PROPERTIES LABELS unit WILL_FAIL TRUE)
endforeach()

add_test(NAME house.install COMMAND ${CMAKE_COMMAND}
  -DBUILD=${PROJECT_BINARY_DIR} -DCONSUMER=${CMAKE_CURRENT_SOURCE_DIR}/install -DGENERATOR=${CMAKE_GENERATOR}
  -DCOMPILER=${CMAKE_CXX_COMPILER} "-DSANITIZER=${D2L_SANITIZER}" -P "${CMAKE_CURRENT_SOURCE_DIR}/install/test.cmake")
set_tests_properties(house.install PROPERTIES LABELS unit TIMEOUT 300)
