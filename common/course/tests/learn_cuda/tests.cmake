# SPDX-License-Identifier: MIT
# Tests of ./learn cuda. It builds in build/cpu, so they run in that build alone.
if(NOT PROJECT_BINARY_DIR STREQUAL "${PROJECT_SOURCE_DIR}/build/cpu" OR D2L_SANITIZER)
  return()
endif()
add_dependencies(unit_tests d2l_cuda_emulator learn_runner)

# learn_cuda(NAME EXIT SAYS WORD…): ./learn cuda WORD… ends with this exit code and says what matches.
function(learn_cuda name exit says)
  string(REPLACE ";" "|" words "cuda;${ARGN}")
  add_test(NAME learn.cuda.${name} COMMAND ${CMAKE_COMMAND} "-DPROGRAM=$<TARGET_FILE:learn_runner>" "-DARGUMENTS=${words}"
    -DEXIT=${exit} "-DSAYS=${says}" -P "${PROJECT_SOURCE_DIR}/common/tests/expect_exit.cmake")
  set_tests_properties(learn.cuda.${name} PROPERTIES LABELS unit TIMEOUT 300 RESOURCE_LOCK learn_cuda
    ENVIRONMENT "LEARN_ROOT=${PROJECT_SOURCE_DIR};D2L_VIRTUAL_GPUS=1@host")
endfunction()

set(here "${CMAKE_CURRENT_SOURCE_DIR}/learn_cuda")
set(with_tensors "${CMAKE_CURRENT_SOURCE_DIR}/cuda_programs")
set(programs "${PROJECT_SOURCE_DIR}/common/emulator/tests/programs")
set(several "${programs}/several")
learn_cuda(program 0 "no error" "${here}/missing_guard.cu")
learn_cuda(several_files 0 "PASSED" "${several}/main.cu" "${several}/scale.cu" -I "${several}/include")
learn_cuda(separate_files 0 "PASSED" "${programs}/separate/main.cu" "${programs}/separate/shapes.cu" -rdc=true)
learn_cuda(separate_files_checked 0 "PASSED" "${programs}/separate/main.cu" "${programs}/separate/shapes.cu" -rdc=true --check)
learn_cuda(cpp_files 0 "PASSED" "${programs}/host_files/main.cpp" "${programs}/host_files/negate.cpp"
  "${programs}/host_files/total.cpp")
learn_cuda(device_code_in_cpp_files 0 "PASSED" "${programs}/host_files/halves.cpp" "${programs}/host_files/halve.cpp"
  -I "${programs}")
learn_cuda(cpp_without_cuda 0 "PASSED" "${here}/host_loops.cpp" "${here}/faults_of_memory.cu")
learn_cuda(constant_memory 1
  "constant memory at faults_of_memory.cu:[0-9]+: kernel write_constant, .*write of 4 bytes, factors\\[0\\], which has __constant__"
  "${here}/host_loops.cpp" "${here}/faults_of_memory.cu" --check -- constant)
learn_cuda(partly_written 1
  "uninitialised at faults_of_memory.cu:[0-9]+: kernel twice, .*thread \\(9, 0, 0\\): read of 4 bytes, x\\[9\\] .*never written"
  "${here}/host_loops.cpp" "${here}/faults_of_memory.cu" --check -- partly)
learn_cuda(builtin_copy 1
  "race at faults_of_memory.cu:[0-9]+: kernel copy_two, .*write after write, to\\[[12]\\]"
  "${here}/host_loops.cpp" "${here}/faults_of_memory.cu" --check -- builtin)
learn_cuda(missing_guard 1
  "out of bounds at missing_guard.cu:7: kernel fill, block \\(3, 0, 0\\), thread .*write of 4 bytes, out\\[10[0-9][0-9]\\] of allocation #1 .*4000 bytes.*and 23 more"
  "${here}/missing_guard.cu" --check)
learn_cuda(gap_between_allocations 1 "out of bounds at into_the_next.cu:5: .*block \\(4, 0, 0\\).*, out\\[1024\\] of allocation #1"
  "${here}/into_the_next.cu" --check)
learn_cuda(beyond_global_with_shared 1
  "out of bounds at far_from_shared.cu:9: .*write of 4 bytes, out\\[200\\] of allocation #1 \\(800 bytes"
  "${here}/far_from_shared.cu" --check)
