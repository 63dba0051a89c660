// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <cmath>
#include <functional>
#include <numeric>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr std::int64_t gap = 8;  // elements after a part of a larger tensor

/// A list of parameters. Half of the lists have an ε as large as the gradients, because
/// it has no effect elsewhere.
struct Case {
  const char* name;
  enum class Bits : std::int8_t { full, sixteen, both } bits;
  std::int64_t first_step;
  bool large_eps;
  bool parts = false;  // of larger tensors
  bool large = false;  // with a large tensor

  [[nodiscard]] std::int64_t steps() const { return large || first_step == 3 ? 1 : 2; }
  [[nodiscard]] bool is_short(std::size_t tensor) const {
    return bits == Bits::sixteen || (bits == Bits::both && tensor % 2 == 1);
  }
};

using Bits = Case::Bits;
constexpr const char* large_list = "a large and small tensors";
constexpr Case cases[] = {
    {"one tensor", Bits::full, 1, false},
    {"step 1000", Bits::full, 1000, true},
    {"sizes near those of warps and blocks", Bits::full, 1, true},
    {"300 tensors", Bits::full, 3, false},
    {"16 bits", Bits::sixteen, 1, true},
    {"both dtypes", Bits::both, 2, true},
    {"parts of larger tensors", Bits::both, 1, true, /*parts=*/true},
    {large_list, Bits::full, 5, true, false, /*large=*/true},
    {"a large and small tensors, 16 bits", Bits::sixteen, 1, false, false,
     /*large=*/true},
    {"tensors without elements", Bits::full, 1, false},
    {"no tensors", Bits::full, 1, false}};

std::string gradient_of(std::int64_t step) {
  return "gradient " + std::to_string(step + 1);
}

std::string call_of(const Case& one, std::int64_t step) {
  return key(one.name, "call " + std::to_string(step + 1));
}

std::vector<std::int64_t> draw_sizes(Inputs& inputs, const Case& one) {
  const std::string name = one.name;
  if (name == "no tensors") return {};
  if (name == "tensors without elements") return {0, 0};
  if (name == "one tensor") return {inputs.draw(1030, 1100)};
  std::vector<std::int64_t> sizes;
  if (name == "300 tensors") {
    for (int i = 0; i < 300; ++i) sizes.push_back(inputs.draw(1, 20));
  } else if (one.large) {
    sizes = {7, 33, 0, 65536 + inputs.draw(1000, 4000), 129, 1};
    if (one.bits == Bits::sixteen) sizes[3] /= 3;
  } else {
    sizes = {0, 1, 2, 3, 5, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 0};
    for (int i = 0; i < 3; ++i) sizes.push_back(inputs.draw(34, 700));
  }
  return sizes;
}

std::vector<std::int64_t> sizes_of(const Inputs& inputs, const Case& one) {
  return inputs.tensor(key(one.name, "sizes")).to_vector<std::int64_t>();
}

AdamWSettings settings_of(const Inputs& inputs, const Case& one) {
  const auto of = [&](const char* what) { return inputs.number(key(one.name, what)); };
  return {of("lr"), of("beta1"), of("beta2"), of("eps"), of("weight_decay")};
}

/// A concatenation of all tensors of an array, in parts of their sizes.
std::vector<Tensor> parts_of(const Tensor& all,
                             const std::vector<std::int64_t>& sizes) {
  std::vector<Tensor> parts;
  std::int64_t begin = 0;
  for (const std::int64_t size : sizes) {
    parts.push_back(all.narrow(0, begin, size));
    begin += size;
  }
  return parts;
}

/// The opposite of parts_of(), in float32 on the CPU.
Tensor all_of(const std::vector<Tensor>& tensors) {
  std::vector<float> all;
  for (const Tensor& tensor : tensors) {
    const auto values = tensor.cpu().to(kFloat).to_vector<float>();
    all.insert(all.end(), values.begin(), values.end());
  }
  return tensor(all, kFloat);
}

/// Rounds what belongs to parameters of 16 bits.
Tensor rounded(const Tensor& all, const Case& one,
               const std::vector<std::int64_t>& sizes) {
  auto parts = parts_of(all, sizes);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (one.is_short(i)) parts[i] = parts[i].to(kBFloat16);
  return all_of(parts);
}

