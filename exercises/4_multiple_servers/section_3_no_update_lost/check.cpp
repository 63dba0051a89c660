// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int max_calls = 120;
constexpr int pushes =
    5;  // the changes of other workers before a push succeeds, at most
constexpr int long_one = 1;  // the value with more than 65536 numbers
constexpr int wide_one = 2;  // the value of float64

/// Calls of push_all(): with three keys, one of them busy; with none; with one; and
/// with seven.
constexpr int all_calls = 4;
constexpr int keys_of[all_calls] = {3, 0, 1, 7};

/// A store in which other workers change a value between a get() and the next put_if(),
/// a given number of times.
class BusyStore : public Store {
 public:
  BusyStore(const std::map<std::string, Tensor>& values,
            std::map<std::string, std::int64_t> changes, std::int64_t version)
      : changes_(std::move(changes)) {
    for (const auto& [key, value] : values) entries_[key] = {value.clone(), version};
  }
  Entry get(const std::string& key) override {
    count("get");
    ++gets;
    Entry& entry = entries_.at(key);
    Entry copy{entry.value.clone(), entry.version};
    if (changes_[key] > 0) {  // another worker is faster
      --changes_[key];
      entry.value = entry.value + 1;
      ++entry.version;
    }
    return copy;
  }
  bool put_if(const std::string& key, const Tensor& value,
              std::int64_t version) override {
    count("put_if");
    ++puts;
    tried += key + ";";
    Entry& entry = entries_.at(key);
    if (entry.version != version) return false;
    entry = {value.clone(), version + 1};
    return true;
  }
  [[nodiscard]] const Tensor& value(const std::string& key) const {
    return entries_.at(key).value;
  }

  std::int64_t gets = 0;
  std::int64_t puts = 0;
  std::string tried;

 private:
  void count(const char* what) {
    if (++calls_ > max_calls) {
      throw ValueError("more than " + std::to_string(max_calls) +
                       " calls of the store; the last is " + what);
    }
  }
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::int64_t> changes_;
  int calls_ = 0;
};

std::string numbered(const std::string& what, int i) {
  return what + " " + std::to_string(i);
}
std::string call_of(int i) {
  return "push, other workers faster " + counted(i, "times");
}
const std::vector<std::string> keys{"bias",   "scale", "weight", "a",
                                    "key 10", "key 9", "z"};
std::string all_of(int call) {
  return "push_all with " + counted(keys_of[call], "keys");
}
std::string changes_of(int call, int key) {
  return numbered(numbered("changes", call), key);
}

}  // namespace

