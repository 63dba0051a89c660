// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cmath>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* calls[] = {
    "one weight",       "about a warp",     "others of these sizes", "odd columns",
    "different rows",   "17 rows of x",     "many rows of weights",  "many columns",
    "64 by 256, b = 1", "64 by 256, b = 8", "no rows of x"};

bool is_aligned(const std::string& call) { return call.starts_with("64 by 256"); }

/// A matrix on the host, in float64.
struct Matrix {
  explicit Matrix(const Tensor& tensor)
      : columns(tensor.size(-1)), values(tensor.to_vector<double>()) {}
  [[nodiscard]] double operator()(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i * columns + j)];
  }
  std::int64_t columns;
  std::vector<double> values;
};

/// The signed numbers of a tensor of bytes.
Matrix signed_values(const Tensor& bytes) {
  Matrix matrix(bytes.to(kFloat));
  for (double& value : matrix.values) {
    if (value > 127) value -= 256;
  }
  return matrix;
}

double largest_of_row(const Matrix& weight, std::int64_t row) {
  double largest = 0;
  for (std::int64_t j = 0; j < weight.columns; ++j)
    largest = std::max(largest, std::fabs(weight(row, j)));
  return largest;
}

std::string text(double value) { return std::to_string(value); }

/// The sums of x_kj w_ij and of their absolute values.
std::pair<double, double> product(const Matrix& x, std::int64_t k, const Matrix& w,
                                  std::int64_t i) {
  std::pair<double, double> sums;
  for (std::int64_t j = 0; j < w.columns; ++j) {
    sums.first += x(k, j) * w(i, j);
    sums.second += std::fabs(x(k, j) * w(i, j));
  }
  return sums;
}

/// Expects a tensor of this shape and dtype.
bool has_form(ItemJudgement& item, const Tensor& found, const Tensor& like,
              ScalarType dtype, const std::string& where) {
  const bool met = found.sizes() == like.sizes() && found.dtype() == dtype;
  item.expect(met, "the shape and the dtype of the statement", "others", where);
  return met;
}

void judge_rounding(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                    const std::string& call) {
  outcome.require(key(call, "quantize_rows"));
  const Matrix weight(inputs.tensor(key(call, "weight")));
  const Matrix scales(outcome.tensor(key(call, "scales")));
  const Tensor bytes = outcome.tensor(key(call, "values"));
  if (!has_form(item, bytes, inputs.tensor(key(call, "weight")), kByte, call)) return;
  const Matrix values = signed_values(bytes);
  for (std::size_t at = 0; at < values.values.size(); ++at) {
    const auto i = static_cast<std::int64_t>(at) / weight.columns;
    const double q = values.values[at];
    const double s = scales.values[static_cast<std::size_t>(i)];
    const std::string where = call + ", row " + std::to_string(i);
    item.expect(q >= -127, "no value of -128", "a value of -128", where);
    const double exact = largest_of_row(weight, i) == 0 ? 0 : weight.values[at] / s;
    item.expect(std::fabs(exact - q) <= 0.5001, "a value near " + text(exact),
                text(q) + ", off by " + text(std::fabs(exact - q)), where);
  }
}

void judge_scales(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::string& call) {
  outcome.require(key(call, "quantize_rows"));
  const Tensor tensor = inputs.tensor(key(call, "weight"));
  const Tensor found = outcome.tensor(key(call, "scales"));
  if (!has_form(item, found, tensor.select(1, 0), kFloat, call)) return;
  const Matrix weight(tensor);
  for (std::int64_t i = 0; i < tensor.size(0); ++i) {
    const double scale = found.to_vector<double>()[static_cast<std::size_t>(i)];
    const double largest = largest_of_row(weight, i);
    const bool met = largest == 0 ? std::isfinite(scale)
                                  : std::fabs(scale * 127 / largest - 1) <= 1e-6;
    item.expect(met, largest == 0 ? "a finite scale" : "the largest weight / 127",
                "off by a factor of " + text(scale * 127 / largest),
                call + ", row " + std::to_string(i));
  }
}

