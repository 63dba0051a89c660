// SPDX-License-Identifier: MIT
// For tests of emulated cards: tests in processes of their own, on whole cards.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <typeinfo>

#include "backend/backend.h"
#include "backend/card_rig.h"
#include "gtest/gtest.h"

namespace d2l::tests {

inline CardRig rig() {
  return CardRig(std::shared_ptr<backend::Backend>(&backend::cuda_backend(), [](backend::Backend*) {}));
}

/// Ends the process with success if `test` returns true.
[[noreturn]] inline void end_with(const std::function<bool()>& test) {
  unsetenv("D2L_VIRTUAL_GPUS");
  try {
    std::exit(test() ? 0 : 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(2);
  }
}
#define EXPECT_IN_NEW_PROCESS(...) EXPECT_EXIT(::d2l::tests::end_with(__VA_ARGS__), ::testing::ExitedWithCode(0), "")

/// True if `work` throws an error of exactly this type.
template <class ErrorType>
bool throws(const std::function<void()>& work) {
  try {
    work();
  } catch (const ErrorType& error) {
    return typeid(error) == typeid(ErrorType);
  }
  return false;
}

}  // namespace d2l::tests
