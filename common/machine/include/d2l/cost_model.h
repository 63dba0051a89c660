// SPDX-License-Identifier: MIT
/// @file
/// The cost model: how long a ledger's sequence would take on another card, from the card's published constants.
///
/// The sequence is replayed in the order of the ledger. A host thread issues one entry after another, and each costs a
/// little time. A queue runs one entry after another; each begins when it was issued and all that it waits for is done.
/// - A launch takes its latency or the time of the roofline model (Williams et al., 2009), whichever is longer: bytes
///   divided by bandwidth, or operations divided by peak rate. For a CUDA kernel whose memory sectors are counted, the
///   bytes are those of its sectors, 32 each, and a block of it reaches the part of the bandwidth of one
///   multiprocessor.
/// - A matrix product is computed in tiles of 64 x 64 results, which are distributed over the multiprocessors. A
///   multiprocessor with 128 float32 units needs two tiles at a time to reach its peak. So a product of 100 x 100
///   leaves most of a card idle.
/// - A graph is issued as a whole. Each of its launches takes `graph_gap` and the time of the roofline model.
/// - A copy takes the link's latency plus its bytes divided by the bandwidth; for pageable memory, the host's copy rate
///   is the limit. The host waits where the library makes it wait.
/// - A message to or from another process takes the latency of the network plus its bytes divided by the bandwidth; one
///   goes out and one comes in at a time. Its sender is ready when the receiver is, and the host waits for what it
///   receives.
///
/// No card reaches its published rates, so all rates are multiplied by `reached`. The model leaves out caches, changing
/// clocks, copies that share a link or overlap a kernel of their queue, and the extra cost of a first call. The result
/// depends on the sequence only, not on measured times.
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

/// The processor of a card or of its host.
struct Processor {
  int cores = 1;                ///< number of streaming multiprocessors or cores
  int tiles_each = 1;           ///< tiles of a product that keep one core busy: one for 64 float32 units
  double float32 = 0;           ///< peak of all cores in operations per second, for float32 and integers
  double float64 = 0;           ///< the same for float64
  double memory_bandwidth = 0;  ///< bytes per second
  /// Peak of tensor cores for float16 with sums in float32, also used for bfloat16 (a T4 and a V100 have no units for
  /// it); 0 without such units: then it is that of float32.
  double float16 = 0;
};

/// One direction of a connection between a card's memory and the host's or another card's.
struct Link {
  double latency = 0;    ///< seconds that a copy of 0 bytes takes
  double bandwidth = 0;  ///< bytes per second
};

/// The computer that contains a card.
struct Host {
  std::string name;               ///< name of the computer or its processor
  Processor processor;            ///< all of its cores
  double issue = 0;               ///< seconds to put a launch or a copy in a queue
  double call = 0;                ///< seconds of a smaller call: memory, an event, an operation on the host
  double wait = 0;                ///< seconds from the end of the awaited work until the waiting thread continues
  double pageable_bandwidth = 0;  ///< bytes per second that one thread copies from or to pageable memory
};

/// The published constants of a card and of its computer, in which all cards are alike.
struct Card {
  std::string name;             ///< the name for card_named()
  Processor processor;          ///< multiprocessors and memory of the card
  double launch_latency = 0;    ///< minimum seconds of a launch
  Link to_device;               ///< from the host's memory to the card's
  Link to_host;                 ///< from the card's memory to the host's
  Link peer;                    ///< to another card in the same computer
  double reached = 1;           ///< the share of each peak and bandwidth, the host's included, that good code reaches
  Host host;                    ///< the computer that contains the card
  Link network{25e-6, 1.25e9};  ///< to another computer: 10 Gbit/s Ethernet unless set
  /// Seconds from the end of a launch to the beginning of the next one within a graph: 3.4 µs for a kernel of 2.9 µs on
  /// a V100 (Gray, "Getting Started with CUDA Graphs", NVIDIA Technical Blog, September 2019).
  double graph_gap = 0.5e-6;
};

/// The known cards: "T4", "V100", "RTX 4060 Laptop", "A100", "H200". common/machine/src/cost_model/cards.cpp names the
/// source of each number.
const std::vector<Card>& cards();
/// The card with this name; ValueError, with the known names, if there is none. Copy and change it for a "what if".
const Card& card_named(std::string_view name);

/// The modelled (not measured) time of a sequence on a card.
struct Modelled {
  Card card;                          ///< the card of the model
  double seconds = 0;                 ///< from the first entry until the host and all queues are done
  std::vector<LedgerEntry> timeline;  ///< the sequence, with `issued`, `began` and `ended` as modelled

  /// "modelled on a T4 (320 GB/s, 8.14 TFLOP/s float32)".
  [[nodiscard]] std::string label() const;
  /// The labelled timeline as an SVG picture; see timeline_svg().
  [[nodiscard]] std::string svg() const;
  /// A text that describes the picture.
  [[nodiscard]] std::string description() const;
  /// The timeline as a trace for Chrome and Perfetto; each row is labelled.
  [[nodiscard]] std::string chrome_trace() const;
};

/// "1.52 ms, modelled on a T4 (320 GB/s, 8.14 TFLOP/s float32)".
std::string repr(const Modelled& modelled);

///@{
/// Replays a ledger's entries on a card. cuda:0, cuda:1, … are cards of this kind, and the CPU is its host. An event
/// that was recorded before the ledger was opened counts as done. ValueError for an entry or a card with invalid
/// numbers.
Modelled replay(const std::vector<LedgerEntry>& entries, const Card& card);
Modelled replay(const TransferLedger& ledger, const Card& card);
///@}

/// The modelled seconds of one n × n matrix product and a synchronisation, with the operands on the device: on the card
/// if `device` is a GPU, on its host if it is the CPU. ValueError unless 1 ≤ n ≤ 1000000.
double product_seconds(const Card& card, Device device, std::int64_t n, ScalarType dtype = kFloat);
/// The smallest n for which the card's product is faster than its host's; nullopt if there is none up to 16384.
/// ValueError for a card with invalid numbers.
std::optional<std::int64_t> crossover(const Card& card, ScalarType dtype = kFloat);

/// Entries as an SVG picture: a row for each host thread and each GPU, and a time axis. Launches are filled boxes,
/// copies hollow boxes, waits dashed boxes; ticks show when the host issued work to a GPU. The picture needs no style
/// sheet, is readable on light and dark pages, and has a title and a description. It stays small: boxes less than a
/// pixel apart become one box, whose height is the busy share of its time, and there are at most 16 rows. The label is
/// "measured", or "host threads, not a GPU" for virtual GPUs in host memory.
std::string timeline_svg(const std::vector<LedgerEntry>& entries);
/// A text that describes that picture.
std::string timeline_description(const std::vector<LedgerEntry>& entries);

}  // namespace d2l
