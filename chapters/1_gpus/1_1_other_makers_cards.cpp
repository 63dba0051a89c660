// SPDX-License-Identifier: MIT
// Section 1.1.1: cards that are not NVIDIA's: which one is in a machine, what drives
// it, how PyTorch names it, and code that works with each.
#include <filesystem>
#include <fstream>
#include <string>

#include "d2l/accelerator.h"
#include "d2l/show.h"

using namespace d2l;

// %%
// # Other makers' cards
//
// *Ten minutes; optional.* After this lesson you can tell which maker's card a machine
// has and what drives it, and write a program that names no maker. You also know how a
// copy between two makers' cards went wrong, and the check that finds such an error.
//
// This library runs on NVIDIA's cards, on virtual GPUs and on the CPU. PyTorch runs on
// many more, and the code of other people that you will read was written for all of
// them. The names of devices are where the makers differ, so they are the subject of
// this lesson.
//
// ## Which card is in this machine?
//
// - **Linux**: `lspci | grep -i -E 'vga|3d|display'` lists the cards with their makers.
// - **Windows**: the Task Manager (Ctrl+Shift+Esc) names each GPU in the tab
//   *Performance*. `dxdiag` does so in the tab *Display*.
// - **Mac**: *About This Mac* in the Apple menu names the chip. On an Apple M1 and
//   later, the GPU is part of the chip and shares its memory with the CPU.
//   `system_profiler SPDisplaysDataType` prints the same.
//
// `lspci` reads files that the kernel provides for each device on the PCI bus. The
// class of a display or a 3D card begins with `0x03`, and each maker has a number. The
// next cell reads the same files. It finds no card in WSL2, where the driver of Windows
// keeps them, and on most virtual machines none but a simple display.

