// SPDX-License-Identifier: MIT
// Judgements of exercises: pass, fail, the finding, and not verifiable.
#include <cmath>
#include <limits>
#include <stdexcept>

#include "d2l/check.h"
#include "every_device.h"
#include "ledger/launch_notes.h"

namespace d2l::check {
namespace {

using d2l::testing::expect_error;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The finding of a single item.
Finding judged(const std::function<void(ItemJudgement&)>& judge) {
  Judgement judgement({{"only", 3, Kind::result, "all is well", 1}});
  judgement.item("only", judge);
  return judgement.findings().front();
}

Finding compared(const Tensor& expected, const Tensor& found, double tolerance) {
  return judged([&](ItemJudgement& item) { item.close(expected, found, tolerance, "here"); });
}

TEST(Judgement, FailsItemsThatAreNotJudged) {
  const Judgement judgement({{"only", 3, Kind::result, "all is well", 1}});
  EXPECT_EQ(judgement.verdict(), Verdict::fail);
  EXPECT_NE(judgement.findings().front().found.find("bug in the check"), std::string::npos);
  EXPECT_EQ(judged([](ItemJudgement&) {}).verdict, Verdict::fail) << "nothing was expected of it";
}

TEST(Judgement, PassesWhenEverythingIsMet) {
  const auto finding = judged([](ItemJudgement& item) {
    item.equal(2, 2, "copies");
    item.at_most(2, 1, "waits");
    item.at_least(2, 2, "bytes loaded");
    item.expect(true, "this", "that");
  });
  EXPECT_EQ(finding.verdict, Verdict::pass);
  EXPECT_EQ(finding.found, "");
}

TEST(Judgement, TellsTheFirstThingThatIsNotMet) {
  const auto finding = judged([](ItemJudgement& item) {
    item.equal(2, 2, "copies");
    item.equal(1, 2, "copies", "first()");
    item.equal(1, 3, "waits", "second()");
    item.expect(true, "this", "that");
    item.not_verifiable("a GPU");
  });
  EXPECT_EQ(finding.verdict, Verdict::fail);
  EXPECT_EQ(finding.expected, "1 copy");
  EXPECT_EQ(finding.found, "2 copies");
  EXPECT_EQ(finding.where, "first()");
  EXPECT_EQ(finding.needs, "");
}

TEST(Judgement, SaysWhatThisHardwareCannotShowUnlessItFailsAnyway) {
  const auto unseen = judged([](ItemJudgement& item) {
    item.expect(true, "this", "that");
    item.not_verifiable("a GPU");
    item.expect(true, "this", "that");
  });
  EXPECT_EQ(unseen.verdict, Verdict::not_verifiable);
  EXPECT_EQ(unseen.needs, "a GPU");
  const auto failed = judged([](ItemJudgement& item) {
    item.not_verifiable("a GPU");
    item.expect(false, "this", "that");
  });
  EXPECT_EQ(failed.verdict, Verdict::fail);
  EXPECT_EQ(failed.found, "that");
  EXPECT_EQ(failed.needs, "");
}

TEST(Judgement, CountsOneAndMany) {
  EXPECT_EQ(counted(1, "copies to the host"), "1 copy to the host");
  EXPECT_EQ(counted(1, "waits"), "1 wait");
  EXPECT_EQ(counted(1, "launches"), "1 launch");
  EXPECT_EQ(counted(1, "passes a request"), "1 pass a request");
  EXPECT_EQ(counted(1, "bytes"), "1 byte");
  EXPECT_EQ(counted(0, "copies"), "0 copies");
  EXPECT_EQ(counted(2, "bytes"), "2 bytes");
}

TEST(Judgement, TakesWhatIsThrownForWhatIsFound) {
  const auto missing = judged([](ItemJudgement& item) {
    item.expect(true, "this", "that");
    throw CheckError("the function threw: no", "call()");
  });
  EXPECT_EQ(missing.verdict, Verdict::fail);
  EXPECT_EQ(missing.expected, "") << "not the title again";
  EXPECT_EQ(missing.found, "the function threw: no");
  EXPECT_EQ(missing.where, "call()");
  EXPECT_EQ(judged([](ItemJudgement&) { throw std::runtime_error("no"); }).found, "no");
  const auto first = judged([](ItemJudgement& item) {
    item.expect(false, "this", "that");
    throw std::runtime_error("later");
  });
  EXPECT_EQ(first.found, "that");
}

TEST(Judgement, FailsACallWhoseLaunchWasRefused) {
  Outcome outcome;
  d2l::detail::note_refused_launch("before the call");
  EXPECT_TRUE(outcome.attempt("right", [] {}));
  EXPECT_FALSE(outcome.has_failed_attempt());
  EXPECT_FALSE(outcome.attempt("refused", [] {
    d2l::detail::note_refused_launch("0 blocks");
    d2l::detail::note_refused_launch("0 threads");
  }));
  EXPECT_TRUE(outcome.has_failed_attempt());
  EXPECT_EQ(outcome.recording_or_error("refused").error, "0 blocks");
  expect_error<CheckError>([&] { outcome.require("refused"); }, "0 blocks");
}

TEST(Judgement, FailsACallWithALaunchOnAnotherStreamUnlessSomethingWaits) {
  Outcome outcome;
  const auto launch = [] { d2l::detail::note_launch_on_other_stream("elsewhere"); };
  launch();
  EXPECT_TRUE(outcome.attempt("right", [] {}));
  EXPECT_FALSE(outcome.attempt("elsewhere", launch));
  EXPECT_EQ(outcome.recording_or_error("elsewhere").error, "elsewhere");
  if (num_gpus() == 0) return;
  EXPECT_TRUE(outcome.attempt("with a wait", [&] {
    launch();
    synchronize(gpu(0));
  }));
}

TEST(Judgement, MissesCountsOnlyWhereKernelsAreNotCounted) {
  Outcome outcome;
  outcome.attempt("no kernel", [] {});
  EXPECT_EQ(judged([&](ItemJudgement& item) { item.lacks_counts(outcome, "other"); }).verdict, Verdict::fail);
  const bool emulated = num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
  const Finding finding = judged([&](ItemJudgement& item) {
    EXPECT_EQ(item.lacks_counts(outcome, "no kernel"), !emulated);
    item.expect(emulated, "kernels", "none");
  });
  EXPECT_EQ(finding.verdict, emulated ? Verdict::pass : Verdict::fail);
}

TEST(Judgement, KnowsItsItemsAlone) {
  Judgement judgement({{"only", 3, Kind::result, "all is well", 1}});
  expect_error<ValueError>([&] { judgement.item("other", [](ItemJudgement&) {}); }, "other");
}

TEST(Judgement, FailsBeforeItIsUnverifiableAndCountsWhatPassed) {
  Judgement judgement({{"a", 3, Kind::result, "a", 1}, {"b", 2, Kind::cost, "b", 1}, {"c", 1, Kind::timing, "c", 1}});
  const auto pass = [](ItemJudgement& item) { item.expect(true, "", ""); };
  const auto unseen = [](ItemJudgement& item) { item.not_verifiable("a GPU"); };
  judgement.item("a", pass);
  judgement.item("b", unseen);
  EXPECT_EQ(judgement.verdict(), Verdict::fail) << "c is not judged";
  judgement.item("c", pass);
  EXPECT_EQ(judgement.verdict(), Verdict::not_verifiable);
  EXPECT_EQ(judgement.points(), 4);
  EXPECT_EQ(judgement.possible(), 6);
  judgement.fail_all("no end");
  EXPECT_EQ(judgement.verdict(), Verdict::fail);
  EXPECT_EQ(judgement.points(), 0);
  EXPECT_EQ(judgement.findings()[1].needs, "");
}

TEST(Judgement, ComparesShapesAndDtypesBeforeValues) {
  EXPECT_EQ(compared(ones({2}), ones({2}), 0).verdict, Verdict::pass);
  EXPECT_EQ(compared(ones({2}), ones({1, 2}), 1).found, "a tensor of torch.float32 with shape [1, 2]");
  EXPECT_EQ(compared(ones({2}), ones({2}, kDouble), 1).found, "a tensor of torch.float64 with shape [2]");
  EXPECT_EQ(compared(ones({2}), Tensor(), 1).found, "no tensor");
  EXPECT_EQ(compared(ones({0}), ones({0}), 0).verdict, Verdict::pass);
  EXPECT_EQ(compared(ones({0}), ones({0, 3}), 0).verdict, Verdict::fail);
}

TEST(Judgement, ComparesValuesWithinATolerance) {
  EXPECT_EQ(compared(tensor({100., 0.}), tensor({100., 0.9}), 0.01).verdict, Verdict::pass)
      << "relative to the largest";
  const auto far = compared(tensor({{100., 0.}, {0., 0.}}), tensor({{100., 0.}, {1.5, 0.}}), 0.01);
  EXPECT_EQ(far.verdict, Verdict::fail);
  EXPECT_EQ(far.expected, "0 at [1, 0]");
  EXPECT_EQ(far.found, "1.5, off by 1.5e-02 of the largest value");
  EXPECT_EQ(far.where, "here");
  EXPECT_EQ(compared(tensor({1.}), tensor({nan}), 1e9).found, "nan") << "not: off by nan";
  EXPECT_EQ(compared(tensor({0.}), tensor({3.5}), 1e9).found, "3.5, off by 3.5e+00") << "not: off by inf";
  EXPECT_EQ(compared(tensor({nan}), tensor({1.}), 1e9).verdict, Verdict::fail);
  EXPECT_EQ(compared(tensor({1.}), tensor({HUGE_VAL}), 1e9).verdict, Verdict::fail);
  const auto infinite = tensor({1., std::numeric_limits<double>::infinity()}, kDouble);
  EXPECT_EQ(compared(infinite, infinite, 1e-6).verdict, Verdict::pass);
  EXPECT_EQ(compared(infinite, tensor({1., 2.}, kDouble), 1e-6).verdict, Verdict::fail);
  const auto close = compared(tensor({1. / 3}, kDouble), tensor({1. / 3 + 1e-12}, kDouble), 0);
  const std::string before_comma = close.found.substr(0, close.found.find(','));
  EXPECT_NE(before_comma, close.expected.substr(0, before_comma.size())) << "the digits that differ are shown";
}

TEST(Judgement, ComparesRelativeToAtLeastANumber) {
  const auto compared_to_one = [](const Tensor& expected, const Tensor& found) {
    return judged([&](ItemJudgement& item) { item.close(expected, found, 0.01, "", 1); });
  };
  EXPECT_EQ(compared_to_one(tensor({0.001}), tensor({0.009})).verdict, Verdict::pass);
  EXPECT_EQ(compared_to_one(tensor({0.}), tensor({0.009})).verdict, Verdict::pass);
  const auto far = compared_to_one(tensor({1., 0.}), tensor({3.906, 0.}));
  EXPECT_EQ(far.expected, "1 at [0]");
  EXPECT_EQ(far.found, "3.906, off by 2.9e+00 of the largest value");
  EXPECT_EQ(compared_to_one(tensor({100.}), tensor({100.9})).verdict, Verdict::pass) << "the largest is larger";
}

TEST(Returned, ShowsMemoryThatResultsShare) {
  const Tensor argument = tensor({1., 2.});
  Tensor first = tensor({3., 4.});
  Outcome outcome;
  Returned returned(outcome);
  returned.keep("first", first, {{"argument", argument}});
  returned.keep("argument itself", argument, {});
  returned.keep("none", Tensor(), {});
  EXPECT_EQ(outcome.tensor("first").to_vector<double>(), (std::vector<double>{3, 4})) << "stored at once";
  first.fill_(5);  // as a later call does, which returns the same memory
  returned.store_again();
  EXPECT_EQ(outcome.tensor("first").to_vector<double>(), (std::vector<double>{5, 5}));
  EXPECT_EQ(outcome.tensor("argument itself").to_vector<double>(), (std::vector<double>{1, 2}));
  EXPECT_NE(outcome.tensor("argument").to_vector<double>(), (std::vector<double>{1, 2})) << "a result is its memory";
  EXPECT_FALSE(outcome.contains("none"));
}

TEST(Judgement, SeesThroughALabel) {
  const auto judge_on = [](const Tensor& result, Device device) {
    Outcome outcome;
    outcome.result("sum", result);
    return judged([&](ItemJudgement& item) { item.placed(outcome, "sum", device); });
  };
  EXPECT_EQ(judge_on(ones({2}), cpu()).verdict, Verdict::pass);
  EXPECT_EQ(judge_on(ones({2}), gpu(0)).found, "sum in the memory of cpu");
  if (num_gpus() == 0) GTEST_SKIP() << "there is no GPU, physical or virtual";
  EXPECT_EQ(judge_on(ones({2}, gpu(0)), gpu(0)).verdict, Verdict::pass);
  EXPECT_EQ(judge_on(ones({2}, gpu(0)), cpu()).found, "sum in the memory of cuda:0");
  const std::string lie = "according to the driver, although its label says";
  const auto at_home = judge_on(d2l::testing::relabel(ones({2}), gpu(0)), gpu(0));
  EXPECT_EQ(at_home.found, "sum in the memory of cpu " + lie + " cuda:0");
  const auto away = judge_on(d2l::testing::relabel(ones({2}, gpu(0)), cpu()), cpu());
  EXPECT_EQ(away.found, "sum in the memory of cuda:0 " + lie + " cpu");
  EXPECT_EQ(judge_on(d2l::testing::relabel(ones({2}, gpu(0)), cpu()), gpu(0)).found, "the device cpu");
  synchronize();
}

TEST(Judgement, MissesResultsThatThereAreNot) {
  const Outcome nothing;
  const auto found = judged([&](ItemJudgement& item) { item.placed(nothing, "sum", cpu()); });
  EXPECT_EQ(found.verdict, Verdict::fail);
  expect_error<CheckError>([&] { return nothing.recording("call()"); }, "was not called");
  expect_error<CheckError>([&] { return nothing.tensor("x"); }, "there is no result \"x\"");
}

}  // namespace
}  // namespace d2l::check
