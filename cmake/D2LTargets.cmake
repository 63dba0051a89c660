# SPDX-License-Identifier: MIT
# d2l_add_lesson(): the only place that creates a lesson's target and tests.

# d2l_add_lesson(FILE): chapters/1_gpus/2_2_copying.cpp becomes the target lesson_1_gpus_2_2_copying.
function(d2l_add_lesson file)
  get_filename_component(section "${file}" NAME_WE)
  get_filename_component(folder "${file}" DIRECTORY)
  get_filename_component(chapter "${folder}" NAME)
  set(target "lesson_${chapter}_${section}")
  add_executable(${target} "${file}")
  target_link_libraries(${target} PRIVATE d2l::common d2l_lesson d2l_warnings)
endfunction()
