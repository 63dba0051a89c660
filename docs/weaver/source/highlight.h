// SPDX-License-Identifier: MIT
// Highlights C++ and links its names to the API reference, in the HTML that Doxygen uses for code.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "source/names.h"

namespace d2l::weaver {

/// The types of the variables whose declarations name a class of the library.
using Variables = std::map<std::string, std::string>;
Variables variables_of(std::string_view code, const Names& names);

/// `<div class="fragment d2l-code">` with one `<div class="line">` for each line.
std::string code_block(std::string_view code, const Names& names, const Variables& variables = {});
/// The same block without highlighting: a command, or another language.
std::string plain_block(std::string_view text);
/// `<code>` for code within prose, with links for public names.
std::string code_span(std::string_view code, const Names& names, const Variables& variables = {});

}  // namespace d2l::weaver
