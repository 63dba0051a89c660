# SPDX-License-Identifier: MIT
# CUDA programs with tensors: they verify their own results in the emulator.
d2l_add_emulator_program("${CMAKE_CURRENT_SOURCE_DIR}/cuda_programs/tensors.cu")
d2l_add_emulator_program("${CMAKE_CURRENT_SOURCE_DIR}/cuda_programs/tensor_streams.cu")
d2l_add_emulator_program("${CMAKE_CURRENT_SOURCE_DIR}/cuda_programs/thrust_policy.cu")
if(NOT D2L_SANITIZER)  # it needs an instrumentation of its own
  d2l_add_emulator_program("${CMAKE_CURRENT_SOURCE_DIR}/cuda_programs/kernel_checks.cu")
  # As lessons and exercises are compiled.
  set_source_files_properties("${CMAKE_CURRENT_BINARY_DIR}/kernel_checks.cpp" PROPERTIES
    COMPILE_OPTIONS "${D2L_TRANSLATED_OPTIONS}")
endif()
