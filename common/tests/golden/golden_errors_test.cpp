// SPDX-License-Identifier: MIT
// Errors against PyTorch's: what it refuses we refuse, by an error of our hierarchy that holds its sentence.
#include <set>

#include "gtest/gtest.h"
#include "python_subset/evaluator.h"
#include "python_subset/golden_cases.h"
#include "python_subset/not_supported.h"

namespace {

using golden::Json;
using python_subset::Value;

// PyTorch's own files: ours are another format.
const std::set<std::string> groups_not_run{"torch.load"};
// Sentences that say how a Python binding, a meta tensor or an allocator of PyTorch's is made.
const std::vector<std::string> sentences_not_ours{"meta tensor",
                                                  "must be Number, not",
                                                  "argument '",
                                                  "got an unexpected",
                                                  "received an invalid combination of arguments",
                                                  "invalid data type",
                                                  "unsupported operand type",
                                                  "Torch not compiled with CUDA",
                                                  "an integer is required",
                                                  "object cannot be interpreted",
                                                  "object has no attribute",
                                                  "tuple index out of range",
                                                  "have incompatible tensor type",
                                                  "is not a Module subclass",
                                                  "training mode is expected to be boolean",
                                                  "Expected state_dict to be dict-like",
                                                  "DefaultCPUAllocator",
                                                  "Could not run 'aten::"};

/// The second device of a case is PyTorch's meta device; here it is the first GPU.
std::string on_gpu(std::string text) {
  text = golden::on_devices(text, "cpu", "cuda:0");
  text = golden::replace_all(text, "two devices, meta and", "two devices, cuda:0 and");
  text = golden::replace_all(text, "but got meta", "but got cuda:0");
  return golden::replace_all(text, "and meta!", "and cuda:0!");
}

/// A class out of range is an assertion inside a kernel of a GPU, which is lost by it; see fatal_cross_entropy_test.
bool is_fatal_on_a_gpu(const Json& expected) {
  return !expected["ok"].get<bool>() &&
         expected["error"].get<std::string>().find(" is out of bounds.") != std::string::npos &&
         expected["error"].get<std::string>().find("Target ") == 0;
}

/// Why a case is passed over by what it expects; empty when it is run.
std::string reason_to_pass_over(const Json& expected) {
  const auto group = expected["group"].get<std::string>();
  if (groups_not_run.count(group) > 0) return group;
  if (expected["code"].get<std::string>().find("'meta'") != std::string::npos && d2l::num_gpus() == 0) return "no GPU";
  if (expected["ok"].get<bool>()) return "";
  for (const auto& text : sentences_not_ours) {
    if (expected["error"].get<std::string>().find(text) != std::string::npos) return "'" + text + "'";
  }
  return "";
}

void expect_result(const Value& value, const std::string& expected) {
  const bool numberless = golden::has_no_numbers(expected) && value.is<d2l::Tensor>();
  EXPECT_EQ(numberless ? golden::text_without_numbers(value.as<d2l::Tensor>()) : python_subset::repr(value), expected);
}

void run(const Json& expected, const d2l::Device& device, golden::Tally& tally) {
  const auto code = on_gpu(expected["code"]);
  SCOPED_TRACE(code + " on " + device.str());
  const bool ok = expected["ok"].get<bool>();
  try {
    const Value value = python_subset::evaluate(code, device);
    tally.ran();
    if (!ok) {
      ADD_FAILURE() << "gave " << python_subset::repr(value) << "\n instead of " << expected["error"];
    } else if (device.is_cpu()) {
      expect_result(value, on_gpu(expected["result"]));
    }
  } catch (const python_subset::Unsupported& missing) {
    EXPECT_TRUE(python_subset::is_listed_as_not_supported(missing.what()))
        << "'" << missing.what() << "' is not listed";
    tally.passed_over(missing.what());
  } catch (const d2l::Error& error) {
    if (ok && expected["result"].get<std::string>().rfind("tensor(..., device='meta'", 0) == 0) {
      return tally.passed_over("products and joins of mixed devices, which meta tensors allow");
    }
    tally.ran();
    if (ok) {
      ADD_FAILURE() << error.what() << "\n instead of " << expected["result"];
    } else {
      const auto sentence = golden::with_types_of(device, golden::sentence(on_gpu(expected["error"])));
      EXPECT_TRUE(golden::holds(error.what(), sentence)) << error.what() << "\n does not hold " << sentence;
    }
  }
}

TEST(GoldenErrors, HoldPyTorchsSentences) {
  golden::Tally tally;
  for (const auto& device : golden::devices()) {
    for (const auto& expected : golden::read("errors.json")) {
      const bool two_devices = expected["code"].get<std::string>().find("'meta'") != std::string::npos;
      if (two_devices && device.is_cuda()) continue;
      if (device.is_cuda() && is_fatal_on_a_gpu(expected)) continue;
      const auto reason = reason_to_pass_over(expected);
      reason.empty() ? run(expected, device, tally) : tally.passed_over(reason);
    }
  }
  tally.report("errors.json");
  EXPECT_GE(tally.count(), d2l::num_gpus() > 0 ? 100 : 50);
}

TEST(GoldenErrors, NameTheDevicesInPyTorchsOrder) {
  if (d2l::num_gpus() < 2) GTEST_SKIP() << "fewer than two GPUs";
  const auto host = d2l::ones({2});
  const auto first = d2l::ones({2}, d2l::gpu(0));
  const auto second = d2l::ones({2}, d2l::gpu(1));
  const auto message = [](const auto& operation) -> std::string {
    try {
      static_cast<void>(operation());
    } catch (const d2l::DeviceError& error) {
      return error.what();
    }
    return "";
  };
  const std::string text = "Expected all tensors to be on the same device, but found at least two devices, ";
  EXPECT_NE(message([&] { return host + first; }).find(text + "cuda:0 and cpu!"), std::string::npos);
  EXPECT_NE(message([&] { return first + host; }).find(text + "cuda:0 and cpu!"), std::string::npos);
  EXPECT_NE(message([&] { return first + second; }).find(text + "cuda:0 and cuda:1!"), std::string::npos);
  EXPECT_NE(message([&] { return second + first; }).find(text + "cuda:1 and cuda:0!"), std::string::npos);
}

}  // namespace
