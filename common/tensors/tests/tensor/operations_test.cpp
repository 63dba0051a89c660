// SPDX-License-Identifier: MIT
// Every operation of the table: its public functions on every device, its documentation, its cost, and its tests.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "d2l/transfers.h"
#include "every_device.h"
#include "kernels/references.h"

namespace d2l::testing {
namespace {

using backend::contains;
using backend::Operation;
using backend::Types;

/// Eight numbers of a dtype, plus `shift`.
Tensor numbers(ScalarType type, Device device, int shift) {
  const auto x = isFloatingType(type) ? arange(-1.75, 2, 0.5, kDouble) : arange(8, kDouble);
  return (x + shift).to(type).to(device);
}

void expect_close(const Tensor& result, const std::vector<double>& expected) {
  const auto found = result.to_vector<double>();
  ASSERT_EQ(found.size(), expected.size());
  const double tolerance = result.dtype() == kDouble ? 1e-13 : 1e-6;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i] || (std::isnan(expected[i]) && std::isnan(found[i]))) continue;
    EXPECT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

/// Whether an operation on fractions gets whole numbers, which it copies.
bool is_copied(Operation operation, ScalarType type) {
  return backend::info(operation).types == Types::fractions && !isFloatingType(type) && type != kBool;
}

/// The expected dtype of the result; nullopt if the operation must refuse `type`.
std::optional<ScalarType> result_type(Operation operation, ScalarType type) {
  const auto& info = backend::info(operation);
  if (info.kind == backend::OperationKind::comparison || info.types == Types::truths) return kBool;
  if (contains(info.types, type) || is_copied(operation, type)) return type;
  return info.types == Types::real ? std::optional(kFloat) : std::nullopt;
}

/// Compares the last launch of the ledger with the table.
void check_entry(const TransferLedger& ledger, Operation operation, ScalarType type, ScalarType result, int inputs,
                 std::int64_t count) {
  const auto entries = ledger.entries();
  const auto last = std::find_if(entries.rbegin(), entries.rend(),
                                 [](const LedgerEntry& one) { return one.kind == LedgerEntry::Kind::launch; });
  ASSERT_NE(last, entries.rend());
  const auto& expected = info(operation);
  EXPECT_EQ(last->name, expected.name);
  EXPECT_EQ(last->flops, expected.flops * count);
  const bool converted = expected.types == Types::real && !isFloatingType(type);
  const auto computed = expected.types == Types::truths ? kBool : converted ? kFloat : type;
  const auto bytes = elementSize(result) + elementSize(computed) * static_cast<std::size_t>(inputs);
  EXPECT_EQ(last->bytes, static_cast<std::int64_t>(bytes) * count);
}

/// Compares results of `type` with the reference, and the ledger's entry with the table.
template <class Reference, class Call>
void check(Operation operation, ScalarType type, Device device, const Call& call, int inputs) {
  SCOPED_TRACE(std::string(info(operation).name) + " of " + toString(type) + " on " + device.str());
  const auto a = numbers(type, device, 0);
  const auto b = numbers(type, device, 1);
  const auto expected_type = result_type(operation, type);
  if (!expected_type) {
    EXPECT_THROW(call(a, b), TypeError);
    return;
  }
  TransferLedger ledger;
  const Tensor result = call(a, b);
  if (!is_copied(operation, type)) check_entry(ledger, operation, type, *expected_type, inputs, a.numel());
  EXPECT_EQ(result.dtype(), *expected_type);
  EXPECT_EQ(result.device(), device);
  const auto x = a.to_vector<double>();
  const auto y = b.to_vector<double>();
  std::vector<double> expected;
  for (std::size_t i = 0; i < x.size(); ++i) expected.push_back(Reference{}(x[i], y[i]));
  const auto wrapped = tensor(expected, kDouble).to(kLong).to(*expected_type).to_vector<double>();
  expect_close(result, isFloatingType(*expected_type) ? expected : wrapped);
}

template <class Reference, class... Calls>
void check_on_every_device(Operation operation, int inputs, const Calls&... calls) {
  on_every_device([&](Device device) {
    for (const auto type : every_dtype) (check<Reference>(operation, type, device, calls, inputs), ...);
  });
}

/// The operation in place, on a copy; or not in place if the dtype cannot hold the result.
#define D2L_IN_PLACE(name, ...)                                                                 \
  [](const Tensor& a, [[maybe_unused]] const Tensor& b) {                                       \
    const bool fits = result_type(Operation::name, a.dtype()).value_or(a.dtype()) == a.dtype(); \
    return fits ? a.detach().clone().name##_(__VA_ARGS__) : a.name(__VA_ARGS__);                \
  }

TEST(Operations, UnaryOnesGiveTheirReference) {
#define D2L_CHECK(name, ...)                                                       \
  check_on_every_device<references::name>(                                         \
      Operation::name, 1, [](const Tensor& a, const Tensor&) { return a.name(); }, \
      [](const Tensor& a, const Tensor&) { return d2l::name(a); }, D2L_IN_PLACE(name));
  D2L_UNARY_OPERATIONS(D2L_CHECK)
#undef D2L_CHECK
}

TEST(Operations, BinaryOnesGiveTheirReference) {
#define D2L_CHECK(name, ...)                                                          \
  check_on_every_device<references::name>(                                            \
      Operation::name, 2, [](const Tensor& a, const Tensor& b) { return a.name(b); }, \
      [](const Tensor& a, const Tensor& b) { return d2l::name(a, b); }, D2L_IN_PLACE(name, b));
  D2L_BINARY_OPERATIONS(D2L_CHECK)
#undef D2L_CHECK
}

TEST(Operations, LogicalOnesGiveTheirReference) {
#define D2L_CHECK(name, ...)                                                          \
  check_on_every_device<references::name>(                                            \
      Operation::name, 2, [](const Tensor& a, const Tensor& b) { return a.name(b); }, \
      [](const Tensor& a, const Tensor& b) { return d2l::name(a, b); }, D2L_IN_PLACE(name, b));
  D2L_LOGICAL_OPERATIONS(D2L_CHECK)
#undef D2L_CHECK
}

#undef D2L_IN_PLACE

TEST(Operations, PairsAndComparisonsGiveTheirReference) {
#define D2L_CHECK(name, ...)                                                          \
  check_on_every_device<references::name>(                                            \
      Operation::name, 2, [](const Tensor& a, const Tensor& b) { return a.name(b); }, \
      [](const Tensor& a, const Tensor& b) { return d2l::name(a, b); });
  D2L_PAIR_OPERATIONS(D2L_CHECK)
  D2L_COMPARISONS(D2L_CHECK)
#undef D2L_CHECK
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(std::filesystem::path(D2L_ROOT) / path);
  EXPECT_TRUE(file) << path;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The functions that a header declares with a comment: on the line, before it, or before its group.
std::set<std::string> documented_in(const std::string& header) {
  const std::regex declaration("^ *(?:inline )?Tensor&? (\\w+)\\(.*");
  std::set<std::string> names;
  bool in_group = false;
  bool after_comment = false;
  for (const auto& line : lines_of(header)) {
    if (line.find("///@{") != std::string::npos) in_group = true;
    if (line.find("///@}") != std::string::npos) in_group = false;
    std::smatch match;
    const bool documented = in_group || after_comment || line.find("///<") != std::string::npos;
    if (std::regex_match(line, match, declaration) && documented) names.insert(match[1]);
    after_comment = line.find("/// ") != std::string::npos && line.find("///<") == std::string::npos;
  }
  return names;
}

TEST(Operations, PublicOnesAreDocumented) {
  const auto members = documented_in("common/tensors/include/d2l/tensor.h");
  const auto functions = documented_in("common/tensors/include/d2l/ops.h");
  const auto check_name = [&](const std::string& name, bool in_place) {
    EXPECT_EQ(members.count(name), 1U) << "tensor.h does not document " << name;
    EXPECT_EQ(functions.count(name), 1U) << "ops.h does not document " << name;
    EXPECT_EQ(members.count(name + "_"), in_place ? 1U : 0U) << "tensor.h does not document " << name << "_";
  };
#define D2L_CHECK(name, ...) check_name(#name, true);
  D2L_UNARY_OPERATIONS(D2L_CHECK)
  D2L_BINARY_OPERATIONS(D2L_CHECK)
  D2L_LOGICAL_OPERATIONS(D2L_CHECK)
#undef D2L_CHECK
#define D2L_CHECK(name, ...) check_name(#name, false);
  D2L_PAIR_OPERATIONS(D2L_CHECK)
  D2L_COMPARISONS(D2L_CHECK)
#undef D2L_CHECK
}

TEST(Operations, UnaryMembersAreInTheTable) {
  std::set<std::string> unary{"zero", "square", "logical_not"};
#define D2L_INSERT(name, ...) unary.insert(#name);
  D2L_UNARY_OPERATIONS(D2L_INSERT)
#undef D2L_INSERT
  const std::regex declaration(" *Tensor& (\\w+)_\\(\\);.*");
  for (const auto& line : lines_of("common/tensors/include/d2l/tensor.h")) {
    std::smatch match;
    if (!std::regex_match(line, match, declaration)) continue;
    EXPECT_EQ(unary.count(match[1]), 1U) << match[1] << "_ is in no row of the table of operations";
  }
}

TEST(Operations, ThoseOnArraysNameATestThatExists) {
  std::set<std::string> tests;
  const auto& program = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const auto& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      tests.insert(std::string(suite.name()) + "." + suite.GetTestInfo(j)->name());
    }
  }
#define D2L_CHECK(name, kind, types, flops, test) EXPECT_EQ(tests.count(test), 1U) << #name << " names " << test;
  D2L_ARRAY_OPERATIONS(D2L_CHECK)
#undef D2L_CHECK
}

TEST(Operations, ThePageAboutThemNamesFilesThatExist) {
  namespace fs = std::filesystem;
  const std::regex file("`(\\w+/[\\w./]+\\.\\w+)`");
  const fs::path root = D2L_ROOT;
  int count = 0;
  for (const auto& line : lines_of("docs/pages/add_an_operation.md")) {
    for (std::sregex_iterator found(line.begin(), line.end(), file), end; found != end; ++found) {
      const auto name = (*found)[1].str();
      EXPECT_TRUE(fs::exists(root / name) || fs::exists(root / "common/tensors/src" / name)) << name;
      ++count;
    }
  }
  EXPECT_GE(count, 25);
}

}  // namespace
}  // namespace d2l::testing
