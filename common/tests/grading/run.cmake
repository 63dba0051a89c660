# SPDX-License-Identifier: MIT
# Lays out all submissions, and grades them.
file(REMOVE_RECURSE "${FOLDER}")
set(SUBMISSIONS "${FOLDER}/submissions")
set(SENTINEL "${FOLDER}/others/sentinel")
set(PROJECT_SOURCE_DIR "${COURSE}")
file(WRITE "${SENTINEL}" "belongs to somebody else\n")
file(CHMOD "${FOLDER}/others" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE WORLD_READ WORLD_WRITE WORLD_EXECUTE)

get_filename_component(here "${CMAKE_CURRENT_LIST_DIR}" ABSOLUTE)
set(exercise section_1_try_all_gpus)
file(GLOB sources "${here}/submissions/*.cpp.in")
foreach(source IN LISTS sources)
  get_filename_component(name "${source}" NAME_WE)
  file(STRINGS "${source}" named LIMIT_COUNT 1 REGEX "^// Exercise: ")
  string(REPLACE "// Exercise: " "" named "${named}")
  if(NOT named)
    set(named ${exercise})
  endif()
  configure_file("${source}" "${SUBMISSIONS}/${name}/${named}.cpp" @ONLY)
endforeach()

# Names that a report must not take for what they look like.
foreach(name "=cmd()" "<b>bold & 'quoted'" "with, comma \"and\" quotes" "-1+1")
  configure_file("${here}/submissions/right.cpp.in" "${SUBMISSIONS}/${name}/${exercise}.cpp" @ONLY)
endforeach()

# What students hand in that is no folder of theirs.
set(packed "${FOLDER}/packed")
configure_file("${here}/submissions/right.cpp.in" "${packed}/exercises/1_gpus/${exercise}/exercise.cpp" @ONLY)
file(SHA256 "${packed}/exercises/1_gpus/${exercise}/exercise.cpp" hash)
file(WRITE "${packed}/manifest.json" "{\"format\": 1, \"course\": \"0.1.0\", \"files\": [{\"path\": "
  "\"exercises/1_gpus/${exercise}/exercise.cpp\", \"sha256\": \"${hash}\"}]}\n")
function(pack archive)
  execute_process(COMMAND tar -czf "${SUBMISSIONS}/${archive}" ${ARGN} COMMAND_ERROR_IS_FATAL ANY ERROR_QUIET)
endfunction()
pack(archive.tar.gz -C "${packed}" exercises manifest.json)
pack(leading_out_archive.tar.gz -C "${packed}" -P --transform=s,^manifest.json,../../../../led_out, manifest.json
  exercises)
execute_process(COMMAND head -c 400000000 /dev/zero OUTPUT_FILE "${packed}/zeros")
pack(large_archive.tar.gz -C "${packed}" zeros exercises)
file(REMOVE "${packed}/zeros")
file(WRITE "${SUBMISSIONS}/broken_archive.tar.gz" "this is no archive\n")
file(WRITE "${SUBMISSIONS}/not_an_archive.zip" "PK\n")
file(MAKE_DIRECTORY "${SUBMISSIONS}/nothing" "${SUBMISSIONS}/link_to_solution")
file(CREATE_LINK "${COURSE}/solutions/1_gpus/${exercise}.cpp" "${SUBMISSIONS}/link_to_solution/${exercise}.cpp" SYMBOLIC)

set(options --seconds 2 --memory 512 --seed 7 --virtual-gpus 2:64MiB@host)
if(WALLS STREQUAL "landlock")
  list(APPEND options --no-bubblewrap)
endif()
execute_process(
  COMMAND "${GRADE}" "${SUBMISSIONS}" --course "${COURSE}" --build "${BUILD}" ${options} --report "${FOLDER}/report.json"
    --junit "${FOLDER}/report.xml" --csv "${FOLDER}/report.csv" --html "${FOLDER}/report.html"
    --gradescope "${FOLDER}/gradescope"
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(output MATCHES "Nothing here keeps a submission")
  message("Skipped: this machine has no sandbox")
elseif(NOT code EQUAL 0)
  message(FATAL_ERROR "expected the exit code 0, got ${code}")
endif()
