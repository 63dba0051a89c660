// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

// Networks of 0 to 30 parameters, the largest number too, and one of 3000; bytes for
// which 32 bits are too few; parameters larger than a bucket in each; and times in
// another order than that of the network, with equal ones among them.
constexpr int calls = 11;
constexpr int out_of_order = 7;
constexpr int huge = 8;
constexpr int many = 9;
constexpr int most = 10;

struct Network {
  std::string name;
  std::vector<std::int64_t> bytes;
  std::vector<double> ready;
  std::int64_t cap;
  double latency;
  double rate;
};

Network network_of(const Inputs& inputs, int call) {
  const auto name = "network " + std::to_string(call);
  Network one{name,
              {},
              {},
              inputs.integer(name + " cap"),
              inputs.number(name + " latency"),
              inputs.number(name + " rate")};
  for (const double value : inputs.tensor(name + " bytes").to_vector<double>()) {
    one.bytes.push_back(static_cast<std::int64_t>(value));
  }
  one.ready = inputs.tensor(name + " ready").to_vector<double>();
  return one;
}

/// The buckets as a tensor: the places, with -1 after each bucket.
Tensor as_tensor(const std::vector<Bucket>& buckets) {
  std::vector<double> places;
  for (const Bucket& bucket : buckets) {
    for (const std::size_t place : bucket) places.push_back(static_cast<double>(place));
    places.push_back(-1);
  }
  return from_blob(places.data(), {static_cast<std::int64_t>(places.size())}, kDouble)
      .clone();
}

std::vector<Bucket> from_tensor(const Tensor& tensor) {
  std::vector<Bucket> buckets;
  Bucket bucket;
  for (const double place : tensor.to_vector<double>()) {
    if (place >= 0) {
      bucket.push_back(static_cast<std::size_t>(place));
    } else {
      buckets.push_back(std::exchange(bucket, {}));
    }
  }
  return buckets;
}

/// From the end: a bucket takes parameters as long as they fit.
std::vector<Bucket> expected_buckets(const Network& one) {
  std::vector<Bucket> buckets;
  for (std::size_t end = one.bytes.size(); end > 0;) {
    std::size_t begin = end - 1;
    std::int64_t sum = one.bytes[begin];
    while (begin > 0 && sum + one.bytes[begin - 1] <= one.cap)
      sum += one.bytes[--begin];
    Bucket bucket;
    for (std::size_t i = end; i-- > begin;) bucket.push_back(i);
    buckets.push_back(bucket);
    end = begin;
  }
  return buckets;
}

/// The latest of all lower bounds: from the moment that a bucket is ready, it and all
/// later ones must be sent.
double expected_time(const Network& one, const std::vector<Bucket>& buckets) {
  double latest = 0;
  double after = 0;
  for (std::size_t b = buckets.size(); b-- > 0;) {
    double ready = 0;
    std::int64_t bytes = 0;
    for (const std::size_t i : buckets[b]) {
      ready = std::max(ready, one.ready[i]);
      bytes += one.bytes[i];
    }
    after += one.latency + static_cast<double>(bytes) / one.rate;
    latest = std::max(latest, ready + after);
  }
  return latest;
}

/// Other buckets than those to find, for finished(): the best ones, each cut after its
/// first parameter.
std::vector<Bucket> cut_buckets(const Network& one) {
  std::vector<Bucket> cut;
  for (const Bucket& bucket : expected_buckets(one)) {
    cut.push_back({bucket.front()});
    if (bucket.size() > 1) cut.emplace_back(bucket.begin() + 1, bucket.end());
  }
  return cut;
}

}  // namespace

