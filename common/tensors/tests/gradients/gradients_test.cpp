// SPDX-License-Identifier: MIT
// Every derivative of the table against central differences in float64; a derivative without a case fails the test.
#include <limits>

#include "gradients/gradient_cases_choices.h"
#include "gradients/gradient_cases_convolution.h"
#include "gradients/gradient_cases_losses.h"
#include "gradients/gradient_cases_memory.h"
#include "gradients/gradient_cases_names.h"
#include "gradients/gradient_cases_normalisations.h"
#include "gradients/gradient_cases_places.h"
#include "gradients/gradient_cases_pooling.h"
#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {
namespace {

/// Numbers at which a function is defined and smooth: without 0, where some functions have a kink.
Numbers domain(Tensor (Tensor::*function)() const) {
  return std::isnan((tensor(-2.0).*function)().item<double>()) ? positive : away_from_zero;
}

std::vector<Case> unary_cases() {
  const auto of = [](const char* derivative, Numbers numbers, Tensor (Tensor::*function)() const) {
    const auto apply = [function](const Tensors& x) { return (x[0].*function)(); };
    return std::vector<Case>{{derivative, "row-major", {{{2, 3}, numbers}}, apply},
                             {derivative, "reversed", {{{2, 3, 2}, numbers, reversed}}, apply},
                             {derivative, "every second element", {{{3, 2}, numbers, strided}}, apply},
                             {derivative, "no dimension", {{{}, numbers}}, apply},
                             {derivative, "float32", {{{4}, numbers, row_major, kFloat}}, apply}};
  };
  std::vector<Case> all;
  const auto insert = [&all](const std::vector<Case>& some) { all.insert(all.end(), some.begin(), some.end()); };
#define D2L_CASES(name, types, flops, derivative, keeps, reference)                                 \
  insert(of(#derivative, domain(&Tensor::name), &Tensor::name));                                    \
  all.push_back({#derivative, "in place", {{{2, 3}, domain(&Tensor::name)}}, [](const Tensors& x) { \
                   return (x[0] * 2).name##_();                                                     \
                 }});
  D2L_UNARY_OPERATIONS(D2L_CASES)
#undef D2L_CASES
  insert(of("CloneBackward0", any, &Tensor::clone));
  return all;
}

/// Two operands: of one shape, broadcast both ways, in any layout, one without dimensions, and of two dtypes.
std::vector<Case> binary_cases() {
  const auto of = [](const char* derivative, Numbers numbers, const Function& apply) {
    return std::vector<Case>{
        {derivative, "one shape", {{{2, 3}, numbers}, {{2, 3}, numbers, reversed}}, apply},
        {derivative, "broadcast", {{{3, 1}, numbers}, {{1, 4}, numbers}}, apply},
        {derivative, "more dimensions", {{{4}, numbers, strided}, {{2, 3, 4}, numbers, reversed}}, apply},
        {derivative, "no dimension", {{{2, 3}, numbers}, {{}, numbers}}, apply},
        {derivative, "two dtypes", {{{2, 3}, numbers}, {{3}, numbers, row_major, kFloat}}, apply}};
  };
  std::vector<Case> all;
  for (const auto& some :
       {of("AddBackward0", any, [](const Tensors& x) { return x[0].add(x[1], 0.5); }),
        of("SubBackward0", any, [](const Tensors& x) { return x[0].sub(x[1], 3); }),
        of("MulBackward0", any, [](const Tensors& x) { return x[0] * x[1]; }),
        of("DivBackward0", away_from_zero, [](const Tensors& x) { return x[0] / x[1]; }),
        of("PowBackward1", positive, [](const Tensors& x) { return pow(x[0], x[1]); }),
        of("RemainderBackward1", positive, [](const Tensors& x) { return x[0] % x[1]; }),
        of("MaximumBackward0", any, [](const Tensors& x) { return maximum(x[0], x[1]); }),
        of("MinimumBackward0", any, [](const Tensors& x) { return minimum(x[0], x[1]); }),
        of("MseLossBackward0", any, [](const Tensors& x) { return mse_loss(x[0], x[1]); }),
        of("MseLossBackward0", any, [](const Tensors& x) { return mse_loss(x[0], x[1], Reduction::None); }),
        of("MseLossBackward0", any, [](const Tensors& x) { return mse_loss(x[0], x[1], Reduction::Sum); })}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<Case> number_cases() {
  const Input x{{2, 3}};
  const Input plus{{2, 3}, positive};
  return {
      {"AddBackward0", "a number", {x}, [](const Tensors& t) { return t[0].add(2, 3); }},
      {"SubBackward0", "a number", {x}, [](const Tensors& t) { return t[0] - 2; }},
      {"RsubBackward1", "from a number", {x}, [](const Tensors& t) { return 2.5 - t[0]; }},
      {"MulBackward0", "a number", {x}, [](const Tensors& t) { return 1.5 * t[0]; }},
      {"DivBackward0", "by a number", {x}, [](const Tensors& t) { return t[0] / -4; }},
      {"ReciprocalBackward0",
       "a number by it",
       {{{3, 2}, away_from_zero, reversed}},
       [](const Tensors& t) { return 2 / t[0]; }},
      {"PowBackward0", "cubed", {x}, [](const Tensors& t) { return t[0].pow(3); }},
      {"PowBackward0", "squared", {{{2, 3}, any, strided}}, [](const Tensors& t) { return t[0].pow(2); }},
      {"PowBackward0", "to 1", {x}, [](const Tensors& t) { return t[0].pow(1); }},
      {"PowBackward0", "to 0", {x}, [](const Tensors& t) { return t[0].pow(0); }},
      {"PowBackward0", "a root", {plus}, [](const Tensors& t) { return t[0].pow(0.25); }},
      {"PowBackward0", "to -2", {{{5}, away_from_zero}}, [](const Tensors& t) { return t[0].pow(-2); }},
      {"RemainderBackward0", "by a number", {x}, [](const Tensors& t) { return t[0] % 1.5; }},
      {"RemainderBackward1", "of a number", {plus}, [](const Tensors& t) { return 2.5 % t[0]; }},
      {"PowBackward1", "of a number", {x}, [](const Tensors& t) { return pow(1.7, t[0]); }},
      {"MulBackward0", "by integers", {x}, [](const Tensors& t) { return t[0] * arange(3, t[0].device()); }},
      {"MulBackward0", "itself", {x}, [](const Tensors& t) { return t[0] * t[0]; }},
  };
}

std::vector<Case> reduction_cases() {
  const Input x{{2, 3, 4}};
  const Input turned{{2, 3, 4}, away_from_zero, reversed};
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<Case> all{
      {"SumBackward0", "", {x}, [](const Tensors& t) { return t[0].sum(); }},
      {"SumBackward0",
       "of what is broadcast",
       {{{3, 1}}},
       [](const Tensors& t) { return t[0].expand(list(3, 4)).sum(); }},
      {"SumBackward1", "", {turned}, [](const Tensors& t) { return t[0].sum(list(0, -1)); }},
      {"SumBackward1", "kept", {x}, [](const Tensors& t) { return t[0].sum({1}, true); }},
      {"MeanBackward0", "", {turned}, [](const Tensors& t) { return t[0].mean(); }},
      {"MeanBackward1", "", {x}, [](const Tensors& t) { return t[0].mean(list(2, 0)); }},
      {"MeanBackward1", "kept", {turned}, [](const Tensors& t) { return t[0].mean({1}, true); }},
      {"MaxBackward0", "", {x}, [](const Tensors& t) { return std::get<0>(t[0].max(1)); }},
      {"MaxBackward0", "kept", {turned}, [](const Tensors& t) { return std::get<0>(t[0].max(-1, true)); }},
      {"MinBackward0", "", {turned}, [](const Tensors& t) { return std::get<0>(t[0].min(0)); }},
      {"MinBackward0", "no dimension", {Input{}}, [](const Tensors& t) { return std::get<0>(t[0].min(0)); }},
      {"MaxBackward1", "", {turned}, [](const Tensors& t) { return t[0].max(); }},
      {"MinBackward1", "", {x}, [](const Tensors& t) { return t[0].min(); }},
      {"SoftmaxBackward0", "last", {x}, [](const Tensors& t) { return t[0].softmax(-1); }},
      {"SoftmaxBackward0", "inner", {turned}, [](const Tensors& t) { return t[0].softmax(1); }},
      {"SoftmaxBackward0", "first", {{{4, 2}, any, strided}}, [](const Tensors& t) { return t[0].softmax(0); }},
      {"LogSoftmaxBackward0", "last", {x}, [](const Tensors& t) { return t[0].log_softmax(-1); }},
      {"LogSoftmaxBackward0", "inner", {turned}, [](const Tensors& t) { return t[0].log_softmax(1); }},
      {"LogSoftmaxBackward0", "first", {{{4, 2}, any, strided}}, [](const Tensors& t) { return t[0].log_softmax(0); }},
  };
  for (const double p : {0.5, 1.0, 1.5, 2.0, 3.0, -1.0, infinity, -infinity}) {
    const auto name = "p = " + std::to_string(p);
    all.push_back({"NormBackward1", name, {turned}, [p](const Tensors& t) { return t[0].norm(p); }});
    all.push_back(
        {"NormBackward1", name, {{{3, 4}, away_from_zero}}, [p](const Tensors& t) { return t[0].norm(p, {1}); }});
    all.push_back({"NormBackward1", name, {turned}, [p](const Tensors& t) { return t[0].norm(p, {0, 2}, true); }});
  }
  return all;
}

std::vector<Case> product_cases() {
  const auto product = [](const Tensors& t) { return t[0].matmul(t[1]); };
  const auto layer = [](const Tensors& t) { return linear(t[0], t[1], t.size() > 2 ? t[2] : Tensor()); };
  return {
      {"DotBackward0", "", {{{4}}, {{4}, any, strided}}, product},
      {"MvBackward0", "", {{{3, 4}, any, reversed}, {{4}}}, product},
      {"SqueezeBackward3", "a row by a matrix", {{{4}}, {{4, 3}, any, reversed}}, product},
      {"MmBackward0", "", {{{2, 3}}, {{3, 4}}}, product},
      {"MmBackward0", "other layouts", {{{2, 3}, any, reversed}, {{3, 4}, any, strided}}, product},
      {"MmBackward0", "mm", {{{2, 3}}, {{3, 1}}}, [](const Tensors& t) { return t[0].mm(t[1]); }},
      {"MmBackward0", "by its own transpose", {{{2, 3}}}, [](const Tensors& t) { return t[0].mm(t[0].t()); }},
      {"UnsafeViewBackward0", "batches", {{{2, 3, 4}}, {{2, 4, 2}, any, reversed}}, product},
      {"UnsafeViewBackward0", "broadcast batches", {{{2, 1, 3, 2}, any, reversed}, {{3, 2, 2}}}, product},
      {"UnsafeViewBackward0", "by one matrix", {{{2, 3, 4}}, {{4, 2}}}, product},
      {"UnsafeViewBackward0", "one matrix by", {{{3, 4}}, {{2, 4, 2}}}, product},
      {"UnsafeViewBackward0", "by a vector", {{{2, 3, 4}}, {{4}}}, product},
      {"UnsafeViewBackward0", "a vector by", {{{4}}, {{2, 4, 3}}}, product},
      {"AddmmBackward0", "", {{{4, 3}}, {{2, 3}}, {{2}}}, layer},
      {"AddmmBackward0",
       "other layouts",
       {{{4, 3}, any, reversed}, {{2, 3}, any, reversed}, {{2}, any, strided}},
       layer},
      {"TBackward0", "without bias", {{{4, 3}}, {{2, 3}}}, layer},
      {"AddBackward0", "one row", {{{3}}, {{2, 3}}, {{2}}}, layer},
      {"TBackward0", "more dimensions", {{{2, 4, 3}, any, reversed}, {{2, 3}}, {{2}}}, layer},
      {"TBackward0", "more dimensions without bias", {{{2, 4, 3}}, {{2, 3}}}, layer},
  };
}

std::vector<Case> class_cases() {
  std::vector<Case> all;
  for (const auto reduction : {Reduction::Mean, Reduction::Sum, Reduction::None}) {
    const auto loss = [reduction](const TensorData& classes, std::int64_t ignored = -100) {
      return [=](const Tensors& t) {
        return cross_entropy_loss(t[0], tensor(classes).to(t[0].device()), {}, reduction, ignored);
      };
    };
    all.push_back({"NllLossBackward0", "rows", {{{4, 3}}}, loss({2, 0, 1, 2})});
    all.push_back({"NllLossBackward0", "rows in another layout", {{{4, 3}, any, reversed}}, loss({2, 0, 1, 2})});
    all.push_back({"NllLossBackward0", "an ignored class", {{{4, 3}}}, loss({2, 0, 1, 0}, 0)});
    all.push_back({"NllLossBackward0", "one row", {{{3}}}, loss(1)});
    all.push_back({"NllLoss2DBackward0", "pixels", {{{2, 3, 2, 2}}}, loss({{{2, 0}, {1, 2}}, {{-100, 1}, {0, 2}}})});
  }
  return all;
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& some :
       {unary_cases(), binary_cases(), number_cases(), choice_cases(), activation_cases(), in_place_cases(),
        view_cases(), reduction_cases(), product_cases(), class_cases(), place_cases(), statistics_cases(),
        normalisation_cases(), convolution_cases(), loss_cases(), pooling_cases(), name_cases()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(Gradients, EveryDerivativeHasACase) {
  // The first two are in custom_function_test.cpp; what is not implemented has no gradient.
  std::set<std::string> covered{"CustomFunction", "CustomOutput", "NotImplemented"};
  for (const auto& example : all_cases()) covered.insert(example.derivative);
  for (const auto& derivative : detail::derivative_table) {
    EXPECT_EQ(covered.erase(derivative.name), 1U) << derivative.name << " has no case";
  }
  for (const auto& name : covered) ADD_FAILURE() << name << " is in no entry of the table";
}

TEST(Gradients, AgreeWithCentralDifferences) {
  std::vector<Device> devices{cpu()};
  if (num_gpus() > 0) devices.push_back(gpu(0));
  for (const auto& example : all_cases()) {
    for (const auto& device : devices) {
      SCOPED_TRACE(example.derivative + " (" + example.what + ") on " + device.str());
      EXPECT_NO_THROW(check(example, device));
    }
  }
}

}  // namespace
}  // namespace d2l::testing::gradients
