// SPDX-License-Identifier: MIT
// What the compiler says about frequent mistakes in the use of the library.
#include <gtest/gtest.h>

#include "base/root.h"
#include "base/run_limited.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

TEST(CompileMessages, AreASentenceForEachFrequentMistake) {
  const TemporaryFolder folder;
  folder.write("mistakes.cpp", R"(#include "d2l/show.h"
using namespace d2l;
struct A {};
void sequential() { nn::Sequential net(nn::Linear(2, 3), relu); }
void value() { show(A{}); }
void sizes() { const Tensor x = zeros(2, 3); }
void items(const nn::Sequential& net) { for (auto& [name, p] : net->named_parameters()) show(name); }
)");
  std::string said;
  Command command{COMPILER, "-std=c++20", "-fsyntax-only", folder / "mistakes.cpp"};
  for (const auto& headers : public_headers(COURSE)) command.insert(command.end(), {"-I", headers});
  EXPECT_NE(run_reading(command, folder.path(), [&](const std::string& line) { said += line + "\n"; }), 0);
  for (const char* sentence :
       {"each argument of Sequential is a module, such as nn::Linear(2, 3) or nn::ReLU(), not a function",
        "show() needs a value that repr() can print, or a repr() for this class",
        "the sizes of a tensor are a list in braces: zeros({2, 3})",
        "an item cannot be taken apart: use item.key() and item.value()"}) {
    EXPECT_TRUE(contains(said, sentence));
  }
}

}  // namespace
}  // namespace d2l::runner
