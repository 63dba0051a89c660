// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int max_ranks = 4;

/// A division: numbers of hidden values that the ranks divide, and that they do not.
struct Division {
  int ranks;
  std::int64_t hidden;
  Dtype dtype = kFloat;
  [[nodiscard]] std::string name() const {
    return "part_of " + std::to_string(hidden) + " hidden values on " +
           counted(ranks, "ranks");
  }
};
const Division divisions[] = {{1, 5},  {2, 8},           {2, 7}, {3, 11},
                              {4, 10}, {4, 13, kDouble}, {4, 3}};

/// A step of one to four ranks.
struct Step {
  int ranks;
  const char* kind;
  [[nodiscard]] std::string forward() const { return "forward" + where(); }
  [[nodiscard]] std::string backward() const { return "backward()" + where(); }
  [[nodiscard]] bool is(const char* other) const { return kind == std::string(other); }

 private:
  [[nodiscard]] std::string where() const {
    return " on " + counted(ranks, "ranks") + kind;
  }
};
constexpr const char* wide = " in float64, x without a gradient";
constexpr const char* many = ", many rows";
constexpr const char* one_empty = ", one without hidden values";
constexpr Step steps[] = {{1, ""},   {2, many}, {2, wide},     {3, ""},
                          {3, wide}, {4, ""},   {4, one_empty}};

Device device_of(int rank) { return num_gpus() == 0 ? cpu() : gpu(rank % num_gpus()); }
Dtype dtype_of(const Step& step) { return step.is(wide) ? kDouble : kFloat; }
double tolerance_of(const Step& step) { return step.is(wide) ? 1e-12 : 1e-4; }

constexpr const char* names[] = {"W1", "b1", "W2", "b2"};
constexpr int dimensions[] = {1, 0, 0, -1};  // in which they are divided

Tensor& tensor_of(Mlp& mlp, int which) {
  return which == 0 ? mlp.W1 : which == 1 ? mlp.b1 : which == 2 ? mlp.W2 : mlp.b2;
}

/// The columns of a rank in a step: their first and their number.
struct Columns {
  std::int64_t begin = 0;
  std::int64_t count = 0;
};
Columns columns_of(const Inputs& inputs, const Step& step, int rank) {
  Columns columns;
  for (int r = 0; r <= rank; ++r) {
    columns.begin += columns.count;
    columns.count = step.is(one_empty) && r == 1
                        ? 0
                        : inputs.integer("columns of rank " + std::to_string(r));
  }
  return columns;
}
std::int64_t hidden_of(const Inputs& inputs, const Step& step) {
  const Columns last = columns_of(inputs, step, step.ranks - 1);
  return last.begin + last.count;
}

/// A tensor of the MLP with so many hidden values. Each step has other numbers.
Tensor of_whole(const Inputs& inputs, int which, std::int64_t hidden, double factor) {
  const Tensor tensor = inputs.tensor(names[which]);
  const int dim = dimensions[which];
  return (dim < 0 ? tensor : tensor.narrow(dim, 0, hidden)).to(kDouble) * factor;
}
double factor_of(const Step& step) {
  return 1 + 0.125 * step.ranks + (step.is(wide) || step.is(one_empty) ? 0.0625 : 0);
}
Tensor given(const Inputs& inputs, const std::string& what, const Step& step) {
  return inputs.tensor((step.is(many) ? "long " : "") + what).to(kDouble) *
         factor_of(step);
}
/// As float32 or float64 has it, in float64.
Tensor rounded(const Tensor& tensor, const Step& step) {
  return tensor.to(dtype_of(step)).to(kDouble);
}

/// The result and the gradients of the whole MLP, in float64.
struct Expected {
  Tensor result;
  Tensor x;
  Tensor of[4];
};
Expected expected(const Inputs& inputs, const Step& step) {
  const auto whole = [&](int which) {
    return rounded(
        of_whole(inputs, which, hidden_of(inputs, step), factor_of(step) / 2), step);
  };
  const Tensor x = rounded(given(inputs, "x", step), step);
  const Tensor change = rounded(given(inputs, "change", step), step);
  const Tensor hidden = tanh(x.mm(whole(0)) + whole(1));
  const Tensor of_sum = change.mm(whole(2).t()) * (1 - hidden.square());
  return {hidden.mm(whole(2)) + whole(3),
          of_sum.mm(whole(0).t()),
          {x.t().mm(of_sum), of_sum.sum(0), hidden.t().mm(change), change.sum(0)}};
}

std::int64_t sent_by_all(const Recording& recording, int ranks) {
  std::int64_t bytes = 0;
  for (int rank = 0; rank < ranks; ++rank)
    bytes += sent_bytes(recording, rank, [](int) { return true; });
  return bytes;
}

