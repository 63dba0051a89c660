// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <iterator>
#include <string>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"
#include "reference.h"

namespace d2l::check {
namespace {

constexpr const char* no_tokens = ", a rank without tokens";
constexpr const char* to_one = ", all tokens to one expert";
constexpr const char* idle = ", a rank without tokens and rows";
constexpr const char* to_few = ", experts without tokens, x without a gradient";
constexpr Case cases[] = {{1, 2, 1, ""},        {2, 1, 1, ", many, in float32"},
                          {2, 2, 2, ""},        {3, 2, 1, ", in float32"},
                          {4, 1, 2, ""},        {4, 2, 2, ", x without a gradient"},
                          {4, 1, 1, no_tokens}, {3, 2, 2, no_tokens},
                          {3, 2, 1, to_one},    {4, 1, 1, idle},
                          {2, 2, 1, to_few},    {4, 2, 2, to_few}};

Device device_of(int rank) { return num_gpus() == 0 ? cpu() : gpu(rank % num_gpus()); }

const Tensor& tensor_of(const Expert& expert, int which) {
  const Tensor* const all[] = {&expert.W1, &expert.b1, &expert.W2, &expert.b2};
  return *all[which];
}

std::string of_expert(const Case& one, std::int64_t expert, int which) {
  return one.backward() + ", " + names[which] + " of expert " + std::to_string(expert);
}

/// Tokens whose choice is clear. The last feature is 1, so that the last row of the
/// router can prefer experts.
Tensor draw_tokens(std::int64_t n, const Tensor& router, int top) {
  const std::int64_t experts = router.size(1);
  Tensor tokens = zeros({0, router.size(0)});
  while (tokens.size(0) < n) {
    Tensor drawn = randn({n + 8, router.size(0)});
    drawn.narrow(1, router.size(0) - 1, 1).fill_(1);
    if (top < experts) {
      const auto [scores, order] =
          drawn.to(kDouble).mm(router.to(kDouble)).sort(1, /*descending=*/true);
      const Tensor clear = (scores.select(1, top - 1) - scores.select(1, top)) > 0.0125;
      drawn = drawn.index_select(0, clear.nonzero().flatten());
    }
    tokens = cat({tokens, drawn});
  }
  return tokens.narrow(0, 0, n).contiguous();
}

std::int64_t draw_count(Inputs& inputs, const Case& one, int rank, int without) {
  if (one.has(no_tokens) && rank == without) return 0;
  return one.has("many") ? inputs.draw(4300, 4500) : inputs.draw(12, 18) + 7L * rank;
}

/// Experts that all tokens prefer: `top` at any places, but not on an idle rank.
std::vector<std::int64_t> draw_preferred(Inputs& inputs, const Case& one, int without) {
  if (one.has(idle)) return {(without + inputs.draw(1, one.ranks - 1)) % one.ranks};
  if (!one.has(to_one) && !one.has(to_few)) return {};
  const std::int64_t first = inputs.draw(0, one.experts() - 1);
  if (one.top == 1) return {first};
  return {first, (first + inputs.draw(1, one.experts() - 1)) % one.experts()};
}

bool run_case(const Inputs& inputs, Outcome& outcome, const Case& one) {
  const auto ranks = static_cast<std::size_t>(one.ranks);
  const auto given = [&](const std::string& what) {
    return inputs.tensor(key(one.name(), what));
  };
  const auto of_rank_given = [&](const char* what, int rank) {
    return given(what + (" of rank " + std::to_string(rank)));
  };
  std::vector<Tensor> x(ranks), results(ranks);
  std::vector<Mixture> mixtures(ranks);
  for (int rank = 0; rank < one.ranks; ++rank) {
    const auto leaf = [&](const Tensor& values, bool requires_grad = true) {
      return values.contiguous()
          .to(one.dtype())
          .copy_to(device_of(rank))
          .requires_grad_(requires_grad);
    };
    const auto r = static_cast<std::size_t>(rank);
    x[r] = leaf(of_rank_given("x", rank), one.x_requires_grad());
    mixtures[r] = {leaf(given("router")), {}, one.top};
    const std::int64_t first = std::int64_t{rank} * one.own;
    for (std::int64_t e = first; e < first + one.own; ++e) {
      mixtures[r].experts.push_back({leaf(given("W1")[e]), leaf(given("b1")[e]),
                                     leaf(given("W2")[e]), leaf(given("b2")[e])});
    }
  }
  if (!attempt_ranks(outcome, one.forward(), one.ranks, [&](int rank) {
        const auto r = static_cast<std::size_t>(rank);
        results[r] = forward(x[r], mixtures[r]);
        return results[r].defined() ? results[r].detach() : Tensor();
      }))
    return false;
  for (const Tensor& result : results) {
    if (!result.defined()) return true;
  }
  if (!attempt_ranks(outcome, one.backward(), one.ranks, [&](int rank) {
        const Tensor& result = results[static_cast<std::size_t>(rank)];
        result.backward(
            of_rank_given("change", rank).to(one.dtype()).copy_to(result.device()));
        return Tensor();
      }))
    return false;
  const auto put = [&](const std::string& name, const Tensor& leaf) {
    if (leaf.grad().defined()) outcome.result(name, leaf.grad());
  };
  for (int rank = 0; rank < one.ranks; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    put(of_rank(one.backward(), rank) + ", x", x[r]);
    put(of_rank(one.backward(), rank) + ", router", mixtures[r].router);
    for (std::size_t e = 0; e < mixtures[r].experts.size(); ++e) {
      for (int which = 0; which < 4; ++which)
        put(of_expert(one, std::int64_t{rank} * one.own + static_cast<std::int64_t>(e),
                      which),
            tensor_of(mixtures[r].experts[e], which));
    }
  }
  return true;
}

}  // namespace

std::vector<Item> items() {
  return {
      {"result", 2, Kind::result, "the results are those of one device", 1},
      {"own", 2, Kind::result, "x and the router have their gradients", 3},
      {"experts", 2, Kind::result, "experts have the gradients of all their tokens", 3},
      {"gaps", 2, Kind::result, "ranks and experts may have no tokens", 4},
      {"products", 1, Kind::cost, "an expert computes its rows, on its device", 2},
      {"forward", 1, Kind::cost, "forward sends a row there and back", 5},
      {"backward", 1, Kind::cost, "backward sends gradients of these rows", 5},
      {"host", 1, Kind::cost, "only counts and indices are read on the host", 6}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const Case& one : cases) {
    const std::int64_t d = inputs.draw(16, 20);
    const std::int64_t h = inputs.draw(5, 9);
    const auto experts = one.experts();
    const auto without = static_cast<int>(inputs.draw(0, one.ranks - 1));
    const auto preferred = draw_preferred(inputs, one, without);
    const Tensor router = randn({d, experts}) / (preferred.empty() ? 4 : 8);
    for (const std::int64_t e : preferred) router[d - 1][e] = 6;
    inputs.put(key(one.name(), "router"), router);
    inputs.put(key(one.name(), "W1"), randn({experts, d, h}) / 3);
    inputs.put(key(one.name(), "b1"), randn({experts, h}));
    inputs.put(key(one.name(), "W2"), randn({experts, h, d}) / 2);
    inputs.put(key(one.name(), "b2"), randn({experts, d}));
    for (int rank = 0; rank < one.ranks; ++rank) {
      const auto suffix = " of rank " + std::to_string(rank);
      const std::int64_t n = draw_count(inputs, one, rank, without);
      inputs.put(key(one.name(), "x" + suffix), draw_tokens(n, router, one.top));
      inputs.put(key(one.name(), "change" + suffix), randn({n, d}));
    }
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases) {
    if (!run_case(inputs, outcome, one)) return;  // the others would wait as long
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  std::vector<Reference> references;
  for (const Case& one : cases) references.emplace_back(inputs, one);
  const auto each = [&](const auto& look) {
    for (std::size_t i = 0; i < std::size(cases); ++i) look(cases[i], references[i]);
  };
  /// A gradient of zeros may be missing.
  const auto expect_gradient = [&](ItemJudgement& item, const Case& one,
                                   const std::string& name, const Tensor& gradient,
                                   bool is_used, int rank) {
    if (gradient.numel() == 0 || (!is_used && !outcome.contains(name))) return;
    item.close(gradient.to(one.dtype()), outcome.tensor(name), one.tolerance(), name);
    item.placed(outcome, name, device_of(rank));
  };
  const auto expect_results = [&](ItemJudgement& item, const Case& one,
                                  const Reference& reference) {
    outcome.require(one.forward());
    for (int rank = 0; rank < one.ranks; ++rank) {
      const auto name = of_rank(one.forward(), rank);
      const Tensor& result = reference.result[static_cast<std::size_t>(rank)];
      item.close(result.detach().to(one.dtype()), outcome.tensor(name), one.tolerance(),
                 name);
      if (result.numel() > 0) item.placed(outcome, name, device_of(rank));
    }
  };
  const auto expect_own = [&](ItemJudgement& item, const Case& one,
                              const Reference& reference) {
    outcome.require(one.backward());
    for (int rank = 0; rank < one.ranks; ++rank) {
      const auto name = of_rank(one.backward(), rank);
      const auto r = static_cast<std::size_t>(rank);
      const bool has_tokens = reference.result[r].numel() > 0;
      if (one.x_requires_grad())
        expect_gradient(item, one, name + ", x", reference.x[r].grad(), true, rank);
      expect_gradient(item, one, name + ", router", reference.router[r].grad(),
                      has_tokens, rank);
    }
  };
  const auto expect_experts = [&](ItemJudgement& item, const Case& one,
                                  const Reference& reference) {
    outcome.require(one.backward());
    for (std::int64_t e = 0; e < one.experts(); ++e) {
      for (int which = 0; which < 4; ++which)
        expect_gradient(item, one, of_expert(one, e, which),
                        reference.expert_gradient(e, which),
                        reference.rows_of_expert(e) > 0, static_cast<int>(e) / one.own);
    }
  };
  const auto judge_values = [&](const char* name, bool gaps, const auto& expect) {
    judgement.item(name, [&](ItemJudgement& item) {
      each([&](const Case& one, const Reference& reference) {
        if (one.has_gaps() == gaps) expect(item, one, reference);
      });
    });
  };
  judge_values("result", false, expect_results);
  judge_values("own", false, expect_own);
  judge_values("experts", false, expect_experts);
  judge_values("gaps", true,
               [&](ItemJudgement& item, const Case& one, const Reference& reference) {
                 expect_results(item, one, reference);
                 expect_own(item, one, reference);
                 expect_experts(item, one, reference);
               });
  judgement.item("products", [&](ItemJudgement& item) {
    each([&](const Case& one, const Reference& reference) {
      std::vector<Device> devices = gpus(num_gpus());
      devices.push_back(cpu());
      for (const Device device : devices) {
        std::int64_t wanted = 0;
        for (int rank = 0; rank < one.ranks; ++rank) {
          if (device_of(rank) == device) wanted += reference.flops_of(rank);
        }
        std::int64_t found = 0;
        for (const LedgerEntry& entry : outcome.recording(one.forward()).entries) {
          if (entry.kind == LedgerEntry::Kind::launch && entry.outputs > 0 &&
              entry.queue == device)
            found += entry.flops;
        }
        item.equal(wanted, found, "operations of matrix products on " + device.str(),
                   one.forward());
      }
    });
  });
  const auto expect_sent = [&](ItemJudgement& item, const Case& one,
                               const std::string& call, int rank, std::int64_t rows,
                               std::int64_t others) {
    const std::int64_t sent =
        sent_bytes(outcome.recording(call), rank, [](int) { return true; });
    if (one.top == 1) item.at_least(rows, sent, "bytes sent", of_rank(call, rank));
    item.at_most(rows + others, sent, "bytes sent", of_rank(call, rank));
  };
  judgement.item("forward", [&](ItemJudgement& item) {
    each([&](const Case& one, const Reference& reference) {
      for (int rank = 0; rank < one.ranks; ++rank) {
        const std::int64_t left = reference.left(rank);
        expect_sent(item, one, one.forward(), rank,
                    (left + reference.came(rank)) * reference.features() * one.bytes(),
                    8 * (left + one.ranks * one.experts()));
      }
    });
  });
  judgement.item("backward", [&](ItemJudgement& item) {
    each([&](const Case& one, const Reference& reference) {
      for (int rank = 0; rank < one.ranks; ++rank) {
        const std::int64_t rows =
            reference.left(rank) + (one.x_requires_grad() ? reference.came(rank) : 0);
        expect_sent(item, one, one.backward(), rank,
                    rows * reference.features() * one.bytes(), 0);
      }
    });
  });
  judgement.item("host", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    each([&](const Case& one, const Reference& reference) {
      std::int64_t rows = 0;
      std::int64_t left = 0;
      for (std::int64_t e = 0; e < one.experts(); ++e)
        rows += reference.rows_of_expert(e);
      for (int rank = 0; rank < one.ranks; ++rank) left += reference.left(rank);
      const std::int64_t row = reference.features() * one.bytes();
      for (const auto& call : {one.forward(), one.backward()}) {
        const Recording& recording = outcome.recording(call);
        const std::int64_t copied = recording.copied_bytes(Direction::device_to_host);
        if (one.top == 1)
          item.at_least(left * row, copied, "bytes copied to main memory", call);
        item.at_most(rows * (2 * row + 32) + 64 * (one.ranks * one.experts()), copied,
                     "bytes copied to main memory", call);
        item.equal(0, recording.copied_bytes(Direction::device_to_device),
                   "bytes copied from GPU to GPU", call);
      }
    });
  });
}

}  // namespace d2l::check
