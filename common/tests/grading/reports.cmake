# SPDX-License-Identifier: MIT
# The reports of a run, read by Python's parsers.
include("${CMAKE_CURRENT_LIST_DIR}/report.cmake")
if(skipped)
  return()
endif()
find_program(python NAMES python3)
if(NOT python)
  message("Skipped: there is no python3, whose parsers read the reports")
  return()
endif()
execute_process(COMMAND "${python}" "${CMAKE_CURRENT_LIST_DIR}/reports.py" "${FOLDER}" COMMAND_ERROR_IS_FATAL ANY)
