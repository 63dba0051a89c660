# SPDX-License-Identifier: MIT
# Writes grading_kit.json, from which ./learn grade compiles, links and judges submissions without CMake, and adds the
# target grading_kit, which builds the files that it names. The tree for students has neither.
if(NOT TARGET learn_grade)
  return()
endif()
# d2l_json_list(OUT VALUE…): sets OUT to ["a","b"]; a value may be a generator expression that evaluates to a list.
function(d2l_json_list out)
  set(texts)
  foreach(value IN LISTS ARGN)
    list(APPEND texts "\"$<JOIN:${value},\",\">\"")
  endforeach()
  list(JOIN texts "," texts)
  set(${out} "[${texts}]" PARENT_SCOPE)
endfunction()

# d2l_add_judge(TARGET CHECK LANGUAGE): the program that judges outcomes by a check. It does not call the check's run(): the
# linker leaves it out, and with it the functions that students write. What else names one of them is an error.
function(d2l_add_judge target check language)
  add_executable(${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/exercises/judges")
  if(NOT D2L_TESTS OR D2L_SANITIZER)  # there are no tests of grading
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  target_link_libraries(${target} PRIVATE d2l_judge ${check})
  if(language STREQUAL "cu")
    target_link_libraries(${target} PRIVATE d2l::cuda_emulator)
  endif()
  target_link_options(${target} PRIVATE -Wl,--gc-sections)
  d2l_link_quickly(${target})
endfunction()

function(d2l_write_grading_kit)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  set(sanitizer)
  if(D2L_SANITIZER)
    set(sanitizer -fsanitize=${D2L_SANITIZER})
  endif()
  list(APPEND flags -O1 ${sanitizer} ${CMAKE_CXX20_STANDARD_COMPILE_OPTION} ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
  separate_arguments(link_flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}")
  list(APPEND link_flags ${sanitizer})
  if(D2L_HAS_GOLD AND NOT D2L_CUDA AND NOT D2L_SANITIZER)
    list(APPEND link_flags -fuse-ld=gold)
  endif()

  # The libraries that d2l_common, d2l_check and d2l_lesson need.
  set(libraries $<TARGET_FILE:OpenBLAS::OpenBLAS> $<TARGET_FILE:fmt::fmt> ${LibNl_ROUTE_LIBRARY} ${LibNl_LIBRARY})
  if(Gloo_FOUND)
    list(APPEND libraries $<TARGET_FILE:Gloo::Gloo>)
  endif()
  if(D2L_CUDA AND NOT D2L_CUDA STREQUAL "EMULATED")
    list(APPEND libraries $<TARGET_FILE:CUDA::cudart_static> $<TARGET_FILE:CUDA::cublas> -lrt)
  endif()
  separate_arguments(openmp UNIX_COMMAND "${OpenMP_CXX_FLAGS}")
  list(APPEND libraries ${OpenMP_CXX_LIBRARIES} ${openmp} -pthread ${CMAKE_DL_LIBS})
  list(TRANSFORM libraries REPLACE "^dl$" "-ldl")

  set(exercises)
  set(checks)
  foreach(name IN LISTS D2L_COURSE_EXERCISES)
    string(REPLACE "/" "_" id "${name}")
    d2l_json_list(objects $<TARGET_OBJECTS:check_${id}>)
    d2l_exercise_language(language "${name}")
    d2l_add_judge(judge_${id} check_${id} "${language}")
    list(APPEND exercises "{\"name\": \"${name}\", \"language\": \"${language}\", \"judge\": \"$<TARGET_FILE:judge_${id}>\",
   \"objects\": ${objects}}")
    list(APPEND checks judge_${id})
  endforeach()
  list(JOIN exercises ",\n  " exercises)

  # What submissions with kernels need. In a build for cards they cannot be graded.
  set(emulator null)
  if(NOT D2L_CUDA)
    set(options)
    foreach(option IN LISTS D2L_EXERCISE_TRANSLATED_OPTIONS)
      string(REGEX REPLACE "^SHELL:" "" option "${option}")
      separate_arguments(option)
      list(APPEND options ${option})
    endforeach()
    d2l_json_list(options ${options})
    d2l_thrust_options(thrust)
    d2l_json_list(thrust ${thrust})
    get_property(made GLOBAL PROPERTY D2L_MADE_HEADERS)
    set(emulator "{\"translator\": \"$<TARGET_FILE:d2l_cuda_translator>\", \"archive\": \"$<TARGET_FILE:d2l_cuda_emulator>\",
  \"include\": [\"${PROJECT_SOURCE_DIR}/common/emulator/include\", \"${made}\"],
  \"flags\": ${options}, \"thrust\": ${thrust}}")
  endif()

  d2l_json_list(flags ${flags})
  d2l_json_list(link_flags ${link_flags})
  d2l_json_list(libraries ${libraries})
  d2l_json_list(own_objects $<TARGET_OBJECTS:d2l_lesson>)
  d2l_json_list(own_libraries $<TARGET_FILE:d2l_check> $<TARGET_FILE:d2l_common>)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/grading_kit.json" CONTENT "{
 \"version\": \"${PROJECT_VERSION}\",
 \"compiler\": \"${CMAKE_CXX_COMPILER}\",
 \"compiler_id\": \"${CMAKE_CXX_COMPILER_ID}\",
 \"flags\": ${flags},
 \"link_flags\": ${link_flags},
 \"objects\": ${own_objects},
 \"judge\": \"$<TARGET_OBJECTS:d2l_judge>\",
 \"archives\": ${own_libraries},
 \"libraries\": ${libraries},
 \"emulator\": ${emulator},
 \"exercises\": [
  ${exercises}]
}
")
  add_custom_target(grading_kit DEPENDS learn_grade)
  add_dependencies(grading_kit d2l_lesson d2l_check d2l_common ${checks})
  if(NOT D2L_CUDA)
    add_dependencies(grading_kit d2l_cuda_translator d2l_cuda_emulator)
  endif()
endfunction()
d2l_write_grading_kit()
