// SPDX-License-Identifier: MIT
// The links, and the model of an all-reduce against a simulation of its messages.
#include "d2l/links.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "expect_error.h"

namespace d2l::testing {
namespace {

struct Message {
  int from;
  int to;
  double bytes;
};

/// The messages of an all-reduce in rounds; those of a round run at once.
std::vector<std::vector<Message>> rounds_of(AllReduce algorithm, int k, double bytes) {
  std::vector<std::vector<Message>> rounds;
  if (algorithm == AllReduce::star) {
    for (int i = 1; i < k; ++i) rounds.push_back({{i, 0, bytes}});
    for (int i = 1; i < k; ++i) rounds.push_back({{0, i, bytes}});
  } else if (algorithm == AllReduce::tree) {
    for (int distance = 1; distance < k; distance *= 2) {
      std::vector<Message> round;
      for (int i = 0; i + distance < k; i += 2 * distance) round.push_back({i + distance, i, bytes});
      rounds.push_back(round);
    }
    const auto up = rounds;
    for (auto round = up.rbegin(); round != up.rend(); ++round) {
      std::vector<Message> down;
      for (const Message& message : *round) down.push_back({message.to, message.from, bytes});
      rounds.push_back(down);
    }
  } else {
    for (int step = 0; step < 2 * (k - 1); ++step) {
      std::vector<Message> round;
      for (int i = 0; i < k; ++i) round.push_back({i, (i + 1) % k, bytes / k});
      rounds.push_back(round);
    }
  }
  return rounds;
}

TEST(Links, ModelAnAllReduceAsItsMessages) {
  const Link link{2e-6, 1e9};
  const std::int64_t bytes = 840 * 1000;
  for (const auto algorithm : {AllReduce::star, AllReduce::tree, AllReduce::ring}) {
    for (int k = 2; k <= 8; ++k) {
      std::vector<double> sent(static_cast<std::size_t>(k));
      double seconds = 0;
      for (const auto& round : rounds_of(algorithm, k, static_cast<double>(bytes))) {
        double longest = 0;
        for (const Message& message : round) {
          sent[static_cast<std::size_t>(message.from)] += message.bytes;
          longest = std::max(longest, link.latency + message.bytes / link.bandwidth);
        }
        seconds += longest;
      }
      EXPECT_NEAR(all_reduce_seconds(algorithm, k, bytes, link), seconds, 1e-12);
      for (int device = 0; device < k; ++device) {
        EXPECT_EQ(all_reduce_bytes(algorithm, k, bytes, device), std::llround(sent[static_cast<std::size_t>(device)]))
            << "k " << k << ", device " << device;
      }
    }
  }
}

TEST(Links, OneDeviceSendsNothing) {
  EXPECT_EQ(all_reduce_bytes(AllReduce::star, 1, 100, 0), 0);
  EXPECT_EQ(all_reduce_seconds(AllReduce::ring, 1, 100, link_named("PCIe 5")), 0);
}

TEST(Links, BetweenServersOnlyOneOfEachSends) {
  const Link& fast = link_named("NVLink 4");
  const Link& slow = link_named("1 Gbit/s Ethernet");
  EXPECT_LT(hierarchical_seconds(2, 4, 4'000'000, fast, slow), all_reduce_seconds(AllReduce::ring, 8, 4'000'000, slow));
}

TEST(Links, HaveTheirPublishedRates) {
  EXPECT_EQ(link_named("NVLink 4").bandwidth, 450e9);
  EXPECT_EQ(link_named("InfiniBand NDR").bandwidth, 50e9);
  EXPECT_EQ(link_named("10 Gbit/s Ethernet").bandwidth, 1.25e9);
  expect_error<ValueError>([] { link_named("string"); }, "\"NVLink 4\", \"PCIe 4\"");
}

TEST(Links, RefuseWhatIsNotThere) {
  expect_error<ValueError>([] { all_reduce_bytes(AllReduce::ring, 0, 1, 0); }, "0 devices");
  expect_error<ValueError>([] { all_reduce_bytes(AllReduce::ring, 2, 1, 2); }, "no device 2");
  expect_error<ValueError>([] { all_reduce_seconds(AllReduce::ring, 2, 1, {-1, 1}); }, "latency -1");
}

}  // namespace
}  // namespace d2l::testing
