// SPDX-License-Identifier: MIT
// How long one thing takes on a card, by itself.
#pragma once

#include "d2l/cost_model.h"

namespace d2l::detail {

/// ValueError unless every number of the card makes sense.
void check_card(const Card& card);
/// ValueError unless the entry's numbers make sense; `place` is its place in the sequence.
void check_entry(const LedgerEntry& entry, std::size_t place);

/// A launch on the card, or on its host.
double launch_seconds(const LedgerEntry& launch, const Card& card);
/// A copy, in the queue that does it.
double copy_seconds(const LedgerEntry& copy, const Card& card);
/// True for a copy from or to host memory that is not pinned.
bool is_pageable(const LedgerEntry& copy);

}  // namespace d2l::detail
