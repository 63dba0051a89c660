// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int most_ranks = 6;

/// What joins the ranks. It knows for what each rank waits, so it finds a deadlock when the last rank begins to wait.
class Hub {
 public:
  explicit Hub(int size) : size_(size), ranks_(static_cast<std::size_t>(size)) {}

  void send(const Tensor& tensor, int from, int to) {
    check(to);
    if (from == to) throw ValueError("rank " + std::to_string(from) + " sends to itself");
    std::unique_lock lock(mutex_);
    at(from) = {State::sends, to, tensor.clone()};
    ++messages;
    wait(lock, [&] { return !at(from).tensor; });
    at(from) = {};
  }
  Tensor receive(int at_rank, int from) {
    check(from);
    std::unique_lock lock(mutex_);
    at(at_rank) = {State::receives, from, std::nullopt};
    wait(lock, [&] { return offers(from, at_rank); });
    Tensor tensor = *at(from).tensor;
    at(from).tensor.reset();
    at(at_rank) = {};
    changed_.notify_all();
    return tensor;
  }
  void finish(int rank) {
    const std::lock_guard lock(mutex_);
    at(rank) = {State::finished, 0, std::nullopt};
    find_deadlock();
  }
  [[nodiscard]] int size() const { return size_; }

  std::int64_t messages = 0;

 private:
  enum class State { computes, sends, receives, finished };
  struct Rank {
    State state = State::computes;
    int other = 0;
    std::optional<Tensor> tensor;  ///< that it sends, until it is received
  };
  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  void check(int rank) const {
    if (rank < 0 || rank >= size_) throw ValueError("there is no rank " + std::to_string(rank));
  }
  bool offers(int from, int to) { return at(from).state == State::sends && at(from).other == to && at(from).tensor; }

  template <class Done>
  void wait(std::unique_lock<std::mutex>& lock, const Done& done) {
    changed_.notify_all();
    find_deadlock();
    changed_.wait(lock, [&] { return done() || !deadlock_.empty(); });
    if (!done()) throw ValueError(deadlock_);
  }
  /// Whether a rank can go on without another one.
  bool stands(int rank) {
    const Rank& one = at(rank);
    if (one.state == State::computes) return false;
    if (one.state == State::finished) return true;
    if (one.state == State::receives) return !offers(one.other, rank);
    return one.tensor && !(at(one.other).state == State::receives && at(one.other).other == rank);
  }
  void find_deadlock() {
    bool waits = false;
    std::string text = "deadlock:";
    for (int rank = 0; rank < size_; ++rank) {
      if (!stands(rank)) return;
      const Rank& one = at(rank);
      if (one.state == State::finished) continue;
      waits = true;
      text += " rank " + std::to_string(rank) + (one.state == State::sends ? " sends to " : " receives from ") +
              std::to_string(one.other) + ";";
    }
    if (!waits) return;
    text.back() = '.';
    deadlock_ = text;
    changed_.notify_all();
  }

  int size_;
  std::vector<Rank> ranks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string deadlock_;
};

class WiresOfRank : public Wires {
 public:
  WiresOfRank(Hub& hub, int rank) : hub_(hub), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return hub_.size(); }
  void send(const Tensor& tensor, int to) override { hub_.send(tensor, rank_, to); }
  Tensor receive(int from) override { return hub_.receive(rank_, from); }

 private:
  Hub& hub_;
  int rank_;
};

/// Runs all ranks, each in a thread, and throws the first error.
void run_all(Hub& hub, const std::function<void(Wires&)>& work) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(hub.size()));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < hub.size(); ++rank) {
    threads.emplace_back([&, rank] {
      try {
        WiresOfRank wires(hub, rank);
        work(wires);
      } catch (...) {
        errors[static_cast<std::size_t>(rank)] = std::current_exception();
      }
      hub.finish(rank);
    });
  }
  for (auto& thread : threads) thread.join();
  // A rank's own mistake comes before the deadlock that it causes.
  std::exception_ptr first;
  for (const auto& error : errors) {
    if (!error) continue;
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& known) {
      if (!first || std::string(known.what()).find("deadlock:") == std::string::npos) first = error;
    }
  }
  if (first) std::rethrow_exception(first);
}

