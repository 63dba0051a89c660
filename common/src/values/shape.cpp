// SPDX-License-Identifier: MIT
// IntArrayRef: printing.
#include "d2l/shape.h"

#include <ostream>

namespace d2l {

std::ostream& operator<<(std::ostream& out, IntArrayRef list) {
  out << '[';
  for (std::size_t i = 0; i < list.size(); ++i) out << (i > 0 ? ", " : "") << list[i];
  return out << ']';
}

}  // namespace d2l
