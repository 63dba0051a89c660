// SPDX-License-Identifier: MIT
// Makes textures of what a program describes, and says what is wrong with a description.
#pragma once

#include "textures/texture.h"

namespace d2l::emulator {

/// Failure, with its reason, if the description is wrong.
Texture make_texture(const cudaResourceDesc& resource, const cudaTextureDesc& description,
                     const cudaResourceViewDesc* view);
Surface make_surface(const cudaResourceDesc& resource);

/// Texture and surface objects that the reports of leaks leave out.
cudaError_t create_unlisted_texture(cudaTextureObject_t* texture, const cudaResourceDesc& resource,
                                    const cudaTextureDesc& description);
cudaError_t create_unlisted_surface(cudaSurfaceObject_t* surface, const cudaResourceDesc& resource);

}  // namespace d2l::emulator
