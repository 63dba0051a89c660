# SPDX-License-Identifier: MIT
# cmake -DPROGRAM=… -DFILE=… -P devices.cmake: a file saved from cuda:1 loads on a machine with one GPU or none.

# run(GPUS EXIT SAYS ARGUMENTS...): the program on that many virtual GPUs ends with EXIT and says what SAYS matches.
function(run gpus exit says)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env "D2L_VIRTUAL_GPUS=${gpus}" "${PROGRAM}" ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code STREQUAL exit OR NOT output MATCHES "${says}")
    message(FATAL_ERROR "${ARGN} on ${gpus} GPUs: expected ${exit} and \"${says}\", got ${code}:\n${output}")
  endif()
endfunction()

set(numbers "tensor\\(\\[\\[0., 1., 2.\\],\n *\\[3., 4., 5.\\]\\]")
run(2@host 0 "" save-from cuda:1 "${FILE}")
run(2@host 0 "${numbers}, device='cuda:1'\\)" load-onto cuda:1 "${FILE}")
run(1@host 0 "${numbers}, device='cuda:0'\\)" load-onto cuda:0 "${FILE}")
run(1@host 0 "${numbers}\\)" load-onto cpu "${FILE}")
run(0 0 "${numbers}\\)" load-onto cpu "${FILE}")
run(1@host 1 "asked for cuda:1, found 1 GPU" load-onto cuda:1 "${FILE}")
run(0 1 "asked for cuda:0, found no GPU" load-onto cuda:0 "${FILE}")
