// SPDX-License-Identifier: MIT
// What PyTorch's expressions give against what ours give: identity, devices, sharing, modules, gradients.
#include <set>

#include "gtest/gtest.h"
#include "python_subset/evaluator.h"
#include "python_subset/golden_cases.h"
#include "python_subset/not_supported.h"

namespace {

using golden::Json;
using python_subset::Value;

/// PyTorch takes cpu and cpu:0 for two devices and copies; here there is one CPU, and nothing to copy.
bool is_about_numbered_cpus(const std::string& code) { return code.find("'cpu:") != std::string::npos; }

/// The parameters of a module that is sent to the meta device are other ones; to a GPU they stay the same.
bool is_about_parameters_sent_to_meta(const std::string& code) {
  return code.find(".to('meta')") != std::string::npos && code.find("nn.") != std::string::npos &&
         code.find(" is ") != std::string::npos;
}

std::string reason_to_pass_over(const Json& expected, const d2l::Device& device) {
  const auto code = expected["code"].get<std::string>();
  const bool second_device = code.find("'meta'") != std::string::npos;
  if (is_about_numbered_cpus(code)) return "numbered CPUs";
  if (is_about_parameters_sent_to_meta(code)) return "parameters sent to the meta device";
  if (!expected["ok"].get<bool>() && expected["error"].get<std::string>().find("meta tensor") != std::string::npos) {
    return "copies out of a meta tensor";
  }
  if (second_device && d2l::num_gpus() == 0) return "no GPU";
  if (second_device && code.find("Lazy") != std::string::npos && !expected["ok"].get<bool>()) {
    return "lazy layers sent to the meta device";
  }
  if (device.is_cuda() && code.find("is_cuda") != std::string::npos) return "asks whether it is on a GPU";
  return second_device && device.is_cuda() ? "run from the CPU alone" : "";
}

/// Our text of a value, in the form of what is expected of it.
std::string text_of(const Value& value, const std::string& expected) {
  const bool numberless = golden::has_no_numbers(expected) && value.is<d2l::Tensor>();
  if (numberless) return golden::text_without_numbers(value.as<d2l::Tensor>());
  // A text alone may be given as it stands, or as Python shows one.
  const bool quoted = !expected.empty() && (expected.front() == '\'' || expected.front() == '"');
  return value.is<std::string>() && !quoted ? value.as<std::string>() : python_subset::repr(value);
}

void run(const Json& expected, const d2l::Device& device, golden::Tally& tally) {
  const std::string first = device.str();
  const std::string second = "cuda:0";
  const auto code = golden::on_devices(expected["code"], first, second);
  SCOPED_TRACE(code + " on " + first);
  const bool ok = expected["ok"].get<bool>();
  try {
    const auto value = python_subset::evaluate(code, device);
    const auto wanted = ok ? golden::on_devices(expected["result"], first, second) : "";
    const auto text = text_of(value, wanted);
    tally.ran();
    EXPECT_TRUE(ok) << "gave " << text << "\n instead of " << expected["error"];
    if (!ok) return;
    if (device.is_cpu()) {
      EXPECT_EQ(text, wanted);
    } else {
      EXPECT_EQ(golden::without_device(text), golden::without_device(wanted));
    }
  } catch (const python_subset::Unsupported& missing) {
    EXPECT_TRUE(python_subset::is_listed_as_not_supported(missing.what()))
        << "'" << missing.what() << "' is not listed";
    tally.passed_over(missing.what());
  } catch (const d2l::Error& error) {
    tally.ran();
    EXPECT_FALSE(ok) << error.what() << "\n instead of " << expected["result"];
    if (ok) return;
    const auto wanted = golden::sentence(golden::on_devices(expected["error"], first, second));
    EXPECT_TRUE(golden::holds(error.what(), golden::with_types_of(device, wanted)))
        << error.what() << "\n does not hold " << expected["error"];
  }
}

TEST(GoldenSemantics, ArePyTorchs) {
  golden::Tally tally;
  for (const auto& device : golden::devices()) {
    for (const auto& expected : golden::read("semantics.json")) {
      const auto reason = reason_to_pass_over(expected, device);
      reason.empty() ? run(expected, device, tally) : tally.passed_over(reason);
    }
  }
  tally.report("semantics.json");
  EXPECT_GE(tally.count(), d2l::num_gpus() > 0 ? 150 : 75);
}

TEST(GoldenSemantics, ThereIsOneCpu) {
  const auto x = d2l::ones({2});
  EXPECT_TRUE(x.to("cpu:0").is_same(x));
  EXPECT_TRUE(x.to("cpu:1").is_same(x));
}

}  // namespace
