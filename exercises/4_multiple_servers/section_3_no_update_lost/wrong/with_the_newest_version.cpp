// SPDX-License-Identifier: MIT
// Asks for the version again just before the write, so that it always fits: the value is the old one.
// Fails: value: .
// Fails: keys: .
// May fail: tries
// May fail: turns
#include "exercise.h"

using namespace d2l;

namespace {

bool try_push(Store& store, const std::string& key, const Tensor& gradient) {
  const Entry entry = store.get(key);
  return store.put_if(key, entry.value + gradient, store.get(key).version);
}

}  // namespace

void push(Store& store, const std::string& key, const Tensor& gradient) {
  bool done = false;
  while (!done) done = try_push(store, key, gradient);
}

void push_all(Store& store, const std::map<std::string, Tensor>& gradients) {
  auto left = gradients;
  while (!left.empty()) std::erase_if(left, [&](const auto& one) { return try_push(store, one.first, one.second); });
}
