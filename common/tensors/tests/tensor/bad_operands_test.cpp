// SPDX-License-Identifier: MIT
// Bad operands, beside those of which other tests check PyTorch's sentence: shapes, values and devices that do not fit.
// A failed call must write nothing and leak nothing.
#include <limits>

#include "d2l/testing.h"
#include "tensor/bad_input.h"

namespace d2l::testing::refusals {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

/// A device other than `device`.
Device another(Device device) { return device.is_cuda() ? cpu() : gpu(0); }

TEST(BadOperands, Joining) {
  expect_refusals({
      refuses<Error>("cat of numbers", [](Device d) { (void)cat(list(ones({}, d), ones({}, d))); }),
      refuses<IndexError>("cat dim before", [](Device d) { (void)cat(list(six(d), six(d)), -3); }),
      refuses<IndexError>("stack dim", [](Device d) { (void)stack(list(six(d), six(d)), 3); }),
      refuses<ShapeError>("stack dimensions",
                          [](Device d) { (void)stack(list(ones(list(1, 1, 1, 1, 1, 1, 1, 1), d))); }),
  });
}

TEST(BadOperands, Values) {
  expect_refusals({
      refuses<ValueError>("item of none", [](Device d) { (void)empty({0}, d).item<float>(); }),
      refuses<ValueError>("bool of many", [](Device d) { (void)static_cast<bool>(six(d)); }),
      refuses<ShapeError>("copy_ shapes", [](Device d) { six(d).copy_(ones({4}, d)); }),
      refuses<ShapeError>("write to part", [](Device d) { six(d)[0] = ones({4}, d); }),
      refuses<ShapeError>("mm shapes", [](Device d) { (void)six(d).mm(six(d)); }),
      refuses<ShapeError>("mm of three", [](Device d) { (void)ones(list(1, 2, 3), d).mm(six(d)); }),
      refuses<Error>("matmul of a number", [](Device d) { (void)six(d).matmul(ones({}, d)); }),
  });
}

TEST(BadOperands, BroadcastingThatOverflows) {
  expect_refusals({
      refuses<Error>("add",
                     [](Device d) { (void)(ones(list(1, 1), d).expand(list(huge, 1)) + ones({1}, d).expand({huge})); }),
      refuses<Error>("contiguous", [](Device d) { (void)ones({1}, d).expand({largest}).contiguous(); }),
      refuses<Error>("clone", [](Device d) { (void)ones({1}, d).expand({huge}).expand(list(128, huge)).clone(); }),
      refuses<Error>("reshape",
                     [](Device d) { (void)ones(list(3, 1), d).expand(list(3, huge)).reshape(list(huge, 3)); }),
      refuses<Error>("stack",
                     [](Device d) { (void)stack(std::vector<Tensor>(3, ones({1}, d).expand({largest / 2}))); }),
      refuses<Error>("cat", [](Device d) { (void)cat(std::vector<Tensor>(3, ones({1}, d).expand({largest / 2}))); }),
      refuses<Error>("mm",
                     [](Device d) {
                       (void)ones(list(1, 1), d).expand(list(huge, 1)).mm(ones(list(1, 1), d).expand(list(1, huge)));
                     }),
      refuses<ShapeError>(
          "mm of more columns than BLAS counts",
          [](Device d) { (void)ones(list(1, 1), d).mm(ones(list(1, 1), d).expand(list(1, most + 1))); }),
      refuses<ShapeError>("mm of longer rows than BLAS counts",
                          [](Device d) {
                            const Tensor one = ones(list(1, 1), d);
                            (void)one.expand(list(1, most + 1)).mm(one.expand(list(most + 1, 1)));
                          }),
  });
}

TEST(BadOperands, MixedDevices) {
  if (num_gpus() == 0) GTEST_SKIP() << "there is no GPU, physical or virtual";
  for (const auto a : every_device()) {
    for (const auto b : every_device()) {
      if (a == b) continue;
      const auto x = ones({2, 2}, a);
      const auto y = ones({2, 2}, b);
      const TransferLedger ledger;
      for (const auto& [name, operation] : operations_of_two()) {
        SCOPED_TRACE(name + " of " + a.str() + " and " + b.str());
        expect_error<DeviceError>([&, &run = operation] { run(x, y); },
                                  "Expected all tensors to be on the same device, but found at least two devices, ");
      }
      EXPECT_EQ(ledger.summary(), "nothing") << "what is refused costs nothing";
    }
    expect_all_is_well(a);
  }
}

TEST(BadOperands, WhatWasRefusedWasNotWritten) {
  on_every_device([](Device device) {
    auto x = arange(6, TensorOptions(device).dtype(kFloat)).view({2, 3});
    EXPECT_THROW(x.add_(ones({4}, device)), ShapeError);
    EXPECT_THROW(x.copy_(ones({4}, device)), ShapeError);
    if (num_gpus() > 0) {
      EXPECT_THROW(x.mul_(zeros({2, 3}, another(device))), DeviceError);
    }
    expect_tensor(x, {2, 3}, {0, 1, 2, 3, 4, 5});
  });
}

TEST(BadOperands, LeavesNoMemoryBehind) {
  on_every_device([](Device device) {
    expect_no_leak(device, [device] {
      for (int i = 0; i < 10; ++i) {
        EXPECT_THROW((void)empty({huge, 128}, device), OutOfMemoryError);
        EXPECT_THROW((void)(six(device) + ones({4}, device)), ShapeError);
        EXPECT_THROW((void)tensor({{1, 2}, {3}}, device), ShapeError);
        EXPECT_THROW((void)cat({six(device), ones({2, 4}, device)}), ShapeError);
      }
    });
  });
}

}  // namespace
}  // namespace d2l::testing::refusals
