// SPDX-License-Identifier: MIT
// The roofline model of launches, and the links of copies.
#include "cost_model/durations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "d2l/error.h"
#include "d2l/kernel_report.h"
#include "ledger/summary.h"

namespace d2l::detail {
namespace {

/// Results of a matrix product that one block of threads computes. Libraries use this size if larger tiles would not
/// fill the card.
constexpr std::int64_t tile = std::int64_t{64} * 64;
using Named = std::pair<const char*, double>;

void require(const Card& card, const char* operation, std::initializer_list<Named> numbers, bool (*fits)(double),
             const char* wanted) {
  for (const auto& [name, value] : numbers) {
    if (std::isfinite(value) && fits(value)) continue;
    throw ValueError(
        fmt::format("[{}] the card \"{}\" has {} = {}, but it must be {}. Start with a known card, for example "
                    "Card mine = card_named(\"T4\"), and change what you want to know",
                    operation, card.name, name, value, wanted));
  }
}

/// The seconds of the operations of a launch. Its tiles run in waves, one tile on each core at a time.
double computing_seconds(const LedgerEntry& launch, const Processor& processor) {
  const double seconds = static_cast<double>(launch.flops) / peak_of(processor, launch.dtype);
  if (launch.outputs <= 0) return seconds;
  const std::int64_t tiles = (launch.outputs - 1) / tile + 1;
  const std::int64_t each = std::max((tiles - 1) / processor.cores + 1,
                                     static_cast<std::int64_t>(processor.tiles_each));  // of the busiest core
  return seconds * static_cast<double>(each) * processor.cores / static_cast<double>(tiles);
}

/// A block of a kernel runs on one multiprocessor, which reaches its part of the bandwidth only: so a launch with few
/// blocks, or one with a block that does most of the work, does not fill the card.
double moving_seconds(const LedgerEntry& launch, const Processor& processor) {
  const double seconds = moved_bytes(launch) / processor.memory_bandwidth;
  if (!launch.kernel || launch.kernel->counts.steps == 0) return seconds;
  const KernelCounts& counts = launch.kernel->counts;
  const double of_longest = static_cast<double>(counts.longest_block) / static_cast<double>(counts.steps);
  return seconds * std::max(1.0, of_longest * processor.cores);
}

double roofline(const LedgerEntry& launch, const Processor& processor) {
  return std::max(moving_seconds(launch, processor), computing_seconds(launch, processor));
}

}  // namespace

double peak_of(const Processor& processor, ScalarType dtype) {
  if (isReducedFloatingType(dtype) && processor.float16 > 0) return processor.float16;
  return dtype == kDouble ? processor.float64 : processor.float32;
}

double moved_bytes(const LedgerEntry& launch) {
  constexpr double sector = 32;
  const std::uint64_t sectors =
      launch.kernel ? launch.kernel->counts.load_sectors + launch.kernel->counts.store_sectors : 0;
  return sectors > 0 ? sector * static_cast<double>(sectors) : static_cast<double>(launch.bytes);
}

void check_card(const Card& card, const char* operation) {
  const auto positive = [](double value) { return value > 0; };
  const auto not_negative = [](double value) { return value >= 0; };
  const auto share = [](double value) { return value > 0 && value <= 1; };
  const auto& [name, processor, launch_latency, to_device, to_host, peer, reached, host, network, graph_gap] = card;
  require(card, operation,
          {{"processor.cores", processor.cores},
           {"processor.tiles_each", processor.tiles_each},
           {"processor.float32", processor.float32},
           {"processor.float64", processor.float64},
           {"processor.memory_bandwidth", processor.memory_bandwidth},
           {"to_device.bandwidth", to_device.bandwidth},
           {"to_host.bandwidth", to_host.bandwidth},
           {"peer.bandwidth", peer.bandwidth},
           {"network.bandwidth", network.bandwidth},
           {"host.processor.cores", host.processor.cores},
           {"host.processor.tiles_each", host.processor.tiles_each},
           {"host.processor.float32", host.processor.float32},
           {"host.processor.float64", host.processor.float64},
           {"host.processor.memory_bandwidth", host.processor.memory_bandwidth},
           {"host.pageable_bandwidth", host.pageable_bandwidth}},
          positive, "more than 0");
  require(card, operation,
          {{"launch_latency", launch_latency},
           {"graph_gap", graph_gap},
           {"to_device.latency", to_device.latency},
           {"to_host.latency", to_host.latency},
           {"peer.latency", peer.latency},
           {"host.issue", host.issue},
           {"host.call", host.call},
           {"host.wait", host.wait}},
          not_negative, "0 seconds or more");
  require(card, operation,
          {{"processor.float16", processor.float16}, {"host.processor.float16", host.processor.float16}}, not_negative,
          "0 or more");
  require(card, operation, {{"reached", reached}}, share, "more than 0 and at most 1");
}

void check_entry(const LedgerEntry& entry, std::size_t place, const char* operation) {
  const auto refuse = [&](const char* what, std::int64_t value) {
    throw ValueError(
        fmt::format("[{}] entry {} (\"{}\" on {}) has {} {}; the number must not be negative. Use the "
                    "entries of a TransferLedger unchanged",
                    operation, place, entry.name, entry.queue.str(), value, what));
  };
  if (entry.bytes < 0) refuse("bytes", entry.bytes);
  if (entry.flops < 0) refuse("floating-point operations", entry.flops);
  if (entry.outputs < 0) refuse("outputs", entry.outputs);
}

double launch_seconds(const LedgerEntry& launch, const Card& card) {
  if (launch.queue.is_cpu()) return card.host.call + roofline(launch, card.host.processor) / card.reached;
  const double seconds = roofline(launch, card.processor) / card.reached;
  return launch.captured ? card.graph_gap + seconds : std::max(card.launch_latency, seconds);
}

double copy_seconds(const LedgerEntry& copy, const Card& card) {
  const auto bytes = static_cast<double>(copy.bytes);
  const auto over = [&](const Link& link) {
    double bandwidth = link.bandwidth * card.reached;
    if (is_pageable(copy)) bandwidth = std::min(bandwidth, card.host.pageable_bandwidth);
    return link.latency + bytes / bandwidth;
  };
  switch (direction_of(copy)) {
    case Direction::host_to_device:
      return over(card.to_device);
    case Direction::device_to_host:
      return over(card.to_host);
    case Direction::device_to_device:
      return over(card.peer);
    case Direction::within_device:  // read and written
      return std::max(card.launch_latency, 2 * bytes / (card.processor.memory_bandwidth * card.reached));
    case Direction::within_host:
      return card.host.call + 2 * bytes / (card.host.processor.memory_bandwidth * card.reached);
  }
  return 0;
}

bool is_pageable(const LedgerEntry& copy) { return copy.staged && !copy.leg; }

}  // namespace d2l::detail
