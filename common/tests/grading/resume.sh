#!/bin/sh
# SPDX-License-Identifier: MIT
# resume.sh GRADE COURSE BUILD FOLDER: a grading that is interrupted keeps what it has, and the next one goes on from there.
set -eu
grade=$1 course=$2 build=$3 folder=$4
exercise=section_1_try_all_gpus
rm -rf "$folder"
mkdir -p "$folder/submissions/a_right" "$folder/submissions/b_slow"
cp "$course/solutions/1_gpus/$exercise.cpp" "$folder/submissions/a_right/"
sed 's/return devices;/for (;;) usleep(1000000);/; 1i #include <unistd.h>' "$course/solutions/1_gpus/$exercise.cpp" \
  >"$folder/submissions/b_slow/$exercise.cpp"

run() {
  exec "$grade" "$folder/submissions" --course "$course" --build "$build" --report "$folder/report.json" --jobs 1 \
    --seconds 20 --virtual-gpus 1:64MiB@host "$@"
}
run >"$folder/first" 2>&1 &
grading=$!
while ! ls "$folder/report.json.partial/"*.json >/dev/null 2>&1; do
  kill -0 "$grading" 2>/dev/null || {
    cat "$folder/first"
    grep -q "Nothing here keeps a submission" "$folder/first" && echo "Skipped: this machine has no sandbox"
    exit 1
  }
  sleep 0.1
done
kill -TERM "$grading"
code=0
wait "$grading" || code=$?
cat "$folder/first"
[ "$code" = 1 ] || { echo "expected the exit code 1 of an interrupted grading, got $code"; exit 1; }
grep -q "goes on where this one was interrupted" "$folder/first"
[ ! -e "$folder/report.json" ] || { echo "an interrupted grading wrote a report"; exit 1; }

cp "$course/solutions/1_gpus/$exercise.cpp" "$folder/submissions/b_slow/"
before=$(cat "$folder/report.json.partial/seed")
run | tee "$folder/second"
grep -q "^1 result is of the interrupted grading" "$folder/second"
grep -q "\"seed\": $before," "$folder/report.json"
[ ! -e "$folder/report.json.partial" ] || { echo "a finished grading left its notes"; exit 1; }
[ "$(grep -c '"verdict": "pass"' "$folder/report.json")" -ge 2 ]
