// SPDX-License-Identifier: MIT
// This is optimistic concurrency: nothing is locked, and a worker that was too late
// starts again with the new value. Each try makes a new sum, so that a failed one
// leaves nothing behind. With several keys, those that are not done wait for the next
// round, so that a busy key does not delay the others.
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
  while (!done) done = try_push(store, key, gradient);
}

void push_all(Store& store, const std::map<std::string, Tensor>& gradients) {
  auto left = gradients;
  while (!left.empty())
    std::erase_if(
        left, [&](const auto& one) { return try_push(store, one.first, one.second); });
}
