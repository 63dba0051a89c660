// SPDX-License-Identifier: MIT
// The main() of all unit tests. It reports Skipped if the tests need a physical GPU and there is none.
#include <cstdio>
#include <cstdlib>

#include "backend/backend.h"
#include "gtest/gtest.h"

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  if (std::getenv("D2L_TESTS_NEED_GPU") != nullptr && d2l::backend::cuda_backend().device_count() == 0) {
    std::puts("Skipped: these tests need a physical GPU, and none is here.");
    return 77;
  }
  return RUN_ALL_TESTS();
}
