# SPDX-License-Identifier: MIT
# What ./learn cuda says of mistakes: kernels that do not end, crashes, other devices, errors in headers, and in gdb.
set(messages "${here}/messages")

# learn_cuda_endless(NAME EXIT SAYS WORD…): with a watchdog that suspects a kernel after a second.
function(learn_cuda_endless name exit says)
  learn_cuda(${name} ${exit} "${says}" "${messages}/endless.cu" ${ARGN})
  set_property(TEST learn.cuda.${name} PROPERTY ENVIRONMENT_MODIFICATION "D2L_WATCHDOG_SECONDS=set:1")
endfunction()
set(in_loop "never ends: block \\([01], 0, 0\\), thread \\([0-9]+, 0, 0\\) is in the loop at endless.cu")
foreach(option "" --check)
  set(code 0)
  if(option)
    set(code 1)
  endif()
  learn_cuda_endless(endless_wait${option} ${code}
    "kernel wait_for_flag, launched at endless.cu:51, ${in_loop}:9.*the launch timed out and was terminated" ${option} -- 0)
  learn_cuda_endless(endless_lock${option} ${code}
    "kernel leave_locked, launched at endless.cu:52, ${in_loop}:15.*the launch timed out and was terminated" ${option} -- 1)
endforeach()
learn_cuda_endless(waits_for_the_host 0
  "kernel wait_for_flag, launched at endless.cu:55, has made no progress for 1 s.*is in the loop at endless.cu:9. Whether it ever ends is not known.*no error\n$"
  -- 3)
# Its threads come to the same place again and again, and yet it ends.
learn_cuda_endless(counts_up 0 "kernel count_up, .*in the loop at endless.cu:36. Whether it ever ends is not known.*no error\n$"
  -- 5)
learn_cuda_endless(waits_for_time 0 "kernel wait_for_time, .*in the loop at endless.cu:42. Whether.*no error\n$" -- 6)
learn_cuda_endless(long_kernel 0 "^[^\n]*virtual GPUs.\n[^\n]*how fast a GPU is.\nno error\n$" -- 4 1500000)
learn_cuda_endless(no_watchdog 0 "^[^\n]*virtual GPUs.\n[^\n]*how fast a GPU is.\nno error\n$" -- 3)
set_property(TEST learn.cuda.no_watchdog PROPERTY ENVIRONMENT_MODIFICATION "D2L_WATCHDOG_SECONDS=set:0")
learn_cuda_endless(wrong_time 2 "D2L_WATCHDOG_SECONDS=\"soon\" is not a whole number" -- 0)
set_property(TEST learn.cuda.wrong_time PROPERTY ENVIRONMENT_MODIFICATION "D2L_WATCHDOG_SECONDS=set:soon")
# Nobody ends a loop that computes. The test does: after the message the program would run on.
add_test(NAME learn.cuda.endless_loop COMMAND timeout 20 $<TARGET_FILE:learn_runner> cuda "${messages}/endless.cu" -- 2)
set_tests_properties(learn.cuda.endless_loop PROPERTIES LABELS unit TIMEOUT 300 RESOURCE_LOCK learn_cuda
  ENVIRONMENT "LEARN_ROOT=${PROJECT_SOURCE_DIR};D2L_VIRTUAL_GPUS=1@host;D2L_WATCHDOG_SECONDS=1" PASS_REGULAR_EXPRESSION
  "kernel never_zero, launched at endless.cu:53, has made no progress for 1 s.*is in the loop at endless.cu:22")

# learn_cuda_devices(NAME SAYS WORD…): on two devices.
function(learn_cuda_devices name exit says)
  learn_cuda(${name} ${exit} "${says}" "${messages}/other_device.cu" ${ARGN})
  set_property(TEST learn.cuda.${name} PROPERTY ENVIRONMENT_MODIFICATION "D2L_VIRTUAL_GPUS=set:2@host")
endfunction()
learn_cuda_devices(stream_of_another_device 0
  "the launch of set at other_device.cu:18: The stream belongs to device 0, and device 1 is the current one: call cudaSetDevice\\(0\\) before\n.*invalid resource handle"
  -- 0)
learn_cuda_devices(memory_of_another_device 0
  "memory of device 0, to which device 1 has no peer access. Call cudaSetDevice\\(0\\) before the launch.*or cudaDeviceEnablePeerAccess\\(0, 0\\) while device 1 is the current one"
  -- 1)
learn_cuda_devices(memory_of_another_device_checked 1
  "memory of another device at other_device.cu:6: .*, x\\[[0-9]+\\] of allocation #1 .* of device 0, to which device 1 has no peer access. Call cudaSetDevice\\(0\\)"
  --check -- 1)
learn_cuda_devices(event_of_another_device 0
  "cudaEventRecord at other_device.cu:20: The event belongs to device 1, and the stream to device 0: create the event after cudaSetDevice\\(0\\)"
  -- 2)
