# SPDX-License-Identifier: MIT
# d2l_test_on_emulated_cards(): the tests of the CUDA backend without a card, in a build with D2L_CUDA=EMULATED.

# d2l_test_on_emulated_cards(NAME MEMORY COMMAND…): adds the tests emulated1.NAME, emulated1_slices2.NAME, emulated2.NAME and so
# on, which run the command on that many cards with MEMORY each, or on slices of them. The words GPU_CONFIGURATION and TEST_NAME
# in the command are replaced.
function(d2l_test_on_emulated_cards name memory)
  if(NOT D2L_CUDA STREQUAL "EMULATED")
    return()
  endif()
  foreach(cards 1 2 4)
    foreach(slices 0 2)
      set(test emulated${cards})
      set(configuration gpu)
      set(environment D2L_EMULATED_CARDS=${cards}:${memory})
      if(slices)
        string(APPEND test _slices${slices})
        set(configuration gpu_virtual${slices})
        list(APPEND environment D2L_VIRTUAL_GPUS=${slices}:128MiB)
      endif()
      string(REPLACE GPU_CONFIGURATION ${configuration} command "${ARGN}")
      string(REPLACE TEST_NAME ${test}.${name} command "${command}")
      add_test(NAME ${test}.${name} COMMAND ${command})
      set_tests_properties(${test}.${name} PROPERTIES LABELS emulated ENVIRONMENT "${environment}" TIMEOUT 900
        SKIP_RETURN_CODE 77)
    endforeach()
  endforeach()
endfunction()
