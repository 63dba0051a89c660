// SPDX-License-Identifier: MIT
// # A batch for the trainer
//
// The trainer of section 1.3.1 copies each batch to the first of its GPUs before it
// trains with it. The function below does this for one program only: its batches are
// inputs and labels, and its computer has a GPU. Make it work for every trainer.
//
// Given: the parts of a batch, one or more, of any shapes and dtypes, each on any
// device; and the list of the trainer's GPUs. The list is empty if the trainer uses the
// CPU, and it need not start with gpu(0). What must hold:
//
// - The result has every part, in order, with its values and its dtype. Labels stay
//   integers.
// - With GPUs, every part of the result is in the memory of the first GPU in the list.
// - Without a GPU, the result has the very same tensors as the batch, wherever they
//   are.
// - A part that is already on the right device is returned itself, without a copy.
//   Every other part is copied once.
// - The given batch does not change.
//
// The check uses batches of one to four parts, of float32, int64 and bool, on the CPU
// and on GPUs, some transposed. It compares the values, calls is_same() on the parts,
// asks the driver which device owns their memory, and reads the ledger. (Two GPUs
// without peer access copy through main memory, in two legs. The check counts that as
// one copy.)
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The batch on the first of the GPUs; the batch itself if there is none.
d2l::Batch prepare_batch(const d2l::Batch& batch, const std::vector<d2l::Device>& gpus);