learn_cuda_devices(time_between_devices 0
  "cudaEventElapsedTime at other_device.cu:22: The first event belongs to device 0, and the second to device 1" -- 3)

# learn_cuda_crash_in_a_call(NAME SAYS NUMBER)
function(learn_cuda_crash_in_a_call name says number)
  add_test(NAME learn.cuda.${name} COMMAND learn_runner cuda "${messages}/crash_in_a_call.cu" -- ${number})
  set_tests_properties(learn.cuda.${name} PROPERTIES LABELS unit TIMEOUT 300 RESOURCE_LOCK learn_cuda
    ENVIRONMENT "LEARN_ROOT=${PROJECT_SOURCE_DIR};D2L_VIRTUAL_GPUS=1@host"
    PASS_REGULAR_EXPRESSION "access to memory that the host does not have ${says}\nThe program ended by a signal")
endfunction()
learn_cuda_crash_in_a_call(crash_in_a_copy_from "in cudaMemcpy at crash_in_a_call.cu:10" 0)
learn_cuda_crash_in_a_call(crash_in_a_copy_to "in cudaMemcpy at crash_in_a_call.cu:11" 1)
learn_cuda_crash_in_a_call(crash_in_an_async_copy "at crash_in_a_call.cu:12" 2)
learn_cuda_crash_in_a_call(crash_in_a_query "at crash_in_a_call.cu:13" 3)
learn_cuda_crash_in_a_call(device_memory_on_the_host "at crash_in_a_call.cu:14" 4)

learn_cuda(scalar_of_the_device 1 "race at scalars.cu:14: .*: [a-z]+ after [a-z]+, total, with" "${messages}/scalars.cu" --check -- 0)
learn_cuda(shared_scalar 1 "race at scalars.cu:15: .*: [a-z]+ after [a-z]+, shared part, with" "${messages}/scalars.cu" --check -- 1)
learn_cuda(managed_scalar 1 "race at scalars.cu:16: .*: [a-z]+ after [a-z]+, flag, with" "${messages}/scalars.cu" --check -- 2)
learn_cuda(array_beside_scalars 1 "race at scalars.cu:17: .*: [a-z]+ after [a-z]+, table\\[1\\], with" "${messages}/scalars.cu" --check -- 3)
learn_cuda(beyond_a_scalar 1 "out of bounds at scalars.cu:18: .*, total\\[3\\], which has 4 bytes" "${messages}/scalars.cu" --check -- 4)

learn_cuda(stacks 1
  "out of bounds at stacks.cu:3, called at stacks.cu:5, called at stacks.cu:9: kernel set, .*unread error at stacks.cu:12, called at stacks.cu:24: the launch of set.*unread error at stacks.cu:16, called at stacks.cu:25: cudaMemcpy"
  "${messages}/stacks.cu" --check)

learn_cuda(inlined_calls 1 "out of bounds at inlined.cu:3, called at inlined.cu:6, called at inlined.cu:8: kernel set, "
  "${messages}/inlined.cu" --check)
add_test(NAME learn.cuda.called_kernel COMMAND learn_runner cuda "${messages}/called_kernel.cu")
set_tests_properties(learn.cuda.called_kernel PROPERTIES LABELS unit TIMEOUT 300 RESOURCE_LOCK learn_cuda
  ENVIRONMENT "LEARN_ROOT=${PROJECT_SOURCE_DIR};D2L_VIRTUAL_GPUS=1@host"
  PASS_REGULAR_EXPRESSION "at called_kernel.cu:5, called at called_kernel.cu:12. set is a kernel, which the host called as a function: [^\n]*Launch it: set<<<blocks, threads>>>")
set(is_reference "is a reference, so the kernel has the address of an object of the host: pass it by value")
learn_cuda(reference 0 "illegal address: the parameter size ${is_reference}" "${messages}/reference.cu" -- 0)
learn_cuda(reference_checked 1 "host memory at reference.cu:9: kernel count, .*: read of 4 bytes, the parameter size ${is_reference}"
  "${messages}/reference.cu" --check -- 0)
learn_cuda(reference_of_a_template 1 "host memory at reference.cu:12: kernel add, .*: read of 4 bytes, the parameter from ${is_reference}"
  "${messages}/reference.cu" --check -- 1)

learn_cuda(error_in_a_macro 1
  "macro_does_not_compile.cu does not compile. [^\n]*:\n[^\n]*macro_does_not_compile.cu:7:[^\n]*\n$" "${messages}/macro_does_not_compile.cu")
learn_cuda(error_in_cub 1
  "wrong_cub.cu does not compile. This line leads to the first error:\n[^\n]*wrong_cub.cu:11:[^\n]*\n$" "${messages}/wrong_cub.cu")
learn_cuda(error_before_many_lines 1
  "wrong_atomic.cu does not compile. The first error:\n[^\n]*wrong_atomic.cu:3:[0-9]+: error: [^\n]*atomicAdd[^\n]*\n$" "${messages}/wrong_atomic.cu")