void run_division(const Inputs& inputs, Outcome& outcome, const Division& one) {
  const auto ranks = static_cast<std::size_t>(one.ranks);
  std::vector<Mlp> whole(ranks);
  std::vector<Mlp> parts(ranks);
  for (int rank = 0; rank < one.ranks; ++rank) {
    for (int which = 0; which < 4; ++which) {
      tensor_of(whole[static_cast<std::size_t>(rank)], which) =
          of_whole(inputs, which, one.hidden, 1)
              .to(one.dtype)
              .copy_to(device_of(rank))
              .requires_grad_();
    }
  }
  if (!attempt_ranks(outcome, one.name(), one.ranks, [&](int rank) {
        const auto r = static_cast<std::size_t>(rank);
        parts[r] = part_of(whole[r]);
        return Tensor();
      }))
    return;
  const NoGradGuard no_grad;
  for (int rank = 0; rank < one.ranks; ++rank) {
    for (int which = 0; which < 4; ++which) {
      const Tensor& part = tensor_of(parts[static_cast<std::size_t>(rank)], which);
      if (!part.defined()) continue;
      const auto name = of_rank(one.name(), rank) + ", " + names[which];
      outcome.result(name, part.detach());
      outcome.put(key(name, "leaf"), part.is_leaf() && part.requires_grad());
      tensor_of(whole[static_cast<std::size_t>(rank)], which).zero_();
      outcome.put(key(name, "later"), part.detach());
    }
  }
}

/// Returns false if ranks wait for each other.
bool run_step(const Inputs& inputs, Outcome& outcome, const Step& step) {
  const auto ranks = static_cast<std::size_t>(step.ranks);
  std::vector<Tensor> x(ranks);
  std::vector<Tensor> results(ranks);
  std::vector<Mlp> parts(ranks);
  for (int rank = 0; rank < step.ranks; ++rank) {
    const auto leaf = [&](const Tensor& tensor, bool requires_grad) {
      return tensor.to(dtype_of(step))
          .copy_to(device_of(rank))
          .requires_grad_(requires_grad);
    };
    const auto r = static_cast<std::size_t>(rank);
    const Columns columns = columns_of(inputs, step, rank);
    x[r] = leaf(given(inputs, "x", step), !step.is(wide));
    for (int which = 0; which < 4; ++which) {
      const Tensor whole =
          of_whole(inputs, which, hidden_of(inputs, step), factor_of(step) / 2);
      const int dim = dimensions[which];
      tensor_of(parts[r], which) =
          leaf(dim < 0 ? whole
                       : whole.narrow(dim, columns.begin, columns.count).contiguous(),
               true);
    }
  }
  if (!attempt_ranks(outcome, step.forward(), step.ranks, [&](int rank) {
        const auto r = static_cast<std::size_t>(rank);
        results[r] = forward(x[r], parts[r]);
        return results[r].defined() ? results[r].detach() : Tensor();
      }))
    return false;
  for (const Tensor& result : results) {
    if (!result.defined()) return true;
  }
  if (!attempt_ranks(outcome, step.backward(), step.ranks, [&](int rank) {
        const Tensor& result = results[static_cast<std::size_t>(rank)];
        result.backward(
            given(inputs, "change", step).to(dtype_of(step)).copy_to(result.device()));
        return Tensor();
      }))
    return false;
  for (int rank = 0; rank < step.ranks; ++rank) {
    const auto put = [&](const std::string& what, const Tensor& gradient) {
      if (gradient.defined())
        outcome.result(of_rank(step.backward(), rank) + ", " + what, gradient);
    };
    const auto r = static_cast<std::size_t>(rank);
    put("x", x[r].grad());
    for (int which = 0; which < 4; ++which)
      put(names[which], tensor_of(parts[r], which).grad());
  }
  return true;
}

}  // namespace

