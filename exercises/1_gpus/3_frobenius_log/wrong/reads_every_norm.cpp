// SPDX-License-Identifier: MIT
// Reads every norm in both functions.
// Fails: at_end: 1000 copies from device to host
// Fails: waits: 1000 waits for the device
// Needs: 1
#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) { return log_each(left, right); }
