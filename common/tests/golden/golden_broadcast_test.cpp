// SPDX-License-Identifier: MIT
// Broadcasting against PyTorch's: shapes, values and the sentence of the error, on the CPU and on a GPU.
#include "gtest/gtest.h"
#include "python_subset/evaluator.h"
#include "python_subset/golden_cases.h"

namespace {

using Shape = std::vector<std::int64_t>;

const std::map<std::string, std::string> symbols{{"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"div", "/"}};

void expect_shape(const golden::Json& expected, const d2l::Device& device) {
  const auto a = d2l::ones(expected["a"].get<Shape>(), device);
  const auto b = d2l::ones(expected["b"].get<Shape>(), device);
  if (expected.contains("out")) {
    EXPECT_EQ((a + b).sizes().vec(), expected["out"].get<Shape>());
    EXPECT_EQ((a == b).sizes().vec(), expected["out"].get<Shape>());
    return;
  }
  try {
    const auto sum = a + b;
    FAIL() << "gave a tensor";
  } catch (const d2l::Error& error) {
    EXPECT_NE(std::string(error.what()).find(golden::sentence(expected["error"])), std::string::npos) << error.what();
  }
}

TEST(GoldenBroadcast, GivesPyTorchsShapesAndErrors) {
  golden::Tally tally;
  for (const auto& device : golden::devices()) {
    for (const auto& expected : golden::read("broadcast_shapes.json")) {
      SCOPED_TRACE(expected.dump() + " on " + device.str());
      expect_shape(expected, device);
      tally.ran();
    }
  }
  tally.report("broadcast_shapes.json");
  EXPECT_GE(tally.count(), 70);
}

TEST(GoldenBroadcast, GivesPyTorchsValues) {
  golden::Tally tally;
  for (const auto& device : golden::devices()) {
    for (const auto& expected : golden::read("broadcast_values.json")) {
      SCOPED_TRACE(expected.dump() + " on " + device.str());
      const auto a = golden::tensor(expected["a"]["values"], expected["a"]["shape"], d2l::kFloat, device);
      const auto b = golden::tensor(expected["b"]["values"], expected["b"]["shape"], d2l::kFloat, device);
      const auto operation = symbols.find(expected["op"]);
      if (operation == symbols.end()) {
        tally.passed_over(expected["op"]);
        continue;
      }
      const auto out = python_subset::apply_binary(operation->second, a, b).as<d2l::Tensor>();
      EXPECT_EQ(out.device(), device);
      EXPECT_EQ(out.sizes().vec(), expected["out"]["shape"].get<Shape>());
      EXPECT_TRUE(golden::same_values(out, expected["out"]["values"])) << out;
      tally.ran();
    }
  }
  tally.report("broadcast_values.json");
  EXPECT_GE(tally.count(), 12);
}

}  // namespace
