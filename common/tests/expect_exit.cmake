# SPDX-License-Identifier: MIT
# cmake -DPROGRAM=… [-DARGUMENTS=a|b] -DEXIT=2 -DSAYS=REGEX -P expect_exit.cmake: runs a program, and fails unless it ends
# with the exit code EXIT and says what SAYS matches.
string(REPLACE "|" ";" arguments "${ARGUMENTS}")
execute_process(COMMAND "${PROGRAM}" ${arguments} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT code STREQUAL EXIT)
  message(FATAL_ERROR "expected the exit code ${EXIT}, got ${code}:\n${output}")
endif()
if(NOT output MATCHES "${SAYS}")
  message(FATAL_ERROR "expected it to say \"${SAYS}\", got:\n${output}")
endif()
if(output MATCHES "terminate called|Segmentation|core dumped")
  message(FATAL_ERROR "it crashed:\n${output}")
endif()
