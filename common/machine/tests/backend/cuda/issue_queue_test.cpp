// SPDX-License-Identifier: MIT
// Held queues: work that is accepted while they are held is issued later, in the same order; no card is needed.
#include "backend/cuda/queue/issue_queue.h"

#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace d2l::backend::cuda {
namespace {

std::shared_ptr<IssueQueue> make_queue() {
  return std::make_shared<IssueQueue>([](const IssueQueue::Work& work) { work(); });
}

TEST(IssueQueue, IssuesAtOnceWhenItIsFree) {
  const auto queue = make_queue();
  const auto issued = std::make_shared<Gate>();
  int calls = 0;
  queue->issue([&] { ++calls; }, issued);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(issued->is_open());
  EXPECT_TRUE(queue->is_issued());
}

TEST(IssueQueue, KeepsTheOrderOfWhatItHeld) {
  const auto queue = make_queue();
  std::vector<int> order;
  const auto issued = std::make_shared<Gate>();
  queue->hold();
  queue->hold();
  queue->issue([&] { order.push_back(1); });
  queue->issue([&] { order.push_back(2); }, issued);
  queue->release();
  EXPECT_TRUE(order.empty()) << "there is a second hold";
  EXPECT_FALSE(issued->is_open());
  EXPECT_TRUE(queue->is_held_by_this_thread());
  queue->release();
  queue->issue([&] { order.push_back(3); });
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(issued->is_open());
}

TEST(IssueQueue, PreparesWorkThatMustWait) {
  const auto queue = make_queue();
  int source = 1;
  int copied = 0;
  const auto copy_later = [&] { return IssueQueue::Work([&copied, value = source] { copied = value; }); };
  queue->hold();
  queue->issue_either([&] { copied = source; }, copy_later);
  source = 2;
  queue->release();
  EXPECT_EQ(copied, 1) << "the source was read when the work was accepted";
  queue->issue_either([&] { copied = source; }, copy_later);
  EXPECT_EQ(copied, 2);
}

TEST(IssueQueue, WaitsForMarksThatAreHeldBackInAnotherAlsoInACircle) {
  const auto first = make_queue();
  const auto second = make_queue();
  const auto from_first = std::make_shared<Gate>();
  const auto from_second = std::make_shared<Gate>();
  std::vector<int> order;
  first->hold();
  first->issue([&] { order.push_back(1); }, from_first);
  second->issue_after(from_first, [&] { order.push_back(2); });
  second->issue([&] { order.push_back(3); }, from_second);
  first->issue_after(from_second, [&] { order.push_back(4); });
  EXPECT_TRUE(order.empty());
  EXPECT_FALSE(second->is_issued());
  first->release();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_TRUE(second->is_issued());
}

TEST(IssueQueue, LetsAnotherThreadWaitUntilItIsIssued) {
  const auto queue = make_queue();
  std::atomic<int> issued{0};
  queue->hold();
  queue->issue([&] { ++issued; });
  std::thread waiter([&] {
    EXPECT_FALSE(queue->is_held_by_this_thread());
    queue->wait_until_issued();
    EXPECT_EQ(issued.load(), 1);
  });
  queue->release();
  waiter.join();
}

TEST(IssueQueue, TakesWorkFromSeveralThreadsAtOnce) {
  const auto queue = make_queue();
  int issued = 0;  // guarded only by the queue
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        if (i % 50 == 0) queue->hold();
        queue->issue([&] { ++issued; });
        if (i % 50 == 25) queue->release();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  queue->wait_until_issued();
  EXPECT_EQ(issued, 2000);
}

}  // namespace
}  // namespace d2l::backend::cuda
