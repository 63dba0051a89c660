// SPDX-License-Identifier: MIT
// Runs the Python of the reference cases on this library: calls of torch, methods, operators, indexing, assignments.
#pragma once

#include <string>

#include "python_subset/value.h"

namespace python_subset {

/// The value of the last line of `code`; tensors are made on `device` where the code does not say another.
/// Unsupported when the code uses what this library does not have; else the library's own errors.
Value evaluate(const std::string& code, const d2l::Device& device);

/// `a symbol b`, as Python's operators do it on numbers and tensors.
Value apply_binary(const std::string& symbol, const Value& a, const Value& b);
/// A comparison by a symbol, also `is` and `is not`.
Value apply_comparison(const std::string& symbol, const Value& a, const Value& b);
/// `a symbol= b`.
void apply_in_place(const std::string& symbol, d2l::Tensor& a, const Value& b);

/// A call of `torch.…` or of a builtin.
Value call_function(Arguments& arguments, const d2l::Device& device);
/// A call of a method of a tensor.
Value call_method(const d2l::Tensor& self, Arguments& arguments);
/// Whether `x.name` is a method that call_method() knows.
bool is_method(const std::string& name);
/// An attribute of a tensor that is not a method.
Value attribute_of(const d2l::Tensor& self, const std::string& name);
/// The part of a tensor that an index selects: a view.
d2l::Tensor index_tensor(const d2l::Tensor& self, const Value& index);

}  // namespace python_subset
