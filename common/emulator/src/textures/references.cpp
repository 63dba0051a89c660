// SPDX-License-Identifier: MIT
// Texture references: each is bound to a texture object of its own.
#include "d2l_emulator/textures/references.h"

#include <fmt/format.h>

#include <algorithm>

#include "calls/call_site.h"
#include "calls/unread_errors.h"
#include "runtime/attributes.h"
#include "runtime/errors.h"
#include "runtime/memory.h"
#include "textures/format.h"
#include "textures/handles.h"
#include "textures/resources.h"

namespace d2l::emulator {
namespace {

cudaTextureDesc description_of(const textureReference& reference) {
  cudaTextureDesc description{};
  std::ranges::copy(reference.addressMode, description.addressMode);
  description.filterMode = reference.filterMode;
  description.readMode = reference.d2l_read_mode;
  description.sRGB = reference.sRGB;
  description.normalizedCoords = reference.normalized;
  description.maxAnisotropy = reference.maxAnisotropy;
  description.mipmapFilterMode = reference.mipmapFilterMode;
  description.mipmapLevelBias = reference.mipmapLevelBias;
  description.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  description.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  return description;
}

cudaResourceDesc resource_of(cudaArray_const_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return resource;
}

/// The texture that the reference was bound to before is destroyed.
cudaError_t bind(const textureReference& reference, const cudaResourceDesc& resource) {
  if (reference.d2l_object != 0) cudaDestroyTextureObject(reference.d2l_object);
  reference.d2l_object = 0;
  const cudaTextureDesc description = description_of(reference);
  return create_unlisted_texture(&reference.d2l_object, resource, description);
}

/// The bytes by which the address is beyond a multiple of the alignment; Failure if the program does not ask for them.
std::size_t offset_of(const void* memory, const std::size_t* asked) {
  const auto alignment = static_cast<std::size_t>(attribute_of(cudaDevAttrTextureAlignment));
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(memory) % alignment;
  if (offset != 0 && asked == nullptr) {
    explain_failure(
        fmt::format("The address is no multiple of {} bytes: give the address of an offset, and add the "
                    "offset to the index of each fetch",
                    alignment));
    throw Failure{cudaErrorInvalidValue};
  }
  return offset;
}

template <class Describe>
cudaError_t bind_memory(std::size_t* offset, const textureReference& reference, const void* memory,
                        const Describe& describe) {
  cudaResourceDesc resource{};
  const cudaError_t error = device_call([&] {
    require(memory != nullptr);
    const std::size_t beyond = offset_of(memory, offset);
    describe(resource, static_cast<std::byte*>(const_cast<void*>(memory)) - beyond, beyond);
    reference.d2l_offset = beyond;
    if (offset != nullptr) *offset = beyond;
  });
  return error != cudaSuccess ? error : bind(reference, resource);
}

}  // namespace

cudaTextureObject_t object_of(const textureReference& reference) { return reference.d2l_object; }
cudaSurfaceObject_t object_of(const surfaceReference& reference) { return reference.d2l_object; }

cudaError_t bind_linear(std::size_t* offset, const textureReference& reference, const void* memory,
                        const cudaChannelFormatDesc& format, std::size_t bytes) {
  const ApiCall call(__builtin_return_address(0), "cudaBindTexture");
  return bind_memory(offset, reference, memory, [&](cudaResourceDesc& resource, std::byte* begin, std::size_t beyond) {
    const auto allocation = live_allocation(memory);
    if (bytes == UINT_MAX && allocation)
      bytes = allocation->bytes - allocation->offset_of(memory);  // all that there is
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {begin, format, bytes + beyond};
  });
}

cudaError_t bind_pitch(std::size_t* offset, const textureReference& reference, const void* memory,
                       const cudaChannelFormatDesc& format, std::size_t width, std::size_t height, std::size_t pitch) {
  const ApiCall call(__builtin_return_address(0), "cudaBindTexture2D");
  return bind_memory(offset, reference, memory, [&](cudaResourceDesc& resource, std::byte* begin, std::size_t beyond) {
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {begin, format, width + beyond / texel_format(format).bytes(), height, pitch};
  });
}

cudaError_t bind_array(const textureReference& reference, cudaArray_const_t array) {
  const ApiCall call(__builtin_return_address(0), "cudaBindTextureToArray");
  return bind(reference, resource_of(array));
}
cudaError_t bind_mipmapped(const textureReference& reference, cudaMipmappedArray_const_t array) {
  const ApiCall call(__builtin_return_address(0), "cudaBindTextureToMipmappedArray");
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return bind(reference, resource);
}
cudaError_t bind_surface(const surfaceReference& reference, cudaArray_const_t array) {
  const ApiCall call(__builtin_return_address(0), "cudaBindSurfaceToArray");
  if (reference.d2l_object != 0) cudaDestroySurfaceObject(reference.d2l_object);
  reference.d2l_object = 0;
  return create_unlisted_surface(&reference.d2l_object, resource_of(array));
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaUnbindTexture(const textureReference* reference) {
  const ApiCall call(__builtin_return_address(0));
  if (reference == nullptr || reference->d2l_object == 0) return cudaSuccess;
  const cudaError_t error = cudaDestroyTextureObject(reference->d2l_object);  // kernels may still read the reference
  reference->d2l_object = 0;
  return error;
}
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(offset != nullptr && reference != nullptr);
    require(reference->d2l_object != 0, cudaErrorInvalidTextureBinding);
    *offset = reference->d2l_offset;
  });
}
cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(reference != nullptr && symbol != nullptr, cudaErrorInvalidTexture);
    *reference = static_cast<const textureReference*>(symbol);
  });
}
