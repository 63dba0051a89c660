// SPDX-License-Identifier: MIT
// Runs the Python of the reference cases on this library: calls of torch, methods, operators, indexing, statements.
#pragma once

#include <string>

#include "python_subset/value.h"

namespace python_subset {

/// The value of the last line of `code`; tensors are created on `device` unless the code names another.
/// Unsupported if the code uses something that this library does not have; else the library's own errors.
/// `names` are defined when the code begins.
Value evaluate(const std::string& code, const d2l::Device& device, std::map<std::string, Value> names = {});

// Operators: operators.cpp.
/// `a symbol b`, as Python's operators do it on numbers, tensors and lists.
Value apply_binary(const std::string& symbol, const Value& a, const Value& b);
/// A comparison by a symbol, also `is`, `is not`, `in` and `not in`.
Value apply_comparison(const std::string& symbol, const Value& a, const Value& b);
/// `a symbol= b`.
void apply_in_place(const std::string& symbol, const d2l::Tensor& a, const Value& b);

// Values of every type: objects.cpp.
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
/// Calls a function, such as "torch.ones", or a method, such as "Tensor.add", whose first argument is its object.
Value call(const std::string& name, Arguments& arguments);

// Tensors: tensors.cpp, indexing.cpp.
/// An attribute of a tensor that is not a method.
Value tensor_attribute(const d2l::Tensor& self, const std::string& name);
/// The part of a tensor that an index selects: a view.
d2l::Tensor index_tensor(const d2l::Tensor& self, const Value& index);

// Modules and optimizers: modules.cpp, optimizers.cpp.
/// The modules in a Sequential.
std::vector<Value> items_of_module(const ModulePointer& module);
Value item_of_module(const ModulePointer& module, const Value& index);
Value module_attribute(const ModulePointer& module, const std::string& name);
void set_module_attribute(const ModulePointer& module, const std::string& name, const Value& value);
Value optimizer_attribute(const OptimizerPointer& optimizer, const std::string& name);

}  // namespace python_subset
