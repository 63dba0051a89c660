# SPDX-License-Identifier: MIT
# An optimised build, C++20, warnings, sanitizers.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# The same numbers on every processor: the compiler makes no fused multiply-add of a * b + c, as GCC does by default where
# the processor has one. The kernels of a card are nvcc's, which does.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

foreach(floor "GNU 11" "Clang 14")
  string(REPLACE " " ";" floor "${floor}")
  list(GET floor 0 compiler)
  list(GET floor 1 oldest)
  if(CMAKE_CXX_COMPILER_ID STREQUAL compiler AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS oldest)
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} is ${compiler} ${CMAKE_CXX_COMPILER_VERSION}, which does not support "
                        "enough of C++20: GCC 11 and Clang 14 are the oldest that do.\n"
                        "Install a newer one and select it: cmake --preset cpu -DCMAKE_CXX_COMPILER=g++-11")
  endif()
endforeach()

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

find_program(D2L_CCACHE ccache)
if(D2L_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${D2L_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${D2L_CCACHE}")
endif()

# GCC 14 refuses a precompiled header that -O1 wrote and -O2 reads, because on x86 these options belong to -O2. At -O1 they
# change nothing.
include(CheckCXXCompilerFlag)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  foreach(option munroll-only-small-loops mvzeroupper)
    check_cxx_compiler_flag(-${option} D2L_HAS_${option})
    if(D2L_HAS_${option})
      add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-${option}>)
    endif()
  endforeach()
endif()

# d2l_precompile(TARGET HEADER...): precompiles headers of the standard library and of other libraries for a target. Its
# sources still include what they use. With a compiler cache this does nothing: the cache is faster alone.
function(d2l_precompile target)
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
  target_precompile_headers(${target} PRIVATE ${ARGN})
  d2l_trust_precompiled(${target})
endfunction()
# d2l_precompiled_as(TARGET OTHER): reuses the precompiled headers of OTHER, which has the same compiler flags.
function(d2l_precompiled_as target other)
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${other})
  get_target_property(type ${target} TYPE)
  get_target_property(other_type ${other} TYPE)
  if(type STREQUAL "EXECUTABLE" AND NOT other_type STREQUAL "EXECUTABLE")
    target_compile_options(${target} PRIVATE -fPIC)  # as the other, after the -fPIE of a program
  endif()
  d2l_trust_precompiled(${target})
endfunction()
# GCC 12 gives false warnings about std::string when it reads system headers from a precompiled header.
function(d2l_trust_precompiled target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds -Wno-stringop-overflow>)
endfunction()

# d2l_join_sources(TARGET): compiles the sources of each folder together, twelve at a time, because most of a build's time goes
# into headers; with a sanitizer, and so by Clang, whose -Wshadow finds more, six at a time. Clang's build without a sanitizer
# compiles each source alone, and so does one with a compiler cache. Call it when the target has its sources. A source that
# other targets compile too has SKIP_UNITY_BUILD_INCLUSION.
function(d2l_join_sources target)
  if(CMAKE_CXX_COMPILER_LAUNCHER OR NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR D2L_SANITIZER))
    return()
  endif()
  set(at_once 12)
  if(D2L_SANITIZER)
    set(at_once 6)
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(base ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${base}")
    get_filename_component(folder "${source}" DIRECTORY)
    file(RELATIVE_PATH folder "${base}" "${folder}")
    string(MAKE_C_IDENTIFIER "of_${folder}" group)
    math(EXPR ${group} "${${group}} + 1")
    math(EXPR part "(${${group}} + ${at_once} - 1) / ${at_once}")
    set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${group}_${part}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# d2l_link_quickly(TARGET): links with gold, which takes a third of the time of the default linker, where the compiler has it.
# What a student writes is linked by the default one, whose messages ./learn explains.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold D2L_HAS_GOLD)
function(d2l_link_quickly target)
  if(D2L_HAS_GOLD AND NOT D2L_CUDA AND NOT D2L_SANITIZER)
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
endfunction()

# Our own targets link d2l_warnings; users of the library do not.
add_library(d2l_warnings INTERFACE)
target_compile_options(d2l_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wzero-as-null-pointer-constant
    $<$<BOOL:${D2L_WERROR}>:-Werror>>
  # A target that defines CUDA's names sets the property D2L_RESERVED_NAMES.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,Clang>,$<NOT:$<BOOL:$<TARGET_PROPERTY:D2L_RESERVED_NAMES>>>>:-Wreserved-identifier>
  # GCC 12 reports overlaps in std::string that do not exist (GCC bug 105651).
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

if(D2L_SANITIZER)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "D2L_SANITIZER needs Clang: GCC's OpenMP runtime makes the thread sanitizer report false races.\n"
                        "Configure with -DCMAKE_CXX_COMPILER=clang++, or use the presets asan and tsan.")
  endif()
  # Reports need line numbers; full debug information would slow down the build.
  add_compile_options(-fsanitize=${D2L_SANITIZER} -fno-omit-frame-pointer -gline-tables-only)
  add_link_options(-fsanitize=${D2L_SANITIZER})
  if(D2L_SANITIZER MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
