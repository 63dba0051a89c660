// SPDX-License-Identifier: MIT
// Splits of the network and of its layers send values and their gradients, so they grow
// with the rows and the widths. A split of the data sends the gradients of the
// parameters, whatever the rows. That is why the best way depends on both, and why a
// large batch favours splitting the data.
#include <algorithm>

#include "exercise.h"

namespace {

constexpr std::int64_t bytes_of_float = 4;
constexpr std::int64_t floats_of_a_parameter =
    4;  // itself, its gradient, and two that Adam keeps

std::int64_t parameter_bytes(const Network& network, std::size_t begin,
                             std::size_t end) {
  std::int64_t count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    count += network.widths[i] * network.widths[i + 1] + network.widths[i + 1];
  }
  return count * bytes_of_float;
}

std::size_t layers_of(const Network& network) { return network.widths.size() - 1; }

std::int64_t largest_part(const Network& network,
                          const std::vector<std::size_t>& cuts) {
  std::int64_t largest = 0;
  std::size_t begin = 0;
  for (const std::size_t cut : cuts) {
    largest = std::max(largest, parameter_bytes(network, begin, cut));
    begin = cut;
  }
  return std::max(largest, parameter_bytes(network, begin, layers_of(network)));
}

}  // namespace

std::int64_t network_split(const Network& network,
                           const std::vector<std::size_t>& cuts) {
  std::int64_t numbers = 0;
  for (const std::size_t cut : cuts) numbers += 2 * network.rows * network.widths[cut];
  return numbers * bytes_of_float;
}

std::int64_t layer_split(const Network& network, std::int64_t k) {
  std::int64_t widths = 0;
  for (std::size_t i = 0; i + 2 < network.widths.size(); i += 2) {
    widths += (i == 0 ? 1 : 2) * network.widths[i] + 2 * network.widths[i + 2];
  }
  return (k - 1) * network.rows * widths * bytes_of_float;
}

std::int64_t data_split(const Network& network, std::int64_t k) {
  return 2 * (k - 1) * parameter_bytes(network, 0, layers_of(network));
}

std::string best(const Network& network, const std::vector<std::size_t>& cuts,
                 std::int64_t memory) {
  const auto k = static_cast<std::int64_t>(cuts.size()) + 1;
  const std::int64_t all =
      floats_of_a_parameter * parameter_bytes(network, 0, layers_of(network));
  std::string name = "none";
  std::int64_t least = INT64_MAX;
  const auto consider = [&](const char* way, std::int64_t needed, std::int64_t bytes) {
    if (needed > memory || bytes > least) return;
    name = way;
    least = bytes;
  };
  consider("network", floats_of_a_parameter * largest_part(network, cuts),
           network_split(network, cuts));
  consider("layers", (all + k - 1) / k, layer_split(network, k));
  consider("data", all, data_split(network, k));
  return name;
}
