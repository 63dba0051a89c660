// SPDX-License-Identifier: MIT
#include "textures/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <unordered_set>

#include "calls/call_site.h"
#include "calls/unread_errors.h"
#include "d2l_emulator/textures/api.h"
#include "runtime/attributes.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/memory.h"
#include "textures/array_limits.h"

namespace d2l::emulator {
namespace {

/// The arrays that are not freed.
struct LiveArrays {
  std::mutex mutex;
  std::unordered_set<const void*> all;

  void add(const void* array) {
    const std::lock_guard lock(mutex);
    all.insert(array);
  }
  /// False if the array is not one of them.
  bool remove(const void* array) {
    const std::lock_guard lock(mutex);
    return all.erase(array) != 0;
  }
  void require(const void* array) {
    const std::lock_guard lock(mutex);
    if (all.contains(array)) return;
    explain_failure(array == nullptr ? "The array is a null pointer: was its allocation successful?"
                                     : "The address is not an array, or the array is freed");
    throw Failure{cudaErrorInvalidResourceHandle};
  }
};
LiveArrays& live_arrays() {
  static auto* const made = new LiveArrays;
  return *made;
}

std::unique_ptr<cudaArray> describe(const cudaChannelFormatDesc* description, const cudaExtent& extent,
                                    unsigned flags) {
  require(description != nullptr);
  auto array = std::make_unique<cudaArray>();
  array->device = current_device().number();
  array->description = *description;
  array->format = texel_format(*description);
  array->extent = extent;
  array->flags = flags;
  return array;
}

std::byte* allocate(std::size_t bytes, std::size_t element, const char* call) {
  auto* const memory = static_cast<std::byte*>(allocate_device(current_device().number(), bytes, call));
  const auto allocation = allocations().find(memory);
  allocation->shape.element = element;
  allocation->shape.dimensions = 1;
  return memory;
}

void make_array(cudaArray_t* result, const cudaChannelFormatDesc* description, const cudaExtent& extent, unsigned flags,
                const char* call) {
  require(result != nullptr);
  auto array = describe(description, extent, flags);
  check_extent(extent, flags, false);
  array->memory = allocate(array->bytes(), array->format.bytes(), call);
  live_arrays().add(array.get());
  *result = array.release();
}

/// The extent of a level: each dimension is half of that of the level before, but layers stay.
cudaExtent extent_of_level(const cudaExtent& extent, unsigned flags, unsigned level) {
  const auto half = [level](std::size_t length) { return length == 0 ? 0 : std::max<std::size_t>(length >> level, 1); };
  const bool planes_stay = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  return {half(extent.width), half(extent.height), planes_stay ? extent.depth : half(extent.depth)};
}

}  // namespace

const cudaArray& array_of(cudaArray_const_t array) {
  live_arrays().require(array);
  return *array;
}
const cudaMipmappedArray& mipmapped_array_of(cudaMipmappedArray_const_t array) {
  live_arrays().require(array);
  return *array;
}

std::byte* begin_of_box(const cudaArray& array, const cudaPos& position, const cudaExtent& elements) {
  const auto inside = [](std::size_t begin, std::size_t length, std::size_t all) {
    return begin <= all && length <= all - begin;
  };
  if (!inside(position.x, elements.width, array.width()) || !inside(position.y, elements.height, array.rows()) ||
      !inside(position.z, elements.depth, array.planes())) {
    explain_failure(fmt::format("{} x {} x {} elements from ({}, {}, {}) on do not fit {}", elements.width,
                                elements.height, elements.depth, position.x, position.y, position.z, array.text()));
    throw Failure{cudaErrorInvalidValue};
  }
  return array.memory + ((position.z * array.rows() + position.y) * array.width() + position.x) * array.format.bytes();
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

std::string cudaArray::text() const {
  std::string size = fmt::format("{}", extent.width);
  if (extent.height != 0) size += fmt::format(" x {}", extent.height);
  if (extent.depth != 0)
    size += cubemap() || layered() ? fmt::format(", {} {}", extent.depth, cubemap() ? "faces" : "layers")
                                   : fmt::format(" x {}", extent.depth);
  return fmt::format("an array of {} {}", size, format.text());
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(format != nullptr);
    *format = array_of(array).description;
  });
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                            unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0) {
      explain_failure("Layered arrays and cubemaps are allocated by cudaMalloc3DArray");
      throw Failure{cudaErrorInvalidValue};
    }
    make_array(array, format, {width, height, 0}, flags, "cudaMallocArray");
  });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { make_array(array, format, extent, flags, "cudaMalloc3DArray"); });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  const ApiCall call(__builtin_return_address(0));
  if (array == nullptr) return cudaSuccess;
  const cudaError_t error = device_call([&] {
    if (array_of(array).is_level) {
      explain_failure("The array is a level of a mipmapped array: cudaFreeMipmappedArray frees all levels");
      throw Failure{cudaErrorInvalidValue};
    }
    require(live_arrays().remove(array));
  });
  if (error != cudaSuccess) return error;
  const std::unique_ptr<cudaArray> owner(array);
  return cudaFree(owner->memory);
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const cudaArray& known = array_of(array);
    if (format != nullptr) *format = known.description;
    if (extent != nullptr) *extent = known.extent;
    if (flags != nullptr) *flags = known.flags;
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned levels, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(array != nullptr && levels > 0);
    check_extent(extent, flags, true);
    const std::size_t planes = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0 ? 1 : extent.depth;
    const std::size_t longest = std::max({extent.width, extent.height, planes});
    levels = std::min(levels, static_cast<unsigned>(std::bit_width(longest)));
    auto made = std::make_unique<cudaMipmappedArray>();
    constexpr std::size_t alignment = 512;
    std::vector<std::size_t> offsets;
    std::size_t bytes = 0;
    for (unsigned level = 0; level < levels; ++level) {
      made->levels.push_back(describe(format, extent_of_level(extent, flags, level), flags));
      made->levels.back()->is_level = true;
      offsets.push_back(bytes);
      bytes += (made->levels.back()->bytes() + alignment - 1) / alignment * alignment;
    }
    std::byte* const memory = allocate(bytes, made->levels.front()->format.bytes(), "cudaMallocMipmappedArray");
    for (unsigned level = 0; level < levels; ++level) {
      made->levels[level]->memory = memory + offsets[level];
      live_arrays().add(made->levels[level].get());
    }
    live_arrays().add(made.get());
    *array = made.release();
  });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level_array, cudaMipmappedArray_const_t array, unsigned level) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    const cudaMipmappedArray& known = mipmapped_array_of(array);
    require(level_array != nullptr);
    if (level >= known.levels.size()) {
      explain_failure(fmt::format("The array has {} levels, from 0 on, and no level {}", known.levels.size(), level));
      throw Failure{cudaErrorInvalidValue};
    }
    *level_array = known.levels[level].get();
  });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  const ApiCall call(__builtin_return_address(0));
  if (array == nullptr) return cudaSuccess;
  const cudaError_t error = device_call([&] {
    for (const auto& level : mipmapped_array_of(array).levels) live_arrays().remove(level.get());
    live_arrays().remove(array);
  });
  if (error != cudaSuccess) return error;
  const std::unique_ptr<cudaMipmappedArray> owner(array);
  return cudaFree(owner->levels.front()->memory);
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* elements, const cudaChannelFormatDesc* format, int device) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(elements != nullptr && format != nullptr);
    device_at(device);
    texel_format(*format);
    *elements = static_cast<size_t>(attribute_of(cudaDevAttrMaxTexture1DLinearWidth));
  });
}
