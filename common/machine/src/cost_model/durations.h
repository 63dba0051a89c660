// SPDX-License-Identifier: MIT
// How long one entry takes on a card.
#pragma once

#include "d2l/cost_model.h"

namespace d2l::detail {

/// ValueError unless every number of the card is valid; the message begins with the name of the caller's operation.
void check_card(const Card& card, const char* operation = "replay");
/// ValueError unless the entry's numbers are valid; `place` is its index in the sequence.
void check_entry(const LedgerEntry& entry, std::size_t place, const char* operation = "replay");

/// The operations per second of all cores, for one dtype.
double peak_of(const Processor& processor, ScalarType dtype);
/// The bytes that a launch moves: whole sectors where they are counted.
double moved_bytes(const LedgerEntry& launch);

/// The time of a launch on the card or on its host.
double launch_seconds(const LedgerEntry& launch, const Card& card);
/// The time of a copy in its queue.
double copy_seconds(const LedgerEntry& copy, const Card& card);
/// True for a copy from or to pageable host memory.
bool is_pageable(const LedgerEntry& copy);

}  // namespace d2l::detail
