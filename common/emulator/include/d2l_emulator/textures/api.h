// SPDX-License-Identifier: MIT
// The functions of the host for arrays, texture objects and surface objects, with CUDA's meaning.
#pragma once

#include <cstddef>

#include "d2l_emulator/runtime_types.h"

// arrays
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                            std::size_t height = 0, unsigned flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned levels, unsigned flags = 0);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level_array, cudaMipmappedArray_const_t array, unsigned level);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* elements, const cudaChannelFormatDesc* format,
                                                 int device);

// copies: widths and first columns are in bytes
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t column, std::size_t row, const void* from, std::size_t bytes,
                              cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t column, std::size_t row, const void* from,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t column, std::size_t row,
                                std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t column, std::size_t row,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_column, std::size_t to_row, cudaArray_const_t from,
                                   std::size_t from_column, std::size_t from_row, std::size_t bytes,
                                   cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t column, std::size_t row, const void* from,
                                std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t column, std::size_t row, const void* from,
                                     std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t column,
                                  std::size_t row, std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t column,
                                       std::size_t row, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_column, std::size_t to_row, cudaArray_const_t from,
                                     std::size_t from_column, std::size_t from_row, std::size_t width,
                                     std::size_t height, cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);

// texture objects
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture);

// surface objects
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface);
