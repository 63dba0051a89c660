// SPDX-License-Identifier: MIT
// An asm statement: its template, its operands, and the registers that the template declares.
#include "ptx.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <regex>
#include <vector>

#include "ptx_instruction.h"

namespace d2l::emulator::translator {
namespace {

std::string not_supported(const std::string& what) {
  return "static_assert(false, \"inline PTX is not supported by the emulator: " + what + "\")";
}

/// The end of the string literal that begins at `at`, and what it says; npos if it is no plain literal.
std::size_t read_literal(std::string_view text, std::size_t at, std::string& to) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] != '\\') {
      to += text[i];
    } else if (++i < text.size()) {
      to += text[i] == 'n' ? '\n' : text[i] == 't' || text[i] == 'r' ? ' ' : text[i];
    }
  }
  return std::string_view::npos;
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && (std::isspace(static_cast<unsigned char>(text[at])) != 0 || text[at] == '\\')) ++at;
  return at;
}

/// The end of the parentheses that open at `at`.
std::size_t end_of_parentheses(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

struct Assembly {
  std::string code;
  std::vector<std::string> operands;  ///< expressions, outputs first
  std::size_t outputs = 0;
};

/// `"code" "code" : "=r"(a), "=r"(b) : "r"(c) : "memory"`; nullopt if it is not of this form.
std::optional<Assembly> parse_assembly(std::string_view text) {
  Assembly assembly;
  std::size_t at = skip_spaces(text, 0);
  if (at >= text.size() || text[at] != '"') return std::nullopt;
  while (at < text.size() && text[at] == '"') {
    at = read_literal(text, at, assembly.code);
    if (at == std::string_view::npos) return std::nullopt;
    at = skip_spaces(text, at);
  }
  for (int section = 0; at < text.size(); ++section) {
    if (text[at] != ':') return std::nullopt;
    at = skip_spaces(text, at + 1);
    while (at < text.size() && text[at] == '"') {
      std::string constraint;
      at = read_literal(text, at, constraint);
      if (at == std::string_view::npos) return std::nullopt;
      at = skip_spaces(text, at);
      if (section < 2) {
        const std::size_t end =
            at < text.size() && text[at] == '(' ? end_of_parentheses(text, at) : std::string_view::npos;
        if (end == std::string_view::npos) return std::nullopt;
        assembly.operands.emplace_back(text.substr(at + 1, end - at - 2));
        if (section == 0) ++assembly.outputs;
        at = skip_spaces(text, end);
      }
      if (at < text.size() && text[at] == ',') at = skip_spaces(text, at + 1);
    }
  }
  return assembly;
}

/// "%%" of the template is "%" of PTX, and "%0" an operand; comments are removed.
std::string without_escapes(const std::string& code) {
  static const std::regex comments(R"(//[^\n]*|/\*.*?\*/)");
  const std::string text = std::regex_replace(code, comments, " ");
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 1 < text.size() && text[i + 1] == '%') ++i;
    plain += text[i];
  }
  return plain;
}

/// The braces of a block, as opposed to those of a vector, begin or end a statement.
std::vector<std::string> statements_of(const std::string& code) {
  std::vector<std::string> statements;
  std::string one;
  int depth = 0;
  const auto is_empty = [&one] { return one.find_first_not_of(' ') == std::string::npos; };
  for (const char c : code) {
    if ((c == '{' || c == '}') && depth == 0 && is_empty()) continue;
    depth += (c == '{' || c == '[') ? 1 : (c == '}' || c == ']') ? -1 : 0;
    if (c == ';') {
      if (!is_empty()) statements.push_back(one);
      one.clear();
      depth = 0;
    } else {
      one += std::isspace(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
    }
  }
  if (!is_empty()) statements.push_back(one);
  return statements;
}

/// ".reg .b32 a, b" declares variables; nullopt if it is no such declaration.
std::optional<std::string> declaration_of(const std::string& statement) {
  static const std::regex form(R"(^\s*\.reg\s+\.(\w+)\s+(.*)$)");
  std::smatch found;
  if (!std::regex_match(statement, found, form)) return std::nullopt;
  const auto type = ptx_type(found[1].str());
  if (!type) return std::nullopt;
  std::string text;
  for (const std::string& name : ptx_parts(found[2].str(), ',')) {
    static const std::regex range(R"(^(%?\w+)<(\d+)>$)");  // r<4> is r0 to r3
    std::smatch several;
    if (!std::regex_match(name, several, range)) {
      text += *type + " " + ptx_value(name, "") + "{}; ";
      continue;
    }
    for (int i = 0; i < std::stoi(several[2].str()); ++i) {
      text += *type + " " + ptx_value(several[1].str() + std::to_string(i), "") + "{}; ";
    }
  }
  return text;
}

}  // namespace

std::optional<std::string> translated_ptx(std::string_view operands) {
  const std::string text(operands);
  static const std::regex ptx(
      R"(\.(u|s|b|f)(8|16|32|64)|\.pred\b|%%|\bbar\.|\bmembar|\bfence\.|\bnanosleep|\bexit;|\btrap;|\bbarrier\.|\bbrkpt;|\bcp\.async|\bprefetch|\bw?mma\.|\b(ld|st|mov)matrix|\bwgmma|\bmbarrier|\bgriddepcontrol)");
  constexpr std::size_t longest = 8000;
  if (text.size() > longest) return not_supported("it is too long");
  if (!std::regex_search(text, ptx)) return std::nullopt;
  const auto assembly = parse_assembly(operands);
  if (!assembly) return not_supported("the asm statement has no plain template");
  std::string result = "[&] { namespace d2l_ptx = ::d2l::emulator::ptx; [[maybe_unused]] unsigned d2l_carry = 0; ";
  for (std::size_t i = 0; i < assembly->operands.size(); ++i) {
    result += (i < assembly->outputs ? "[[maybe_unused]] auto&& d2l_" : "[[maybe_unused]] const auto d2l_") +
              std::to_string(i) + " = " + assembly->operands[i] + "; ";
  }
  for (const std::string& statement : statements_of(without_escapes(assembly->code))) {
    if (const auto declaration = declaration_of(statement)) {
      result += *declaration;
      continue;
    }
    const PtxInstruction instruction = parse_ptx(statement);
    const auto translated = statement_of(instruction);
    if (!translated) return not_supported(instruction.whole_name());
    if (!instruction.guard.empty()) {
      const bool negated = instruction.guard[0] == '!';
      result += std::string("if (") + (negated ? "!" : "") +
                ptx_value(instruction.guard.substr(negated ? 1 : 0), "bool") + ") ";
    }
    result += "{ " + *translated + " } ";
  }
  return result + "}()";
}

}  // namespace d2l::emulator::translator
