// SPDX-License-Identifier: MIT
// all_to_all, batches of messages, and the collectives of one tensor: values, bytes that are sent, errors.
#include <numeric>

#include "distributed/processes.h"

namespace d2l::testing {
namespace {

class Exchange : public Processes {};

/// The elements that rank `from` sends to rank `to` as double-precision numbers.
std::vector<double> part(int from, int to, std::int64_t count) { return elements_of(10 * from + to, count, kDouble); }

/// The bytes that a rank sends in its ledger, with the calls on which ranks agree left out.
std::int64_t sent_by(const TransferLedger& ledger, int rank) {
  std::int64_t bytes = 0;
  for (const auto& entry : ledger.entries()) {
    if (entry.kind == LedgerEntry::Kind::send && entry.rank == rank) bytes += entry.bytes;
  }
  return bytes;
}

void exchange_parts_of_several_sizes(int rank) {
  const int size = dist::get_world_size();
  for (const ScalarType dtype : {kFloat, kLong}) {
    for (const bool contiguous : {true, false}) {
      std::vector<Tensor> inputs;
      std::vector<Tensor> outputs;
      for (int other = 0; other < size; ++other) {
        inputs.push_back(tensor_of(part(rank, other, 3 * rank + other), dtype, kCPU, contiguous));
        outputs.push_back(tensor_of(std::vector<double>(static_cast<std::size_t>(3 * other + rank)), dtype, kCPU));
      }
      dist::all_to_all(outputs, inputs).wait();
      for (int other = 0; other < size; ++other) {
        const Tensor expected = tensor_of(part(other, rank, 3 * other + rank), dtype, kCPU);
        EXPECT_TRUE(outputs[static_cast<std::size_t>(other)].equal(expected)) << rank << " from " << other;
      }
    }
  }
}

void exchange_rows(int rank) {
  const int size = dist::get_world_size();
  const Tensor input = arange(2 * size * 3, kFloat).add(100 * rank).view({2 * size, 3});
  const Tensor output = zeros({2 * size, 3});
  dist::all_to_all_single(output, input).wait();
  for (int other = 0; other < size; ++other) {
    const Tensor expected = arange(2 * size * 3, kFloat).add(100 * other).view({2 * size, 3}).narrow(0, 2 * rank, 2);
    EXPECT_TRUE(output.narrow(0, 2 * other, 2).equal(expected));
  }
  // Rank r sends r + 1 rows to each rank.
  std::vector<std::int64_t> expected_rows;
  for (int other = 0; other < size; ++other) expected_rows.push_back(other + 1);
  const Tensor uneven = zeros({std::accumulate(expected_rows.begin(), expected_rows.end(), std::int64_t{0})});
  const std::vector<std::int64_t> sent(static_cast<std::size_t>(size), rank + 1);
  dist::all_to_all_single(uneven, full({size * (rank + 1)}, 1.0 * rank), expected_rows, sent).wait();
  std::vector<double> values;
  for (int other = 0; other < size; ++other) values.insert(values.end(), static_cast<std::size_t>(other + 1), other);
  expect_tensor(uneven, {uneven.size(0)}, values);
}

TEST_F(Exchange, OfPartsBetweenThreads) {
  for (const int size : world_sizes) {
    dist::run_ranks(size, [](int rank) {
      exchange_parts_of_several_sizes(rank);
      exchange_rows(rank);
    });
  }
}

TEST_F(Exchange, OfPartsBetweenProcesses) {
  start(3, [](int rank) {
    exchange_parts_of_several_sizes(rank);
    exchange_rows(rank);
  });
  EXPECT_EQ(finish(), std::vector<int>(3, 0));
}

TEST_F(Exchange, OfPartsOnGpus) {
  if (num_gpus() < 2) GTEST_SKIP() << "there are fewer than 2 GPUs";
  dist::run_ranks(2, [](int rank) {
    const Tensor output = zeros({4}, gpu(rank));
    const auto work =
        dist::all_to_all_single(output, arange(4, TensorOptions(kFloat).device(gpu(rank))).add(10 * rank));
    work.wait();
    expect_tensor(output.cpu(), {4}, rank == 0 ? std::vector<double>{0, 1, 10, 11} : std::vector<double>{2, 3, 12, 13});
  });
}

TEST_F(Exchange, SendsWhatTheRingSends) {
  constexpr std::int64_t each = 1200;
  constexpr std::int64_t bytes = each * 4;
  for (const int size : {2, 3, 4}) {
    dist::run_ranks(size, [&](int rank) {
      const Tensor whole = ones({size * each});
      const Tensor own = ones({each});
      const auto sends = [&](const auto& collective) {
        dist::barrier().wait();
        const TransferLedger ledger;
        collective().wait();
        const auto sent = sent_by(ledger, rank);
        dist::barrier().wait();
        return sent;
      };
      // (n - 1) / n of what is reduced or gathered.
      EXPECT_EQ(sends([&] { return dist::reduce_scatter_tensor(own, whole); }), (size - 1) * bytes);
      EXPECT_EQ(sends([&] { return dist::all_gather_into_tensor(whole, own); }), (size - 1) * bytes);
      EXPECT_EQ(sends([&] { return dist::all_to_all_single(whole.clone(), whole); }), (size - 1) * bytes);
    });
  }
}

TEST_F(Exchange, OfPartsThatDoNotFitIsAnErrorOnAllRanks) {
  dist::run_ranks(3, [](int rank) {
    const std::vector<Tensor> inputs{ones({1}), ones({rank == 1 ? 2 : 1}), ones({1})};
    const std::vector<Tensor> outputs{zeros({1}), zeros({1}), zeros({1})};
    expect_error<DistributedError>([&] { dist::all_to_all(outputs, inputs).wait(); }, "the ranks' parts do not fit");
    dist::barrier().wait();  // the group still works
  });
}

TEST_F(Exchange, ChecksItsArguments) {
  dist::run_ranks(2, [](int rank) {
    if (rank != 0) return;
    const Tensor x = ones({3});
    expect_error<ShapeError>([&] { static_cast<void>(dist::all_to_all_single(x, x)); },
                             "Tensor's dim 0 does not divide equally across group size");
    expect_error<ValueError>(
        [&] {
          static_cast<void>(dist::all_to_all_single(x, x, {1, 1, 1}, {1, 2}));
        },
        "Number of tensor splits not equal to group size");
    expect_error<ShapeError>(
        [&] {
          static_cast<void>(dist::all_to_all_single(x, x, {1, 2}, {1, 1}));
        },
        "Split sizes doesn't match total dim 0 size");
    expect_error<ValueError>([&] { static_cast<void>(dist::all_to_all({x}, {x, x})); }, "there are 1 outputs");
    expect_error<TypeError>([&] { static_cast<void>(dist::all_to_all({x, x.to(kLong)}, {x, x})); }, "different dtypes");
    expect_error<ShapeError>([&] { static_cast<void>(dist::reduce_scatter_tensor(x, ones({5}))); },
                             "does not have as many elements");
  });
}

TEST_F(Exchange, OfABatchOfMessagesNeedsNoOrder) {
  for (const int size : {2, 3, 4}) {
    dist::run_ranks(size, [size](int rank) {
      const Tensor sent = full({5}, 1.0 * rank);
      const Tensor received = zeros({5});
      const int next = (rank + 1) % size;
      const int previous = (rank + size - 1) % size;
      std::vector<dist::P2POp> batch{{dist::isend, sent, next}, {dist::irecv, received, previous}};
      if (rank % 2 == 1) std::swap(batch[0], batch[1]);
      for (const auto& work : dist::batch_isend_irecv(batch)) work.wait();
      expect_tensor(received, {5}, std::vector<double>(5, previous));
    });
  }
}

TEST_F(Exchange, OfABatchChecksItFirst) {
  dist::run_ranks(2, [](int rank) {
    const Tensor x = ones({1});
    expect_error<ValueError>([] { static_cast<void>(dist::batch_isend_irecv({})); }, "there are no messages");
    expect_error<ValueError>([&] { static_cast<void>(dist::P2POp(dist::send, x, 0)); }, "Invalid ``op``");
    expect_error<ValueError>(
        [&] {
          static_cast<void>(
              dist::batch_isend_irecv({dist::P2POp(dist::isend, x, 1 - rank), dist::P2POp(dist::irecv, x, rank)}));
        },
        "is this rank itself");  // and nothing was sent
    const auto other = dist::new_group({0, 1});
    expect_error<ValueError>(
        [&] {
          static_cast<void>(dist::batch_isend_irecv(
              {dist::P2POp(dist::isend, x, 1 - rank), dist::P2POp(dist::irecv, x, 1 - rank, other)}));
        },
        "All ops need to use the same group.");
    const Tensor received = zeros({1});
    const auto work = dist::irecv(received, 1 - rank);
    dist::isend(x * (rank + 7), 1 - rank).wait();
    work.wait();
    EXPECT_EQ(received.item<double>(), 8 - rank);
  });
}

TEST_F(Exchange, OfTheDevicesOfOneProcess) {
  const int count = std::min(num_gpus(), 4);
  if (count < 2) GTEST_SKIP() << "there are fewer than 2 GPUs";
  dist::init_process_group("local");
  const auto k = static_cast<std::size_t>(count);
  std::vector<std::vector<Tensor>> inputs(k);
  std::vector<std::vector<Tensor>> outputs(k);
  std::vector<Tensor> wholes;
  std::vector<Tensor> parts;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      inputs[static_cast<std::size_t>(i)].push_back(full({2}, 10.0 * i + j, gpu(i)));
      outputs[static_cast<std::size_t>(i)].push_back(zeros({2}, gpu(i)));
    }
    wholes.push_back(zeros({3 * count}, gpu(i)));
    parts.push_back(full({3}, 1.0 * i, gpu(i)));
  }
  dist::all_to_all(outputs, inputs).wait();
  dist::all_gather_into_tensor(wholes, parts).wait();
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      expect_tensor(outputs[i][j].cpu(), {2},
                    std::vector<double>(2, 10.0 * static_cast<double>(j) + static_cast<double>(i)));
      EXPECT_EQ(wholes[i][static_cast<std::int64_t>(3 * j)].item<double>(), static_cast<double>(j));
    }
  }
  const bool direct = have_peer_access();
  const TransferLedger ledger;
  dist::reduce_scatter_tensor(parts, wholes).wait();
  for (int i = 0; i < count; ++i) {
    expect_tensor(parts[static_cast<std::size_t>(i)].cpu(), {3}, std::vector<double>(3, 1.0 * i * count));
  }
  if (direct) {
    EXPECT_EQ(ledger.sent_bytes(gpu(0)), (count - 1) * 12);
  }
  dist::destroy_process_group();
}

}  // namespace
}  // namespace d2l::testing