std::vector<Item> items() {
  return {{"complete", 1, Kind::result, "every parameter is in one bucket", 1},
          {"order", 1, Kind::result, "the last parameters come first", 1},
          {"cap", 1, Kind::result,
           "no bucket of several parameters has more bytes than allowed", 2},
          {"few", 2, Kind::result, "a parameter that fits does not begin a bucket", 2},
          {"time", 2, Kind::result, "the time until the last bucket has been sent", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (int call = 0; call < calls; ++call) {
    const auto name = "network " + std::to_string(call);
    const std::int64_t count = call == 0      ? 0
                               : call == 1    ? 1
                               : call == many ? 3000
                               : call == most ? 30
                                              : inputs.draw(6, 30);
    const double unit = call == huge ? 1 << 22 : 1;  // of bytes
    const Tensor bytes = zeros({count}, kDouble);
    const Tensor ready = zeros({count}, kDouble);
    double time = 0;
    for (std::int64_t i = count; i-- > 0;) {
      // The third network has parameters of which exactly four fill a bucket.
      const bool is_large = count > 5 && i == count / 2;
      const std::int64_t drawn = inputs.draw(1, inputs.draw(0, 5) == 0 ? 2000 : 300);
      bytes[i] = unit * static_cast<double>(call == 2  ? 1000
                                            : is_large ? 4000
                                                       : 4 * drawn);
      time += static_cast<double>(inputs.draw(0, 60));
      ready[i] = time;
    }
    for (std::int64_t i = 0; call == out_of_order && i < count; ++i)
      ready[i] = static_cast<double>(inputs.draw(0, 300));
    if (call == out_of_order) {
      // The second gradient of the first bucket, which has at least three, is the last.
      for (std::int64_t i = count - 3; i < count; ++i) bytes[i] = 4;
      ready[count - 2] = 400;
    }
    inputs.put(name + " bytes", bytes);
    inputs.put(name + " ready", ready);
    inputs.put(
        name + " cap",
        call == 2 ? 4000 : static_cast<std::int64_t>(unit) * 4 * inputs.draw(300, 900));
    inputs.put(name + " latency", static_cast<double>(inputs.draw(1, 30)));
    inputs.put(name + " rate", static_cast<double>(inputs.draw(10, 60)));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int call = 0; call < calls; ++call) {
    const Network one = network_of(inputs, call);
    outcome.attempt("make_buckets, " + one.name, [&] {
      outcome.put("buckets of " + one.name,
                  as_tensor(make_buckets(one.bytes, one.cap)));
    });
    outcome.attempt("finished, " + one.name, [&] {
      outcome.put("time of " + one.name, finished(expected_buckets(one), one.bytes,
                                                  one.ready, one.latency, one.rate));
      outcome.put(
          "time of " + one.name + ", other buckets",
          finished(cut_buckets(one), one.bytes, one.ready, one.latency, one.rate));
    });
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto flat = [](const std::vector<Bucket>& buckets) {
    std::vector<std::int64_t> places;
    for (const Bucket& bucket : buckets) {
      for (const std::size_t place : bucket)
        places.push_back(static_cast<std::int64_t>(place));
    }
    return places;
  };
  const auto each =
      [&](ItemJudgement& item,
          const std::function<void(const Network&, const std::vector<Bucket>&)>& look) {
        for (int call = 0; call < calls; ++call) {
          const Network one = network_of(inputs, call);
          outcome.require("make_buckets, " + one.name);
          const auto buckets = from_tensor(outcome.tensor("buckets of " + one.name));
          item.equal(static_cast<std::int64_t>(one.bytes.size()),
                     static_cast<std::int64_t>(flat(buckets).size()),
                     "parameters in buckets", one.name);
          look(one, buckets);
        }
      };
  const auto bytes_of = [](const Network& one, const Bucket& bucket) {
    std::int64_t sum = 0;
    for (const std::size_t i : bucket) sum += i < one.bytes.size() ? one.bytes[i] : 0;
    return sum;
  };
  judgement.item("complete", [&](ItemJudgement& item) {
    each(item, [&](const Network& one, const std::vector<Bucket>& buckets) {
      auto places = flat(buckets);
      std::sort(places.begin(), places.end());
      std::vector<std::int64_t> all;
      for (std::size_t i = 0; i < one.bytes.size(); ++i)
        all.push_back(static_cast<std::int64_t>(i));
      item.expect(places == all, "the places " + repr(all), repr(places), one.name);
      for (const Bucket& bucket : buckets)
        item.expect(!bucket.empty(), "no empty bucket", "an empty bucket", one.name);
    });
  });
  judgement.item("order", [&](ItemJudgement& item) {
    each(item, [&](const Network& one, const std::vector<Bucket>& buckets) {
      const auto places = flat(buckets);
      item.expect(std::is_sorted(places.rbegin(), places.rend()),
                  "the last parameter first", repr(places), one.name);
    });
  });
  judgement.item("cap", [&](ItemJudgement& item) {
    each(item, [&](const Network& one, const std::vector<Bucket>& buckets) {
      item.expect(true, "at most " + std::to_string(one.cap) + " bytes", "", one.name);
      for (const Bucket& bucket : buckets) {
        if (bucket.size() > 1)
          item.at_most(one.cap, bytes_of(one, bucket), "bytes in a bucket", one.name);
      }
    });
  });
  judgement.item("few", [&](ItemJudgement& item) {
    each(item, [&](const Network& one, const std::vector<Bucket>& buckets) {
      item.equal(static_cast<std::int64_t>(expected_buckets(one).size()),
                 static_cast<std::int64_t>(buckets.size()), "buckets", one.name);
      item.expect(buckets == expected_buckets(one), "full buckets",
                  "a parameter that fits begins a bucket", one.name);
    });
  });
  judgement.item("time", [&](ItemJudgement& item) {
    for (int call = 0; call < calls; ++call) {
      const Network one = network_of(inputs, call);
      outcome.require("finished, " + one.name);
      for (const std::string of : {"", ", other buckets"}) {
        const double expected =
            expected_time(one, of.empty() ? expected_buckets(one) : cut_buckets(one));
        const double found = outcome.number("time of " + one.name + of);
        const double error = 1e-12 * expected + 1e-9;
        item.expect(found >= expected - error && found <= expected + error,
                    repr(expected) + " µs", repr(found) + " µs", one.name + of);
      }
    }
  });
}

}  // namespace d2l::check
