# SPDX-License-Identifier: MIT
# An instructor's own checks: one in place of the course's, one for a new exercise, and one that does not compile.
file(REMOVE_RECURSE "${FOLDER}")
set(exercise section_1_try_all_gpus)
set(checks "${FOLDER}/checks/1_gpus")
file(READ "${COURSE}/exercises/1_gpus/${exercise}/check.cpp" check)
string(REPLACE "\"gpus\"" "\"all_of_them\"" check "${check}")
file(WRITE "${checks}/${exercise}/check.cpp" "${check}")
file(WRITE "${checks}/9_sum/exercise.h" "// # A sum\n#pragma once\n\nint total_of(int a, int b);\n")
file(WRITE "${checks}/9_sum/check.cpp" "#include \"d2l/check.h\"
#include \"exercise.h\"

namespace d2l::check {
std::vector<Item> items() { return {{\"sum\", 3, Kind::result, \"the sum is right\", 1}}; }
Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  inputs.put(\"a\", seed % 100);
  return inputs;
}
void run(const Inputs& inputs, Outcome& outcome) { outcome.put(\"sum\", total_of(int(inputs.integer(\"a\")), 2)); }
void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item(\"sum\", [&](ItemJudgement& item) {
    item.equal(inputs.integer(\"a\") + 2, outcome.integer(\"sum\"), \"as the sum\");
  });
}
}  // namespace d2l::check
")
set(student "${FOLDER}/submissions/student")
configure_file("${COURSE}/solutions/1_gpus/${exercise}.cpp" "${student}/1_gpus/${exercise}.cpp" COPYONLY)
file(WRITE "${student}/9_sum/exercise.cpp"
  "#include \"exercise.h\"\n#include \"helper.h\"\n\nint total_of(int a, int b) { return added(a, b); }\n")
file(WRITE "${student}/9_sum/helper.h" "inline int added(int a, int b) { return a + b; }\n")

function(grade expected)
  execute_process(COMMAND "${GRADE}" "${FOLDER}/submissions" --course "${COURSE}" --build "${BUILD}" --virtual-gpus
      2:64MiB@host --checks "${FOLDER}/checks" --report "${FOLDER}/report.json" --jobs 1
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(output MATCHES "Nothing here keeps a submission")
    message("Skipped: this machine has no sandbox")
  elseif(NOT code EQUAL expected)
    message(SEND_ERROR "expected the exit code ${expected}, got ${code}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

grade(0)
if(output MATCHES "Nothing here keeps a submission")
  return()
endif()
file(READ "${FOLDER}/report.json" report)
foreach(found "\"name\": \"all_of_them\"" "\"number\": \"1.5.9\"" "\"title\": \"A sum\"" "\"what\": \"the sum is right\"")
  string(FIND "${report}" "${found}" at)
  if(at EQUAL -1)
    message(SEND_ERROR "the report lacks ${found}")
  endif()
endforeach()
string(JSON points GET "${report}" students 0 points)
if(NOT points EQUAL 8)
  message(SEND_ERROR "expected 5 points for the list and 3 for the sum, got ${points}")
endif()

file(WRITE "${checks}/9_sum/check.cpp" "nonsense\n")
grade(1)
if(NOT output MATCHES "9_sum/check.cpp does not compile")
  message(SEND_ERROR "expected it to say which check does not compile")
endif()
