// SPDX-License-Identifier: MIT
// C++ in colour, with links into the API reference, in the form that Doxygen gives to code.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "names.h"

namespace d2l::weaver {

/// The types of a program's variables, as far as their declarations name a class of the library.
using Variables = std::map<std::string, std::string>;
Variables variables_of(std::string_view code, const Names& names);

/// `<div class="fragment d2l-code">` with the code, a line a `<div class="line">`.
std::string code_block(std::string_view code, const Names& names, const Variables& variables = {});
/// Text as such a block, without colours: a command, or another language.
std::string plain_block(std::string_view text);
/// `<code>` for code within prose; a link where it is a public name.
std::string code_span(std::string_view code, const Names& names, const Variables& variables = {});

}  // namespace d2l::weaver
