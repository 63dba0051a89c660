// SPDX-License-Identifier: MIT
// Collectives by NCCL, on cards and on emulated cards, and what is used where NCCL is not.
#include "backend/card_collectives.h"
#include "distributed/ranks.h"
#include "runtime/runtime.h"

namespace d2l::testing {
namespace {

using dist::ReduceOp;

bool has_cards() { return num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::physical_gpu; }

class Nccl : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_cards()) GTEST_SKIP() << "there is no card";
    if (const auto obstacle = backend::card_collectives_obstacle(1); !obstacle.empty()) GTEST_SKIP() << obstacle;
    dist::init_process_group("nccl");
    ASSERT_EQ(dist::get_backend(), "nccl");
  }
  void TearDown() override { dist::destroy_process_group(); }
};

TEST_F(Nccl, AllReduceJoinsTheElementsOfAllCards) {
  const int count = num_gpus();
  for (const ScalarType dtype : every_dtype) {
    for (const ReduceOp op : every_op) {
      if (!has_op(dtype, op)) continue;
      for (const std::int64_t length : {0, 1, 7, 20001}) {
        const auto tensors = on_gpus(count, length, dtype, length != 7);
        dist::all_reduce(tensors, op).wait();
        for (const Tensor& tensor : tensors) expect_values(tensor, joined_elements(op, count, length, dtype));
      }
    }
  }
}

TEST_F(Nccl, CollectivesFollowTheQueueAndTheQueueFollowsThem) {
  const int count = num_gpus();
  std::vector<Tensor> tensors;
  for (int i = 0; i < count; ++i) tensors.push_back(zeros({100000}, TensorOptions(kFloat).device(gpu(i))));
  for (int step = 0; step < 20; ++step) {
    for (Tensor& tensor : tensors) tensor += 1;
    dist::all_reduce(tensors, ReduceOp::AVG).wait();
    for (Tensor& tensor : tensors) tensor *= 1;
  }
  for (const Tensor& tensor : tensors) EXPECT_EQ(tensor.min().item<float>(), 20);
}

TEST_F(Nccl, SeveralCollectivesAreUnderWayAtOnce) {
  const int count = num_gpus();
  std::vector<std::vector<Tensor>> all;
  std::vector<dist::Work> works;
  for (int i = 0; i < 10; ++i) {
    all.push_back(on_gpus(count, 1000 + i, kDouble));
    works.push_back(dist::all_reduce(all.back()));
  }
  for (int i = 9; i >= 0; --i) works[static_cast<std::size_t>(i)].wait();
  for (int i = 0; i < 10; ++i) {
    for (const Tensor& tensor : all[static_cast<std::size_t>(i)]) {
      expect_values(tensor, joined_elements(ReduceOp::SUM, count, 1000 + i, kDouble));
    }
  }
}

TEST_F(Nccl, TheMemoryOfAWorkThatIsNotAwaitedIsNotUsedTooEarly) {
  const int count = num_gpus();
  for (int i = 0; i < 20; ++i) {
    static_cast<void>(dist::all_reduce(on_gpus(count, 50000, kFloat)));
    const auto others = on_gpus(count, 50000, kFloat);
    for (int j = 0; j < count; ++j) {
      expect_values(others[static_cast<std::size_t>(j)], elements_of(j, 50000, kFloat));
    }
  }
}

TEST_F(Nccl, BroadcastAndReduceOfAList) {
  const int count = num_gpus();
  const int last = count - 1;
  for (const bool contiguous : {true, false}) {
    auto tensors = on_gpus(count, 1000, kDouble, contiguous);
    dist::broadcast(tensors, 0, last).wait();
    for (const Tensor& tensor : tensors) expect_values(tensor, elements_of(last, 1000, kDouble));
    tensors = on_gpus(count, 1000, kDouble, contiguous);
    dist::reduce(tensors, 0, last, ReduceOp::AVG).wait();
    for (int i = 0; i < count; ++i) {
      expect_values(tensors[static_cast<std::size_t>(i)],
                    i == last ? joined_elements(ReduceOp::AVG, count, 1000, kDouble) : elements_of(i, 1000, kDouble));
    }
  }
}

