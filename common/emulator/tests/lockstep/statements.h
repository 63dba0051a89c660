// SPDX-License-Identifier: MIT
// The statements of a program: each prints itself as C++ and executes itself on a Machine.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expressions.h"

namespace lockstep {

struct Statement {
  Statement() = default;
  virtual ~Statement() = default;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  virtual void print(Text& text) = 0;
  /// Returns the lanes that go on behind the statement.
  virtual Mask execute(Machine& machine, Mask mask) const = 0;
};
using StatementPointer = std::unique_ptr<Statement>;
using Statements = std::vector<StatementPointer>;

inline Mask execute_all(const Statements& statements, Machine& machine, Mask mask) {
  for (const auto& each : statements) mask = mask == 0 ? 0 : each->execute(machine, mask);
  return mask;
}
inline void print_all(const Statements& statements, Text& text) {
  for (const auto& each : statements) each->print(text);
}

/// Adds to a variable, so that no load is in vain.
struct Assign final : Statement {
  Assign(int to, ExpressionPointer what) : variable(to), expression(std::move(what)) {}
  void print(Text& text) override {
    text << variable_name(variable) << " = (" << variable_name(variable) << " * 3 + ";
    expression->print(text);
    text << ") & 4095;\n";
  }
  Mask execute(Machine& machine, Mask mask) const override {
    const Values values = expression->value(machine, mask);
    Values& to = machine.frame()[static_cast<unsigned>(variable)];
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (Machine::has(mask, lane)) to[lane] = (to[lane] * 3 + values[lane]) & 4095;
    }
    return mask;
  }
  int variable;
  ExpressionPointer expression;
};

/// The compiler must not remove it because another one overwrites the element.
struct Store final : Statement {
  Store(Memory to, ExpressionPointer at, int own, ExpressionPointer number)
      : memory(to), index(std::move(at)), offset(own), what(std::move(number)) {}
  void print(Text& text) override {
    text << "{ const int what = ";
    what->print(text);
    text << ";\nconst int at = ";
    index->print(text);
    text << ";\n";
    line = text.line();
    text << name_of(memory) << "[(at + " << offset << ") & " << elements_of(memory) - 1
         << "] = what;\nasm volatile(\"\" ::: \"memory\"); }\n";
  }
  Mask execute(Machine& machine, Mask mask) const override {
    what->value(machine, mask);
    Values indices = index->value(machine, mask);
    for (int& each : indices) each = (each + offset) & (elements_of(memory) - 1);
    machine.access(line, memory, mask, indices);
    return mask;
  }
  Memory memory;
  ExpressionPointer index;
  int offset;
  ExpressionPointer what;
  int line = 0;
};

struct Return final : Statement {
  explicit Return(ExpressionPointer number) : what(std::move(number)) {}
  void print(Text& text) override {
    text << "return ";
    what->print(text);
    text << ";\n";
  }
  Mask execute(Machine& machine, Mask mask) const override {
    const Values values = what->value(machine, mask);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (Machine::has(mask, lane)) machine.result[lane] = values[lane];
    }
    machine.returned |= mask;
    return 0;
  }
  ExpressionPointer what;
};

/// __syncwarp(), where all lanes come.
struct Synchronise final : Statement {
  void print(Text& text) override { text << "__syncwarp();\n"; }
  Mask execute(Machine&, Mask mask) const override { return mask; }
};

}  // namespace lockstep
