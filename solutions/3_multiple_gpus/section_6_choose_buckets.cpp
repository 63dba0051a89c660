// SPDX-License-Identifier: MIT
// From the last parameter to the first, each joins the bucket that was begun last, if
// it fits. That gives the fewest buckets for this order: a bucket that ended earlier
// could only make later ones larger. Two things must have happened before a bucket can
// be sent: its gradients are there, and the link is free.
#include <algorithm>

#include "exercise.h"

std::vector<Bucket> make_buckets(const std::vector<std::int64_t>& bytes,
                                 std::int64_t cap) {
  std::vector<Bucket> buckets;
  std::int64_t filled = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    if (buckets.empty() || filled + bytes[i] > cap) {
      buckets.emplace_back();
      filled = 0;
    }
    buckets.back().push_back(i);
    filled += bytes[i];
  }
  return buckets;
}

double finished(const std::vector<Bucket>& buckets,
                const std::vector<std::int64_t>& bytes,
                const std::vector<double>& ready, double latency, double rate) {
  double free = 0;  // when the link is free
  for (const Bucket& bucket : buckets) {
    double begins = free;
    std::int64_t size = 0;
    for (const std::size_t i : bucket) {
      begins = std::max(begins, ready[i]);
      size += bytes[i];
    }
    free = begins + latency + static_cast<double>(size) / rate;
  }
  return free;
}
