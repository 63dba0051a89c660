// SPDX-License-Identifier: MIT
// # Choose buckets
//
// Section 3.6 collects gradients in buckets. Decide which gradients go into which
// bucket, and when each bucket can be sent.
//
// Given: the bytes of each parameter, in the order of the network from the input to the
// output, and the largest number of bytes of a bucket. What must hold for
// `make_buckets`:
//
// - Every parameter is in exactly one bucket, by its place in the list.
// - The buckets, and the parameters in each, are in the order in which `backward()`
//   reaches them: the last one first.
// - A bucket has at most `cap` bytes, unless it has only one parameter.
// - In this order, a parameter goes into the bucket of the previous one if it fits. So
//   there are no more buckets than necessary.
//
// The links can begin to send a bucket when all of its gradients are ready, and they
// send one bucket after another. `ready[i]` is the time, in microseconds, at which the
// gradient of parameter i is ready. A bucket takes `latency` microseconds, plus its
// bytes divided by `rate`, in bytes per microsecond. What must hold for `finished`:
//
// - It is the time at which the last bucket has been sent, in microseconds, for any
//   buckets and any times.
//
// The check draws networks of 0 to 30 parameters and one of 3000, with up to 3.4 · 10¹⁰
// bytes for a parameter, some of them larger than a bucket. It computes the buckets and
// the time itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// The parameters of a bucket, by their places in the list.
using Bucket = std::vector<std::size_t>;

/// The buckets in the order in which they are sent.
std::vector<Bucket> make_buckets(const std::vector<std::int64_t>& bytes,
                                 std::int64_t cap);
/// The microseconds until all buckets have been sent; 0 without buckets.
double finished(const std::vector<Bucket>& buckets,
                const std::vector<std::int64_t>& bytes,
                const std::vector<double>& ready, double latency, double rate);
