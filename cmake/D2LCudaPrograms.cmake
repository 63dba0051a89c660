# SPDX-License-Identifier: MIT
# How .cu files become programs: the host compiler compiles them with the emulator; with D2L_CUDA=ON nvcc compiles them
# for the card, too.
cmake_policy(VERSION 3.22) # for projects that use the package: a DEPFILE has absolute paths

set(D2L_CARD_PROGRAMS OFF)
if(D2L_CUDA AND NOT D2L_CUDA STREQUAL "EMULATED")
  set(D2L_CARD_PROGRAMS ON)
endif()

# d2l_translate_cuda(OUT FILE…): the C++ sources into which the build translates .cu files for the emulator, with headers
# that they include by a path relative to themselves.
function(d2l_translate_cuda out)
  set(translator d2l_cuda_translator)
  if(TARGET d2l::cuda_translator)  # of an installed package
    set(translator d2l::cuda_translator)
  endif()
  set(sources)
  foreach(file IN LISTS ARGN)
    get_filename_component(file "${file}" ABSOLUTE)
    get_filename_component(name "${file}" NAME)
    string(SHA1 digest "${file}")
    string(SUBSTRING "${digest}" 0 8 digest)  # each has headers of its own, in a folder that mirrors the file system
    set(source "${CMAKE_CURRENT_BINARY_DIR}/translated/${digest}${file}.cpp")
    get_filename_component(folder "${source}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${source}" COMMAND ${translator} "${file}" "${source}" "${source}.d"
      DEPENDS "${file}" ${translator} DEPFILE "${source}.d" COMMENT "Translating ${name}" VERBATIM)
    list(APPEND sources "${source}")
  endforeach()
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# d2l_program(TARGET FILE…): an executable. Its .cu files are instrumented, so that D2L_CHECK_KERNELS=1 checks them. With
# D2L_CUDA=ON, TARGET is what nvcc made of .cu files, and TARGET_emulated is the program for the emulator.
function(d2l_program target)
  set(cuda ${ARGN})
  list(FILTER cuda INCLUDE REGEX "\\.cu$")
  if(NOT cuda)
    add_executable(${target} ${ARGN})
    return()
  endif()
  set(plain ${ARGN})
  list(FILTER plain EXCLUDE REGEX "\\.cu$")
  set(emulated ${target})
  if(D2L_CARD_PROGRAMS)
    add_executable(${target} ${cuda} ${plain})
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -lineinfo>)
    target_link_libraries(${target} PRIVATE CUDA::cudart_static)
    d2l_choose_capable_architectures(${target} ${cuda})
    set(emulated ${target}_emulated)
  endif()
  d2l_translate_cuda(translated ${cuda})
  add_executable(${emulated} ${translated} ${plain})
  d2l_emulate(${emulated} ${cuda})
  set(options ${D2L_TRANSLATED_OPTIONS})
  if(TARGET d2l_cuda_headers AND NOT plain)
    list(REMOVE_ITEM options ${D2L_COPY_HOOKS})  # a precompiled header must be the first: it has them
    d2l_precompiled_as(${emulated} d2l_cuda_headers)
  endif()
  set_source_files_properties(${translated} PROPERTIES COMPILE_OPTIONS "${options}")
  d2l_describe_to_clangd(${emulated} ${cuda})
endfunction()

# d2l_choose_capable_architectures(TARGET FILE…): a file with "needs compute capability 8.0" in a comment is compiled for
# the chosen architectures that have it, or for the first that does. Another card says that it has no kernel of the program.
function(d2l_choose_capable_architectures target)
  foreach(file IN LISTS ARGN)
    file(STRINGS "${file}" need REGEX "needs compute capability [0-9]+\\.[0-9]" LIMIT_COUNT 1)
    if(NOT need)
      continue()
    endif()
    string(REGEX REPLACE ".*needs compute capability ([0-9]+)\\.([0-9]).*" "\\1\\2" least "${need}")
    set(capable)
    foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
      string(REGEX MATCH "^[0-9]+" number "${architecture}")
      if(number STREQUAL "" OR NOT number LESS least)
        list(APPEND capable "${architecture}")
      endif()
    endforeach()
    if(NOT capable)
      set(capable "${least}-virtual")
    endif()
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${capable}")
  endforeach()
endfunction()