/// A list of parameters on the device, and the larger tensors that have parts of it.
class List {
 public:
  List(const Inputs& inputs, const Case& one)
      : inputs_(inputs), case_(one), sizes_(sizes_of(inputs, one)) {
    parameters.resize(sizes_.size());
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      Parameter& p = parameters[i];
      p.value = place("value", 3 * i, i, one.is_short(i));
      p.mean = place("mean", 3 * i + 2, i, false);
      p.square = place("square", 3 * i + 7, i, false);
      if (one.is_short(i)) p.master = place("value", 3 * i + 4, i, false);
    }
  }

  /// New gradients. The old ones stay where they are.
  void set_gradients(std::int64_t step) {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      Parameter& p = parameters[i];
      kept_.push_back(p.gradient);
      p.gradient = place(gradient_of(step), 3 * i + 5, i, case_.is_short(i));
    }
  }

  /// One array of all parameters.
  [[nodiscard]] Tensor all(const std::function<Tensor(const Parameter&)>& array) const {
    std::vector<Tensor> tensors;
    for (const Parameter& p : parameters) tensors.push_back(array(p));
    return all_of(tensors);
  }

  /// What stands before and after the parts of larger tensors.
  [[nodiscard]] Tensor gaps() const { return all_of(gaps_); }
  std::vector<Parameter> parameters;

 private:
  /// Tensor i of an input, on the device. If it is part of a larger one, it begins at
  /// element `begin` % 8 of it.
  Tensor place(const std::string& input, std::size_t begin, std::size_t i,
               bool is_short) {
    const auto dtype = is_short ? kBFloat16 : kFloat;
    const Tensor all = inputs_.tensor(key(case_.name, input));
    const Tensor values = parts_of(all, sizes_)[i].to(dtype);
    if (!case_.parts) return values.clone().to(last_device());
    const auto before = static_cast<std::int64_t>(begin % 8);
    const auto with_gaps =
        cat({full({before}, 77, dtype), values, full({gap}, 77, dtype)})
            .to(last_device());
    gaps_.push_back(with_gaps.narrow(0, 0, before));
    gaps_.push_back(with_gaps.narrow(0, before + values.numel(), gap));
    return with_gaps.narrow(0, before, values.numel());
  }

  const Inputs& inputs_;
  const Case& case_;
  std::vector<std::int64_t> sizes_;
  std::vector<Tensor> gaps_;
  std::vector<Tensor> kept_;
};

/// The arrays after all steps, in float64.
struct Expected {
  Tensor value, mean, square;
};

Expected expected_of(const Inputs& inputs, const Case& one) {
  const AdamWSettings s = settings_of(inputs, one);
  const auto values = [&](const std::string& name) {
    return inputs.tensor(key(one.name, name)).to_vector<double>();
  };
  auto p = values("value");
  auto m = values("mean");
  auto v = values("square");
  for (std::int64_t step = 0; step < one.steps(); ++step) {
    const auto g = values(gradient_of(step));
    const auto t = static_cast<double>(one.first_step + step);
    for (std::size_t i = 0; i < p.size(); ++i) {
      m[i] += (1 - s.beta1) * (g[i] - m[i]);
      v[i] += (1 - s.beta2) * (g[i] * g[i] - v[i]);
      const double mean = m[i] / (1 - std::pow(s.beta1, t));
      const double square = v[i] / (1 - std::pow(s.beta2, t));
      p[i] -= s.lr * (s.weight_decay * p[i] + mean / (std::sqrt(square) + s.eps));
    }
  }
  return {tensor(p, kFloat), tensor(m, kFloat), tensor(v, kFloat)};
}