std::vector<Item> items() {
  return {
      {"value", 3, Kind::result, "the value has all changes, each once", 1},
      {"gradient", 1, Kind::result, "the gradient does not change", 2},
      {"tries", 2, Kind::cost,
       "one more try for each time that another worker was faster", 1},
      {"keys", 2, Kind::result, "push_all() adds to the value of each key", 3},
      {"turns", 1, Kind::cost, "each key is tried once before any is tried again", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(2, 6);
  const auto many = inputs.draw(66000, 67000);
  for (int i = 0; i < static_cast<int>(keys.size()); ++i) {
    for (const char* const what : {"value", "gradient"}) {
      inputs.put(numbered(what, i), i == long_one   ? randn({many})
                                    : i == wide_one ? randn({n, 2}, kDouble)
                                                    : randn({n}));
    }
    // From 0 on, and beyond 32 bits.
    inputs.put(
        numbered("version", i),
        i == 0 ? 0 : inputs.draw(1, 100) + (i % 2 == 0 ? std::int64_t{5} << 32 : 0));
  }
  for (int call = 0; call < all_calls; ++call) {
    const auto busiest = inputs.draw(0, 1);
    for (int i = 0; i < keys_of[call]; ++i) {
      inputs.put(changes_of(call, i), i == busiest || keys_of[call] == 1
                                          ? 3 + 2 * inputs.draw(0, 1)
                                          : inputs.draw(0, 1));
    }
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int i = 0; i <= pushes; ++i) {
    BusyStore store({{"w", inputs.tensor(numbered("value", i))}}, {{"w", i}},
                    inputs.integer(numbered("version", i)));
    const Tensor gradient = inputs.tensor(numbered("gradient", i)).clone();
    if (!outcome.attempt(call_of(i), [&] { push(store, "w", gradient); })) continue;
    outcome.put(call_of(i) + " value", store.value("w"));
    outcome.put(call_of(i) + " gradient", gradient);
    outcome.put(call_of(i) + " gets", store.gets);
    outcome.put(call_of(i) + " puts", store.puts);
  }
  for (int call = 0; call < all_calls; ++call) {
    const auto all = all_of(call);
    std::map<std::string, Tensor> values;
    std::map<std::string, Tensor> gradients;
    std::map<std::string, std::int64_t> changes;
    for (int i = 0; i < keys_of[call]; ++i) {
      const auto& key = keys[static_cast<std::size_t>(i)];
      values[key] = inputs.tensor(numbered("value", i));
      gradients[key] = inputs.tensor(numbered("gradient", i)).clone();
      changes[key] = inputs.integer(changes_of(call, i));
    }
    BusyStore store(values, changes, inputs.integer("version 2"));
    if (!outcome.attempt(all, [&] { push_all(store, gradients); })) continue;
    for (const auto& [key, gradient] : gradients) {
      outcome.put(all + " " + key, store.value(key));
      outcome.put(all + " gradient " + key, gradient);
    }
    outcome.put(all + " tried", store.tried);
    outcome.put(all + " gets", store.gets);
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each_call = [&](const std::function<void(int, const std::string&)>& look) {
    for (int call = 0; call < all_calls; ++call) {
      outcome.require(all_of(call));
      look(call, all_of(call));
    }
  };
  // Relative to the numbers added: a sum near 0 has the rounding of its order.
  const auto tolerance_of = [](const Tensor& expected) {
    return expected.dtype() == kDouble ? 1e-13 : 1e-5;
  };
  judgement.item("value", [&](ItemJudgement& item) {
    for (int i = 0; i <= pushes; ++i) {
      outcome.require(call_of(i));
      const Tensor expected = inputs.tensor(numbered("value", i)) +
                              inputs.tensor(numbered("gradient", i)) + i;
      item.close(expected, outcome.tensor(call_of(i) + " value"),
                 tolerance_of(expected), call_of(i), 1);
    }
  });
  judgement.item("gradient", [&](ItemJudgement& item) {
    for (int i = 0; i <= pushes; ++i) {
      outcome.require(call_of(i));
      item.close(inputs.tensor(numbered("gradient", i)),
                 outcome.tensor(call_of(i) + " gradient"), 0, call_of(i));
    }
    each_call([&](int call, const std::string& all) {
      for (int i = 0; i < keys_of[call]; ++i) {
        const auto name = all + " gradient " + keys[static_cast<std::size_t>(i)];
        item.close(inputs.tensor(numbered("gradient", i)), outcome.tensor(name), 0,
                   all);
      }
    });
  });
  judgement.item("tries", [&](ItemJudgement& item) {
    for (int i = 0; i <= pushes; ++i) {
      outcome.require(call_of(i));
      item.equal(i + 1, outcome.integer(call_of(i) + " gets"), "calls of get()",
                 call_of(i));
      item.equal(i + 1, outcome.integer(call_of(i) + " puts"), "calls of put_if()",
                 call_of(i));
    }
  });
  judgement.item("keys", [&](ItemJudgement& item) {
    each_call([&](int call, const std::string& all) {
      for (int i = 0; i < keys_of[call]; ++i) {
        const auto& key = keys[static_cast<std::size_t>(i)];
        const Tensor expected =
            inputs.tensor(numbered("value", i)) +
            inputs.tensor(numbered("gradient", i)) +
            static_cast<double>(inputs.integer(changes_of(call, i)));
        item.close(expected, outcome.tensor(all + " " + key), tolerance_of(expected),
                   all + ", " + key, 1);
      }
    });
  });
  judgement.item("turns", [&](ItemJudgement& item) {
    each_call([&](int call, const std::string& all) {
      std::map<std::string, std::int64_t> expected;
      std::int64_t tries = 0;
      for (int i = 0; i < keys_of[call]; ++i) {
        tries += expected[keys[static_cast<std::size_t>(i)]] =
            inputs.integer(changes_of(call, i)) + 1;
      }
      std::map<std::string, std::int64_t> found;
      bool fair = true;
      std::istringstream tried(outcome.text(all + " tried"));
      for (std::string key; std::getline(tried, key, ';');) {
        const std::int64_t round = found[key]++;
        for (const auto& [other, count] : expected)
          fair = fair && found[other] >= std::min<std::int64_t>({round, count, 1});
      }
      item.expect(fair, "each key tried before any is tried again",
                  "the order " + outcome.text(all + " tried"), all);
      for (const auto& [key, count] : expected)
        item.equal(count, found[key], "tries of " + key, all);
      item.equal(tries, outcome.integer(all + " gets"), "calls of get()", all);
    });
  });
}

}  // namespace d2l::check
