// SPDX-License-Identifier: MIT
#include "textures/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "calls/explanations.h"
#include "calls/unread_errors.h"
#include "runtime/attributes.h"
#include "runtime/errors.h"
#include "runtime/memory.h"
#include "textures/array.h"

namespace d2l::emulator {
namespace {

void require_because(bool condition, const std::string& why, cudaError_t error = cudaErrorInvalidValue) {
  if (condition) return;
  explain_failure(why);
  throw Failure{error};
}

ResourceShape shape_of(const cudaArray& array) {
  using enum ResourceShape;
  if (array.cubemap()) return array.layered() ? cubemap_layered : cubemap;
  if (array.layered()) return array.extent.height == 0 ? one_layered : two_layered;
  if (array.extent.depth != 0) return three;
  return array.extent.height == 0 ? one : two;
}

Plane plane_of(const cudaArray& array) {
  const auto number = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  return {array.memory, number(array.width()), number(array.rows()), number(array.planes()), number(array.pitch())};
}

/// Failure unless the memory is one of the device, begins at a multiple of the alignment, and has so many bytes.
void check_memory(const void* memory, std::size_t bytes) {
  add_memory_of_tensor(memory);
  const auto allocation = live_allocation(memory);
  require_because(allocation != nullptr, "The address of the texture's memory is not one of memory of a device");
  const std::size_t offset = allocation->offset_of(memory);
  const bool inside = bytes <= allocation->bytes - offset;
  require_because(inside, inside ? "" : why_outside(*allocation, offset, bytes));
  const auto alignment = static_cast<std::size_t>(attribute_of(cudaDevAttrTextureAlignment));
  require_because(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0,
                  fmt::format("The memory of a texture begins at a multiple of {} bytes (textureAlignment of "
                              "cudaDeviceProp), as that of cudaMalloc does",
                              alignment));
}

void use_linear(Texture& texture) {
  const auto& linear = texture.resource.res.linear;
  texture.format = texel_format(linear.desc);
  const std::size_t count = linear.sizeInBytes / texture.format.bytes();
  const auto most = static_cast<std::size_t>(attribute_of(cudaDevAttrMaxTexture1DLinearWidth));
  require_because(count > 0 && count <= most,
                  fmt::format("A texture of linear memory has 1 to {} elements, and this one {}", most, count));
  check_memory(linear.devPtr, linear.sizeInBytes);
  texture.levels[0] = {static_cast<std::byte*>(linear.devPtr), static_cast<std::int64_t>(count), 1, 1, 0};
}

void use_pitch(Texture& texture) {
  const auto& memory = texture.resource.res.pitch2D;
  texture.format = texel_format(memory.desc);
  texture.shape = ResourceShape::two;
  const auto alignment = static_cast<std::size_t>(attribute_of(cudaDevAttrTexturePitchAlignment));
  require_because(memory.width > 0 && memory.height > 0, "The width and the height of a texture are not 0");
  require_because(
      memory.width <= static_cast<std::size_t>(attribute_of(cudaDevAttrMaxTexture2DLinearWidth)) &&
          memory.height <= static_cast<std::size_t>(attribute_of(cudaDevAttrMaxTexture2DLinearHeight)) &&
          memory.pitchInBytes <= static_cast<std::size_t>(attribute_of(cudaDevAttrMaxTexture2DLinearPitch)),
      fmt::format("The texture has {} x {} elements with a pitch of {} bytes, which is more than maxTexture2DLinear of "
                  "cudaDeviceProp",
                  memory.width, memory.height, memory.pitchInBytes));
  require_because(memory.pitchInBytes >= memory.width * texture.format.bytes(),
                  fmt::format("A row of {} elements has {} bytes, which is more than the pitch, {} bytes", memory.width,
                              memory.width * texture.format.bytes(), memory.pitchInBytes));
  require_because(memory.pitchInBytes % alignment == 0,
                  fmt::format("The pitch is {} bytes, which is no multiple of {} (texturePitchAlignment of "
                              "cudaDeviceProp): allocate with cudaMallocPitch",
                              memory.pitchInBytes, alignment));
  check_memory(memory.devPtr, (memory.height - 1) * memory.pitchInBytes + memory.width * texture.format.bytes());
  texture.levels[0] = {static_cast<std::byte*>(memory.devPtr), static_cast<std::int64_t>(memory.width),
                       static_cast<std::int64_t>(memory.height), 1, static_cast<std::int64_t>(memory.pitchInBytes)};
}

void use_array(Texture& texture, const cudaArray& array) {
  texture.format = array.format;
  texture.shape = shape_of(array);
  texture.gathers = (array.flags & cudaArrayTextureGather) != 0;
  texture.levels[0] = plane_of(array);
}

void use_mipmapped(Texture& texture, const cudaMipmappedArray& array) {
  use_array(texture, *array.levels.front());
  texture.level_count = static_cast<unsigned>(array.levels.size());
  std::ranges::transform(array.levels, texture.levels.begin(), [](const auto& level) { return plane_of(*level); });
}

bool is_array(const Texture& texture) {
  return texture.resource.resType == cudaResourceTypeArray ||
         texture.resource.resType == cudaResourceTypeMipmappedArray;
}

/// Shows other levels or layers, or the elements in another format.
void use_view(Texture& texture, const cudaResourceViewDesc& view) {
  require_because(is_array(texture), "A view needs an array or a mipmapped array");
  texture.view = view;
  const TexelFormat format = texel_format(format_of_view(view.format));
  require_because(format.bytes() == texture.format.bytes(),
                  fmt::format("The view has elements of {} bytes, and the array of {} bytes", format.bytes(),
                              texture.format.bytes()));
  texture.format = format;
  const unsigned first = view.firstMipmapLevel;
  const unsigned last = view.lastMipmapLevel;
  require_because(
      first <= last && last < texture.level_count,
      fmt::format("The view has the levels {} to {}, and the array {} levels", first, last, texture.level_count));
  std::copy(texture.levels.begin() + first, texture.levels.begin() + last + 1, texture.levels.begin());
  texture.level_count = last - first + 1;
  const Plane& base = texture.levels[0];
  require_because(view.width == static_cast<std::size_t>(base.width) &&
                      (view.height == static_cast<std::size_t>(base.height) || (view.height == 0 && base.height == 1)),
                  fmt::format("The view has {} x {} elements, and the array {} x {}", view.width, view.height,
                              base.width, base.height));
  if (texture.shape < ResourceShape::one_layered) return;
  require_because(view.firstLayer <= view.lastLayer && view.lastLayer < base.depth,
                  fmt::format("The view has the layers {} to {}, and the array {} layers", view.firstLayer,
                              view.lastLayer, base.depth));
  for (unsigned level = 0; level < texture.level_count; ++level) {
    Plane& plane = texture.levels[level];
    plane.memory = plane.at(0, 0, view.firstLayer, 0);
    plane.depth = view.lastLayer - view.firstLayer + 1;
  }
}

void check_description(const Texture& texture) {
  const cudaTextureDesc& wanted = texture.description;
  require_because(
      wanted.readMode != cudaReadModeNormalizedFloat || texture.format.is_float() || texture.format.bits < 32,
      fmt::format("cudaReadModeNormalizedFloat is for integers of 8 and 16 bits, and the elements are {}",
                  texture.format.text()),
      cudaErrorInvalidNormSetting);
  require_because(!texture.filters() || texture.returns_floats(),
                  fmt::format("cudaFilterModeLinear needs elements of float or cudaReadModeNormalizedFloat, and the "
                              "elements are {}",
                              texture.format.text()),
                  cudaErrorInvalidFilterSetting);
  require_because(wanted.sRGB == 0 || (texture.format.bits == 8 && texture.returns_floats()),
                  "sRGB is for elements of unsigned char that are read as normalized numbers");
  require_because(texture.resource.resType != cudaResourceTypeMipmappedArray || wanted.normalizedCoords != 0,
                  "A mipmapped array needs normalizedCoords");
  for (const cudaTextureAddressMode mode : wanted.addressMode)
    require_because(mode >= cudaAddressModeWrap && mode <= cudaAddressModeBorder,
                    "An address mode is none of cudaAddressMode…: is the cudaTextureDesc initialised, for example by "
                    "cudaTextureDesc d = {}?");
}

}  // namespace

const char* text_of(ResourceShape shape) {
  switch (shape) {
    case ResourceShape::linear:
      return "linear memory";
    case ResourceShape::one:
      return "a 1D array";
    case ResourceShape::two:
      return "a 2D array or memory with a pitch";
    case ResourceShape::three:
      return "a 3D array";
    case ResourceShape::one_layered:
      return "a layered 1D array";
    case ResourceShape::two_layered:
      return "a layered 2D array";
    case ResourceShape::cubemap:
      return "a cubemap";
    case ResourceShape::cubemap_layered:
      break;
  }
  return "a layered cubemap";
}

Texture make_texture(const cudaResourceDesc& resource, const cudaTextureDesc& description,
                     const cudaResourceViewDesc* view) {
  Texture texture;
  texture.resource = resource;
  texture.description = description;
  switch (resource.resType) {
    case cudaResourceTypeArray:
      use_array(texture, array_of(resource.res.array.array));
      break;
    case cudaResourceTypeMipmappedArray:
      use_mipmapped(texture, mipmapped_array_of(resource.res.mipmap.mipmap));
      break;
    case cudaResourceTypeLinear:
      use_linear(texture);
      break;
    case cudaResourceTypePitch2D:
      use_pitch(texture);
      break;
    default:
      require_because(false, "resType is none of cudaResourceType…: is the cudaResourceDesc initialised?");
  }
  if (view != nullptr && view->format != cudaResViewFormatNone) use_view(texture, *view);
  check_description(texture);
  return texture;
}

Surface make_surface(const cudaResourceDesc& resource) {
  require_because(resource.resType == cudaResourceTypeArray, "A surface is made of an array: cudaResourceTypeArray");
  const cudaArray& array = array_of(resource.res.array.array);
  // A card accepts the levels of a mipmapped array without the flag: NVIDIA's sample bindlessTexture writes such ones.
  require_because(array.is_level || (array.flags & cudaArraySurfaceLoadStore) != 0,
                  "The array of a surface needs the flag cudaArraySurfaceLoadStore when it is allocated");
  return {resource, array.format, shape_of(array), plane_of(array)};
}

}  // namespace d2l::emulator
