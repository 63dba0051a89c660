// SPDX-License-Identifier: MIT
// Tensors, networks and their messages on GPUs of another type than CUDA.
#include "d2l/accelerator.h"

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

/// What a notebook printed on two GPUs by torch-directml, statement by statement; its random numbers are given here.
TEST(Accelerator, PrintsWhatANotebookPrints) {
  expect_own_process_exits("2@host,name=privateuseone", 0, "", [] {
    if (!accelerator::is_available() || accelerator::device_count() != 2) return false;
    const Device dml = gpu(0), dml1 = gpu(1);
    const Tensor X1 = ones({2, 3}, dml);
    const Tensor Y1 = tensor({{0.4452, 0.2311, 0.8754}, {0.8269, 0.8915, 0.6630}}).to(dml1);
    const std::string sum_of_both = message_of<DeviceError>([&] { return X1 + Y1; });
    const Tensor Z1 = X1.to(dml1);
    nn::Linear linear(3, 1);
    {
      const NoGradGuard no_grad;
      linear->weight.copy_(tensor({{0.1, 0.2, 0.3}}));
      linear->bias.copy_(tensor({-0.9361}));
    }
    nn::Sequential net1(linear);
    net1->to(dml);
    return device_properties(dml).name == "Virtual GPU 0 (host memory, 1 core)" &&
           device_properties(dml1).name == "Virtual GPU 1 (host memory, 1 core)" &&
           printed(X1) == "tensor([[1., 1., 1.],\n        [1., 1., 1.]], device='privateuseone:0')" &&
           repr(X1.device()) == "device(type='privateuseone', index=0)" &&
           printed(Y1) ==
               "tensor([[0.4452, 0.2311, 0.8754],\n        [0.8269, 0.8915, 0.6630]], device='privateuseone:1')" &&
           contains(sum_of_both,
                    "Expected all tensors to be on the same device, but found at least two devices, privateuseone:0 "
                    "and privateuseone:1!") &&
           // Here the notebook printed the second row of Y1 twice.
           printed(Z1) == "tensor([[1., 1., 1.],\n        [1., 1., 1.]], device='privateuseone:1')" &&
           printed(Z1 + Y1) ==
               "tensor([[1.4452, 1.2311, 1.8754],\n        [1.8269, 1.8915, 1.6630]], device='privateuseone:1')" &&
           Z1.to(dml1).is_same(Z1) && Z1.is_privateuseone() && !Z1.is_cuda() && equal(Z1.cpu(), X1.cpu()) &&
           rand({2, 3}, dml1).device() == dml1 &&
           printed(net1->forward(X1)) ==
               "tensor([[-0.3361],\n        [-0.3361]], device='privateuseone:0', grad_fn=<AddmmBackward0>)" &&
           repr(linear->weight.data().device()) == "device(type='privateuseone', index=0)";
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
