# SPDX-License-Identifier: MIT
# The rooms of common, as common/layers.txt lists them: each is a folder with include, src and tests, and each but the emulator has
# an object library d2l_<room> that sees the headers of the rooms that it may use, and no others. The library d2l_common is all of
# their objects. The emulator, the checks of exercises and what only lessons link are libraries of their own. D2L_ROOMS names the
# rooms that are built, with those that they use: -DD2L_ROOMS=emulator builds and tests the emulator alone.
set(D2L_ROOMS "" CACHE STRING "The rooms of common to build, with those that they use; all, and the lessons, when empty")
set(layers "${PROJECT_SOURCE_DIR}/common/layers.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${layers}")

# D2L_ALL_ROOMS, and for each room D2L_USED_BY_<room> and D2L_LAYERS_OF_<room>, from the bottom up.
file(STRINGS "${layers}" lines REGEX "^[a-z[]")
set(D2L_ALL_ROOMS)
foreach(line IN LISTS lines)
  if(line MATCHES "^\\[([a-z]+)\\](.*)$")
    set(room ${CMAKE_MATCH_1})
    list(APPEND D2L_ALL_ROOMS ${room})
    string(REGEX MATCHALL "[a-z]+" D2L_USED_BY_${room} "${CMAKE_MATCH_2}")
  else()
    string(REGEX REPLACE ":.*" "" folders "${line}")
    separate_arguments(folders)
    list(APPEND D2L_LAYERS_OF_${room} ${folders})
  endif()
endforeach()

set(D2L_BUILT_ROOMS ${D2L_ALL_ROOMS})
if(D2L_ROOMS)
  set(wanted)
  foreach(room IN LISTS D2L_ROOMS)
    if(room STREQUAL "course")
      message(FATAL_ERROR "D2L_ROOMS=course: the course needs all rooms and the lessons. Leave D2L_ROOMS empty.")
    endif()
    if(NOT room IN_LIST D2L_ALL_ROOMS)
      set(all ${D2L_ALL_ROOMS})
      list(REMOVE_ITEM all course)
      list(JOIN all ", " all)
      message(FATAL_ERROR "D2L_ROOMS: there is no room ${room} to build alone. These can be: ${all}.")
    endif()
    list(APPEND wanted ${room} ${D2L_USED_BY_${room}})
  endforeach()
  list(JOIN wanted "|" wanted)
  list(FILTER D2L_BUILT_ROOMS INCLUDE REGEX "^(${wanted})$")
endif()

# d2l_room_includes(OUT ROOM…): the folders of the public headers of rooms.
function(d2l_room_includes out)
  set(folders ${ARGN})
  list(TRANSFORM folders REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/common/\\1/include")
  set(${out} ${folders} PARENT_SCOPE)
endfunction()

# d2l_use_rooms(TARGET ROOM…): a target of the project includes all headers of rooms, those of src too. The emulator, whose headers
# are CUDA's, is used by its own targets.
function(d2l_use_rooms target)
  list(REMOVE_ITEM ARGN emulator)
  d2l_room_includes(public ${ARGN})
  set(private ${ARGN})
  list(TRANSFORM private REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/common/\\1/src")
  target_include_directories(${target} PRIVATE ${public} ${private})
endfunction()

# d2l_add_layer(ROOM FOLDER): adds the sources of a folder to a room. Those of the CUDA backend on emulated cards have a target of
# their own.
function(d2l_add_layer room folder)
  set(target d2l_${room})
  if(TARGET d2l_emulated_backend AND folder MATCHES "/(backend|kernels)/cuda(/|$)")
    set(target d2l_emulated_backend)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.cu")
  target_sources(${target} PRIVATE ${sources})
endfunction()

# d2l_add_room(ROOM [UNUSED…]): the object library of a room from its layers, without the UNUSED ones. A folder with a
# CMakeLists.txt adds its sources itself.
function(d2l_add_room room)
  set(target d2l_${room})
  add_library(${target} OBJECT)
  d2l_use_rooms(${target} ${room} ${D2L_USED_BY_${room}})
  # Loops over elements are in the kernels of kernels/cpu, which have options of their own. For all else the time of a build
  # matters more.
  if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[23]")
    target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
  endif()
  target_link_libraries(${target} PRIVATE
    Threads::Threads OpenMP::OpenMP_CXX fmt::fmt nlohmann_json::nlohmann_json d2l_warnings)
  target_sources(d2l_common PRIVATE $<TARGET_OBJECTS:${target}>)
  list(JOIN ARGN "|" unused)
  foreach(folder IN LISTS D2L_LAYERS_OF_${room})
    set(path "${CMAKE_CURRENT_SOURCE_DIR}/src/${folder}")
    if(unused AND folder MATCHES "^(${unused})(/|$)")
      continue()
    elseif(EXISTS "${path}/CMakeLists.txt")
      add_subdirectory("${path}")
    else()
      d2l_add_layer(${room} "${path}")
    endif()
  endforeach()
  if(TARGET d2l_machine AND NOT room STREQUAL "machine")
    d2l_precompiled_as(${target} d2l_machine)
  else()
    d2l_precompile(${target}
      algorithm array cstdint fmt/format.h fmt/ranges.h functional map memory mutex optional string string_view utility vector)
  endif()
  d2l_join_sources(${target})
endfunction()

# d2l_add_unit_tests(FOLDER…): folders of a room's tests for the program d2l_tests. A folder with a CMakeLists.txt adds its sources
# itself.
function(d2l_add_unit_tests)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/tests/")
  set_property(GLOBAL APPEND PROPERTY D2L_UNIT_TESTS ${ARGN})
endfunction()
