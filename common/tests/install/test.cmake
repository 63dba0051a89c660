# SPDX-License-Identifier: MIT
# cmake -DBUILD=… -DCONSUMER=… -DGENERATOR=… -DCOMPILER=… -DSANITIZER=… -P test.cmake: installs the package into a temporary
# folder outside of the tree, and builds and runs a consumer there.
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE scratch OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

set(flags)
if(SANITIZER)
  set(flags "-DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZER}")
endif()

function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    file(REMOVE_RECURSE "${scratch}")
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "${command}\nended with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

step("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${scratch}/first")
file(RENAME "${scratch}/first" "${scratch}/prefix")  # the package works wherever it is
file(COPY "${CONSUMER}/CMakeLists.txt" "${CONSUMER}/consumer.cpp" "${CONSUMER}/kernels.cu" "${CONSUMER}/kernels" DESTINATION "${scratch}/consumer")
step("${CMAKE_COMMAND}" -S "${scratch}/consumer" -B "${scratch}/build" -G "${GENERATOR}"
  "-DCMAKE_PREFIX_PATH=${scratch}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}" ${flags})
step("${CMAKE_COMMAND}" --build "${scratch}/build")
step("${CMAKE_COMMAND}" -E env D2L_VIRTUAL_GPUS=2@host "${scratch}/build/consumer")
set(of_consumer "${output}")

# expect(WORD COMMAND…): a command ends with success and prints the word.
function(expect word)
  step(${ARGN})
  string(FIND "${output}" "${word}" at)
  if(at EQUAL -1)
    file(REMOVE_RECURSE "${scratch}")
    message(FATAL_ERROR "${ARGN}\nprinted:\n${output}\nand not: ${word}")
  endif()
endfunction()
if(EXISTS "${scratch}/prefix/bin/d2l_cuda" AND NOT SANITIZER)  # kernels have an instrumentation of their own
  expect("sum 3000" "${CMAKE_COMMAND}" -E env D2L_VIRTUAL_GPUS=1@host "${scratch}/build/kernels")
  set(tool "${CMAKE_COMMAND}" -E env "XDG_CACHE_HOME=${scratch}/cache" "${scratch}/prefix/bin/d2l_cuda")
  expect("sum 3000" ${tool} "${scratch}/consumer/kernels.cu" --report)
  expect("twice.cuh:9 " ${tool} "${scratch}/consumer/kernels.cu" --report)
  execute_process(COMMAND ${tool} "${scratch}/consumer/kernels.cu" --check -- beyond
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(code EQUAL 0 OR NOT output MATCHES "out of bounds at twice.cuh:9: kernel twice")
    file(REMOVE_RECURSE "${scratch}")
    message(FATAL_ERROR "d2l_cuda --check ended with ${code} and did not report the access:\n${output}")
  endif()
endif()
file(REMOVE_RECURSE "${scratch}")
set(output "${of_consumer}")

set(expected "tensor([[3., 3.],\n        [3., 3.]], device='cuda:1')")
string(FIND "${output}" "${expected}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the consumer printed:\n${output}\nand not:\n${expected}")
endif()
