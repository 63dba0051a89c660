// SPDX-License-Identifier: MIT
// Groups of some ranks, several at once.
#include <algorithm>
#include <random>

#include "distributed/ranks.h"

namespace d2l::testing {
namespace {

using dist::ReduceOp;

class Groups : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_GLOO(); }
};

TEST_F(Groups, HaveRanksOfTheirOwn) {
  dist::run_ranks(4, [](int rank) {
    const auto group = dist::new_group({3, 1});
    EXPECT_EQ(dist::get_rank(group), rank == 3 ? 0 : rank == 1 ? 1 : -1);
    EXPECT_EQ(dist::get_world_size(group), rank % 2 == 1 ? 2 : -1);
    EXPECT_EQ(dist::get_global_rank(group, 0), 3);
    if (rank % 2 == 0) {
      expect_error<ValueError>([&] { dist::barrier(group).wait(); }, "not a member");
      return;
    }
    const Tensor x = full({3}, rank);
    dist::broadcast(x, 0, group).wait();
    expect_tensor(x, {3}, {3, 3, 3});
  });
}

TEST_F(Groups, OtherRanksAreAnError) {
  dist::run_ranks(2, [](int rank) {
    expect_error<ValueError>([] { return dist::new_group({0, 2}); }, "there is no rank 2");
    expect_error<ValueError>([] { return dist::new_group({0, 0}); }, "twice");
    expect_error<ValueError>([] { return dist::new_group({}); }, "no ranks");
    expect_error<DistributedError>([&] { return dist::new_group({rank}); },
                                   rank == 0 ? "(rank 0: 0; rank 1: 1)" : "(rank 1: 1; rank 0: 0)");
    expect_error<DistributedError>(
        [&] {
          return dist::new_group({rank, 1 - rank});
        },
        rank == 0 ? "(rank 0: 0, 1; rank 1: 1, 0)" : "(rank 1: 1, 0; rank 0: 0, 1)");
    expect_error<DistributedError>(
        [&] {
          if (rank == 0) return dist::new_group({0});
          dist::barrier().wait();
          return dist::ProcessGroup();
        },
        "new_group");
  });
}

TEST_F(Groups, AThousandCollectivesInRandomOrderOnFourGroupsDoNotDeadlock) {
  dist::run_ranks(4, [](int rank) {
    const std::vector<std::vector<int>> members{{0, 1, 2, 3}, {0, 1}, {2, 3, 0}, {3, 1}};
    std::vector<dist::ProcessGroup> groups;
    for (const auto& ranks : members) groups.push_back(dist::new_group(ranks));
    std::mt19937 shared(1);                              // the order is that of all ranks
    std::mt19937 own(static_cast<unsigned>(rank) + 10);  // the waits are not
    std::vector<std::pair<dist::Work, std::function<void()>>> begun;
    for (int i = 0; i < 1000; ++i) {
      const std::size_t g = shared() % groups.size();
      const auto kind = shared() % 3;
      const auto length = static_cast<std::int64_t>(shared() % 300);
      if (dist::get_rank(groups[g]) < 0) continue;
      const auto count = static_cast<double>(members[g].size());
      const Tensor x = ones({length});
      if (kind == 0) {
        begun.emplace_back(dist::all_reduce(x, ReduceOp::SUM, groups[g]), [x, count, length] {
          ASSERT_EQ(x.sum().item<double>(), count * static_cast<double>(length));
        });
      } else if (kind == 1) {
        begun.emplace_back(dist::broadcast(x, 0, groups[g]), [] {});
      } else {
        begun.emplace_back(dist::barrier(groups[g]), [] {});
      }
      while (!begun.empty() && own() % 4 == 0) {
        const std::size_t chosen = own() % begun.size();
        begun[chosen].first.wait();
        begun[chosen].second();
        begun.erase(begun.begin() + static_cast<std::ptrdiff_t>(chosen));
      }
    }
    for (const auto& [work, check] : begun) {
      work.wait();
      check();
    }
  });
}

}  // namespace
}  // namespace d2l::testing
