// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

/// Numbers of ranks and GPUs: all up to nine, and some that do not fit into 8 bits. The
/// product of the first two does not fit into 16.
std::vector<std::pair<int, int>> servers() {
  std::vector<std::pair<int, int>> all{{300, 257}, {64, 300}, {300, 0}};
  for (int ranks = 1; ranks <= 9; ++ranks) {
    for (int gpus = 0; gpus <= 9; ++gpus) all.emplace_back(ranks, gpus);
  }
  return all;
}

const std::vector<std::string> names{"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
                                     "SLURM_LOCALID"};

using Environment = std::map<std::string, std::string>;

std::string text_of(const Environment& environment) {
  std::string text;
  for (const auto& [name, value] : environment)
    text += (text.empty() ? "" : " ") + name + "=\"" + value + "\"";
  return "local_rank_of(" + text + ")";
}

/// Environments with one launcher or several, with other variables beside them.
std::vector<std::pair<Environment, int>> environments(const Inputs& inputs) {
  std::vector<std::pair<Environment, int>> all;
  for (int set = 1; set < 8; ++set) {
    Environment one{{"RANK", "77"}, {"SLURM_PROCID", "78"}};
    int expected = -1;
    for (int i = 0; i < 3; ++i) {
      if ((set & (1 << i)) == 0) continue;
      const auto value =
          static_cast<int>(inputs.integer(names[static_cast<std::size_t>(i)])) + set;
      one[names[static_cast<std::size_t>(i)]] = std::to_string(value);
      if (expected < 0) expected = value;
    }
    all.emplace_back(one, expected);
  }
  all.emplace_back(Environment{{"LOCAL_RANK", "0"}, {"SLURM_LOCALID", "3"}}, 0);
  // Only the first that is there counts, also when another one is malformed. And
  // numbers beyond 16 bits are numbers.
  all.emplace_back(Environment{{"LOCAL_RANK", "2"}, {"SLURM_LOCALID", "two"}}, 2);
  all.emplace_back(Environment{{"OMPI_COMM_WORLD_LOCAL_RANK", "70001"}}, 70001);
  return all;
}

std::vector<Environment> malformed(const Inputs& inputs) {
  std::vector<Environment> all;
  const std::string drawn = std::to_string(inputs.integer("drawn"));
  for (const auto& name : names) {
    for (const std::string& value :
         {std::string(), "-" + drawn, drawn + "x", std::string("two"), " " + drawn,
          drawn + " ", drawn + ".0", "0x" + drawn, std::string("99999999999")}) {
      all.push_back({{name, value}});
    }
  }
  // The first counts, and it is malformed, although others are not.
  all.push_back({{"LOCAL_RANK", ""},
                 {"OMPI_COMM_WORLD_LOCAL_RANK", drawn},
                 {"SLURM_LOCALID", drawn}});
  return all;
}

std::string gpus_name(int rank, int ranks, int gpus) {
  return "gpus_of(" + std::to_string(rank) + ", " + std::to_string(ranks) + ", " +
         std::to_string(gpus) + ")";
}

}  // namespace

