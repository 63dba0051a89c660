// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* matrices[] = {"one element", "a wide matrix", "a tall matrix", "whole blocks", "parts of blocks"};
constexpr const char* empty_matrices[] = {"no rows", "no columns"};

/// The device of the matrix: the last one, because a careless solution uses the first.
Device device_of_matrix() { return gpu(num_gpus() - 1); }

std::int64_t signed_of(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// A matrix of multiples of 1/8: with planes of such slopes, all results are exact in float32.
Tensor heights_of(Inputs& inputs, std::int64_t rows, std::int64_t columns) {
  Tensor heights = zeros({rows, columns});
  for (std::int64_t i = 0; i < heights.numel(); ++i) {
    heights.data_ptr<float>()[i] = static_cast<float>(inputs.draw(-4000, 4000)) / 8;
  }
  return heights;
}

Tensor levelled(const Inputs& inputs, const std::string& matrix) {
  Tensor result = inputs.tensor(matrix).clone();
  const std::int64_t columns = result.size(1);
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    const std::int64_t row = i / columns;
    const std::int64_t column = i % columns;
    float& element = result.data_ptr<float>()[i];
    element = static_cast<float>(element - inputs.number("down") * static_cast<double>(row) -
                                 inputs.number("across") * static_cast<double>(column));
  }
  return result;
}

/// Expects blocks of allowed sizes, as many as `elements` need, in one dimension.
void judge_dimension(ItemJudgement& item, const std::string& dimension, unsigned threads, unsigned blocks,
                     std::int64_t elements, const std::string& where) {
  item.expect(threads >= 2 && threads <= 32, "2 to 32 threads of a block in " + dimension,
              counted(threads, "threads") + " in " + dimension, where);
  item.equal((elements + threads - 1) / threads, blocks,
             "blocks of " + std::to_string(threads) + " in " + dimension + " for " + std::to_string(elements), where);
}

}  // namespace

std::vector<Item> items() {
  return {{"values", 3, Kind::result,
           "each element is reduced by the plane at its row and column; heights does not change", 1},
          {"empty", 1, Kind::cost, "a matrix without elements gives one of the same shape, without a launch", 3},
          {"placed", 1, Kind::placement, "the result is on the device of heights", 2},
          {"launch", 1, Kind::cost, "there is one launch, no wait of the host, and no copy", 2},
          {"grid", 1, Kind::cost,
           "blocks of two dimensions cover the columns in x and the rows in y, none is left over", 3},
          {"accesses", 1, Kind::cost, "each element is read once and written once", 2}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  constexpr std::int64_t sides[] = {31, 33, 65, 127};
  const auto side = inputs.draw(0, 3);
  inputs.put("down", static_cast<double>(inputs.draw(1, 20)) / 8);
  inputs.put("across", -static_cast<double>(inputs.draw(21, 40)) / 8);
  inputs.put("one element", heights_of(inputs, 1, 1));
  inputs.put("a wide matrix", heights_of(inputs, inputs.draw(2, 7), inputs.draw(900, 1000)));
  inputs.put("a tall matrix", heights_of(inputs, inputs.draw(900, 1000), inputs.draw(2, 7)));
  inputs.put("whole blocks", heights_of(inputs, 64, 96));
  inputs.put("parts of blocks", heights_of(inputs, sides[side], sides[(side + inputs.draw(1, 3)) % 4]));
  inputs.put("no rows", heights_of(inputs, 0, inputs.draw(1, 40)));
  inputs.put("no columns", heights_of(inputs, inputs.draw(1, 40), 0));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  const auto down = static_cast<float>(inputs.number("down"));
  const auto across = static_cast<float>(inputs.number("across"));
  const auto call = [&](const std::string& matrix) {
    const Tensor heights = inputs.tensor(matrix).to(device_of_matrix());
    synchronize();
    Tensor result;
    if (!outcome.attempt(matrix, [&] { result = subtract_plane(heights, down, across); })) return;
    if (result.defined()) outcome.result(matrix + ": result", result);
    outcome.result(matrix + ": heights", heights);
  };
  for (const char* const matrix : empty_matrices) call(matrix);
  for (const char* const matrix : matrices) call(matrix);
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto for_each_matrix = [&](const std::string& name, const auto& judge_matrix) {
    judgement.item(name, [&](ItemJudgement& item) {
      for (const char* const matrix : matrices) {
        static_cast<void>(outcome.recording(matrix));
        judge_matrix(item, std::string(matrix));
      }
    });
  };
  for_each_matrix("values", [&](ItemJudgement& item, const std::string& matrix) {
    item.close(levelled(inputs, matrix), outcome.tensor(matrix + ": result"), 0, matrix);
    item.close(inputs.tensor(matrix), outcome.tensor(matrix + ": heights"), 0, matrix + ": heights");
  });
  judgement.item("empty", [&](ItemJudgement& item) {
    for (const std::string matrix : empty_matrices) {
      item.equal(0, outcome.recording(matrix).launches(), "launches", matrix);
      item.close(inputs.tensor(matrix), outcome.tensor(matrix + ": result"), 0, matrix);
    }
  });
  for_each_matrix("placed", [&](ItemJudgement& item, const std::string& matrix) {
    item.placed(outcome, matrix + ": result", device_of_matrix());
  });
  for_each_matrix("launch", [&](ItemJudgement& item, const std::string& matrix) {
    const Recording& recording = outcome.recording(matrix);
    if (!item.lacks_counts(outcome, matrix)) item.equal(1, recording.launches(), "launches", matrix);
    item.equal(0, recording.synchronisations(), "waits of the host", matrix);
    item.equal(0, recording.copies(), "copies between devices", matrix);
  });
  for_each_matrix("grid", [&](ItemJudgement& item, const std::string& matrix) {
    if (item.lacks_counts(outcome, matrix)) return;
    const auto kernels = outcome.recording(matrix).kernels();
    item.equal(1, static_cast<std::int64_t>(kernels.size()), "launches of kernels", matrix);
    if (kernels.size() != 1) return;
    const auto& [x, y, z] = kernels[0].block;
    const Tensor heights = inputs.tensor(matrix);
    judge_dimension(item, "x", x, kernels[0].grid[0], heights.size(1), matrix);
    judge_dimension(item, "y", y, kernels[0].grid[1], heights.size(0), matrix);
    item.equal(1, std::int64_t{z} * kernels[0].grid[2], "threads in z", matrix);
    item.expect(x * y >= 64 && x * y % 32 == 0, "at least 64 threads of a block, a multiple of 32",
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
