// SPDX-License-Identifier: MIT
// Messages from rank to rank: those of different ranks and tags do not wait for each other.
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "distributed/processes.h"
#include "distributed/ranks.h"

namespace d2l::testing {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// A program of some ranks, which need not end within this time if a message waits for another one.
struct Program {
  int ranks;
  std::function<void(int rank)> run;
};

Tensor received(std::optional<int> source, int tag = 0) {
  const Tensor x = zeros({3});
  dist::recv(x, source, tag).wait();
  return x;
}

void expect_received(double value, std::optional<int> source, int tag = 0) {
  expect_tensor(received(source, tag), {3}, std::vector<double>(3, value));
}

void two_tags_in_the_other_order(int rank) {
  if (rank == 0) {
    const auto first = dist::send(full({3}, 1.0), 1, 1);
    const auto second = dist::send(full({3}, 2.0), 1, 2);
    second.wait();
    first.wait();
  } else {
    expect_received(2, 0, 2);
    expect_received(1, 0, 1);
  }
}

void the_first_of_two_ranks_is_busy(int rank) {
  if (rank == 0) {
    const auto busy = dist::send(full({3}, 1.0), 1);
    dist::send(full({3}, 2.0), 2).wait();
    busy.wait();
  } else if (rank == 1) {
    expect_received(7, 2);  // rank 2 has its message then
    expect_received(1, 0);
  } else {
    expect_received(2, 0);
    dist::send(full({3}, 7.0), 1).wait();
  }
}

void the_second_receive_arrives_first(int rank) {
  if (rank == 0) {
    const Tensor first = zeros({3});
    const auto late = dist::recv(first, 1);
    expect_received(2, 2);
    dist::send(full({3}, 7.0), 1).wait();
    late.wait();
    expect_tensor(first, {3}, {1, 1, 1});
  } else {
    if (rank == 1) expect_received(7, 0);
    dist::send(full({3}, 1.0 * rank), 0).wait();
  }
}

void from_any_source(int rank) {
  if (rank != 0) return dist::send(full({3}, 1.0 * rank), 0, 4).wait();
  const int ranks = dist::get_world_size();
  std::vector<bool> came(static_cast<std::size_t>(ranks), false);
  for (int i = 1; i < ranks; ++i) {
    const Tensor x = zeros({3});
    const int source = dist::recv(x, std::nullopt, 4).source_rank();
    expect_tensor(x, {3}, std::vector<double>(3, source));
    EXPECT_FALSE(came.at(static_cast<std::size_t>(source)));
    came[static_cast<std::size_t>(source)] = true;
  }
}

void receives_that_fit_get_messages_in_their_order(int rank) {
  if (rank == 1) {
    for (const double value : {1, 2, 3, 4}) dist::send(full({3}, value), 0).wait();
    return;
  }
  std::vector<Tensor> all;
  std::vector<dist::Work> works;
  for (const auto source : {std::optional<int>(), std::optional(1), std::optional<int>(), std::optional(1)}) {
    all.push_back(zeros({3}));
    works.push_back(dist::recv(all.back(), source));
  }
  for (std::size_t i = 0; i < works.size(); ++i) {
    EXPECT_EQ(works[i].source_rank(), 1);
    expect_tensor(all[i], {3}, std::vector<double>(3, static_cast<double>(i) + 1));
  }
}

void many_at_once(int rank) {
  const int other = 1 - rank;
  std::vector<Tensor> all;
  std::vector<dist::Work> works;
  for (int tag = 0; tag < 20; ++tag) {
    works.push_back(dist::send(full({1000}, 100.0 * rank + tag), other, tag));
    all.push_back(zeros({1000}));
  }
  for (int tag = 19; tag >= 0; --tag) works.push_back(dist::recv(all[static_cast<std::size_t>(tag)], other, tag));
  for (const auto& work : works) work.wait();
  for (int tag = 0; tag < 20; ++tag) {
    EXPECT_EQ(all[static_cast<std::size_t>(tag)].sum().item<double>(), 1000 * (100.0 * other + tag));
  }
}

/// A server that answers each worker when it asks; the last worker asks late.
void a_slow_worker(int rank) {
  const int workers = dist::get_world_size() - 1;
  if (rank > 0) {
    if (rank == workers) std::this_thread::sleep_for(2s);
    const auto began = Clock::now();
    for (int i = 0; i < 5; ++i) {
      dist::send(full({3}, 1.0 * rank), 0).wait();
      expect_received(10 + rank, 0);
    }
    EXPECT_LT(Clock::now() - began, 1500ms);
    return;
  }
  std::vector<Tensor> requests;
  std::vector<dist::Work> begun;
  std::vector<int> answered(static_cast<std::size_t>(workers), 0);
  for (int i = 0; i < workers; ++i) {
    requests.push_back(zeros({3}));
    begun.push_back(dist::recv(requests.back(), i + 1));
  }
  for (int left = 5 * workers; left > 0; std::this_thread::sleep_for(1ms)) {
    for (int i = 0; i < workers; ++i) {
      const auto place = static_cast<std::size_t>(i);
      if (answered[place] == 5 || !begun[place].is_completed()) continue;
      begun[place].wait();
      dist::send(requests[place] + 10, i + 1).wait();
      --left;
      if (++answered[place] < 5) begun[place] = dist::recv(requests[place], i + 1);
    }
  }
}

const Program programs[] = {{2, two_tags_in_the_other_order},
                            {3, the_first_of_two_ranks_is_busy},
                            {3, the_second_receive_arrives_first},
                            {4, from_any_source},
                            {2, receives_that_fit_get_messages_in_their_order},
                            {2, many_at_once},
                            {4, a_slow_worker}};

TEST_F(Processes, SendMessagesThatDoNotWaitForEachOther) {
  for (const Program& program : programs) {
    start(program.ranks, program.run, "", 10s);
    EXPECT_EQ(finish(), std::vector<int>(static_cast<std::size_t>(program.ranks), 0));
  }
}

TEST(Messages, OfThreadsDoNotWaitForEachOther) {
  SKIP_WITHOUT_GLOO();
  for (const Program& program : programs) dist::run_ranks(program.ranks, program.run, 10s);
}

TEST_F(Processes, ReceiveFromAnyRankUntilAllOthersHaveLeft) {
  start(3, [](int rank) {
    if (rank == 2) return;
    if (rank == 1) {
      std::this_thread::sleep_for(500ms);
      return dist::send(ones({3}), 0).wait();
    }
    const Tensor x = zeros({3});
    EXPECT_EQ(dist::recv(x).source_rank(), 1);
    expect_error<DistributedError>([&] { dist::recv(x).wait(); }, "has left the group");
  });
  EXPECT_EQ(finish(), (std::vector<int>{0, 0, 0}));
}

TEST_F(Processes, LearnThatARankHasDiedWhileTheyReceiveFromAny) {
  const auto began = Clock::now();
  start(
      3,
      [](int rank) {
        if (rank == 2) ::raise(SIGKILL);
        const Tensor x = zeros({3});
        if (rank == 0) return dist::recv(x).wait();
        std::this_thread::sleep_for(3s);
      },
      "rank 2 has ended");
  const auto codes = finish();
  EXPECT_EQ(codes[0], 2);
  EXPECT_EQ(codes[1], 0);
  EXPECT_LT(Clock::now() - began, 10s);
}

TEST(Messages, FromAnyNeedAnotherRank) {
  dist::init_process_group("local");
  expect_error<ValueError>([] { dist::recv(ones({1})).wait(); }, "no other rank");
  dist::destroy_process_group();
}

TEST(Messages, HaveASourceOnlyIfTheyAreReceived) {
  expect_error<ValueError>([] { return dist::Work().source_rank(); }, "does not receive a message");
}

}  // namespace
}  // namespace d2l::testing
