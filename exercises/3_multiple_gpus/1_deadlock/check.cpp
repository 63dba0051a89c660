// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int max_ranks = 8;

/// Connects the ranks. A rank may send and receive in several threads at once. When
/// every rank waits or has returned and nothing moves for a while, in which another
/// thread of a rank could begin, that is a deadlock.
class Hub {
 public:
  explicit Hub(int size) : size_(size), finished_(static_cast<std::size_t>(size)) {}

  void send(const Tensor& tensor, int from, int to) {
    check(to);
    if (from == to)
      throw ValueError("rank " + std::to_string(from) + " sends to itself");
    std::unique_lock lock(mutex_);
    const auto own = begin({true, from, to, tensor.clone()});
    messages_.push_back({from, to});
    wait(lock, [&] { return own->taken; });
    end(own);
  }
  Tensor receive(int rank, int from) {
    check(from);
    std::unique_lock lock(mutex_);
    const auto own = begin({false, rank, from, {}});
    auto sent = waiting_.end();
    wait(lock, [&] {
      sent = offered(from, rank);
      return sent != waiting_.end();
    });
    sent->taken = true;
    Tensor tensor = sent->tensor;
    end(own);
    return tensor;
  }
  void finish(int rank) {
    const std::lock_guard lock(mutex_);
    finished_[static_cast<std::size_t>(rank)] = true;
    ++moves_;
  }
  [[nodiscard]] int size() const { return size_; }
  /// How often each rank sent to each other: the row is the sender.
  [[nodiscard]] Tensor messages() const {
    Tensor table = zeros({size_, size_}, kLong);
    for (const auto& [from, to] : messages_)
      ++table.data_ptr<std::int64_t>()[from * size_ + to];
    return table;
  }

 private:
  struct Call {
    bool sends;
    int rank;
    int other;
    Tensor tensor;
    bool taken = false;
  };
  using Place = std::list<Call>::iterator;

  void check(int rank) const {
    if (rank < 0 || rank >= size_)
      throw ValueError("there is no rank " + std::to_string(rank));
  }
  Place begin(Call call) {
    ++moves_;
    changed_.notify_all();
    return waiting_.insert(waiting_.end(), std::move(call));
  }
  void end(Place own) {
    waiting_.erase(own);
    ++moves_;
    changed_.notify_all();
  }

  /// What `from` sends to `to` and nothing has received yet.
  Place offered(int from, int to) {
    return std::find_if(waiting_.begin(), waiting_.end(), [&](const Call& one) {
      return one.sends && !one.taken && one.rank == from && one.other == to;
    });
  }

  template <class Done>
  void wait(std::unique_lock<std::mutex>& lock, const Done& done) {
    constexpr auto quiet = std::chrono::milliseconds(500);
    bool was_quiet = false;  // once may be a busy computer
    while (!done()) {
      if (!deadlock_.empty()) throw ValueError(deadlock_);
      const auto moves = moves_;
      const bool woken = changed_.wait_for(
          lock, quiet, [&] { return moves_ != moves || !deadlock_.empty(); });
      if (woken) {
        was_quiet = false;
      } else if (std::exchange(was_quiet, true) && all_stand()) {
        deadlock_ = "deadlock:" + text_of_waiting();
        changed_.notify_all();
      }
    }
  }
  /// Whether each rank has returned, or waits for what is not there.
  bool all_stand() {
    for (const Call& one : waiting_) {
      if (one.sends ? one.taken : offered(one.other, one.rank) != waiting_.end())
        return false;
    }
    for (int rank = 0; rank < size_; ++rank) {
      const bool waits = std::any_of(waiting_.begin(), waiting_.end(),
                                     [&](const Call& one) { return one.rank == rank; });
      if (!waits && !finished_[static_cast<std::size_t>(rank)]) return false;
    }
    return true;
  }
  [[nodiscard]] std::string text_of_waiting() const {
    std::string text;
    for (int rank = 0; rank < size_; ++rank) {
      for (const Call& one : waiting_) {
        if (one.rank != rank) continue;
        text += " rank " + std::to_string(rank) +
                (one.sends ? " sends to " : " receives from ") +
                std::to_string(one.other) + ";";
      }
    }
    text.back() = '.';
    return text;
  }

  int size_;
  std::vector<bool> finished_;
  std::list<Call> waiting_;
  std::vector<std::pair<int, int>> messages_;
  std::int64_t moves_ = 0;
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
      if (!first || std::string(known.what()).find("deadlock:") == std::string::npos)
        first = error;
    }
  }
  if (first) std::rethrow_exception(first);
}

std::string shift_of(int ranks) { return "shift on " + counted(ranks, "ranks"); }
std::string exchange_of(int ranks) {
  return "exchange_all on " + counted(ranks, "ranks");
}
std::string at_rank(const std::string& call, int rank) {
  return call + ", rank " + std::to_string(rank);
}

/// What a rank sends to another one in a call on so many ranks: other numbers in each
/// call, so that none can be kept.
Tensor tensor_of(const Inputs& inputs, int ranks, int from, int to) {
  return inputs.tensor("tensors").select(0, from).select(0, to) + ranks;
}

/// Whether the messages are long: more than 65536 numbers before those of a small one.
bool is_long(int ranks) { return ranks == 3; }
Tensor message_of(const Inputs& inputs, int ranks, int from, int to) {
  const Tensor small = tensor_of(inputs, ranks, from, to);
  return is_long(ranks) ? cat({inputs.tensor("long"), small}) : small;
}

