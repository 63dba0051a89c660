# SPDX-License-Identifier: MIT
# d2l_cells: holds what the lessons showed against their references.
find_package(CLI11 REQUIRED)
add_executable(d2l_cells
  ${CMAKE_CURRENT_LIST_DIR}/cells_main.cpp ${CMAKE_CURRENT_LIST_DIR}/cells_check.cpp
  ${CMAKE_CURRENT_LIST_DIR}/cells_text.cpp)
target_include_directories(d2l_cells PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_SOURCE_DIR}/common/include)
target_link_libraries(d2l_cells PRIVATE d2l_warnings fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)

find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(cells_test
  ${CMAKE_CURRENT_LIST_DIR}/cells_test.cpp ${CMAKE_CURRENT_LIST_DIR}/cells_check.cpp
  ${CMAKE_CURRENT_LIST_DIR}/cells_text.cpp)
target_include_directories(cells_test PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_SOURCE_DIR}/common/include)
target_link_libraries(cells_test PRIVATE
  d2l_warnings fmt::fmt nlohmann_json::nlohmann_json GTest::gtest_main)
gtest_discover_tests(cells_test TEST_PREFIX "unit." DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)
