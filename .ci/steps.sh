# SPDX-License-Identifier: MIT
# For .ci/run and .ci/checks: steps with logs in build/ci, of which the first failure ends the run.
# shellcheck shell=bash
logs=build/ci
jobs=$(nproc)
passed=0 failed=0 skipped=0 table=
export CI=true NO_COLOR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 D2L_WERROR=ON
# OpenMP's runtime is not instrumented; it reads this from the environment and otherwise warns on the standard error.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE D2L_VIRTUAL_GPUS
# From this time on, in seconds since 1970, the steps of step_in_time are left out; 0 is never.
export D2L_CI_UNTIL=${D2L_CI_UNTIL:-0}
mkdir -p "$logs"

# step TITLE COMMAND...: runs a command with its output in a log.
step() {
  local title=$1 log began=$SECONDS code=0
  shift
  log="$logs/$(printf '%s' "$title" | tr -c 'A-Za-z0-9\n' _).log"
  printf '== %s\n   %s\n' "$title" "$*"
  if [ -z "$limited" ]; then "$@" >"$log" 2>&1 || code=$?; else within_time "$@" >"$log" 2>&1 || code=$?; fi
  if [ -n "$limited" ] && [ "$code" -ge 124 ] && [ "$(date +%s)" -ge "$D2L_CI_UNTIL" ] && [ -z "$(failures "$log")" ]; then
    left_out "$title" "$((SECONDS - began))"
  elif [ "$code" != 0 ]; then
    tail -n 30 "$log"
    failures "$log"
    count_tests "$log"
    failed=$((failed > 0 ? failed : 1))
    printf '\nFAILED: %s\n  command: %s\n  log:     %s\n' "$title" "$*" "$log"
    finish
    exit 1
  else
    count_tests "$log"
    printf '   done in %d s%s\n' "$((SECONDS - began))" "$counted"
    table+=$(printf '%6d  %s%s' "$((SECONDS - began))" "$title" "$counted")$'\n'
  fi
}

# step_in_time TITLE COMMAND...: a step for which a slow machine has no time. It ends at D2L_CI_UNTIL, is counted as skipped then,
# and the table names it; a test that failed before counts.
limited=
step_in_time() {
  if [ "$D2L_CI_UNTIL" = 0 ]; then
    step "$@"
  elif [ "$(date +%s)" -lt "$D2L_CI_UNTIL" ]; then
    limited=1
    step "$@"
    limited=
  else
    printf '== %s\n' "$1"
    left_out "$1" 0
  fi
}
within_time() {
  # shellcheck disable=SC2046
  export -f $(compgen -A function)
  export machine jobs
  # At once: CTest would report tests that end by a milder signal as failed.
  timeout --signal=KILL "$((D2L_CI_UNTIL - $(date +%s)))" bash -c '"$@"' bash "$@"
}
left_out() { # left_out TITLE SECONDS
  printf '   left out: the time of this run is over\n'
  table+=$(printf '%6d  %s: LEFT OUT, the time of the run was over' "$2" "$1")$'\n'
  skipped=$((skipped + 1))
}

# What each failed test of a CTest log printed: its first 60 lines.
failures() {
  awk '/^ *[0-9]+\/[0-9]+ Test +#[0-9]+:/ { left = /Passed|\*\*\*Skipped/ ? 0 : 60 }
       /^ +Start +[0-9]+:/ { left = 0 }
       left > 0 { print; left-- }' "$1"
}

# Adds up the lines of CTest in a log: "  3/120 Test  #3: name ....   Passed    0.05 sec".
count_tests() {
  local ran ok without
  ran=$(grep -c -E '^ *[0-9]+/[0-9]+ Test +#[0-9]+:' "$1" || true)
  ok=$(grep -c -E '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed ' "$1" || true)
  without=$(grep -c -E '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*\*\*\*Skipped' "$1" || true)
  passed=$((passed + ok)) skipped=$((skipped + without)) failed=$((failed + ran - ok - without))
  counted=
  [ "$ran" = 0 ] || counted=": $ok passed, $((ran - ok - without)) failed, $without skipped"
}

# not_here TITLE REASON: a step that this machine cannot run.
not_here() {
  printf '== %s\n   skipped: %s\n' "$1" "$2"
  skipped=$((skipped + 1))
}

build() { cmake --build "$1" --parallel "$jobs" "${@:2}"; }
check() { ctest --test-dir "$1" --parallel "$jobs" --output-on-failure --no-tests=error "${@:2}"; }
