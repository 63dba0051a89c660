// SPDX-License-Identifier: MIT
// Texture references and surface references, which CUDA 12 removed and older programs use. The translator replaces
// texture<…> and surface<…> by these classes, so that programs can have classes of these names.
#pragma once

#include <climits>

#include "d2l_emulator/textures/fetches.h"
#include "d2l_emulator/textures/surfaces.h"

// NOLINTBEGIN: the names are CUDA's.
struct textureReference {
  int normalized = 0;
  cudaTextureFilterMode filterMode = cudaFilterModePoint;
  cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
  cudaChannelFormatDesc channelDesc{0, 0, 0, 0, cudaChannelFormatKindNone};
  int sRGB = 0;
  unsigned int maxAnisotropy = 0;
  cudaTextureFilterMode mipmapFilterMode = cudaFilterModePoint;
  float mipmapLevelBias = 0;
  float minMipmapLevelClamp = 0;
  float maxMipmapLevelClamp = 0;
  int disableTrilinearOptimization = 0;

  // What it is bound to; the runtime sets it.
  mutable cudaTextureObject_t d2l_object = 0;
  mutable std::size_t d2l_offset = 0;
  cudaTextureReadMode d2l_read_mode = cudaReadModeElementType;
};
struct surfaceReference {
  cudaChannelFormatDesc channelDesc{0, 0, 0, 0, cudaChannelFormatKindNone};
  mutable cudaSurfaceObject_t d2l_object = 0;
};
// NOLINTEND

