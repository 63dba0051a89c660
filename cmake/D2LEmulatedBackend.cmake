# SPDX-License-Identifier: MIT
# The CUDA backend for tests without a card: backend/cuda of machine and kernels/cuda of tensors, compiled by the host
# compiler against the emulator's headers.
add_library(d2l_emulated_backend OBJECT)
set_target_properties(d2l_emulated_backend PROPERTIES D2L_RESERVED_NAMES ON)
set(emulator "${PROJECT_SOURCE_DIR}/common/emulator")
target_compile_features(d2l_emulated_backend PRIVATE cxx_std_20)
target_include_directories(d2l_emulated_backend PRIVATE
  "${emulator}/include" "${PROJECT_BINARY_DIR}/common/emulator/include" "${D2L_NCCL_INCLUDE}" "${PROJECT_BINARY_DIR}/kernels")
d2l_use_rooms(d2l_emulated_backend machine tensors)
target_include_directories(d2l_emulated_backend SYSTEM PRIVATE ${D2L_THRUST_INCLUDE} ${D2L_RANDOM123_INCLUDE})
# nvcc includes the runtime's header, and tells the architectures, by itself.
target_compile_definitions(d2l_emulated_backend PRIVATE
  THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP __CUDA_ARCH_LIST__=900)
target_compile_options(d2l_emulated_backend PRIVATE -include cuda_runtime.h)
target_link_libraries(d2l_emulated_backend PRIVATE Threads::Threads OpenMP::OpenMP_CXX fmt::fmt d2l_warnings)
target_sources(d2l_common PRIVATE $<TARGET_OBJECTS:d2l_emulated_backend> $<TARGET_OBJECTS:d2l_cuda_emulator_objects>)
