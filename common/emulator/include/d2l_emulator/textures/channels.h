// SPDX-License-Identifier: MIT
// The channels of a type: what cudaCreateChannelDesc<T>() returns, and how a fetch makes a T of four registers.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "d2l_emulator/textures/api.h"
#include "d2l_emulator/vector_types.h"

namespace d2l::emulator {

/// Channel is void for types that an element cannot have.
template <class T>
struct ChannelsOf {
  using Channel = std::conditional_t<std::is_arithmetic_v<T> && sizeof(T) <= 4 && !std::is_same_v<T, bool>, T, void>;
  static constexpr int count = 1;
};
#define D2L_CHANNELS(NAME, TYPE)                    \
  template <>                                       \
  struct ChannelsOf<NAME##1> : ChannelsOf<TYPE> {}; \
  template <>                                       \
  struct ChannelsOf<NAME##2> : ChannelsOf<TYPE> {   \
    static constexpr int count = 2;                 \
  };                                                \
  template <>                                       \
  struct ChannelsOf<NAME##4> : ChannelsOf<TYPE> {   \
    static constexpr int count = 4;                 \
  };
D2L_CHANNELS(char, signed char)
D2L_CHANNELS(uchar, unsigned char)
D2L_CHANNELS(short, short)
D2L_CHANNELS(ushort, unsigned short)
D2L_CHANNELS(int, int)
D2L_CHANNELS(uint, unsigned)
D2L_CHANNELS(float, float)
#undef D2L_CHANNELS

template <class T>
constexpr bool has_channels = !std::is_void_v<typename ChannelsOf<T>::Channel>;

using TexelRegisters = std::array<std::uint32_t, 4>;

/// The value of a register that a fetch returned: of small integers it has the lowest bits.
template <class Channel>
Channel channel_of(std::uint32_t bits) {
  if constexpr (std::is_same_v<Channel, float>) {
    return std::bit_cast<float>(bits);
  } else {
    return static_cast<Channel>(bits);
  }
}

template <class T>
T texel_of(const TexelRegisters& registers) {
  static_assert(has_channels<T>, "a fetch returns 1, 2 or 4 channels of char, short, int or float, signed or unsigned");
  using Channel = typename ChannelsOf<T>::Channel;
  T value{};
  if constexpr (std::is_arithmetic_v<T>) {
    value = channel_of<Channel>(registers[0]);
  } else {
    value.x = channel_of<Channel>(registers[0]);
    if constexpr (ChannelsOf<T>::count > 1) value.y = channel_of<Channel>(registers[1]);
    if constexpr (ChannelsOf<T>::count > 2) {
      value.z = channel_of<Channel>(registers[2]);
      value.w = channel_of<Channel>(registers[3]);
    }
  }
  return value;
}

constexpr cudaChannelFormatDesc format_of(int channels, int bits, cudaChannelFormatKind kind) {
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, kind};
}

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  using namespace d2l::emulator;
  if constexpr (!has_channels<T>) {
    return {0, 0, 0, 0, cudaChannelFormatKindNone};
  } else {
    using Channel = typename ChannelsOf<T>::Channel;
    return format_of(ChannelsOf<T>::count, 8 * static_cast<int>(sizeof(Channel)),
                     std::is_floating_point_v<Channel> ? cudaChannelFormatKindFloat
                     : std::is_signed_v<Channel>       ? cudaChannelFormatKindSigned
                                                       : cudaChannelFormatKindUnsigned);
  }
}
/// Of integers that are always read as normalized numbers.
template <cudaChannelFormatKind kind>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  static_assert(kind >= cudaChannelFormatKindUnsignedNormalized8X1 && kind <= cudaChannelFormatKindSignedNormalized16X4,
                "this format of channels is not supported by the emulator");
  constexpr int number = kind - cudaChannelFormatKindUnsignedNormalized8X1;
  constexpr int channels[] = {1, 2, 4};
  return d2l::emulator::format_of(channels[number % 3], number / 3 % 2 == 0 ? 8 : 16, kind);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return d2l::emulator::format_of(1, 16, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return d2l::emulator::format_of(2, 16, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return d2l::emulator::format_of(4, 16, cudaChannelFormatKindFloat);
}
// NOLINTEND
