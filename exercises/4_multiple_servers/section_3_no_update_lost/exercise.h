// SPDX-License-Identifier: MIT
// # No update lost
//
// Many workers push gradients to one parameter at the same time. The parameter is in a
// store on another computer, which can only give a value and take a value. Between the
// two, another worker may have changed it. Then the usual way to push (get the value,
// add the gradient, put the sum) overwrites the change of the other, and its update is
// lost. Nothing fails; the training only gets worse.
//
// The store has a version with each value. `put_if` writes a new value only if the
// version is still the one that you name, and says whether it did. What must hold for
// `push`:
//
// - Afterwards the value in the store has grown by the gradient, exactly once, and no
//   change of another worker is lost.
// - It calls `put_if` once more for each time that another worker was faster, and not
//   more often. `get` likewise.
// - The gradient does not change.
//
// What must hold for `push_all`:
//
// - The same for each key. A key that is busy does not delay the others: each key has
//   been tried once before any is tried for the second time.
//
// The check uses a store that lets other workers change the value at chosen moments, up
// to five times in a row, with versions beyond 32 bits, none to seven keys, and values
// of 2 to 67,000 numbers, float32 or float64.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "d2l/d2l.h"

/// A value with its version.
struct Entry {
  d2l::Tensor value;
  std::int64_t version = 0;
};

/// A key-value store on another computer.
class Store {
 public:
  virtual ~Store() = default;
  /// A copy of the value, and its version.
  virtual Entry get(const std::string& key) = 0;
  /// Writes the value if its version in the store is `version`; the version grows by
  /// one then. Returns whether it did.
  virtual bool put_if(const std::string& key, const d2l::Tensor& value,
                      std::int64_t version) = 0;
};

/// Adds a gradient to the value of a key.
void push(Store& store, const std::string& key, const d2l::Tensor& gradient);
/// Adds gradients to the values of several keys.
void push_all(Store& store, const std::map<std::string, d2l::Tensor>& gradients);
