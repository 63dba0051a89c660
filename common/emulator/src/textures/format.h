// SPDX-License-Identifier: MIT
// TexelFormat: the channels of an element, and how a fetch reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "d2l_emulator/textures/types.h"

namespace d2l::emulator {

struct TexelFormat {
  enum class Kind { signed_integer, unsigned_integer, floating };

  Kind kind = Kind::unsigned_integer;
  int channels = 1;
  int bits = 8;             ///< of a channel
  bool normalized = false;  ///< integers that are always read as normalized numbers

  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(channels * bits) / 8; }
  /// True if a fetch returns floats without cudaReadModeNormalizedFloat.
  [[nodiscard]] bool is_float() const { return kind == Kind::floating || normalized; }
  /// "uchar4", "float", "half2".
  [[nodiscard]] std::string text() const;
};

/// Failure, with its reason, if arrays and textures cannot have these channels.
TexelFormat texel_format(const cudaChannelFormatDesc& description);
/// The format in which a view shows the elements.
cudaChannelFormatDesc format_of_view(cudaResourceViewFormat view);

/// The bits of a channel, those of signed integers with their sign; of a channel that there is not, 0.
std::uint32_t channel_bits(const TexelFormat& format, const std::byte* texel, int channel);
/// A channel as a number: integers are normalized to [0, 1] or [-1, 1].
float channel_number(const TexelFormat& format, const std::byte* texel, int channel);

}  // namespace d2l::emulator
