// SPDX-License-Identifier: MIT
/// @file
/// The cost model: what a ledger's sequence would take on a card that is not here, from the card's published constants.
///
/// The sequence is replayed in the order of the ledger. A host thread issues one entry after another, each of which
/// costs it a moment; a queue does one thing after another, each no earlier than it was issued and than what it waits
/// for.
/// - A launch takes the longer of its latency and the roofline (Williams et al., 2009): bytes by bandwidth, operations
///   by peak.
/// - A product is computed in tiles of 64 x 64 results, dealt out to the multiprocessors; one with 128 units for
///   float32 needs two tiles at a time to come to its peak. So a product of 100 x 100 leaves most of a card idle.
/// - A copy takes the link's latency, and its bytes by its bandwidth; from or to pageable memory no faster than the
///   host copies. The host waits where the library lets it wait.
///
/// No card reaches its published rates; of all of them, `reached` is taken. Caches, clocks that change, copies that
/// share a link or run beside a kernel of their queue, and what a call costs the first time are left out. The result
/// depends on the sequence alone, never on how long it took here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "d2l/device.h"
#include "d2l/dtype.h"
#include "d2l/transfers.h"

namespace d2l {

/// What computes: a card, or the processor of its host.
struct Processor {
  int cores = 1;                ///< streaming multiprocessors, or cores
  int tiles_each = 1;           ///< tiles of a product that keep a core busy: one for 64 float32 units
  double float32 = 0;           ///< peak of all of them in operations a second; for integers too
  double float64 = 0;           ///< the same for float64
  double memory_bandwidth = 0;  ///< bytes a second
};

/// One direction between a card's memory and the host's, or another card's.
struct Link {
  double latency = 0;    ///< seconds that a copy takes beside its bytes
  double bandwidth = 0;  ///< bytes a second
};

/// The computer that a card is in.
struct Host {
  std::string name;               ///< the computer's, or its processor's
  Processor processor;            ///< all of its cores
  double issue = 0;               ///< seconds to put a launch or a copy in a queue
  double call = 0;                ///< seconds of any smaller call: memory, an event, an operation of its own
  double wait = 0;                ///< seconds from the end of the work that a thread waits for until it goes on
  double pageable_bandwidth = 0;  ///< bytes a second that one thread copies from or to memory that is not pinned
};

/// A card as published, in its computer; all of its cards are alike.
struct Card {
  std::string name;           ///< as card_named() knows it
  Processor processor;        ///< its multiprocessors and its memory
  double launch_latency = 0;  ///< seconds that a launch takes at least
  Link to_device;             ///< from the host's memory to the card's
  Link to_host;               ///< from the card's memory to the host's
  Link peer;                  ///< to another card of the same computer
  double reached = 1;         ///< of every peak and bandwidth here, the host's too, the share that good code gets
  Host host;                  ///< the computer that it is in
};

/// The cards that the library knows: "T4", "V100", "RTX 4060 Laptop", "A100", "H200". The source of each figure stands
/// beside it, in common/src/cost_model/cards.cpp.
const std::vector<Card>& cards();
/// The card of that name; ValueError with the names that there are. Copy it and change it to ask "what if".
const Card& card_named(std::string_view name);

/// What a sequence would take on a card: a model, never a measurement.
struct Modelled {
  Card card;                          ///< the card of the model
  double seconds = 0;                 ///< from the first entry until the host and all queues have finished
  std::vector<LedgerEntry> timeline;  ///< the sequence, with `issued`, `began` and `ended` as modelled

  /// "modelled on a T4 (320 GB/s, 8.14 TFLOP/s float32)".
  [[nodiscard]] std::string label() const;
  /// The timeline as a picture, labelled; see timeline_svg.
  [[nodiscard]] std::string svg() const;
  /// What the picture shows, in words.
  [[nodiscard]] std::string description() const;
  /// The timeline as a trace that Chrome and Perfetto open, each row labelled.
  [[nodiscard]] std::string chrome_trace() const;
};

/// "1.52 ms, modelled on a T4 (320 GB/s, 8.14 TFLOP/s float32)".
std::string repr(const Modelled& modelled);

///@{
/// Replays a ledger's entries on a card. cuda:0, cuda:1, … are cards of this kind, the CPU is its host. An event that
/// was recorded before the ledger began is over. ValueError for an entry or a card whose numbers make no sense.
Modelled replay(const std::vector<LedgerEntry>& entries, const Card& card);
Modelled replay(const TransferLedger& ledger, const Card& card);
///@}

/// The modelled seconds of one n × n matrix product, operands in place, until the host knows that it is done: on the
/// card where `device` is a GPU, on its host where it is the CPU. ValueError unless 1 ≤ n ≤ 1000000.
double product_seconds(const Card& card, Device device, std::int64_t n, ScalarType dtype = kFloat);
/// The smallest n at which the card's product takes less time than its host's; none up to 16384.
std::optional<std::int64_t> crossover(const Card& card, ScalarType dtype = kFloat);

/// Entries as a picture: a row for each host thread and each GPU, an axis with its unit; launches are filled boxes,
/// copies hollow ones, waits broken ones, and ticks show when the host gave work to a GPU. It needs no style sheet, is
/// readable on light and dark pages, holds a title and a description, and stays small: what is closer than a pixel is
/// drawn as one box, as high as the share of the time that it took, and 16 rows at most. It is labelled "measured", or
/// "host threads, not a GPU" where GPUs are virtual ones in host memory.
std::string timeline_svg(const std::vector<LedgerEntry>& entries);
/// What that picture shows, in words.
std::string timeline_description(const std::vector<LedgerEntry>& entries);

}  // namespace d2l
