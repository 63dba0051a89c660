// SPDX-License-Identifier: MIT
// LaunchPoint: where in its parent a kernel was launched, so that the accesses of both can be compared.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "d2l_emulator/vector_types.h"
#include "execution/lanes.h"

namespace d2l::emulator {

/// When accesses happened: the numbers of epochs in the shadow memory count these.
struct Epoch {
  std::uint64_t block;
  std::uint32_t phase;
  std::uint32_t time;
  std::uint32_t grid_phase;
};

struct LaunchPoint;

/// A grid that launched others and has ended.
struct ParentRun {
  const void* checker = nullptr;  ///< whose shadow memory has its accesses
  std::string kernel;
  dim3 grid;
  dim3 block;
  std::uint32_t first_epoch = 0;
  std::vector<Epoch> epochs;  ///< empty until it has ended
  std::uint32_t last_fence = 0;
  std::shared_ptr<const LaunchPoint> point;  ///< where it was launched; null: by the host
};

struct LaunchPoint {
  std::shared_ptr<ParentRun> parent;
  std::uint64_t block = 0;
  unsigned thread = 0;
  std::uint32_t epoch = 0;
  std::uint32_t phase = 0;
  std::uint32_t grid_phase = 0;
  std::uint32_t acquired = 0;                                    ///< what other threads did before this time is known
  std::optional<std::array<std::uint32_t, max_lanes>> meetings;  ///< that the thread knows of its warp
};

}  // namespace d2l::emulator
