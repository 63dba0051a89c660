// SPDX-License-Identifier: MIT
// The Chrome trace of a ledger: valid JSON for any name, ordered times, one row for each device; and how it is saved.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "ledger/ledger.h"
#include "library.h"
#include "messages.h"
#include "temporary_folder.h"

namespace d2l {
namespace {

using Json = nlohmann::json;

Json parse(const TransferLedger& ledger) { return Json::parse(ledger.chrome_trace()).at("traceEvents"); }

std::map<int, std::string> row_names(const Json& events) {
  std::map<int, std::string> names;
  for (const auto& event : events) {
    if (event.at("name") != "thread_name") continue;
    EXPECT_TRUE(names.emplace(event.at("tid"), event.at("args").at("name")).second) << "a row named twice";
  }
  return names;
}

TEST(Trace, OfNothingIsValid) {
  const TransferLedger ledger;
  EXPECT_TRUE(parse(ledger).is_array());
}

TEST(Trace, IsValidWithAnyName) {
  const TransferLedger ledger;
  for (const auto* name : {"\"quoted\" \\ back", "line\nbreak\ttab\x01", "\xff\xfe not UTF-8", "", "µ"}) {
    detail::record({.name = name});
  }
  const auto events = parse(ledger);
  std::set<std::string> names;
  for (const auto& event : events) names.insert(event.at("name"));
  for (const auto* name : {"\"quoted\" \\ back", "line\nbreak\ttab\x01", "µ"}) EXPECT_EQ(names.count(name), 1u) << name;
  EXPECT_EQ(names.count("launch"), 1u) << "the kind replaces a missing name";
}

TEST(Trace, HasOrderedTimesAndOneRowForEachDevice) {
  const TransferLedger ledger;
  std::size_t gpus_used = 0;
  for (const auto device : try_all_gpus()) {
    auto x = ones({64, 64}, device);
    for (int i = 0; i < 3; ++i) x = x.mm(x) / 64;
    EXPECT_EQ(x.sum().item<float>(), 4096);
    gpus_used += device.is_cuda() ? 1 : 0;
  }
  const auto events = parse(ledger);
  const auto names = row_names(events);
  std::set<std::string> gpu_rows;
  for (const auto& [row, name] : names) {
    if (name.rfind("cuda:", 0) == 0) gpu_rows.insert(name.substr(0, name.find(' ')));
  }
  EXPECT_EQ(gpu_rows.size(), gpus_used);
  EXPECT_EQ(names.size(), gpus_used + 1) << "and the row of the host thread";

  std::map<int, double> end_of_row;
  int timed = 0;
  for (const auto& event : events) {
    if (event.at("ph") == "M" || event.at("ph") == "C") continue;  // a counter is in no row
    EXPECT_TRUE(names.count(event.at("tid")) == 1) << event.dump();
    EXPECT_GE(event.at("ts").get<double>(), 0) << event.dump();
    if (event.at("ph") != "X") continue;
    ++timed;
    EXPECT_GE(event.at("dur").get<double>(), 0) << event.dump();
    auto& end = end_of_row[event.at("tid")];
    EXPECT_GE(event.at("ts").get<double>(), end - 0.001) << "a queue runs one item after another: " << event.dump();
    end = event.at("ts").get<double>() + event.at("dur").get<double>();
  }
  EXPECT_GE(timed, 3 * 2) << "launches have a begin and an end";
}

TEST(Trace, EveryLaunchAndCopyIsTimed) {
  const TransferLedger ledger;
  for (const auto device : try_all_gpus()) (void)(ones({2, 3}, device) + 1).to_vector<float>();
  for (const auto& entry : ledger.entries()) {
    if (entry.kind != LedgerEntry::Kind::launch && entry.kind != LedgerEntry::Kind::copy) continue;
    EXPECT_GE(entry.began, 0) << entry.name << " on " << entry.queue;
    EXPECT_GE(entry.ended, entry.began) << entry.name << " on " << entry.queue;
    EXPECT_GE(entry.ended, entry.issued) << entry.name << " on " << entry.queue;
  }
}

TEST(Trace, ArrowsLeadFromAwaitedWorkToTheWaitingWork) {
  const TransferLedger ledger;
  const auto work = [](Device queue, std::int64_t began, std::int64_t ended) {
    const auto span = detail::record({.name = {}, .queue = queue});
    span->began = backend::steady_nanoseconds() + began;
    span->ended = span->began + ended - began;
  };
  const auto mark = [](LedgerEntry::Kind kind, Device queue) {
    detail::record({.kind = kind, .name = {}, .queue = queue, .event = 7});
  };
  work(gpu(0), 0, 1000);
  mark(LedgerEntry::Kind::event_record, gpu(0));
  mark(LedgerEntry::Kind::event_wait, gpu(1));
  work(gpu(1), 100000000, 200000000);
  std::vector<Json> arrow;
  for (const auto& event : parse(ledger)) {
    if (event.at("ph") == "s" || event.at("ph") == "f") arrow.push_back(event);
  }
  ASSERT_EQ(arrow.size(), 2u);
  EXPECT_EQ(arrow[0].at("ph"), "s");
  EXPECT_EQ(arrow[1].at("ph"), "f");
  EXPECT_EQ(arrow[0].at("id"), arrow[1].at("id"));
  EXPECT_NE(arrow[0].at("tid"), arrow[1].at("tid"));
  EXPECT_LT(arrow[0].at("ts").get<double>(), arrow[1].at("ts").get<double>());
}

TEST(Trace, IsSavedAtomicallyAndReplacesAnOldFile) {
  const tests::TemporaryFolder folder;
  folder.write("trace.json", std::string(100000, 'x'));
  const TransferLedger ledger;
  detail::record({});
  ledger.save_chrome_trace(folder / "trace.json");
  EXPECT_EQ(Json::parse(folder.read("trace.json")), Json::parse(ledger.chrome_trace()));
  EXPECT_EQ(folder.files(), 1) << "no temporary file is left";
}

TEST(Trace, SaysWhyItCannotBeSaved) {
  const tests::TemporaryFolder folder;
  const TransferLedger ledger;
  const auto missing = folder / "nowhere/trace.json";
  for (const auto& [path, reason] : std::vector<std::pair<std::string, std::string>>{
           {missing, "[save_chrome_trace] cannot write \"" + missing + "\": No such file"},
           {folder.path(), "not a regular file"},
           {"/dev/null", "not a regular file"},
           {"", "No such file"}}) {
    EXPECT_TRUE(tests::contains(
        tests::message_of<ConfigurationError>([&, &file = path] { ledger.save_chrome_trace(file); }), reason));
  }
  EXPECT_EQ(folder.files(), 0);
}

}  // namespace
}  // namespace d2l
