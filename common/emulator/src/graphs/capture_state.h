// SPDX-License-Identifier: MIT
// What capture.cpp and the functions of CUDA for captures share. All of it needs graph_mutex().
#pragma once

#include <unordered_map>

#include "graphs/capture.h"

namespace d2l::emulator {

std::unordered_map<const Stream*, CapturingStream>& capturing_streams();
/// To be called after each change of them.
void count_captures();
/// Tells threads apart.
const void* thread_identity();
/// What calls that are not safe depend on, for this thread; returns the value before.
cudaStreamCaptureMode exchange_interaction(cudaStreamCaptureMode mode);

}  // namespace d2l::emulator
