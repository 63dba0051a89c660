// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

// Epochs of 0 to 60 examples, the longest too; the numbers of ranks up to the largest;
// one epoch of more than 65535 examples, whose numbers need more than 32 bits; a batch
// that is larger than the epoch; and one that does not fit into 32 bits, with nothing
// left to do.
constexpr int calls = 11;
constexpr int longest = 7;
constexpr int very_long = 8;
constexpr int one_batch = 9;
constexpr int past_all = 10;
constexpr int max_ranks = 6;
using Lists = std::vector<std::vector<std::int64_t>>;

struct Epoch {
  std::string name;
  std::vector<std::int64_t> order;
  std::int64_t batch_size;
  std::int64_t steps_done;
  int ranks;
  [[nodiscard]] std::int64_t examples() const {
    return static_cast<std::int64_t>(order.size());
  }
  /// The examples of batch i.
  [[nodiscard]] std::vector<std::int64_t> batch(std::int64_t i) const {
    std::vector<std::int64_t> found;
    for (std::int64_t j = i * batch_size;
         j < std::min((i + 1) * batch_size, examples()); ++j) {
      found.push_back(order[static_cast<std::size_t>(j)]);
    }
    return found;
  }
  [[nodiscard]] std::int64_t steps() const {
    return examples() / batch_size + (examples() % batch_size == 0 ? 0 : 1);
  }
};

Epoch epoch_of(const Inputs& inputs, int call) {
  const auto name = "epoch " + std::to_string(call + 1);
  Epoch one{name,
            {},
            inputs.integer(name + " batch"),
            inputs.integer(name + " done"),
            static_cast<int>(inputs.integer(name + " ranks"))};
  for (const double example : inputs.tensor(name + " order").to_vector<double>()) {
    one.order.push_back(static_cast<std::int64_t>(example));
  }
  return one;
}

std::string call_of(const Epoch& one, int rank) {
  return one.name + ", rank " + std::to_string(rank);
}

/// Lists as a tensor: their number, then their lengths, then their elements.
Tensor as_tensor(const Lists& lists) {
  std::vector<double> numbers{static_cast<double>(lists.size())};
  for (const auto& list : lists) numbers.push_back(static_cast<double>(list.size()));
  for (const auto& list : lists) {
    for (const std::int64_t example : list)
      numbers.push_back(static_cast<double>(example));
  }
  return from_blob(numbers.data(), {static_cast<std::int64_t>(numbers.size())}, kDouble)
      .clone();
}

Lists from_tensor(const Tensor& tensor) {
  const auto numbers = tensor.to_vector<double>();
  Lists lists(static_cast<std::size_t>(numbers.at(0)));
  std::size_t next = 1 + lists.size();
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (double left = numbers.at(1 + i); left > 0; --left) {
      lists[i].push_back(static_cast<std::int64_t>(numbers.at(next++)));
    }
  }
  return lists;
}

/// The examples as a text, if they are few.
std::string text_of(const std::vector<std::int64_t>& examples) {
  constexpr std::size_t few = 100;
  if (examples.size() > few)
    return counted(static_cast<std::int64_t>(examples.size()), "examples");
  return "the examples " + repr(examples);
}

}  // namespace