learn_cuda(far_beyond_shared 1
  "out of bounds at far_from_shared.cu:9: .*read of 4 bytes, part\\[1500\\] of shared memory, which has 1024 bytes"
  "${here}/far_from_shared.cu" --check -- far)
learn_cuda(within_a_local_array 0 "no error" "${here}/beyond_local.cu" --check)
learn_cuda(beyond_a_local_array 1
  "out of bounds at beyond_local.cu:9: kernel add_up, .*index 8 of an array of type int ?\\[8\\]\nand 3 more.*illegal memory access"
  "${here}/beyond_local.cu" --check -- 1)
learn_cuda(never_written 1 "uninitialised at never_written.cu:3: .*thread \\([3-6][0-9], 0, 0\\)" "${here}/never_written.cu" --check)
learn_cuda(ignored_error 1 "out of bounds at ignores_errors.cu:5.*finished" "${here}/ignores_errors.cu" --check)
learn_cuda(cooperative 0 "PASSED" "${here}/cooperative.cu" --check)
learn_cuda(ordinary_grid 0
  "kernel meet, .*grid.sync\\(\\) in an ordinary launch: use cudaLaunchCooperativeKernel at ordinary_grid.cu:7.*unspecified launch failure"
  "${here}/ordinary_grid.cu")
learn_cuda(openmp 0 "4 threads, 0 wrong" "${here}/options/openmp.cu" -Xcompiler -fopenmp --check)
learn_cuda(openmp_by_its_own_name 0 "4 threads, 0 wrong" "${here}/options/openmp.cu" -fopenmp)
learn_cuda(without_openmp 0 "1 threads, 0 wrong" "${here}/options/openmp.cu")
learn_cuda(other_compiler_option 2 "-Xcompiler -O3: of the options for the host's compiler, -fopenmp works" "${here}/options/openmp.cu"
  -Xcompiler -O3)
learn_cuda(sparse 0 "PASSED" "${programs}/libraries/sparse_solve.cu" -I "${programs}" --check)
learn_cuda(nccl 0 "PASSED" "${programs}/libraries/nccl.cu" -I "${programs}" --check)
set_property(TEST learn.cuda.nccl PROPERTY ENVIRONMENT "LEARN_ROOT=${PROJECT_SOURCE_DIR};D2L_VIRTUAL_GPUS=3@host")
learn_cuda(memory_of_a_card 0 "PASSED" "${programs}/runtime/large_memory.cu" -I "${programs}")
set_property(TEST learn.cuda.memory_of_a_card PROPERTY ENVIRONMENT "LEARN_ROOT=${PROJECT_SOURCE_DIR}")
learn_cuda(report 0 "3 blocks.*every_second, grid \\(3, 1, 1\\), block \\(128, 1, 1\\).*strided.cu:9  *12  *96  *8.00  *50 %.*strided.cu:10  *12  *48  *4.00  *100 %"
  "${here}/strided.cu" --report -- 3)
set(page "${CMAKE_CURRENT_BINARY_DIR}/strided.html")
learn_cuda(report_as_a_page 0 "^Kernels run in the CUDA emulator, on virtual GPUs. The report goes to [^\n]*/strided.html.\n.*3 blocks\n$"
  "${here}/strided.cu" --report "html=${page}" -- 3)
learn_cuda(no_page_after_a_crash 134 "There is no report: the program ended before it could write [^\n]*/strided.html.\n$"
  "${here}/strided.cu" --report "html=${page}" -- 0)
learn_cuda(page_in_no_folder 2 "the report cannot be written to /nonexistent/x.html: there is no such folder"
  "${here}/strided.cu" --report html=/nonexistent/x.html)
learn_cuda(page_in_proc 2 "the report cannot be written to /proc/x.html: no file can be made" "${here}/strided.cu" --report html=/proc/x.html)
learn_cuda(page_on_a_folder 2 "the report cannot be written to [^\n]*: it is a folder" "${here}/strided.cu" --report "html=${here}")
learn_cuda(page_without_a_name 2 "--report html= needs a file" "${here}/strided.cu" --report html=)
learn_cuda(other_form_of_report 2 "the report is a table, --report, or --report html" "${here}/strided.cu" --report=pdf)
foreach(option "" --check)
  set(code 0)
  if(option)
    set(code 1)
  endif()
  learn_cuda(division${option} ${code} "kernel divide, .*thread \\(0, 0, 0\\): integer division by zero .* at division.cu:5.*unspecified launch failure"
    "${here}/division.cu" ${option})