void run_case(const Inputs& inputs, Outcome& outcome, const Case& one) {
  List list(inputs, one);
  for (std::int64_t step = 0; step < one.steps(); ++step) {
    list.set_gradients(step);
    synchronize();
    if (!outcome.attempt(call_of(one, step), [&] {
          fused_adamw(list.parameters, settings_of(inputs, one), one.first_step + step);
        }))
      return;
    outcome.put(key(one.name, gradient_of(step)),
                list.all([](const Parameter& p) { return p.gradient; }));
  }
  const auto put = [&](const char* what, const auto& array) {
    outcome.put(key(one.name, what), list.all(array));
  };
  put("value", [](const Parameter& p) { return p.value; });
  put("mean", [](const Parameter& p) { return p.mean; });
  put("square", [](const Parameter& p) { return p.square; });
  put("master",
      [](const Parameter& p) { return p.master.defined() ? p.master : p.value; });
  outcome.put(key(one.name, "gaps"), list.gaps());
}

/// Sectors that a step must load, and those that it must store.
std::pair<std::int64_t, std::int64_t> needed(const Inputs& inputs, const Case& one) {
  const auto sizes = sizes_of(inputs, one);
  std::pair<std::int64_t, std::int64_t> sum;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t floats = (4 * sizes[i] + 31) / 32;
    const std::int64_t shorts = (2 * sizes[i] + 31) / 32;
    sum.first += 3 * floats + (one.is_short(i) ? shorts : floats);
    sum.second += 3 * floats + (one.is_short(i) ? shorts : 0);
  }
  return sum;
}

