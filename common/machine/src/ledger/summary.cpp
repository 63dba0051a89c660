// SPDX-License-Identifier: MIT
// The summary of a ledger: one line for each kind of entry.
#include "ledger/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

namespace d2l::detail {
namespace {

using Kind = LedgerEntry::Kind;

struct Count {
  std::int64_t entries = 0;
  std::int64_t bytes = 0;
  std::int64_t flops = 0;
};

template <class Condition>
Count count(const std::vector<LedgerEntry>& entries, Condition condition) {
  Count count;
  for (const auto& entry : entries) {
    if (!condition(entry)) continue;
    ++count.entries;
    count.bytes += entry.bytes;
    count.flops += entry.flops;
  }
  return count;
}

Count count(const std::vector<LedgerEntry>& entries, Kind kind) {
  return count(entries, [kind](const LedgerEntry& entry) { return entry.kind == kind; });
}

std::string number_of(std::int64_t number, const std::string& singular, const std::string& plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}
std::string number_of(std::int64_t number, const std::string& singular) {
  return number_of(number, singular, singular + "s");
}

constexpr std::array<std::pair<Direction, const char*>, 5> directions = {{
    {Direction::host_to_device, "host to device"},
    {Direction::device_to_host, "device to host"},
    {Direction::device_to_device, "device to device"},
    {Direction::within_device, "within a device"},
    {Direction::within_host, "within the host"},
}};

struct CopyKind {
  const char* singular;
  const char* plural;
  bool (*matches)(const LedgerEntry&);
};
constexpr std::array<CopyKind, 3> copy_kinds = {{
    {"copy", "copies", [](const LedgerEntry& copy) { return !copy.leg && !copy.implicit; }},
    {"implicit copy", "implicit copies", [](const LedgerEntry& copy) { return !copy.leg && copy.implicit; }},
    {"leg of a staged copy", "legs of staged copies", [](const LedgerEntry& copy) { return copy.leg; }},
}};

}  // namespace

Direction direction_of(const LedgerEntry& copy) {
  if (copy.source.is_cpu()) return copy.destination.is_cpu() ? Direction::within_host : Direction::host_to_device;
  if (copy.destination.is_cpu()) return Direction::device_to_host;
  return copy.source == copy.destination ? Direction::within_device : Direction::device_to_device;
}

std::string summarise(const std::vector<LedgerEntry>& entries) {
  std::vector<std::string> lines;
  const auto add = [&](const Count& count, const std::string& singular, const std::string& plural,
                       const std::string& rest = {}) {
    if (count.entries > 0) lines.push_back(number_of(count.entries, singular, plural) + rest);
  };
  const auto bytes_of = [](const Count& count) { return ": " + number_of(count.bytes, "byte"); };
  for (const auto& [direction, words] : directions) {
    for (const auto& kind : copy_kinds) {
      const auto copies = count(entries, [&, wanted = direction](const LedgerEntry& entry) {
        return entry.kind == Kind::copy && direction_of(entry) == wanted && kind.matches(entry);
      });
      add(copies, kind.singular, kind.plural, fmt::format(", {}{}", words, bytes_of(copies)));
    }
  }
  const auto sent = count(entries, Kind::send);
  add(sent, "message sent to another process", "messages sent to other processes", bytes_of(sent));
  const auto received = count(entries, Kind::receive);
  add(received, "message received from another process", "messages received from other processes", bytes_of(received));
  add(count(entries, Kind::synchronisation), "synchronisation", "synchronisations");
  const auto launches = count(entries, Kind::launch);
  add(launches, "launch", "launches",
      bytes_of(launches) + (launches.flops == 0 ? "" : ", " + number_of(launches.flops, "floating-point operation")));
  add(count(entries, Kind::replay), "replay of a graph", "replays of graphs");
  const auto allocations = count(entries, Kind::allocation);
  add(allocations, "allocation", "allocations", bytes_of(allocations));
  const auto releases = count(entries, Kind::release);
  add(releases, "release", "releases", bytes_of(releases));
  add(count(entries, Kind::event_record), "event recorded", "events recorded");
  add(count(entries, Kind::event_wait), "wait of a device for an event", "waits of a device for an event");
  return lines.empty() ? "nothing" : fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace d2l::detail
