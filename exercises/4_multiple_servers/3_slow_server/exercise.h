// SPDX-License-Identifier: MIT
// # The slow server
//
// With an all-reduce in each step, all servers take the same time for a step: the fast
// ones wait for the slow one. So the time of a step does not say which one is slow. The
// time of its computation does, without the waiting, and each rank knows only its own.
//
// Every rank calls the function `straggler` with the seconds that its computation took
// in each of the last steps, one or more. What must hold:
//
// - The time of a rank is the median of its steps: one slow step, in which it wrote a
//   checkpoint, does not make it a straggler. (With an even number of steps, take the
//   larger of the two in the middle.)
// - A rank is slow if its time is more than 1.5 times the median of the times of all
//   ranks. (With an even number of ranks, take the *smaller* of the two in the middle,
//   so that of two ranks the slow one can be found.)
// - The result is the slowest rank if it is slow, the lowest of them if several are
//   equally slow, and -1 if none is.
// - All ranks get the same result. A rank sends at most 8 bytes to every other rank.
//
// Training may continue without the late gradients: those of the ranks that are in time
// are averaged. Every rank calls `mean_of_punctual` with its gradient, float32, and
// whether it is in time. What must hold:
//
// - All ranks get the mean of the gradients of the ranks that are in time. If none is,
//   it is zero.
// - The gradient of a late rank may have any numbers, also NaN and infinity: it is not
//   complete.
// - The given gradient does not change.
// - Use one collective: with n numbers, a rank sends no more bytes and no more messages
//   than in one all-reduce of n + 1 numbers.
//
// The check runs 1 to 5 ranks as threads, with 1 to 1000 steps, and gradients of up to
// 67,200 numbers in one or two dimensions.
#pragma once

#include <vector>

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// The rank that slows the others down, or -1.
int straggler(const std::vector<double>& seconds);
/// The mean of the gradients of the ranks that are in time.
d2l::Tensor mean_of_punctual(const d2l::Tensor& gradient, bool in_time);