/// Expects y to be near the product of x and `of`, within `tolerance` of a sum, or of
/// half a scale and |x|.
void judge_product(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                   const std::string& call, bool both) {
  const std::string name = both ? "both" : "int8_linear";
  outcome.require(key(call, name));
  const Tensor found = outcome.tensor(key(call, name + ", result"));
  const Tensor of_x = inputs.tensor(key(call, "x"));
  const Tensor of_weight = inputs.tensor(key(call, "weight"));
  if (!has_form(item, found, empty({of_x.size(0), of_weight.size(0)}), kFloat, call))
    return;
  const Matrix y(found);
  const Matrix x(of_x);
  const Matrix weight(of_weight);
  const Matrix values = signed_values(inputs.tensor(key(call, "values")));
  const Matrix scales(inputs.tensor(key(call, "scales")));
  for (std::int64_t k = 0; k < of_x.size(0); ++k) {
    double of_row = 0;
    for (std::int64_t j = 0; j < x.columns; ++j) of_row += std::fabs(x(k, j));
    for (std::int64_t i = 0; i < of_weight.size(0); ++i) {
      const double s = scales(0, i);
      const auto [sum, absolute] = product(x, k, values, i);
      const double expected = both ? product(x, k, weight, i).first : s * sum;
      const double limit =
          both ? 1.001 * largest_of_row(weight, i) / 254 * of_row : 3e-5 * s * absolute;
      item.expect(
          std::fabs(y(k, i) - expected) <= limit,
          text(expected) + ", within " + text(limit),
          text(y(k, i)) + ", off by " + text(std::fabs(y(k, i) - expected)),
          key(call, "element [" + std::to_string(k) + "][" + std::to_string(i) + "]"));
    }
  }
}

using Look = std::function<void(const KernelCounts&, const std::string& call)>;

/// Calls `look` with the counts of each product that has rows.
void judge_counts(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const Look& look) {
  for (const std::string call : calls) {
    if (inputs.tensor(key(call, "x")).size(0) == 0) continue;
    const auto name = key(call, "int8_linear");
    if (item.lacks_counts(outcome, name)) return;
    look(counts_of(outcome.recording(name).entries), call);
  }
}

std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

}  // namespace

