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

step("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${scratch}/prefix")
file(COPY "${CONSUMER}/CMakeLists.txt" "${CONSUMER}/consumer.cpp" DESTINATION "${scratch}/consumer")
step("${CMAKE_COMMAND}" -S "${scratch}/consumer" -B "${scratch}/build" -G "${GENERATOR}"
  "-DCMAKE_PREFIX_PATH=${scratch}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}" ${flags})
step("${CMAKE_COMMAND}" --build "${scratch}/build")
step("${CMAKE_COMMAND}" -E env D2L_VIRTUAL_GPUS=2@host "${scratch}/build/consumer")
file(REMOVE_RECURSE "${scratch}")

set(expected "tensor([[3., 3.],\n        [3., 3.]], device='cuda:1')")
string(FIND "${output}" "${expected}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the consumer printed:\n${output}\nand not:\n${expected}")
endif()
