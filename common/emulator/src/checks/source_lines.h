// SPDX-License-Identifier: MIT
// source_line(): the source line of an instruction, from the program's debug information.
#pragma once

#include <cstdint>
#include <string>

#include "execution/run_kernel.h"

namespace d2l::emulator {

struct SourceLine {
  std::string file;  ///< without its folder; the program's name if there is no debug information
  int line = 0;
  bool of_library = false;  ///< it is in an algorithm of Thrust
  std::string position;     ///< "+0x1234" in the program, used if there is no line
  std::string path;         ///< of the file, if there is a line
  [[nodiscard]] std::string text() const;
};

/// The line of the call that returns to this address; remembered.
const SourceLine& source_line(const void* return_address);
/// The path of a file that source_line() has named; empty if it has not. If there are several, one of them.
std::string path_of_source(const std::string& file);
/// The same as source_line() for an instruction of a launch: the line of the launch if the instruction is in an
/// algorithm of Thrust.
SourceLine line_in_launch(const void* return_address, const KernelLaunch& launch);

/// An instruction in 4 bytes; 0 if it is too far from this library.
inline std::int32_t compressed_place(const void* return_address) noexcept {
  const auto distance = static_cast<std::intptr_t>(reinterpret_cast<std::uintptr_t>(return_address) -
                                                   reinterpret_cast<std::uintptr_t>(&source_line));
  const auto place = static_cast<std::int32_t>(distance);
  return place == distance ? place : 0;
}
const void* expanded_place(std::int32_t place) noexcept;

}  // namespace d2l::emulator
