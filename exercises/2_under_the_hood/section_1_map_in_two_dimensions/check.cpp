// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* matrices[] = {
    "one element",        "a wide matrix",   "a tall matrix",        "whole blocks",
    "other whole blocks", "parts of blocks", "more than 1024 blocks"};
constexpr const char* empty_matrices[] = {"no rows", "no columns"};

std::int64_t signed_of(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// Draws a matrix of multiples of 1/8, and a plane of such slopes: all results are
/// exact in float32. Each matrix has a plane of its own.
void draw(Inputs& inputs, const std::string& matrix, std::int64_t rows,
          std::int64_t columns) {
  Tensor heights = zeros({rows, columns});
  for (std::int64_t i = 0; i < heights.numel(); ++i) {
    heights.data_ptr<float>()[i] = static_cast<float>(inputs.draw(-4000, 4000)) / 8;
  }
  inputs.put(matrix, heights);
  const auto slope = [&] {
    return static_cast<double>(inputs.draw(1, 40) * (inputs.draw(0, 1) == 0 ? 1 : -1)) /
           8;
  };
  inputs.put(matrix + ": down", slope());
  inputs.put(matrix + ": across", slope());
}

Tensor levelled(const Inputs& inputs, const std::string& matrix) {
  Tensor result = inputs.tensor(matrix).clone();
  const std::int64_t columns = result.size(1);
  const double down = inputs.number(matrix + ": down");
  const double across = inputs.number(matrix + ": across");
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    const std::int64_t row = i / columns;
    const std::int64_t column = i % columns;
    float& element = result.data_ptr<float>()[i];
    element = static_cast<float>(element - down * static_cast<double>(row) -
                                 across * static_cast<double>(column));
  }
  return result;
}

