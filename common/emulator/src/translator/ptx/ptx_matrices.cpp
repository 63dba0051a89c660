// SPDX-License-Identifier: MIT
// PTX instructions for matrices.
#include <algorithm>
#include <array>
#include <cstddef>
#include <regex>
#include <string>
#include <unordered_map>

#include "ptx_instruction.h"

namespace d2l::emulator::translator {
namespace {

struct Shape {
  int m, n, k;
};

std::optional<Shape> shape_of(const std::string& word) {
  static const std::regex form(R"(m(\d+)n(\d+)k(\d+))");
  std::smatch found;
  if (!std::regex_match(word, found, form)) return std::nullopt;
  return Shape{std::stoi(found[1].str()), std::stoi(found[2].str()), std::stoi(found[3].str())};
}

int bits_of(const std::string& type) { return std::stoi(type.substr(type.find_first_of("0123456789"))); }
/// The bits of an element: those of tf32 are 32.
int stored_bits(const std::string& type) {
  if (type[0] == 'e') return 8;
  return type == "tf32" ? 32 : type == "bf16" ? 16 : bits_of(type);
}

struct Types {
  std::string d, a, b, c;
};

/// The types of the operands follow each other.
std::optional<Types> types_of(const PtxInstruction& instruction) {
  static const std::regex type("f16|bf16|tf32|f32|f64|e4m3|e5m2|s8|u8|s4|u4|b1|s32");
  const auto& name = instruction.name;
  for (std::size_t i = 0; i + 4 <= name.size(); ++i) {
    const auto is_type = [](const std::string& word) { return std::regex_match(word, type); };
    if (std::all_of(name.begin() + static_cast<std::ptrdiff_t>(i), name.begin() + static_cast<std::ptrdiff_t>(i) + 4,
                    is_type))
      return Types{name[i], name[i + 1], name[i + 2], name[i + 3]};
  }
  return std::nullopt;
}

bool is_whole(const std::string& type) { return type[0] == 's' || type[0] == 'u'; }

/// True if there is an instruction of this shape and these types.
bool exists(const Shape& shape, const Types& of) {
  const bool equal_sums = of.c == of.d;
  if (shape.n != 8 || (shape.m != 8 && shape.m != 16)) return false;
  if (is_whole(of.a) && is_whole(of.b)) {
    if (of.d != "s32" || !equal_sums || stored_bits(of.a) != stored_bits(of.b)) return false;
    const int narrow = stored_bits(of.a) == 8 ? 16 : 32;  // the k of the smallest shape
    return stored_bits(of.a) <= 8 && (shape.k == narrow || (shape.m == 16 && shape.k == 2 * narrow));
  }
  const auto is_sum = [](const std::string& type) { return type == "f16" || type == "f32"; };
  if (of.a[0] == 'e' && of.b[0] == 'e')
    return shape.m == 16 && (shape.k == 16 || shape.k == 32) && equal_sums && is_sum(of.d);
  if (of.a != of.b) return false;
  if (of.a == "b1") return of.d == "s32" && equal_sums && (shape.k == 128 || (shape.m == 16 && shape.k == 256));
  if (of.a == "f64") {
    return of.d == "f64" && equal_sums && (shape.k == 4 || (shape.m == 16 && (shape.k == 8 || shape.k == 16)));
  }
  if (of.a == "tf32") return shape.m == 16 && of.d == "f32" && equal_sums && (shape.k == 4 || shape.k == 8);
  const bool sixteen = shape.m == 16 && (shape.k == 8 || shape.k == 16) && equal_sums;
  if (of.a == "bf16") return sixteen && of.d == "f32";
  if (of.a != "f16" || !is_sum(of.c) || !is_sum(of.d)) return false;
  return sixteen || (shape.m == 8 && shape.k == 4);
}

/// {a, b}, or a register alone.
std::vector<std::string> registers_of(const std::string& operand) {
  if (!operand.starts_with('{')) return {operand};
  return ptx_parts(operand.substr(1, operand.size() - 2), ',');
}

/// "const unsigned d2l_a[] = {…};"
std::string array_of(const std::string& name, const std::vector<std::string>& registers, const std::string& type) {
  std::string text = "const " + type + " " + name + "[] = {";
  for (const std::string& one : registers) text += ptx_value(one, type) + ", ";
  return text + "}; ";
}

std::string set_all(const std::vector<std::string>& registers, const std::string& array) {
  std::string text;
  for (std::size_t i = 0; i < registers.size(); ++i)
    text += ptx_set(registers[i], array + "[" + std::to_string(i) + "]") + " ";
  return text;
}

/// How many registers a lane has for this many elements of the warp.
std::size_t register_count(int elements, const std::string& type) {
  const int bits = stored_bits(type);
  return static_cast<std::size_t>(elements * bits / (bits == 64 ? 64 : 32) / 32);
}

std::optional<std::string> product_statement(const PtxInstruction& instruction) {
  const auto& operands = instruction.operands;
  if (instruction.name[0] != "mma" || instruction.name.size() < 6 || operands.size() != 4) return std::nullopt;
  const auto shape = shape_of(instruction.name[3]);
  const auto of = types_of(instruction);
  if (!instruction.has("sync") || !instruction.has("aligned") || !shape || !of || !exists(*shape, *of))
    return std::nullopt;
  const bool quads = of->a == "f16" && shape->m == 8;  // each of four groups of lanes has matrices of its own
  const std::string& first_order = instruction.name[4];
  const std::string& second_order = instruction.name[5];
  if (!quads && (first_order != "row" || second_order != "col")) return std::nullopt;
  const int products = quads ? 4 : 1;
  const auto d = registers_of(operands[0]);
  const auto a = registers_of(operands[1]);
  const auto b = registers_of(operands[2]);
  const auto c = registers_of(operands[3]);
  if (d.size() != register_count(products * shape->m * shape->n, of->d) ||
      a.size() != register_count(products * shape->m * shape->k, of->a) ||
      b.size() != register_count(products * shape->n * shape->k, of->b) ||
      c.size() != register_count(products * shape->m * shape->n, of->c))
    return std::nullopt;
  const auto element = [](const std::string& type) { return "::d2l::emulator::MatrixElement::" + type; };
  std::string product = "::d2l::emulator::matrix_product(" + std::to_string(shape->m) + ", " +
                        std::to_string(shape->n) + ", " + std::to_string(shape->k) + ", " + element(of->d) + ", " +
                        element(of->a) + ", " + element(of->b) + ", " + element(of->c) + ")";
  if (instruction.has("satfinite")) product = "d2l_ptx::saturating(" + product + ")";
  if (of->a == "b1" && instruction.has("and")) product = "d2l_ptx::by_and(" + product + ")";
  if (quads) {
    product = "d2l_ptx::by_quads(" + product + (first_order == "col" ? ", true" : ", false") +
              (second_order == "col" ? ", true)" : ", false)");
  }
  const auto word = [](const std::string& type) { return std::string(type == "f64" ? "double" : "unsigned"); };
  return "static constexpr auto d2l_product = " + product + "; " + array_of("d2l_a", a, word(of->a)) +
         array_of("d2l_b", b, word(of->b)) + array_of("d2l_c", c, word(of->c)) + word(of->d) + " d2l_d[" +
         std::to_string(d.size()) + "]{}; d2l_ptx::multiply(d2l_product, d2l_a, d2l_b, d2l_c, d2l_d); " +
         set_all(d, "d2l_d");
}

/// ldmatrix and stmatrix of matrices with 8 x 8 elements of 2 bytes.
std::optional<std::string> rows_statement(const PtxInstruction& instruction) {
  const bool loads = instruction.name[0] == "ldmatrix";
  if ((!loads && instruction.name[0] != "stmatrix") || instruction.operands.size() != 2) return std::nullopt;
  if (!instruction.has("m8n8") || instruction.name.back() != "b16") return std::nullopt;
  const auto address = ptx_address(instruction, instruction.operands[loads ? 1 : 0]);
  const auto registers = registers_of(instruction.operands[loads ? 0 : 1]);
  const std::string count = instruction.has("x4") ? "4" : instruction.has("x2") ? "2" : "1";
  if (!address || std::to_string(registers.size()) != count) return std::nullopt;
  const std::string arguments =
      "(" + count + ", " + (instruction.has("trans") ? "true" : "false") + ", d2l_rows, " + *address + "); ";
  if (!loads) return array_of("d2l_rows", registers, "unsigned") + "d2l_ptx::store_matrices" + arguments;
  return "unsigned d2l_rows[" + count + "]{}; d2l_ptx::load_matrices" + arguments + set_all(registers, "d2l_rows");
}

std::optional<std::string> transpose_statement(const PtxInstruction& instruction) {
  if (instruction.whole_name() != "movmatrix.sync.aligned.m8n8.trans.b16" || instruction.operands.size() != 2)
    return std::nullopt;
  return ptx_set(instruction.operands[0],
                 "d2l_ptx::transposed(" + ptx_value(instruction.operands[1], "unsigned") + ")");
}

/// Conversions to what mma multiplies.
std::optional<std::string> matrix_conversion_statement(const PtxInstruction& instruction) {
  const auto& operands = instruction.operands;
  const std::string whole = instruction.whole_name();
  if (whole == "cvt.rna.tf32.f32" && operands.size() == 2)
    return ptx_set(operands[0], "d2l_ptx::to_tf32(" + ptx_value(operands[1], "float") + ")");
  const bool half = whole == "cvt.rn.f16x2.f32";
  if ((!half && whole != "cvt.rn.bf16x2.f32") || operands.size() != 3) return std::nullopt;
  return ptx_set(operands[0], std::string("d2l_ptx::pair<") + (half ? "5, 10" : "8, 7") + ">(" +
                                  ptx_value(operands[1], "float") + ", " + ptx_value(operands[2], "float") + ")");
}

}  // namespace

std::optional<std::string> matrix_statement(const PtxInstruction& instruction) {
  constexpr std::array kinds = {product_statement, rows_statement, transpose_statement, matrix_conversion_statement};
  for (const auto translate : kinds) {
    if (auto statement = translate(instruction)) return statement;
  }
  return std::nullopt;
}

}  // namespace d2l::emulator::translator