/// Compares how often each rank sent to each other.
void expect_messages(ItemJudgement& item, const Tensor& expected, const Tensor& found,
                     const std::string& call) {
  item.expect(found.sizes() == expected.sizes(), "a count for each pair of ranks",
              "other counts", call);
  if (found.sizes() != expected.sizes()) return;
  const auto ranks = expected.size(0);
  const auto wanted = expected.to_vector<std::int64_t>();
  const auto given = found.to_vector<std::int64_t>();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    item.equal(wanted[i], given[i], "messages",
               call + ", from rank " + std::to_string(place / ranks) + " to rank " +
                   std::to_string(place % ranks));
  }
}

}  // namespace

std::vector<Item> items() {
  return {{"shift", 3, Kind::result, "each rank gets the tensor of the rank before", 1},
          {"alone", 1, Kind::result, "one rank keeps its own tensor", 2},
          {"exchange", 3, Kind::result, "each rank gets its part from every rank", 3},
          {"messages", 2, Kind::cost,
           "each rank sends exactly one tensor to each rank that needs one", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  inputs.put("tensors", randn({max_ranks, max_ranks, inputs.draw(2, 5)}));
  inputs.put("long", randn({inputs.draw(66000, 67000)}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  // After a function has led to a deadlock on some ranks, it is not called on more:
  // each takes a while to be found.
  const auto attempt = [&](bool& goes_on, const std::string& call,
                           const std::function<void()>& work) {
    if (!goes_on) return false;
    const bool returned = outcome.attempt(call, work);
    goes_on =
        outcome.recording_or_error(call).error.find("deadlock:") == std::string::npos;
    return returned;
  };
  bool shifts = true;
  bool exchanges = true;
  for (int ranks = 1; ranks <= max_ranks; ++ranks) {
    std::vector<Tensor> results(static_cast<std::size_t>(ranks));
    Hub hub(ranks);
    const auto shift_all = [&] {
      run_all(hub, [&](Wires& wires) {
        const int rank = wires.rank();
        results[static_cast<std::size_t>(rank)] =
            shift(wires, message_of(inputs, ranks, rank, (rank + 1) % ranks));
      });
    };
    if (attempt(shifts, shift_of(ranks), shift_all)) {
      outcome.put(shift_of(ranks) + " messages", hub.messages());
      for (int rank = 0; rank < ranks; ++rank) {
        const Tensor& result = results[static_cast<std::size_t>(rank)];
        if (result.defined()) outcome.result(at_rank(shift_of(ranks), rank), result);
      }
    }
    std::vector<std::vector<Tensor>> lists(static_cast<std::size_t>(ranks));
    Hub other(ranks);
    const auto exchange = [&] {
      run_all(other, [&](Wires& wires) {
        std::vector<Tensor> parts;
        for (int i = 0; i < ranks; ++i)
          parts.push_back(message_of(inputs, ranks, wires.rank(), i));
        lists[static_cast<std::size_t>(wires.rank())] = exchange_all(wires, parts);
      });
    };
    if (!attempt(exchanges, exchange_of(ranks), exchange)) continue;
    outcome.put(exchange_of(ranks) + " messages", other.messages());
    for (int rank = 0; rank < ranks; ++rank) {
      const auto& list = lists[static_cast<std::size_t>(rank)];
      const bool whole = list.size() == static_cast<std::size_t>(ranks) &&
                         std::all_of(list.begin(), list.end(),
                                     [](const Tensor& one) { return one.defined(); });
      if (whole) outcome.result(at_rank(exchange_of(ranks), rank), stack(list));
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto expect_shift = [&](ItemJudgement& item, int ranks) {
    outcome.require(shift_of(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
      const auto name = at_rank(shift_of(ranks), rank);
      item.close(message_of(inputs, ranks, (rank + ranks - 1) % ranks, rank),
                 outcome.tensor(name), 0, name);
    }
  };
  judgement.item("shift", [&](ItemJudgement& item) {
    for (int ranks = 2; ranks <= max_ranks; ++ranks) expect_shift(item, ranks);
  });
  judgement.item("alone", [&](ItemJudgement& item) { expect_shift(item, 1); });
  judgement.item("exchange", [&](ItemJudgement& item) {
    for (int ranks = 1; ranks <= max_ranks; ++ranks) {
      outcome.require(exchange_of(ranks));
      for (int rank = 0; rank < ranks; ++rank) {
        const auto name = at_rank(exchange_of(ranks), rank);
        std::vector<Tensor> expected;
        for (int from = 0; from < ranks; ++from)
          expected.push_back(message_of(inputs, ranks, from, rank));
        item.close(stack(expected), outcome.tensor(name), 0, name);
      }
    }
  });
  judgement.item("messages", [&](ItemJudgement& item) {
    for (int ranks = 1; ranks <= max_ranks; ++ranks) {
      outcome.require(shift_of(ranks));
      outcome.require(exchange_of(ranks));
      Tensor all = ones({ranks, ranks}, kLong);
      Tensor next = zeros({ranks, ranks}, kLong);
      for (int rank = 0; rank < ranks; ++rank) {
        all.data_ptr<std::int64_t>()[rank * ranks + rank] = 0;
        if (ranks > 1)
          next.data_ptr<std::int64_t>()[rank * ranks + (rank + 1) % ranks] = 1;
      }
      expect_messages(item, next, outcome.tensor(shift_of(ranks) + " messages"),
                      shift_of(ranks));
      expect_messages(item, all, outcome.tensor(exchange_of(ranks) + " messages"),
                      exchange_of(ranks));
    }
  });
}

}  // namespace d2l::check
