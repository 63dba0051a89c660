// SPDX-License-Identifier: MIT
// What a check must know of a program in the emulator, although the program goes on: launches that were refused, those
// on another stream than that of the tensors, and streams that are never destroyed.
#pragma once

#include <cstdint>
#include <string>

namespace d2l::detail {

/// Keeps the text about a refused launch, the first until it is taken.
void note_refused_launch(const std::string& text);
/// The text about the first refused launch since the last call; empty if there was none.
std::string take_refused_launch();
/// Counts a stream that a program made (1) or destroyed (-1).
void note_stream(int change);
/// How many streams the program has made and not destroyed.
std::int64_t open_streams();
/// Keeps the text about a launch on another stream than that of the device's tensors, the first until it is taken.
void note_launch_on_other_stream(const std::string& text);
/// The text about the first such launch since the last call; empty if there was none.
std::string take_launch_on_other_stream();

}  // namespace d2l::detail
