// SPDX-License-Identifier: MIT
// Ranges that the tools of a card's maker show, such as Nsight Systems: cuda and no_cuda implement them.
#pragma once

namespace d2l::backend {

/// Begins a range of this thread.
void push_tool_range(const char* name) noexcept;
/// Ends the innermost one.
void pop_tool_range() noexcept;

}  // namespace d2l::backend
