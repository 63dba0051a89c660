// SPDX-License-Identifier: MIT
// The queues of virtual GPUs: order, marks, holds, and ends with pending work.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "backend/rig.h"
#include "messages.h"

namespace d2l::tests {
namespace {

using backend::HostMemory;

class Queue : public ::testing::Test {
 protected:
  const VirtualRig gpus{3};
};

TEST_F(Queue, WaitsForAMarkOfAnother) {
  void* const produced = gpus.allocate(0, 100);
  void* const consumed = gpus.allocate(1, 100);
  for (int round = 0; round < 20; ++round) {
    gpus.hold(0);
    gpus.fill(0, produced, 100, round);
    const auto mark = gpus->record(0);
    gpus->wait(1, mark);
    gpus->copy_to_peer(1, 0, consumed, produced, 400, nullptr);
    EXPECT_FALSE(mark->done());
    gpus.release(0);
    EXPECT_EQ(gpus.read(1, consumed, 100), std::vector<float>(100, static_cast<float>(round)));
  }
}

TEST_F(Queue, AHeldOneAcceptsWorkAndBeginsNone) {
  void* const memory = gpus.filled(0, 100, 1);
  gpus->synchronize(0);
  std::vector<float> host(100, -1);
  gpus.hold(0);
  gpus->copy_to_host(0, host.data(), memory, 400, HostMemory::pageable, nullptr);
  const auto mark = gpus->record(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(mark->done());
  EXPECT_EQ(host, std::vector<float>(100, -1));
  gpus.release(0);
  mark->wait();
  EXPECT_EQ(host, std::vector<float>(100, 1));
}

TEST_F(Queue, ThatIsFullMakesTheIssuerWaitAndWorksInOrder) {
  void* const memory = gpus.allocate(0, 1);
  for (int i = 0; i < 50'000; ++i) gpus.fill(0, memory, 1, i);
  EXPECT_EQ(gpus.read(0, memory, 1), std::vector<float>(1, 49'999));
}

TEST_F(Queue, HoldsNest) {
  gpus.hold(0);
  gpus.hold(0);
  static_cast<void>(gpus.filled(0, 10, 1));
  const auto mark = gpus->record(0);
  gpus.release(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_FALSE(mark->done());
  gpus.release(0);
  mark->wait();
  gpus.release(0);
}

TEST_F(Queue, WaitingForAQueueThatThisThreadHoldsIsAnError) {
  gpus.hold(0);
  static_cast<void>(gpus.filled(0, 10, 1));
  const auto mark = gpus->record(0);
  EXPECT_TRUE(contains(message_of([&] { gpus->synchronize(0); }), "this thread holds the queue of cuda:0"));
  EXPECT_THROW(mark->wait(), Error);
  gpus->synchronize(1);
}

TEST_F(Queue, WaitingIndirectlyForAQueueThatThisThreadHoldsIsAnError) {
  gpus.hold(0);
  static_cast<void>(gpus.filled(0, 10, 1));
  gpus->wait(1, gpus->record(0));
  gpus->wait(2, gpus->record(1));
  EXPECT_THROW(gpus->synchronize(2), Error);
}

TEST_F(Queue, AnotherThreadMayWaitForAHeldOne) {
  gpus.hold(0);
  static_cast<void>(gpus.filled(0, 10, 1));
  std::thread waiter([&] { gpus->synchronize(0); });
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  gpus.release(0);
  waiter.join();
}

TEST_F(Queue, MayBeDroppedWithWorkInIt) {
  std::shared_ptr<backend::Mark> mark;
  {
    const VirtualRig dropped;
    dropped.hold(0);
    static_cast<void>(dropped.filled(0, 10, 1));
    mark = dropped->record(0);
    dropped->wait(1, mark);
    static_cast<void>(dropped.filled(1, 10, 1));
  }
  EXPECT_TRUE(mark->done());
  EXPECT_THROW(mark->wait(), FatalDeviceError);
}

TEST_F(Queue, StaysWithTheParentOfAFork) {
  static_cast<void>(gpus.filled(0, 10, 1));
  const pid_t child = fork();
  if (child == 0) {
    const auto message = message_of<FatalDeviceError>([&] { gpus->synchronize(0); });
    _exit(contains(message, "made by fork()") ? 5 : 6);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 5);
  gpus->synchronize(0);
}

TEST(QueueDeathTest, AProcessMayEndWithWorkPendingOrHeld) {
  EXPECT_EXIT(
      {
        auto* const gpus = new VirtualRig(3);
        static const VirtualRig& reachable = *gpus;
        for (int i = 0; i < 100; ++i) gpus->fill(0, gpus->allocate(0, 100'000), 100'000, 1);
        reachable.hold(1);
        gpus->fill(1, gpus->allocate(1, 10), 10, 1);
        reachable->wait(2, reachable->record(1));
        gpus->fill(2, gpus->allocate(2, 10), 10, 1);
        std::exit(3);
      },
      ::testing::ExitedWithCode(3), "^$");
}

}  // namespace
}  // namespace d2l::tests
