// SPDX-License-Identifier: MIT
// Ranges by NVTX, a library of headers, which loads Nsight's own library if the program runs under Nsight.
#include "backend/tool_ranges.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#else  // with the emulator's headers, for which Nsight shows nothing
namespace {
void nvtxRangePushA(const char* /*name*/) {}
void nvtxRangePop() {}
}  // namespace
#endif

namespace d2l::backend {

void push_tool_range(const char* name) noexcept { nvtxRangePushA(name); }
void pop_tool_range() noexcept { nvtxRangePop(); }

}  // namespace d2l::backend