std::vector<Item> items() {
  return {{"steps", 2, Kind::result, "there is a list for each remaining step", 2},
          {"batches", 3, Kind::result,
           "the lists of all ranks are the batch, in its order", 1},
          {"even", 1, Kind::result,
           "the lists of a step differ by at most one in length", 3},
          {"once", 2, Kind::result,
           "with what was done before, each example is used once", 1}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  for (int call = 0; call < calls; ++call) {
    const auto name = "epoch " + std::to_string(call + 1);
    // The first epoch has a smaller last batch, whose rows no number of ranks divides;
    // the second has no steps left; in the fourth some ranks have no examples.
    const std::int64_t batch = call == 0           ? 10
                               : call == 3         ? 2
                               : call == longest   ? 16
                               : call == very_long ? 20001
                               : call == one_batch ? 1000
                               : call == past_all  ? std::int64_t{1} << 40
                                                   : inputs.draw(1, 16);
    const std::int64_t count = call == 0           ? 10 * inputs.draw(2, 4) + 7
                               : call == 2         ? 0
                               : call == longest   ? 60
                               : call == very_long ? inputs.draw(66000, 67000)
                                                   : inputs.draw(1, 60);
    const std::int64_t first = call == very_long ? std::int64_t{1} << 40 : 0;
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < count; ++i) order.push_back(first + i);
    for (std::size_t left = order.size(); left > 1; --left) {
      std::swap(order[left - 1], order[static_cast<std::size_t>(inputs.draw(
                                     0, static_cast<std::int64_t>(left) - 1))]);
    }
    std::vector<double> numbers(order.begin(), order.end());
    inputs.put(name + " order", from_blob(numbers.data(), {count}, kDouble).clone());
    inputs.put(name + " batch", batch);
    const std::int64_t steps = (count + batch - 1) / batch;
    const bool is_new = call == 3 || call == longest || call == one_batch;
    inputs.put(name + " done", call == 0 || call == very_long  ? 1
                               : call == 1 || call == past_all ? steps
                               : is_new                        ? 0
                                                               : inputs.draw(0, steps));
    inputs.put(name + " ranks", call == 0         ? 4
                                : call == 3       ? 5
                                : call == longest ? max_ranks
                                                  : inputs.draw(1, max_ranks));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int call = 0; call < calls; ++call) {
    const Epoch one = epoch_of(inputs, call);
    for (int rank = 0; rank < one.ranks; ++rank) {
      outcome.attempt(call_of(one, rank), [&] {
        outcome.put(call_of(one, rank),
                    as_tensor(rest_of_epoch(one.order, one.batch_size, one.steps_done,
                                            rank, one.ranks)));
      });
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  // The lists of all ranks; a rank with another number of steps fails the item.
  const auto each =
      [&](ItemJudgement& item,
          const std::function<void(const Epoch&, const std::vector<Lists>&)>& look) {
        for (int call = 0; call < calls; ++call) {
          const Epoch one = epoch_of(inputs, call);
          std::vector<Lists> all;
          bool whole = true;
          for (int rank = 0; rank < one.ranks; ++rank) {
            outcome.require(call_of(one, rank));
            all.push_back(from_tensor(outcome.tensor(call_of(one, rank))));
            const auto found = static_cast<std::int64_t>(all.back().size());
            item.equal(one.steps() - one.steps_done, found, "steps",
                       call_of(one, rank));
            whole = whole && found == one.steps() - one.steps_done;
          }
          if (whole) look(one, all);
        }
      };
  judgement.item("steps", [&](ItemJudgement& item) {
    each(item, [](const Epoch&, const std::vector<Lists>&) {});
  });
  judgement.item("batches", [&](ItemJudgement& item) {
    each(item, [&](const Epoch& one, const std::vector<Lists>& all) {
      for (std::size_t step = 0; step < all.front().size(); ++step) {
        std::vector<std::int64_t> joined;
        for (const Lists& lists : all)
          joined.insert(joined.end(), lists[step].begin(), lists[step].end());
        const auto batch = one.batch(one.steps_done + static_cast<std::int64_t>(step));
        item.expect(joined == batch, text_of(batch), text_of(joined), one.name);
      }
    });
  });
  judgement.item("even", [&](ItemJudgement& item) {
    each(item, [&](const Epoch& one, const std::vector<Lists>& all) {
      for (std::size_t step = 0; step < all.front().size(); ++step) {
        std::vector<std::int64_t> sizes;
        for (const Lists& lists : all)
          sizes.push_back(static_cast<std::int64_t>(lists[step].size()));
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
        item.expect(*most - *least <= 1, "lengths that differ by at most one",
                    "the lengths " + repr(sizes), one.name);
      }
    });
  });
  judgement.item("once", [&](ItemJudgement& item) {
    each(item, [&](const Epoch& one, const std::vector<Lists>& all) {
      std::vector<std::int64_t> used;
      for (std::int64_t i = 0; i < one.steps_done; ++i) {
        const auto batch = one.batch(i);
        used.insert(used.end(), batch.begin(), batch.end());
      }
      for (const Lists& lists : all) {
        for (const auto& list : lists)
          used.insert(used.end(), list.begin(), list.end());
      }
      std::sort(used.begin(), used.end());
      auto expected = one.order;
      std::sort(expected.begin(), expected.end());
      item.expect(used == expected,
                  "each of the " + counted(one.examples(), "examples") + " once",
                  text_of(used), one.name);
    });
  });
}

}  // namespace d2l::check
