// SPDX-License-Identifier: MIT
// Reading the reference cases, and the count of those that ran and those that were passed over.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "d2l/d2l.h"
#include "nlohmann/json.hpp"

namespace golden {

using Json = nlohmann::json;

/// A file of cases, from the folder D2L_GOLDEN_DIR of the environment or else from that of the sources.
Json read(const std::string& file);

/// "float32" and its kind; nothing for a dtype that this library does not have.
std::optional<d2l::ScalarType> dtype_named(const std::string& name);
std::string name_of(d2l::ScalarType dtype);
/// A list of integers and of floats in hexadecimal, as a one-dimensional tensor of exactly these values.
d2l::Tensor values(const Json& list, d2l::ScalarType dtype, const d2l::Device& device);
/// values() under a shape.
d2l::Tensor tensor(const Json& list, const Json& shape, d2l::ScalarType dtype, const d2l::Device& device);
/// The elements of `x`, converted to double, are exactly those of the list; nan equals nan, −0 is not 0.
bool same_values(const d2l::Tensor& x, const Json& list);

/// The CPU and the first GPU where there is one.
std::vector<d2l::Device> devices();

/// PyTorch's sentence as our text must hold it: its first line, or all of a list of problems, without the names of
/// arguments.
std::string sentence(const std::string& error);
/// Whether our text holds PyTorch's sentence; what Python says of a function's object in it may be anything.
bool holds(const std::string& text, const std::string& sentence);
/// A case for PyTorch's second device, meta, as one for the device named `second`, "cuda:0"; the first, cpu, is
/// `first`.
std::string on_devices(std::string text, const std::string& first, const std::string& second);
/// PyTorch's names of types of tensors, as they are on a device: torch.cuda.FloatTensor.
std::string with_types_of(const d2l::Device& device, const std::string& text);
/// Whether PyTorch printed a tensor without numbers.
bool has_no_numbers(const std::string& expected);
/// The text of a tensor as PyTorch prints one without numbers: "tensor(..., device='cuda:0', size=(2, 3))".
std::string text_without_numbers(const d2l::Tensor& x);
/// A printed text without its device and its layout, for comparing what was computed on different devices.
std::string without_device(const std::string& text);
/// Whether all elements of `x` are within 1e-5 relative and 1e-6 absolute of the list, which has `x`'s shape.
bool close_values(const d2l::Tensor& x, const Json& expected, double rtol = 1e-5, double atol = 1e-6);
/// Replaces every `from` in `text`.
std::string replace_all(std::string text, const std::string& from, const std::string& to);

/// How many cases ran, and how many were passed over because of which operation.
class Tally {
 public:
  void ran() { ++ran_; }
  void passed_over(const std::string& name) { ++passed_over_[name]; }
  [[nodiscard]] int count() const { return ran_; }
  /// Prints both counts.
  void report(const std::string& title) const;

 private:
  int ran_ = 0;
  std::map<std::string, int> passed_over_;
};

}  // namespace golden