endforeach()
learn_cuda(assert_is_on 134 "Assertion.*blocks > 0" "${here}/strided.cu" -- 0)
# learn_cuda_crashes(NAME SAYS WORD…): the program of ./learn cuda WORD… ends by a signal, after a line that matches.
function(learn_cuda_crashes name says)
  add_test(NAME learn.cuda.${name} COMMAND learn_runner cuda ${ARGN})
  set_tests_properties(learn.cuda.${name} PROPERTIES LABELS unit TIMEOUT 300 RESOURCE_LOCK learn_cuda
    ENVIRONMENT "LEARN_ROOT=${PROJECT_SOURCE_DIR};D2L_VIRTUAL_GPUS=1@host"
    PASS_REGULAR_EXPRESSION "access to memory that the host does not have at ${says}\nThe program ended by a signal")
endfunction()
learn_cuda_crashes(crash "host_crash.cu:6, called at host_crash.cu:12" "${here}/host_crash.cu")
learn_cuda_crashes(crash_in_a_library "host_crash.cu:15" "${here}/host_crash.cu" -- 1)
learn_cuda(debug 0 "gdb called with: -x .*/common/emulator/cuda.gdb --quiet --args .*/programs/.*/strided 3\n$" "${here}/strided.cu" --debug -- 3)
set_property(TEST learn.cuda.debug PROPERTY ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:${here}/debugger")
learn_cuda(no_debugger 2 "--debug needs gdb, and it is not in PATH" "${here}/strided.cu" --debug)
set_property(TEST learn.cuda.no_debugger PROPERTY ENVIRONMENT_MODIFICATION "PATH=set:/nonexistent")
learn_cuda(syntax_error 1 "syntax_error.cu:4:[0-9]+: error.*syntax_error.cu does not compile" "${here}/syntax_error.cu")
learn_cuda(error_in_thrust 1
  "thrust_does_not_compile.cu does not compile. This line leads to the first error:\n[^\n]*thrust_does_not_compile.cu:13:[^\n]*required from here\n$"
  "${here}/thrust_does_not_compile.cu")
learn_cuda(unsupported 1 "other_process.cu:4:.*handles for other processes are not supported by the emulator"
  "${here}/other_process.cu")
learn_cuda(unsupported_names 1 "driver_modules.cu:5: CUlinkState: .*driver_modules.cu:6: cuLinkCreate: functions and types of the driver.s API are not supported by the emulator"
  "${here}/driver_modules.cu")
learn_cuda(no_such_file 2 "there is no file .*nosuch.cu" "${here}/nosuch.cu")
learn_cuda(no_such_option 2 "there is no option --nosuch" "${here}/strided.cu" --nosuch)
learn_cuda(similar_option 2 "there is no option --chek. Did you mean --check" --chek "${here}/strided.cu")
learn_cuda(similar_file 2 "there is no file .*stridet.cu. Did you mean .*strided.cu" "${here}/stridet.cu")
learn_cuda(folder 2 "is a folder: name its files" "${here}")
learn_cuda(header 2 "verify.h is a header: name the files that include it" "${programs}/verify.h")
learn_cuda(other_suffix 2 "tests.cmake is not a source file" "${here}/tests.cmake")
learn_cuda(no_file 2 "name a file, such as program.cu" --report)
learn_cuda(no_folder 2 "-I needs a folder" "${here}/strided.cu" -I --check)
learn_cuda(no_such_folder 2 "-I /nonexistent: there is no such folder" "${here}/strided.cu" -I/nonexistent)
learn_cuda(file_as_folder 2 "-I .*strided.cu: it is not a folder" -I "${here}/strided.cu" "${here}/strided.cu")
learn_cuda(help 0 "learn cuda FILE.cu.*The exit code is the program's" --help)
learn_cuda(options_first 0 "^Kernels run in the CUDA emulator, on virtual GPUs.*every_second, grid" --report "${here}/strided.cu" -- 3)
learn_cuda(tensors 0 "40 launches.*scale, grid .*tensors.cu:12 .*PASSED.*tensors.cu:12"
  "${with_tensors}/tensors.cu" -I "${programs}" --check --report)
learn_cuda(thrust_policy 0 "PASSED.*transform_reduce, grid \\(1, 1, 1\\), .*thrust_policy.cu:58 "
  "${with_tensors}/thrust_policy.cu" -I "${programs}" --check --report)
learn_cuda(thrust_race 1 "race at thrust_faults.cu:14: kernel for_each, .*of the memory of a tensor, with thread"
  "${here}/thrust_faults.cu" --check)
learn_cuda(thrust_out_of_bounds 1 "out of bounds at thrust_faults.cu:16: kernel transform, block \\(3, 0, 0\\), thread \\(232, 0, 0\\): read of 4 bytes, element 1000 of the memory of a tensor"
  "${here}/thrust_faults.cu" --check -- 1)
learn_cuda(thrust_on_the_host 0 "PASSED" "${here}/thrust_on_the_device.cu" "${here}/thrust_on_the_host.cpp")
learn_cuda(beyond_a_tensor 1 "out of bounds at beyond_a_tensor.cu:6: .*, x\\[1000\\] of the memory of a tensor, which has 4000 bytes"
  "${here}/beyond_a_tensor.cu" --check)
learn_cuda(table_of_tensors 0 "PASSED" "${with_tensors}/table_of_tensors.cu" --check)
learn_cuda(beyond_a_table_of_tensors 1 "out of bounds at table_of_tensors.cu:13: .* the memory of a tensor"
  "${with_tensors}/table_of_tensors.cu" --check -- 1)
learn_cuda(reused_place 0 "PASSED" "${with_tensors}/reused_place.cu" --check)
learn_cuda(beyond_a_reused_place 1 "out of bounds at reused_place.cu:13: .* which has 400 bytes"
  "${with_tensors}/reused_place.cu" --check -- 1)
learn_cuda(freed_in_a_stream 1
  "freed memory at freed_memory.cu:6: kernel set, .*write of 4 bytes, x\\[[0-9]+\\] of allocation #1 \\(128 bytes, cudaMallocAsync at freed_memory.cu:14\\), which is freed"
  "${here}/freed_memory.cu" --check -- 1)
learn_cuda(freed_after_its_use 0 "no error\n$" "${here}/freed_memory.cu" --check)
learn_cuda(never_freed 0
  "no error\nnever freed: 3 allocations, 3000 bytes, cudaMalloc at freed_memory.cu:20\nnever freed: 1 allocation, 800 bytes, cudaHostAlloc at freed_memory.cu:24\n$"
  "${here}/freed_memory.cu" --check -- 2)
learn_cuda(size_of_a_tile 0 "kernel divide, .*tiled_partition: the size must be 1, 2, 4, 8, 16 or 32 at tile_sizes.cu:11.*unspecified launch failure"
  "${here}/tile_sizes.cu" -- 24 8)
learn_cuda(sizes_of_tiles 0 "no error" "${here}/tile_sizes.cu" -- 16 32)
learn_cuda(fixed_size_of_a_tile 1 "a tile cannot have more threads than the tile that is divided.*does not compile" "${here}/tile_of_32_of_16.cu")
learn_cuda(names_of_kernels 0 "PASSED.*inner::add, grid.*configured<int>, grid .*by_pointer, grid .*together, grid \\(2, 1, 1\\)"
  "${programs}/language/launch_forms.cu" -I "${programs}" --report)
learn_cuda(lines_of_equal_launches 0 "5 blocks, 9 threads[^:]*launch_forms.cu:11  *0  *0  *0.00  *0 %  *0.0  *0  *0.00  *9"
  "${programs}/language/launch_forms.cu" -I "${programs}" --report)
learn_cuda(heap 0 "PASSED" "${programs}/language/heap.cu" -I "${programs}" --check)
learn_cuda(beyond_a_new_array 1 "out of bounds at beyond_a_new_array.cu:6: .*element 100 of memory from new in a kernel, which has 400 bytes"
  "${here}/beyond_a_new_array.cu" --check)

# HIP programs: files .hip, those that include headers of HIP, and all with --hip.
set(hip "${programs}/hip")
learn_cuda(hip 0 "^Kernels run in the CUDA emulator, on virtual GPUs.*PASSED" "${hip}/hip_launches.hip" --check)
learn_cuda(hip_option 0 "PASSED" "${here}/hip/names.cu" --hip)
learn_cuda(hip_names_without_hip 1 "names.cu:[0-9]+:[0-9]+: error.*names.cu does not compile" "${here}/hip/names.cu")
learn_cuda(hip_in_cpp 0 "PASSED" "${here}/hip/in_cpp.cpp" "${here}/hip/host.cpp")
learn_cuda(hip_out_of_bounds 1
  "out of bounds at faults.hip:7: kernel fill, .*out\\[10[0-9][0-9]\\] of allocation #1 \\(4000 bytes, hipMalloc at faults.hip:11\\)"
  "${here}/hip/faults.hip" --check)
learn_cuda(hip_unread_errors 1
  "the launch of fill failed with hipErrorInvalidConfiguration, .*Call hipGetLastError\\(\\) right after.*faults.hip:17: hipMemcpy failed with hipErrorInvalidValue"
  "${here}/hip/faults.hip" --check -- 1)
learn_cuda(hip_leaks 0
  "never freed: 1 allocation, 4000 bytes, hipMalloc at faults.hip:11\nnever freed: 1 allocation, 64 bytes, hipHostMalloc at faults.hip:14"
  "${here}/hip/faults.hip" --check -- 1 2)
learn_cuda(hip_unsupported 1 "unsupported.hip:[0-9]+: hipIpcGetMemHandle: handles for other processes are not supported"
  "${here}/hip/unsupported.hip")
learn_cuda(hip_narrow_masks 1
  "narrow_masks.hip:6:.*HIP's functions of a warp take masks of 64 bits: write 0xffffffffffffffffULL.*narrow_masks.hip:15:.*narrow_masks.hip does not compile"
  "${here}/hip/narrow_masks.hip")
learn_cuda(hip_masks 0 "PASSED" "${here}/hip/masks.hip" --check)
learn_cuda(hip_masks_of_wide_warps 0 "PASSED" "${here}/hip/masks.hip" --warp 64 --check)

# Warps of 64 lanes.
learn_cuda(warps_of_32 0 "gfx1100, warps of 32: PASSED" "${here}/hip/wide_warps.hip" --check)
learn_cuda(warps_of_64 0 "gfx90a, warps of 64: PASSED" "${here}/hip/wide_warps.hip" --warp 64 --check)
learn_cuda(warps_of_64_with_masks_of_32 1
  "reduction.cu:8: for warps of 32 lanes: the mask 0xffffffff has 32 lanes.*wrong mask at reduction.cu:8: .* the warps of this program have 64 lanes"
  "${programs}/language/reduction.cu" -I "${programs}" --warp=64 --check)
set(by_32 "lanes_by_32.hip:8: for warps of 32 lanes: a thread's lane or warp by % 32.*ENDED")
learn_cuda(warps_of_64_by_text 1 "${by_32}" "${here}/hip/lanes_by_32.hip" --warp 64 --check)
learn_cuda(warps_of_64_by_text_unchecked 0 "${by_32}" "${here}/hip/lanes_by_32.hip" --warp 64)
learn_cuda(warps_of_48 2 "--warp needs the lanes of a warp, 32 or 64, and not \"48\"" "${programs}/language/reduction.cu" --warp 48)

add_executable(learn_cuda_interrupted_test learn_cuda/interrupted_test.cpp)
target_include_directories(learn_cuda_interrupted_test PRIVATE ${PROJECT_SOURCE_DIR}/common/tests)
target_compile_definitions(learn_cuda_interrupted_test PRIVATE LEARN_RUNNER="$<TARGET_FILE:learn_runner>"
  PROGRAMS="${PROJECT_BINARY_DIR}/cuda_programs")
target_link_libraries(learn_cuda_interrupted_test PRIVATE learn_parts GTest::gtest_main)
add_dependencies(unit_tests learn_cuda_interrupted_test)
add_test(NAME learn.cuda.interrupted COMMAND learn_cuda_interrupted_test)
set_tests_properties(learn.cuda.interrupted PROPERTIES LABELS unit TIMEOUT 120 RESOURCE_LOCK learn_cuda
  ENVIRONMENT "LEARN_ROOT=${PROJECT_SOURCE_DIR}")
include("${CMAKE_CURRENT_LIST_DIR}/messages/tests.cmake")

# ./learn test runs a few of them, because each compiles a program.
set(brief program missing_guard never_written report syntax_error no_such_file help)
list(TRANSFORM brief PREPEND learn.cuda.)
get_property(tests DIRECTORY PROPERTY TESTS)
list(FILTER tests INCLUDE REGEX "^learn\\.cuda\\.")
list(REMOVE_ITEM tests ${brief})
set_tests_properties(${tests} PROPERTIES LABELS "unit;thorough")