namespace d2l::emulator {

/// A texture with what its declaration says.
template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct TextureReference : textureReference {
  explicit TextureReference(int normalized_coordinates = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                            cudaTextureAddressMode address = cudaAddressModeClamp)
      : TextureReference(normalized_coordinates, filter, address, cudaCreateChannelDesc<T>()) {}
  TextureReference(int normalized_coordinates, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                   cudaChannelFormatDesc format) {
    normalized = normalized_coordinates;
    filterMode = filter;
    for (auto& each : addressMode) each = address;
    channelDesc = format;
    d2l_read_mode = mode;
  }
};
template <class T, int type = cudaSurfaceType1D>
struct SurfaceReference : surfaceReference {
  operator cudaSurfaceObject_t() const;
};

/// The objects that the references are bound to.
cudaTextureObject_t object_of(const textureReference& reference);
cudaSurfaceObject_t object_of(const surfaceReference& reference);
template <class T, int type>
SurfaceReference<T, type>::operator cudaSurfaceObject_t() const {
  return object_of(*this);
}

cudaError_t bind_linear(std::size_t* offset, const textureReference& reference, const void* memory,
                        const cudaChannelFormatDesc& format, std::size_t bytes);
cudaError_t bind_pitch(std::size_t* offset, const textureReference& reference, const void* memory,
                       const cudaChannelFormatDesc& format, std::size_t width, std::size_t height, std::size_t pitch);
cudaError_t bind_array(const textureReference& reference, cudaArray_const_t array);
cudaError_t bind_mipmapped(const textureReference& reference, cudaMipmappedArray_const_t array);
cudaError_t bind_surface(const surfaceReference& reference, cudaArray_const_t array);

/// What a fetch returns: T, or as many floats.
template <int channels>
struct FloatsOf {
  using type = float;
};
template <>
struct FloatsOf<2> {
  using type = float2;
};
template <>
struct FloatsOf<4> {
  using type = float4;
};
template <class T, cudaTextureReadMode mode>
using FetchedFrom =
    std::conditional_t<mode == cudaReadModeElementType, T, typename FloatsOf<ChannelsOf<T>::count>::type>;

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
inline cudaError_t cudaBindTexture(std::size_t* offset, const textureReference* reference, const void* memory,
                                   const cudaChannelFormatDesc* format, std::size_t bytes = UINT_MAX) {
  return d2l::emulator::bind_linear(offset, *reference, memory, *format, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(std::size_t* offset, const d2l::emulator::TextureReference<T, type, mode>& reference,
                            const void* memory, const cudaChannelFormatDesc& format, std::size_t bytes = UINT_MAX) {
  return d2l::emulator::bind_linear(offset, reference, memory, format, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(std::size_t* offset, const d2l::emulator::TextureReference<T, type, mode>& reference,
                            const void* memory, std::size_t bytes = UINT_MAX) {
  return d2l::emulator::bind_linear(offset, reference, memory, reference.channelDesc, bytes);
}
inline cudaError_t cudaBindTexture2D(std::size_t* offset, const textureReference* reference, const void* memory,
                                     const cudaChannelFormatDesc* format, std::size_t width, std::size_t height,
                                     std::size_t pitch) {
  return d2l::emulator::bind_pitch(offset, *reference, memory, *format, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(std::size_t* offset, const d2l::emulator::TextureReference<T, type, mode>& reference,
                              const void* memory, const cudaChannelFormatDesc& format, std::size_t width,
                              std::size_t height, std::size_t pitch) {
  return d2l::emulator::bind_pitch(offset, reference, memory, format, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(std::size_t* offset, const d2l::emulator::TextureReference<T, type, mode>& reference,
                              const void* memory, std::size_t width, std::size_t height, std::size_t pitch) {
  return d2l::emulator::bind_pitch(offset, reference, memory, reference.channelDesc, width, height, pitch);
}
inline cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                          const cudaChannelFormatDesc*) {
  return d2l::emulator::bind_array(*reference, array);
}
inline cudaError_t cudaBindTextureToArray(const textureReference& reference, cudaArray_const_t array,
                                          const cudaChannelFormatDesc&) {
  return d2l::emulator::bind_array(reference, array);
}
inline cudaError_t cudaBindTextureToArray(const textureReference& reference, cudaArray_const_t array) {
  return d2l::emulator::bind_array(reference, array);
}
inline cudaError_t cudaBindTextureToMipmappedArray(const textureReference& reference, cudaMipmappedArray_const_t array,
                                                   const cudaChannelFormatDesc&) {
  return d2l::emulator::bind_mipmapped(reference, array);
}
inline cudaError_t cudaBindTextureToMipmappedArray(const textureReference& reference,
                                                   cudaMipmappedArray_const_t array) {
  return d2l::emulator::bind_mipmapped(reference, array);
}
cudaError_t cudaUnbindTexture(const textureReference* reference);
inline cudaError_t cudaUnbindTexture(const textureReference& reference) { return cudaUnbindTexture(&reference); }
cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset, const textureReference* reference);
inline cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset, const textureReference& reference) {
  return cudaGetTextureAlignmentOffset(offset, &reference);
}
cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol);
inline cudaError_t cudaBindSurfaceToArray(const surfaceReference& reference, cudaArray_const_t array) {
  return d2l::emulator::bind_surface(reference, array);
}
inline cudaError_t cudaBindSurfaceToArray(const surfaceReference& reference, cudaArray_const_t array,
                                          const cudaChannelFormatDesc&) {
  return d2l::emulator::bind_surface(reference, array);
}

#define D2L_REFERENCE_FETCH(NAME, SHAPE, TYPE, PARAMETERS, FETCH)                                             \
  template <class T, cudaTextureReadMode mode>                                                                \
  __attribute__((noinline)) d2l::emulator::FetchedFrom<T, mode> NAME(                                         \
      const d2l::emulator::TextureReference<T, TYPE, mode>& reference, D2L_PARAMETERS PARAMETERS, D2L_HERE) { \
    const d2l::emulator::TextureFetch d2l_fetch{#NAME, d2l_place, __builtin_return_address(0),                \
                                                d2l::emulator::object_of(reference),                          \
                                                d2l::emulator::TextureShape::SHAPE};                          \
    return d2l::emulator::texel_of<d2l::emulator::FetchedFrom<T, mode>>(                                      \
        d2l::emulator::fetch_texture(d2l_fetch FETCH));                                                       \
  }
D2L_REFERENCE_FETCH(tex1Dfetch, linear, cudaTextureType1D, (int x), .in_layer(x))
D2L_REFERENCE_FETCH(tex1D, one, cudaTextureType1D, (float x), .at(x))
D2L_REFERENCE_FETCH(tex2D, two, cudaTextureType2D, (float x, float y), .at(x, y))
D2L_REFERENCE_FETCH(tex3D, three, cudaTextureType3D, (float x, float y, float z), .at(x, y, z))
D2L_REFERENCE_FETCH(tex1DLayered, one_layered, cudaTextureType1DLayered, (float x, int layer), .at(x).in_layer(layer))
D2L_REFERENCE_FETCH(tex2DLayered, two_layered, cudaTextureType2DLayered, (float x, float y, int layer),
                    .at(x, y).in_layer(layer))
D2L_REFERENCE_FETCH(texCubemap, cubemap, cudaTextureTypeCubemap, (float x, float y, float z), .at(x, y, z))
D2L_REFERENCE_FETCH(texCubemapLayered, cubemap_layered, cudaTextureTypeCubemapLayered,
                    (float x, float y, float z, int layer), .at(x, y, z).in_layer(layer))
D2L_REFERENCE_FETCH(tex2Dgather, two, cudaTextureType2D, (float x, float y, int channel = 0), .at(x, y).gather(channel))
D2L_REFERENCE_FETCH(tex1DLod, one, cudaTextureType1D, (float x, float level), .at(x).at_level(level))
D2L_REFERENCE_FETCH(tex2DLod, two, cudaTextureType2D, (float x, float y, float level), .at(x, y).at_level(level))
D2L_REFERENCE_FETCH(tex3DLod, three, cudaTextureType3D, (float x, float y, float z, float level),
                    .at(x, y, z).at_level(level))
#undef D2L_REFERENCE_FETCH
// NOLINTEND
