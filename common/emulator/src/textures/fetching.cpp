// SPDX-License-Identifier: MIT
// fetch_texture(): finds the texture, and the levels of a mipmapped array between which a fetch is.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "d2l_emulator/textures/fetches.h"
#include "matrices/access.h"
#include "textures/call.h"
#include "textures/cubemaps.h"
#include "textures/sampling.h"

namespace d2l::emulator {
namespace {

TextureCall call_of(const TextureFetch& fetch) { return {fetch.name, fetch.place, fetch.caller}; }

/// True if the function may fetch from the texture.
bool fits(TextureShape function, const Texture& texture) {
  if (function == TextureShape::one && texture.shape == ResourceShape::two) return texture.levels[0].height == 1;
  return static_cast<int>(function) == static_cast<int>(texture.shape);
}

[[noreturn]] void refuse_object(const TextureFetch& fetch) {
  refuse_call(call_of(fetch), FaultKind::illegal_address, "no texture",
              fmt::format("{}: {:#x} is not a texture object, or the object is destroyed", fetch.name, fetch.object));
}
[[noreturn]] void refuse_shape(const TextureFetch& fetch, const Texture& texture) {
  refuse_call(call_of(fetch), FaultKind::check, "wrong texture",
              fmt::format("{} fetches from {}, and this texture is {}", fetch.name,
                          text_of(static_cast<ResourceShape>(fetch.shape)), text_of(texture.shape)));
}
[[noreturn]] void refuse_gather(const TextureFetch& fetch, const Texture& texture) {
  refuse_call(call_of(fetch), FaultKind::check, "wrong texture",
              texture.gathers ? fmt::format("tex2Dgather of channel {}: the channels are 0 to 3", fetch.gathered)
                              : "tex2Dgather needs an array that is allocated with cudaArrayTextureGather");
}

/// An index beyond linear memory gives 0, as on a card.
TexelRegisters fetch_linear(const Texture& texture, const TextureFetch& fetch) {
  const Plane& memory = texture.levels[0];
  TexelRegisters registers{};
  if (fetch.layer < 0 || fetch.layer >= memory.width) return registers;
  const std::size_t bytes = texture.format.bytes();
  const std::byte* const texel = memory.at(fetch.layer, 0, 0, bytes);
  check_access(texel, bytes, AccessKind::read, fetch.caller);
  for (int i = 0; i < texture.format.channels; ++i)
    registers[static_cast<std::size_t>(i)] =
        texture.returns_floats() ? std::bit_cast<std::uint32_t>(channel_number(texture.format, texel, i))
                                 : channel_bits(texture.format, texel, i);
  return registers;
}

/// The level of the gradients: at level 0 a step is one element long, at level 1 two.
float level_of_gradients(const Texture& texture, const TextureFetch& fetch) {
  const Plane& base = texture.levels[0];
  const bool cubemap = fetch.shape == TextureShape::cubemap || fetch.shape == TextureShape::cubemap_layered;
  const float major = cubemap ? place_of_direction(fetch.x, fetch.y, fetch.z).major : 1;
  const float on_face = static_cast<float>(base.width) / (2 * (major == 0 ? 1 : major));
  const bool normalized = texture.description.normalizedCoords != 0;
  const auto scale = [&](std::int64_t length) {
    return cubemap ? on_face : normalized ? static_cast<float>(length) : 1;
  };
  float longest = 0;
  for (const auto& [x, y, z] : fetch.gradients)
    longest = std::max(longest, std::hypot(x * scale(base.width), y * scale(base.height), z * scale(base.depth)));
  return longest > 0 ? std::log2(longest) : 0;
}

/// The level, from 0 to the last one.
float level_of(const Texture& texture, const TextureFetch& fetch) {
  if (texture.level_count == 1) return 0;
  const cudaTextureDesc& description = texture.description;
  float level = fetch.level_from == TextureFetch::Level::given          ? fetch.level
                : fetch.level_from == TextureFetch::Level::by_gradients ? level_of_gradients(texture, fetch)
                                                                        : 0;
  level += description.mipmapLevelBias;
  if (!(level >= description.minMipmapLevelClamp)) level = description.minMipmapLevelClamp;  // not a number, too
  level = std::min(level, description.maxMipmapLevelClamp);
  return std::clamp(level, 0.0F, static_cast<float>(texture.level_count - 1));
}

Colour filtered_by_level(const Texture& texture, const Sampler& sampler, float level) {
  if (texture.description.mipmapFilterMode == cudaFilterModePoint)
    return sampler.colour(texture.levels[static_cast<std::size_t>(std::floor(level + 0.5F))]);
  const auto fixed = static_cast<unsigned>(std::floor(level * 256 + 0.5F));
  const unsigned first = fixed / 256;
  Colour colour = sampler.colour(texture.levels[first]);
  if (fixed % 256 == 0) return colour;
  const float weight = static_cast<float>(fixed % 256) / 256;
  const Colour next = sampler.colour(texture.levels[first + 1]);
  for (std::size_t i = 0; i < colour.size(); ++i) colour[i] = (1 - weight) * colour[i] + weight * next[i];
  return colour;
}

}  // namespace

TexelRegisters fetch_texture(const TextureFetch& fetch) {
  const Texture* const texture = texture_of(fetch.object);
  if (texture == nullptr) refuse_object(fetch);
  if (!fits(fetch.shape, *texture)) refuse_shape(fetch, *texture);
  if (fetch.shape == TextureShape::linear) return fetch_linear(*texture, fetch);
  const Sampler sampler(*texture, fetch);
  if (fetch.gathered != -1) {
    if (!texture->gathers || fetch.gathered < 0 || fetch.gathered > 3) refuse_gather(fetch, *texture);
    return sampler.gathered(texture->levels[0]);
  }
  const float level = level_of(*texture, fetch);
  if (!texture->returns_floats()) {
    return sampler.integers(texture->levels[static_cast<std::size_t>(std::floor(level + 0.5F))]);
  }
  return std::bit_cast<TexelRegisters>(filtered_by_level(*texture, sampler, level));
}

}  // namespace d2l::emulator
