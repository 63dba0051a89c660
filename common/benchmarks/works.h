// SPDX-License-Identifier: MIT
// The compared work, written once in the names that d2l and LibTorch share.
//
// The including file defines the namespace alias `library` and text(tensor), which prints a tensor.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace {

/// Operands, and one run of the work.
struct Work {
  virtual ~Work() = default;
  virtual void run() = 0;
  virtual double result() = 0;
};

/// c = a + b for n floats, or for a 2×3 tensor when n is 6; c is new each time.
struct AddWork : Work {
  explicit AddWork(std::int64_t n)
      : a(n == 6 ? library::rand({2, 3}) : library::rand({n})),
        b(n == 6 ? library::rand({2, 3}) : library::rand({n})) {}
  void run() override { c = a + b; }
  double result() override { return (a + b).sum().template item<double>(); }
  library::Tensor a, b, c;
};

/// Each result is released before the next is created.
struct OnesWork : Work {
  void run() override { x = library::ones({2, 3}); }
  double result() override { return library::ones({2, 3}).sum().template item<double>(); }
  library::Tensor x;
};

/// to() its own device and dtype: the same tensor.
struct IdentityToWork : Work {
  void run() override { y = x.to(library::Device("cpu")); }
  double result() override { return x.to(library::Device("cpu")).sum().template item<double>(); }
  library::Tensor x = library::ones({2, 3}), y;
};

struct SumWork : Work {
  explicit SumWork(std::int64_t n) : x(library::rand({n})) {}
  void run() override { s = x.sum(); }
  double result() override { return x.sum().template item<double>(); }
  library::Tensor x, s;
};

struct ProductWork : Work {
  explicit ProductWork(std::int64_t n) : a(library::rand({n, n})), b(library::rand({n, n})) {}
  void run() override { c = library::mm(a, b); }
  double result() override { return library::mm(a, b).sum().template item<double>(); }
  library::Tensor a, b, c;
};

struct PrintWork : Work {
  void run() override { printed = text(x); }
  double result() override { return static_cast<double>(text(x).size()); }
  library::Tensor x = library::ones({2, 3});
  std::string printed;
};

}  // namespace

#include "training_works.h"

namespace {

std::unique_ptr<Work> make_work(std::string_view name, std::int64_t n) {
  if (name == "add") return std::make_unique<AddWork>(n);
  if (name == "ones") return std::make_unique<OnesWork>();
  if (name == "identity_to") return std::make_unique<IdentityToWork>();
  if (name == "sum") return std::make_unique<SumWork>(n);
  if (name == "mm") return std::make_unique<ProductWork>(n);
  if (name == "print") return std::make_unique<PrintWork>();
  if (name == "forward") return std::make_unique<ForwardWork>();
  if (name == "step" || name == "step_clipped") return std::make_unique<StepWork>(name == "step_clipped");
  if (name == "perceptron_step") return std::make_unique<PerceptronStepWork>();
  return nullptr;
}

void* prepare(const char* name, std::int64_t n) { return make_work(name, n).release(); }
void run(void* work) { static_cast<Work*>(work)->run(); }
double result(void* work) { return static_cast<Work*>(work)->result(); }
void finish(void* work) { delete static_cast<Work*>(work); }

}  // namespace
