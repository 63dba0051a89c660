// SPDX-License-Identifier: MIT
#include "exercise.h"

// TODO: four functions.

std::int64_t network_split(const Network& network,
                           const std::vector<std::size_t>& cuts) {
  return static_cast<std::int64_t>(network.widths.size() + cuts.size());
}

std::int64_t layer_split(const Network& network, std::int64_t k) {
  return network.rows * k;
}

std::int64_t data_split(const Network& network, std::int64_t k) {
  return network.rows * k;
}

std::string best(const Network& network, const std::vector<std::size_t>& cuts,
                 std::int64_t memory) {
  static_cast<void>(network);
  static_cast<void>(cuts);
  static_cast<void>(memory);
  return "";
}
