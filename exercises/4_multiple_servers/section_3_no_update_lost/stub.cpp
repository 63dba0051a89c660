// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

void push(Store& store, const std::string& key, const Tensor& gradient) {
  // TODO: what if another worker was faster? And whose tensor is changed here?
  const Entry entry = store.get(key);
  Tensor sum = gradient;
  sum += entry.value;
  store.put_if(key, sum, entry.version);
}

void push_all(Store& store, const std::map<std::string, Tensor>& gradients) {
  // TODO
  for (const auto& [key, gradient] : gradients) push(store, key, gradient);
}
