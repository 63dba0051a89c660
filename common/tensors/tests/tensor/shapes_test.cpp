// SPDX-License-Identifier: MIT
// Views that join, divide and exchange dimensions, and parts of a tensor: values, shared memory, PyTorch's sentences.
#include <limits>

#include "every_device.h"
#include "tensor/counted.h"

namespace d2l::testing {
namespace {

Sizes sizes_of(const Tensor& x) { return x.sizes().vec(); }

TEST(Shapes, MoveNoMemory) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({2, 3, 4}, device);
    const TransferLedger ledger;
    auto views = std::vector<Tensor>{x.flatten(),
                                     x.flatten(1),
                                     x.flatten(0, 1),
                                     x.unflatten(-1, {2, -1}),
                                     x.T(),
                                     x.numpy_T(),
                                     x.mT(),
                                     x.movedim(0, -1),
                                     x.movedim({0, 1}, {1, 0}),
                                     x.narrow(1, 1, 2),
                                     x[0].broadcast_to({5, 3, 4})};
    for (const auto& parts : {x.split(2, 1), x.split({1, 2}, 1), x.chunk(3, 2)}) {
      views.insert(views.end(), parts.begin(), parts.end());
    }
    EXPECT_TRUE(ledger.entries().empty());
    for (const auto& view : views) EXPECT_EQ(view.device(), device);
    EXPECT_EQ(x.flatten().data_ptr(), x.data_ptr());
  });
}

TEST(Shapes, JoinAndDivideDimensions) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({2, 3, 2}, device);
    expect_tensor(x.flatten(), {12}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    EXPECT_EQ(sizes_of(x.flatten(0, 1)), (Sizes{6, 2}));
    EXPECT_EQ(sizes_of(flatten(x, -2)), (Sizes{2, 6}));
    EXPECT_TRUE(x.flatten(1, 1).is_same(x));
    expect_tensor(tensor(7, device).flatten(), {1}, {7});
    expect_tensor(x[0].T().flatten(), {6}, {0, 2, 4, 1, 3, 5});
    EXPECT_EQ(sizes_of(zeros({2, 0, 3}, device).flatten(1)), (Sizes{2, 0}));
    expect_tensor(x[1].unflatten(0, {3, 1}), {3, 1, 2}, {6, 7, 8, 9, 10, 11});
    EXPECT_EQ(sizes_of(unflatten(x.flatten(), 0, {3, -1, 2})), (Sizes{3, 2, 2}));
    EXPECT_EQ(sizes_of(zeros({2, 0}, device).unflatten(1, {3, 0})), (Sizes{2, 3, 0}));
    expect_tensor(x[0].T(), {2, 3}, {0, 2, 4, 1, 3, 5});
    expect_tensor(x.mT()[1], {2, 3}, {6, 8, 10, 7, 9, 11});
    EXPECT_EQ(sizes_of(x.T()), (Sizes{2, 3, 2}));
    EXPECT_EQ(sizes_of(tensor(7, device).T()), Sizes{});
    const auto four = zeros({2, 3, 4, 5}, device);
    EXPECT_EQ(sizes_of(four.movedim(0, 2)), (Sizes{3, 4, 2, 5}));
    EXPECT_EQ(sizes_of(movedim(four, {0, -1}, {-1, 0})), (Sizes{5, 3, 4, 2}));
    EXPECT_EQ(sizes_of(tensor(7, device).movedim(0, -1)), Sizes{});
    expect_tensor(broadcast_to(tensor({1, 2}, device), {2, 2}), {2, 2}, {1, 2, 1, 2});
  });
}

TEST(Shapes, PartsShareTheElements) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({2, 5}, device);
    auto parts = x.split(2, 1);
    ASSERT_EQ(parts.size(), 3U);
    expect_tensor(parts[1], {2, 2}, {2, 3, 7, 8});
    expect_tensor(parts[2], {2, 1}, {4, 9});
    parts[2].fill_(-1);
    expect_tensor(x[1], {5}, {5, 6, 7, 8, -1});
    EXPECT_EQ(split(x, 9).size(), 1U);
    const auto named = x.split({1, 0, 4}, -1);
    EXPECT_EQ(sizes_of(named[1]), (Sizes{2, 0}));
    expect_tensor(named[2][0], {4}, {1, 2, 3, -1});
    EXPECT_EQ(x.chunk(5, 1).size(), 5U);
    EXPECT_EQ(x.chunk(4, 1).size(), 3U);  // of two each
    EXPECT_EQ(sizes_of(chunk(x, 2, 1)[1]), (Sizes{2, 2}));
    EXPECT_EQ(zeros({0, 2}, device).chunk(3).size(), 3U);
    EXPECT_EQ(zeros({0, 2}, device).split(0).size(), 1U);
    expect_tensor(x.narrow(1, -4, 2), {2, 2}, {1, 2, 6, 7});
    EXPECT_EQ(sizes_of(narrow(x, 0, 2, 0)), (Sizes{0, 5}));
  });
}