std::vector<Item> items() {
  return {
      {"parts", 2, Kind::result, "the parts are those of the MLP, evenly divided", 1},
      {"leaves", 1, Kind::placement, "the parts are leaves with their own memory", 2},
      {"result", 2, Kind::result, "each rank has the result of the whole MLP", 3},
      {"gradients", 3, Kind::result, "the parts, b2 and x have their gradients", 4},
      {"forward", 1, Kind::cost, "forward sends one all-reduce of the result", 5},
      {"backward", 1, Kind::cost, "backward sends one all-reduce of x's gradient", 5}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  std::int64_t hidden = 13;  // the most of a division
  std::int64_t sum = 0;
  for (int rank = 0; rank < max_ranks; ++rank) {
    const std::int64_t columns = inputs.draw(1, 3) + 2L * (max_ranks - rank);
    inputs.put("columns of rank " + std::to_string(rank), columns);
    sum += columns;
  }
  hidden = std::max(hidden, sum);
  const auto features = inputs.draw(5, 9);
  const auto outputs = inputs.draw(2, 4);
  inputs.put("W1", randn({features, hidden}) / 2);
  inputs.put("b1", randn({hidden}));
  inputs.put("W2", randn({hidden, outputs}));
  inputs.put("b2", randn({outputs}) + 3);
  const auto rows = inputs.draw(3, 8);
  inputs.put("x", randn({rows, features}));
  inputs.put("change", randn({rows, outputs}) + 1);
  const auto many_rows = inputs.draw(66000, 67000);
  inputs.put("long x", randn({many_rows, features}));
  inputs.put("long change", randn({many_rows, outputs}) + 1);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Division& one : divisions) run_division(inputs, outcome, one);
  for (const Step& step : steps) {
    if (!run_step(inputs, outcome, step)) return;  // the others would wait as long
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("parts", [&](ItemJudgement& item) {
    for (const Division& one : divisions) {
      outcome.require(one.name());
      std::int64_t begin = 0;
      for (int rank = 0; rank < one.ranks; ++rank) {
        const auto name = of_rank(one.name(), rank);
        const Tensor b1 = outcome.tensor(name + ", b1");
        const std::int64_t columns = b1.dim() == 1 ? b1.size(0) : -1;
        const std::int64_t least = one.hidden / one.ranks;
        const std::int64_t most = (one.hidden + one.ranks - 1) / one.ranks;
        const bool is_even =
            least <= columns && columns <= most && begin + columns <= one.hidden;
        item.expect(is_even,
                    (least < most ? std::to_string(least) + " or " : "") +
                        counted(most, "columns of W1"),
                    counted(columns, "columns"), name);
        if (!is_even) return;
        for (int which = 0; which < 4; ++which) {
          const Tensor whole = of_whole(inputs, which, one.hidden, 1).to(one.dtype);
          const int dim = dimensions[which];
          item.close(dim < 0 ? whole : whole.narrow(dim, begin, columns),
                     outcome.tensor(name + ", " + names[which]), 0,
                     name + ", " + names[which]);
        }
        begin += columns;
      }
      item.equal(one.hidden, begin, "columns on all ranks", one.name());
    }
  });
  judgement.item("leaves", [&](ItemJudgement& item) {
    for (const Division& one : divisions) {
      outcome.require(one.name());
      for (int rank = 0; rank < one.ranks; ++rank) {
        for (const char* which : names) {
          const auto name = of_rank(one.name(), rank) + ", " + which;
          const Tensor part = outcome.tensor(name);
          item.expect(outcome.flag(key(name, "leaf")),
                      "a leaf that requires a gradient", "another tensor", name);
          if (part.numel() > 0) item.placed(outcome, name, device_of(rank));
          item.expect(part.equal(outcome.tensor(key(name, "later"))),
                      "memory of its own", "memory of the whole MLP", name);
        }
      }
    }
  });
  judgement.item("result", [&](ItemJudgement& item) {
    for (const Step& step : steps) {
      outcome.require(step.forward());
      const Tensor result = expected(inputs, step).result.to(dtype_of(step));
      for (int rank = 0; rank < step.ranks; ++rank) {
        const auto name = of_rank(step.forward(), rank);
        item.placed(outcome, name, device_of(rank));
        item.close(result, outcome.tensor(name), tolerance_of(step), name);
      }
    }
  });
  judgement.item("gradients", [&](ItemJudgement& item) {
    for (const Step& step : steps) {
      outcome.require(step.backward());
      const Expected wanted = expected(inputs, step);
      for (int rank = 0; rank < step.ranks; ++rank) {
        const auto expect = [&](const std::string& what, const Tensor& gradient) {
          if (gradient.numel() == 0) return;
          const auto name = of_rank(step.backward(), rank) + ", " + what;
          item.placed(outcome, name, device_of(rank));
          item.close(gradient.to(dtype_of(step)), outcome.tensor(name),
                     tolerance_of(step), name);
        };
        const Columns columns = columns_of(inputs, step, rank);
        for (int which = 0; which < 4; ++which) {
          const int dim = dimensions[which];
          expect(names[which],
                 dim < 0 ? wanted.of[which]
                         : wanted.of[which].narrow(dim, columns.begin, columns.count));
        }
        if (!step.is(wide)) expect("x", wanted.x);
      }
    }
  });
  const auto expect_bytes = [&](ItemJudgement& item, const std::string& call,
                                const Step& step, const Tensor& tensor) {
    const std::int64_t size = tensor.numel() * (step.is(wide) ? 8 : 4);
    item.equal(2L * (step.ranks - 1) * size,
               sent_by_all(outcome.recording(call), step.ranks), "bytes of all ranks",
               call);
  };
  judgement.item("forward", [&](ItemJudgement& item) {
    for (const Step& step : steps)
      expect_bytes(item, step.forward(), step, given(inputs, "change", step));
  });
  judgement.item("backward", [&](ItemJudgement& item) {
    for (const Step& step : steps) {
      const Tensor x = given(inputs, "x", step);
      expect_bytes(item, step.backward(), step, step.is(wide) ? x.narrow(0, 0, 0) : x);
    }
  });
}

}  // namespace d2l::check
