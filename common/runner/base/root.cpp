// SPDX-License-Identifier: MIT
#include "base/root.h"

#include <cstdlib>

namespace d2l::runner {

std::filesystem::path root() {
  const char* given = std::getenv("LEARN_ROOT");
  return given != nullptr && *given != '\0' ? given : LEARN_SOURCE;
}

}  // namespace d2l::runner
