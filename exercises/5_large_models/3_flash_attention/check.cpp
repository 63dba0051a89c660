// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cmath>

#include "exercise.h"
#include "reference.h"

namespace d2l::check {
namespace {

/// Where the scores lie.
enum class Scores : std::int8_t { ordinary, large, above, below };

/// A call of both functions.
struct Case {
  const char* name;
  std::int64_t heads, groups, d;  // groups: the heads of k and v
  std::int64_t least, most;       // n is between them
  bool causal;
  Scores scores = Scores::ordinary;
};

constexpr Case cases[] = {
    {"1 row", 3, 1, 32, 1, 1, false},
    {"1 row, causal", 2, 2, 96, 1, 1, true},
    {"31 rows", 3, 3, 64, 31, 31, false},
    {"32 rows", 4, 2, 96, 32, 32, false},
    {"32 rows, causal", 2, 1, 32, 32, 32, true},
    {"33 rows", 2, 1, 128, 33, 33, false},
    {"others of 33", 2, 1, 128, 33, 33, false},
    {"33 rows, causal", 3, 1, 96, 33, 33, true},
    {"a group of 3", 3, 1, 32, 65, 80, false},
    {"2 groups of 3, causal", 6, 2, 64, 34, 50, true},
    {"70 heads", 70, 35, 32, 2, 3, false},
    {"d = 64", 2, 1, 64, 34, 63, false},
    {"d = 96", 1, 1, 96, 66, 80, false},
    {"d = 128", 1, 1, 128, 66, 80, false},
    {"d = 128, causal", 2, 1, 128, 34, 50, true},
    {"long", 2, 2, 32, 140, 150, false},
    {"long, causal", 1, 1, 32, 275, 287, true},
    {"large scores", 2, 1, 64, 34, 45, false, Scores::large},
    {"large scores, causal", 1, 1, 128, 34, 45, true, Scores::large},
    {"scores far above 0", 2, 1, 32, 34, 45, false, Scores::above},
    {"scores far below 0", 2, 1, 32, 34, 45, true, Scores::below}};

/// These are computed twice.
constexpr const char* repeated[] = {"a group of 3", "33 rows, causal"};
constexpr const char* spread[] = {"long"};
constexpr const char* arguments[] = {"dout", "q", "k", "v", "out", "lse"};
constexpr const char* of_forward[] = {"out", "lse"};
constexpr const char* of_backward[] = {"dq", "dk", "dv"};

bool contains(const auto& names, const std::string& name) {
  return std::ranges::find(names, name) != std::end(names);
}

std::string forward_of(const std::string& name) { return "forward, " + name; }
std::string backward_of(const std::string& name) { return "backward, " + name; }
std::string again(const std::string& name) { return name + ", again"; }

Attention attention_of(const Inputs& inputs, const Case& one) {
  const auto of = [&](const char* what) { return inputs.tensor(key(one.name, what)); };
  return Attention(of("q"), of("k"), of("v"), one.causal);
}

double tolerance_of(const Case& one) {
  // A score of a thousand, in float32, may be off by 1e-3; so is its power, relative to
  // it.
  return one.scores == Scores::ordinary ? 1e-5 : 5e-3;
}

void judge_result(ItemJudgement& item, const Outcome& outcome, const std::string& name,
                  const Sums& expected, const Case& one) {
  item.close(expected.tensor(), outcome.tensor(name), tolerance_of(one), name,
             expected.scale());
}

void judge_forward(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                   const Case& one) {
  const std::string call = forward_of(one.name);
  outcome.require(call);
  const Attention expected = attention_of(inputs, one);
  judge_result(item, outcome, key(call, "out"), expected.out(), one);
  judge_result(item, outcome, key(call, "lse"), expected.lse(), one);
}

void judge_backward(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                    const Case& one) {
  const std::string call = backward_of(one.name);
  outcome.require(call);
  const Gradients expected =
      attention_of(inputs, one).gradients(inputs.tensor(key(one.name, "dout")));
  judge_result(item, outcome, key(call, "dq"), expected.dq, one);
  judge_result(item, outcome, key(call, "dk"), expected.dk, one);
  judge_result(item, outcome, key(call, "dv"), expected.dv, one);
  for (const char* const name : arguments) {
    item.close(inputs.tensor(key(one.name, name)),
               outcome.tensor(key(one.name, name) + ", afterwards"), 0,
               key(one.name, name) + ", afterwards");
  }
}

/// The scores of q and k become large by these factors and offsets.
std::pair<Tensor, Tensor> draw_q_and_k(const Case& one, std::int64_t n) {
  const std::vector<std::int64_t> of_q{one.heads, n, one.d};
  const std::vector<std::int64_t> of_k{one.groups, n, one.d};
  if (one.scores == Scores::large) return {randn(of_q) * 30, randn(of_k) * 5};
  if (one.scores == Scores::above) return {rand(of_q) + 1, 20 + rand(of_k)};
  if (one.scores == Scores::below) return {rand(of_q) + 1, -20 - rand(of_k)};
  return {randn(of_q), randn(of_k)};
}

/// Atomic operations on global memory.
std::uint64_t global_atomics(const KernelCounts& counts) {
  return counts.atomics - counts.shared_atomics;
}

std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// The most bytes that a call has allocated at one time.
std::int64_t peak_of(const Recording& recording) {
  std::int64_t bytes = 0;
  std::int64_t peak = 0;
  for (const LedgerEntry& entry : recording.entries) {
    if (entry.queue.is_cpu()) continue;
    if (entry.kind == LedgerEntry::Kind::allocation) bytes += entry.bytes;
    if (entry.kind == LedgerEntry::Kind::release) bytes -= entry.bytes;
    peak = std::max(peak, bytes);
  }
  return peak;
}

/// What the limits of the statement are made of, and the limits.
struct Limits {
  Limits(const Inputs& inputs, const Case& of)
      : n(inputs.tensor(key(of.name, "q")).size(1)), one(of) {}
  [[nodiscard]] std::int64_t pairs() const {
    const std::int64_t tiles = (n + 31) / 32;
    return one.causal ? tiles * (tiles + 1) / 2 : tiles * tiles;
  }
  [[nodiscard]] std::int64_t floats(bool forward) const {
    const std::int64_t of_queries = forward ? 2 : 3;
    const std::int64_t of_keys = forward ? 0 : 2;
    return n * (one.d * (of_queries * one.heads + of_keys * one.groups) +
                16 * one.heads) +
           1024;
  }
  [[nodiscard]] std::int64_t loads(bool forward) const {
    const std::int64_t rows = 72 * pairs() + 4 * n;
    return one.d / 8 * one.heads * (forward ? rows : 2 * rows);
  }
  [[nodiscard]] std::int64_t least_loads(bool forward) const {
    return one.d / 8 * n * ((forward ? 1 : 2) * one.heads + 2 * one.groups);
  }
  [[nodiscard]] std::int64_t least_stores(bool forward) const {
    return one.d / 8 * n * (one.heads + (forward ? 0 : 2) * one.groups);
  }
  std::int64_t n;
  const Case& one;
};

template <class Look>
void each_call(const Look& look) {
  for (const Case& one : cases) {
    look(one, forward_of(one.name), true);
    look(one, backward_of(one.name), false);
  }
}

void judge_reads(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                 bool causal) {
  each_call([&](const Case& one, const std::string& call, bool forward) {
    if (one.causal != causal || item.lacks_counts(outcome, call)) return;
    const Limits limits(inputs, one);
    const std::int64_t loads =
        whole(counts_of(outcome.recording(call).entries).load_sectors);
    item.at_least(limits.least_loads(forward), loads, "sectors loaded", call);
    item.at_most(limits.loads(forward), loads, "sectors loaded", call);
  });
}

void judge_launches(ItemJudgement& item, const Outcome& outcome) {
  each_call([&](const Case&, const std::string& call, bool forward) {
    const Recording& recording = outcome.recording(call);
    const auto launches = static_cast<std::int64_t>(recording.kernels().size());
    if (!item.lacks_counts(outcome, call)) {
      item.at_least(1, launches, "launches of a kernel", call);
      item.at_most(forward ? 2 : 4, launches, "launches of a kernel", call);
    }
    item.equal(0, recording.operations(), "operations of the library", call);
    item.equal(0, recording.copies(), "copies", call);
    item.equal(0, recording.synchronisations(), "waits of the host", call);
  });
}

void judge_memory(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome) {
  each_call([&](const Case& one, const std::string& call, bool forward) {
    const Limits limits(inputs, one);
    const Recording& recording = outcome.recording(call);
    item.at_most(4 * limits.floats(forward), peak_of(recording), "bytes allocated",
                 call);
    if (item.lacks_counts(outcome, call)) return;
    const KernelCounts counts = counts_of(recording.entries);
    item.at_least(limits.least_stores(forward),
                  whole(counts.store_sectors + global_atomics(counts) / 8),
                  "sectors stored", call);
    item.at_most(limits.floats(forward) / 4,
                 whole(counts.store_sectors + global_atomics(counts) / 8),
                 "sectors stored", call);
  });
}

}  // namespace

std::vector<Item> items() {
  return {
      {"forward", 3, Kind::result, "results and log-sum-exps are correct", 2},
      {"backward", 4, Kind::result, "the gradients are correct, no argument changes",
       4},
      {"causal", 2, Kind::result, "both are correct where a query sees no later key",
       5},
      {"large", 1, Kind::result,
       "both are correct for scores that are large or far from 0", 2},
      {"repeated", 1, Kind::placement, "a repeated call returns the same bits", 4},
      {"placement", 1, Kind::placement, "the results are on the device of q", 1},
      {"launches", 2, Kind::cost,
       "at most 2 and 4 launches of your kernels compute them, without a wait", 1},
      {"memory", 2, Kind::cost, "the memory is linear in n", 1},
      {"reads", 3, Kind::cost, "32 rows of a block share what it loads", 3},
      {"skipped", 2, Kind::cost, "a causal call loads no tile that no query sees", 5},
      {"spread", 1, Kind::cost, "all warps and blocks have their share of the work",
       1}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const Case& one : cases) {
    const std::int64_t n = inputs.draw(one.least, one.most);
    const auto [q, k] = draw_q_and_k(one, n);
    // The mean of the values is not 0, nor is D.
    const Tensor v = 1.5 - rand(k.sizes());
    const Attention attention(q, k, v, one.causal);
    const auto put = [&](const char* what, const Tensor& values) {
      inputs.put(key(one.name, what), values);
    };
    put("q", q);
    put("k", k);
    put("v", v);
    put("dout", randn(q.sizes()) + 0.25);
    put("out", attention.out().tensor());
    put("lse", attention.lse().tensor());
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  Returned returned(outcome);
  for (const Case& one : cases) {
    std::vector<std::pair<std::string, Tensor>> given;
    for (const char* const name : arguments) {
      given.emplace_back(key(one.name, name) + ", afterwards",
                         inputs.tensor(key(one.name, name)).to(last_device()));
    }
    const auto call = [&](const std::string& name) {
      synchronize();
      Attended attended;
      const std::string forward = forward_of(name);
      if (outcome.attempt(forward, [&] {
            attended = flash_attention(given[1].second, given[2].second,
                                       given[3].second, one.causal);
          })) {
        returned.keep(key(forward, "out"), attended.out, given);
        returned.keep(key(forward, "lse"), attended.lse, {});
      }
      AttentionGradients gradients;
      const std::string backward = backward_of(name);
      if (outcome.attempt(backward, [&] {
            gradients = flash_attention_backward(
                given[0].second, given[1].second, given[2].second, given[3].second,
                given[4].second, given[5].second, one.causal);
          })) {
        returned.keep(key(backward, "dq"), gradients.dq, given);
        returned.keep(key(backward, "dk"), gradients.dk, {});
        returned.keep(key(backward, "dv"), gradients.dv, {});
      }
    };
    call(one.name);
    if (contains(repeated, one.name)) call(again(one.name));
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto judge_item = [&](const char* name, const auto& work) {
    judgement.item(name, [&](ItemJudgement& item) {
      if (!item.lacks_gpus(1)) work(item);
    });
  };
  const auto each_case = [&](auto use, auto judge_case) {
    return [&, use, judge_case](ItemJudgement& item) {
      for (const Case& one : cases)
        if (use(one)) judge_case(item, inputs, outcome, one);
    };
  };
  const auto is_plain = [](const Case& one) {
    return !one.causal && one.scores == Scores::ordinary;
  };
  const auto is_causal = [](const Case& one) {
    return one.causal && one.scores == Scores::ordinary;
  };
  const auto is_large = [](const Case& one) { return one.scores != Scores::ordinary; };
  const auto both = [](ItemJudgement& item, const Inputs& of, const Outcome& from,
                       const Case& one) {
    judge_forward(item, of, from, one);
    judge_backward(item, of, from, one);
  };
  judge_item("forward", each_case(is_plain, judge_forward));
  judge_item("backward", each_case(is_plain, judge_backward));
  judge_item("causal", each_case(is_causal, both));
  judge_item("large", each_case(is_large, both));
  judge_item("repeated", [&](ItemJudgement& item) {
    const auto compare = [&](const std::string& first, const std::string& second,
                             const char* what) {
      outcome.require(first);
      outcome.require(second);
      item.close(outcome.tensor(key(first, what)), outcome.tensor(key(second, what)), 0,
                 key(second, what));
    };
    for (const char* const name : repeated) {
      for (const char* const what : of_forward)
        compare(forward_of(name), forward_of(again(name)), what);
      for (const char* const what : of_backward)
        compare(backward_of(name), backward_of(again(name)), what);
    }
  });
  judge_item("placement", [&](ItemJudgement& item) {
    each_call([&](const Case&, const std::string& call, bool forward) {
      outcome.require(call);
      const auto placed = [&](const auto& results) {
        for (const char* const name : results)
          item.placed(outcome, key(call, name), last_device());
      };
      forward ? placed(of_forward) : placed(of_backward);
    });
  });
  judge_item("launches", [&](ItemJudgement& item) { judge_launches(item, outcome); });
  judge_item("memory",
             [&](ItemJudgement& item) { judge_memory(item, inputs, outcome); });
  judge_item("reads", [&](ItemJudgement& item) {
    judge_reads(item, inputs, outcome, /*causal=*/false);
  });
  judge_item("skipped", [&](ItemJudgement& item) {
    judge_reads(item, inputs, outcome, /*causal=*/true);
  });
  judge_item("spread", [&](ItemJudgement& item) {
    for (const char* const name : spread) {
      for (const auto& call : {forward_of(name), backward_of(name)}) {
        if (item.lacks_counts(outcome, call)) return;
        item.spread(counts_of(outcome.recording(call).entries), call);
      }
    }
  });
}

}  // namespace d2l::check
