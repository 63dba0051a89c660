// SPDX-License-Identifier: MIT
// One PTX instruction and the C++ statement that does the same with d2l_emulator/ptx.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace d2l::emulator::translator {

/// "@!p ld.global.v2.f32 {a, b}, [c+4]".
struct PtxInstruction {
  std::string guard;                  ///< "!p", or nothing
  std::vector<std::string> name;      ///< ld, global, v2, f32
  std::vector<std::string> operands;  ///< as they are written, without spaces around them
  [[nodiscard]] std::string whole_name() const;
  [[nodiscard]] bool has(std::string_view modifier) const;
};

/// The instruction that this text, without the semicolon, is.
PtxInstruction parse_ptx(std::string_view text);
/// The statement; nullopt if the instruction is not supported.
std::optional<std::string> statement_of(const PtxInstruction& instruction);
/// The C++ type of a PTX type such as "f32" or "pred"; nullopt if it is not supported.
std::optional<std::string> ptx_type(std::string_view name);
/// The value of an operand as a `type`: "%0", "%laneid", a register of the block, or a number.
std::string ptx_value(const std::string& operand, const std::string& type);
/// The statement that gives an operand a value.
std::string ptx_set(const std::string& operand, const std::string& value);
/// The unsigned type of the same size.
std::string ptx_unsigned(const std::string& type);
/// The name without types, and without what makes no difference here: "mad.lo".
std::string ptx_key(const PtxInstruction& instruction);
/// The type that ends the name.
std::optional<std::string> ptx_last_type(const PtxInstruction& instruction);
/// "[a+4]" as an address of memory: of shared memory, or of all.
std::optional<std::string> ptx_address(const PtxInstruction& instruction, const std::string& operand);
/// statement_of() for those that compute a value, for those with matrices, and for the others.
std::optional<std::string> value_statement(const PtxInstruction& instruction);
std::optional<std::string> matrix_statement(const PtxInstruction& instruction);
std::optional<std::string> effect_statement(const PtxInstruction& instruction);
/// The words of a text between `separator`s outside of brackets and braces.
std::vector<std::string> ptx_parts(std::string_view text, char separator);

}  // namespace d2l::emulator::translator
