// SPDX-License-Identifier: MIT
// The trace of a ledger, which Chrome and Perfetto can open.
#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "ledger/summary.h"

namespace d2l::detail {
namespace {

using Json = nlohmann::ordered_json;
using Kind = LedgerEntry::Kind;

constexpr int process = 1;
constexpr std::uint64_t first_network_row = 1'000'000;  // greater than the rows of all threads
constexpr std::uint64_t first_thread_row = 1000;        // greater than the rows of all devices

double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

/// The names of the kinds, in their order.
constexpr std::array<const char*, 12> kind_names{"copy",    "synchronisation", "launch",     "allocation",
                                                 "release", "event_record",    "event_wait", "send",
                                                 "receive", "replay",          "range",      "range"};
bool is_range(Kind kind) { return kind == Kind::range_push || kind == Kind::range_pop; }
bool is_message(Kind kind) { return kind == Kind::send || kind == Kind::receive; }
const char* name_of(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::string row_name(Device device, const std::string& label) {
  if (!label.empty()) return device.str() + " (" + label + ")";
  try {
    return device.str() + " (" + device_properties(device).name + ")";
  } catch (const std::exception&) {  // a lost device has a row, too
    return device.str();
  }
}

std::string thread_row_name(std::uint64_t thread, const std::string& label) {
  return "cpu (host thread " + std::to_string(thread) + (label.empty() ? ")" : ", " + label + ")");
}

std::string network_row_name(int rank, const std::string& label) {
  return "network of rank " + std::to_string(rank) + (label.empty() ? "" : " (" + label + ")");
}

class Trace {
 public:
  Trace(const std::vector<LedgerEntry>& entries, const std::string& label) : label_(label) {
    add_metadata("process_name", 0, {{"name", label.empty() ? "d2l" : "d2l, " + label}});
    for (const auto& entry : entries) add(entry);
  }

  /// Adds a counter of the memory of a device.
  void add_memory(Device device, const std::vector<MemoryPoint>& points) {
    for (const MemoryPoint& point : points) {
      events_.push_back({{"name", "memory of " + device.str()},
                         {"cat", "memory"},
                         {"ph", "C"},
                         {"pid", process},
                         {"ts", microseconds(point.time)},
                         {"args", {{"bytes", point.bytes}}}});
    }
  }

  [[nodiscard]] std::string text() const {
    const Json whole = {{"displayTimeUnit", "ns"}, {"traceEvents", events_}};
    return whole.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  /// The work before an event in its queue.
  struct Work {
    std::uint64_t row;
    std::int64_t ended;
  };

  void add(const LedgerEntry& entry) {
    const auto row = row_of(entry);
    if (is_range(entry.kind)) return add_end_of_range(entry, row);
    const bool timed = entry.began >= 0 && entry.ended >= entry.began;
    Json event = {{"name", entry.name.empty() ? name_of(entry.kind) : entry.name}, {"cat", name_of(entry.kind)}};
    event["ph"] = timed ? "X" : "i";
    event["pid"] = process;
    event["tid"] = row;
    event["ts"] = microseconds(timed ? entry.began : entry.issued);
    if (timed) {
      event["dur"] = microseconds(entry.ended - entry.began);
    } else {
      event["s"] = "t";
    }
    event["args"] = arguments_of(entry);
    events_.push_back(std::move(event));
    follow_events(entry, row, timed);
  }

  /// A range begins or ends in the row of its thread.
  void add_end_of_range(const LedgerEntry& entry, std::uint64_t row) {
    events_.push_back({{"name", entry.name},
                       {"cat", name_of(entry.kind)},
                       {"ph", entry.kind == Kind::range_push ? "B" : "E"},
                       {"pid", process},
                       {"tid", row},
                       {"ts", microseconds(entry.issued)}});
  }

  /// Adds an arrow from the work before an event to the first work that waited for the event.
  void follow_events(const LedgerEntry& entry, std::uint64_t row, bool timed) {
    if (entry.kind == Kind::event_record) {
      if (const auto work = last_work_.find(row); work != last_work_.end()) marked_[entry.event] = work->second;
    } else if (entry.kind == Kind::event_wait) {
      if (const auto work = marked_.find(entry.event); work != marked_.end()) awaited_[row].push_back(work->second);
    } else if (timed && (entry.kind == Kind::launch || entry.kind == Kind::copy)) {
      for (const auto& work : awaited_[row]) add_arrow(work, row, entry.began);
      awaited_.erase(row);
      last_work_[row] = {row, entry.ended};
    }
  }

  void add_arrow(const Work& from, std::uint64_t to, std::int64_t began) {
    ++arrows_;
    const auto end = [&](const char* phase, std::uint64_t row, std::int64_t time) {
      return Json{{"name", "event"}, {"cat", "event"},          {"ph", phase}, {"id", arrows_}, {"pid", process},
                  {"tid", row},      {"ts", microseconds(time)}};
    };
    events_.push_back(end("s", from.row, from.ended));
    events_.push_back(end("f", to, began));
    events_.back()["bp"] = "e";
  }

  /// Work of a GPU is in the row of the GPU; CPU work, waits and allocations are in the row of their thread.
  std::uint64_t row_of(const LedgerEntry& entry) {
    const bool on_gpu = !entry.queue.is_cpu() && entry.kind != Kind::synchronisation &&
                        entry.kind != Kind::allocation && entry.kind != Kind::release && !is_range(entry.kind);
    const bool message = is_message(entry.kind);
    const auto row = message  ? first_network_row + static_cast<std::uint64_t>(std::max(entry.rank, 0))
                     : on_gpu ? static_cast<std::uint64_t>(entry.queue.index()) + 1
                              : first_thread_row + entry.thread;
    if (rows_.insert(row).second) {
      const auto name = message  ? network_row_name(entry.rank, label_)
                        : on_gpu ? row_name(entry.queue, label_)
                                 : thread_row_name(entry.thread, label_);
      add_metadata("thread_name", row, {{"name", name}});
      add_metadata("thread_sort_index", row, {{"sort_index", row}});
    }
    return row;
  }

  static Json arguments_of(const LedgerEntry& entry) {
    Json arguments = {{"issued", microseconds(entry.issued)}, {"host thread", entry.thread}};
    const bool is_event = entry.kind == Kind::event_record || entry.kind == Kind::event_wait;
    if (is_event) arguments["event"] = entry.event;
    if (!is_event && entry.kind != Kind::synchronisation) arguments["bytes"] = entry.bytes;
    if (entry.kind == Kind::launch) arguments["flops"] = entry.flops;
    if (entry.captured) arguments["captured"] = true;
    if (!entry.range.empty()) arguments["range"] = entry.range;
    if (entry.kind == Kind::copy) {
      arguments["source"] = entry.source.str();
      arguments["destination"] = entry.destination.str();
      arguments["implicit"] = entry.implicit;
      arguments["staged"] = entry.staged;
      arguments["leg"] = entry.leg;
      if (entry.waited) arguments["waited"] = true;
    } else if (is_message(entry.kind)) {
      arguments["rank"] = entry.rank;
      arguments["peer"] = entry.peer;
    } else if (!is_event && entry.kind != Kind::launch) {
      arguments["device"] = entry.queue.str();
    }
    return arguments;
  }

  void add_metadata(const char* name, std::uint64_t row, const Json& arguments) {
    events_.push_back({{"name", name}, {"ph", "M"}, {"pid", process}, {"tid", row}, {"args", arguments}});
  }

  std::string label_;
  Json events_ = Json::array();
  std::set<std::uint64_t> rows_;
  std::map<std::uint64_t, Work> last_work_;             // by row
  std::map<std::uint64_t, Work> marked_;                // by event
  std::map<std::uint64_t, std::vector<Work>> awaited_;  // by row
  std::uint64_t arrows_ = 0;
};

}  // namespace

std::string chrome_trace(const std::vector<LedgerEntry>& entries, const std::string& label,
                         const std::function<std::vector<MemoryPoint>(Device)>& memory) {
  Trace trace(entries, label);
  std::set<int> gpus;  // whose memory has changed
  for (const auto& entry : entries) {
    const bool changes = entry.kind == Kind::allocation || entry.kind == Kind::release;
    if (memory && changes && !entry.queue.is_cpu()) gpus.insert(entry.queue.index());
  }
  for (const int number : gpus) trace.add_memory(gpu(number), memory(gpu(number)));
  return trace.text();
}

}  // namespace d2l::detail
