// SPDX-License-Identifier: MIT
// A ledger in words, a line for each kind of entry.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "ledger/transfers_report.h"

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

std::string number_of_things(std::int64_t number, const std::string& singular, const std::string& plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}
std::string number_of_things(std::int64_t number, const std::string& singular) {
  return number_of_things(number, singular, singular + "s");
}

void append(std::string& text, const std::string& line) {
  if (!text.empty()) text += '\n';
  text += line;
}

constexpr std::array<std::pair<Direction, const char*>, 5> directions = {{
    {Direction::host_to_device, "host to device"},
    {Direction::device_to_host, "device to host"},
    {Direction::device_to_device, "device to device"},
    {Direction::within_device, "within a device"},
    {Direction::within_host, "within the host"},
}};

std::string copies_in_words(std::int64_t number, bool implicit, bool leg) {
  if (leg) return number_of_things(number, "leg of a staged copy", "legs of staged copies");
  return number_of_things(number, implicit ? "implicit copy" : "copy", implicit ? "implicit copies" : "copies");
}

void append_copies(std::string& text, const std::vector<LedgerEntry>& entries) {
  for (const auto& [direction, words] : directions) {
    for (const auto& [implicit, leg] : {std::pair(false, false), std::pair(true, false), std::pair(false, true)}) {
      const auto copies =
          count(entries, [wanted = direction, implicit = implicit, leg = leg](const LedgerEntry& entry) {
            return entry.kind == Kind::copy && direction_of(entry) == wanted && entry.leg == leg &&
                   (leg || entry.implicit == implicit);
          });
      if (copies.entries == 0) continue;
      append(text, fmt::format("{}, {}: {}", copies_in_words(copies.entries, implicit, leg), words,
                               number_of_things(copies.bytes, "byte")));
    }
  }
}

}  // namespace

Direction direction_of(const LedgerEntry& copy) {
  if (copy.source.is_cpu()) return copy.destination.is_cpu() ? Direction::within_host : Direction::host_to_device;
  if (copy.destination.is_cpu()) return Direction::device_to_host;
  return copy.source == copy.destination ? Direction::within_device : Direction::device_to_device;
}

std::string summarise(const std::vector<LedgerEntry>& entries) {
  const auto of_kind = [&](Kind kind) {
    return count(entries, [kind](const LedgerEntry& entry) { return entry.kind == kind; });
  };
  std::string text;
  append_copies(text, entries);
  if (const auto waits = of_kind(Kind::synchronisation); waits.entries != 0) {
    append(text, number_of_things(waits.entries, "synchronisation"));
  }
  if (const auto launches = of_kind(Kind::launch); launches.entries != 0) {
    append(text,
           fmt::format("{}: {}{}", number_of_things(launches.entries, "launch", "launches"),
                       number_of_things(launches.bytes, "byte"),
                       launches.flops == 0 ? "" : ", " + number_of_things(launches.flops, "floating-point operation")));
  }
  for (const auto& [kind, word] : {std::pair(Kind::allocation, "allocation"), std::pair(Kind::release, "release")}) {
    const auto blocks = of_kind(kind);
    if (blocks.entries == 0) continue;
    append(text, fmt::format("{}: {}", number_of_things(blocks.entries, word), number_of_things(blocks.bytes, "byte")));
  }
  if (const auto events = of_kind(Kind::event_record); events.entries != 0) {
    append(text, number_of_things(events.entries, "event recorded", "events recorded"));
  }
  if (const auto waits = of_kind(Kind::event_wait); waits.entries != 0) {
    append(text, number_of_things(waits.entries, "wait of a device for an event", "waits of a device for an event"));
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace d2l::detail
