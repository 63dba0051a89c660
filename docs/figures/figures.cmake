# SPDX-License-Identifier: MIT
# Draws figures/*.dot.in into the build folder; `drawn` lists the results.

# The rooms of common/layers.txt: a node with its layers from the top down, and an arrow to each room that it uses, unless another
# arrow leads there.
set(D2L_ROOM_NODES "")
set(D2L_ROOMS_IN_WORDS "")
foreach(room IN LISTS D2L_ALL_ROOMS)
  set(folders ${D2L_LAYERS_OF_${room}})
  set(which "its layers, from the top down, are")
  list(FILTER folders EXCLUDE REGEX "/")
  list(REVERSE folders)
  if(NOT folders)
    file(GLOB folders RELATIVE "${PROJECT_SOURCE_DIR}/common/${room}/src" "${PROJECT_SOURCE_DIR}/common/${room}/src/*")
    set(which "its folders are")
  endif()
  list(JOIN folders ", " folders)
  string(REGEX REPLACE "([^,]+, [^,]+, [^,]+, [^,]+,) " "\\1\\\\n" lines "${folders}")
  string(APPEND D2L_ROOM_NODES "  ${room} [label=\"common/${room}\\n${lines}\", style=\"rounded,bold\"]\n")
  set(uses ${D2L_USED_BY_${room}})
  set(direct ${uses})
  foreach(other IN LISTS uses)
    if(D2L_USED_BY_${other})
      list(REMOVE_ITEM direct ${D2L_USED_BY_${other}})
    endif()
  endforeach()
  foreach(used IN LISTS direct)
    string(APPEND D2L_ROOM_NODES "  ${room} -> ${used}\n")
  endforeach()
  list(JOIN uses " and " uses)
  if(NOT uses)
    set(uses "no other room")
  endif()
  string(APPEND D2L_ROOMS_IN_WORDS "\n// Alternative: The room ${room} uses ${uses}; ${which} ${folders}.")
endforeach()

file(GLOB dots CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.dot.in")
set(drawn "")
foreach(in IN LISTS dots)
  get_filename_component(name "${in}" NAME_WE)
  set(dot "${CMAKE_CURRENT_BINARY_DIR}/figures/${name}.dot")
  set(svg "${CMAKE_CURRENT_BINARY_DIR}/figures/${name}.svg")
  configure_file("${in}" "${dot}" @ONLY)
  add_custom_command(OUTPUT "${svg}"
    COMMAND ${CMAKE_COMMAND} "-DDOT=${DOXYGEN_DOT_EXECUTABLE}" "-DFROM=${dot}" "-DTO=${svg}"
      -P "${CMAKE_CURRENT_LIST_DIR}/inline_svg.cmake"
    DEPENDS "${dot}" "${CMAKE_CURRENT_LIST_DIR}/inline_svg.cmake" VERBATIM)
  list(APPEND drawn "${svg}")
endforeach()
