// SPDX-License-Identifier: MIT
// Collectives between the GPUs of one process, and of processes with several GPUs.
#include "distributed/ranks.h"

namespace d2l::testing {
namespace {

using dist::ReduceOp;

class Local : public ::testing::Test {
 protected:
  void SetUp() override {
    if (num_gpus() < 2) GTEST_SKIP() << "there are fewer than 2 GPUs";
    dist::init_process_group("local");
  }
  void TearDown() override { dist::destroy_process_group(); }
};

TEST_F(Local, AllReduceJoinsTheElementsOfAllGpus) {
  for (int count = 2; count <= num_gpus(); ++count) {
    if (count != 3 && count != num_gpus()) continue;  // one number that is odd
    for (const ScalarType dtype : every_dtype) {
      for (const ReduceOp op : every_op) {
        if (!has_op(dtype, op)) continue;
        for (const std::int64_t length : {0, 1, 7, 200001}) {
          if (length > 7 && (op != ReduceOp::SUM || dtype == kBool || dtype == kByte || dtype == kInt)) continue;
          const auto tensors = on_gpus(count, length, dtype, length != 7);
          dist::all_reduce(tensors, op).wait();
          for (const Tensor& tensor : tensors) expect_values(tensor, joined_elements(op, count, length, dtype));
        }
      }
    }
  }
}

TEST_F(Local, AllReduceSendsTwiceAllButOnePartOfTheElementsAndWaitsForNothing) {
  const bool direct = have_peer_access();
  for (int count = 2; count <= num_gpus(); ++count) {
    const std::int64_t length = 120000;
    const auto tensors = on_gpus(count, length, kFloat);
    const TransferLedger ledger;
    dist::all_reduce(tensors).wait();
    EXPECT_EQ(ledger.synchronisations(), 0);
    if (!direct) continue;
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(ledger.sent_bytes(gpu(i)), 2 * (count - 1) * length * 4 / count) << count << " GPUs, " << i;
      EXPECT_EQ(ledger.received_bytes(gpu(i)), 2 * (count - 1) * length * 4 / count);
    }
  }
}

TEST_F(Local, TheHostDoesNotWaitForABusyGpu) {
  const auto tensors = on_gpus(2, 1000, kFloat);
  {
    const HeldQueue held(gpu(1));
    dist::all_reduce(tensors).wait();
  }
  expect_values(tensors[0], joined_elements(ReduceOp::SUM, 2, 1000, kFloat));
}

TEST_F(Local, BroadcastAndReduceOfAList) {
  const int count = num_gpus();
  auto tensors = on_gpus(count, 1000, kDouble, false);
  dist::broadcast(tensors, 0, 1).wait();
  for (const Tensor& tensor : tensors) expect_values(tensor, elements_of(1, 1000, kDouble));
  tensors = on_gpus(count, 1000, kDouble);
  dist::reduce(tensors, 0, 1, ReduceOp::AVG).wait();
  for (int i = 0; i < count; ++i) {
    expect_values(tensors[static_cast<std::size_t>(i)],
                  i == 1 ? joined_elements(ReduceOp::AVG, count, 1000, kDouble) : elements_of(i, 1000, kDouble));
  }
}

TEST_F(Local, AllGatherAndReduceScatterOfLists) {
  const int count = num_gpus();
  const auto inputs = on_gpus(count, 7, kInt);
  std::vector<std::vector<Tensor>> all;
  for (int i = 0; i < count; ++i) all.push_back({});
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j)
      all[static_cast<std::size_t>(i)].push_back(zeros({7}, TensorOptions(kInt).device(gpu(i))));
  }
  dist::all_gather(all, inputs).wait();
  for (const auto& list : all) {
    for (int j = 0; j < count; ++j) expect_values(list[static_cast<std::size_t>(j)], elements_of(j, 7, kInt));
  }
  // Device i has in its list what it gathered: the sum over devices is count times that.
  std::vector<Tensor> outputs;
  for (int i = 0; i < count; ++i) outputs.push_back(zeros({7}, TensorOptions(kInt).device(gpu(i))));
  dist::reduce_scatter(outputs, all).wait();
  for (int i = 0; i < count; ++i) {
    auto expected = elements_of(i, 7, kInt);
    for (double& value : expected) value *= count;
    expect_values(outputs[static_cast<std::size_t>(i)], expected);
  }
}

TEST_F(Local, RefusesListsThatAreNotOneTensorOnEachGpu) {
  expect_error<ValueError>([] { dist::all_reduce(std::vector<Tensor>{}).wait(); }, "no tensors");
  expect_error<DeviceError>([] { dist::all_reduce({ones({1}, gpu(0)), ones({1}, gpu(0))}).wait(); }, "one device");
  expect_error<DeviceError>([] { dist::all_reduce({ones({1}, gpu(0)), ones({1})}).wait(); }, "needs GPUs");
  expect_error<ShapeError>(
      [] {
        dist::all_reduce({ones({1}, gpu(0)), ones({2}, gpu(1))}).wait();
      },
      "numbers of elements");
  expect_error<ConfigurationError>(
      [] {
        dist::destroy_process_group();
        dist::init_process_group("local", {.rank = 0, .world_size = 2});
      },
      "one process");
}

TEST(ProcessesWithGpus, JoinTheElementsOfAllGpus) {
  SKIP_WITHOUT_GLOO();
  if (num_gpus() < 4) GTEST_SKIP() << "there are fewer than 4 GPUs";
  for (const ReduceOp op : every_op) {
    dist::run_ranks(2, [op](int rank) {
      std::vector<Tensor> tensors;
      for (int i = 0; i < 2; ++i) {
        tensors.push_back(tensor_of(elements_of(2 * rank + i, 1000, kDouble), kDouble, gpu(2 * rank + i)));
      }
      const auto before = tensors[1].clone();
      dist::reduce(tensors, 1, 0, op).wait();
      expect_values(tensors[0], rank == 1 ? joined_elements(op, 4, 1000, kDouble) : elements_of(0, 1000, kDouble));
      if (rank == 1) tensors[0].copy_(tensor_of(elements_of(2, 1000, kDouble), kDouble, gpu(2)));
      dist::all_reduce(tensors, op).wait();
      for (const Tensor& tensor : tensors) expect_values(tensor, joined_elements(op, 4, 1000, kDouble));
      tensors[1].copy_(before);
      dist::broadcast(tensors, 1, 1).wait();
      for (const Tensor& tensor : tensors) expect_values(tensor, elements_of(3, 1000, kDouble));
    });
  }
}

TEST(ProcessesWithGpus, OfAnotherNumberOfGpusAreAnError) {
  SKIP_WITHOUT_GLOO();
  if (num_gpus() < 4) GTEST_SKIP() << "there are fewer than 4 GPUs";
  dist::run_ranks(2, [](int rank) {
    std::vector<Tensor> tensors;
    for (int i = 0; i <= rank; ++i) tensors.push_back(ones({5}, gpu(2 * rank + i)));
    expect_error<DistributedError>([&] { dist::all_reduce(tensors).wait(); }, "on 2 devices");
  });
}

}  // namespace
}  // namespace d2l::testing
