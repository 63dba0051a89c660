// SPDX-License-Identifier: MIT
// The code in "What to try next" of the lessons, compiled with the names of the lessons.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "d2l/d2l.h"

namespace d2l {
namespace {

std::set<std::string> tried;

// NOLINTBEGIN(cppcoreguidelines-macro-usage): the text of the code is needed
#define TRY_STATEMENT(...)    \
  tried.insert(#__VA_ARGS__); \
  __VA_ARGS__
#define TRY_VALUE(...)        \
  tried.insert(#__VA_ARGS__); \
  static_cast<void>(__VA_ARGS__)
#define TRY_OPTION(...)       \
  tried.insert(#__VA_ARGS__); \
  static_cast<void>(Trainer({__VA_ARGS__}))
// NOLINTEND(cppcoreguidelines-macro-usage)

void try_all() {
  const Tensor X = ones({2, 3}, try_gpu());
  const Tensor Y = ones({2, 3}, try_gpu(1));
  const Tensor Z = X.to(Y.device());
  const Tensor same = Z;
  TRY_VALUE(Y + Z);
  TRY_STATEMENT(Tensor handle = same;)
  TRY_STATEMENT(handle += 1;)
  if (num_gpus() >= 2) {
    TRY_VALUE(X.cpu().cuda(1));
  }
  TRY_VALUE(tensor({1, 2, 3}, try_gpu()));
  TRY_VALUE(ones({2, 4}, try_gpu()));
  TRY_VALUE(nn::Sequential(nn::LazyLinear(256), nn::ReLU(), nn::LazyLinear(10)));
  TRY_OPTION(.gradient_clip_val = 1);
  TRY_STATEMENT(const TransferGuard guard(TransferGuard::log);)
}

TEST(WhatToTryNext, NamesCodeThatCompiles) {
  try_all();
  const std::regex span("`([^`]+)`");
  int found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(D2L_ROOT "/chapters")) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream in(entry.path());
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t begin = text.find("## What to try next");
    if (begin == std::string::npos) continue;
    text = std::regex_replace(text.substr(begin), std::regex("\n *// *"), " ");
    for (std::sregex_iterator match(text.begin(), text.end(), span); match != std::sregex_iterator(); ++match) {
      const std::string code = (*match)[1];
      const bool command = code.find("D2L_") != std::string::npos || code.starts_with("./learn");
      if (command || code.find_first_of(" ;") == std::string::npos) continue;
      EXPECT_TRUE(tried.contains(code)) << entry.path() << ": add `" << code << "` to this test";
      ++found;
    }
  }
  EXPECT_GT(found, 5);
}

}  // namespace
}  // namespace d2l
