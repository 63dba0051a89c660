// SPDX-License-Identifier: MIT
// Bad operands: shapes, values and devices that do not fit. A failed call must write nothing and leak nothing.
#include <limits>

#include "d2l/testing.h"
#include "tensor/bad_input.h"

namespace d2l {
namespace {

using refusals::expect_refusals;
using refusals::list;
using refusals::refuses;

constexpr std::int64_t huge = std::int64_t{1} << 40;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

Tensor six(Device device) { return ones({2, 3}, device); }

/// A device other than `device`.
Device another(Device device) { return device.is_cuda() ? cpu() : gpu(0); }

TEST(BadOperands, Joining) {
  expect_refusals({
      refuses<ValueError>("cat of none", [](Device) { (void)cat({}); }),
      refuses<ValueError>("stack of none", [](Device) { (void)stack({}); }),
      refuses<ShapeError>("cat shapes", [](Device d) { (void)cat(list(six(d), ones(list(2, 4), d)), 0); }),
      refuses<ShapeError>("cat dimensions",
                          [](Device d) {
                            (void)cat({six(d), ones({3}, d)}, 0);
                          }),
      refuses<Error>("cat of numbers",
                     [](Device d) {
                       (void)cat({ones({}, d), ones({}, d)});
                     }),
      refuses<IndexError>("cat dim", [](Device d) { (void)cat(list(six(d), six(d)), 2); }),
      refuses<IndexError>("cat dim before", [](Device d) { (void)cat(list(six(d), six(d)), -3); }),
      refuses<ShapeError>("stack shapes", [](Device d) { (void)stack(list(six(d), ones(list(2, 4), d))); }),
      refuses<IndexError>("stack dim", [](Device d) { (void)stack(list(six(d), six(d)), 3); }),
      refuses<ShapeError>("stack dimensions",
                          [](Device d) { (void)stack(list(ones(list(1, 1, 1, 1, 1, 1, 1, 1), d))); }),
  });
}

TEST(BadOperands, Values) {
  expect_refusals({
      refuses<ValueError>("item of many", [](Device d) { (void)six(d).item(); }),
      refuses<ValueError>("item of none", [](Device d) { (void)empty({0}, d).item<float>(); }),
      refuses<ValueError>("bool of many", [](Device d) { (void)static_cast<bool>(six(d)); }),
      refuses<ValueError>("bool of none", [](Device d) { (void)empty({0}, d).is_nonzero(); }),
      refuses<TypeError>("data_ptr of another dtype", [](Device d) { (void)six(d).data_ptr<double>(); }),
      refuses<ShapeError>("copy_ shapes", [](Device d) { six(d).copy_(ones({4}, d)); }),
      refuses<ShapeError>("copy_ shapes across", [](Device d) { six(d).copy_(ones({4})); }),
      refuses<ShapeError>("write to part", [](Device d) { six(d)[0] = ones({4}, d); }),
      refuses<ShapeError>("add shapes", [](Device d) { (void)(six(d) + ones({4}, d)); }),
      refuses<ShapeError>("add_ grows", [](Device d) { ones({3}, d).add_(six(d)); }),
      refuses<TypeError>("add_ of a float to integers", [](Device d) { tensor(list(1, 2), d).add_(0.5); }),
      refuses<Error>("add_ to an expanded tensor", [](Device d) { ones({1}, d).expand({3}).add_(1); }),
      refuses<TypeError>("sub of bools", [](Device d) { (void)(tensor({true}, d) - tensor({true}, d)); }),
      refuses<TypeError>("neg of bools", [](Device d) { (void)tensor({true}, d).neg(); }),
      refuses<Error>("integers to a negative power", [](Device d) { (void)tensor({2}, d).pow(-1); }),
      refuses<ShapeError>("mm shapes", [](Device d) { (void)six(d).mm(six(d)); }),
      refuses<ShapeError>("mm of three", [](Device d) { (void)ones(list(1, 2, 3), d).mm(six(d)); }),
      refuses<ShapeError>("matmul shapes", [](Device d) { (void)six(d).matmul(ones({2}, d)); }),
      refuses<Error>("matmul of a number", [](Device d) { (void)six(d).matmul(ones({}, d)); }),
      refuses<Error>("mm dtypes", [](Device d) { (void)six(d).mm(ones(list(3, 2), TensorOptions(d).dtype(kDouble))); }),
      refuses<Error>("pinned on a GPU",
                     [](Device d) {
                       const auto where = d.is_cuda() ? d : gpu(num_gpus());
                       (void)ones({1}, TensorOptions(where).pinned_memory(true));
                     }),
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
                     [](Device d) {
                       const auto x = ones({1}, d).expand({largest / 2});
                       (void)stack({x, x, x});
                     }),
      refuses<Error>("cat",
                     [](Device d) {
                       const auto x = ones({1}, d).expand({largest / 2});
                       (void)cat({x, x, x});
                     }),
      refuses<Error>("mm",
                     [](Device d) {
                       (void)ones(list(1, 1), d).expand(list(huge, 1)).mm(ones(list(1, 1), d).expand(list(1, huge)));
                     }),
  });
}

using Binary = std::function<void(const Tensor&, const Tensor&)>;

std::vector<std::pair<std::string, Binary>> operations_of_two() {
  return {
      {"add", [](const Tensor& a, const Tensor& b) { (void)(a + b); }},
      {"sub", [](const Tensor& a, const Tensor& b) { (void)(a - b); }},
      {"mul", [](const Tensor& a, const Tensor& b) { (void)(a * b); }},
      {"div", [](const Tensor& a, const Tensor& b) { (void)(a / b); }},
      {"pow", [](const Tensor& a, const Tensor& b) { (void)a.pow(b); }},
      {"eq", [](const Tensor& a, const Tensor& b) { (void)(a == b); }},
      {"ne", [](const Tensor& a, const Tensor& b) { (void)(a != b); }},
      {"lt", [](const Tensor& a, const Tensor& b) { (void)(a < b); }},
      {"le", [](const Tensor& a, const Tensor& b) { (void)(a <= b); }},
      {"gt", [](const Tensor& a, const Tensor& b) { (void)(a > b); }},
      {"ge", [](const Tensor& a, const Tensor& b) { (void)(a >= b); }},
      {"add_", [](const Tensor& a, const Tensor& b) { Tensor(a).add_(b); }},
      {"sub_", [](const Tensor& a, const Tensor& b) { Tensor(a).sub_(b); }},
      {"mul_", [](const Tensor& a, const Tensor& b) { Tensor(a).mul_(b); }},
      {"div_", [](const Tensor& a, const Tensor& b) { Tensor(a).div_(b); }},
      {"pow_", [](const Tensor& a, const Tensor& b) { Tensor(a).pow_(b); }},
      {"matmul", [](const Tensor& a, const Tensor& b) { (void)a.matmul(b); }},
      {"mm", [](const Tensor& a, const Tensor& b) { (void)a.mm(b); }},
      {"cat", [](const Tensor& a, const Tensor& b) { (void)cat(list(a, b)); }},
      {"stack", [](const Tensor& a, const Tensor& b) { (void)stack(list(a, b)); }},
      {"allclose", [](const Tensor& a, const Tensor& b) { (void)a.allclose(b); }},
      {"equal", [](const Tensor& a, const Tensor& b) { (void)a.equal(b); }},
  };
}

TEST(BadOperands, MixedDevices) {
  if (num_gpus() == 0) GTEST_SKIP() << "there is no GPU, physical or virtual";
  for (const auto a : refusals::everywhere()) {
    for (const auto b : refusals::everywhere()) {
      if (a == b) continue;
      const auto x = ones({2, 2}, a);
      const auto y = ones({2, 2}, b);
      const TransferLedger ledger;
      for (const auto& [name, operation] : operations_of_two()) {
        SCOPED_TRACE(name + " of " + a.str() + " and " + b.str());
        EXPECT_EQ(refusals::complaint<DeviceError>([&, &run = operation] { run(x, y); }), "");
      }
      EXPECT_EQ(ledger.summary(), "nothing") << "what is refused costs nothing";
    }
    refusals::expect_all_is_well(a);
  }
}

TEST(BadOperands, WhatWasRefusedWasNotWritten) {
  for (const auto device : refusals::everywhere()) {
    auto x = arange(6, TensorOptions(device).dtype(kFloat)).view({2, 3});
    const auto before = x.to_vector<float>();
    EXPECT_THROW(x.add_(ones({4}, device)), ShapeError);
    EXPECT_THROW(x.copy_(ones({4}, device)), ShapeError);
    if (num_gpus() > 0) {
      EXPECT_THROW(x.mul_(zeros({2, 3}, another(device))), DeviceError);
    }
    EXPECT_EQ(x.to_vector<float>(), before) << device;
  }
}

TEST(BadOperands, LeavesNoMemoryBehind) {
  for (const auto device : refusals::everywhere()) {
    const auto before = testing::live_memory(device);
    for (int i = 0; i < 10; ++i) {
      EXPECT_THROW((void)empty({huge, 128}, device), OutOfMemoryError);
      EXPECT_THROW((void)(six(device) + ones({4}, device)), ShapeError);
      EXPECT_THROW((void)tensor({{1, 2}, {3}}, device), ShapeError);
      EXPECT_THROW((void)cat({six(device), ones({2, 4}, device)}), ShapeError);
    }
    EXPECT_EQ(testing::live_memory(device).blocks, before.blocks) << device;
    EXPECT_EQ(testing::live_memory(device).bytes, before.bytes) << device;
  }
}

}  // namespace
}  // namespace d2l
