// SPDX-License-Identifier: MIT
// The syntax of the Python subset: expressions, assignments, and the blocks of with, try, for and if.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "python_subset/value.h"

namespace python_subset {

enum class NodeKind {
  constant,       ///< value
  name,           ///< text
  list,           ///< children
  tuple,          ///< children
  call,           ///< children[0] called with the rest; names[i] is the keyword of argument i, or empty
  attribute,      ///< children[0] . text
  subscript,      ///< children[0] [ children[1] ]
  slice,          ///< children: start, stop, step; each may be null
  unary,          ///< text is the operator
  binary,         ///< text is the operator
  comparison,     ///< a chain: names are the operators between the children
  logical,        ///< "and", "or"
  conditional,    ///< children: value, condition, other value
  dictionary,     ///< children: key, value, key, value…; a null key stands before `**value`
  comprehension,  ///< text is the bracket; children: item, target, iterable, condition or null, and a dict's value
  unpacked,       ///< `*` children[0]; only in a call or a list
  assignment,     ///< children[0] = children[2] = … = children[1]; text is the operator of an augmented one
  deletion,       ///< children[0] is what goes
  assertion,      ///< children[0] is what must hold
  block,          ///< children are statements
  with,           ///< children: context, block
  attempt,        ///< try: children: block, except block
  loop,           ///< for: children: target, iterable, block
  branch          ///< if: children: condition, block, else block or null
};

struct Node {
  NodeKind kind;
  std::string text;
  Value value;
  std::vector<std::shared_ptr<Node>> children;
  std::vector<std::string> names;  ///< of a call; "**" for a dictionary of keywords
};
using NodePointer = std::shared_ptr<Node>;

/// The statements of a program; Unsupported names the syntax that the subset does not have.
std::vector<NodePointer> parse(const std::string& code);

}  // namespace python_subset
