# SPDX-License-Identifier: MIT
# Reads the description of the course, chapters/*/chapter.json:
#   D2L_COURSE_LESSONS    their sources, relative to chapters: 1_gpus/2_2_copying.cpp
#   D2L_COURSE_EXERCISES  their folders, relative to exercises: 1_gpus/3_frobenius_log
#   D2L_DRAFTS            those of both that are not finished
#   D2L_NUMBER_<name>, D2L_TITLE_<name>  number and title of an exercise
#   D2L_SECTION_NUMBERS   the numbers of all sections

# d2l_json_get(OUT JSON DEFAULT PATH...): a value, or DEFAULT where there is none.
function(d2l_json_get out json default)
  string(JSON value ERROR_VARIABLE missing GET "${json}" ${ARGN})
  if(missing)
    set(value "${default}")
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# d2l_json_elements(OUT JSON ARRAY): the numbers of the elements of an array; empty where there is no array.
function(d2l_json_elements out json array)
  string(JSON length ERROR_VARIABLE missing LENGTH "${json}" ${array})
  set(elements)
  if(NOT missing AND length GREATER 0)
    math(EXPR last "${length} - 1")
    foreach(i RANGE ${last})
      list(APPEND elements ${i})
    endforeach()
  endif()
  set(${out} ${elements} PARENT_SCOPE)
endfunction()

# d2l_require_described(FOLDER FILES DESCRIBED WHAT): stops at a file that no chapter.json describes, and at one that is missing.
function(d2l_require_described folder files described what)
  foreach(name IN LISTS files)
    if(NOT name IN_LIST described)
      message(FATAL_ERROR "${folder}/${name} is not in the chapter.json of its chapter.\n"
                          "Add it there, or let ./learn new ${what} NUMBER \"TITLE\" make the files.")
    endif()
  endforeach()
  foreach(name IN LISTS described)
    if(NOT EXISTS "${PROJECT_SOURCE_DIR}/${folder}/${name}")
      message(FATAL_ERROR "${folder}/${name} is missing, and chapters/*/chapter.json describes it.")
    endif()
  endforeach()
endfunction()

# d2l_exercise_language(OUT EXERCISE): cu for an exercise with a stub.cu, whose answers are .cu files, else cpp.
function(d2l_exercise_language out exercise)
  set(${out} cpp PARENT_SCOPE)
  if(EXISTS "${PROJECT_SOURCE_DIR}/exercises/${exercise}/stub.cu")
    set(${out} cu PARENT_SCOPE)
  endif()
endfunction()

file(GLOB descriptions CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/chapters/*/chapter.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${descriptions})
foreach(description IN LISTS descriptions)
  get_filename_component(chapter "${description}" DIRECTORY)
  get_filename_component(chapter "${chapter}" NAME)
  file(READ "${description}" json)
  d2l_json_elements(elements "${json}" sections)
  foreach(i IN LISTS elements)
    string(JSON number GET "${json}" sections ${i} number)
    list(APPEND D2L_SECTION_NUMBERS "${number}")
    d2l_json_get(file "${json}" "" sections ${i} file)
    if(file)
      list(APPEND D2L_COURSE_LESSONS "${chapter}/${file}")
      d2l_json_get(draft "${json}" OFF sections ${i} draft)
      if(draft)
        list(APPEND D2L_DRAFTS "${chapter}/${file}")
      endif()
    endif()
  endforeach()
  d2l_json_elements(elements "${json}" exercises)
  foreach(i IN LISTS elements)
    string(JSON folder GET "${json}" exercises ${i} folder)
    list(APPEND D2L_COURSE_EXERCISES "${chapter}/${folder}")
    string(JSON D2L_NUMBER_${chapter}/${folder} GET "${json}" exercises ${i} number)
    string(JSON D2L_TITLE_${chapter}/${folder} GET "${json}" exercises ${i} title)
    d2l_json_get(draft "${json}" OFF exercises ${i} draft)
    if(draft)
      list(APPEND D2L_DRAFTS "${chapter}/${folder}")
    endif()
  endforeach()
endforeach()

file(GLOB sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/chapters" "${PROJECT_SOURCE_DIR}/chapters/*/*.cpp"
  "${PROJECT_SOURCE_DIR}/chapters/*/*.cu")
d2l_require_described(chapters "${sources}" "${D2L_COURSE_LESSONS}" lesson)
file(GLOB folders CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/exercises" "${PROJECT_SOURCE_DIR}/exercises/*/*/exercise.h")
list(TRANSFORM folders REPLACE "/exercise.h$" "")
d2l_require_described(exercises "${folders}" "${D2L_COURSE_EXERCISES}" exercise)
if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/solutions")
  file(GLOB solutions CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/solutions" "${PROJECT_SOURCE_DIR}/solutions/*/*.cpp"
    "${PROJECT_SOURCE_DIR}/solutions/*/*.cu")
  set(solved)
  foreach(name IN LISTS D2L_COURSE_EXERCISES)
    d2l_exercise_language(language "${name}")
    list(APPEND solved "${name}.${language}")
  endforeach()
  d2l_require_described(solutions "${solutions}" "${solved}" exercise)
endif()
