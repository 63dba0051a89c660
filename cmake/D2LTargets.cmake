# SPDX-License-Identifier: MIT
# d2l_add_lesson(): the only place that creates a lesson's target and tests.

# A finished lesson has expected outputs in the first four configurations. Those of a physical GPU are optional. A .cu
# lesson runs kernels, so it has no output without a GPU.
set(D2L_LESSON_CONFIGURATIONS none virtual1 virtual2 virtual4)
set(D2L_LESSON_GPU_CONFIGURATIONS gpu gpu_virtual2 gpu_virtual4)

# d2l_add_lesson(NAME): 1_gpus/2_2_copying.cpp becomes the target lesson_1_gpus_2_2_copying and the tests
# lesson.1_gpus.2_2_copying.virtual2 and so on, which compare its output with expected/2_2_copying.virtual2.txt. Tests on
# virtual GPUs run the emulated program of a .cu file, those on a card nvcc's.
function(d2l_add_lesson name)
  set(file "${PROJECT_SOURCE_DIR}/chapters/${name}")
  get_filename_component(section "${name}" NAME_WE)
  get_filename_component(chapter "${name}" DIRECTORY)
  set(target "lesson_${chapter}_${section}")
  if(NOT TARGET lessons)
    add_custom_target(lessons)
  endif()
  d2l_program(${target} "${file}")
  d2l_programs(programs ${target})
  add_dependencies(lessons ${programs})
  foreach(program IN LISTS programs)
    target_link_libraries(${program} PRIVATE d2l::common d2l_lesson d2l_warnings)
  endforeach()
  if(file MATCHES "\\.cpp$")  # its code calls the library, as that of an exercise does
    target_compile_options(${target} PRIVATE ${D2L_EXERCISE_OPTIONS})
    d2l_precompiled_as(${target} d2l_exercise_headers)
  endif()
  if(D2L_TESTS)
    set(draft)
    if(name IN_LIST D2L_DRAFTS)
      set(draft --draft)
    else()
      set_property(GLOBAL APPEND PROPERTY D2L_LESSONS "${file}")  # those of the site
    endif()
    d2l_test_lesson(${target} ${chapter} ${section} "${file}" "${draft}")
  endif()
endfunction()

# d2l_lesson_check(OUT TARGET CHAPTER SECTION SOURCE CONFIGURATION CELLS): the command that runs a lesson in a
# configuration, writes the capture CELLS, and compares.
function(d2l_lesson_check out target chapter section source configuration cells)
  get_filename_component(folder "${source}" DIRECTORY)
  file(RELATIVE_PATH build "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
  set(${out} d2l_capture check $<TARGET_FILE:${target}> --expected "${folder}/expected" --section ${section}
    --configuration ${configuration} --source "${source}" --cells "${cells}"
    --again "cmake --build ${build} --target capture_${chapter}_${section}" PARENT_SCOPE)
endfunction()

# d2l_test_lesson_watched(PROGRAM CHAPTER SECTION): a lesson with kernels also runs while they are checked, and while they are
# counted.
set(D2L_LESSONS_WITH_A_RACE 6_barriers_and_races)
function(d2l_test_lesson_watched program chapter section)
  set(test lesson.${chapter}.${section})
  add_test(NAME ${test}.checked COMMAND ${program})
  add_test(NAME ${test}.counted COMMAND ${program})
  set_tests_properties(${test}.checked ${test}.counted PROPERTIES LABELS lesson TIMEOUT 120)
  set_tests_properties(${test}.checked PROPERTIES ENVIRONMENT "D2L_VIRTUAL_GPUS=2@host;D2L_CHECK_KERNELS=1")
  set_tests_properties(${test}.counted PROPERTIES ENVIRONMENT "D2L_VIRTUAL_GPUS=2@host;D2L_KERNEL_REPORT=1"
    PASS_REGULAR_EXPRESSION ", grid \\(")
  if(section IN_LIST D2L_LESSONS_WITH_A_RACE)  # the report of another fault does not count
    set_tests_properties(${test}.checked PROPERTIES PASS_REGULAR_EXPRESSION "(^|\n)race at ${section}\\.cu:[0-9]+: kernel"
      FAIL_REGULAR_EXPRESSION "out of bounds|host memory|null pointer|uninitialised|divergent")
  endif()
endfunction()

function(d2l_test_lesson target chapter section source draft)
  d2l_programs(programs ${target})
  if(NOT TARGET capture)
    add_custom_target(capture COMMENT "The outputs of the lessons are in chapters/*/expected")
  endif()
  set(captures)
  d2l_configurations(configurations "${source}" ${D2L_LESSON_CONFIGURATIONS} ${D2L_LESSON_GPU_CONFIGURATIONS})
  get_filename_component(folder "${source}" DIRECTORY)
  foreach(configuration IN LISTS configurations)
    set(reference "${folder}/expected/${section}.${configuration}.txt")
    if(configuration IN_LIST D2L_LESSON_CONFIGURATIONS AND NOT draft AND NOT EXISTS "${reference}")
      message(FATAL_ERROR "${reference} is missing: the output of this lesson is not captured.\n"
                          "Write \"draft\": true into its entry of chapters/${chapter}/chapter.json, build the target "
                          "capture_${chapter}_${section}, read what it wrote, and remove the mark.")
    endif()
    d2l_program_for(program ${target} ${configuration})
    d2l_lesson_check(check ${program} ${chapter} ${section} "${source}" ${configuration}
      "${PROJECT_BINARY_DIR}/cells/${chapter}/${section}.${configuration}.json")
    list(APPEND captures COMMAND ${check} --capture)

    set(test "lesson.${chapter}.${section}.${configuration}")
    add_test(NAME ${test} COMMAND ${check} ${draft})
    set_tests_properties(${test} PROPERTIES LABELS lesson SKIP_RETURN_CODE 77 TIMEOUT 120)
    if(configuration IN_LIST D2L_LESSON_GPU_CONFIGURATIONS)
      set_tests_properties(${test} PROPERTIES LABELS gpu RESOURCE_LOCK gpu)  # some measure times
    endif()
  endforeach()

  d2l_lesson_check(check ${target} ${chapter} ${section} "${source}" GPU_CONFIGURATION
    "${PROJECT_BINARY_DIR}/cells/${chapter}/TEST_NAME.json")
  d2l_test_on_emulated_cards(lesson.${chapter}.${section} 2GiB ${check} --as-virtual ${draft})

  # On a terminal, the notice on virtual GPUs comes first, then the title.
  d2l_program_for(program ${target} virtual2)
  add_test(NAME lesson.${chapter}.${section}.terminal COMMAND ${program})
  set_tests_properties(lesson.${chapter}.${section}.terminal PROPERTIES LABELS lesson TIMEOUT 120
    ENVIRONMENT "D2L_VIRTUAL_GPUS=2@host;NO_COLOR=1" FAIL_REGULAR_EXPRESSION "(^|\n)error: "
    PASS_REGULAR_EXPRESSION "^2 virtual GPUs[^\n]*\n\n  [0-9.]+ [A-Z].*\n  What to try next\n")
  if(source MATCHES "\\.cu$")
    d2l_test_lesson_watched(${program} ${chapter} ${section})
  endif()
  add_custom_target(capture_${chapter}_${section} ${captures} DEPENDS ${programs} d2l_capture VERBATIM)
  add_dependencies(capture capture_${chapter}_${section})
endfunction()