TEST_F(Nccl, AllGatherAndReduceScatterOfLists) {
  const int count = num_gpus();
  const auto inputs = on_gpus(count, 7, kInt, false);
  std::vector<std::vector<Tensor>> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      all[static_cast<std::size_t>(i)].push_back(zeros({7}, TensorOptions(kInt).device(gpu(i))));
    }
  }
  dist::all_gather(all, inputs).wait();
  for (const auto& list : all) {
    for (int j = 0; j < count; ++j) expect_values(list[static_cast<std::size_t>(j)], elements_of(j, 7, kInt));
  }
  const auto outputs = on_gpus(count, 7, kInt);
  dist::reduce_scatter(outputs, all).wait();
  for (int j = 0; j < count; ++j) {
    auto expected = elements_of(j, 7, kInt);
    for (double& element : expected) element *= count;
    expect_values(outputs[static_cast<std::size_t>(j)], expected);
  }
}

TEST_F(Nccl, ATensorOfTheOnlyCard) {
  if (num_gpus() != 1) GTEST_SKIP() << "there are several cards";
  const Tensor tensor = on_gpus(1, 100, kFloat)[0];
  const Tensor other = on_gpus(1, 100, kFloat)[0].zero_();
  dist::all_reduce(tensor).wait();
  dist::broadcast(tensor, 0).wait();
  dist::reduce(tensor, 0).wait();
  dist::all_gather({other}, tensor).wait();
  expect_values(other, elements_of(0, 100, kFloat));
  dist::reduce_scatter(tensor, {other}).wait();
  dist::gather({other}, tensor, 0).wait();
  dist::scatter(tensor, {other}, 0).wait();
  dist::barrier().wait();
  expect_values(tensor, elements_of(0, 100, kFloat));
}

TEST_F(Nccl, ANewGroupHasTheCardsOfItsProcesses) {
  const auto group = dist::new_group({0});
  EXPECT_EQ(dist::get_backend(group), "nccl");
  const auto tensors = on_gpus(num_gpus(), 100, kLong);
  dist::all_reduce(tensors, ReduceOp::SUM, group).wait();
  expect_values(tensors[0], joined_elements(ReduceOp::SUM, num_gpus(), 100, kLong));
}

TEST_F(Nccl, TheLedgerHasALaunchOnEachCard) {
  const auto tensors = on_gpus(num_gpus(), 100, kFloat);
  const TransferLedger ledger;
  dist::all_reduce(tensors).wait();
  EXPECT_EQ(ledger.synchronisations(), 0);
  EXPECT_EQ(ledger.launches(), num_gpus());
}

TEST_F(Nccl, TensorsOfTheHostAreJoinedWithoutCards) {
  const Tensor tensor = ones({3});
  dist::all_reduce(tensor).wait();
  EXPECT_EQ(tensor.sum().item<float>(), 3);
}

TEST_F(Nccl, ACardThatDoesNotComeIsAnErrorAfterTheTimeout) {
  const auto id = backend::make_card_group_id();
  expect_error<DistributedError>(
      [&] {
        return backend::join_card_group(d2l::detail::gpu_backend(), id, {0}, 0, 2, std::chrono::milliseconds(300));
      },
      "did not take part within 0.3 s");
}

TEST(NcclIsAbsent, AnotherBackendIsUsedAndTheReasonIsSaid) {
  if (has_cards() && backend::card_collectives_obstacle(1).empty()) GTEST_SKIP() << "NCCL is there";
  ::testing::internal::CaptureStderr();
  dist::init_process_group("nccl");
  const auto said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(dist::get_backend(), "local");
  dist::destroy_process_group();
  EXPECT_EQ(said.find("process group: nccl cannot be used ("), 0U) << said;
  EXPECT_NE(said.find("; local is used instead\n"), std::string::npos) << said;
}

}  // namespace
}  // namespace d2l::testing
