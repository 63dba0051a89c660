// SPDX-License-Identifier: MIT
#include "counts/loop_marks.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "checks/source_lines.h"

namespace d2l::emulator {

/// As D2L_EMULATOR_MARK writes it. The number is twice that of the loop in its source file, and one more at its body.
struct LoopMark {
  std::int32_t distance;  ///< of the instruction from this word
  std::uint32_t number;
};

// The linker defines these where the section exists, so this library has a mark of no loop.
__asm__(".pushsection d2l_loops, \"a\"; .balign 4; .long 0, 0; .popsection");
extern const LoopMark first_loop_mark __asm__("__start_d2l_loops") __attribute__((visibility("hidden")));
extern const LoopMark end_of_loop_marks __asm__("__stop_d2l_loops") __attribute__((visibility("hidden")));

namespace {

std::span<const LoopMark> all_marks() {
  const LoopMark* const first = &first_loop_mark;
  const auto bytes = reinterpret_cast<std::uintptr_t>(&end_of_loop_marks) - reinterpret_cast<std::uintptr_t>(first);
  return {first, bytes / sizeof(LoopMark)};
}

std::int32_t place_of(const LoopMark& mark) {
  return compressed_place(reinterpret_cast<const char*>(&mark.distance) + mark.distance);
}

std::vector<PlaceInLoop> read_marks() {
  struct Found {
    std::int32_t place;
    std::uint32_t number;
  };
  std::vector<Found> marks;
  for (const LoopMark& mark : all_marks()) marks.push_back({place_of(mark), mark.number});
  std::ranges::stable_sort(marks, {}, &Found::place);
  // A loop of an inline function, a macro or a template has several bodies: that of a mark is the last one before it.
  std::unordered_map<std::uint32_t, std::int32_t> bodies;
  std::vector<PlaceInLoop> places;
  for (const auto& [place, number] : marks) {
    if (number % 2 == 1) {
      bodies[number / 2] = place;
    } else if (const auto body = bodies.find(number / 2); body != bodies.end()) {
      places.push_back({body->second, place});
    }
  }
  std::ranges::stable_sort(places, {}, &PlaceInLoop::body);
  return places;
}

}  // namespace

const std::vector<PlaceInLoop>& places_in_loops() {
  static const std::vector<PlaceInLoop> places = read_marks();
  return places;
}

}  // namespace d2l::emulator
