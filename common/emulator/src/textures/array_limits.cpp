// SPDX-License-Identifier: MIT
#include "textures/array_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "calls/unread_errors.h"
#include "runtime/attributes.h"
#include "runtime/errors.h"

namespace d2l::emulator {
namespace {

void require_because(bool condition, const std::string& why, cudaError_t error = cudaErrorInvalidValue) {
  if (condition) return;
  explain_failure(why);
  throw Failure{error};
}

std::size_t limit(cudaDeviceAttr attribute) { return static_cast<std::size_t>(attribute_of(attribute)); }

/// The largest extent of an array; 0 for dimensions that it does not have.
cudaExtent largest(const cudaExtent& of, unsigned flags, bool mipmapped) {
  const bool layered = (flags & cudaArrayLayered) != 0;
  const bool surface = (flags & cudaArraySurfaceLoadStore) != 0;
  const bool gather = (flags & cudaArrayTextureGather) != 0;
  if ((flags & cudaArrayCubemap) != 0) {
    const std::size_t width = limit(surface ? cudaDevAttrMaxSurfaceCubemapWidth : cudaDevAttrMaxTextureCubemapWidth);
    return {width, width, layered ? limit(cudaDevAttrMaxTextureCubemapLayeredLayers) / 6 * 6 : 6};
  }
  if (layered && of.height == 0)
    return {limit(cudaDevAttrMaxTexture1DLayeredWidth), 0, limit(cudaDevAttrMaxTexture1DLayeredLayers)};
  if (layered)
    return {limit(cudaDevAttrMaxTexture2DLayeredWidth), limit(cudaDevAttrMaxTexture2DLayeredHeight),
            limit(cudaDevAttrMaxTexture2DLayeredLayers)};
  if (of.depth != 0)
    return {limit(cudaDevAttrMaxTexture3DWidth), limit(cudaDevAttrMaxTexture3DHeight),
            limit(cudaDevAttrMaxTexture3DDepth)};
  if (of.height == 0)
    return {limit(mipmapped ? cudaDevAttrMaxTexture1DMipmappedWidth
                  : surface ? cudaDevAttrMaxSurface1DWidth
                            : cudaDevAttrMaxTexture1DWidth),
            0, 0};
  if (gather) return {limit(cudaDevAttrMaxTexture2DGatherWidth), limit(cudaDevAttrMaxTexture2DGatherHeight), 0};
  if (mipmapped)
    return {limit(cudaDevAttrMaxTexture2DMipmappedWidth), limit(cudaDevAttrMaxTexture2DMipmappedHeight), 0};
  return {limit(cudaDevAttrMaxTexture2DWidth), limit(cudaDevAttrMaxTexture2DHeight), 0};
}

}  // namespace

void check_extent(const cudaExtent& extent, unsigned flags, bool mipmapped) {
  const bool layered = (flags & cudaArrayLayered) != 0;
  constexpr unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather |
                             cudaArrayColorAttachment;
  require_because((flags & (cudaArraySparse | cudaArrayDeferredMapping)) == 0,
                  "Sparse arrays and those with deferred mapping are not supported by the emulator",
                  cudaErrorNotSupported);
  require_because((flags & ~known) == 0, fmt::format("{:#x} is not a combination of the flags cudaArray…", flags));
  require_because(extent.width != 0, "The width of an array is not 0");
  if ((flags & cudaArrayCubemap) != 0) {
    require_because(extent.width == extent.height,
                    fmt::format("The faces of a cubemap are squares, and these have {} x {} elements", extent.width,
                                extent.height));
    require_because(
        layered ? extent.depth != 0 && extent.depth % 6 == 0 : extent.depth == 6,
        fmt::format("A cubemap has the depth 6, or a multiple of it if it is layered, and this one {}", extent.depth));
  } else {
    require_because(!layered || extent.depth != 0, "The depth of a layered array is the number of its layers, not 0");
    require_because(layered || extent.depth == 0 || extent.height != 0,
                    "An array with a depth has a height, too, unless it is layered");
  }
  require_because((flags & cudaArrayTextureGather) == 0 || (extent.height != 0 && extent.depth == 0),
                  "cudaArrayTextureGather is for arrays of two dimensions");
  const cudaExtent most = largest(extent, flags, mipmapped);
  require_because(extent.width <= most.width && extent.height <= most.height && extent.depth <= most.depth,
                  fmt::format("The array has {} x {} x {} elements, and such an array at most {} x {} x {}",
                              extent.width, extent.height, extent.depth, most.width, most.height, most.depth));
}

}  // namespace d2l::emulator
