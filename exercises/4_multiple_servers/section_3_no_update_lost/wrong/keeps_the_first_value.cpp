// SPDX-License-Identifier: MIT
// Tries again with the value that it got first.
// Fails: value: calls of the store
// Fails: gradient: calls of the store
// Fails: tries: calls of the store
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
  const Entry entry = store.get(key);
  bool done = false;
  while (!done) done = store.put_if(key, entry.value + gradient, entry.version);
}

void push_all(Store& store, const std::map<std::string, Tensor>& gradients) {
  auto left = gradients;
  while (!left.empty()) std::erase_if(left, [&](const auto& one) { return try_push(store, one.first, one.second); });
}
