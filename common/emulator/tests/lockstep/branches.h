// SPDX-License-Identifier: MIT
// The statements of a program in which lanes part: branches, loops, jumps.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "statements.h"

namespace lockstep {

struct If final : Statement {
  void print(Text& text) override {
    text << "if (";
    condition->print(text);
    text << ") {\n";
    print_all(then, text);
    if (!otherwise.empty()) {
      text << "} else {\n";
      print_all(otherwise, text);
    }
    text << "}\n";
  }
  Mask execute(Machine& machine, Mask mask) const override {
    const Mask is_true = where_true(mask, condition->value(machine, mask));
    const Mask after_then = execute_all(then, machine, is_true);
    return after_then | execute_all(otherwise, machine, mask & ~is_true);
  }
  ExpressionPointer condition;
  Statements then, otherwise;
};

/// for, while or do: `counter` is a variable that no other statement assigns, and the loop ends when it is at `times`.
struct Loop final : Statement {
  enum class Kind { for_loop, while_loop, do_loop, endless };
  void print(Text& text) override {
    const std::string name = variable_name(counter);
    if (kind == Kind::for_loop) {
      text << "for (" << name << " = 0; " << name << " < ";
      times->print(text);
      text << "; ++" << name << ") {\n";
      print_all(body, text);
      text << "}\n";
    } else if (kind == Kind::while_loop) {
      text << name << " = 0;\nwhile (" << name << "++ < ";
      times->print(text);
      text << ") {\n";
      print_all(body, text);
      text << "}\n";
    } else if (kind == Kind::do_loop) {
      text << name << " = 0;\ndo {\n";
      print_all(body, text);
      text << "} while (++" << name << " < ";
      times->print(text);
      text << ");\n";
    } else {
      text << name << " = 0;\nfor (;;) {\nif (" << name << "++ >= ";
      times->print(text);
      text << ") break;\n";
      print_all(body, text);
      text << "}\n";
    }
  }
  Mask execute(Machine& machine, Mask mask) const override {
    Values& count = machine.frame()[static_cast<unsigned>(counter)];
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (Machine::has(mask, lane)) count[lane] = 0;
    }
    const Mask broken = std::exchange(machine.broken, 0);
    const Mask continued = std::exchange(machine.continued, 0);
    Mask active = mask;
    for (bool first = true; active != 0; first = false) {
      if (kind != Kind::do_loop || !first) active = still_in_loop(machine, active);
      if (active == 0) break;
      active = execute_all(body, machine, active) | std::exchange(machine.continued, 0);
      if (kind == Kind::for_loop) add_one(count, active);
    }
    machine.broken = broken;
    machine.continued = continued;
    return mask & ~machine.returned;
  }
  Mask still_in_loop(Machine& machine, Mask active) const {
    Values& count = machine.frame()[static_cast<unsigned>(counter)];
    if (kind == Kind::do_loop) add_one(count, active);
    const Values before = count;
    if (kind == Kind::while_loop || kind == Kind::endless) add_one(count, active);
    const Values limit = times->value(machine, active);
    Mask in_loop = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (Machine::has(active, lane) && before[lane] < limit[lane]) in_loop |= bit(lane);
    }
    return in_loop;
  }
  static void add_one(Values& count, Mask active) {
    for (unsigned lane = 0; lane < lanes; ++lane) count[lane] += Machine::has(active, lane) ? 1 : 0;
  }
  Kind kind = Kind::for_loop;
  int counter = 0;
  ExpressionPointer times;
  Statements body;
};

struct Switch final : Statement {
  void print(Text& text) override {
    text << "switch (";
    selector->print(text);
    text << ") {\n";
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (i + 1 == cases.size()) {
        text << "default:\n";
      } else {
        text << "case " << static_cast<int>(i) << ":\n";
      }
      print_all(cases[i].body, text);
      if (cases[i].breaks) text << "break;\n";
    }
    text << "}\n";
  }
  Mask execute(Machine& machine, Mask mask) const override {
    const Values selected = selector->value(machine, mask);
    const Mask broken = std::exchange(machine.broken, 0);
    Mask active = 0;
    Mask left = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const bool last = i + 1 == cases.size() && selected[lane] >= static_cast<int>(i);
        if (Machine::has(mask, lane) && (last || selected[lane] == static_cast<int>(i))) active |= bit(lane);
      }
      active = execute_all(cases[i].body, machine, active);
      if (cases[i].breaks) left |= std::exchange(active, 0);
    }
    left |= active | machine.broken;
    machine.broken = broken;
    return left;
  }
  struct Case {
    Statements body;
    bool breaks = true;
  };
  ExpressionPointer selector;
  std::vector<Case> cases;  ///< 0, 1, 2…; the last is the default
};

struct Jump final : Statement {
  enum class Kind { leave, next };
  explicit Jump(Kind how) : kind(how) {}
  void print(Text& text) override { text << (kind == Kind::leave ? "break;\n" : "continue;\n"); }
  Mask execute(Machine& machine, Mask mask) const override {
    (kind == Kind::leave ? machine.broken : machine.continued) |= mask;
    return 0;
  }
  Kind kind;
};

}  // namespace lockstep