# d2l_describe_to_clangd(TARGET FILE…): the commands with which clangd reads these .cu files, without the toolkit.
function(d2l_describe_to_clangd target)
  foreach(file IN LISTS ARGN)
    get_filename_component(file "${file}" ABSOLUTE)
    set_property(GLOBAL APPEND PROPERTY D2L_CLANGD_COMMANDS "{\"directory\": \"${PROJECT_BINARY_DIR}\", \"file\": \"${file}\",\
 \"arguments\": [\"clang++\", \"-xcuda\", \"-nocudainc\", \"-nocudalib\", \"--cuda-host-only\", \"-std=c++20\",\
 \"-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP\", \"-Wno-undefined-internal\", \"-include\", \"cuda_runtime.h\",\
 \"-I$<JOIN:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,\"$<COMMA> \"-I>\", \"${file}\"]}")
  endforeach()
endfunction()

# d2l_write_clangd_commands(): writes them, where .clangd names them.
function(d2l_write_clangd_commands)
  get_property(commands GLOBAL PROPERTY D2L_CLANGD_COMMANDS)
  string(REPLACE "]};{" "]},\n{" commands "${commands}")
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/clangd/compile_commands.json" CONTENT "[${commands}]\n")
endfunction()

# d2l_precompile_cuda_headers(): from now on the programs of d2l_program() that have only .cu files share a precompiled header.
# Without it GCC takes most of its time for the headers. Clang compiles these programs without the wrong solutions, which are
# most of them.
function(d2l_precompile_cuda_headers)
  if(CMAKE_CXX_COMPILER_LAUNCHER OR D2L_SANITIZER OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/cuda_headers.cpp" CONTENT "int main() {}\n")
  add_executable(d2l_cuda_headers EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/cuda_headers.cpp")
  target_link_libraries(d2l_cuda_headers PRIVATE d2l::cuda_emulator d2l_warnings)
  set(options ${D2L_TRANSLATED_OPTIONS})
  list(REMOVE_ITEM options ${D2L_COPY_HOOKS})
  target_compile_options(d2l_cuda_headers PRIVATE ${options})
  d2l_precompile(d2l_cuda_headers d2l_emulator/copy_hooks.h cuda_runtime.h d2l/stream.h d2l/d2l.h)
endfunction()

# d2l_programs(OUT TARGET): the targets that d2l_program(TARGET …) made, one or two.
function(d2l_programs out target)
  set(programs ${target})
  if(TARGET ${target}_emulated)
    list(APPEND programs ${target}_emulated)
  endif()
  set(${out} ${programs} PARENT_SCOPE)
endfunction()

# d2l_program_for(OUT TARGET CONFIGURATION): the one of these that runs in a configuration: gpu, virtual2 and so on.
function(d2l_program_for out target configuration)
  set(${out} ${target} PARENT_SCOPE)
  if(TARGET ${target}_emulated AND NOT configuration MATCHES "^gpu")
    set(${out} ${target}_emulated PARENT_SCOPE)
  endif()
endfunction()

# d2l_configurations(OUT FILE NAME…): the configurations NAME… in which a program of FILE can run. Kernels need a GPU: a
# virtual one for the emulator, a card for nvcc.
function(d2l_configurations out file)
  set(configurations ${ARGN})
  if(file MATCHES "\\.cu$")
    list(REMOVE_ITEM configurations none)
    if(NOT D2L_CARD_PROGRAMS)
      list(FILTER configurations EXCLUDE REGEX "^gpu")
    endif()
  endif()
  set(${out} ${configurations} PARENT_SCOPE)
endfunction()

# d2l_add_cuda_program(TARGET FILE…): for users of the package: an executable from .cu and other files, in the emulator. They
# are instrumented: D2L_CHECK_KERNELS=1 and D2L_KERNEL_REPORT=1 work as with ./learn cuda. Kernels may be in headers that a
# .cu file includes by a path relative to itself.
function(d2l_add_cuda_program target)
  d2l_program(${target} ${ARGN})
endfunction()

# d2l_emulate(TARGET FILE…): links a program with the emulator; FILE… are the .cu files, whose folders have its headers.
function(d2l_emulate target)
  foreach(file IN LISTS ARGN)
    get_filename_component(folder "${file}" ABSOLUTE)
    get_filename_component(folder "${folder}" DIRECTORY)
    target_include_directories(${target} PRIVATE "${folder}")
  endforeach()
  target_link_libraries(${target} PRIVATE d2l::cuda_emulator)
  set_target_properties(${target} PROPERTIES D2L_RESERVED_NAMES ON)
endfunction()

# d2l_use_cuda_headers(TARGET): its .cpp files may include CUDA's headers, those of the emulator if it ends in _emulated.
function(d2l_use_cuda_headers target)
  if(D2L_CARD_PROGRAMS AND NOT target MATCHES "_emulated$")
    target_include_directories(${target} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  else()
    target_include_directories(${target} SYSTEM PRIVATE
      $<TARGET_PROPERTY:d2l::cuda_emulator,INTERFACE_INCLUDE_DIRECTORIES>)
  endif()
endfunction()

# What instruments kernels for the checks and the counts: a float4 stays one access of 16 bytes, and volatile accesses
# have hooks of their own. GCC does not join functions with the same code, of which one would lose its lines. Clang
# splits a float4 before it instruments, unless it does not optimise; it also removes stores to null pointers, and does
# not instrument a read that a write follows.
set(D2L_COPY_HOOKS -include d2l_emulator/copy_hooks.h)
# A function touches each page of a large frame, so that the guard below a stack is not missed. Clang has that for x86, and for
# ARM from version 18 on.
set(D2L_STACK_PROBES -fstack-clash-protection)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 18
    AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(D2L_STACK_PROBES)
endif()
set(D2L_INSTRUMENTATION -DD2L_EMULATOR_COUNTS -fsanitize=thread ${D2L_STACK_PROBES} "SHELL:-include d2l_emulator/copy_hooks.h")
# Each basic block calls a hook, too, so that the counts know which lanes of a warp are together. GCC lays blocks out in the
# order of the source, and neither joins nor duplicates what branches and loops do.
set(in_source_order -fno-reorder-blocks -fno-reorder-blocks-and-partition -fno-crossjumping -fno-if-conversion
  -fno-if-conversion2 -fno-thread-jumps -fno-code-hoisting -fno-tree-ch -fno-tree-cselim -fno-tree-loop-im -fno-tree-pre
  -fno-tree-sink -fno-tree-switch-conversion -fno-tree-tail-merge -fno-unswitch-loops -fno-split-loops -fno-peel-loops
  -fno-unroll-loops -fno-jump-tables)
if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)  # -fno-thread-jumps does not reach these there
  list(APPEND in_source_order -fno-expensive-optimizations -fno-tree-vrp -fno-tree-dominator-opts)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND D2L_INSTRUMENTATION -fsanitize-coverage=trace-pc ${in_source_order} -fno-tree-sra -fno-ipa-icf
    --param=tsan-distinguish-volatile=1 -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset)
else()
  list(APPEND D2L_INSTRUMENTATION -fsanitize-coverage=trace-pc,bb,no-prune -O0 -fno-delete-null-pointer-checks
    "SHELL:-mllvm -tsan-distinguish-volatile=1"
    "SHELL:-mllvm -tsan-instrument-read-before-write=1")
endif()

# A division by zero ends a kernel on each processor; ARM's own division does not trap. With a sanitizer the handler would be
# that of the sanitizer, which ends the program.
set(D2L_DIVISIONS -fsanitize=integer-divide-by-zero)
if(D2L_SANITIZER)
  set(D2L_DIVISIONS)
endif()
list(APPEND D2L_INSTRUMENTATION ${D2L_DIVISIONS})

# An index beyond an array calls a function of the emulator, which reports it and ends the thread. Without a check the kernel
# goes on: the compiler must not conclude from the access that the index is right.
if(NOT D2L_SANITIZER)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND D2L_INSTRUMENTATION -fsanitize=bounds -fno-aggressive-loop-optimizations)
  else()
    list(APPEND D2L_INSTRUMENTATION -fsanitize=array-bounds)
  endif()
endif()

# Kernels read memory and registers as another type, a half2 as an unsigned for example, and nvcc allows it.
set(D2L_ALIASING -fno-strict-aliasing)

# What translated files are compiled with, besides the options of the target.
set(D2L_TRANSLATED_OPTIONS -O2 -g -UNDEBUG -ffp-contract=off ${D2L_ALIASING} -D__CUDACC__ -D__NVCC__
  -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP -Wno-unknown-pragmas -Wno-deprecated -Wno-pedantic -Wno-conversion)
if(NOT D2L_SANITIZER)
  # Options of sources, unlike those of targets, are not made unique and do not know SHELL:.
  string(REGEX REPLACE "SHELL:([^; ]+) " "\\1;" instrumentation "${D2L_INSTRUMENTATION}")
  list(APPEND D2L_TRANSLATED_OPTIONS ${instrumentation})
endif()
