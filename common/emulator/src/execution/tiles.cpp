// SPDX-License-Identifier: MIT
#include "execution/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "checks/checker.h"
#include "checks/reports.h"
#include "cooperative_groups/large_tiles.h"
#include "execution/current.h"
#include "execution/worker.h"

namespace d2l::emulator {
namespace {

/// The tile of the running thread, by its number in the block and its number of threads.
struct Tile {
  TileState& state;
  unsigned first;    ///< of its threads
  unsigned threads;  ///< fewer than its size at the end of the block

  static Tile of_running(Worker& worker, unsigned size) {
    const OwnCode own;
    Block& block = *worker.block;
    if (block.tiles == nullptr) block.tiles = std::make_unique<TileStates>();
    const unsigned number = worker.thread->number / size;
    const unsigned first = number * size;
    return {(*block.tiles)[max_threads / size - 1 + number], first, std::min(size, worker.block_threads - first)};
  }
  /// A thread that has ended, so that it never comes; null if there is none.
  [[nodiscard]] const Thread* gone(const Block& block) const {
    if (block.ended == 0) return nullptr;
    const auto begin = block.threads.begin() + first;
    const auto found = std::find_if(begin, begin + threads, [](const Thread& one) { return one.ended; });
    return found == begin + threads ? nullptr : &*found;
  }
};

void complete(Worker& worker, TileState& state) {
  state.arrived = 0;
  state.sums[(state.phase + 1) % 2] = 0;
  ++state.phase;
  if (worker.checker == nullptr) return;
  // All that the threads did before is ordered before what they do next.
  const OwnCode own;
  worker.checker->fence();
  worker.checker->synchronise(&state);
}

/// A thread of the tile has ended. After a report the others go on without it.
void go_on_without(Worker& worker, const Tile& tile, const Thread& gone, unsigned size, Place place) {
  const Block& block = *worker.block;
  if (!block.reported) {
    current_state.own_code = true;  // no object may need its destructor: the thread is abandoned
    worker.fail(FaultKind::deadlock, fmt::format("a tile of {} threads waits at {} for {}, which has ended\n", size,
                                                 place_text(place), worker.thread_text(gone.number)));
  }
  const auto begin = block.threads.begin() + tile.first;
  const auto ended = std::count_if(begin, begin + tile.threads, [](const Thread& one) { return one.ended; });
  if (tile.state.arrived + static_cast<unsigned>(ended) >= tile.threads) complete(worker, tile.state);
}

}  // namespace

TileMeeting meet_in_tile(unsigned size, unsigned add, bool brings, std::uint64_t bits, Place place) {
  Worker* const worker = running_worker();
  if (worker == nullptr) return {add, bits};
  worker->thread->place = place;
  const Tile tile = Tile::of_running(*worker, size);
  TileState& state = tile.state;
  const unsigned phase = state.phase;
  state.sums[phase % 2] += add;
  if (brings) state.bits[phase % 2] = bits;
  if (++state.arrived == tile.threads) complete(*worker, state);
  while (state.phase == phase) {
    const Thread* const gone = tile.gone(*worker->block);
    if (gone != nullptr) go_on_without(*worker, tile, *gone, size, place);
    if (state.phase == phase) worker->yield();
  }
  if (worker->checker != nullptr) {
    const OwnCode own;
    worker->checker->synchronise(&state);
  }
  return {state.sums[phase % 2], state.bits[phase % 2]};
}

}  // namespace d2l::emulator
