// SPDX-License-Identifier: MIT
// Tries three times.
// Fails: value: off by
// Fails: tries: calls
#include "exercise.h"

using namespace d2l;

namespace {

bool try_push(Store& store, const std::string& key, const Tensor& gradient) {
  const Entry entry = store.get(key);
  return store.put_if(key, entry.value + gradient, entry.version);
}

}  // namespace

void push(Store& store, const std::string& key, const Tensor& gradient) {
  bool done = false;
  for (int i = 0; i < 3 && !done; ++i) done = try_push(store, key, gradient);
}

void push_all(Store& store, const std::map<std::string, Tensor>& gradients) {
  auto left = gradients;
  while (!left.empty()) std::erase_if(left, [&](const auto& one) { return try_push(store, one.first, one.second); });
}
