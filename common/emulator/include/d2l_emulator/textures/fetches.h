// SPDX-License-Identifier: MIT
// The functions of kernels that fetch from texture objects.
#pragma once

#include "d2l_emulator/language.h"
#include "d2l_emulator/textures/channels.h"
#include "d2l_emulator/textures/parameters.h"

namespace d2l::emulator {

/// What a fetch needs of its texture.
enum class TextureShape { linear, one, two, three, one_layered, two_layered, cubemap, cubemap_layered };
/// A fetch from a texture.
struct TextureFetch {
  const char* name;    ///< what the program calls
  Place place;         ///< where
  const void* caller;  ///< the same as an address in the code
  cudaTextureObject_t object;
  TextureShape shape;
  float x = 0, y = 0, z = 0;
  int layer = 0;  ///< for `linear`, the index
  enum class Level { base, given, by_gradients } level_from = Level::base;
  float level = 0;
  float gradients[2][3] = {};  ///< of the coordinates, along x and y of the screen
  int gathered = -1;           ///< the channel that is fetched of four texels; -1: all channels of one place

  TextureFetch at(float x_value, float y_value = 0, float z_value = 0) const {
    TextureFetch made = *this;
    made.x = x_value, made.y = y_value, made.z = z_value;
    return made;
  }
  TextureFetch in_layer(int number) const {
    TextureFetch made = *this;
    made.layer = number;
    return made;
  }
  TextureFetch at_level(float value) const {
    TextureFetch made = *this;
    made.level_from = Level::given;
    made.level = value;
    return made;
  }
  TextureFetch with_gradients(float4 along_x, float4 along_y) const {
    TextureFetch made = *this;
    made.level_from = Level::by_gradients;
    const float values[2][3] = {{along_x.x, along_x.y, along_x.z}, {along_y.x, along_y.y, along_y.z}};
    for (int i = 0; i < 6; ++i) made.gradients[i / 3][i % 3] = values[i / 3][i % 3];
    return made;
  }
  TextureFetch with_gradients(float2 along_x, float2 along_y) const {
    return with_gradients(float4{along_x.x, along_x.y, 0, 0}, float4{along_y.x, along_y.y, 0, 0});
  }
  TextureFetch with_gradients(float along_x, float along_y) const {
    return with_gradients(float4{along_x, 0, 0, 0}, float4{along_y, 0, 0, 0});
  }
  TextureFetch gather(int channel) const {
    TextureFetch made = *this;
    made.gathered = channel;
    return made;
  }
};

/// The four registers that the fetch returns. It may end the thread.
TexelRegisters fetch_texture(const TextureFetch& fetch);

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
// D2L_TEXTURE(NAME, SHAPE, (PARAMETERS), FETCH): the function that returns the texel, the one that stores it through a
// pointer, and both with what tells whether the texel of a sparse array is in memory, which is always so here. Not
// inlined, so that they return to the program's line.
#define D2L_TEXTURE_FUNCTION(NAME, SHAPE, RESULT, RETURN, PARAMETERS, FETCH)                           \
  template <class T>                                                                                   \
  __attribute__((noinline)) RESULT NAME PARAMETERS {                                                   \
    const d2l::emulator::TextureFetch d2l_fetch{#NAME, d2l_place, __builtin_return_address(0), object, \
                                                d2l::emulator::TextureShape::SHAPE};                   \
    RETURN d2l::emulator::texel_of<T>(d2l::emulator::fetch_texture(d2l_fetch FETCH));                  \
  }
#define D2L_TEXTURE(NAME, SHAPE, PARAMETERS, FETCH)                                                               \
  D2L_TEXTURE_FUNCTION(NAME, SHAPE, T, return, (cudaTextureObject_t object, D2L_PARAMETERS PARAMETERS, D2L_HERE), \
                       FETCH)                                                                                     \
  D2L_TEXTURE_FUNCTION(NAME, SHAPE, void, *result =,                                                              \
                       (T * result, cudaTextureObject_t object, D2L_PARAMETERS PARAMETERS, D2L_HERE), FETCH)
#define D2L_SPARSE_TEXTURE(NAME, SHAPE, PARAMETERS, FETCH)                                                        \
  D2L_TEXTURE(NAME, SHAPE, PARAMETERS, FETCH)                                                                     \
  D2L_TEXTURE_FUNCTION(NAME, SHAPE, T, *resident = true;                                                          \
                       return, (cudaTextureObject_t object, D2L_PARAMETERS PARAMETERS, bool* resident, D2L_HERE), \
                             FETCH)                                                                               \
  D2L_TEXTURE_FUNCTION(                                                                                           \
      NAME, SHAPE, void, *resident = true;                                                                        \
      *result =, (T * result, cudaTextureObject_t object, D2L_PARAMETERS PARAMETERS, bool* resident, D2L_HERE), FETCH)

D2L_TEXTURE(tex1Dfetch, linear, (int x), .in_layer(x))
D2L_TEXTURE(tex1D, one, (float x), .at(x))
D2L_SPARSE_TEXTURE(tex2D, two, (float x, float y), .at(x, y))
D2L_SPARSE_TEXTURE(tex3D, three, (float x, float y, float z), .at(x, y, z))
D2L_TEXTURE(tex1DLayered, one_layered, (float x, int layer), .at(x).in_layer(layer))
D2L_SPARSE_TEXTURE(tex2DLayered, two_layered, (float x, float y, int layer), .at(x, y).in_layer(layer))
D2L_TEXTURE(texCubemap, cubemap, (float x, float y, float z), .at(x, y, z))
D2L_TEXTURE(texCubemapLayered, cubemap_layered, (float x, float y, float z, int layer), .at(x, y, z).in_layer(layer))

D2L_TEXTURE(tex1DLod, one, (float x, float level), .at(x).at_level(level))
D2L_SPARSE_TEXTURE(tex2DLod, two, (float x, float y, float level), .at(x, y).at_level(level))
D2L_SPARSE_TEXTURE(tex3DLod, three, (float x, float y, float z, float level), .at(x, y, z).at_level(level))
D2L_TEXTURE(tex1DLayeredLod, one_layered, (float x, int layer, float level), .at(x).in_layer(layer).at_level(level))
D2L_SPARSE_TEXTURE(tex2DLayeredLod, two_layered, (float x, float y, int layer, float level),
                   .at(x, y).in_layer(layer).at_level(level))
D2L_TEXTURE(texCubemapLod, cubemap, (float x, float y, float z, float level), .at(x, y, z).at_level(level))
D2L_TEXTURE(texCubemapLayeredLod, cubemap_layered, (float x, float y, float z, int layer, float level),
            .at(x, y, z).in_layer(layer).at_level(level))

D2L_TEXTURE(tex1DGrad, one, (float x, float dx, float dy), .at(x).with_gradients(dx, dy))
D2L_SPARSE_TEXTURE(tex2DGrad, two, (float x, float y, float2 dx, float2 dy), .at(x, y).with_gradients(dx, dy))
D2L_SPARSE_TEXTURE(tex3DGrad, three, (float x, float y, float z, float4 dx, float4 dy),
                   .at(x, y, z).with_gradients(dx, dy))
D2L_TEXTURE(tex1DLayeredGrad, one_layered, (float x, int layer, float dx, float dy),
            .at(x).in_layer(layer).with_gradients(dx, dy))
D2L_SPARSE_TEXTURE(tex2DLayeredGrad, two_layered, (float x, float y, int layer, float2 dx, float2 dy),
                   .at(x, y).in_layer(layer).with_gradients(dx, dy))
D2L_TEXTURE(texCubemapGrad, cubemap, (float x, float y, float z, float4 dx, float4 dy),
            .at(x, y, z).with_gradients(dx, dy))
D2L_TEXTURE(texCubemapLayeredGrad, cubemap_layered, (float x, float y, float z, int layer, float4 dx, float4 dy),
            .at(x, y, z).in_layer(layer).with_gradients(dx, dy))

#define D2L_GATHER(RESULT, RETURN, PARAMETERS) \
  D2L_TEXTURE_FUNCTION(tex2Dgather, two, RESULT, RETURN, PARAMETERS, .at(x, y).gather(channel))
D2L_GATHER(T, return, (cudaTextureObject_t object, float x, float y, int channel = 0, D2L_HERE))
D2L_GATHER(void, *result =, (T * result, cudaTextureObject_t object, float x, float y, int channel = 0, D2L_HERE))
D2L_GATHER(T, *resident = true;
           return, (cudaTextureObject_t object, float x, float y, bool* resident, int channel = 0, D2L_HERE))
D2L_GATHER(void, *resident = true; *result =, (T * result, cudaTextureObject_t object, float x, float y, bool* resident,
                                               int channel = 0, D2L_HERE))
#undef D2L_GATHER
#undef D2L_SPARSE_TEXTURE
#undef D2L_TEXTURE
#undef D2L_TEXTURE_FUNCTION
// NOLINTEND