int main() {
  const auto maker_of = [](const std::string& number) -> std::string {
    if (number == "0x10de") return "NVIDIA";
    if (number == "0x1002") return "AMD";
    if (number == "0x8086") return "Intel";
    return "another maker (" + number + ")";
  };
  const auto line_of = [](const std::filesystem::path& file) {
    std::string line;
    std::getline(std::ifstream(file) >> std::ws, line);
    return line;
  };
  std::string cards;
  std::error_code no_bus;
  for (const auto& device :
       std::filesystem::directory_iterator("/sys/bus/pci/devices", no_bus)) {
    if (!line_of(device.path() / "class").starts_with("0x03")) continue;
    const std::string maker = maker_of(line_of(device.path() / "vendor"));
    cards += device.path().filename().string() + ": " + maker + "\n";
  }
  show_measured(cards.empty() ? "none" : cards, "cards on the PCI bus");

  // %%
  // ## What drives it?
  //
  // Each maker has its own software between a program and the card:
  //
  // | maker | software | where | PyTorch's name |
  // | --- | --- | --- | --- |
  // | NVIDIA | CUDA | Linux, Windows, WSL2 | `cuda` |
  // | AMD | ROCm, with HIP | Linux, WSL2, Windows | `cuda` |
  // | Intel | oneAPI, with SYCL | Linux, Windows, WSL2 | `xpu` |
  // | Apple | Metal | macOS | `mps` |
  // | any with DirectX 12 | DirectML | Windows, WSL2 | `privateuseone` |
  //
  // AMD's cards are called `cuda` too. HIP is CUDA's interface under other names:
  // `hipMalloc` for `cudaMalloc`, and kernels are launched in the same way. PyTorch
  // translates its CUDA sources to HIP when it is built for ROCm, and keeps the name of
  // the device, so that programs written for CUDA run unchanged. `torch.version.hip`
  // tells the two builds apart.
  //
  // ROCm and DirectML are alternatives: an AMD card needs one of them, not both.
  // DirectML came as a package of its own, `torch-directml`, which Microsoft no longer
  // develops. PyTorch itself did not know this package, and has a name for that case,
  // `privateuseone`. A package may choose a better one with
  // `rename_privateuse1_backend`; Huawei's is `npu`.
  //
  // In this library all of these are names of devices:
  show(Device("xpu"), Device("mps"), Device("privateuseone:1"));
  show(DeviceTypeName(kXPU), DeviceTypeName(kMPS), DeviceTypeName(kPrivateUse1));

  // %%
  // A name is not a device. **Predict first.** Where is the tensor of the next cell
  // created: on the CPU, on a GPU, or nowhere?
  try {
    show(ones({2, 3}, Device("mps")));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // Nowhere. The error says what this process has instead.
  //
  // ## Code that names no maker
  //
  // A program that asks `torch.cuda.is_available()` uses the CPU on an Apple M1 and on
  // an Intel card, without a word. PyTorch's newer interface, `torch.accelerator`, asks
  // without a maker's name. So does ours:
  show(accelerator::is_available(), accelerator::device_count() == num_gpus());
  const auto type = accelerator::current_accelerator(/*check_available=*/true);
  show(type ? DeviceTypeName(*type) : "no accelerator");

  // %%
  // `gpu(i)`, `try_gpu()` and `try_all_gpus()` name no maker either. They have the type
  // of the GPUs that the process has.
  //
  // Now compare two conditions that decide whether a tensor is on a GPU. Both are right
  // on this machine. Start the lesson again with GPUs of another name,
  // `D2L_VIRTUAL_GPUS=2@host,name=npu ./learn run 1.1.1`, and one of them is wrong.
  const Tensor x = ones({2, 3}, try_gpu());
  show(x.device() == try_gpu());
  show(x.is_cuda() == accelerator::is_available(),
       !x.device().is_cpu() == accelerator::is_available());

  // %%
  // `is_cuda()` asks for a maker. `!is_cpu()` asks what the program wants to know.
  //
  // ## A copy between two makers' cards
  //
  // One of the notebooks on which this course is based ran on a computer with two small
  // GPUs, an AMD Radeon 520 and an Intel UHD Graphics 630. DirectML drove both. The
  // notebook created ones, `X1`, on the first, and random numbers, `Y1`, on the second.
  // Their sum was refused, because the devices differ. So it copied `X1` to the second
  // device, as one should. The next cell has the numbers that it printed; `Z1` is the
  // copy of `X1`. Only the last digits of the sum differ from the notebook's, which
  // added numbers with more digits than it printed.
  const auto device0 = try_gpu(0), device1 = try_gpu(1);
  const Tensor X1 = ones({2, 3}, device0);
  const Tensor Y1 =
      tensor({{0.4452, 0.2311, 0.8754}, {0.8269, 0.8915, 0.6630}}).to(device1);
  const Tensor Z1 =
      tensor({{0.8269, 0.8915, 0.6630}, {0.8269, 0.8915, 0.6630}}).to(device1);
  show(X1);
  show(Z1);
  show(Z1 + Y1);

  // %%
  // **Predict first.** What is wrong with `Z1`? And would you have noticed it, had you
  // seen the sum only?
  //
  // The copy should contain ones. Both of its rows are the second row of `Y1`. The
  // shape and the device were right, no warning was printed, and the sum looks
  // plausible. Issue 443 of microsoft/DirectML reports a fault of this kind: a copy
  // from one device to the other gave zeros, and a copy by way of the CPU was right.
  //
  // Two checks find out whether a copy is right: is it where it should be, and does it
  // have the values of the original? The first is not enough:
  const auto same_values = [](const Tensor& a, const Tensor& b) {
    return a.cpu().equal(b.cpu());
  };
  show(Z1.device() == device1, same_values(Z1, X1));

  // %%
  // Here is the copy that this library makes, and the copy by way of the CPU:
  const Tensor copy = X1.copy_to(device1);
  const Tensor by_way_of_the_cpu = X1.cpu().to(device1);
  show(copy.device() == device1, same_values(copy, X1));
  show(same_values(by_way_of_the_cpu, X1));

  // %%
  // On a machine with new hardware or new drivers, run such a check once for each pair
  // of devices before you trust a result. It takes a second.
  //
  // ## What to try next
  //
  // - Run the lesson with `D2L_VIRTUAL_GPUS=2@host,name=privateuseone`. Which outputs
  //   are now those of the notebook, with `device='privateuseone:1'`?
  // - `Device("npu")` is an error at first. Which call makes it a name? Where in a
  //   program must that call be?
  // - The page "Your machine" has the steps that set up each maker's card.
}