/// Expects blocks of allowed sizes, as many as `elements` need, in one dimension.
void judge_dimension(ItemJudgement& item, const std::string& dimension,
                     unsigned threads, unsigned blocks, std::int64_t elements,
                     const std::string& where) {
  item.expect(threads >= 2 && threads <= 32,
              "2 to 32 threads of a block in " + dimension,
              counted(threads, "threads") + " in " + dimension, where);
  item.equal((elements + threads - 1) / threads, blocks,
             "blocks of " + std::to_string(threads) + " in " + dimension + " for " +
                 std::to_string(elements),
             where);
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 3, Kind::result,
       "each element is reduced by the plane at its row and column; heights does not "
       "change",
       1},
      {"empty", 1, Kind::cost,
       "a matrix without elements gives one of the same shape, without a launch", 3},
      {"placed", 1, Kind::placement, "the result is on the device of heights", 2},
      {"launch", 1, Kind::cost, "there is one launch, no wait of the host, and no copy",
       2},
      {"grid", 1, Kind::cost,
       "blocks of two dimensions cover the columns in x and the rows in y, and no "
       "block is left over",
       3},
      {"accesses", 1, Kind::cost, "each element is read once and written once", 2}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  constexpr std::int64_t sides[] = {31, 33, 65, 127};
  const auto side = inputs.draw(0, 3);
  draw(inputs, "one element", 1, 1);
  draw(inputs, "a wide matrix", inputs.draw(2, 7), inputs.draw(900, 1000));
  draw(inputs, "a tall matrix", inputs.draw(900, 1000), inputs.draw(2, 7));
  // Two of the same size: a result that was kept from the first call is wrong for the
  // second one.
  draw(inputs, "whole blocks", 64, 96);
  draw(inputs, "other whole blocks", 64, 96);
  draw(inputs, "parts of blocks", sides[side], sides[(side + inputs.draw(1, 3)) % 4]);
  // With the largest blocks, of 32 by 32 threads, at least 33 by 33 of them, and more
  // than a million elements.
  draw(inputs, "more than 1024 blocks", inputs.draw(1030, 1060),
       inputs.draw(1030, 1060));
  draw(inputs, "no rows", 0, inputs.draw(1, 40));
  draw(inputs, "no columns", inputs.draw(1, 40), 0);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  Returned returned(outcome);
  const auto call = [&](const std::string& matrix) {
    const Tensor heights = inputs.tensor(matrix).to(last_device());
    const auto down = static_cast<float>(inputs.number(matrix + ": down"));
    const auto across = static_cast<float>(inputs.number(matrix + ": across"));
    synchronize();
    Tensor result;
    if (!outcome.attempt(matrix,
                         [&] { result = subtract_plane(heights, down, across); }))
      return;
    returned.keep(matrix + ": result", result, {{matrix + ": heights", heights}});
  };
  for (const char* const matrix : empty_matrices) call(matrix);
  for (const char* const matrix : matrices) call(matrix);
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto for_each_matrix = [&](const std::string& name, const auto& judge_matrix) {
    judgement.item(name, [&](ItemJudgement& item) {
      for (const char* const matrix : matrices) {
        outcome.require(matrix);
        judge_matrix(item, std::string(matrix));
      }
    });
  };
  for_each_matrix("values", [&](ItemJudgement& item, const std::string& matrix) {
    item.close(levelled(inputs, matrix), outcome.tensor(matrix + ": result"), 0,
               matrix);
    item.close(inputs.tensor(matrix), outcome.tensor(matrix + ": heights"), 0,
               matrix + ": heights");
  });
  judgement.item("empty", [&](ItemJudgement& item) {
    for (const std::string matrix : empty_matrices) {
      item.equal(0, outcome.recording(matrix).launches(), "launches", matrix);
      item.close(inputs.tensor(matrix), outcome.tensor(matrix + ": result"), 0, matrix);
    }
  });
  for_each_matrix("placed", [&](ItemJudgement& item, const std::string& matrix) {
    item.placed(outcome, matrix + ": result", last_device());
  });
  for_each_matrix("launch", [&](ItemJudgement& item, const std::string& matrix) {
    const Recording& recording = outcome.recording(matrix);
    if (!item.lacks_counts(outcome, matrix))
      item.equal(1, recording.launches(), "launches", matrix);
    item.equal(0, recording.synchronisations(), "waits of the host", matrix);
    item.equal(0, recording.copies(), "copies between devices", matrix);
  });
  for_each_matrix("grid", [&](ItemJudgement& item, const std::string& matrix) {
    if (item.lacks_counts(outcome, matrix)) return;
    const auto kernels = outcome.recording(matrix).kernels();
    item.equal(1, static_cast<std::int64_t>(kernels.size()), "launches of kernels",
               matrix);
    if (kernels.size() != 1) return;
    const auto& [x, y, z] = kernels[0].block;
    const Tensor heights = inputs.tensor(matrix);
    judge_dimension(item, "x", x, kernels[0].grid[0], heights.size(1), matrix);
    judge_dimension(item, "y", y, kernels[0].grid[1], heights.size(0), matrix);
    item.equal(1, std::int64_t{z} * kernels[0].grid[2], "threads in z", matrix);
    item.expect(x * y >= 64 && x * y % 32 == 0,
                "at least 64 threads of a block, a multiple of 32",
                counted(std::int64_t{x} * y, "threads"), matrix);
  });
  for_each_matrix("accesses", [&](ItemJudgement& item, const std::string& matrix) {
    if (item.lacks_counts(outcome, matrix)) return;
    std::int64_t loaded = 0;
    std::int64_t stored = 0;
    for (const KernelRun& kernel : outcome.recording(matrix).kernels()) {
      loaded += signed_of(kernel.counts.load_bytes);
      stored += signed_of(kernel.counts.store_bytes);
    }
    item.equal(inputs.tensor(matrix).nbytes(), loaded, "bytes read", matrix);
    item.equal(inputs.tensor(matrix).nbytes(), stored, "bytes written", matrix);
  });
}

}  // namespace d2l::check
