// SPDX-License-Identifier: MIT
// Launches that the emulator refused: a program that asks for no error goes on without their results.
#pragma once

#include <string>

namespace d2l::detail {

/// Keeps the text of a refused launch, the first until it is taken.
void note_refused_launch(const std::string& text);
/// The text of the first refused launch since the last call; empty if there was none.
std::string take_refused_launch();

}  // namespace d2l::detail
