// SPDX-License-Identifier: MIT
#include "textures/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "calls/unread_errors.h"
#include "d2l_emulator/small_floats.h"
#include "runtime/errors.h"

namespace d2l::emulator {
namespace {

[[noreturn]] void refuse(cudaError_t error, std::string why) {
  explain_failure(std::move(why));
  throw Failure{error};
}

TexelFormat normalized_format(const cudaChannelFormatDesc& description) {
  const int number = description.f - cudaChannelFormatKindUnsignedNormalized8X1;
  constexpr int counts[] = {1, 2, 4};
  return {number < 6 ? TexelFormat::Kind::unsigned_integer : TexelFormat::Kind::signed_integer, counts[number % 3],
          number / 3 % 2 == 0 ? 8 : 16, true};
}

template <class T>
T read(const std::byte* memory) {
  T value;
  std::memcpy(&value, memory, sizeof value);
  return value;
}

}  // namespace

std::string TexelFormat::text() const {
  std::string name = kind == Kind::floating ? (bits == 16 ? "half" : "float")
                     : bits == 8            ? "char"
                     : bits == 16           ? "short"
                                            : "int";
  if (kind == Kind::unsigned_integer) name = "u" + name;
  return channels == 1 ? name : fmt::format("{}{}", name, channels);
}

TexelFormat texel_format(const cudaChannelFormatDesc& description) {
  const auto& [x, y, z, w, kind] = description;
  if (kind == cudaChannelFormatKindNone)
    refuse(cudaErrorInvalidChannelDescriptor,
           "The channels have the kind cudaChannelFormatKindNone: cudaCreateChannelDesc<T>() returns it for a T that "
           "is not 1, 2 or 4 channels of char, short, int or float");
  if (kind >= cudaChannelFormatKindUnsignedNormalized8X1 && kind <= cudaChannelFormatKindSignedNormalized16X4)
    return normalized_format(description);
  if (kind > cudaChannelFormatKindFloat)
    refuse(cudaErrorNotSupported, "Compressed formats and those of videos are not supported by the emulator");
  const int count = (x != 0) + (y != 0) + (z != 0) + (w != 0);
  const bool in_order = (y != 0) >= (z != 0) && (z != 0) >= (w != 0);
  if (x == 0 || count == 3 || !in_order)
    refuse(cudaErrorInvalidChannelDescriptor,
           fmt::format("An element has 1, 2 or 4 channels, from x on, and this one has ({}, {}, {}, {}) bits", x, y, z,
                       w));
  for (const int bits : {y, z, w}) {
    if (bits != 0 && bits != x)
      refuse(cudaErrorInvalidChannelDescriptor,
             fmt::format("The channels of an element are equal, and these have {} and {} bits", x, bits));
  }
  const bool floats = kind == cudaChannelFormatKindFloat;
  if (x != 16 && x != 32 && (x != 8 || floats))
    refuse(cudaErrorInvalidChannelDescriptor,
           fmt::format("A channel of {} has {} bits, and this one {}", floats ? "floats" : "integers",
                       floats ? "16 or 32" : "8, 16 or 32", x));
  return {floats                                ? TexelFormat::Kind::floating
          : kind == cudaChannelFormatKindSigned ? TexelFormat::Kind::signed_integer
                                                : TexelFormat::Kind::unsigned_integer,
          count, x, false};
}

cudaChannelFormatDesc format_of_view(cudaResourceViewFormat view) {
  if (view < cudaResViewFormatUnsignedChar1 || view > cudaResViewFormatFloat4)
    refuse(cudaErrorNotSupported, "Views with compressed formats are not supported by the emulator");
  const int number = view - cudaResViewFormatUnsignedChar1;
  constexpr int counts[] = {1, 2, 4};
  constexpr int bits[] = {8, 8, 16, 16, 32, 32, 16, 32};
  const int family = number / 3;
  const int channels = counts[number % 3];
  const int width = bits[family];
  const auto kind = family >= 6       ? cudaChannelFormatKindFloat
                    : family % 2 == 0 ? cudaChannelFormatKindUnsigned
                                      : cudaChannelFormatKindSigned;
  return {width, channels > 1 ? width : 0, channels > 2 ? width : 0, channels > 2 ? width : 0, kind};
}

std::uint32_t channel_bits(const TexelFormat& format, const std::byte* texel, int channel) {
  if (channel >= format.channels) return 0;
  const bool with_sign = format.kind == TexelFormat::Kind::signed_integer;
  const std::byte* const at = texel + channel * format.bits / 8;
  switch (format.bits) {
    case 8:
      return with_sign ? static_cast<std::uint32_t>(read<std::int8_t>(at)) : read<std::uint8_t>(at);
    case 16:
      return with_sign ? static_cast<std::uint32_t>(read<std::int16_t>(at)) : read<std::uint16_t>(at);
    default:
      return read<std::uint32_t>(at);
  }
}

float channel_number(const TexelFormat& format, const std::byte* texel, int channel) {
  const std::uint32_t bits = channel_bits(format, texel, channel);
  if (format.kind == TexelFormat::Kind::floating)
    return format.bits == 16 ? from_small<5, 10>(static_cast<std::uint16_t>(bits)) : std::bit_cast<float>(bits);
  if (format.kind == TexelFormat::Kind::unsigned_integer)
    return static_cast<float>(bits) / (format.bits == 8 ? 255.0F : 65535.0F);
  return std::max(static_cast<float>(static_cast<std::int32_t>(bits)) / (format.bits == 8 ? 127.0F : 32767.0F), -1.0F);
}

}  // namespace d2l::emulator
