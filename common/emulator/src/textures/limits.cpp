// SPDX-License-Identifier: MIT
#include "runtime/attributes.h"

namespace d2l::emulator {
namespace {

template <std::size_t count>
void fill(int (&to)[count], const cudaDeviceAttr (&from)[count]) {
  for (std::size_t i = 0; i < count; ++i) to[i] = attribute_of(from[i]);
}

void fill_texture_sizes(cudaDeviceProp& to) {
  to.maxTexture1D = attribute_of(cudaDevAttrMaxTexture1DWidth);
  to.maxTexture1DMipmap = attribute_of(cudaDevAttrMaxTexture1DMipmappedWidth);
  fill(to.maxTexture2D, {cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight});
  fill(to.maxTexture2DMipmap, {cudaDevAttrMaxTexture2DMipmappedWidth, cudaDevAttrMaxTexture2DMipmappedHeight});
  fill(to.maxTexture2DLinear,
       {cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight, cudaDevAttrMaxTexture2DLinearPitch});
  fill(to.maxTexture2DGather, {cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight});
  fill(to.maxTexture3D, {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth});
  fill(to.maxTexture3DAlt,
       {cudaDevAttrMaxTexture3DWidthAlt, cudaDevAttrMaxTexture3DHeightAlt, cudaDevAttrMaxTexture3DDepthAlt});
  to.maxTextureCubemap = attribute_of(cudaDevAttrMaxTextureCubemapWidth);
  fill(to.maxTexture1DLayered, {cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture1DLayeredLayers});
  fill(to.maxTexture2DLayered, {cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
                                cudaDevAttrMaxTexture2DLayeredLayers});
  fill(to.maxTextureCubemapLayered,
       {cudaDevAttrMaxTextureCubemapLayeredWidth, cudaDevAttrMaxTextureCubemapLayeredLayers});
}

void fill_surface_sizes(cudaDeviceProp& to) {
  to.maxSurface1D = attribute_of(cudaDevAttrMaxSurface1DWidth);
  fill(to.maxSurface2D, {cudaDevAttrMaxSurface2DWidth, cudaDevAttrMaxSurface2DHeight});
  fill(to.maxSurface3D, {cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight, cudaDevAttrMaxSurface3DDepth});
  fill(to.maxSurface1DLayered, {cudaDevAttrMaxSurface1DLayeredWidth, cudaDevAttrMaxSurface1DLayeredLayers});
  fill(to.maxSurface2DLayered, {cudaDevAttrMaxSurface2DLayeredWidth, cudaDevAttrMaxSurface2DLayeredHeight,
                                cudaDevAttrMaxSurface2DLayeredLayers});
  to.maxSurfaceCubemap = attribute_of(cudaDevAttrMaxSurfaceCubemapWidth);
  fill(to.maxSurfaceCubemapLayered,
       {cudaDevAttrMaxSurfaceCubemapLayeredWidth, cudaDevAttrMaxSurfaceCubemapLayeredLayers});
}

}  // namespace

void fill_texture_limits(cudaDeviceProp& to) {
  to.textureAlignment = static_cast<std::size_t>(attribute_of(cudaDevAttrTextureAlignment));
  to.texturePitchAlignment = static_cast<std::size_t>(attribute_of(cudaDevAttrTexturePitchAlignment));
  to.surfaceAlignment = static_cast<std::size_t>(attribute_of(cudaDevAttrSurfaceAlignment));
  fill_texture_sizes(to);
  fill_surface_sizes(to);
}

}  // namespace d2l::emulator
