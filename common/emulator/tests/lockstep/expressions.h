// SPDX-License-Identifier: MIT
// The expressions of a program: each prints itself as C++ and computes its values on a Machine.
#pragma once

#include <memory>
#include <string>
#include <utility>

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
    if (Machine::has(mask, lane) && values[lane] != 0) result |= bit(lane);
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

}  // namespace lockstep
