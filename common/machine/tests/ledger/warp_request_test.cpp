// SPDX-License-Identifier: MIT
// The picture of a warp's request, and which requests a report keeps.
#include "d2l/warp_request.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ledger/kernel_sums.h"
#include "ledger/request_parts.h"

namespace d2l {
namespace {

/// A request for 4 bytes by each lane, whose offset is `step` bytes more than that of the lane before.
WarpRequest with_step(std::int64_t step, bool shared) {
  WarpRequest request;
  request.file = "x.cu";
  request.line = 3;
  request.shared = shared;
  request.array = "values";
  request.element = 4;
  request.bytes = 4;
  request.lanes = ~0U;
  for (unsigned lane = 0; lane < 32; ++lane) request.offsets.at(lane) = step * lane;
  return request;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

unsigned passes(const WarpRequest& request) {
  unsigned all = 0;
  for (const auto& part : detail::served_parts(request)) all += part.passes;
  return all;
}

TEST(WarpRequest, TouchesSectors) {
  EXPECT_EQ(detail::sectors_of(with_step(4, false)).size(), 4U);
  EXPECT_EQ(detail::sectors_of(with_step(0, false)).size(), 1U);
  EXPECT_EQ(detail::sectors_of(with_step(512, false)).size(), 32U);
  EXPECT_EQ(detail::sectors_of(with_step(-4, false)).size(), 5U);  // the last byte of lane 0 is in the next sector
  WarpRequest shifted = with_step(4, false);
  shifted.begin = 4;
  EXPECT_EQ(detail::sectors_of(shifted).size(), 5U);
  EXPECT_NE(request_description(shifted).find("It touches 5 sectors of 32 bytes, of which 80 % are used."),
            std::string::npos)
      << request_description(shifted);
}

TEST(WarpRequest, TakesPasses) {
  EXPECT_EQ(passes(with_step(4, true)), 1U);
  EXPECT_EQ(passes(with_step(0, true)), 1U);
  EXPECT_EQ(passes(with_step(8, true)), 2U);
  EXPECT_EQ(passes(with_step(128, true)), 32U);
  WarpRequest wide = with_step(16, true);
  wide.bytes = 16;
  EXPECT_EQ(passes(wide), 4U);
  EXPECT_NE(request_description(wide).find("because lanes of 16 bytes are served in 4 parts"), std::string::npos);
  EXPECT_NE(request_description(with_step(128, true)).find("32 passes: bank 0 has 32 different words"),
            std::string::npos);
}

TEST(WarpRequest, NamesElements) {
  WarpRequest request = with_step(4, true);
  EXPECT_EQ(element_of(request, 5), "values[5]");
  request.lengths = {3, 0, 0};
  EXPECT_EQ(element_of(request, 5), "values[1][2]");
  request.lengths = {};
  request.array = "allocation #1 (64 bytes)";
  EXPECT_EQ(element_of(request, 5), "element 5 of allocation #1 (64 bytes)");
  EXPECT_EQ(element_of(with_step(-4, false), 2), "values[-2]");
}

TEST(WarpRequest, IsDrawn) {
  const std::string column = request_svg(with_step(128, true));
  EXPECT_EQ(count(column, "fill=\"#c4621a\""), 31U) << "31 words wait";
  const std::string row = request_svg(with_step(4, true));
  EXPECT_EQ(count(row, "fill=\"#c4621a\""), 0U);
  EXPECT_EQ(count(row, "fill=\"#2f7fc4\""), 32U);
  const std::string broadcast = request_svg(with_step(0, true));
  EXPECT_EQ(count(broadcast, "×32"), 1U);
  WarpRequest half = with_step(4, false);
  half.lanes = 0xffff;
  EXPECT_NE(request_svg(half), request_svg(with_step(4, false)));
  EXPECT_EQ(count(request_svg(half), "fill=\"#2f7fc4\""), 2U) << "two sectors, both used as a whole";
}

TEST(WarpRequest, IsKeptIfItCostsMore) {
  std::vector<WarpRequest> kept;
  WarpRequest request = with_step(4, false);
  for (const unsigned cost : {4U, 8U, 5U}) {
    request.cost = cost;
    detail::add_request(kept, request);
  }
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept.front().cost, 8U);
  for (int i = 0; i < 100; ++i) {
    request.array = "values" + std::to_string(i);
    detail::add_request(kept, request);
  }
  EXPECT_EQ(kept.size(), 6U) << "a line keeps a few";
}

}  // namespace
}  // namespace d2l
