// SPDX-License-Identifier: MIT
// For tests: tensors of every dtype and their bytes.
#pragma once

#include <string>

#include "library.h"
#include "temporary_folder.h"

namespace d2l::testing {

using tests::contents;
using tests::TemporaryFolder;
using tests::write_contents;

/// The bytes of a tensor in row-major order.
inline std::string bytes_of(const Tensor& tensor) {
  const Tensor host = tensor.cpu().contiguous();
  if (host.numel() == 0) return {};
  return {static_cast<const char*>(host.data_ptr()), static_cast<std::size_t>(host.nbytes())};
}

/// What differs between the tensors; empty if they are the same, bit for bit.
inline std::string difference(const StateDict& found, const StateDict& expected) {
  if (found.size() != expected.size()) return "there are " + std::to_string(found.size()) + " tensors";
  for (const auto& item : expected) {
    const Tensor& tensor = found[item.key()];
    if (tensor.dtype() != item.value().dtype()) return "the dtype of " + item.key();
    if (!(tensor.sizes() == item.value().sizes())) return "the shape of " + item.key();
    if (bytes_of(tensor) != bytes_of(item.value())) return "the bytes of " + item.key();
  }
  return {};
}

/// A CPU tensor whose byte j is (seed + 89 j) mod 256, or of bool mod 2: among its floats are all kinds of NaN.
inline Tensor patterned(IntArrayRef sizes, ScalarType dtype, int seed) {
  Tensor tensor = empty(sizes, dtype);
  if (tensor.numel() == 0) return tensor;
  auto* bytes = static_cast<unsigned char*>(tensor.data_ptr());
  for (std::int64_t j = 0; j < tensor.nbytes(); ++j) {
    const auto value = static_cast<unsigned char>(seed + 89 * j);
    bytes[j] = dtype == kBool ? static_cast<unsigned char>(value % 2) : value;
  }
  return tensor;
}

/// Every dtype, with two dimensions, with none, and empty.
inline StateDict one_of_each() {
  StateDict tensors;
  int seed = 1;
  for (const auto dtype : {kBool, kByte, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble}) {
    const std::string name = toString(dtype);
    tensors.insert(name + ".matrix", patterned({3, 5}, dtype, seed++));
    tensors.insert(name + ".number", patterned({}, dtype, seed++));
    tensors.insert(name + ".empty", patterned({0, 4}, dtype, seed++));
  }
  return tensors;
}

/// Tensors whose names are hard to encode in JSON.
inline StateDict named() {
  StateDict tensors;
  int seed = 100;
  for (const std::string& name : std::initializer_list<std::string>{"",
                                                                    " ",
                                                                    "a.weight",
                                                                    "\"quoted\\\"",
                                                                    "\n\t\r\b\f\x01\x1f\x7f",
                                                                    {"zero\0byte", 9},
                                                                    "é",
                                                                    "e\xCC\x81",
                                                                    "日本語",
                                                                    "😀👩‍👩‍👧",
                                                                    "\xEF\xBF\xBF\xF4\x8F\xBF\xBF",
                                                                    "\xE2\x80\xAEright"}) {
    tensors.insert(name, patterned({2}, kFloat, seed++));
  }
  return tensors;
}

}  // namespace d2l::testing