std::string shift_of(int ranks) { return "shift on " + counted(ranks, "ranks"); }
std::string exchange_of(int ranks) { return "exchange_all on " + counted(ranks, "ranks"); }
std::string at_rank(const std::string& call, int rank) { return call + ", rank " + std::to_string(rank); }

Tensor tensor_of(const Inputs& inputs, int from, int to) {
  return inputs.tensor("tensors").select(0, from).select(0, to).clone();
}

}  // namespace

std::vector<Item> items() {
  return {{"shift", 3, Kind::result, "each rank gets the tensor of the rank before", 1},
          {"alone", 1, Kind::result, "one rank keeps its own tensor", 2},
          {"exchange", 3, Kind::result, "each rank gets its part of every rank", 3},
          {"messages", 2, Kind::cost, "no tensor is sent twice, and none to the rank itself", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  inputs.put("tensors", randn({most_ranks, most_ranks, inputs.draw(2, 5)}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    std::vector<Tensor> results(static_cast<std::size_t>(ranks));
    Hub hub(ranks);
    if (outcome.attempt(shift_of(ranks), [&] {
          run_all(hub, [&](Wires& wires) {
            results[static_cast<std::size_t>(wires.rank())] = shift(wires, tensor_of(inputs, wires.rank(), 0));
          });
        })) {
      outcome.put(shift_of(ranks) + " messages", hub.messages);
      for (int rank = 0; rank < ranks; ++rank) {
        const Tensor& result = results[static_cast<std::size_t>(rank)];
        if (result.defined()) outcome.result(at_rank(shift_of(ranks), rank), result);
      }
    }
    std::vector<std::vector<Tensor>> lists(static_cast<std::size_t>(ranks));
    Hub other(ranks);
    if (outcome.attempt(exchange_of(ranks), [&] {
          run_all(other, [&](Wires& wires) {
            std::vector<Tensor> parts;
            for (int i = 0; i < ranks; ++i) parts.push_back(tensor_of(inputs, wires.rank(), i));
            lists[static_cast<std::size_t>(wires.rank())] = exchange_all(wires, parts);
          });
        })) {
      outcome.put(exchange_of(ranks) + " messages", other.messages);
      for (int rank = 0; rank < ranks; ++rank) {
        const auto& list = lists[static_cast<std::size_t>(rank)];
        const bool whole = list.size() == static_cast<std::size_t>(ranks) &&
                           std::all_of(list.begin(), list.end(), [](const Tensor& one) { return one.defined(); });
        if (whole) outcome.result(at_rank(exchange_of(ranks), rank), stack(list));
      }
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto expect_shift = [&](ItemJudgement& item, int ranks) {
    static_cast<void>(outcome.recording(shift_of(ranks)));
    for (int rank = 0; rank < ranks; ++rank) {
      const auto name = at_rank(shift_of(ranks), rank);
      item.close(tensor_of(inputs, (rank + ranks - 1) % ranks, 0), outcome.tensor(name), 0, name);
    }
  };
  judgement.item("shift", [&](ItemJudgement& item) {
    for (int ranks = 2; ranks <= most_ranks; ++ranks) expect_shift(item, ranks);
  });
  judgement.item("alone", [&](ItemJudgement& item) { expect_shift(item, 1); });
  judgement.item("exchange", [&](ItemJudgement& item) {
    for (int ranks = 1; ranks <= most_ranks; ++ranks) {
      static_cast<void>(outcome.recording(exchange_of(ranks)));
      for (int rank = 0; rank < ranks; ++rank) {
        const auto name = at_rank(exchange_of(ranks), rank);
        std::vector<Tensor> expected;
        for (int from = 0; from < ranks; ++from) expected.push_back(tensor_of(inputs, from, rank));
        item.close(stack(expected), outcome.tensor(name), 0, name);
      }
    }
  });
  judgement.item("messages", [&](ItemJudgement& item) {
    for (int ranks = 1; ranks <= most_ranks; ++ranks) {
      static_cast<void>(outcome.recording(shift_of(ranks)));
      static_cast<void>(outcome.recording(exchange_of(ranks)));
      item.equal(ranks == 1 ? 0 : ranks, outcome.integer(shift_of(ranks) + " messages"), "messages", shift_of(ranks));
      item.equal(std::int64_t{ranks} * (ranks - 1), outcome.integer(exchange_of(ranks) + " messages"), "messages",
                 exchange_of(ranks));
    }
  });
}

}  // namespace d2l::check
