// SPDX-License-Identifier: MIT
// The functions of a program, and calls of them.
#pragma once

#include <string>
#include <utility>

#include "statements.h"

namespace lockstep {

/// The variables 0 to 3 begin as the two arguments, the lane and 1.
struct Function {
  std::string name;
  bool is_inline = false;
  int loops = 0;  ///< the variables from 4 on, which count them
  Statements body;

  void print(Text& text) {
    text << "static " << (is_inline ? "inline" : "__attribute__((noinline))") << " int " << name
         << "(int v0, int v1, int zero, const int* in, int* out, const int* table, int* scratch) {\n"
         << "const int lane = static_cast<int>(threadIdx.x % " << lanes << ") ^ zero;\nint v2 = lane, v3 = 1 ^ zero;\n";
    for (int i = 0; i < loops; ++i) text << "int " << variable_name(4 + i) << " = 0;\n";
    print_all(body, text);
    text << "}\n";
  }
  Values execute(Machine& machine, Mask mask, const Values& first, const Values& second) const {
    machine.frames.emplace_back();
    Machine::Frame& frame = machine.frame();
    frame[0] = first;
    frame[1] = second;
    frame[2] = for_lanes(mask, [](unsigned lane) { return static_cast<int>(lane); });
    frame[3] = for_lanes(mask, [](unsigned) { return 1; });
    const Mask broken = std::exchange(machine.broken, 0);
    const Mask continued = std::exchange(machine.continued, 0);
    const Mask returned = std::exchange(machine.returned, 0);
    execute_all(body, machine, mask);
    machine.broken = broken;
    machine.continued = continued;
    machine.returned = returned;
    machine.frames.pop_back();
    return machine.result;
  }
};

struct Call final : Statement {
  Call(int to, const Function& called, ExpressionPointer a, ExpressionPointer b)
      : variable(to), function(called), first(std::move(a)), second(std::move(b)) {}
  void print(Text& text) override {
    text << "{ const int first = ";
    first->print(text);
    text << ";\nconst int second = ";
    second->print(text);
    text << ";\n"
         << variable_name(variable) << " = (" << variable_name(variable) << " + " << function.name
         << "(first, second, zero, in, out, table, scratch)) & 4095; }\n";
  }
  Mask execute(Machine& machine, Mask mask) const override {
    const Values a = first->value(machine, mask);
    const Values b = second->value(machine, mask);
    const Values result = function.execute(machine, mask, a, b);
    Values& to = machine.frame()[static_cast<unsigned>(variable)];
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (Machine::has(mask, lane)) to[lane] = (to[lane] + result[lane]) & 4095;
    }
    return mask;
  }
  int variable;
  const Function& function;
  ExpressionPointer first, second;
};

}  // namespace lockstep
