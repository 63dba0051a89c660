// SPDX-License-Identifier: MIT
// The store through which processes meet: what it tells the ranks of a failure.
#include <gtest/gtest.h>

#include <memory>

#include "distributed/store/store_client.h"
#include "distributed/store/store_server.h"

namespace d2l::testing {
namespace {

using namespace std::chrono_literals;
using distributed::detail::StoreAddress;
using distributed::detail::StoreClient;
using distributed::detail::StoreServer;

TEST(Store, HasToldTheOthersWhenAReportOfRank0Returns) {
  for (int round = 0; round < 20; ++round) {
    auto server = std::make_unique<StoreServer>(0, 3);
    const StoreAddress store{"127.0.0.1", server->port()};
    StoreClient reporter(store, 0, 3, 5s);
    StoreClient first(store, 1, 3, 5s);
    StoreClient second(store, 2, 3, 5s);
    reporter.report("rank 1 hangs");
    server.reset();
    EXPECT_EQ(first.first_cause(5s), "rank 1 hangs");
    EXPECT_EQ(second.first_cause(5s), "rank 1 hangs");
  }
}

}  // namespace
}  // namespace d2l::testing
