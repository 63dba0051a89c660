// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int most_calls = 60;
constexpr int pushes = 5;

/// A store in which other workers change a value between a get() and the next put_if(), a given number of times.
class BusyStore : public Store {
 public:
  BusyStore(const std::map<std::string, Tensor>& values, std::map<std::string, std::int64_t> changes)
      : changes_(std::move(changes)) {
    for (const auto& [key, value] : values) entries_[key] = {value.clone(), 7};
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
  bool put_if(const std::string& key, const Tensor& value, std::int64_t version) override {
    count("put_if");
    ++puts;
    tried += key + " ";
    Entry& entry = entries_.at(key);
    if (entry.version != version) return false;
    entry = {value.clone(), version + 1};
    return true;
  }
  [[nodiscard]] const Tensor& value(const std::string& key) const { return entries_.at(key).value; }

  std::int64_t gets = 0;
  std::int64_t puts = 0;
  std::string tried;

 private:
  void count(const char* what) {
    if (++calls_ > most_calls) {
      throw ValueError("more than " + std::to_string(most_calls) + " calls of the store; the last is " + what);
    }
  }
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::int64_t> changes_;
  int calls_ = 0;
};

std::string numbered(const std::string& what, int i) { return what + " " + std::to_string(i); }
std::string call_of(int i) { return "push, other workers faster " + counted(i, "times"); }
const std::vector<std::string> keys{"bias", "scale", "weight"};
const std::string all = "push_all";

}  // namespace

std::vector<Item> items() {
  return {{"value", 3, Kind::result, "the value has all changes, each once", 1},
          {"gradient", 1, Kind::result, "the gradient does not change", 2},
          {"tries", 2, Kind::cost, "one try more for each time that another worker was faster", 1},
          {"keys", 2, Kind::result, "push_all() adds to the value of each key", 3},
          {"turns", 1, Kind::cost, "each key is tried once before any is tried again", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(2, 6);
  for (int i = 0; i <= pushes; ++i) {
    inputs.put(numbered("value", i), randn({n}));
    inputs.put(numbered("gradient", i), randn({n}));
  }
  const auto busiest = inputs.draw(0, 1);
  for (int i = 0; i < 3; ++i) inputs.put(numbered("changes", i), i == busiest ? 3 : inputs.draw(0, 1));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int i = 0; i <= pushes; ++i) {
    BusyStore store({{"w", inputs.tensor(numbered("value", i))}}, {{"w", i}});
    const Tensor gradient = inputs.tensor(numbered("gradient", i)).clone();
    if (!outcome.attempt(call_of(i), [&] { push(store, "w", gradient); })) continue;
    outcome.put(call_of(i) + " value", store.value("w"));
    outcome.put(call_of(i) + " gradient", gradient);
    outcome.put(call_of(i) + " gets", store.gets);
    outcome.put(call_of(i) + " puts", store.puts);
  }
  std::map<std::string, Tensor> values;
  std::map<std::string, Tensor> gradients;
  std::map<std::string, std::int64_t> changes;
  for (int i = 0; i < 3; ++i) {
    const auto& key = keys[static_cast<std::size_t>(i)];
    values[key] = inputs.tensor(numbered("value", i));
    gradients[key] = inputs.tensor(numbered("gradient", i));
    changes[key] = inputs.integer(numbered("changes", i));
  }
  BusyStore store(values, changes);
  if (!outcome.attempt(all, [&] { push_all(store, gradients); })) return;
  for (const auto& key : keys) outcome.put(all + " " + key, store.value(key));
  outcome.put(all + " tried", store.tried);
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("value", [&](ItemJudgement& item) {
    for (int i = 0; i <= pushes; ++i) {
      static_cast<void>(outcome.recording(call_of(i)));
      const Tensor expected = inputs.tensor(numbered("value", i)) + inputs.tensor(numbered("gradient", i)) + i;
      item.close(expected, outcome.tensor(call_of(i) + " value"), 1e-5, call_of(i));
    }
  });
  judgement.item("gradient", [&](ItemJudgement& item) {
    for (int i = 0; i <= pushes; ++i) {
      static_cast<void>(outcome.recording(call_of(i)));
      item.close(inputs.tensor(numbered("gradient", i)), outcome.tensor(call_of(i) + " gradient"), 0, call_of(i));
    }
  });
  judgement.item("tries", [&](ItemJudgement& item) {
    for (int i = 0; i <= pushes; ++i) {
      static_cast<void>(outcome.recording(call_of(i)));
      item.equal(i + 1, outcome.integer(call_of(i) + " gets"), "calls of get()", call_of(i));
      item.equal(i + 1, outcome.integer(call_of(i) + " puts"), "calls of put_if()", call_of(i));
    }
  });
  judgement.item("keys", [&](ItemJudgement& item) {
    static_cast<void>(outcome.recording(all));
    for (int i = 0; i < 3; ++i) {
      const auto& key = keys[static_cast<std::size_t>(i)];
      const Tensor expected = inputs.tensor(numbered("value", i)) + inputs.tensor(numbered("gradient", i)) +
                              static_cast<double>(inputs.integer(numbered("changes", i)));
      item.close(expected, outcome.tensor(all + " " + key), 1e-5, key);
    }
  });
  judgement.item("turns", [&](ItemJudgement& item) {
    static_cast<void>(outcome.recording(all));
    // In round r, the keys are tried that were changed at least r times.
    std::map<std::string, std::int64_t> expected;
    for (int i = 0; i < 3; ++i)
      expected[keys[static_cast<std::size_t>(i)]] = inputs.integer(numbered("changes", i)) + 1;
    std::map<std::string, std::int64_t> found;
    std::string key;
    bool fair = true;
    for (const char letter : outcome.text(all + " tried")) {
      if (letter != ' ') {
        key += letter;
        continue;
      }
      const std::int64_t round = found[key]++;
      for (const auto& other : keys) fair = fair && found[other] >= std::min(round, expected[other]);
      key.clear();
    }
    item.expect(fair, "each key tried before any is tried again", "the order " + outcome.text(all + " tried"), all);
    for (const auto& one : keys) item.equal(expected[one], found[one], "tries of " + one, all);
  });
}

}  // namespace d2l::check
