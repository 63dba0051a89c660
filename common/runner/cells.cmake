# SPDX-License-Identifier: MIT
# d2l_cells: runs lessons, and holds what they showed against their references.
find_package(CLI11 REQUIRED)
set(cells_sources)
foreach(part check text provenance)
  list(APPEND cells_sources ${CMAKE_CURRENT_LIST_DIR}/cells_${part}.cpp)
endforeach()
list(APPEND cells_sources ${CMAKE_CURRENT_LIST_DIR}/sha256.cpp ${PROJECT_SOURCE_DIR}/common/src/output/lesson_source.cpp)
add_library(d2l_cells_parts OBJECT ${cells_sources})
target_include_directories(d2l_cells_parts PUBLIC
  ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_SOURCE_DIR}/common/include ${PROJECT_SOURCE_DIR}/common/src)
target_link_libraries(d2l_cells_parts PUBLIC d2l_warnings fmt::fmt nlohmann_json::nlohmann_json)

add_executable(d2l_cells ${CMAKE_CURRENT_LIST_DIR}/cells_main.cpp)
target_link_libraries(d2l_cells PRIVATE d2l_cells_parts CLI11::CLI11)

find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(cells_test ${CMAKE_CURRENT_LIST_DIR}/cells_test.cpp)
target_link_libraries(cells_test PRIVATE d2l_cells_parts GTest::gtest_main)
add_dependencies(unit_tests cells_test)
gtest_discover_tests(cells_test TEST_PREFIX "unit." DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)
