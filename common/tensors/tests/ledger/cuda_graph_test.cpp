// SPDX-License-Identifier: MIT
// Graphs of captured work: what a capture contains, what a replay computes, what both count, and what they refuse.
#include "d2l/cuda_graph.h"

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "d2l/autograd.h"
#include "d2l/event.h"
#include "d2l/memory.h"
#include "d2l/testing.h"
#include "gtest/gtest.h"
#include "library.h"
#include "messages.h"

namespace d2l::tests {
namespace {

using cuda::CUDAGraph;

/// Captures the work; for a replay of it, the tensors that it makes must be kept by the caller.
void capture(CUDAGraph& graph, Device device, const std::function<void()>& work) {
  graph.capture_begin(device);
  work();
  graph.capture_end();
}

/// The message of the Error that `work` throws while a graph is captured.
std::string refused(Device device, const std::function<void()>& work) {
  CUDAGraph graph;
  graph.capture_begin(device);
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(CudaGraph, RunsItsWorkAtEachReplayAndNotBefore) {
  for (const auto& device : gpus(num_gpus())) {
    Tensor x = ones({3}, device);
    CUDAGraph graph;
    Tensor y;
    capture(graph, device, [&] {
      x += 1;
      y = x * 2;
    });
    EXPECT_TRUE(equal(x, ones({3}, device)));
    graph.replay();
    EXPECT_TRUE(equal(y, full({3}, 4.0, device)));
    x.copy_(full({3}, 10.0));
    graph.replay();
    graph.replay();
    EXPECT_TRUE(equal(x, full({3}, 12.0, device)));
    EXPECT_TRUE(equal(y, full({3}, 24.0, device)));
  }
}

TEST(CudaGraph, ReturnsBeforeItsWorkIsDone) {
  for (const auto& device : gpus(num_gpus())) {
    Tensor x = ones({1000}, device);
    CUDAGraph graph;
    capture(graph, device, [&] { x += 1; });
    Event event;
    {
      const testing::HeldQueue held(device);
      graph.replay();
      event.record(device);
      EXPECT_FALSE(event.query());
    }
    event.synchronize();
    EXPECT_EQ(x[0].item<float>(), 2);
  }
}

TEST(CudaGraph, MayBeCapturedWhileTheQueueIsHeld) {
  for (const auto& device : gpus(num_gpus())) {
    Tensor x = ones({4}, device);
    CUDAGraph graph;
    {
      const testing::HeldQueue held(device);
      x += 1;
      capture(graph, device, [&] { x *= 3; });
      graph.replay();
    }
    EXPECT_TRUE(equal(x, full({4}, 6.0, device)));
  }
}

TEST(CudaGraph, TrainsAsTheSameStepsWithoutIt) {
  for (const auto& device : gpus(num_gpus())) {
    const auto train = [&](bool with_graph) {
      manual_seed(3);
      nn::Sequential net(nn::Linear(4, 8), nn::ReLU(), nn::Linear(8, 1));
      net->to(device);
      optim::SGD optimizer(net->parameters(), optim::SGDOptions(0.1).momentum(0.9));
      const Tensor examples = randn({5, 16, 4}, device);
      Tensor x = examples[0].clone();
      Tensor loss;
      const auto step = [&] {
        optimizer.zero_grad(true);
        loss = net(x).square().mean();
        loss.backward();
        optimizer.step();
      };
      step();
      CUDAGraph graph;
      if (with_graph) capture(graph, device, step);
      for (std::int64_t i = 0; i < 5; ++i) {
        x.copy_(examples[i]);
        with_graph ? graph.replay() : step();
      }
      std::vector<Tensor> result{loss.detach().clone()};
      for (const Tensor& parameter : net->parameters()) result.push_back(parameter.detach().clone());
      return result;
    };
    const auto expected = train(false);
    const auto found = train(true);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(equal(found[i], expected[i])) << i;
  }
}

TEST(CudaGraph, ComputesProductsSumsSortsAndConvolutions) {
  for (const auto& device : gpus(num_gpus())) {
    manual_seed(1);
    Tensor x = randn({4, 3, 8, 8}, device);
    const Tensor weight = randn({5, 3, 3, 3}, device);
    const auto work = [&] {
      const Tensor images = conv2d(x, weight, {}, 1, 1);
      const Tensor rows = images.reshape({20, 64});
      return std::get<0>(rows.matmul(rows.t()).softmax(1).sort(1)).sum(0);
    };
    CUDAGraph graph;
    Tensor y;
    capture(graph, device, [&] { y = work(); });
    for (int i = 0; i < 3; ++i) {
      x.copy_(randn({4, 3, 8, 8}));
      graph.replay();
      EXPECT_TRUE(equal(y, work()));
    }
  }
}

TEST(CudaGraph, CountsOneReplayAndEachLaunch) {
  for (const auto& device : gpus(num_gpus())) {
    Tensor x = ones({100}, device);
    CUDAGraph graph;
    {
      const TransferLedger ledger;
      capture(graph, device, [&] {
        x += 1;
        x *= 2;
      });
      EXPECT_EQ(ledger.launches(), 0);
      EXPECT_EQ(ledger.replays(), 0);
    }
    const TransferLedger ledger;
    graph.replay();
    graph.replay();
    EXPECT_EQ(ledger.replays(), 2);
    EXPECT_EQ(ledger.launches(), 4);
    EXPECT_EQ(ledger.synchronisations(), 0);
    EXPECT_EQ(ledger.summary(), "4 launches: 3200 bytes, 400 floating-point operations\n2 replays of graphs");
    const auto entries = ledger.entries();
    ASSERT_EQ(entries.size(), 6U);
    EXPECT_EQ(entries[0].kind, LedgerEntry::Kind::replay);
    EXPECT_GE(entries[0].ended, entries[0].began);
    EXPECT_GE(entries[0].began, 0);
    EXPECT_FALSE(entries[0].captured);
    EXPECT_TRUE(entries[1].captured);
    EXPECT_EQ(entries[1].name, "add");
    EXPECT_EQ(entries[2].name, "mul");
    if (device_properties(device).kind == DeviceKind::virtual_gpu_on_host) {
      EXPECT_GE(entries[2].began, entries[1].ended);
      EXPECT_GE(entries[1].began, entries[0].began);
    }
  }
}

TEST(CudaGraph, KeepsTheMemoryOfItsTensorsAndUsesItAgainWithinTheCapture) {
  for (const auto& device : gpus(num_gpus())) {
    const Tensor x = ones({1024}, device);
    const std::int64_t before = cuda::memory_allocated(device);
    {
      CUDAGraph graph;
      Tensor y;
      const TransferLedger ledger;
      capture(graph, device, [&] {
        y = x;
        for (int i = 0; i < 10; ++i) y = y + 1;
      });
      EXPECT_EQ(ledger.allocations(), 2);
      EXPECT_EQ(ledger.releases(), 0);
      EXPECT_EQ(cuda::memory_allocated(device), before + std::int64_t{2} * 4096);
      Tensor other = full({1024}, 7.0, device);
      graph.replay();
      EXPECT_TRUE(equal(y, full({1024}, 11.0, device)));
      EXPECT_TRUE(equal(other, full({1024}, 7.0, device)));
      graph.reset();
      EXPECT_TRUE(equal(y, full({1024}, 11.0, device))) << "a tensor outlives its graph";
    }
    EXPECT_EQ(cuda::memory_allocated(device), before);
  }
}

TEST(CudaGraph, RefusesAReplayAfterATensorIsGone) {
  for (const auto& device : gpus(num_gpus())) {
    CUDAGraph graph;
    Tensor x = ones({2, 3}, device);
    Tensor y;
    capture(graph, device, [&] { y = x + 1; });
    graph.replay();
    x = Tensor();
    try {
      graph.replay();
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()),
                "[replay] a tensor that the graph uses does not exist any more, so its memory may be that of another "
                "tensor: Float [2, 3] on " +
                    device.str() + "; keep every tensor from before the capture as long as the graph.");
    }
  }
}

TEST(CudaGraph, CountsAsAWriteForGradients) {
  for (const auto& device : gpus(num_gpus())) {
    Tensor x = ones({2}, device);
    CUDAGraph graph;
    capture(graph, device, [&] { x += 1; });
    Tensor w = ones({2}, TensorOptions(device).requires_grad(true));
    const Tensor y = (w * x).sum();
    graph.replay();
    EXPECT_THROW(y.backward(), Error);
  }
}

TEST(CudaGraph, RefusesWhatItCannotContain) {
  for (const auto& device : gpus(num_gpus())) {
    Tensor x = ones({3}, device);
    const auto expect_refused = [&](const char* what, const std::function<void()>& work) {
      const std::string message = refused(device, work);
      EXPECT_NE(message.find("operation not permitted when stream is capturing"), std::string::npos)
          << what << ": " << message;
    };
    expect_refused("to the host", [&] { static_cast<void>(x.to(cpu())); });
    expect_refused("from the host", [&] { x.copy_(zeros({3})); });
    expect_refused("item", [&] { static_cast<void>(x[0].item<float>()); });
    expect_refused("print", [&] { static_cast<void>(repr(x)); });
    expect_refused("synchronize", [&] { synchronize(device); });
    expect_refused("synchronize all", [] { synchronize(); });
    expect_refused("random", [&] { x.uniform_(); });
    expect_refused("event", [&] { Event().record(device); });
    expect_refused("wait for an event", [&] { Event().block(device); });
    nn::Linear layer(3, 1);
    layer->to(device);
    layer->forward(x).sum().backward();
    optim::Adam adam(layer->parameters(), 0.1);
    adam.step();
    expect_refused("Adam", [&] { adam.step(); });
    optim::SGD momentum(layer->parameters(), optim::SGDOptions(0.1).momentum(0.9));
    expect_refused("the first step", [&] { momentum.step(); });
    optim::RMSprop squares(layer->parameters());
    expect_refused("the first step of RMSprop", [&] { squares.step(); });
    EXPECT_TRUE(equal(x, ones({3}, device))) << "after the captures the thread works as before";
  }
}

TEST(CudaGraph, RefusesCallsInTheWrongOrder) {
  CUDAGraph graph;
  EXPECT_THROW(graph.capture_begin(cpu()), ValueError);
  EXPECT_THROW(graph.capture_end(), Error);
  EXPECT_THROW(graph.replay(), Error);
  EXPECT_THROW(graph.capture_begin(gpu(num_gpus())), DeviceError);
  if (num_gpus() == 0) return;
  Tensor x = ones({3}, gpu(0));
  graph.capture_begin();
  x += 1;
  CUDAGraph other;
  EXPECT_THROW(other.capture_begin(), Error);
  EXPECT_THROW(other.capture_end(), Error);
  EXPECT_THROW(graph.replay(), Error);
  std::thread([&] { EXPECT_THROW(graph.capture_end(), Error); }).join();
  graph.capture_end();
  EXPECT_THROW(graph.capture_begin(), Error);
  EXPECT_THROW(graph.capture_end(), Error);
  other.capture_begin();
  EXPECT_THROW(graph.replay(), Error);
  other.reset();
  graph.replay();
  EXPECT_EQ(x[0].item<float>(), 2);
  graph.reset();
  EXPECT_THROW(graph.replay(), Error);
  graph.capture_begin();
  graph.capture_end();
  graph.replay();  // an empty graph
  synchronize();
  EXPECT_EQ(x[0].item<float>(), 2);
}

TEST(CudaGraph, LeavesOtherThreadsAndDevicesAlone) {
  for (const auto& device : gpus(num_gpus())) {
    Tensor x = ones({3}, device);
    Tensor here = ones({3});
    Tensor elsewhere = ones({3}, gpu((device.index() + 1) % num_gpus()));
    const bool several = num_gpus() > 1;
    CUDAGraph graph;
    capture(graph, device, [&] {
      std::thread([&] {
        x += 1;
        EXPECT_EQ(x[0].item<float>(), 2);
      }).join();
      here += 1;
      EXPECT_EQ(here[0].item<float>(), 2);
      if (several) {
        elsewhere += 1;
        EXPECT_EQ(elsewhere[0].item<float>(), 2);
      }
      x *= 5;
    });
    EXPECT_EQ(x[0].item<float>(), 2);
    std::thread([&] { graph.replay(); }).join();
    EXPECT_EQ(x[0].item<float>(), 10);
  }
}

TEST(CudaGraph, EndsACaptureThatAnExceptionLeft) {
  for (const auto& device : gpus(num_gpus())) {
    Tensor x = ones({3}, device);
    EXPECT_THROW(
        {
          CUDAGraph graph;
          capture(graph, device, [&] {
            x += 1;
            throw ValueError("from the work");
          });
        },
        ValueError);
    EXPECT_EQ(x[0].item<float>(), 1);
    x += 1;
    EXPECT_EQ(x[0].item<float>(), 2);
  }
}

TEST(CudaGraph, OfALostDeviceIsAnError) {
  expect_own_process_exits("1@host", 0, "", [] {
    Tensor x = ones({3}, gpu(0));
    CUDAGraph graph;
    graph.capture_begin();
    x += 1;
    graph.capture_end();
    testing::inject_fault(gpu(0), "an illegal memory access was encountered");
    const auto is_lost = [](const std::function<void()>& work) {
      try {
        work();
      } catch (const FatalDeviceError&) {
        return true;
      }
      return false;
    };
    return is_lost([] { synchronize(gpu(0)); }) && is_lost([&] { graph.replay(); });
  });
}

}  // namespace
}  // namespace d2l::tests
