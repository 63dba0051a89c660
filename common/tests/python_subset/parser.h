// SPDX-License-Identifier: MIT
// The syntax of the Python subset: expressions and assignments, one a line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "python_subset/value.h"

namespace python_subset {

enum class NodeKind {
  constant,     ///< value
  name,         ///< text
  list,         ///< children
  tuple,        ///< children
  call,         ///< children[0] called with the rest; names[i] is the keyword of argument i, or empty
  attribute,    ///< children[0] . text
  subscript,    ///< children[0] [ children[1] ]
  slice,        ///< children: start, stop, step; each may be null
  unary,        ///< text is the operator
  binary,       ///< text is the operator
  comparison,   ///< a chain: names are the operators between the children
  logical,      ///< "and", "or"
  conditional,  ///< children: value, condition, other value
  assignment    ///< children[0] = children[1]; text is the operator of an augmented one, or empty
};

struct Node {
  NodeKind kind;
  std::string text;
  Value value;
  std::vector<std::shared_ptr<Node>> children;
  std::vector<std::string> names;
};
using NodePointer = std::shared_ptr<Node>;

/// The statements of a program; Unsupported names the syntax that the subset does not have.
std::vector<NodePointer> parse(const std::string& code);

}  // namespace python_subset
