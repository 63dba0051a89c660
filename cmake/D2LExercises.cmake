# SPDX-License-Identifier: MIT
# d2l_add_exercise(): the only place that creates an exercise's targets and tests.

option(D2L_WRONG_SOLUTIONS "Build the wrong solutions, which prove the checks" ON)
option(D2L_WRONG_WITH_ONE_GPU "Run the wrong solutions with one virtual GPU too, not only without one and with two" OFF)

# The target of the preset exercises.
if(D2L_CHECK_EXERCISES)
  add_custom_target(exercises)
endif()
# All wrong solutions; the default build has none.
add_custom_target(wrong_solutions)

set(D2L_EXERCISE_CONFIGURATIONS none virtual1 virtual2 virtual4)
set(D2L_EXERCISE_GPU_CONFIGURATIONS gpu gpu_virtual2)

# d2l_add_exercise(NAME): 1_gpus/3_frobenius_log becomes exercise_1_gpus_3_frobenius_log, which links what the student
# wrote, and stub_…, solution_… and wrong_…_MISTAKE, which link the others; each with the exercise's check. The build makes
# the wrong solutions from the solution, by the edits in mistakes.md. An exercise
# with a stub.cu has .cu files in place of these, which are checked while they run in the emulator. With D2L_CUDA=ON the
# names are those of nvcc's programs; the emulated ones end in _emulated.
function(d2l_add_exercise exercise)
  set(folder "${PROJECT_SOURCE_DIR}/exercises/${exercise}")
  d2l_exercise_language(language "${exercise}")
  set(solution "${PROJECT_SOURCE_DIR}/solutions/${exercise}.${language}")
  get_filename_component(name "${exercise}" NAME)
  get_filename_component(chapter "${exercise}" DIRECTORY)
  set(id "${chapter}_${name}")
  d2l_mistakes(mistakes "${exercise}")
  d2l_require_parts("${exercise}" "${solution}" "${mistakes}")
  # The student edits exercise.cpp or exercise.cu; the repository has only the stub.
  if(NOT EXISTS "${folder}/exercise.${language}")
    configure_file("${folder}/stub.${language}" "${folder}/exercise.${language}" COPYONLY)
  endif()

  d2l_describe_exercise("${exercise}" ${id} description)
  set(check "${folder}/check.cpp" "${description}")
  if(EXISTS "${folder}/demonstration.cpp")
    list(APPEND check "${folder}/demonstration.cpp")
  endif()
  set(libraries check_${id})
  if(language STREQUAL "cu" AND D2L_CARD_PROGRAMS)
    list(APPEND libraries check_${id}_emulated)
  endif()
  foreach(library IN LISTS libraries)
    add_library(${library} OBJECT EXCLUDE_FROM_ALL ${check})
    target_include_directories(${library} PUBLIC "${folder}")
    target_link_libraries(${library} PUBLIC d2l_check PRIVATE d2l_warnings)
    target_compile_options(${library} PRIVATE ${D2L_CHECK_OPTIONS})
    if(language STREQUAL "cu")  # exercise.h may include <cuda_runtime.h>
      d2l_use_cuda_headers(${library})
    endif()
    d2l_precompiled_as(${library} d2l_check_headers)
  endforeach()

  d2l_exercise_program(exercise_${id} check_${id} "${folder}/exercise.${language}")
  # Unfinished code of a student must not stop other builds.
  d2l_programs(programs exercise_${id})
  set_target_properties(${programs} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  if(D2L_CHECK_EXERCISES)
    add_dependencies(exercises exercise_${id})
    add_test(NAME exercise.${chapter}.${name} COMMAND exercise_${id})
    set_tests_properties(exercise.${chapter}.${name} PROPERTIES LABELS exercise SKIP_RETURN_CODE 77 TIMEOUT 120)
  endif()
  if(NOT D2L_TESTS)
    if(EXISTS "${solution}")
      d2l_exercise_program(solution_${id} check_${id} "${solution}")
      d2l_programs(programs solution_${id})
      set_target_properties(${programs} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
    return()
  endif()

  d2l_exercise_program(stub_${id} check_${id} "${folder}/stub.${language}")
  d2l_link_quickly(stub_${id})
  d2l_test_exercise(stub_${id} exercise.${chapter}.${name}.stub stub stub)
  if(EXISTS "${solution}")
    d2l_exercise_program(solution_${id} check_${id} "${solution}")
    d2l_link_quickly(solution_${id})
    d2l_test_exercise(solution_${id} solution.${chapter}.${name} solution "${solution}")
    if(EXISTS "${folder}/demonstration.cpp")
      d2l_test_demonstration(solution_${id} solution.${chapter}.${name}.demonstration)
    endif()
  endif()
  if(NOT D2L_WRONG_SOLUTIONS OR NOT mistakes)  # the students' tree has none
    return()
  endif()
  set(wrong "${CMAKE_CURRENT_BINARY_DIR}/wrong/${exercise}")
  list(TRANSFORM mistakes REPLACE "(.+)" "${wrong}/\\1.${language}" OUTPUT_VARIABLE sources)
  add_custom_command(OUTPUT ${sources} COMMAND write_mistakes "${solution}" "${folder}/mistakes.md" "${wrong}"
    DEPENDS write_mistakes "${solution}" "${folder}/mistakes.md" COMMENT "Editing the solution of ${exercise}" VERBATIM)
  add_custom_target(mistakes_${id} ALL DEPENDS ${sources})  # each build stops at an edit that does not fit
  # They prove the check and not this machine, so the thorough tests build them, and not ./learn test.
  set(build_test exercise.${chapter}.${name}.wrong_build)
  cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
  add_test(NAME ${build_test} COMMAND ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}" --target wrong_${id} --parallel ${jobs})
  set_tests_properties(${build_test} PROPERTIES LABELS "exercise;thorough" FIXTURES_SETUP wrong_${id} RESOURCE_LOCK build
    PROCESSORS ${jobs} TIMEOUT 1500)
  add_custom_target(wrong_${id})
  add_dependencies(wrong_solutions wrong_${id})
  foreach(mistake IN LISTS mistakes)
    set(source "${wrong}/${mistake}.${language}")
    set(target wrong_${id}_${mistake})
    d2l_exercise_program(${target} check_${id} "${source}")
    d2l_link_quickly(${target})
    d2l_programs(programs ${target})
    set_target_properties(${programs} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    add_dependencies(${programs} mistakes_${id})
    add_dependencies(wrong_${id} ${programs})
    d2l_test_exercise(${target} exercise.${chapter}.${name}.wrong.${mistake} wrong "${source}" wrong_${id})
  endforeach()
endfunction()

# d2l_mistakes(OUT EXERCISE): the names of the mistakes in an exercise's mistakes.md.
function(d2l_mistakes out exercise)
  set(file "${PROJECT_SOURCE_DIR}/exercises/${exercise}/mistakes.md")
  set(names)
  if(EXISTS "${file}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(STRINGS "${file}" names REGEX "^## [a-z0-9_]+$")
    list(TRANSFORM names REPLACE "^## " "")
  endif()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# Stops when a part is missing. The tree for students has no solutions and no wrong ones.
function(d2l_require_parts exercise solution mistakes)
  d2l_exercise_language(language "${exercise}")
  foreach(part exercise.h stub.${language} hint.md check.cpp)
    if(NOT EXISTS "${PROJECT_SOURCE_DIR}/exercises/${exercise}/${part}")
      message(FATAL_ERROR "exercises/${exercise}/${part} is missing: an exercise has stub.cpp or stub.cu, exercise.h, "
                          "hint.md and check.cpp.")
    endif()
  endforeach()
  if(NOT IS_DIRECTORY "${PROJECT_SOURCE_DIR}/solutions")
    return()
  endif()
  set(least 4)
  if(D2L_NUMBER_${exercise} IN_LIST D2L_SECTION_NUMBERS)
    set(least 2)
  endif()
  list(LENGTH mistakes count)
  if(count LESS least AND NOT exercise IN_LIST D2L_DRAFTS)
    message(FATAL_ERROR "exercises/${exercise}/mistakes.md has ${count} mistakes and needs ${least}: plausible ones, "
                        "which prove that check.cpp finds them. Until then, write \"draft\": true into its entry of "
                        "chapter.json.")
  endif()
endfunction()

# d2l_describe_exercise(EXERCISE ID OUT): a source with the name, number and title of the exercise, for the check's main().
function(d2l_describe_exercise exercise id out)
  set(number "${D2L_NUMBER_${exercise}}")
  set(title "${D2L_TITLE_${exercise}}")
  set(declared "")
  set(demonstration "nullptr")
  if(EXISTS "${PROJECT_SOURCE_DIR}/exercises/${exercise}/demonstration.cpp")
    set(declared "void demonstrate();\n")
    set(demonstration "demonstrate")
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${id}.cpp")
  set(environment "")
  d2l_exercise_language(language "${exercise}")
  if(language STREQUAL "cu")  # before the emulator reads it, at the first __device__ variable
    set(environment "#include <cstdlib>
namespace {
[[gnu::constructor(101)]] void check_kernels() { setenv(\"D2L_CHECK_KERNELS\", \"1\", 0); }
}  // namespace
")
  endif()
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"description.h\"\n\n@environment@@declared@
const d2l::check::Description d2l::check::description{\"@exercise@\", \"@number@\", \"@title@\"};
void (*const d2l::check::demonstration)() = @demonstration@;\n" @ONLY)
  set(${out} "${source}" PARENT_SCOPE)
endfunction()

# An exercise calls the library, which does the work: more optimisation takes longer to compile than it saves. Its reports
# of crashes name lines of its source. A debugger needs more than that, and no optimisation.
set(D2L_EXERCISE_OPTIMISATION $<$<NOT:$<CONFIG:Debug>>:-O1>)
set(D2L_EXERCISE_OPTIONS ${D2L_EXERCISE_OPTIMISATION} $<$<NOT:$<CONFIG:Debug>>:-g1>)
set(D2L_EXERCISE_TRANSLATED_OPTIONS ${D2L_TRANSLATED_OPTIONS})
list(TRANSFORM D2L_EXERCISE_TRANSLATED_OPTIONS REPLACE "^-O2$" "-O1")
# The linker leaves the functions of a check that call the student's out of its judge.
set(D2L_CHECK_OPTIONS ${D2L_EXERCISE_OPTIMISATION} -ffunction-sections -fdata-sections)

# Without a compiler cache, all of these programs share one precompiled header, and so do all checks.
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/exercise_headers.cpp" CONTENT "int main() {}\n")
add_executable(d2l_exercise_headers EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/exercise_headers.cpp")
target_link_libraries(d2l_exercise_headers PRIVATE d2l::common d2l_warnings)
target_compile_options(d2l_exercise_headers PRIVATE ${D2L_EXERCISE_OPTIONS})
d2l_precompile(d2l_exercise_headers d2l/d2l.h)
add_library(d2l_check_headers OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/exercise_headers.cpp")
target_link_libraries(d2l_check_headers PUBLIC d2l_check PRIVATE d2l_warnings)
target_compile_options(d2l_check_headers PRIVATE ${D2L_CHECK_OPTIONS})
d2l_precompile(d2l_check_headers d2l/check.h d2l/d2l.h)

function(d2l_exercise_program target check source)
  set(D2L_TRANSLATED_OPTIONS ${D2L_EXERCISE_TRANSLATED_OPTIONS})  # for d2l_program()
  d2l_program(${target} "${source}")
  target_link_libraries(${target} PRIVATE ${check} d2l_lesson d2l_warnings)
  if(TARGET ${target}_emulated)
    target_link_libraries(${target}_emulated PRIVATE ${check}_emulated d2l_lesson d2l_warnings)
  endif()
  if(source MATCHES "\\.cu$")
    return()
  endif()
  target_compile_options(${target} PRIVATE ${D2L_EXERCISE_OPTIONS})
  d2l_precompiled_as(${target} d2l_exercise_headers)
endfunction()

# d2l_test_exercise(TARGET TEST KIND PROOF [FIXTURE]): runs a stub, a solution or a wrong one in every configuration, what must
# fail with at most two GPUs, and a wrong solution with one only if D2L_WRONG_WITH_ONE_GPU is on; prove_check says what PROOF is.
function(d2l_test_exercise target test kind proof)
  get_target_property(source ${target} SOURCES)
  string(REGEX REPLACE "\\.cu\\.cpp$" ".cu" source "${source}")
  d2l_configurations(configurations "${source}" ${D2L_EXERCISE_CONFIGURATIONS} ${D2L_EXERCISE_GPU_CONFIGURATIONS})
  set(labels exercise)
  set(gpu_labels gpu)
  if(kind STREQUAL "solution")
    set(labels solution)
  else()
    list(REMOVE_ITEM configurations virtual4)
  endif()
  if(kind STREQUAL "wrong")
    list(APPEND labels thorough)
    list(APPEND gpu_labels thorough)
    if(NOT D2L_WRONG_WITH_ONE_GPU)
      list(REMOVE_ITEM configurations virtual1)
    endif()
  endif()
  foreach(configuration IN LISTS configurations)
    d2l_program_for(program ${target} ${configuration})
    add_test(NAME ${test}.${configuration} COMMAND prove_check $<TARGET_FILE:${program}> ${proof} ${configuration}
      ${CMAKE_CURRENT_BINARY_DIR}/reports/${test}.${configuration}.json)
    set_tests_properties(${test}.${configuration} PROPERTIES LABELS "${labels}" TIMEOUT 120 SKIP_RETURN_CODE 77
      FIXTURES_REQUIRED "${ARGN}")
    if(configuration IN_LIST D2L_EXERCISE_GPU_CONFIGURATIONS)  # some measure times
      set_tests_properties(${test}.${configuration} PROPERTIES LABELS "${gpu_labels}" RESOURCE_LOCK gpu)
    endif()
  endforeach()
  if(kind STREQUAL "solution")
    d2l_test_on_emulated_cards(${test} 2GiB prove_check $<TARGET_FILE:${target}> ${proof} GPU_CONFIGURATION
      ${CMAKE_CURRENT_BINARY_DIR}/reports/TEST_NAME.json)
  endif()
endfunction()

# d2l_test_demonstration(TARGET TEST): the demonstration of a solution ends without an error, with GPUs and without.
function(d2l_test_demonstration target test)
  foreach(configuration none virtual2)
    set(gpus 0)
    if(configuration STREQUAL "virtual2")
      set(gpus "2:1GiB@host")
    endif()
    d2l_program_for(program ${target} ${configuration})
    add_test(NAME ${test}.${configuration} COMMAND ${program} --demonstrate)
    set_tests_properties(${test}.${configuration} PROPERTIES LABELS solution TIMEOUT 120
      ENVIRONMENT "D2L_VIRTUAL_GPUS=${gpus};D2L_CELLS=")
  endforeach()
endfunction()