std::vector<Item> items() {
  return {
      {"scales", 2, Kind::result, "each row has its own scale", 1},
      {"rounded", 2, Kind::result, "the values are the nearest numbers", 1},
      {"values", 3, Kind::result,
       "the product is that of x and the 8-bit weights; no argument changes", 2},
      {"bound", 1, Kind::result, "both together are off by half a scale at most", 3},
      {"placement", 1, Kind::placement, "all results are on the device of W and x", 1},
      {"launches", 1, Kind::cost, "one launch computes the product", 2},
      {"memory", 2, Kind::cost, "no float matrix of weights is allocated or stored", 4},
      {"sectors", 3, Kind::cost, "weights and x are loaded as rarely as possible", 5},
      {"spread", 1, Kind::cost, "all warps and blocks have their share of the work",
       2}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto put = [&](const std::string& call, std::int64_t b, const Tensor& weight) {
    const std::int64_t n = weight.size(0);
    const std::int64_t m = weight.size(1);
    inputs.put(key(call, "weight"), weight);
    inputs.put(key(call, "x"), randn({b, m}));
    // For the product alone: other weights, of all values.
    Tensor values = empty({n, m}, kFloat);
    for (std::int64_t i = 0; i < n * m; ++i) {
      const std::int64_t q = i % 7 == 0 ? -127 : inputs.draw(-127, 127);
      values.data_ptr<float>()[i] = static_cast<float>(q < 0 ? q + 256 : q);
    }
    inputs.put(key(call, "values"), values.to(kByte));
    inputs.put(key(call, "scales"), rand({n}) + 0.1);
  };
  put("one weight", 1, randn({1, 1}));
  const std::int64_t n = inputs.draw(31, 33);
  const std::int64_t m = inputs.draw(31, 33);
  put("about a warp", 3, randn({n, m}));
  put("others of these sizes", 3, randn({n, m}));
  put("odd columns", 2, randn({inputs.draw(9, 15), 4 * inputs.draw(8, 17) + 3}));
  // Row by row: zeros, a largest weight that is negative, and large and small numbers.
  const Tensor rows = rand({12, inputs.draw(34, 60)}) - 0.3;
  rows[0].mul_(0);
  rows[1].sub_(1);
  rows[2][5].fill_(-3);
  rows[3][5].fill_(3);
  rows[4].mul_(1e-28);
  rows[5].mul_(1e28);
  rows[6].mul_(1000);
  rows[7].mul_(0.001);
  put("different rows", 2, rows);
  put("17 rows of x", 17, randn({inputs.draw(7, 9), inputs.draw(33, 40)}));
  put("many rows of weights", 1, randn({inputs.draw(1090, 1110), 3}));
  put("many columns", 1, randn({3, inputs.draw(5000, 5100)}));
  put("64 by 256, b = 1", 1, randn({64, 256}));
  put("64 by 256, b = 8", 8, randn({64, 256}));
  put("no rows of x", 0, randn({5, 6}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  Returned returned(outcome);
  for (const std::string call : calls) {
    const auto on_device = [&](const char* what) {
      return inputs.tensor(key(call, what)).to(last_device());
    };
    const Tensor weight = on_device("weight");
    const Tensor x = on_device("x");
    const Quantized given{on_device("values"), on_device("scales")};
    Quantized made;
    if (outcome.attempt(key(call, "quantize_rows"),
                        [&] { made = quantize_rows(weight); })) {
      returned.keep(key(call, "values"), made.values,
                    {{key(call, "weight afterwards"), weight}});
      returned.keep(key(call, "scales"), made.scales, {});
    }
    Tensor y;
    if (outcome.attempt(key(call, "int8_linear"), [&] { y = int8_linear(x, given); })) {
      returned.keep(key(call, "int8_linear, result"), y,
                    {{key(call, "x afterwards"), x},
                     {key(call, "given values afterwards"), given.values},
                     {key(call, "given scales afterwards"), given.scales}});
    }
    // Results are overwritten by Returned, so the weights are rounded once more.
    Tensor of_both;
    if (outcome.attempt(key(call, "both"),
                        [&] { of_both = int8_linear(x, quantize_rows(weight)); }))
      returned.keep(key(call, "both, result"), of_both, {});
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto judge_item = [&](const char* name, const auto& judge_call) {
    judgement.item(name, [&](ItemJudgement& item) {
      if (item.lacks_gpus(1)) return;
      for (const std::string call : calls) judge_call(item, call);
    });
  };
  const auto same = [&](ItemJudgement& item, const std::string& call, const char* what,
                        const std::string& found) {
    item.close(inputs.tensor(key(call, what)), outcome.tensor(key(call, found)), 0,
               key(call, found));
  };
  judge_item("scales", [&](ItemJudgement& item, const std::string& call) {
    judge_scales(item, inputs, outcome, call);
    same(item, call, "weight", "weight afterwards");
  });
  judge_item("rounded", [&](ItemJudgement& item, const std::string& call) {
    judge_rounding(item, inputs, outcome, call);
  });
  judge_item("values", [&](ItemJudgement& item, const std::string& call) {
    judge_product(item, inputs, outcome, call, /*both=*/false);
    same(item, call, "x", "x afterwards");
    same(item, call, "values", "given values afterwards");
    same(item, call, "scales", "given scales afterwards");
  });
  judge_item("bound", [&](ItemJudgement& item, const std::string& call) {
    judge_product(item, inputs, outcome, call, /*both=*/true);
  });
  judge_item("placement", [&](ItemJudgement& item, const std::string& call) {
    outcome.require(key(call, "quantize_rows"));
    outcome.require(key(call, "int8_linear"));
    for (const char* const what : {"values", "scales", "int8_linear, result"})
      item.placed(outcome, key(call, what), last_device());
  });
  judge_item("launches", [&](ItemJudgement& item, const std::string& call) {
    const auto name = key(call, "int8_linear");
    const Recording& recording = outcome.recording(name);
    const auto launches = static_cast<std::int64_t>(recording.kernels().size());
    if (inputs.tensor(key(call, "x")).size(0) > 0) {
      if (item.lacks_counts(outcome, name)) return;
      item.equal(1, launches, "launches of a kernel", call);
    }
    item.at_most(1, launches, "launches of a kernel", call);
    item.equal(0, recording.operations(), "operations of the library", call);
    item.equal(0, recording.copies(), "copies", call);
  });
  judge_item("memory", [&](ItemJudgement& item, const std::string& call) {
    std::int64_t allocated = 0;
    for (const LedgerEntry& entry :
         outcome.recording(key(call, "int8_linear")).entries) {
      if (entry.kind == LedgerEntry::Kind::allocation) allocated += entry.bytes;
    }
    const std::int64_t b = inputs.tensor(key(call, "x")).size(0);
    const std::int64_t n = inputs.tensor(key(call, "weight")).size(0);
    item.at_most(4 * b * n + 1024, allocated, "bytes allocated", call);
  });
  judgement.item("sectors", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, const std::string& call) {
                   const Tensor x = inputs.tensor(key(call, "x"));
                   const Tensor weight = inputs.tensor(key(call, "weight"));
                   const std::int64_t n = weight.size(0);
                   const std::int64_t w = weight.numel() / 32;
                   const std::int64_t t = x.numel() / 8;
                   item.at_least(w + t, whole(counts.load_sectors), "sectors loaded",
                                 call);
                   if (!is_aligned(call)) return;
                   item.at_most(9 * (w + (n + 7) / 8 * t) / 8 + x.size(0) * n,
                                whole(counts.load_sectors), "sectors loaded", call);
                   item.at_most(x.size(0) * n, whole(counts.store_sectors),
                                "sectors stored", call);
                 });
  });
  judgement.item("spread", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, const std::string& call) {
                   if (is_aligned(call)) item.spread(counts, call);
                 });
  });
}

}  // namespace d2l::check
