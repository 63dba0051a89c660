// SPDX-License-Identifier: MIT
// The board: its points, the cost of fetching, and its picture.
#include "d2l/board.h"

#include <cmath>
#include <limits>
#include <string>

#include "base/axis.h"
#include "every_device.h"
#include "well_formed.h"

namespace d2l::testing {
namespace {

TEST(Board, CollectsOnEveryDeviceAndFetchesOnce) {
  on_every_device([](Device device) {
    ProgressBoard board;
    const Tensor values = arange(0, 1000, 1, TensorOptions(device).dtype(kFloat));
    const TransferLedger ledger;
    for (int i = 0; i < 1000; ++i) board.draw(i, values[i], i % 2 == 0 ? "even" : "odd");
    EXPECT_EQ(ledger.copies(), 0);
    EXPECT_EQ(ledger.synchronisations(), 0);
    EXPECT_TRUE(board.lines().front().y.empty());
    const auto means = board.fetch();
    EXPECT_EQ(ledger.copies(Direction::device_to_host), device.is_cuda() ? 1 : 0);
    EXPECT_EQ(ledger.copied_bytes(Direction::device_to_host), device.is_cuda() ? 4000 : 0);
    ASSERT_EQ(board.lines().size(), 2u);
    ASSERT_EQ(board.lines()[1].y.size(), 500u);
    for (std::size_t i = 0; i < 500; ++i) {
      EXPECT_EQ(board.lines()[0].x[i], static_cast<double>(2 * i));
      EXPECT_EQ(board.lines()[1].y[i], static_cast<double>(2 * i + 1));
    }
    ASSERT_EQ(means.size(), 2u);
    EXPECT_EQ(means[0].label, "even");
    EXPECT_EQ(means[0].value, 499);
    EXPECT_EQ(means[1].value, 500);
    EXPECT_TRUE(board.fetch().empty());
    EXPECT_EQ(ledger.synchronisations(), device.is_cuda() ? 1 : 0);
  });
}

TEST(Board, NeverWaitsForAValue) {
  if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  ProgressBoard board;
  {
    const HeldQueue held(gpu(0));
    for (int i = 0; i < 300; ++i) board.draw(i, full({}, i, gpu(0)).to(kFloat) + 0.5, "loss");
  }
  board.fetch();
  ASSERT_EQ(board.lines()[0].y.size(), 300u);
  EXPECT_EQ(board.lines()[0].y[299], 299.5);
}

TEST(Board, AveragesAsManyAsWereAskedFor) {
  ProgressBoard board;
  for (int i = 0; i < 7; ++i) board.draw(i, static_cast<double>(i * i), "squares", 3);
  board.fetch();
  EXPECT_EQ(board.lines()[0].x, (std::vector<double>{1, 4}));
  EXPECT_EQ(board.lines()[0].y, (std::vector<double>{(0 + 1 + 4) / 3.0, (9 + 16 + 25) / 3.0}));
  board.draw(7, 49.0, "squares", 2);
  board.fetch();
  EXPECT_EQ(board.lines()[0].x.back(), 6.5);
  EXPECT_EQ(board.lines()[0].y.back(), 42.5);
}

TEST(Board, LosesNothingOfAnyDtype) {
  on_every_device([](Device device) {
    ProgressBoard board;
    board.draw(0, full({}, 0.1, TensorOptions(device).dtype(kFloat)), "a");
    board.draw(1, full({1, 1}, 0.1, TensorOptions(device).dtype(kDouble)), "a");
    board.draw(2, full({}, 16777217, TensorOptions(device).dtype(kLong)), "a");
    board.draw(3, 0.3, "a");
    const TransferLedger ledger;
    board.fetch();
    EXPECT_EQ(ledger.copies(Direction::device_to_host), device.is_cuda() ? 1 : 0);
    EXPECT_EQ(board.lines()[0].y, (std::vector<double>{static_cast<double>(0.1F), 0.1, 16777217, 0.3}));
  });
}

TEST(Board, RecordsNothing) {
  const Tensor x = ones({1}).requires_grad_();
  ProgressBoard board;
  for (int i = 0; i < 3; ++i) board.draw(i, x * 2, "x");
  board.fetch();
  EXPECT_EQ(board.lines()[0].y, (std::vector<double>{2, 2, 2}));
}

TEST(Board, RefusesWhatIsNoPoint) {
  ProgressBoard board;
  expect_error<ValueError>([&] { board.draw(0, ones({2}), "a"); }, "a point must have one value");
  expect_error<ValueError>([&] { board.draw(0, ones({0}), "a"); }, "a point must have one value");
  expect_error<ValueError>([&] { board.draw(0, Tensor(), "a"); }, "undefined");
  expect_error<ValueError>([&] { board.draw(0, 1.0, "a", 0); }, "every_n is 0");
  EXPECT_TRUE(board.lines().empty());
  EXPECT_EQ(board.description(), "no points yet");
}

TEST(BoardPicture, HasWhatAReaderNeeds) {
  ProgressBoard board;
  board.xlabel = "epoch";
  board.ylabel = "loss";
  board.xlim = {0, 3};
  for (int i = 0; i < 6; ++i) board.draw(i / 2.0, 10.0 / (i + 1), "train_loss");
  for (int i = 0; i < 3; ++i) board.draw(i + 1, 5.0 / (i + 1), "val_loss");
  board.fetch();
  const auto svg = board.svg();
  expect_well_formed(svg);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  for (const char* const part :
       {"<title>train_loss and val_loss by epoch</title>",
        "<desc>train_loss goes from 10 to 1.67 in 6 points; val_loss goes from 5 to 1.67 in 3 points</desc>",
        ">epoch</text>", ">loss</text>", ">train_loss</text>", ">val_loss</text>", ">0</text>", ">3</text>",
        ">10</text>", "role=\"img\"", "currentColor"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part << "\n" << svg;
  }
  EXPECT_EQ(count_of(svg, "<circle"), 9u);
  EXPECT_EQ(svg, board.svg());
  for (const char* const foreign : {"<style", "<script", "href", " id=", "url("}) {
    EXPECT_EQ(svg.find(foreign), std::string::npos) << foreign;
  }
}

TEST(BoardPicture, IsWellFormedWhateverIsDrawn) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double huge = std::numeric_limits<double>::max();
  ProgressBoard empty;
  expect_well_formed(empty.svg());
  for (const auto& values : std::vector<std::vector<double>>{{nan},
                                                             {inf, -inf},
                                                             {1, nan, 2, inf, 3},
                                                             {huge, -huge},
                                                             {1e-320, 0},
                                                             {0, 0, 0},
                                                             {5},
                                                             {1e9, 1e9 + 1},
                                                             {-3, -2}}) {
    ProgressBoard board;
    double x = 0;
    for (const double value : values) board.draw(x++, value, "<a & \"b\">\n");
    board.fetch();
    const auto svg = board.svg();
    expect_well_formed(svg);
    EXPECT_NE(svg.find("&lt;a &amp; &quot;b&quot;&gt;?</text>"), std::string::npos);
    for (const char* const attribute : {"\"nan", "\"inf", " nan", " inf", "\"-inf", "Mnan", "Lnan"}) {
      EXPECT_EQ(svg.substr(svg.find("</desc>")).find(attribute), std::string::npos) << attribute << "\n" << svg;
    }
    board.xlim = {2, 2};
    board.ylim = {nan, inf};
    expect_well_formed(board.svg());
  }
}

TEST(BoardPicture, BreaksALineAtWhatIsNoNumber) {
  ProgressBoard board;
  for (const double value : {1.0, 2.0, std::nan(""), 3.0, 4.0}) board.draw(value, value, "a");
  board.fetch();
  const auto svg = board.svg();
  const auto curves = svg.substr(svg.find("viewBox=\"-4"));
  const auto path = curves.substr(curves.find("d=\""), curves.find("fill") - curves.find("d=\""));
  EXPECT_EQ(count_of(path, "M"), 2u) << path;
  EXPECT_EQ(count_of(path, "L"), 2u) << path;
}

TEST(Axis, HasRoundNumbers) {
  const auto texts = [](double low, double high) {
    std::vector<std::string> result;
    const detail::Axis axis({low, high});
    for (const auto& tick : axis.ticks()) result.push_back(tick.text);
    return result;
  };
  EXPECT_EQ(texts(0, 10), (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(texts(0, 3), (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(texts(-0.3, 0.3), (std::vector<std::string>{"-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(texts(0, 0.00004).size(), 5u);
  for (const double power : {1e-200, 1e-7, 1.0, 1e7, 1e200}) {
    for (const double high : {1.0, 1.7, 3.2, 6.6, 9.9}) {
      const auto count = texts(0, high * power).size();
      EXPECT_GE(count, 3u) << high * power;
      EXPECT_LE(count, 8u) << high * power;
    }
  }
}

}  // namespace
}  // namespace d2l::testing