template <class Look>
void each_call(const Look& look) {
  for (const Case& one : cases) {
    for (std::int64_t step = 0; step < one.steps(); ++step)
      look(one, call_of(one, step));
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 3, Kind::result, "m, v and float32 parameters are those of AdamW", 2},
      {"rounded", 2, Kind::result,
       "masters are those of AdamW, and 16-bit parameters are masters, rounded", 3},
      {"others", 1, Kind::result, "no gradient and no memory between tensors changes",
       1},
      {"launches", 3, Kind::cost, "a step is one launch, and no copy within the device",
       1},
      {"tables", 1, Kind::cost, "at most 8 copies, to the device, of limited bytes", 4},
      {"sectors", 3, Kind::cost, "each array is loaded and stored once", 5},
      {"spread", 1, Kind::cost, "several blocks share the work of a large tensor", 1}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const Case& one : cases) {
    const auto sizes = draw_sizes(inputs, one);
    const auto n = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    const auto put = [&](const std::string& what, const auto& value) {
      inputs.put(key(one.name, what), value);
    };
    put("sizes", tensor(sizes, kLong));
    put("value", rand({n}) * 2 - 1);
    const bool first = one.first_step == 1;
    put("mean", first ? zeros({n}) : randn({n}) * 0.1);
    put("square", first ? zeros({n}) : rand({n}) + 0.1);
    for (std::int64_t step = 0; step < one.steps(); ++step) {
      Tensor gradient = rand({n}) * 4 - 2;
      // Without ε, a gradient that is always 0 would be divided by 0.
      for (std::int64_t i = 0; i < n; i += 9) gradient.data_ptr<float>()[i] = 0;
      put(gradient_of(step), rounded(gradient, one, sizes));
    }
    const auto part = [&](std::int64_t low, std::int64_t high) {
      return static_cast<double>(inputs.draw(low, high)) / 1000;
    };
    put("lr", part(20, 50));
    put("beta1", part(700, 900));
    put("beta2", part(950, 999));
    put("eps", one.large_eps ? part(200, 500) : 1e-8);
    put("weight_decay", part(100, 500));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  for (const Case& one : cases) run_case(inputs, outcome, one);
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto judge_item = [&](const char* name, const auto& work) {
    judgement.item(name, [&](ItemJudgement& item) {
      if (!item.lacks_gpus(1)) work(item);
    });
  };
  const auto found = [&](const Case& one, const std::string& what) {
    for (std::int64_t step = 0; step < one.steps(); ++step)
      outcome.require(call_of(one, step));
    return outcome.tensor(key(one.name, what));
  };
  // Float32 rounds a number below 4 by 1e-7. 1 − β₂ᵗ, if a kernel computes it, is off
  // by 6e-5, and its root by half of that, which is multiplied by lr, at most 0.05.
  const auto close = [&](ItemJudgement& item, const Case& one, const Tensor& expected,
                         const std::string& what) {
    item.close(expected, found(one, what), 5e-6, key(one.name, what), 1);
  };
  judge_item("values", [&](ItemJudgement& item) {
    for (const Case& one : cases) {
      const Expected expected = expected_of(inputs, one);
      close(item, one, expected.mean, "mean");
      close(item, one, expected.square, "square");
      if (one.bits == Bits::full) close(item, one, expected.value, "value");
    }
  });
  judge_item("rounded", [&](ItemJudgement& item) {
    for (const Case& one : cases) {
      if (one.bits == Bits::full) continue;
      close(item, one, expected_of(inputs, one).value, "master");
      item.close(rounded(found(one, "master"), one, sizes_of(inputs, one)),
                 found(one, "value"), 0, key(one.name, "value"));
    }
  });
  judge_item("others", [&](ItemJudgement& item) {
    item.expect(!found(cases[0], "value").equal(inputs.tensor("one tensor: value")),
                "new parameters", "those before the steps", "one tensor");
    for (const Case& one : cases) {
      for (std::int64_t step = 0; step < one.steps(); ++step) {
        const auto name = gradient_of(step);
        item.close(inputs.tensor(key(one.name, name)), found(one, name), 0,
                   key(one.name, name));
      }
      const Tensor gaps = found(one, "gaps");
      item.close(full(gaps.sizes(), 77, kFloat), gaps, 0, key(one.name, "gaps"));
    }
  });
  judge_item("launches", [&](ItemJudgement& item) {
    each_call([&](const Case& one, const std::string& call) {
      const Recording& recording = outcome.recording(call);
      const auto launches = static_cast<std::int64_t>(recording.kernels().size());
      if (inputs.tensor(key(one.name, "value")).numel() > 0) {
        if (item.lacks_counts(outcome, call)) return;
        item.equal(1, launches, "launches of a kernel", call);
      }
      item.at_most(1, launches, "launches of a kernel", call);
      item.equal(0, recording.copies(Direction::within_device),
                 "copies within the device", call);
      item.equal(0, recording.operations(), "operations of the library", call);
      item.equal(0, recording.synchronisations(), "waits of the host", call);
    });
  });
  judge_item("tables", [&](ItemJudgement& item) {
    each_call([&](const Case& one, const std::string& call) {
      const Recording& recording = outcome.recording(call);
      item.equal(0, recording.copies_to_host(), "copies to the host", call);
      item.at_most(8, recording.copies(Direction::host_to_device),
                   "copies to the device", call);
      const std::int64_t tensors = inputs.tensor(key(one.name, "sizes")).numel();
      const std::int64_t n = inputs.tensor(key(one.name, "value")).numel();
      const std::int64_t limit = 4096 + 256 * tensors + n / 4;
      item.at_most(limit, recording.copied_bytes(Direction::host_to_device),
                   "bytes copied to the device", call);
      std::int64_t allocated = 0;
      for (const LedgerEntry& entry : recording.entries)
        if (entry.kind == LedgerEntry::Kind::allocation && !entry.queue.is_cpu())
          allocated += entry.bytes;
      item.at_most(limit, allocated, "bytes allocated", call);
    });
  });
  judge_item("sectors", [&](ItemJudgement& item) {
    each_call([&](const Case& one, const std::string& call) {
      if (!one.large || item.lacks_counts(outcome, call)) return;
      const auto [loads, stores] = needed(inputs, one);
      const std::int64_t more = 64 * inputs.tensor(key(one.name, "sizes")).numel();
      const KernelCounts counts = counts_of(outcome.recording(call).entries);
      const auto judge_count = [&](std::int64_t needs, std::uint64_t count,
                                   const char* what) {
        const auto whole = static_cast<std::int64_t>(count);
        item.at_least(needs, whole, what, call);
        item.at_most(9 * needs / 8 + more, whole, what, call);
      };
      judge_count(loads, counts.load_sectors, "sectors loaded");
      judge_count(stores, counts.store_sectors, "sectors stored");
    });
  });
  judge_item("spread", [&](ItemJudgement& item) {
    const auto call = key(large_list, "call 1");
    if (item.lacks_counts(outcome, call)) return;
    for (const KernelRun& run : outcome.recording(call).kernels())
      item.spread(run.counts, call);
  });
}

}  // namespace d2l::check
