// SPDX-License-Identifier: MIT
// # The log of norms
//
// A program computes 1000 products of 100 × 100 matrices and logs the Frobenius norm of each: the root of the sum of
// the squares of its elements. It could read each norm as soon as it is ordered, or keep all of them on the GPU and
// fetch them at the end. Write both.
//
// Given are two stacks of n × n matrices, float32 and on one device: `left` (p × n × n) and `right` (q × n × n). There
// are p · q products, left[i] · right[j], in the order (0, 0), (0, 1), …, (0, q - 1), (1, 0) and so on. Both functions
// return the norms of all products, as floats, in this order.
//
// `log_each` logs one at a time: it computes one product and brings its norm, a single float32 number of four bytes, to
// the host before it orders the next product. So 1000 products make 1000 copies from device to host.
//
// `log_at_end` brings nothing to the host until all norms are there, and then all of them at once: one copy of 4000
// bytes for 1000 products, one wait for the device, and no other copy to or from it. Whether you compute the products
// one by one or many in one operation is up to you.
//
// In both, products and norms are computed on the device where the matrices are. The check calls both with 25 left and
// 40 right matrices of 100 × 100, and with fewer and smaller ones that it draws. It computes the norms itself in
// float64, which yours must agree with to within 1e-5 of the largest, and it counts copies, bytes and waits.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The Frobenius norms of left[i] · right[j], each read before the next product is ordered.
std::vector<float> log_each(const d2l::Tensor& left, const d2l::Tensor& right);
/// The same norms, kept on the device and read at once.
std::vector<float> log_at_end(const d2l::Tensor& left, const d2l::Tensor& right);
