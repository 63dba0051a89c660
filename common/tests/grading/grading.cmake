# SPDX-License-Identifier: MIT
# Grading is held to what hostile submissions deserve, each beside right ones, within bubblewrap and without it. A run
# grades all of submissions/, whose first lines say what must come of each; a test looks up each verdict in its report.
if(D2L_SANITIZER)
  return() # a program with a sanitizer reserves more memory than the sandbox gives
endif()

set(grading_folder "${CMAKE_CURRENT_LIST_DIR}")
file(GLOB submissions CONFIGURE_DEPENDS "${grading_folder}/submissions/*.cpp.in")

function(d2l_grading_test name script)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -DGRADE=$<TARGET_FILE:learn_grade> -DBUILD=${PROJECT_BINARY_DIR}
    -DCOURSE=${PROJECT_SOURCE_DIR} ${ARGN} -P "${grading_folder}/${script}")
  set_tests_properties(${name} PROPERTIES LABELS unit SKIP_REGULAR_EXPRESSION "Skipped: ")
endfunction()

foreach(walls landlock bubblewrap)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/grading/${walls}")
  set(where -DWALLS=${walls} -DFOLDER=${folder})
  d2l_grading_test(grading.${walls}.run run.cmake ${where})
  set_tests_properties(grading.${walls}.run PROPERTIES FIXTURES_SETUP grading_${walls} TIMEOUT 600 PROCESSORS 2)
  foreach(submission IN LISTS submissions)
    get_filename_component(name "${submission}" NAME_WE)
    d2l_grading_test(grading.${walls}.${name} verdict.cmake ${where} -DSTUDENT=${name} -DSOURCE=${submission})
    set_tests_properties(grading.${walls}.${name} PROPERTIES FIXTURES_REQUIRED grading_${walls})
  endforeach()
  foreach(case archive broken_archive leading_out_archive large_archive link_to_solution not_an_archive nothing others)
    d2l_grading_test(grading.${walls}.${case} cases.cmake ${where} -DCASE=${case})
    set_tests_properties(grading.${walls}.${case} PROPERTIES FIXTURES_REQUIRED grading_${walls})
  endforeach()
  d2l_grading_test(grading.${walls}.reports reports.cmake ${where})
  set_tests_properties(grading.${walls}.reports PROPERTIES FIXTURES_REQUIRED grading_${walls})
endforeach()

add_test(NAME grading.resumes COMMAND sh "${grading_folder}/resume.sh" $<TARGET_FILE:learn_grade> ${PROJECT_SOURCE_DIR}
  ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/grading/resume)
set_tests_properties(grading.resumes PROPERTIES LABELS unit TIMEOUT 300 SKIP_REGULAR_EXPRESSION "Skipped: ")

d2l_grading_test(grading.own_checks own_checks.cmake -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/grading/own_checks)
set_tests_properties(grading.own_checks PROPERTIES TIMEOUT 300)

add_executable(sandbox_test grading/sandbox_test.cpp)
target_link_libraries(sandbox_test PRIVATE learn_grading learn_parts GTest::gtest)
add_dependencies(unit_tests grading_kit sandbox_test)
gtest_discover_tests(sandbox_test TEST_PREFIX "grading." DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)
