// SPDX-License-Identifier: MIT
/// @file
/// One request of a warp to memory, as the emulator keeps it for a source line, and a picture of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace d2l {

/// Which lane of a warp accesses which bytes of an array. It is the most expensive request of its line; of equal
/// ones, the first of the first block and warp.
struct WarpRequest {
  std::string file;                        ///< the source file, without its folder
  int line = 0;                            ///< the line in it
  bool shared = false;                     ///< of shared memory
  bool store = false;                      ///< false: a load
  std::string array;                       ///< a parameter, a variable or, if several names fit, an allocation
  std::size_t element = 0;                 ///< bytes of an element of the array
  std::array<std::size_t, 3> lengths{};    ///< the second and further lengths of the array; 0: it has no more
  std::uint32_t begin = 0;                 ///< the address of the array's begin, modulo 32; 0 in shared memory
  std::uint32_t bytes = 0;                 ///< that each lane accesses
  unsigned warp_size = 32;                 ///< the lanes of the warp: 32 or 64
  std::uint64_t lanes = 0;                 ///< those that take part, as bits
  std::array<std::int64_t, 64> offsets{};  ///< by lane, in bytes from the array's begin
  unsigned cost = 0;                       ///< the sectors that it touches, or its passes
  std::array<unsigned, 3> block{};         ///< the block of the warp
  unsigned warp = 0;                       ///< the number of the warp in the block
};

/// "in[3]", "tile[1][4]" or, without a name, "element 3 of allocation #1": the element that a lane accesses.
std::string element_of(const WarpRequest& request, unsigned lane);
/// The request as an SVG picture: the lanes over the sectors of 32 bytes that they touch, or over the 32 banks of
/// shared memory, where words that wait for others have another colour. The picture needs no style sheet, and is
/// readable on light and dark pages.
std::string request_svg(const WarpRequest& request);
/// The same in words.
std::string request_description(const WarpRequest& request);

namespace detail {
/// While it is in scope, launches of kernels keep a request for each line.
class KeptRequests {
 public:
  KeptRequests();
  ~KeptRequests();
  KeptRequests(const KeptRequests&) = delete;
  KeptRequests& operator=(const KeptRequests&) = delete;
  /// True if an object is in scope in this process.
  static bool wanted() noexcept;
};
}  // namespace detail

}  // namespace d2l
