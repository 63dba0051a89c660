// SPDX-License-Identifier: MIT
// For tests: the messages of errors, and code that needs a process of its own.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "d2l/error.h"
#include "gtest/gtest.h"

namespace d2l::tests {

/// The message of the E that `call` throws; empty if it throws none.
template <class E = Error, class Call>
std::string message_of(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const E& error) {
    return error.what();
  }
  return {};
}

/// Whether `text` contains `part`, with both in the message of a failure.
inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << '"' << part << "\" is not in \"" << text << '"';
}

/// For EXPECT_EXIT: runs `body` in a process that has used no device yet. Exits with 0 if it returns true, 1 if it
/// returns false, and 2, with the message on standard error, if it throws.
template <class Body>
[[noreturn]] void in_own_process(const char* virtual_gpus, const Body& body) {
  setenv("D2L_VIRTUAL_GPUS", virtual_gpus, 1);
  try {
    std::exit(body() ? 0 : 1);
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    std::exit(2);
  }
}

/// Expects the exit code of `body` in such a process, and what it prints on standard error.
template <class Body>
void expect_own_process_exits(const char* virtual_gpus, int code, const char* says, const Body& body) {
  EXPECT_EXIT(in_own_process(virtual_gpus, body), ::testing::ExitedWithCode(code), says);
}

}  // namespace d2l::tests
