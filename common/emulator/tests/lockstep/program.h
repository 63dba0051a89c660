// SPDX-License-Identifier: MIT
// The parts of a program: each prints itself as C++ and executes itself on a Machine.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "machine.h"

namespace lockstep {

/// C++ text that knows the number of its line.
class Text {
 public:
  Text& operator<<(const std::string& part) {
    for (const char c : part) line_ += c == '\n' ? 1 : 0;
    text_ += part;
    return *this;
  }
  Text& operator<<(int number) { return *this << std::to_string(number); }
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  int line_ = 1;
};

struct Expression {
  Expression() = default;
  virtual ~Expression() = default;
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  virtual void print(Text& text) = 0;
  virtual Values value(Machine& machine, Mask mask) const = 0;
};
using ExpressionPointer = std::unique_ptr<Expression>;

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

template <class Function>
Values for_lanes(Mask mask, Function function) {
  Values values{};
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (Machine::has(mask, lane)) values[lane] = function(lane);
  }
  return values;
}
inline Mask where_true(Mask mask, const Values& values) {
  Mask result = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (Machine::has(mask, lane) && values[lane] != 0) result |= 1U << lane;
  }
  return result;
}

/// The compiler does not know it: `zero` is an argument of the kernel. Else it would remove what never happens.
struct Constant final : Expression {
  explicit Constant(int of) : number(of) {}
  void print(Text& text) override { text << "(" << number << " ^ zero)"; }
  Values value(Machine&, Mask mask) const override {
    return for_lanes(mask, [&](unsigned) { return number; });
  }
  int number;
};

struct Lane final : Expression {
  void print(Text& text) override { text << "lane"; }
  Values value(Machine&, Mask mask) const override {
    return for_lanes(mask, [](unsigned lane) { return static_cast<int>(lane); });
  }
};

inline std::string variable_name(int number) { return "v" + std::to_string(number); }

struct Variable final : Expression {
  explicit Variable(int of) : number(of) {}
  void print(Text& text) override { text << variable_name(number); }
  Values value(Machine& machine, Mask) const override { return machine.frame()[static_cast<unsigned>(number)]; }
  int number;
};

/// + - * & < == && || and % by a constant. Values stay below 4096 by what assigns them.
struct Binary final : Expression {
  Binary(std::string with, ExpressionPointer a, ExpressionPointer b)
      : sign(std::move(with)), left(std::move(a)), right(std::move(b)) {}
  void print(Text& text) override {
    text << "(";
    left->print(text);
    text << " " << sign << " ";
    right->print(text);
    text << ")";
  }
  Values value(Machine& machine, Mask mask) const override {
    const Values a = left->value(machine, mask);
    const Mask is_true = where_true(mask, a);
    const Mask of_right = sign == "&&" ? is_true : (sign == "||" ? mask & ~is_true : mask);
    const Values b = of_right == 0 ? Values{} : right->value(machine, of_right);
    return for_lanes(mask, [&](unsigned lane) {
      if (sign == "+") return a[lane] + b[lane];
      if (sign == "-") return a[lane] - b[lane];
      if (sign == "*") return a[lane] * b[lane];
      if (sign == "%") return a[lane] % b[lane];
      if (sign == "&") return a[lane] & b[lane];
      if (sign == "<") return a[lane] < b[lane] ? 1 : 0;
      if (sign == "==") return a[lane] == b[lane] ? 1 : 0;
      if (sign == "&&") return a[lane] != 0 && b[lane] != 0 ? 1 : 0;
      return a[lane] != 0 || b[lane] != 0 ? 1 : 0;
    });
  }
  std::string sign;
  ExpressionPointer left, right;
};

inline const char* name_of(Memory memory) {
  switch (memory) {
    case Memory::in:
      return "in";
    case Memory::out:
      return "out";
    case Memory::table:
      return "table";
    default:
      return "scratch";
  }
}

/// A load, on a line of its own. The offset is its own, so that no compiler joins two loads.
struct Load final : Expression {
  Load(Memory from, ExpressionPointer at, int own) : memory(from), index(std::move(at)), offset(own) {}
  void print(Text& text) override {
    text << "\n";
    line = text.line();
    text << name_of(memory) << "[(";
    index->print(text);
    text << " + " << offset << ") & " << elements_of(memory) - 1 << "]\n";
  }
  Values value(Machine& machine, Mask mask) const override {
    Values indices = index->value(machine, mask);
    for (int& each : indices) each = (each + offset) & (elements_of(memory) - 1);
    machine.access(line, memory, mask, indices);
    return for_lanes(mask, [&](unsigned lane) { return element(memory, indices[lane]); });
  }
  Memory memory;
  ExpressionPointer index;
  int offset;
  int line = 0;
};

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

/// What the translator writes at the begin of a loop's body.
inline const std::string body_begin = " D2L_EMULATOR_LOOP\n";

/// for, while or do: `counter` is a variable that no other statement assigns, and the loop ends when it is at `times`.
struct Loop final : Statement {
  enum class Kind { for_loop, while_loop, do_loop, endless };
  void print(Text& text) override {
    const std::string name = variable_name(counter);
    if (kind == Kind::for_loop) {
      text << "for (" << name << " = 0; " << name << " < ";
      times->print(text);
      text << "; ++" << name << ") {" + body_begin;
      print_all(body, text);
      text << "}\n";
    } else if (kind == Kind::while_loop) {
      text << name << " = 0;\nwhile (" << name << "++ < ";
      times->print(text);
      text << ") {" + body_begin;
      print_all(body, text);
      text << "}\n";
    } else if (kind == Kind::do_loop) {
      text << name << " = 0;\ndo {" + body_begin;
      print_all(body, text);
      text << "} while (++" << name << " < ";
      times->print(text);
      text << ");\n";
    } else {
      text << name << " = 0;\nfor (;;) {" + body_begin + "if (" << name << "++ >= ";
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
      if (Machine::has(active, lane) && before[lane] < limit[lane]) in_loop |= 1U << lane;
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
        if (Machine::has(mask, lane) && (last || selected[lane] == static_cast<int>(i))) active |= 1U << lane;
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

/// The variables 0 to 3 begin as the two arguments, the lane and 1.
struct Function {
  std::string name;
  bool is_inline = false;
  int loops = 0;  ///< the variables from 4 on, which count them
  Statements body;

  void print(Text& text) {
    text << "static " << (is_inline ? "inline" : "__attribute__((noinline))") << " int " << name
         << "(int v0, int v1, int zero, const int* in, int* out, const int* table, int* scratch) {\n"
         << "const int lane = static_cast<int>(threadIdx.x % 32) ^ zero;\nint v2 = lane, v3 = 1 ^ zero;\n";
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
