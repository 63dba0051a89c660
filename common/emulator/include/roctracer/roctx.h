// SPDX-License-Identifier: MIT
// In place of ROCm's header: marks for profilers, which do nothing here.
#pragma once

#include <cstdint>

// NOLINTBEGIN: the names are ROCTX's.
using roctx_range_id_t = std::uint64_t;
inline void roctxMarkA(const char*) {}
inline void roctxMark(const char*) {}
inline int roctxRangePushA(const char*) { return 0; }
inline int roctxRangePush(const char*) { return 0; }
inline int roctxRangePop() { return 0; }
inline roctx_range_id_t roctxRangeStartA(const char*) { return 0; }
inline roctx_range_id_t roctxRangeStart(const char*) { return 0; }
inline void roctxRangeStop(roctx_range_id_t) {}
// NOLINTEND
