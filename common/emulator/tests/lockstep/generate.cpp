// SPDX-License-Identifier: MIT
// Writes random kernels as C++, and what a warp that executes them in lockstep must count: generate SEED COUNT FILE.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include "branches.h"
#include "functions.h"

namespace lockstep {
namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  /// A function of about `size` statements, which may call the others.
  std::unique_ptr<Function> function(const std::string& name, int size, std::vector<const Function*> others) {
    auto made = std::make_unique<Function>();
    made->name = name;
    made->is_inline = chance(2);
    callees_ = std::move(others);
    counters_ = 0;
    in_loop_ = in_switch_ = 0;
    left_ = size;
    made->body = statements(0, 3 + number(4));
    made->body.push_back(std::make_unique<Return>(sum()));
    made->loops = counters_;
    return made;
  }

 private:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool chance(int of) { return number(of) == 0; }

  ExpressionPointer constant(int number) { return std::make_unique<Constant>(number); }
  static ExpressionPointer binary(const char* sign, ExpressionPointer a, ExpressionPointer b) {
    return std::make_unique<Binary>(sign, std::move(a), std::move(b));
  }
  ExpressionPointer leaf() {
    switch (number(6)) {
      case 0:
        return constant(number(40));
      case 1:
      case 2:
        return std::make_unique<Lane>();
      default:
        return std::make_unique<Variable>(number(4));
    }
  }
  ExpressionPointer load() {
    return std::make_unique<Load>(chance(3) ? Memory::table : Memory::in, simple(), ++offsets_ * 7);
  }
  ExpressionPointer simple() {
    switch (number(5)) {
      case 0:
        return binary("+", leaf(), leaf());
      case 1:
        return binary("*", leaf(), constant(1 + number(9)));
      case 2:
        return binary("%", leaf(), constant(2 + number(9)));
      default:
        return leaf();
    }
  }
  ExpressionPointer value() {
    switch (number(6)) {
      case 0:
      case 1:
        return load();
      case 2:
        return binary("+", load(), simple());
      default:
        return binary(chance(2) ? "+" : "-", simple(), simple());
    }
  }
  ExpressionPointer comparison() {
    switch (number(4)) {
      case 0:
        return binary("<", std::make_unique<Lane>(), constant(1 + number(33)));
      case 1:
        return binary("==", binary("&", simple(), constant(3)), constant(number(4)));
      case 2:
        return binary("<", binary("&", load(), constant(15)), constant(1 + number(14)));
      default:
        return binary("<", simple(), binary("+", leaf(), constant(number(9))));
    }
  }
  ExpressionPointer condition() {
    if (chance(4)) return binary(chance(2) ? "&&" : "||", comparison(), comparison());
    return comparison();
  }
  ExpressionPointer sum() {
    return binary("+", binary("+", std::make_unique<Variable>(0), std::make_unique<Variable>(1)),
                  binary("+", std::make_unique<Variable>(2), std::make_unique<Variable>(3)));
  }

