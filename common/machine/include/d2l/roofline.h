// SPDX-License-Identifier: MIT
/// @file
/// The roofline model (Williams et al., 2009): whether memory or arithmetic bounds a piece of work on a card.
///
/// The arithmetic intensity of work is its operations per byte. A card with bandwidth B and peak P does at most
/// min(P, B × intensity) operations per second: a sloping roof, then a flat one. They meet at the balance P / B. Work
/// of a smaller intensity is bound by memory, and of a larger one by arithmetic.
///
/// All figures are the published ones of the card, without `reached` and without latencies, so the times are lower
/// bounds. replay() models the time of a whole sequence.
#pragma once

#include <string>
#include <vector>

#include "d2l/cost_model.h"
#include "d2l/dtype.h"
#include "d2l/transfers.h"

namespace d2l {

/// The memory traffic and the arithmetic of a piece of work.
struct Work {
  std::string name;       ///< for pictures and messages
  double bytes = 0;       ///< bytes that it reads from and writes to the memory of its device
  double operations = 0;  ///< operations; a multiply-add is two

  /// Operations per byte; ValueError unless `bytes` is positive and `operations` is not negative.
  [[nodiscard]] double intensity() const;
};

///@{
/// The bytes and the operations of all launches in a ledger; copies between memories are left out. The bytes of a CUDA
/// kernel whose memory sectors are counted are those of its sectors, 32 each. A ledger does not know the operations of
/// such a kernel: add them to the result. ValueError for an entry with a negative number.
Work work_of(const std::vector<LedgerEntry>& entries, const std::string& name);
Work work_of(const TransferLedger& ledger, const std::string& name);
///@}

/// The intensity, in operations per byte, from which arithmetic bounds work on a card: its peak for the dtype, divided
/// by its bandwidth. ValueError for a card with invalid numbers.
double balance(const Card& card, ScalarType dtype = kFloat);
/// The operations per second that a card does at most at an intensity; ValueError for a negative intensity or a card
/// with invalid numbers.
double attainable(const Card& card, double intensity, ScalarType dtype = kFloat);
/// The least seconds that work takes on a card: the longer one of the times of its bytes and of its operations.
/// ValueError for a card with invalid numbers, and for work with 0 bytes or a negative number.
double min_seconds(const Card& card, const Work& work, ScalarType dtype = kFloat);

/// The rooflines of cards for float32 as an SVG picture with two logarithmic axes. Each work is a numbered line at its
/// intensity, with a mark on each roof: filled if memory bounds it there, hollow if arithmetic does. The picture needs
/// no style sheet, is readable on light and dark pages, has a title and a description, and is labelled "modelled".
/// ValueError for no card or more than 16, for more than 24 works, for a card with invalid numbers, and for work with 0
/// bytes or operations, or a negative number.
std::string roofline_svg(const std::vector<Card>& cards, const std::vector<Work>& works);
/// A text that describes that picture; ValueError for the same arguments.
std::string roofline_description(const std::vector<Card>& cards, const std::vector<Work>& works);

}  // namespace d2l