std::vector<Item> items() {
  return {
      {"launchers", 2, Kind::result,
       "the local rank is read from the first of the three variables that is set", 1},
      {"alone", 1, Kind::result, "without a launcher the local rank is 0", 1},
      {"malformed", 1, Kind::result,
       "a value that is not a whole number from 0 on, or too large, is an error that "
       "names the variable",
       2},
      {"enough", 3, Kind::result,
       "enough GPUs: each belongs to one rank, in even parts", 3},
      {"few", 2, Kind::result, "fewer GPUs than ranks: each rank has one, evenly", 3},
      {"none", 1, Kind::result, "without GPUs a rank has none", 3}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  for (std::size_t i = 0; i < names.size(); ++i) {
    inputs.put(names[i], inputs.draw(0, 3) + 10 * static_cast<std::int64_t>(i));
  }
  inputs.put("drawn", inputs.draw(1, 9));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  auto right = environments(inputs);
  right.emplace_back(Environment{{"RANK", "3"}, {"PATH", "/bin"}}, 0);
  for (const auto& [environment, expected] : right) {
    outcome.attempt(text_of(environment), [&, &one = environment] {
      outcome.put(text_of(one), local_rank_of(one));
    });
  }
  for (const auto& environment : malformed(inputs)) {
    std::string found = "no error";
    outcome.attempt(text_of(environment), [&] {
      try {
        static_cast<void>(local_rank_of(environment));
      } catch (const ValueError& error) {
        found = error.what();
      } catch (const std::exception&) {
        found = "another error";
      }
    });
    outcome.put(text_of(environment) + " error", found);
  }
  for (const auto& [ranks, gpus] : servers()) {
    for (int rank = 0; rank < ranks; ++rank) {
      const auto name = gpus_name(rank, ranks, gpus);
      outcome.attempt(name, [&, all = ranks, each = gpus] {
        std::vector<double> numbers;
        for (const int one : gpus_of(rank, all, each)) numbers.push_back(one);
        outcome.put(
            name, from_blob(numbers.data(), {static_cast<std::int64_t>(numbers.size())},
                            kDouble)
                      .clone());
      });
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("launchers", [&](ItemJudgement& item) {
    for (const auto& [environment, expected] : environments(inputs)) {
      const auto name = text_of(environment);
      outcome.require(name);
      item.equal(expected, outcome.integer(name), "as the local rank", name);
    }
  });
  judgement.item("alone", [&](ItemJudgement& item) {
    const auto name = text_of({{"RANK", "3"}, {"PATH", "/bin"}});
    outcome.require(name);
    item.equal(0, outcome.integer(name), "as the local rank", name);
  });
  judgement.item("malformed", [&](ItemJudgement& item) {
    for (const auto& environment : malformed(inputs)) {
      const auto name = text_of(environment);
      const auto& found = outcome.text(name + " error");
      item.expect(found.find(environment.begin()->first) != std::string::npos,
                  "a ValueError that names " + environment.begin()->first, found, name);
    }
  });
  const auto each =
      [&](ItemJudgement& item, const std::function<bool(int, int)>& counts,
          const std::function<void(
              int, int, const std::vector<std::vector<std::int64_t>>&)>& look) {
        for (const auto& [ranks, gpus] : servers()) {
          if (!counts(ranks, gpus)) continue;
          std::vector<std::vector<std::int64_t>> all;
          for (int rank = 0; rank < ranks; ++rank) {
            const auto name = gpus_name(rank, ranks, gpus);
            outcome.require(name);
            all.emplace_back();
            for (const double one : outcome.tensor(name).to_vector<double>()) {
              all.back().push_back(static_cast<std::int64_t>(one));
            }
          }
          item.expect(true, "", "");
          look(ranks, gpus, all);
        }
      };
  judgement.item("enough", [&](ItemJudgement& item) {
    each(
        item, [](int ranks, int gpus) { return gpus >= ranks; },
        [&](int ranks, int gpus, const std::vector<std::vector<std::int64_t>>& all) {
          std::vector<std::int64_t> joined;
          std::vector<std::int64_t> sizes;
          for (const auto& own : all) {
            joined.insert(joined.end(), own.begin(), own.end());
            sizes.push_back(static_cast<std::int64_t>(own.size()));
          }
          std::vector<std::int64_t> expected;
          for (int i = 0; i < gpus; ++i) expected.push_back(i);
          const auto name = gpus_name(0, ranks, gpus) + " and the other ranks";
          item.expect(joined == expected, "the GPUs " + repr(expected),
                      "the GPUs " + repr(joined), name);
          const auto [least, largest] = std::minmax_element(sizes.begin(), sizes.end());
          item.expect(*largest - *least <= 1, "even parts",
                      "parts of " + repr(sizes) + " GPUs", name);
        });
  });
  judgement.item("few", [&](ItemJudgement& item) {
    each(
        item, [](int ranks, int gpus) { return gpus > 0 && gpus < ranks; },
        [&](int ranks, int gpus, const std::vector<std::vector<std::int64_t>>& all) {
          std::vector<std::int64_t> on(static_cast<std::size_t>(gpus));
          for (int rank = 0; rank < ranks; ++rank) {
            const auto& own = all[static_cast<std::size_t>(rank)];
            const bool one = own.size() == 1 && own[0] >= 0 && own[0] < gpus;
            item.expect(one, "one of the GPUs", "the GPUs " + repr(own),
                        gpus_name(rank, ranks, gpus));
            if (one) ++on[static_cast<std::size_t>(own[0])];
          }
          const auto [least, largest] = std::minmax_element(on.begin(), on.end());
          item.expect(*largest - *least <= 1,
                      "numbers of ranks that differ by at most one",
                      repr(on) + " ranks on the GPUs",
                      gpus_name(0, ranks, gpus) + " and the other ranks");
        });
  });
  judgement.item("none", [&](ItemJudgement& item) {
    each(
        item, [](int /*ranks*/, int gpus) { return gpus == 0; },
        [&](int ranks, int /*gpus*/,
            const std::vector<std::vector<std::int64_t>>& all) {
          for (int rank = 0; rank < ranks; ++rank) {
            const auto& own = all[static_cast<std::size_t>(rank)];
            item.expect(own.empty(), "no GPU", "the GPUs " + repr(own),
                        gpus_name(rank, ranks, 0));
          }
        });
  });
}

}  // namespace d2l::check
