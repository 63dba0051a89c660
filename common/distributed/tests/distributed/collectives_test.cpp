// SPDX-License-Identifier: MIT
// Every collective, dtype, operation and world size against a computation in double precision, and the bytes of each.
#include "distributed/ranks.h"

namespace d2l::testing {
namespace {

using dist::ReduceOp;
using namespace std::chrono_literals;

/// The devices of a rank in these tests: the CPU, and a GPU if there is one.
std::vector<Device> devices_of(int rank) {
  std::vector<Device> devices{cpu()};
  if (num_gpus() > 0) devices.push_back(gpu(rank % num_gpus()));
  return devices;
}

/// Calls `body(rank, device, dtype, length)` on each rank, for all dtypes and a few lengths.
template <class Body>
void on_all(int size, const Body& body) {
  dist::run_ranks(size, [&](int rank) {
    for (const ScalarType dtype : every_dtype) {
      for (const std::int64_t length : {0, 1, 7, 3000}) {
        for (const Device device : devices_of(rank)) body(rank, device, dtype, length);
      }
    }
  });
}

class Collectives : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { SKIP_WITHOUT_GLOO(); }
  [[nodiscard]] static int size() { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Ranks, Collectives, ::testing::ValuesIn(world_sizes));

TEST_P(Collectives, AllReduceJoinsTheElementsOfAllRanks) {
  on_all(size(), [](int rank, Device device, ScalarType dtype, std::int64_t length) {
    for (const ReduceOp op : every_op) {
      if (!has_op(dtype, op)) continue;
      const auto expected = joined_elements(op, size(), length, dtype);
      for (const bool contiguous : {true, false}) {
        const Tensor x = tensor_of(elements_of(rank, length, dtype), dtype, device, contiguous);
        dist::all_reduce(x, op).wait();
        expect_values(x, expected);
      }
    }
  });
}

TEST_P(Collectives, AMillionElements) {
  dist::run_ranks(size(), [](int rank) {
    const Tensor x = tensor_of(elements_of(rank, 1'000'000, kFloat), kFloat, cpu());
    dist::all_reduce(x).wait();
    expect_values(x, joined_elements(ReduceOp::SUM, size(), 1'000'000, kFloat));
  });
}

TEST_P(Collectives, BroadcastCopiesTheElementsOfOneRank) {
  on_all(size(), [](int rank, Device device, ScalarType dtype, std::int64_t length) {
    for (int src = 0; src < size(); ++src) {
      const Tensor x = tensor_of(elements_of(rank, length, dtype), dtype, device, rank % 2 == 0);
      dist::broadcast(x, src).wait();
      expect_values(x, elements_of(src, length, dtype));
    }
  });
}

TEST_P(Collectives, ReduceWritesOneRankOnly) {
  on_all(size(), [](int rank, Device device, ScalarType dtype, std::int64_t length) {
    for (const ReduceOp op : every_op) {
      if (!has_op(dtype, op)) continue;
      const int dst = size() - 1;
      const Tensor x = tensor_of(elements_of(rank, length, dtype), dtype, device);
      dist::reduce(x, dst, op).wait();
      expect_values(x, rank == dst ? joined_elements(op, size(), length, dtype) : elements_of(rank, length, dtype));
    }
  });
}

TEST_P(Collectives, AllGatherCopiesEachRankToAll) {
  on_all(size(), [](int rank, Device device, ScalarType dtype, std::int64_t length) {
    std::vector<Tensor> outputs;
    for (int i = 0; i < size(); ++i) {
      outputs.push_back(tensor_of(std::vector<double>(static_cast<std::size_t>(length)), dtype, device, i % 2 == 0));
    }
    dist::all_gather(outputs, tensor_of(elements_of(rank, length, dtype), dtype, device, false)).wait();
    for (int i = 0; i < size(); ++i) {
      expect_values(outputs[static_cast<std::size_t>(i)], elements_of(i, length, dtype));
    }
  });
}

TEST_P(Collectives, ReduceScatterGivesEachRankItsPart) {
  on_all(size(), [](int rank, Device device, ScalarType dtype, std::int64_t length) {
    for (const ReduceOp op : every_op) {
      if (!has_op(dtype, op)) continue;
      std::vector<Tensor> inputs;  // for rank i, the elements of a rank that is i × 10 further
      for (int i = 0; i < size(); ++i)
        inputs.push_back(tensor_of(elements_of(rank + i * 10, length, dtype), dtype, device));
      const Tensor output = tensor_of(std::vector<double>(static_cast<std::size_t>(length)), dtype, device, false);
      dist::reduce_scatter(output, inputs, op).wait();
      std::vector<double> expected;
      for (std::int64_t i = 0; i < length; ++i) {
        std::vector<double> each;
        for (int other = 0; other < size(); ++other) each.push_back(element_of(other + rank * 10, i, dtype));
        expected.push_back(joined(op, each, dtype));
      }
      expect_values(output, expected);
    }
  });
}

TEST_P(Collectives, OneTensorHasThePartsOfAllRanks) {
  on_all(size(), [](int rank, Device device, ScalarType dtype, std::int64_t length) {
    const Tensor own = tensor_of(elements_of(rank, length, dtype), dtype, device, false);
    const Tensor all = zeros({size() * length}, TensorOptions(dtype).device(device));
    dist::all_gather_into_tensor(all, own).wait();
    for (int i = 0; i < size(); ++i) expect_values(all.narrow(0, i * length, length), elements_of(i, length, dtype));
    std::vector<Tensor> inputs;
    for (int i = 0; i < size(); ++i)
      inputs.push_back(tensor_of(elements_of(rank + i * 10, length, dtype), dtype, device));
    const Tensor expected = zeros({length}, TensorOptions(dtype).device(device));
    dist::reduce_scatter(expected, inputs).wait();
    const Tensor reduced = zeros({length}, TensorOptions(dtype).device(device));
    dist::reduce_scatter_tensor(reduced, stack(inputs)).wait();
    EXPECT_TRUE(equal(reduced, expected));
  });
}

TEST_P(Collectives, OneTensorIsContiguousAndHasRoomForAll) {
  dist::run_ranks(size(), [](int) {
    const Tensor strided = zeros({2, 3 * size()}).t();
    const Tensor own = zeros({6});
    expect_error<ValueError>([&] { return dist::all_gather_into_tensor(strided, own); }, "output is not contiguous");
    expect_error<ValueError>([&] { return dist::reduce_scatter_tensor(own, strided); }, "input is not contiguous");
    expect_error<ShapeError>([&] { return dist::all_gather_into_tensor(zeros({6 * size() + 1}), own); },
                             "output does not have as many");
    expect_error<ShapeError>([&] { return dist::reduce_scatter_tensor(own, zeros({5 * size()})); },
                             "input does not have as many");
    expect_error<TypeError>([&] { return dist::all_gather_into_tensor(zeros({6 * size()}, kInt), own); },
                            "[all_gather_into_tensor] the tensors have different dtypes");
    expect_error<ValueError>(
        [&] { return dist::all_gather_into_tensor(ones({6 * size()}, TensorOptions().requires_grad(true)), own); },
        "requires gradients");
  });
}

TEST_P(Collectives, ScatterAndGatherAreInverse) {
  on_all(size(), [](int rank, Device device, ScalarType dtype, std::int64_t length) {
    const int root = size() / 2;
    std::vector<Tensor> lists;
    if (rank == root) {
      for (int i = 0; i < size(); ++i) lists.push_back(tensor_of(elements_of(i, length, dtype), dtype, device));
    }
    const Tensor own = tensor_of(std::vector<double>(static_cast<std::size_t>(length)), dtype, device);
    dist::scatter(own, lists, root).wait();
    expect_values(own, elements_of(rank, length, dtype));
    for (Tensor& tensor : lists) tensor.zero_();
    dist::gather(lists, own, root).wait();
    for (std::size_t i = 0; i < lists.size(); ++i)
      expect_values(lists[i], elements_of(static_cast<int>(i), length, dtype));
  });
}

TEST_P(Collectives, MessagesGoAroundARing) {
  if (size() == 1) return;
  on_all(size(), [](int rank, Device device, ScalarType dtype, std::int64_t length) {
    const int next = (rank + 1) % size();
    const int previous = (rank + size() - 1) % size();
    const Tensor received = tensor_of(std::vector<double>(static_cast<std::size_t>(length)), dtype, device, false);
    const auto sent = dist::send(tensor_of(elements_of(rank, length, dtype), dtype, device), next, 5);
    dist::recv(received, previous, 5).wait();
    sent.wait();
    expect_values(received, elements_of(previous, length, dtype));
  });
}

TEST_P(Collectives, AnAllReduceSendsTwiceAllButOnePartOfTheElements) {
  const std::int64_t length = 840 * 4;  // divisible by all sizes
  std::vector<std::int64_t> sent(static_cast<std::size_t>(size()));
  std::vector<std::int64_t> received(sent.size());
  const TransferLedger ledger;
  dist::run_ranks(size(), [&](int rank) {
    const Tensor x = ones({length}, kDouble);
    dist::all_reduce(x).wait();
    dist::barrier().wait();
    static_cast<void>(rank);
  });
  for (const auto& entry : ledger.entries()) {
    if (entry.kind == LedgerEntry::Kind::send) sent[static_cast<std::size_t>(entry.rank)] += entry.bytes;
    if (entry.kind == LedgerEntry::Kind::receive) received[static_cast<std::size_t>(entry.rank)] += entry.bytes;
  }
  const std::int64_t expected = 2 * (size() - 1) * length * 8 / size();
  EXPECT_EQ(sent, std::vector<std::int64_t>(sent.size(), expected));
  EXPECT_EQ(received, std::vector<std::int64_t>(sent.size(), expected));
  EXPECT_EQ(ledger.sent_bytes(Connection::network), expected * size());
  EXPECT_EQ(ledger.received_bytes(Connection::network), expected * size());
}

TEST(CollectivesOfOneProcess, NeedNoGroupOfSeveral) {
  dist::init_process_group("local");
  EXPECT_EQ(dist::get_backend(), "local");
  EXPECT_EQ(dist::get_world_size(), 1);
  const Tensor x = ones({3});
  dist::all_reduce(x).wait();
  dist::broadcast(x, 0).wait();
  dist::barrier().wait();
  expect_tensor(x, {3}, {1, 1, 1});
  const std::vector<Tensor> outputs{zeros({3})};
  dist::all_gather(outputs, x).wait();
  expect_tensor(outputs[0], {3}, {1, 1, 1});
  dist::destroy_process_group();
  EXPECT_FALSE(dist::is_initialized());
}

TEST(CollectivesOfOneProcess, RefuseWhatIsNotThere) {
  expect_error<ValueError>([] { return dist::get_rank(); }, "init_process_group");
  expect_error<ConfigurationError>([] { dist::init_process_group("smoke"); }, "there is no backend \"smoke\"");
  dist::init_process_group("local");
  expect_error<ValueError>([] { dist::init_process_group("local"); }, "twice");
  expect_error<ValueError>([] { dist::broadcast(ones({1}), 1).wait(); }, "src is 1");
  expect_error<ValueError>([] { dist::send(ones({1}), 0).wait(); }, "itself");
  expect_error<TypeError>([] { dist::all_reduce(ones({1}, kInt), ReduceOp::AVG).wait(); }, "average");
  expect_error<ValueError>([] { dist::all_reduce(ones({1}).requires_grad_()).wait(); }, "requires gradients");
  expect_error<ValueError>([] { dist::all_reduce(Tensor()).wait(); }, "undefined");
  dist::destroy_process_group();
}

}  // namespace
}  // namespace d2l::testing
