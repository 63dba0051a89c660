// SPDX-License-Identifier: MIT
// The module _d2l: the members of Tensor for whole arrays: shapes, reductions, products, order, and other places.
#include "golden/binding.h"

namespace golden {
namespace {

using d2l::IntArrayRef;
using d2l::Scalar;
using d2l::Tensor;
using MaybeScalar = std::optional<Scalar>;
using MaybeDim = std::optional<Integer>;

void bind_shapes(TensorClass& c) {
  using OfOne = Tensor (d2l::TensorMembers::*)(Integer, Integer) const;
  using OfSeveral = Tensor (d2l::TensorMembers::*)(IntArrayRef, IntArrayRef) const;
  using OfSize = std::vector<Tensor> (d2l::TensorMembers::*)(Integer, Integer) const;
  using OfSizes = std::vector<Tensor> (d2l::TensorMembers::*)(IntArrayRef, Integer) const;
  const auto dim = "dim"_a;
  c.def("flatten", of(&Tensor::flatten), "start_dim"_a = 0, "end_dim"_a = -1);
  c.def("unflatten", of(&Tensor::unflatten), dim, "sizes"_a);
  c.def_property_readonly("mT", of(&Tensor::mT));
  c.def("broadcast_to", of(&Tensor::broadcast_to), "size"_a);
  c.def("movedim", of(OfOne(&Tensor::movedim)), "source"_a, "destination"_a);
  c.def("movedim", of(OfSeveral(&Tensor::movedim)), "source"_a, "destination"_a);
  c.def("narrow", of(&Tensor::narrow), dim, "start"_a, "length"_a);
  c.def("_split", of(OfSize(&Tensor::split)), "split_size"_a, "dim"_a = 0);
  c.def("_split", of(OfSizes(&Tensor::split)), "split_size"_a, "dim"_a = 0);
  c.def("_split_with_sizes", of(&Tensor::split_with_sizes), "split_sizes"_a, "dim"_a = 0);
  c.def("_chunk", of(&Tensor::chunk), "chunks"_a, "dim"_a = 0);
}

/// var or std, whose second argument may be a bool or a number.
template <class Spread>
void bind_spread(TensorClass& c, const char* name, const Spread& spread) {
  const auto keepdim = "keepdim"_a = false;
  const auto correction_of = [](bool unbiased) { return Scalar(unbiased ? 1 : 0); };
  const auto all_unbiased = [=](const Tensor& x, bool unbiased) {
    return spread(x, IntArrayRef(), correction_of(unbiased), false);
  };
  const auto all_corrected = [=](const Tensor& x, const py::none& /*dim*/, MaybeScalar correction, bool keep) {
    return spread(x, IntArrayRef(), correction, keep);
  };
  const auto unbiased = [=](const Tensor& x, IntArrayRef dims, bool is_unbiased, bool keep) {
    return spread(x, dims, correction_of(is_unbiased), keep);
  };
  c.def(name, all_unbiased, py::arg("unbiased").noconvert());
  c.def(name, all_corrected, "dim"_a = py::none(), py::kw_only(), "correction"_a = 1, keepdim);
  c.def(name, spread, "dim"_a, py::kw_only(), "correction"_a = 1, keepdim);
  c.def(name, unbiased, "dim"_a, py::arg("unbiased").noconvert() = true, keepdim);
}

/// all or any.
template <class Truth>
void bind_truth(TensorClass& c, const char* name, const Truth& truth) {
  const auto of_all = [=](const Tensor& x, const py::none& /*dim*/, bool keep) {
    return truth(x, IntArrayRef(), keep);
  };
  c.def(name, truth, "dim"_a, "keepdim"_a = false);
  c.def(name, of_all, "dim"_a = py::none(), "keepdim"_a = false);
}

void bind_array_reductions(TensorClass& c) {
  bind_spread(c, "var", [](const Tensor& x, IntArrayRef dims, MaybeScalar correction, bool keep) {
    return x.var(dims, correction, keep);
  });
  bind_spread(c, "std", [](const Tensor& x, IntArrayRef dims, MaybeScalar correction, bool keep) {
    return x.std(dims, correction, keep);
  });
  bind_truth(c, "all", [](const Tensor& x, IntArrayRef dims, bool keep) { return x.all(dims, keep); });
  bind_truth(c, "any", [](const Tensor& x, IntArrayRef dims, bool keep) { return x.any(dims, keep); });
  c.def("prod", of<Tensor>(&Tensor::prod));
  c.def("prod", of<Tensor, Integer, bool>(&Tensor::prod), "dim"_a, "keepdim"_a = false);
  c.def("argmin", of(&Tensor::argmin), "dim"_a = py::none(), "keepdim"_a = false);
  c.def("logsumexp", of(&Tensor::logsumexp), "dim"_a, "keepdim"_a = false);
  c.def("cumsum", of(&Tensor::cumsum), "dim"_a);
}

void bind_products_and_order(TensorClass& c) {
  const auto dim = "dim"_a = -1;
  const auto descending = "descending"_a = false;
  c.def("bmm", of(&Tensor::bmm), "mat2"_a);
  c.def("mv", of(&Tensor::mv), "vec"_a);
  c.def("dot", of(&Tensor::dot), "tensor"_a);
  c.def("outer", of(&Tensor::outer), "vec2"_a);
  c.def("_sort", of(&Tensor::sort), dim, descending);
  c.def("argsort", of(&Tensor::argsort), dim, descending);
  c.def("_topk", of(&Tensor::topk), "k"_a, dim, "largest"_a = true, "sorted"_a = true);
}

void bind_places(TensorClass& c) {
  using OfCount = Tensor (d2l::TensorMembers::*)(Integer, MaybeDim) const;
  using OfCounts = Tensor (d2l::TensorMembers::*)(const Tensor&, MaybeDim) const;
  const auto diagonal = "diagonal"_a = 0;
  const auto roll_all = [](const Tensor& x, IntArrayRef shifts, const py::none& /*dims*/) { return x.roll(shifts); };
  c.def("index_select", of(&Tensor::index_select), "dim"_a, "index"_a);
  c.def("gather", of(&Tensor::gather), "dim"_a, "index"_a);
  c.def("_index", [](const Tensor& x, const Tensor& indices) { return x.index(indices); });
  c.def("masked_select", of(&Tensor::masked_select), "mask"_a);
  c.def("flip", of(&Tensor::flip), "dims"_a);
  c.def("roll", of(&Tensor::roll), "shifts"_a, "dims"_a);
  c.def("roll", roll_all, "shifts"_a, "dims"_a = py::none());
  c.def("repeat", of(&Tensor::repeat), "repeats"_a);
  c.def("repeat_interleave", of(OfCount(&Tensor::repeat_interleave)), "repeats"_a, "dim"_a = py::none());
  c.def("repeat_interleave", of(OfCounts(&Tensor::repeat_interleave)), "repeats"_a, "dim"_a = py::none());
  c.def("tril", of(&Tensor::tril), diagonal);
  c.def("triu", of(&Tensor::triu), diagonal);
  c.def("diag", of(&Tensor::diag), diagonal);
}

}  // namespace

void bind_array_members(TensorClass& tensor) {
  bind_shapes(tensor);
  bind_array_reductions(tensor);
  bind_products_and_order(tensor);
  bind_places(tensor);
}

}  // namespace golden
