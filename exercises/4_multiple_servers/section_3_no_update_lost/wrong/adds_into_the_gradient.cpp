// SPDX-License-Identifier: MIT
// Saves a tensor by adding the value to the gradient: the second try adds the value again.
// Fails: value: off by
// Fails: gradient: off by
// Fails: keys: off by
#include "exercise.h"

using namespace d2l;

namespace {

bool try_push(Store& store, const std::string& key, const Tensor& gradient) {
  const Entry entry = store.get(key);
  return store.put_if(key, Tensor(gradient).add_(entry.value), entry.version);
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
