// SPDX-License-Identifier: MIT
// The files between the processes of a check: round trips, and malformed files.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "d2l/cuda_graph.h"
#include "d2l/nvtx.h"
#include "every_device.h"
#include "files.h"
#include "safetensors/files.h"

namespace d2l::check {
namespace {

using d2l::testing::expect_error;
using d2l::tests::TemporaryFolder;
using d2l::tests::write_contents;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A folder with a written outcome.
struct Written {
  TemporaryFolder folder;
  Written() {
    Outcome outcome;
    outcome.put("x", ones({2}));
    outcome.attempt("call()", [] { static_cast<void>(ones({2}, try_gpu()) + 1); });
    Files::write(outcome, "", folder / "");
  }
  void expect_refused(const std::string& json, const std::string& why = "") const {
    SCOPED_TRACE(json.substr(0, 200));
    write_contents(folder / "outcome.json", json);
    expect_error<ConfigurationError>([&] { Files::read_outcome(folder / ""); }, "outcome.json");
    expect_error<ConfigurationError>([&] { Files::read_outcome(folder / ""); }, why);
  }
};

/// An outcome of one recording with one entry.
std::string with_entry(const std::string& entry) {
  return R"({"error": "", "facts": {}, "recordings": {"call": {"error": "", "entries": [)" + entry + "]}}}";
}

TEST(CheckFiles, CarryFactsOfEveryKind) {
  const TemporaryFolder folder;
  Outcome outcome;
  outcome.put("yes", true);
  outcome.put("least", std::numeric_limits<std::int64_t>::min());
  outcome.put("third", 1.0 / 3);
  outcome.put("whole", 2.0);
  outcome.put("smallest", std::numeric_limits<double>::denorm_min());
  outcome.put("infinite", -infinity);
  outcome.put("nan", std::nan(""));
  outcome.put("text", "a \"line\"\nand \xC3\xA4 and \xFF");
  Files::write(outcome, "an error", folder / "");
  const auto written = Files::read_outcome(folder / "");
  const Outcome& read = written.first;
  EXPECT_EQ(written.second, "an error");
  EXPECT_TRUE(read.flag("yes"));
  EXPECT_EQ(read.integer("least"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read.number("third"), 1.0 / 3);
  EXPECT_EQ(read.number("whole"), 2.0);
  EXPECT_EQ(read.number("smallest"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(read.number("infinite"), -infinity);
  EXPECT_TRUE(std::isnan(read.number("nan")));
  EXPECT_EQ(read.text("text"), "a \"line\"\nand \xC3\xA4 and \xEF\xBF\xBD") << "what is no UTF-8 is marked";
  expect_error<CheckError>([&] { return read.integer("third"); }, "third is not an integer");
  expect_error<CheckError>([&] { return read.flag("least"); }, "least is not a flag");
}

TEST(CheckFiles, CarryTensorsOfEveryDtypeAndShape) {
  const TemporaryFolder folder;
  Inputs inputs((std::uint64_t{1} << 63) + 5);
  for (const ScalarType dtype : {kBool, kByte, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble}) {
    inputs.put(toString(dtype), (rand({3, 2}) * 100).to(dtype));
  }
  inputs.put("none", zeros({0, 4}));
  inputs.put("one", full({}, infinity, kDouble));
  inputs.put("strided", arange(6).view({2, 3}).t());
  Files::write(inputs, folder / "");
  const Inputs read = Files::read_inputs(folder / "");
  EXPECT_EQ(read.seed(), inputs.seed());
  for (const char* const name :
       {"Bool", "Byte", "Int", "Long", "Float", "Double", "Half", "BFloat16", "none", "one", "strided"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(read.tensor(name).dtype(), inputs.tensor(name).dtype());
    EXPECT_TRUE(read.tensor(name).equal(inputs.tensor(name)));
  }
}

TEST(CheckFiles, CarryRangesAndReplays) {
  const TemporaryFolder folder;
  Outcome outcome;
  EXPECT_TRUE(outcome.attempt("call()", [] {
    const cuda::nvtx::range part("part");
    Tensor x = ones({2}, try_gpu());
    if (!x.is_cuda()) return;
    cuda::CUDAGraph graph;
    graph.capture_begin();
    x += 1;
    graph.capture_end();
    graph.replay();
  }));
  Files::write(outcome, "", folder / "");
  const Recording read = Files::read_outcome(folder / "").first.recording("call()");
  ASSERT_GT(read.entries.size(), 2U);
  EXPECT_EQ(read.entries[1].range, "part");
  EXPECT_EQ(read.replays(), num_gpus() == 0 ? 0 : 1);
  EXPECT_EQ(std::ranges::count_if(read.entries, &LedgerEntry::captured), read.replays());
}

TEST(CheckFiles, CarryWhatACallIssued) {
  const TemporaryFolder folder;
  Outcome outcome;
  EXPECT_TRUE(outcome.attempt("call()", [] {
    const Tensor x = ones({2, 3}, try_gpu());
    static_cast<void>(matmul(x, x.t()).sum().item<float>());
  }));
  EXPECT_FALSE(outcome.attempt("throws()", [] { throw 3; }));
  Files::write(outcome, "", folder / "");
  const Outcome read = Files::read_outcome(folder / "").first;
  const Recording& before = outcome.recording("call()");
  const Recording& after = read.recording("call()");
  ASSERT_EQ(after.entries.size(), before.entries.size());
  for (std::size_t i = 0; i < after.entries.size(); ++i) {
    for (const auto field : {&LedgerEntry::bytes, &LedgerEntry::flops, &LedgerEntry::outputs, &LedgerEntry::issued,
                             &LedgerEntry::began, &LedgerEntry::ended})
      EXPECT_EQ(after.entries[i].*field, before.entries[i].*field);
    for (const auto field : {&LedgerEntry::name, &LedgerEntry::range})
      EXPECT_EQ(after.entries[i].*field, before.entries[i].*field);
    for (const auto field : {&LedgerEntry::queue, &LedgerEntry::source, &LedgerEntry::destination})
      EXPECT_EQ(after.entries[i].*field, before.entries[i].*field);
    for (const auto field : {&LedgerEntry::thread, &LedgerEntry::event, &LedgerEntry::result})
      EXPECT_EQ(after.entries[i].*field, before.entries[i].*field);
    for (const auto field : {&LedgerEntry::implicit, &LedgerEntry::staged, &LedgerEntry::waited, &LedgerEntry::leg,
                             &LedgerEntry::captured})
      EXPECT_EQ(after.entries[i].*field, before.entries[i].*field);
    for (const auto field : {&LedgerEntry::rank, &LedgerEntry::peer})
      EXPECT_EQ(after.entries[i].*field, before.entries[i].*field);
    EXPECT_EQ(after.entries[i].kind, before.entries[i].kind);
    EXPECT_EQ(after.entries[i].dtype, before.entries[i].dtype);
  }
  EXPECT_EQ(after.copies(), num_gpus() == 0 ? 0 : 1);
  EXPECT_EQ(after.implicit_copies(), after.copies());
  EXPECT_EQ(after.copied_bytes(Direction::device_to_host), num_gpus() == 0 ? 0 : 4);
  EXPECT_EQ(after.synchronisations(), before.synchronisations());
  EXPECT_EQ(after.launches(try_gpu()), before.launches(try_gpu()));
  EXPECT_EQ(after.allocations(), before.allocations());
  expect_error<CheckError>([&] { return read.recording("throws()").copies(); },
                           "an exception that is not a std::exception");
}

// All of them: a judge in another process must not find less than one in the same.
TEST(CheckFiles, CarryTheCountsOfAKernel) {
  Written written;
  const std::string counts = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,64";
  write_contents(written.folder / "outcome.json",
                 with_entry(R"([0, "to", "cpu", "cpu", "cpu", 4, 0, 0, 0, 0, 0, 0, 0, 4, 0, -1, -1, "step", 7, )"
                            R"({"name": "k", "grid": [1, 2, 3], "block": [4, 5, 6], "counted": true, "counts": [)" +
                            counts + "]}]"));
  const Outcome outcome = Files::read_outcome(written.folder / "").first;
  EXPECT_EQ(outcome.recording("call").entries.at(0).outputs, 7);
  const KernelRun& run = *outcome.recording("call").entries.at(0).kernel;
  EXPECT_EQ(run.block[2], 6U);
  for (const std::uint64_t count :
       {run.counts.active_lanes, run.counts.steps, run.counts.lane_steps, run.counts.longest_warp,
        run.counts.longest_block, run.counts.idle_threads, run.counts.idle_blocks, run.counts.shared_bytes,
        run.counts.matrix_products, run.counts.matrix_multiply_adds}) {
    EXPECT_GT(count, 0U);
  }
  EXPECT_EQ(run.counts.warp_size, 64U);
  Files::write(outcome, "", written.folder / "");
  EXPECT_NE(d2l::tests::contents(written.folder / "outcome.json").find(counts), std::string::npos);
}

TEST(Recording, CountsACopyBetweenGpusThroughMainMemoryOnce) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs";
  for (const bool peer_access : {true, false}) {
    SCOPED_TRACE(peer_access);
    testing::set_peer_access(peer_access);
    Outcome outcome;
    outcome.attempt("call()", [] {
      const Tensor x = ones({6}, gpu(0));
      static_cast<void>(x.to(gpu(1)).to(gpu(0)));
      static_cast<void>(x.cpu());
    });
    testing::set_peer_access(true);
    const Recording& recording = outcome.recording("call()");
    const auto crossings = recording.crossings();
    ASSERT_EQ(crossings.size(), 3U);
    EXPECT_EQ(crossings[0].source, gpu(0));
    EXPECT_EQ(crossings[0].destination, gpu(1));
    EXPECT_EQ(crossings[1].source, gpu(1));
    EXPECT_EQ(crossings[1].destination, gpu(0));
    EXPECT_TRUE(crossings[2].destination.is_cpu());
    EXPECT_EQ(recording.copies_to_host(), 1);
  }
}

TEST(Recording, TellsTheCopiesOfThreadsApart) {
  const auto leg = [](Device from, Device to, std::uint64_t thread) {
    LedgerEntry entry;
    entry.kind = LedgerEntry::Kind::copy;
    entry.source = from;
    entry.destination = to;
    entry.leg = true;
    entry.thread = thread;
    return entry;
  };
  Recording recording;
  recording.entries = {leg(gpu(0), cpu(), 0), leg(gpu(1), cpu(), 1), leg(cpu(), gpu(2), 0),
                       leg(gpu(0), cpu(), 0), leg(cpu(), gpu(3), 1), leg(cpu(), gpu(1), 0)};
  const auto crossings = recording.crossings();
  ASSERT_EQ(crossings.size(), 3U);
  EXPECT_EQ(crossings[0].destination, gpu(2));
  EXPECT_EQ(crossings[1].destination, gpu(3));
  EXPECT_EQ(crossings[2].destination, gpu(1));
  EXPECT_EQ(recording.copies_to_host(), 0);
}

TEST(CheckFiles, AreRefusedWhenMalformed) {
  Written written;
  for (const char* const json :
       {"", "{", "[]", "null", "3", R"({"error": ""})", R"({"error": 3, "facts": {}, "recordings": {}})",
        R"({"error": "", "facts": 3, "recordings": {}})", R"({"error": "", "facts": {"a": null}, "recordings": {}})",
        R"({"error": "", "facts": {}, "recordings": [1]})",
        R"({"error": "", "facts": {"a": {"number": 3}}, "recordings": {}})",
        R"({"error": "", "facts": {"a": [1]}, "recordings": {}})",
        R"({"error": "", "facts": {}, "recordings": {"call": {}}})", "\xFF\xFE"}) {
    written.expect_refused(json);
  }
  written.expect_refused(with_entry("[]"));
  written.expect_refused(with_entry("3"));
  const std::string rest = R"(, "to", "cpu", "cpu", "cpu", 4, 0, 0, 0, 0, 0, 0, 0, 4, 0, -1, -1, "", 0])";
  written.expect_refused(with_entry("[12" + rest), "an unknown kind");
  written.expect_refused(with_entry("[-1" + rest), "an unknown kind");
  written.expect_refused(with_entry("[1e300" + rest), "expected an integer");
  written.expect_refused(with_entry(R"([0, "to", "cpu", "cpu", "cpu", 4, 0, 0, 0, 0, 0, 0, 0, 8, 0])"),
                         "unknown dtype");
  written.expect_refused(
      with_entry(R"([0, "to", "cuda:500", "cpu", "cpu", 4, 0, 0, 0, 0, 0, 0, 0, 4, 0, -1, -1, "", 0])"));
  written.expect_refused(with_entry(R"([0, "to", "cpu", "cpu", "cpu", "4", 0, 0, 0, 0, 0, 0, 0, 4, 0, -1, -1, "", 0])"),
                         "expected an integer");
}

TEST(CheckFiles, AreRefusedWhenTheyAreDeep) {
  Written written;
  const std::string open(300'000, '[');
  const std::string closed(300'000, ']');
  written.expect_refused(open);
  written.expect_refused(R"({"error": "", "recordings": {}, "facts": )" + open + closed + "}");
}

TEST(CheckFiles, AreRefusedWithoutTheirTensors) {
  Written written;
  const auto read = [&] { Files::read_outcome(written.folder / ""); };
  write_contents(written.folder / "outcome.safetensors", "no tensors");
  expect_error<ConfigurationError>(read, "outcome.safetensors");
  std::filesystem::remove(written.folder / "outcome.safetensors");
  expect_error<ConfigurationError>(read, "outcome.safetensors");
  std::filesystem::remove(written.folder / "outcome.json");
  expect_error<ConfigurationError>(read, "cannot read");
}

TEST(CheckFiles, SumsOfUntrustedEntriesMayOverflow) {
  Written written;
  const std::string huge =
      R"([0, "to", "cuda", "cpu", "cuda", 9223372036854775807, 0, 0, 0, 0, 0, 0, 0, 4, 0, -1, -1, "", 0])";
  write_contents(written.folder / "outcome.json", with_entry(huge + ", " + huge));
  EXPECT_EQ(Files::read_outcome(written.folder / "").first.recording("call").copied_bytes(), -2);
}

}  // namespace
}  // namespace d2l::check
