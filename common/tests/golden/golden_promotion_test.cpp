// SPDX-License-Identifier: MIT
// Type promotion and casts against PyTorch's tables, on the CPU and on a GPU.
#include <set>

#include "gtest/gtest.h"
#include "ops/promotion.h"
#include "python_subset/evaluator.h"
#include "python_subset/golden_cases.h"
#include "python_subset/not_supported.h"

namespace {

using d2l::ScalarType;
using d2l::Tensor;
using golden::Json;
using python_subset::Value;

const std::map<std::string, std::string> arithmetic{
    {"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"div", "/"}, {"pow", "**"}};
const std::map<std::string, std::string> comparisons{{"eq", "=="}, {"ne", "!="}, {"lt", "<"},
                                                     {"le", "<="}, {"gt", ">"},  {"ge", ">="}};
const std::set<std::string> operations_not_supported{"floordiv", "mod",     "prod",   "cumsum", "all",
                                                     "dot",      "softmax", "round",  "std",    "where_scalar",
                                                     "var",      "any",     "cumprod"};

/// What an operation gives: the name of its dtype, or PyTorch's way to write an error.
template <class Operation>
std::string outcome(const Operation& operation) {
  try {
    return golden::name_of(operation().dtype());
  } catch (const d2l::Error& error) {
    return std::string("ERR ") + error.what();
  }
}

void expect_outcome(const std::string& outcome, const std::string& expected, const std::string& what) {
  if (expected.rfind("ERR ", 0) != 0) {
    EXPECT_EQ(outcome, expected) << what;
    return;
  }
  const auto text = golden::sentence(expected.substr(expected.find(": ") + 2));
  EXPECT_TRUE(outcome.rfind("ERR ", 0) == 0 && outcome.find(text) != std::string::npos)
      << what << "\n gave     " << outcome << "\n instead of " << text;
}

Tensor apply(const std::string& operation, const Value& a, const Value& b) {
  const auto found = arithmetic.find(operation);
  if (found != arithmetic.end()) return python_subset::apply_binary(found->second, a, b).as<Tensor>();
  return python_subset::apply_comparison(comparisons.at(operation), a, b).as<Tensor>();
}

bool known(const std::string& operation, golden::Tally& tally) {
  if (arithmetic.count(operation) > 0 || comparisons.count(operation) > 0) return true;
  EXPECT_EQ(operations_not_supported.count(operation), 1u) << operation << " is neither supported nor listed";
  tally.passed_over(operation);
  return false;
}

std::vector<ScalarType> dtypes(const Json& file) {
  std::vector<ScalarType> list;
  for (const auto& name : file["dtypes"]) list.push_back(*golden::dtype_named(name));
  return list;
}

/// A table of tensor with tensor; `dims` are the numbers of dimensions of the two.
void expect_table(const Json& file, const std::string& table, int dims_a, int dims_b, golden::Tally& tally) {
  const std::vector<std::int64_t> one{1};
  const auto make = [&](int dims, ScalarType dtype, const d2l::Device& device) {
    return d2l::ones(dims == 0 ? d2l::IntArrayRef() : d2l::IntArrayRef(one), d2l::TensorOptions(dtype).device(device));
  };
  const auto types = dtypes(file);
  for (const auto& [operation, rows] : file[table].items()) {
    if (!known(operation, tally)) continue;
    for (const auto& device : golden::devices()) {
      for (std::size_t i = 0; i < types.size(); ++i) {
        for (std::size_t j = 0; j < types.size(); ++j) {
          const auto a = make(dims_a, types[i], device);
          const auto b = make(dims_b, types[j], device);
          const auto what = table + " " + operation + " " + repr(types[i]) + " " + repr(types[j]) + " " + device.str();
          expect_outcome(outcome([&, &operation = operation] { return apply(operation, a, b); }), rows[i][j], what);
          tally.ran();
        }
      }
    }
  }
}

/// A table of tensors with Python numbers, by the number's kind; the number may stand first.
void expect_number_table(const Json& file, const std::string& table, int dims, bool number_first,
                         golden::Tally& tally) {
  const std::map<std::string, Value> numbers{{"bool", true}, {"int", std::int64_t{1}}, {"float", 1.0}};
  const auto types = dtypes(file);
  const std::vector<std::int64_t> shape(static_cast<std::size_t>(dims), 1);
  for (const auto& [operation, kinds] : file[table].items()) {
    if (!known(operation, tally)) continue;
    for (const auto& [kind, row] : kinds.items()) {
      for (const auto& device : golden::devices()) {
        for (std::size_t i = 0; i < types.size(); ++i) {
          const Value x = d2l::ones(shape, d2l::TensorOptions(types[i]).device(device));
          const Value& number = numbers.at(kind);
          const auto what = table + " " + operation + " " + repr(types[i]) + " " + kind + " " + device.str();
          const auto result = [&, &operation = operation] {
            return number_first ? apply(operation, number, x) : apply(operation, x, number);
          };
          expect_outcome(outcome(result), row[i], what);
          tally.ran();
        }
      }
    }
  }
}

TEST(GoldenPromotion, OfTensors) {
  const auto file = golden::read("promotion.json");
  golden::Tally tally;
  expect_table(file, "tensor_tensor", 1, 1, tally);
  expect_table(file, "tensor1d_tensor0d", 1, 0, tally);
  expect_table(file, "tensor0d_tensor1d", 0, 1, tally);
  expect_table(file, "tensor0d_tensor0d", 0, 0, tally);
  tally.report("promotion.json, tensors");
  EXPECT_GE(tally.count(), 1400);
}

TEST(GoldenPromotion, OfTensorsAndNumbers) {
  const auto file = golden::read("promotion.json");
  golden::Tally tally;
  expect_number_table(file, "tensor_pyscalar", 1, false, tally);
  expect_number_table(file, "pyscalar_tensor", 1, true, tally);
  expect_number_table(file, "tensor0d_pyscalar", 0, false, tally);
  tally.report("promotion.json, numbers");
  EXPECT_GE(tally.count(), 500);
}

TEST(GoldenPromotion, ResultType) {
  const auto file = golden::read("promotion.json");
  const auto types = dtypes(file);
  for (std::size_t i = 0; i < types.size(); ++i) {
    for (std::size_t j = 0; j < types.size(); ++j) {
      const auto expected = file["result_type"][i][j].get<std::string>();
      EXPECT_EQ(golden::name_of(promoteTypes(types[i], types[j])), expected);
      EXPECT_EQ(golden::name_of(d2l::detail::result_type(d2l::ones({1}, types[i]), d2l::ones({1}, types[j]))),
                expected);
    }
  }
}

TEST(GoldenPromotion, OfUnaryOperations) {
  using Unary = std::function<Tensor(ScalarType, const d2l::Device&)>;
  const auto on_matrix = [](Tensor (Tensor::*method)() const) {
    return Unary([method](ScalarType dtype, const d2l::Device& device) {
      return (d2l::ones({2, 2}, d2l::TensorOptions(dtype).device(device)).*method)();
    });
  };
  const auto matrix = [](ScalarType dtype, const d2l::Device& device) {
    return d2l::ones({2, 2}, d2l::TensorOptions(dtype).device(device));
  };
  const std::map<std::string, Unary> operations{
      {"sum", on_matrix(&Tensor::sum)},
      {"mean", on_matrix(&Tensor::mean)},
      {"max", on_matrix(&Tensor::max)},
      {"min", on_matrix(&Tensor::min)},
      {"exp", on_matrix(&Tensor::exp)},
      {"log", on_matrix(&Tensor::log)},
      {"sqrt", on_matrix(&Tensor::sqrt)},
      {"abs", on_matrix(&Tensor::abs)},
      {"neg", on_matrix(&Tensor::neg)},
      {"relu", on_matrix(&Tensor::relu)},
      {"sigmoid", on_matrix(&Tensor::sigmoid)},
      {"tanh", on_matrix(&Tensor::tanh)},
      {"argmax", [&](ScalarType t, const d2l::Device& d) { return matrix(t, d).argmax(); }},
      {"sum_dim0", [&](ScalarType t, const d2l::Device& d) { return matrix(t, d).sum(0); }},
      {"mean_dim0", [&](ScalarType t, const d2l::Device& d) { return matrix(t, d).mean(0); }},
      {"norm", [&](ScalarType t, const d2l::Device& d) { return matrix(t, d).norm(); }},
      {"matmul", [&](ScalarType t, const d2l::Device& d) { return matrix(t, d).matmul(matrix(t, d)); }},
      {"arange", [](ScalarType t, const d2l::Device& d) { return d2l::arange(3, d2l::TensorOptions(t).device(d)); }},
  };
  const auto file = golden::read("promotion.json");
  const auto types = dtypes(file);
  golden::Tally tally;
  for (const auto& [name, row] : file["unary"].items()) {
    const auto found = operations.find(name);
    if (found == operations.end()) {
      EXPECT_EQ(operations_not_supported.count(name), 1u) << name << " is neither supported nor listed";
      tally.passed_over(name);
      continue;
    }
    for (const auto& device : golden::devices()) {
      for (std::size_t i = 0; i < types.size(); ++i) {
        const auto result = [&, i] { return found->second(types[i], device); };
        expect_outcome(outcome(result), row[i], name + " " + repr(types[i]) + " " + device.str());
        tally.ran();
      }
    }
  }
  tally.report("promotion.json, unary");
  EXPECT_GE(tally.count(), 60);
}

TEST(GoldenPromotion, InPlaceKeepsTheDtypeOrRefuses) {
  const auto file = golden::read("promotion.json");
  const auto types = dtypes(file);
  for (const auto& device : golden::devices()) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      for (std::size_t j = 0; j < types.size(); ++j) {
        const auto what = repr(types[i]) + " " + repr(types[j]) + " " + device.str();
        auto a = d2l::ones({1}, d2l::TensorOptions(types[i]).device(device));
        const auto b = d2l::ones({1}, d2l::TensorOptions(types[j]).device(device));
        expect_outcome(outcome([&] { return a.add_(b); }), file["inplace_add_tensor"][i][j], "add_ " + what);
        expect_outcome(outcome([&] { return a.div_(b); }), file["inplace_div_tensor"][i][j], "div_ " + what);
      }
    }
  }
}

TEST(GoldenPromotion, OfLiterals) {
  golden::Tally tally;
  const auto file = golden::read("promotion.json");
  for (const auto& device : golden::devices()) {
    for (const auto& expected : file["literals"]) {
      const auto code = expected["code"].get<std::string>();
      SCOPED_TRACE(code);
      try {
        const auto value = python_subset::evaluate(code, device);
        EXPECT_TRUE(expected["ok"].get<bool>()) << "instead of " << expected["error"];
        EXPECT_EQ(python_subset::repr(value), expected["result"].get<std::string>());
        tally.ran();
      } catch (const python_subset::Unsupported& missing) {
        EXPECT_TRUE(python_subset::is_listed_as_not_supported(missing.what()))
            << "'" << missing.what() << "' is not listed";
        tally.passed_over(missing.what());
      } catch (const d2l::Error& error) {
        EXPECT_FALSE(expected["ok"].get<bool>()) << error.what();
        tally.ran();
      }
    }
  }
  tally.report("promotion.json, literals");
  EXPECT_GE(tally.count(), 15);
}

TEST(GoldenPromotion, ValuesOfMixedOperations) {
  golden::Tally tally;
  const auto file = golden::read("promotion.json");
  for (const auto& device : golden::devices()) {
    for (const auto& expected : file["value_cases"]) {
      if (!known(expected["op"], tally)) continue;
      SCOPED_TRACE(expected.dump() + " on " + device.str());
      const auto a = golden::values(expected["a"]["values"], *golden::dtype_named(expected["a"]["dtype"]), device);
      const auto b = golden::values(expected["b"]["values"], *golden::dtype_named(expected["b"]["dtype"]), device);
      if (!expected.contains("out")) {
        expect_outcome(outcome([&] { return apply(expected["op"], a, b); }),
                       "ERR " + expected["error"].get<std::string>(), "");
      } else {
        const auto out = apply(expected["op"], a, b);
        EXPECT_EQ(golden::name_of(out.dtype()), expected["out"]["dtype"].get<std::string>());
        EXPECT_TRUE(golden::same_values(out, expected["out"]["values"])) << out;
        if (device.is_cpu()) {
          EXPECT_EQ(repr(out), expected["out"]["str"].get<std::string>());
        }
      }
      tally.ran();
    }
  }
  tally.report("promotion.json, values");
  EXPECT_GE(tally.count(), 150);
}

/// Whether C++ defines the conversion: PyTorch's own is undefined for a float beyond the range of the integer type.
bool defined_cast(const Tensor& from, ScalarType to) {
  if (!isFloatingType(from.dtype()) || isFloatingType(to) || to == d2l::kBool) return true;
  const double low = to == d2l::kByte ? 0 : to == d2l::kInt ? -0x1p31 : -0x1p63;
  const double high = to == d2l::kByte ? 0x1p8 : to == d2l::kInt ? 0x1p31 : 0x1p63;
  for (const double value : from.to_vector<double>()) {
    if (!(value > low - 1 && value < high)) return false;
  }
  return true;
}

TEST(GoldenCasts, AreExact) {
  golden::Tally tally;
  for (const auto& device : golden::devices()) {
    for (const auto& expected : golden::read("casts.json")) {
      const auto from = golden::dtype_named(expected["src"]);
      const auto to = golden::dtype_named(expected["dst"]);
      if (!from || !to) {
        tally.passed_over((from ? expected["dst"] : expected["src"]).get<std::string>());
        continue;
      }
      SCOPED_TRACE(expected.dump() + " on " + device.str());
      const auto x = golden::values(expected["values"], *from, device);
      const auto cast = x.to(*to);
      if (!defined_cast(x, *to)) {
        tally.passed_over("a float beyond the integers");
        continue;
      }
      EXPECT_EQ(cast.dtype(), *to);
      EXPECT_TRUE(golden::same_values(cast, expected["out"])) << cast;
      tally.ran();
    }
  }
  tally.report("casts.json");
  EXPECT_GE(tally.count(), 8);
}

}  // namespace
