// SPDX-License-Identifier: MIT
// Ranks that die, that do not come, and that call something else: every other rank gets an error that names them.
#include <atomic>
#include <thread>

#include "distributed/ranks.h"

namespace d2l::testing {
namespace {

using namespace std::chrono_literals;
using dist::ReduceOp;

/// Runs ranks, each of which must get a DistributedError that contains the text, or the other one if that is given, but
/// for `failing`.
void expect_errors(int size, int failing, const std::function<void(int)>& work, const std::string& text,
                   std::chrono::milliseconds timeout, const std::string& other = "") {
  std::atomic<int> errors = 0;
  try {
    dist::run_ranks(
        size,
        [&](int rank) {
          if (rank == failing) return work(rank);
          try {
            work(rank);
          } catch (const DistributedError& error) {
            const std::string what = error.what();
            const bool has_other = !other.empty() && what.find(other) != std::string::npos;
            EXPECT_TRUE(has_other || what.find(text) != std::string::npos) << what;
            ++errors;
          }
        },
        timeout);
  } catch (const ValueError&) {  // of the failing rank
  }
  EXPECT_EQ(errors, failing < 0 ? size : size - 1);
}

class RankFaults : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_GLOO(); }
};

TEST_F(RankFaults, ARankThatFailsIsNamed) {
  expect_errors(
      4, 2,
      [](int rank) {
        if (rank == 2) throw ValueError("out of paper");
        while (true) dist::all_reduce(ones({100})).wait();
      },
      "rank 2 has failed: out of paper", 20s);
}

TEST_F(RankFaults, ARankThatDoesNotComeIsNamed) {
  expect_errors(
      3, 1,
      [](int rank) {
        if (rank == 1) {
          std::this_thread::sleep_for(1500ms);
          return;
        }
        dist::all_reduce(ones({100})).wait();
      },
      "[all_reduce] rank 1 did not call all_reduce within 0.5 s", 500ms);
}

TEST_F(RankFaults, AnotherCollectiveIsAnErrorOnAllRanks) {
  expect_errors(
      3, -1,
      [](int rank) {
        if (rank == 1) {
          dist::broadcast(ones({100}), 0).wait();
        } else {
          dist::all_reduce(ones({100})).wait();
        }
      },
      "the ranks call different collectives", 20s);
}

TEST_F(RankFaults, AnotherSizeDtypeOperationOrRootIsAnErrorOnAllRanks) {
  expect_errors(
      2, -1, [](int rank) { dist::all_reduce(ones({100 + rank})).wait(); }, "all_reduce of 101 Float", 20s);
  expect_errors(
      2, -1, [](int rank) { dist::all_reduce(ones({5}, rank == 0 ? kInt : kLong)).wait(); }, "all_reduce of 5 Int",
      20s);
  expect_errors(
      2, -1, [](int rank) { dist::all_reduce(ones({5}), rank == 0 ? ReduceOp::MIN : ReduceOp::MAX).wait(); },
      "with MIN", 20s);
  expect_errors(
      2, -1, [](int rank) { dist::broadcast(ones({5}), rank).wait(); }, "root 1", 20s);
}

TEST_F(RankFaults, EveryLaterCollectiveGetsTheSameError) {
  dist::run_ranks(2, [](int rank) {
    expect_error<DistributedError>([&] { dist::all_reduce(ones({5 + rank})).wait(); }, "different collectives");
    expect_error<DistributedError>([] { dist::all_reduce(ones({5})).wait(); }, "different collectives");
    EXPECT_EQ((ones({2}) + 1).sum().item<double>(), 4);  // tensors and devices stay usable
  });
}

TEST_F(RankFaults, TwoRanksThatSendFirstEndWithAnError) {
  expect_errors(
      2, -1,
      [](int rank) {
        dist::send(ones({3}), 1 - rank).wait();
        dist::recv(ones({3}), 1 - rank).wait();
      },
      "did not call recv within 0.5 s", 500ms, "has left the group");  // the second one, if the first was faster
}

TEST_F(RankFaults, AReceiverOfAnotherSizeIsAnErrorOnBothSides) {
  expect_errors(
      2, -1,
      [](int rank) {
        if (rank == 0) dist::send(ones({3}), 1).wait();
        if (rank == 1) dist::recv(ones({4}), 0).wait();
      },
      "another tensor", 20s);
}

TEST_F(RankFaults, AGpuTensorIsNotWrittenIfTheCollectiveFails) {
  if (num_gpus() == 0) GTEST_SKIP() << "there is no GPU";
  dist::run_ranks(2, [](int rank) {
    const Tensor x = ones({4 + rank}, gpu(0));
    EXPECT_THROW(dist::all_reduce(x).wait(), DistributedError);
    EXPECT_EQ(x.sum().item<double>(), 4 + rank);
  });
}

}  // namespace
}  // namespace d2l::testing