  Statements statements(int depth, int most) {
    Statements made;
    for (int i = 0; i < most && left_ > 0; ++i) {
      --left_;
      made.push_back(statement(depth));
    }
    if (in_loop_ + in_switch_ + depth > 0 && chance(5)) made.push_back(jump());
    if (made.empty()) made.push_back(store());
    return made;
  }
  StatementPointer store() {
    return std::make_unique<Store>(chance(3) ? Memory::scratch : Memory::out, simple(), ++offsets_ * 5, leaf());
  }
  StatementPointer jump() {
    if (in_loop_ > 0 && chance(2)) return std::make_unique<Jump>(Jump::Kind::next);
    if (in_loop_ + in_switch_ > 0 && !chance(3)) return std::make_unique<Jump>(Jump::Kind::leave);
    return std::make_unique<Return>(sum());
  }
  StatementPointer statement(int depth) {
    const int kind = number(depth >= 4 ? 4 : 9);
    if (kind == 0) return store();
    if (kind == 1 && depth == 0) return std::make_unique<Store>(Memory::out, simple(), ++offsets_ * 5, leaf());
    if (kind <= 3) return std::make_unique<Assign>(number(4), value());
    if (kind <= 5) return branch(depth);
    if (kind == 6 && !callees_.empty()) {
      return std::make_unique<Call>(
          number(4), *callees_[static_cast<unsigned>(number(static_cast<int>(callees_.size())))], simple(), simple());
    }
    if (kind <= 7 && counters_ < 8) return loop(depth);
    return chance(2) ? branch(depth) : choice(depth);
  }
  StatementPointer branch(int depth) {
    auto made = std::make_unique<If>();
    made->condition = condition();
    made->then = statements(depth + 1, 1 + number(3));
    if (chance(2)) made->otherwise = statements(depth + 1, 1 + number(3));
    return made;
  }
  StatementPointer loop(int depth) {
    auto made = std::make_unique<Loop>();
    made->kind = static_cast<Loop::Kind>(number(4));
    made->counter = 4 + counters_++;
    made->times = binary("&", simple(), constant(depth == 0 ? 7 : 3));
    const int outer_switch = std::exchange(in_switch_, 0);
    ++in_loop_;
    made->body = statements(depth + 1, 1 + number(4));
    --in_loop_;
    in_switch_ = outer_switch;
    return made;
  }
  StatementPointer choice(int depth) {
    auto made = std::make_unique<Switch>();
    made->selector = binary("&", simple(), constant(3));
    made->cases.resize(static_cast<unsigned>(2 + number(3)));
    ++in_switch_;
    for (auto& each : made->cases) {
      each.body = statements(depth + 1, 1 + number(2));
      each.breaks = !chance(3);
    }
    --in_switch_;
    return made;
  }

  std::mt19937 random_;
  std::vector<const Function*> callees_;
  int counters_ = 0;
  int in_loop_ = 0;
  int in_switch_ = 0;
  int left_ = 0;
  int offsets_ = 0;
};

void write(unsigned seed, int count, std::ostream& out) {
  Text text;
  text << "// Made by generate.cpp.\n#include \"lockstep/expected.h\"\n#include \"kernels.h\"\n";
  std::string table;
  for (int i = 0; i < count; ++i) {
    Generator generator(seed + static_cast<unsigned>(i));
    const std::string number = std::to_string(i);
    text << "namespace program_" << number << " {\n";
    std::vector<std::unique_ptr<Function>> functions;
    std::vector<const Function*> others;
    for (int k = 0; k < 3; ++k) {
      functions.push_back(generator.function("f" + std::to_string(k), k == 2 ? 24 : 6, others));
      others.push_back(functions.back().get());
      functions.back()->print(text);
    }
    text << "__global__ void kernel(int zero, const int* in, int* out) {\nD2L_TEST_SHARED(table, int[256]);\n"
         << "D2L_TEST_SHARED(scratch, int[256]);\nlockstep::fill(table);\n__syncthreads();\n"
         << "const int first = static_cast<int>(threadIdx.x % " << lanes << ");\n"
         << "const int result = f2(first, first + 100, zero, in, out, table, scratch);\n__syncthreads();\n";
    const int last = text.line();
    text << "out[first + 1024] = result;\n}\n}\n";
    Machine machine;
    const Values arguments = for_lanes(all_lanes, [](unsigned lane) { return static_cast<int>(lane); });
    functions.back()->execute(machine, all_lanes, arguments,
                              for_lanes(all_lanes, [](unsigned lane) { return static_cast<int>(lane) + 100; }));
    machine.counts[last] = {1, lanes / 8, lanes};
    table += "{program_" + number + "::kernel, {";
    for (const auto& [line, counts] : machine.counts) {
      table += "{" + std::to_string(line) + "," + std::to_string(counts.requests) + "," +
               std::to_string(counts.sectors) + "," + std::to_string(counts.active_lanes) + "},";
    }
    table += "}},\n";
  }
  out << text.text() << "const std::vector<lockstep::Program> lockstep::programs = {\n" << table << "};\n";
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "generate SEED COUNT FILE\n";
    return 2;
  }
  std::ofstream out(argv[3]);
  lockstep::write(static_cast<unsigned>(std::atoi(argv[1])), std::atoi(argv[2]), out);
  out.close();
  if (!out) std::cerr << argv[3] << " cannot be written\n";
  return out ? 0 : 1;
}
