// SPDX-License-Identifier: MIT
// Work of libraries that the checks see: it names the memory that it reads and writes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "calls/call_site.h"
#include "d2l_emulator/runtime_types.h"
#include "runtime/memory.h"

namespace d2l::emulator {

/// Bytes from the beginning of some memory.
struct ByteRange {
  std::size_t offset;
  std::size_t bytes;
};
/// `somewhere`: the work finds out which parts it uses, as those at indices that it reads.
enum class LibraryUse { read, write, both, somewhere };
/// Memory of the device that a function of a library uses.
struct LibraryMemory {
  const void* begin;
  std::vector<ByteRange> ranges;
  LibraryUse use;
};

/// `count` elements, one after another.
template <class T>
LibraryMemory elements_of(const T* begin, std::size_t count, LibraryUse use) {
  return {begin, {{0, count * sizeof(T)}}, use};
}
/// The columns of a matrix whose columns are `leading` elements apart.
template <class T>
LibraryMemory columns_of(const T* begin, std::size_t rows, std::size_t columns, std::size_t leading, LibraryUse use) {
  if (rows == leading) return elements_of(begin, rows * columns, use);
  LibraryMemory memory{begin, {}, use};
  for (std::size_t column = 0; column < columns; ++column) {
    memory.ranges.push_back({column * leading * sizeof(T), rows * sizeof(T)});
  }
  return memory;
}

/// The contents of device memory.
template <class T>
T* at(T* address) {
  return static_cast<T*>(contents_of(address));
}

/// Work throws it: an error of the device. The report is "KIND at x.cu:12: FUNCTION TEXT".
struct LibraryFault {
  std::string text;
  const char* kind = "out of bounds";
  cudaError_t error = cudaErrorIllegalAddress;
};
/// Returns the parts that it has used of memory that it uses somewhere.
using LibraryWork = std::function<std::vector<LibraryMemory>()>;

/// Adds work of the running call, or of one at another place, to a stream. Memory that a kernel of the stream's device
/// could not use is an error of the device, as with a kernel; with --check so is a read of bytes that were never
/// written. An error, if the stream takes no work.
cudaError_t push_library_work(cudaStream_t stream, std::vector<LibraryMemory> memory, std::function<void()> work);
cudaError_t push_library_work(cudaStream_t stream, std::vector<LibraryMemory> memory, LibraryWork work,
                              const CallSite& site = current_call());
/// The host waits for the stream.
cudaError_t wait_for_library_work(cudaStream_t stream);

}  // namespace d2l::emulator
