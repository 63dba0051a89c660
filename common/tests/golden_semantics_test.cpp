// SPDX-License-Identifier: MIT
// What PyTorch's expressions give against what ours give: identity of tensors, devices, sharing.
#include <set>

#include "gtest/gtest.h"
#include "python_subset/evaluator.h"
#include "python_subset/golden_cases.h"
#include "python_subset/not_had.h"

namespace {

using golden::Json;

const std::set<std::string> groups_not_run{"Module", "LazyLinear", "autograd"};

/// PyTorch takes cpu and cpu:0 for two devices and copies; here there is one CPU, and nothing to copy.
bool is_about_numbered_cpus(const std::string& code) { return code.find("'cpu:") != std::string::npos; }

std::string on_gpu(const std::string& text) {
  return golden::replace_all(golden::replace_all(text, "device(type='meta')", "device(type='cuda', index=0)"), "'meta'",
                             "'cuda:0'");
}

std::string reason_to_pass_over(const Json& expected) {
  const auto code = expected["code"].get<std::string>();
  if (groups_not_run.count(expected["group"]) > 0) return expected["group"];
  if (is_about_numbered_cpus(code)) return "numbered CPUs";
  if (code.find("'meta'") != std::string::npos && d2l::num_gpus() == 0) return "no GPU";
  return "";
}

void run(const Json& expected, golden::Tally& tally) {
  const auto code = on_gpu(expected["code"]);
  SCOPED_TRACE(code);
  const bool ok = expected["ok"].get<bool>();
  try {
    const auto value = python_subset::evaluate(code, d2l::cpu());
    const auto text = python_subset::repr(value);
    tally.ran();
    EXPECT_TRUE(ok) << "gave " << text << "\n instead of " << expected["error"];
    if (ok) {
      EXPECT_EQ(text, on_gpu(expected["result"]));
    }
  } catch (const python_subset::Unsupported& missing) {
    EXPECT_TRUE(python_subset::is_listed_as_not_had(missing.what())) << "'" << missing.what() << "' is not listed";
    tally.passed_over(missing.what());
  } catch (const d2l::Error& error) {
    tally.ran();
    EXPECT_FALSE(ok) << error.what();
    if (ok) return;
    const auto sentence = golden::sentence(on_gpu(expected["error"]));
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(GoldenSemantics, ArePyTorchs) {
  golden::Tally tally;
  for (const auto& expected : golden::read("semantics.json")) {
    const auto reason = reason_to_pass_over(expected);
    reason.empty() ? run(expected, tally) : tally.passed_over(reason);
  }
  tally.report("semantics.json");
  EXPECT_GE(tally.count(), d2l::num_gpus() > 0 ? 25 : 15);
}

TEST(GoldenSemantics, ThereIsOneCpu) {
  const auto x = d2l::ones({2});
  EXPECT_TRUE(x.to("cpu:0").is_same(x));
  EXPECT_TRUE(x.to("cpu:1").is_same(x));
}

}  // namespace
