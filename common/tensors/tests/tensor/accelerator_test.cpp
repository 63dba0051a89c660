// SPDX-License-Identifier: MIT
// Tensors, networks and their messages on GPUs of another type than CUDA.
#include <sstream>

#include "d2l/autocast.h"
#include "d2l/cuda_graph.h"
#include "d2l/memory.h"
#include "library.h"
#include "messages.h"

namespace d2l::tests {
namespace {

std::string printed(const Tensor& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

TEST(Accelerator, RunsTheProgramsOfTheBook) {
  expect_own_process_exits("2@host,name=privateuseone", 0, "", [] {
    num_gpus();
    const Tensor x = ones({2, 3}, gpu(0));
    const Tensor y = rand({2, 3}, gpu(1));
    const std::string sum = message_of<DeviceError>([&] { return x + y; });
    const Tensor z = x.to(gpu(1));
    nn::Sequential net(nn::Linear(3, 1));
    net->to(gpu(1));
    const Tensor predicted = net->forward(z);
    return printed(x) == "tensor([[1., 1., 1.],\n        [1., 1., 1.]], device='privateuseone:0')" &&
           contains(sum,
                    "Expected all tensors to be on the same device, but found at least two devices, "
                    "privateuseone:0 and privateuseone:1!") &&
           equal(z.cpu(), x.cpu()) && allclose((z + y).cpu(), y.cpu() + 1) && z.to(gpu(1)).is_same(z) &&
           z.is_privateuseone() && !z.is_cuda() && predicted.device() == gpu(1) &&
           net->parameters()[0].device().str() == "privateuseone:1";
  });
}

TEST(Accelerator, HasAutocastGraphsAndCounts) {
  expect_own_process_exits("2@host,name=npu", 0, "", [] {
    num_gpus();
    const TransferLedger ledger;
    const Tensor x = ones({4, 4}, Device("npu:1"));
    Tensor y;
    {
      const amp::Autocast autocast(kPrivateUse1);
      y = x.matmul(x);
    }
    cuda::CUDAGraph graph;
    graph.capture_begin(gpu(1));
    const Tensor z = x + 1;
    graph.capture_end();
    graph.replay();
    return y.dtype() == kHalf && z.sum().item<float>() == 32 && ledger.copies(Direction::device_to_host) == 1 &&
           cuda::memory_allocated(gpu(1)) > 0 && cuda::memory_allocated(gpu(0)) == 0;
  });
}

TEST(Accelerator, OtherTypesAreErrorsThatSayWhatIsThere) {
  for (const char* const name : {"xpu", "mps:0", "privateuseone:1"}) {
    const std::string message = message_of<DeviceError>([&] { return ones({2}, Device(name)); });
    EXPECT_TRUE(contains(message, "there is no device ")) << message;
    EXPECT_TRUE(contains(message, num_gpus() == 0 ? "found no GPU" : "found ")) << message;
    EXPECT_TRUE(contains(message, "try_gpu(")) << message;
  }
}

}  // namespace
}  // namespace d2l::tests
