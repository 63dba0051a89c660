// SPDX-License-Identifier: MIT
// # Parameters on the GPU
//
// A network was trained on one or more GPUs. You want to save its parameters in a file,
// and load them into a network on another computer: on one GPU instead of two, or on a
// CPU. Write both functions.
//
// `save_parameters` writes the parameters of a network to a file in the safetensors
// format. Each has the name that `named_parameters()` gives it, its shape, its dtype
// and its values. The parameters may be on the CPU, on one GPU, or on several. Each may
// be copied at most once, from its device to the host. Fewer copies are welcome. The
// network does not change.
//
// `load_parameters` reads such a file, which another program may have written, into a
// network. The network has parameters with the same names, shapes and dtypes, all of
// them on the CPU. Afterwards all its parameters are on `device` and have the values of
// the file. They are still the same parameters: an optimizer that was made before sees
// the new values, and each requires gradients or not, as before. Each may be copied at
// most once, from the host to the device, and nothing else is copied between devices.
//
// The round trip is exact, bit for bit, also for denormal numbers, infinities and NaN.
// Neither function leaves anything behind: no other file in the folder, and no memory
// on a device except that of the parameters.
//
// The check uses random sizes and values. It saves networks of float32 and of float64
// from the CPU and from the last GPU, and one of float32 from two GPUs, and reads the
// files itself. It loads files of other values, which it wrote itself, onto the CPU and
// onto a GPU, into networks with a frozen parameter. It asks the driver where the
// parameters are, and counts the copies.
#pragma once

#include <string>

#include "d2l/d2l.h"

/// Writes the parameters of `net` to the file `path`, as safetensors.
void save_parameters(const d2l::nn::Module& net, const std::string& path);
/// Reads the parameters of `net` from the file `path`; afterwards they are on `device`.
void load_parameters(d2l::nn::Module& net, const std::string& path, d2l::Device device);
