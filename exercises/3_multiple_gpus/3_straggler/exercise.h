// SPDX-License-Identifier: MIT
// # A straggler
//
// All GPUs wait for the last one in each step. If one is slower than the others,
// because it is older, hotter or shared with another program, then equal parts of the
// batch make all of them as slow as it is. Such a GPU is a straggler. It should get
// fewer rows.
//
// GPU i takes start[i] microseconds to begin a step, and row[i] microseconds for each
// row. A GPU without rows does not begin, and takes no time. The step ends when the
// last GPU has ended. What must hold for `divide`:
//
// - The result has a number of rows for each GPU, 0 or more, and their sum is `rows`.
// - No other division ends earlier. (Several may end at the same time, and any of them
//   will do.)
//
// What must hold for `step_time`:
//
// - It is the time in microseconds at which the last GPU ends, for any division; 0 if
//   there are no rows.
//
// What must hold for `weights`:
//
// - Each GPU computes the mean of the gradients over its own rows. The result has a
//   number for each GPU, so that the sum of these means, each times its number, is the
//   mean over all rows. A GPU without rows has 0.
//
// All times are whole numbers of microseconds, and the time for a row is at least 1.
// The check draws 1 to 8 GPUs, and times of up to several hours. `divide` gets 0 to 400
// rows and once up to 67,000. `step_time` and `weights` get divisions of up to 50 rows
// per GPU, and once of up to 150 billion. The check finds the earliest end in another
// way.
#pragma once

#include <cstdint>
#include <vector>

/// What a GPU takes for a step, in microseconds.
struct Speed {
  std::int64_t start;  ///< before the first row
  std::int64_t row;    ///< for each row
};

/// The rows of each GPU, so that the step ends as early as possible.
std::vector<std::int64_t> divide(std::int64_t rows, const std::vector<Speed>& gpus);
/// The microseconds of a step.
std::int64_t step_time(const std::vector<std::int64_t>& rows,
                       const std::vector<Speed>& gpus);
/// The factors of the mean gradients of the GPUs.
std::vector<double> weights(const std::vector<std::int64_t>& rows);
