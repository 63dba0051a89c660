# SPDX-License-Identifier: MIT
# Tests of the runner: its functions, its exit codes and messages, and programs with bad input.

# runner_tests(PROGRAM SOURCE…): a program of such tests.
function(runner_tests program)
  add_executable(${program} ${ARGN})
  target_include_directories(${program} PRIVATE . ../../tests ../../machine/include)
  target_link_libraries(${program} PRIVATE learn_parts GTest::gtest_main)
  d2l_precompiled_as(${program} learn_parts)
  add_dependencies(unit_tests ${program})
endfunction()

file(GLOB tests CONFIGURE_DEPENDS runner/*_test.cpp)
list(FILTER tests EXCLUDE REGEX "/(check|watch|capture|copy)_test\\.cpp$")
runner_tests(runner_test ${tests})
d2l_join_sources(runner_test)
target_compile_definitions(runner_test PRIVATE COMPILER="${CMAKE_CXX_COMPILER}"
  COURSE="${PROJECT_SOURCE_DIR}")
add_dependencies(unit_tests learn_devices)
gtest_discover_tests(runner_test TEST_PREFIX "runner." DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)

# The GPUs that ./learn counts: the driver's library is replaced.
set(driver "${CMAKE_CURRENT_BINARY_DIR}/fake_driver")
add_library(fake_driver SHARED runner/driver/fake_driver.cpp)
set_target_properties(fake_driver PROPERTIES OUTPUT_NAME cuda SOVERSION 1 LIBRARY_OUTPUT_DIRECTORY "${driver}")
target_link_libraries(fake_driver PRIVATE d2l_warnings)
runner_tests(runner_gpus_test runner/driver/gpus_test.cpp)
add_dependencies(runner_gpus_test fake_driver)
gtest_discover_tests(runner_gpus_test TEST_PREFIX "runner." DISCOVERY_TIMEOUT 60
  PROPERTIES LABELS unit ENVIRONMENT "LD_LIBRARY_PATH=${driver}")

runner_tests(capture_test runner/capture_test.cpp)
target_link_libraries(capture_test PRIVATE d2l_capture_parts)
gtest_discover_tests(capture_test TEST_PREFIX "unit." DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)

# ./learn in a small course, which each program configures once.
foreach(name check watch)
  runner_tests(runner_${name}_test runner/${name}_test.cpp)
  target_compile_definitions(runner_${name}_test PRIVATE LEARN_RUNNER="$<TARGET_FILE:learn_runner>")
  add_dependencies(runner_${name}_test learn_runner)
  add_test(NAME learn.${name} COMMAND runner_${name}_test)
  set_tests_properties(learn.${name} PROPERTIES LABELS unit ENVIRONMENT "CXX=${CMAKE_CXX_COMPILER}" TIMEOUT 600)
endforeach()
target_link_libraries(runner_watch_test PRIVATE util)
set_tests_properties(learn.watch PROPERTIES LABELS "unit;thorough")

# expect_exit(NAME EXIT SAYS ENVIRONMENT PROGRAM [ARGUMENT…]): a test that runs a program and checks its exit code and output.
function(expect_exit name exit says environment program)
  string(REPLACE ";" "|" arguments "${ARGN}")
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} "-DPROGRAM=${program}" "-DARGUMENTS=${arguments}" -DEXIT=${exit}
    "-DSAYS=${says}" -P "${PROJECT_SOURCE_DIR}/common/tests/expect_exit.cmake")
  set_tests_properties(${name} PROPERTIES LABELS unit ENVIRONMENT "${environment}")
endfunction()

set(runner $<TARGET_FILE:learn_runner>)
set(here "LEARN_ROOT=${PROJECT_SOURCE_DIR}")
expect_exit(learn.no_such_section 2 "no section or chapter .nosuch.*1_gpus" "${here}" ${runner} run nosuch)
expect_exit(learn.near_section 2 "Did you mean" "${here}" ${runner} run 1_gpu)
expect_exit(learn.near_command 2 "no command .chekc.. Did you mean .check.. There are:" "${here}" ${runner} chekc)
expect_exit(learn.launch_help 0 "rank 0. Usage: /bin/ls" "${here}" ${runner} launch -n 1 -- /bin/ls --help)
expect_exit(learn.launch_help_without_mark 0 "rank 0. Usage: /bin/ls" "${here}" ${runner} launch -n 1 /bin/ls --help)
expect_exit(learn.path_elsewhere 2 "no section or chapter" "${here}" ${runner} run /etc/passwd)
expect_exit(learn.two_sections 2 "not expected: 1.1" "${here}" ${runner} run 1.0 1.1)
expect_exit(learn.no_such_command 2 "nosuch.*run.*list.*devices.*test.*docs.*setup.*clean" "${here}" ${runner} nosuch)
expect_exit(learn.no_such_flag 2 "not expected: --nosuch" "${here}" ${runner} run --nosuch)
expect_exit(learn.no_command 2 "run.*list.*devices.*test.*setup.*clean" "${here}" ${runner})
expect_exit(learn.docs_takes_nothing 2 "not expected: 1.2" "${here}" ${runner} docs 1.2)
expect_exit(learn.launch 0 "\\[rank [01]\\] 2" "${here}" ${runner} launch -n 2 printenv WORLD_SIZE)
expect_exit(learn.launch_that_fails 3 "rank 1 ended with exit code 3" "${here}" ${runner} launch -n 2 sh -c "exit \$((3 * RANK))")
expect_exit(learn.launch_without_a_number 2 "--nproc is required" "${here}" ${runner} launch true)
expect_exit(learn.launch_without_a_program 2 "Name the program" "${here}" ${runner} launch -n 2)
expect_exit(learn.launch_of_too_many 2 "65 not in range .?1 (to|-) 64" "${here}" ${runner} launch -n 65 true)
expect_exit(learn.launch_on_uneven_servers 2 "divide evenly" "${here}" ${runner} launch -n 3 --servers 2 true)
expect_exit(learn.launch_with_no_rate 2 "is not a rate" "${here}" ${runner} launch -n 2 --servers 2 --slow-link fast true)
expect_exit(learn.list 0 "1\\.2\\.2.*2_2_copying.*5\\.6\\.2\\.2" "${here}" ${runner} list)
expect_exit(learn.list_on_a_full_disk 1 "output cannot be written" "${here}" sh -c "exec '${runner}' list >/dev/full")
expect_exit(learn.cuda_without_toolkit 2 "no CUDA toolkit" "${here};PATH=/nowhere;CUDACXX=;CUDA_HOME=/nowhere"
  ${runner} run 1.1 --cuda)

# A course whose build has 168 steps, and fails.
set(first_grading "${CMAKE_CURRENT_BINARY_DIR}/first_grading")
file(MAKE_DIRECTORY "${first_grading}/chapters" "${first_grading}/common/course/runner/grading")
file(WRITE "${first_grading}/build/cpu/build.ninja" "")
file(WRITE "${first_grading}/bin/cmake" "#!/bin/sh\necho '[1/168] one.o'\nexit 1\n")
file(CHMOD "${first_grading}/bin/cmake" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
expect_exit(learn.first_grading 1 "first compiles 168 files, about [1-5] minutes? on this machine"
  "LEARN_ROOT=${first_grading};PATH=${first_grading}/bin:$ENV{PATH}" ${runner} grade submissions)

# A machine with a driver and its tools does not make a build without CUDA run the cases for GPUs.
if(NOT D2L_CUDA)
  set(tools "${CMAKE_CURRENT_BINARY_DIR}/nvidia_tools")
  file(WRITE "${tools}/nvidia-smi" "#!/bin/sh\necho 'GPU 0: one'\n")
  file(CHMOD "${tools}/nvidia-smi" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  expect_exit(prove_check.driver_without_cuda 77 "needs a physical GPU"
    "PATH=${tools}:$ENV{PATH};LD_LIBRARY_PATH=${driver};FAKE_GPUS=1;FAKE_CUDA=12040;D2L_VIRTUAL_GPUS=2@host"
    $<TARGET_FILE:prove_check> ${tools}/nvidia-smi stub gpu "${tools}/report.json")
endif()

# Mistakes that do not fit their solution, or are malformed.
set(mistakes "${CMAKE_CURRENT_BINARY_DIR}/mistakes")
file(WRITE "${mistakes}/solution.cpp" "// The idea.\n#include <cmath>\n\nint one() { return 1; }\nint two() {\n  return 2;\n}\nint six() {\n  return 2;\n}\n")
# d2l_bad_mistake(NAME SAYS TEXT): a test of mistakes.md with one edit.
function(d2l_bad_mistake name says text)
  file(WRITE "${mistakes}/${name}.md" "# Mistakes\n\n${text}")
  expect_exit(write_mistakes.${name} 1 "${says}" "" $<TARGET_FILE:write_mistakes> "${mistakes}/solution.cpp"
    "${mistakes}/${name}.md" "${mistakes}/${name}")
endfunction()
d2l_bad_mistake(changed "changed.md:8: this edit of late does not fit the solution.*are not in it" "## late\n\nLate.\n\n```diff\n-int one() { return 0; }\n+int one() { return 2; }\n```\n")
d2l_bad_mistake(twice "twice.md:8: this edit of late does not fit the solution.*in it more than once" "## late\n\nLate.\n\n```diff\n-  return 2;\n+  return 3;\n```\n")
d2l_bad_mistake(form "form.md:9: a line of a diff begins with" "## late\n\nLate.\n\n```diff\n int one() { return 1; }\nx\n```\n")
d2l_bad_mistake(empty "late has no code" "## late\n\nLate.\n")
d2l_bad_mistake(open "the last block has no end" "## late\n\n```diff\n-x\n")
d2l_bad_mistake(name "name.md:3: a name has lower-case letters" "## Late\n\n```diff\n-int one() { return 1; }\n```\n")
d2l_bad_mistake(language "language.md:5: a block is diff, cpp or cuda" "## late\n\n```text\nx\n```\n")
d2l_bad_mistake(nameless "nameless.md:3: code before the first name" "```diff\n```\n")

# docs/hardware/measure, with every program that it calls replaced.
if(EXISTS "${PROJECT_SOURCE_DIR}/docs/hardware/measure_test")
  add_test(NAME hardware.measure COMMAND "${PROJECT_SOURCE_DIR}/docs/hardware/measure_test")
  set_tests_properties(hardware.measure PROPERTIES LABELS unit)
endif()

# Copies of this tree. What ./learn new makes is built with this build's library, which with CUDA needs more to link.
runner_tests(runner_copy_test runner/copy_test.cpp)
target_compile_definitions(runner_copy_test PRIVATE LEARN_RUNNER="$<TARGET_FILE:learn_runner>"
  GENERATOR="${CMAKE_GENERATOR}" COMPILER="${CMAKE_CXX_COMPILER}" SANITIZER="${D2L_SANITIZER}"
  COMMON="$<TARGET_FILE:d2l_common>" CHECK="$<TARGET_FILE:d2l_check>"
  CAPTURE="$<TARGET_FILE:d2l_capture>" PROVE="$<TARGET_FILE:prove_check>"
  MISTAKES="$<TARGET_FILE:write_mistakes>" MADE_HEADERS="${PROJECT_BINARY_DIR}/common/emulator/include"
  NVCC="$<$<BOOL:${D2L_CARD_PROGRAMS}>:${CMAKE_CUDA_COMPILER}>"
  EMULATOR="$<TARGET_FILE:d2l_cuda_emulator>" TRANSLATOR="$<TARGET_FILE:d2l_cuda_translator>"
  GRADE="$<$<TARGET_EXISTS:learn_grade>:$<TARGET_FILE:learn_grade>>")
if(TARGET learn_grade)
  add_dependencies(runner_copy_test learn_grade)
endif()
add_dependencies(runner_copy_test learn_runner d2l_common d2l_check d2l_capture prove_check write_mistakes d2l_cuda_emulator
  d2l_cuda_translator)
add_test(NAME learn.release COMMAND runner_copy_test --gtest_filter=*ForStudents*)
set_tests_properties(learn.release PROPERTIES LABELS "unit;thorough" TIMEOUT 300)
if(NOT D2L_CUDA)
  add_test(NAME learn.new COMMAND runner_copy_test --gtest_filter=*New*)
  add_test(NAME learn.kernels COMMAND runner_copy_test --gtest_filter=*WithKernels*)
  add_test(NAME learn.grade_kernels COMMAND runner_copy_test --gtest_filter=*OfKernels*)
  set_tests_properties(learn.new learn.kernels learn.grade_kernels PROPERTIES LABELS "course;thorough" TIMEOUT 600)
elseif(D2L_CARD_PROGRAMS)
  add_test(NAME learn.kernels_for_cards COMMAND runner_copy_test --gtest_filter=*ForCards*)
  set_tests_properties(learn.kernels_for_cards PROPERTIES LABELS course TIMEOUT 600)
endif()

# Every program refuses a malformed D2L_VIRTUAL_GPUS.
set(programs $<TARGET_FILE:learn_devices>)
if(EXISTS "${PROJECT_SOURCE_DIR}/chapters/1_gpus/1_computing_devices.cpp")
  list(APPEND programs $<TARGET_FILE:lesson_1_gpus_1_computing_devices>)
  add_dependencies(unit_tests lesson_1_gpus_1_computing_devices)
  expect_exit(learn.lesson_on_a_full_disk 2 "output cannot be written" "D2L_VIRTUAL_GPUS=0" sh -c
    "exec '$<TARGET_FILE:lesson_1_gpus_1_computing_devices>' >/dev/full")
endif()
set(number 0)
foreach(program IN LISTS programs)
  math(EXPR number "${number} + 1")
  foreach(value "-1" "two" "2:12XB" "1000000" "2,delay=x" "65" "2:" "2@card" "2:-1GiB" "2,delay=" "2 " "0x2"
                "2:99999999999999999999GiB" "2@host@host" "2,delay=99999999999999999999999")
    expect_exit("bad_virtual_gpus.${number}.${value}" 2 "D2L_VIRTUAL_GPUS" "D2L_VIRTUAL_GPUS=${value}" ${program})
  endforeach()
endforeach()
