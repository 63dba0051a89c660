// SPDX-License-Identifier: MIT
// The text of tensors against PyTorch's, character by character, on the CPU and on GPUs.
#include <sstream>

#include "gtest/gtest.h"
#include "printing/printing.h"
#include "python_subset/golden_cases.h"

namespace {

using d2l::detail::PrintFlags;

PrintFlags flags_of(const golden::Json& expected) {
  return {expected["requires_grad"].get<bool>(),
          expected["grad_fn"].is_null() ? std::string() : expected["grad_fn"].get<std::string>()};
}

/// Where a case can be printed: on its own device, if there is one; one for the CPU nowhere else.
bool exists(const d2l::Device& device) { return device.is_cpu() || device.index() < d2l::num_gpus(); }

TEST(GoldenPrint, IsPyTorchsText) {
  golden::Tally tally;
  for (const auto& expected : golden::read("print.json")) {
    SCOPED_TRACE(expected["id"].get<std::string>());
    const auto dtype = golden::dtype_named(expected["dtype"]);
    const d2l::Device device(expected["device"].get<std::string>());
    if (!dtype || !exists(device)) {
      tally.passed_over(dtype ? "a GPU that is not here" : expected["dtype"].get<std::string>());
      continue;
    }
    const auto x = golden::tensor(expected["values"], expected["shape"], *dtype, device);
    EXPECT_EQ(d2l::detail::format_tensor(x, flags_of(expected)), expected["out"].get<std::string>());
    tally.ran();
  }
  tally.report("print.json");
  EXPECT_GE(tally.count(), d2l::num_gpus() > 0 ? 150 : 100);
}

/// The same numbers under another memory layout print the same.
TEST(GoldenPrint, IsTheSameForStridedMemory) {
  for (const auto& expected : golden::read("print.json")) {
    const auto dtype = golden::dtype_named(expected["dtype"]);
    if (!dtype || expected["device"] != "cpu" || expected["shape"].size() < 2) continue;
    SCOPED_TRACE(expected["id"].get<std::string>());
    for (const auto& device : golden::devices()) {
      const auto x = golden::tensor(expected["values"], expected["shape"], *dtype, device);
      const auto strided = x.transpose(0, 1).clone().contiguous().transpose(0, 1);
      EXPECT_EQ(repr(strided), repr(x));
    }
  }
}

/// On a GPU the text is the CPU's but for the device, also where only a part is shown and copied.
TEST(GoldenPrint, ShowsTheSameNumbersOnAGpu) {
  if (d2l::num_gpus() == 0) GTEST_SKIP() << "no GPU, physical or virtual";
  for (const auto& expected : golden::read("print.json")) {
    const auto dtype = golden::dtype_named(expected["dtype"]);
    if (!dtype || expected["device"] != "cpu") continue;
    SCOPED_TRACE(expected["id"].get<std::string>());
    const auto text = repr(golden::tensor(expected["values"], expected["shape"], *dtype, d2l::gpu(0)));
    const auto reference = repr(golden::tensor(expected["values"], expected["shape"], *dtype, d2l::cpu()));
    EXPECT_NE(text.find("device='cuda:0'"), std::string::npos) << text;
    const auto numbers = reference.substr(0, reference.rfind(']') + 1);
    EXPECT_EQ(text.substr(0, numbers.size()), numbers);
  }
}

TEST(GoldenPrint, ReadsOnlyWhatItShows) {
  for (const auto& device : golden::devices()) {
    const auto x = d2l::arange(1000000, d2l::TensorOptions(d2l::kFloat).device(device)).reshape({100, 100, 100});
    d2l::TransferLedger ledger;
    const auto text = repr(x);
    EXPECT_EQ(text.rfind("tensor([[[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 9.7000e+01,", 0), 0u) << text;
    if (device.is_cuda()) {
      EXPECT_EQ(ledger.copies(), 1);
      EXPECT_LE(ledger.copied_bytes(), 6 * 6 * 6 * 4);
    } else {
      EXPECT_EQ(ledger.copies(), 0);
    }
  }
}

TEST(GoldenPrint, IsWhatTheStreamGets) {
  const auto x = d2l::ones({2, 3});
  std::ostringstream out;
  out << x;
  EXPECT_EQ(out.str(), "tensor([[1., 1., 1.],\n        [1., 1., 1.]])");
}

TEST(GoldenPrint, RefusesATensorThatIsNone) { EXPECT_THROW(repr(d2l::Tensor()), d2l::ValueError); }

}  // namespace
