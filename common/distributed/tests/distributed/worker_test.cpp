// SPDX-License-Identifier: MIT
// The threads of a group, where there may be no more of them.
#include "distributed/worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <future>
#include <memory>
#include <string>
#include <system_error>

#include "gtest/gtest.h"
#include "launch/own_process.h"

namespace d2l::testing {
namespace {

using distributed::detail::Lane;
using distributed::detail::Worker;
using distributed::detail::WorkState;

/// Lets this process, which becomes another user's, start no thread from now on.
bool refuse_threads() {
  const rlimit limits{1, 1};
  return ::setrlimit(RLIMIT_NPROC, &limits) == 0 &&
         (::getuid() != 0 || (::setresgid(65534, 65534, 65534) == 0 && ::setresuid(65534, 65534, 65534) == 0));
}

TEST(Worker, AJobWaitsForABusyThreadWhereNoneCanBeStarted) {
  const auto said = tests::own_process([]() -> std::string {
    std::promise<void> first_may_end;
    Worker worker;
    const auto first = std::make_shared<WorkState>(nullptr);
    worker.add({}, first, [&] { first_may_end.get_future().wait(); });
    if (!refuse_threads()) return tests::not_possible + "another user";
    std::string order;
    const auto second = std::make_shared<WorkState>(nullptr);
    worker.add({Lane::Kind::send, 1, 0}, second, [&] { order += "second "; });
    order += "first ";
    first_may_end.set_value();
    second->wait();
    return order;
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_EQ(said, "first second ");
}

TEST(Worker, SaysThatNoThreadCanBeStarted) {
  const auto said = tests::own_process([]() -> std::string {
    if (!refuse_threads()) return tests::not_possible + "another user";
    Worker worker;
    try {
      worker.add({}, std::make_shared<WorkState>(nullptr), [] {});
    } catch (const std::system_error&) {
      return "refused";
    }
    return "started";
  });
  SKIP_IF_NOT_POSSIBLE(said);
  EXPECT_EQ(said, "refused");
}

}  // namespace
}  // namespace d2l::testing
