// SPDX-License-Identifier: MIT
/// @file
/// For .cu programs: what the checks of the emulator find in kernels, as text, while the device keeps working.
#pragma once

#include <functional>
#include <string>

namespace d2l {

/// Calls `work`, checks each kernel that this thread launches in it, waits until they have ended, and returns the
/// reports, each in a line; empty if nothing was found. A report is not an error of the device, which keeps working. On
/// a card `work` is not called, because a wrong access would end the use of the card: the text says "not checked" then.
/// Errors that `work` throws are passed on.
std::string check_kernels(const std::function<void()>& work);

}  // namespace d2l
