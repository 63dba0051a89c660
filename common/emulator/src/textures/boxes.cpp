// SPDX-License-Identifier: MIT
#include "textures/boxes.h"

#include <fmt/format.h>

#include "calls/unread_errors.h"
#include "runtime/errors.h"
#include "textures/array.h"

namespace d2l::emulator {

BoxEnd end_of_box(cudaArray_t array, const cudaPitchedPtr& memory, const cudaPos& at, const cudaExtent& elements) {
  if ((array == nullptr) == (memory.ptr == nullptr)) {
    explain_failure("Each end of the copy is either an array or a pointer: of each pair, one is null");
    throw Failure{cudaErrorInvalidValue};
  }
  if (array != nullptr) {
    const cudaArray& known = array_of(array);
    return {begin_of_box(known, at, elements), known.pitch(), known.pitch() * known.rows()};
  }
  const std::size_t plane = memory.pitch * memory.ysize;
  return {static_cast<std::byte*>(memory.ptr) + at.z * plane + at.y * memory.pitch + at.x, memory.pitch, plane};
}

std::size_t unit_of_box(const cudaMemcpy3DParms& box) {
  std::size_t unit = 0;
  for (const cudaArray* const array : {box.srcArray, box.dstArray}) {
    if (array == nullptr) continue;
    const std::size_t element = array_of(array).format.bytes();
    if (unit != 0 && unit != element) {
      explain_failure(fmt::format("One array has elements of {} bytes, the other of {} bytes", unit, element));
      throw Failure{cudaErrorInvalidValue};
    }
    unit = element;
  }
  return unit == 0 ? 1 : unit;
}

}  // namespace d2l::emulator
