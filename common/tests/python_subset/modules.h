// SPDX-License-Identifier: MIT
// torch.nn, by its Python names.
#pragma once

#include "python_subset/value.h"

namespace python_subset {

/// A call of `torch.nn.…`: a new module or parameter, or a utility.
Value call_nn(Arguments& a, const d2l::Device& device);
/// A call of `torch.nn.functional.…`.
Value call_functional(Arguments& a);
/// The argument `reduction`, named as Python names it; ValueError of the library for another text.
std::int64_t take_reduction(Arguments& a);

/// The modules that a Sequential holds.
std::vector<Value> items_of_module(const ModulePointer& module);
Value item_of_module(const ModulePointer& module, const Value& index);
Value module_attribute(const ModulePointer& module, const std::string& name);
void set_module_attribute(const ModulePointer& module, const std::string& name, const Value& value);
Value call_module_method(const ModulePointer& module, Arguments& a);
Value clone_of_module(const ModulePointer& module);

}  // namespace python_subset
