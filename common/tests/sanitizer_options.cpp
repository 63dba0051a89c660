// SPDX-License-Identifier: MIT
// The options of the sanitizers, compiled in so that a test runs the same from CTest and by hand.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-identifier"  // the names are the runtimes'
#endif

extern "C" {

const char* __tsan_default_options();
const char* __tsan_default_options() {
  // The system's OpenBLAS and OpenMP are not instrumented: their own synchronisation cannot be seen.
  return "ignore_noninstrumented_modules=1:halt_on_error=1";
}

const char* __ubsan_default_options();
const char* __ubsan_default_options() { return "print_stacktrace=1"; }

}  // extern "C"
