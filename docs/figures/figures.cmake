# SPDX-License-Identifier: MIT
# Draws figures/*.dot into the build folder; `drawn` lists the results.
file(GLOB dots CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.dot")
set(drawn "")
foreach(dot IN LISTS dots)
  get_filename_component(name "${dot}" NAME_WE)
  set(svg "${CMAKE_CURRENT_BINARY_DIR}/figures/${name}.svg")
  add_custom_command(OUTPUT "${svg}"
    COMMAND ${CMAKE_COMMAND} "-DDOT=${DOXYGEN_DOT_EXECUTABLE}" "-DFROM=${dot}" "-DTO=${svg}"
      -P "${CMAKE_CURRENT_LIST_DIR}/inline_svg.cmake"
    DEPENDS "${dot}" "${CMAKE_CURRENT_LIST_DIR}/inline_svg.cmake" VERBATIM)
  list(APPEND drawn "${svg}")
endforeach()
