# SPDX-License-Identifier: MIT
# An editor understands .cu files without the toolkit.
find_program(D2L_CLANG clang++)
mark_as_advanced(D2L_CLANG)
if(D2L_CLANG AND NOT D2L_SANITIZER)
  add_test(NAME unit.emulator.clangd_commands COMMAND "${D2L_TEST_PYTHON}" ${CMAKE_CURRENT_SOURCE_DIR}/editor/clangd_commands.py
    ${D2L_CLANG} "${PROJECT_BINARY_DIR}" 1_first_kernel.cu 3_behind_a_plus_b.cu section_8_block_sum/stub.cu)
  set_tests_properties(unit.emulator.clangd_commands PROPERTIES LABELS "unit;thorough" TIMEOUT 120)
endif()

find_program(D2L_CLANGD clangd)
mark_as_advanced(D2L_CLANGD)
if(D2L_CLANGD AND PROJECT_BINARY_DIR STREQUAL "${PROJECT_SOURCE_DIR}/build/cpu")  # which .clangd names
  add_test(NAME unit.emulator.editor COMMAND "${D2L_TEST_PYTHON}" ${CMAKE_CURRENT_SOURCE_DIR}/editor/editor.py ${D2L_CLANGD}
    "${PROJECT_SOURCE_DIR}" chapters/1_gpus/1_computing_devices.cpp chapters/2_under_the_hood/3_behind_a_plus_b.cu
    exercises/1_gpus/3_frobenius_log/stub.cpp exercises/2_under_the_hood/section_8_block_sum/stub.cu
    exercises/2_under_the_hood/section_10_copy_compute_pipeline/smallest_divisor.cuh)
  set_tests_properties(unit.emulator.editor PROPERTIES LABELS "unit;thorough" TIMEOUT 120)
endif()