TEST(Shapes, GradientsOfPartsAddUp) {
  on_every_device([](Device device) {
    const auto x = arange(6.0, device).view({2, 3}).set_requires_grad(true);
    const auto parts = x.split(2, 1);
    EXPECT_EQ(parts[0].grad_fn()->name(), "SplitBackward0");
    EXPECT_EQ(x.split({1, 2}, 1)[1].grad_fn()->name(), "SplitWithSizesBackward0");
    EXPECT_EQ(x.narrow(0, 0, 1).grad_fn()->name(), "SliceBackward0");
    EXPECT_EQ(x.T().grad_fn()->name(), "PermuteBackward0");
    EXPECT_EQ(x.movedim(0, 1).grad_fn()->name(), "PermuteBackward0");
    EXPECT_EQ(x.unflatten(1, {3, 1}).grad_fn()->name(), "ViewBackward0");
    ((parts[0] * 2).sum() + (parts[1] * parts[1]).sum()).backward();
    expect_tensor(x.grad(), {2, 3}, {2, 2, 4, 2, 2, 10});
  });
}

TEST(Shapes, RefuseWhatDoesNotFit) {
  on_every_device([](Device device) {
    const auto x = ones({2, 3}, device);
    expect_error<IndexError>([&] { return x.flatten(2, 1); },
                             "[flatten] Dimension out of range (expected to be in range of [-2, 1], but got 2)");
    expect_error<ShapeError>([&] { return x.flatten(1, 0); },
                             "[flatten] flatten() has invalid args: start_dim cannot come after end_dim");
    expect_error<ShapeError>(
        [&] {
          return x.unflatten(1, {2, 2});
        },
        "[unflatten] unflatten: Provided sizes [2, 2] don't multiply up to the size of dim 1 (3) in the input tensor");
    expect_error<ShapeError>([&] { return x.unflatten(1, {-1, -1}); }, "Provided sizes [-1, -1]");
    expect_error<ShapeError>([&] { return x.unflatten(1, {}); }, "unflatten: sizes must be non-empty");
    expect_error<ShapeError>([&] { return x[0].mT(); },
                             "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.");
    expect_error<ShapeError>(
        [&] {
          return x.movedim({0, 1}, {0});
        },
        "movedim: Invalid source or destination dims: source ([0, 1] dims) should contain the "
        "same number of dims as destination ([0] dims)");
    expect_error<ShapeError>([&] { return x.movedim({0, -2}, {0, 1}); }, "movedim: repeated dim in `source` ([0, -2])");
    expect_error<ShapeError>(
        [&] {
          return x.movedim({0, 1}, {1, 1});
        },
        "movedim: repeated dim in `destination` ([1, 1])");
    expect_error<IndexError>([&] { return x.movedim(2, 0); }, "Dimension out of range");
    expect_error<ShapeError>([&] { return x.narrow(1, 2, 2); },
                             "[narrow] start (2) + length (2) exceeds dimension size (3).");
    expect_error<ValueError>([&] { return x.narrow(1, 0, -1); }, "narrow(): length must be non-negative.");
    expect_error<IndexError>([&] { return x.narrow(1, 4, 0); },
                             "start out of range (expected to be in range of [-3, 3], but got 4)");
    expect_error<ShapeError>([&] { return tensor(1, device).narrow(0, 0, 0); },
                             "narrow() cannot be applied to a 0-dim tensor.");
    expect_error<ValueError>([&] { return x.split(-1); },
                             "split expects split_size be non-negative, but got split_size=-1");
    expect_error<ValueError>([&] { return x.split(0); },
                             "split_size can only be 0 if dimension size is 0, but got dimension size of 2");
    expect_error<ShapeError>([&] { return tensor(1, device).split(1); },
                             "split expects at least a 1-dimensional tensor");
    expect_error<ShapeError>(
        [&] {
          return x.split({1, 1}, 1);
        },
        "split_with_sizes expects split_sizes to sum exactly to 3 (input tensor's size at "
        "dimension 1), but got split_sizes=[1, 1]");
    expect_error<ShapeError>(
        [&] {
          return x.split({std::numeric_limits<std::int64_t>::max(), 3}, 1);
        },
        "to sum exactly to 3");
    expect_error<ValueError>(
        [&] {
          return x.split({4, -1}, 1);
        },
        "split_with_sizes expects split_sizes have only non-negative entries, but got "
        "split_sizes=[4, -1]");
    expect_error<ValueError>([&] { return x.chunk(0); }, "chunk expects `chunks` to be greater than 0, got: 0");
    constexpr std::int64_t huge = std::int64_t{1} << 40;
    EXPECT_EQ(ones({3}, device).chunk(huge).size(), 3U);
    expect_error<ValueError>([&] { return zeros({0}, device).chunk(huge); },
                             "1099511627776 parts were asked for, and at most 16777216 are possible");
    expect_error<ValueError>([&] { return ones({1}, device).expand({huge}).split(1); },
                             "at most 16777216 are possible");
    expect_error<ShapeError>([&] { return tensor(1, device).chunk(1); },
                             "chunk expects at least a 1-dimensional tensor");
  });
}

}  // namespace
}  // namespace d2l::testing
