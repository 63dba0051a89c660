// SPDX-License-Identifier: MIT
// Runs the Python of the reference cases on this library: calls of torch, methods, operators, indexing, statements.
#pragma once

#include <string>

#include "python_subset/value.h"

namespace python_subset {

/// The value of the last line of `code`; tensors are made on `device` where the code does not say another.
/// Unsupported when the code uses what this library does not have; else the library's own errors.
Value evaluate(const std::string& code, const d2l::Device& device);
/// The same, with names that the code finds defined.
Value evaluate(const std::string& code, const d2l::Device& device, std::map<std::string, Value> names);

// Operators: operators.cpp.
/// `a symbol b`, as Python's operators do it on numbers, tensors and lists.
Value apply_binary(const std::string& symbol, const Value& a, const Value& b);
/// A comparison by a symbol, also `is`, `is not`, `in` and `not in`.
Value apply_comparison(const std::string& symbol, const Value& a, const Value& b);
/// `a symbol= b`.
void apply_in_place(const std::string& symbol, d2l::Tensor& a, const Value& b);

// Objects of every kind: objects.cpp.
/// `object.name`: a value, or the Callable of a method.
Value attribute(const Value& object, const std::string& name);
/// `object.name = value`.
void set_attribute(const Value& object, const std::string& name, const Value& value);
/// `object[index]`.
Value subscript(const Value& object, const Value& index);
/// `object[index] = value`.
void set_subscript(const Value& object, const Value& index, const Value& value);
/// `del object[index]`.
void delete_subscript(const Value& object, const Value& index);
/// A call of a method of any object.
Value call_method(const Value& self, Arguments& arguments);

// Functions.
/// A call of `torch.…` or of a builtin.
Value call_function(Arguments& arguments, const d2l::Device& device);
/// A call of a builtin of Python: builtins.cpp.
Value call_builtin(Arguments& arguments);

// Tensors: methods.cpp, indexing.cpp.
/// A call of a method of a tensor.
Value call_tensor_method(const d2l::Tensor& self, Arguments& arguments);
/// Whether `x.name` is a method that call_tensor_method() knows.
bool is_tensor_method(const std::string& name);
/// An attribute of a tensor that is not a method.
Value tensor_attribute(const d2l::Tensor& self, const std::string& name);
/// The part of a tensor that an index selects: a view.
d2l::Tensor index_tensor(const d2l::Tensor& self, const Value& index);

}  // namespace python_subset
