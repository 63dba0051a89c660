// SPDX-License-Identifier: MIT
#include "shared_variables.h"

#include <algorithm>

namespace d2l::emulator::translator {
namespace {

struct Variable {
  std::string name;
  std::string type;  // with the brackets of an array
};

struct Declaration {
  std::string types;  // definitions of structures that the declaration contains
  std::vector<Variable> variables;
};

/// The ',' or ';' after the declarator that begins at `i`.
int declarator_end(const Syntax& syntax, int i, int end) {
  for (; i < end && !syntax.is(i, ","); ++i) {
    if (syntax.is(i, "[") || syntax.is(i, "(") || syntax.is(i, "{")) i = std::max(i, syntax.partner(i));
  }
  return i;
}

Declaration read_declaration(const Syntax& syntax, int begin, int end) {
  Declaration read;
  std::string type;
  int first = -1;  // of the declarators
  for (int i = begin; i < end; ++i) {
    if (syntax.is(i, "__shared__") || syntax.is(i, "static")) continue;
    if (const int attribute = syntax.attribute_end(i); attribute > 0) {
      i = attribute;
      continue;
    }
    if (syntax.is(i, "{") && syntax.partner(i) > i && syntax.partner(i) < end) {
      const int close = syntax.partner(i);
      if (type == "struct" || type == "union") type += " d2l_type_of_" + std::string(syntax.text(close + 1));
      read.types = type + " " + syntax.joined(i, close + 1) + "; ";
      i = close;
      continue;
    }
    const bool declarator = !type.empty() && (syntax.is(i, "*") || syntax.is(i, "&") || syntax.is(i, "("));
    const bool name = syntax.is_identifier(i) && (syntax.is(i + 1, "[") || syntax.is(i + 1, ",") || i + 1 == end);
    if (declarator || name) {
      first = i;
      break;
    }
    const int last = syntax.is(i, "<") ? std::max(i, syntax.angle_end(i)) : i;
    type += (type.empty() || syntax.is(i, "<") ? "" : " ") + syntax.joined(i, last + 1);
    i = last;
  }
  if (first < 0 || type.empty()) return {};
  for (int from = first; from < end;) {
    const int to = declarator_end(syntax, from, end);
    int name = from;
    while (name < to && !syntax.is_identifier(name)) ++name;
    read.variables.push_back(
        {std::string(syntax.text(name)), type + syntax.joined(from, name) + syntax.joined(name + 1, to)});
    from = to + 1;
  }
  return read;
}

std::string object_of(const Variable& variable) {
  return "static thread_local ::d2l::emulator::SharedVariable<" + variable.type + "> d2l_shared_" + variable.name + ";";
}

/// Registers the variable with the running block.
std::string of_block(const Variable& variable) {
  return "d2l_shared_" + variable.name + ".of_block(\"" + variable.name + "\", __LINE__)";
}

}  // namespace

std::string shared_variables_of_function(const Syntax& syntax, int begin, int end) {
  const Declaration read = read_declaration(syntax, begin, end);
  std::string text = read.types;
  for (const Variable& one : read.variables) {
    if (&one != &read.variables.front()) text += ' ';
    text += object_of(one) + " auto& " + one.name + " = " + of_block(one) + ";";
  }
  return text;
}

std::string SharedVariables::declare(int begin, int end) {
  const Declaration read = read_declaration(syntax_, begin, end);
  std::string text = read.types;
  for (const Variable& one : read.variables) {
    names_.push_back(one.name);
    text += object_of(one) + " [[maybe_unused]] static auto& d2l_shared_of_block_" + one.name + "() { return " +
            of_block(one) + "; }";
  }
  return text;
}

std::pair<int, std::string> SharedVariables::used_at(int i) {
  const int body = syntax_.function_body(i);
  if (body < 0 || names_.empty() || syntax_.token(i).directive != 0) return {-1, {}};
  const std::string_view word = syntax_.text(i);
  if (std::ranges::find(names_, word) == names_.end() || is_hidden(i, body)) return {-1, {}};
  const auto reference = std::pair(body, word);
  if (std::ranges::find(referred_, reference) != referred_.end()) return {-1, {}};
  referred_.push_back(reference);
  const std::string name(word);
  return {body, " auto& " + name + " = d2l_shared_of_block_" + name + "();"};
}

/// True if the name is not that of the variable: a member, a parameter, or a variable of the function.
bool SharedVariables::is_hidden(int i, int body) const {
  for (const char* before : {".", "->", "::"}) {
    if (syntax_.is(i - 1, before)) return true;
  }
  if (!syntax_.in_device_function(i)) return true;
  const std::string_view name = syntax_.text(i);
  for (int k = syntax_.statement_begin(body); k < body; ++k) {
    if (syntax_.is(k, name)) return true;
  }
  // Blocks in the body may hide the reference, but the body itself cannot declare the name a second time.
  for (int k = body + 1; k < syntax_.partner(body); ++k) {
    if (syntax_.is(k, name) && is_declared_at(k)) return true;
    if (syntax_.is(k, "{") || syntax_.is(k, "(")) k = std::max(k, syntax_.partner(k));
  }
  return false;
}

/// True if the name comes after a type or, as the commas of arguments are in brackets, a comma: `int a, *b`, `T *a`.
bool SharedVariables::is_declared_at(int i) const {
  const bool pointer = syntax_.is(i - 1, "*") || syntax_.is(i - 1, "&");
  if (syntax_.is(pointer ? i - 2 : i - 1, ",")) return true;
  if (pointer) return syntax_.is_identifier(i - 2) && syntax_.statement_begin(i) == i - 2;
  for (const char* operation : {"return", "else", "do", "sizeof", "case", "and", "or", "not", "throw"}) {
    if (syntax_.is(i - 1, operation)) return false;
  }
  return syntax_.is_identifier(i - 1) || (syntax_.is(i - 1, ">") && syntax_.angle_begin(i - 1) > 0);
}

}  // namespace d2l::emulator::translator
