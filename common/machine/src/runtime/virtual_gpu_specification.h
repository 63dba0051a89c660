// SPDX-License-Identifier: MIT
// The value of D2L_VIRTUAL_GPUS.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace d2l::detail {

struct VirtualGpuSpecification {
  int count = 0;
  std::int64_t memory = std::int64_t{2} << 30;  ///< bytes of each GPU
  bool on_host = false;
  std::optional<std::uint64_t> delay_seed;
  int cores = 1;     ///< of each GPU, for kernels of the program
  std::string name;  ///< of their type; empty for cuda
};
/// Parses COUNT[:MEMORY][:cores=N][@host][,delay=SEED][,name=NAME]; ConfigurationError, with the problem and the form,
/// if it is malformed.
VirtualGpuSpecification parse_virtual_gpus(const std::string& text);

}  // namespace d2l::detail
