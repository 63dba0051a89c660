# SPDX-License-Identifier: MIT
# Each public name is documented, and says how it fails; and the test of it finds what is planted.
set(coverage "${D2L_TEST_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/coverage.py" "${CMAKE_CURRENT_BINARY_DIR}/Doxyfile")
add_test(NAME docs.coverage COMMAND ${coverage} "${PROJECT_SOURCE_DIR}/common/include" "${PROJECT_SOURCE_DIR}/common/src")
set_tests_properties(docs.coverage PROPERTIES LABELS docs SKIP_RETURN_CODE 77)

set(planted "${CMAKE_CURRENT_BINARY_DIR}/planted")
file(CONFIGURE OUTPUT "${planted}/include/d2l/planted.h" CONTENT [[
/// @file
/// A header that has a name without a word.
/// Here for the test.
namespace d2l {
/// Halves a number.
int halved(int x);
int silent(int x);
class Wordless {};
}
]])
file(CONFIGURE OUTPUT "${planted}/src/halved.cpp" CONTENT [[
int halved(int x) { fail<ValueError>("halved", "the number is odd"); }
]])
foreach(what "silent[^\n]* is not documented" "class d2l::Wordless is not documented" "halved can end with a ValueError")
  string(REGEX MATCH "silent|Wordless|halved" name "${what}")
  add_test(NAME docs.coverage_planted.${name} COMMAND ${coverage} "${planted}/include" "${planted}/src")
  set_tests_properties(docs.coverage_planted.${name} PROPERTIES LABELS docs SKIP_RETURN_CODE 77
    PASS_REGULAR_EXPRESSION "${what}")
endforeach()
