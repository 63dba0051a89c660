// SPDX-License-Identifier: MIT
// Modelled: its texts and pictures, which always name the card of the model.
#include <fmt/format.h>

#include "base/units.h"
#include "cost_model/timeline.h"
#include "d2l/cost_model.h"
#include "ledger/summary.h"

namespace d2l {

namespace {

/// "a T4", "an RTX 4060 Laptop": the letters of an abbreviation are pronounced one by one.
const char* article(const std::string& name) {
  const bool spelt = name.size() < 2 || name[1] < 'a' || name[1] > 'z';
  const std::string_view vowels = spelt ? "AEFHILMNORSX8" : "AEIOUaeiou";
  return !name.empty() && vowels.find(name[0]) != std::string_view::npos ? "an" : "a";
}

}  // namespace

std::string Modelled::label() const {
  return fmt::format("modelled on {} {} ({}, {} float32)", article(card.name), card.name,
                     detail::rate_text(card.processor.memory_bandwidth, "B/s"),
                     detail::rate_text(card.processor.float32, "FLOP/s"));
}

std::string Modelled::svg() const { return detail::draw_timeline(timeline, label()); }
std::string Modelled::description() const { return detail::describe_timeline(timeline, label()); }
std::string Modelled::chrome_trace() const { return detail::chrome_trace(timeline, label()); }

std::string repr(const Modelled& modelled) { return detail::seconds_text(modelled.seconds) + ", " + modelled.label(); }

}  // namespace d2l
