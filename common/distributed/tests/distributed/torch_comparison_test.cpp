// SPDX-License-Identifier: MIT
// One program in the names of PyTorch's torch.distributed and in ours gives the same values, where PyTorch is
// installed.
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "distributed/processes.h"
#include "temporary_folder.h"
#include "test_python.h"

namespace d2l::testing {
namespace {

using dist::ReduceOp;

/// Small numbers, whose sums and products are exact.
Tensor small_numbers(int rank, std::int64_t length, ScalarType dtype, int salt = 0) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < length; ++i) {
    const auto number = (std::int64_t{rank} * 7 + i * 3 + salt) % 5;
    const bool floating = dtype == kFloat || dtype == kDouble;
    numbers.push_back(dtype == kByte ? static_cast<double>(number % 2 + 1)
                                     : static_cast<double>(number) - 2 + (floating ? 0.5 : 0));
  }
  return from_blob(numbers.data(), {length}, kDouble).to(dtype, false, /*copy=*/true);
}

/// torch_collectives.py has this program in Python.
void torch_program(int rank, int size, std::string& out) {
  const auto write = [&](const std::string& what, const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) {
      out += what + ":";
      for (const double value : tensor.to_vector<double>()) out += fmt::format(" {:g}", value);
      out += "\n";
    }
  };
  constexpr std::pair<const char*, ReduceOp> ops[] = {
      {"SUM", ReduceOp::SUM}, {"PRODUCT", ReduceOp::PRODUCT}, {"MIN", ReduceOp::MIN}, {"MAX", ReduceOp::MAX}};
  for (const ScalarType dtype : {kByte, kInt, kLong, kFloat, kDouble}) {
    for (const std::int64_t length : {1, 7, 1000}) {
      const auto what = fmt::format("{} {}", toString(dtype), length);
      const auto own = [&](int salt = 0) { return small_numbers(rank, length, dtype, salt); };
      const auto list = [&](bool is_there = true) {
        std::vector<Tensor> tensors;
        for (int r = 0; is_there && r < size; ++r) tensors.push_back(zeros({length}, dtype));
        return tensors;
      };
      for (const auto& [op_name, op] : ops) {
        Tensor x = own();
        dist::all_reduce(x, op).wait();
        write(fmt::format("all_reduce {} {}", op_name, what), {x});
        x = own();
        dist::reduce(x, size - 1, op).wait();
        if (rank == size - 1) write(fmt::format("reduce {} {}", op_name, what), {x});
      }
      Tensor x = own();
      dist::broadcast(x, 1).wait();
      write("broadcast " + what, {x});
      auto outputs = list();
      dist::all_gather(outputs, own()).wait();
      write("all_gather " + what, outputs);
      outputs = list(rank == 1);
      dist::gather(outputs, own(), 1).wait();
      write("gather " + what, outputs);
      x = zeros({length}, dtype);
      std::vector<Tensor> inputs;
      for (int r = 0; rank == 1 && r < size; ++r) inputs.push_back(own(r));
      dist::scatter(x, inputs, 1).wait();
      write("scatter " + what, {x});
      x = zeros({length}, dtype);
      const auto request = dist::recv(x, (rank + size - 1) % size, 3);
      dist::send(own(), (rank + 1) % size, 3).wait();
      request.wait();
      write("recv " + what, {x});
    }
  }
  const Tensor half = rank == 0 ? arange(20, kFloat).slice(0, 0, std::nullopt, 2) : arange(10, kFloat) * rank;
  dist::all_reduce(half).wait();
  write("all_reduce of a view", {half});
  const auto group = dist::new_group({0, size - 1});
  if (rank == 0 || rank == size - 1) {
    const Tensor x = full({1}, rank + 1.0);
    dist::all_reduce(x, ReduceOp::SUM, group).wait();
    write("all_reduce in a group", {x});
    write("ranks", {tensor(std::vector<std::int64_t>{dist::get_rank(group), dist::get_world_size(group)})});
  }
  const Tensor later = ones({5});
  const auto work = dist::all_reduce(later);
  work.wait();
  write("all_reduce later", {later});
  dist::barrier().wait();
}

class TorchDistributed : public Processes {};

TEST_F(TorchDistributed, GivesTheSameValues) {
  for (const int size : {2, 3, 4}) {
    const tests::TemporaryFolder folder;
    const auto command = fmt::format("'{}' '{}/common/distributed/tests/distributed/torch_collectives.py' {} {} '{}'",
                                     D2L_TEST_PYTHON, D2L_ROOT, size, free_port(), folder.path().string());
    const int status = std::system(command.c_str());
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && size == 2 && !std::filesystem::exists(folder / "torch 0")) {
      GTEST_SKIP() << "Python has no PyTorch with gloo";
    }
    ASSERT_EQ(status, 0);
    start(size, [&](int rank) {
      std::string out;
      torch_program(rank, size, out);
      tests::write_contents(folder / ("d2l " + std::to_string(rank)), out);
    });
    EXPECT_EQ(finish(), std::vector<int>(static_cast<std::size_t>(size)));
    for (int rank = 0; rank < size; ++rank) {
      const auto expected = tests::contents(folder / ("torch " + std::to_string(rank)));
      EXPECT_GT(expected.size(), 100000U);
      EXPECT_EQ(tests::contents(folder / ("d2l " + std::to_string(rank))), expected)
          << "rank " << rank << " of " << size;
    }
  }
}

}  // namespace
}  // namespace d2l::testing
