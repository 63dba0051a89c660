// SPDX-License-Identifier: MIT
// Only takes the new version, and writes the first sum with it.
// Fails: value: off by
// May fail: tries
// May fail: keys
// May fail: turns
#include "exercise.h"

using namespace d2l;

namespace {

bool try_push(Store& store, const std::string& key, const Tensor& gradient) {
  const Entry entry = store.get(key);
  return store.put_if(key, entry.value + gradient, entry.version);
}

}  // namespace

void push(Store& store, const std::string& key, const Tensor& gradient) {
  const Tensor sum = store.get(key).value + gradient;
  bool done = false;
  while (!done) done = store.put_if(key, sum, store.get(key).version);
}

void push_all(Store& store, const std::map<std::string, Tensor>& gradients) {
  auto left = gradients;
  while (!left.empty()) std::erase_if(left, [&](const auto& one) { return try_push(store, one.first, one.second); });
}
