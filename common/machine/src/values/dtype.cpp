// SPDX-License-Identifier: MIT
// The names, sizes and promotion of the element types.
#include "d2l/dtype.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace d2l {
namespace {

struct Description {
  const char* name;
  const char* python;
  std::size_t bytes;
};

constexpr std::array<Description, scalar_type_count> descriptions{{
    {"Bool", "torch.bool", sizeof(bool)},
    {"Byte", "torch.uint8", sizeof(std::uint8_t)},
    {"Int", "torch.int32", sizeof(std::int32_t)},
    {"Long", "torch.int64", sizeof(std::int64_t)},
    {"Half", "torch.float16", sizeof(Half)},
    {"BFloat16", "torch.bfloat16", sizeof(BFloat16)},
    {"Float", "torch.float32", sizeof(float)},
    {"Double", "torch.float64", sizeof(double)},
}};

const Description& describe(ScalarType type) noexcept { return descriptions[static_cast<std::size_t>(type)]; }

}  // namespace

std::size_t elementSize(ScalarType type) noexcept { return describe(type).bytes; }

const char* toString(ScalarType type) noexcept { return describe(type).name; }

std::string repr(ScalarType type) { return describe(type).python; }

std::ostream& operator<<(std::ostream& out, ScalarType type) { return out << toString(type); }

// The higher one can represent both, but neither Half nor BFloat16 can represent the other.
ScalarType promoteTypes(ScalarType a, ScalarType b) noexcept {
  return a != b && isReducedFloatingType(a) && isReducedFloatingType(b) ? kFloat : std::max(a, b);
}

std::ostream& operator<<(std::ostream& out, Half value) { return out << static_cast<float>(value); }
std::ostream& operator<<(std::ostream& out, BFloat16 value) { return out << static_cast<float>(value); }

}  // namespace d2l
