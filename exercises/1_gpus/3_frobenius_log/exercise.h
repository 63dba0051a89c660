// SPDX-License-Identifier: MIT
// # The log of norms
//
// A program computes 1000 products of 100 × 100 matrices and logs the Frobenius norm of
// each: the square root of the sum of the squares of its elements. It could read each
// norm right after issuing its product, or keep all norms on the GPU and copy them at
// the end. Write both.
//
// You get two stacks of n × n float32 matrices on the same device: `left` (p × n × n)
// and `right` (q × n × n). There are p · q products, left[i] · right[j], in the order
// (0, 0), (0, 1), …, (0, q - 1), (1, 0) and so on. Both functions return the norms of
// all products, as floats, in this order. Both compute every product. A stack can have
// one matrix.
//
// `log_each` logs one norm at a time. It computes a product and copies its norm, a
// single float32 number of four bytes, to the host before it issues the next product.
// So 1000 products make 1000 copies from device to host.
//
// `log_at_end` copies nothing to the host until all norms have been issued, and then
// copies all of them at once. For 1000 products that is one copy of 4000 bytes and one
// wait for the device. There is no other copy to or from the device. You may compute
// the products one by one, or many in one operation.
//
// In both functions, products and norms are computed on the device of the matrices. The
// check calls both with 25 left and 40 right matrices of 100 × 100, and with random
// smaller stacks, some of one matrix. It computes the norms itself in float64, and
// yours must agree to within 1e-5 of the largest. It counts copies, bytes and waits.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The Frobenius norms of left[i] · right[j], each read before the next product is
/// issued.
std::vector<float> log_each(const d2l::Tensor& left, const d2l::Tensor& right);
/// The same norms, kept on the device and copied to the host all at once.
std::vector<float> log_at_end(const d2l::Tensor& left, const d2l::Tensor& right);
