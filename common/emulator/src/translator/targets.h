// SPDX-License-Identifier: MIT
// The names of nv/target, which choose between code of the host and of the device.
#pragma once

#include <string>
#include <string_view>

namespace d2l::emulator::translator {

/// What stands for NV_IF_TARGET and its kin and for their conditions, such as NV_PROVIDES_SM_80: a name of the
/// emulator's nv/targets.h. Empty for other words.
std::string translated_target(std::string_view word);

}  // namespace d2l::emulator::translator
