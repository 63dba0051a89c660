// SPDX-License-Identifier: MIT
// # A batch for the trainer
//
// Section 1.3.1's trainer moves each batch to the first of its GPUs before it trains with it. The function below did so
// for one program, whose batches are inputs and labels, and whose computer has a GPU. Let it do so for every trainer.
//
// Given: the parts of a batch, one or more, of any shapes and dtypes, each on any device; and the GPUs of a trainer,
// which are none where it trains on the CPU, and need not begin with gpu(0). What must hold:
//
// - Every part is in the result, in its order, with its values and its dtype: labels stay whole numbers.
// - With GPUs, every part of the result is in the memory of the first of them.
// - Without one, the result has the very tensors of the batch, wherever they are.
// - A part that is in its place already is given back itself, without a copy. Each other part crosses once.
// - The given batch is what it was.
//
// The check gives it batches of one to four parts, of float32, int64 and bool, on the CPU and on GPUs. It compares with
// the values that it drew, asks is_same() of parts and the driver of memory, and reads the ledger. (Between two GPUs
// that cannot reach each other, a copy goes in two legs, through main memory; the check takes them for one.)
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The batch on the first of the GPUs; the batch itself where there is none.
d2l::Batch prepare_batch(const d2l::Batch& batch, const std::vector<d2l::Device>& gpus);
