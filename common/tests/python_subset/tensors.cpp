// SPDX-License-Identifier: MIT
// The methods and attributes of tensors, by their Python names.
#include "python_subset/binding.h"
#include "python_subset/evaluator.h"

namespace python_subset {
namespace {

using d2l::Scalar;
using d2l::Tensor;
using Integer = std::int64_t;
using Dimensions = std::vector<Integer>;

Value size_of(d2l::IntArrayRef list, SequenceKind kind) { return list_of(list.vec(), kind); }

/// A method of a tensor and a second operand: a tensor or a number.
template <class Method>
auto binary(const Method& method) {
  return [method](const Tensor& x, const Value& other) {
    return other.is<Tensor>() ? method(x, other.as<Tensor>()) : method(x, to_scalar(other));
  };
}
template <class Method>
auto binary_alpha(const Method& method) {
  return [method](const Tensor& x, const Value& other, Keyword<Scalar> alpha) {
    const Scalar factor = alpha.value_or(1);
    return other.is<Tensor>() ? method(x, other.as<Tensor>(), factor) : method(x, to_scalar(other), factor);
  };
}
/// A reduction over all elements or over some dimensions.
template <class All, class Some>
auto reduction(const All& all, const Some& some) {
  return [=](const Tensor& x, const std::optional<Dimensions>& dims, bool keepdim, const Keyword<Value>& dtype) {
    if (dtype) throw Unsupported("dtype= of a reduction");
    return dims ? some(x, *dims, keepdim) : all(x);
  };
}
/// The extreme of all elements, or the extremes over one dimension and their indices.
template <class All, class Some>
auto extreme(SequenceKind kind, const All& all, const Some& some) {
  return [=](const Tensor& x, const std::optional<Value>& dim, bool keepdim) -> Value {
    if (!dim) return all(x);
    if (dim->is<Tensor>()) throw Unsupported("maximum of two tensors");
    const auto [values, indices] = some(x, to_integer(*dim), keepdim);
    return Sequence{kind, {values, indices}};
  };
}

// The methods of one form, and the entry that each form makes.
#define UNARY_METHODS(X)                                                                                    \
  X(neg)                                                                                                    \
  X(abs) X(sqrt) X(exp) X(log) X(relu) X(sigmoid) X(tanh) X(neg_) X(abs_) X(sqrt_) X(exp_) X(log_) X(relu_) \
      X(sigmoid_) X(tanh_) X(zero_) X(cpu) X(clone) X(contiguous) X(t) X(detach) X(detach_)
#define PROPERTIES(X) X(dim) X(numel) X(element_size) X(storage_offset) X(is_contiguous)
#define BINARY_METHODS(X) X(mul) X(div) X(pow) X(mul_) X(div_) X(pow_) X(eq) X(ne) X(lt) X(le) X(gt) X(ge)
#define BINARY_ALPHA_METHODS(X) X(add) X(sub) X(add_) X(sub_)
#define UNARY(name) def("Tensor." #name "(input)", [](Tensor x) { return Tensor(x.name()); }),
#define PROPERTY(name) def("Tensor." #name "(input)", [](const Tensor& x) { return x.name(); }),
#define CAST(name, dtype) def("Tensor." #name "()", [](const Tensor& x) { return x.to(dtype); })
#define BINARY(name) \
  def("Tensor." #name "(input, other)", binary([](Tensor x, const auto& y) { return Tensor(x.name(y)); })),
#define BINARY_ALPHA(name)                     \
  def("Tensor." #name "(input, other, alpha)", \
      binary_alpha([](Tensor x, const auto& y, Scalar alpha) { return Tensor(x.name(y, alpha)); })),
#define REDUCTION(name)                                 \
  def("Tensor." #name "(input, dim, keepdim, dtype)",   \
      reduction([](const auto& x) { return x.name(); }, \
                [](const auto& x, const auto& dims, bool keepdim) { return x.name(dims, keepdim); }))
#define EXTREME(name, kind)                                           \
  def("Tensor." #name "(input, dim, keepdim)",                        \
      extreme(                                                        \
          SequenceKind::kind, [](const auto& x) { return x.name(); }, \
          [](const auto& x, Integer dim, bool keepdim) { return x.name(dim, keepdim); }))

Value item(const Tensor& x) {
  const Scalar value = x.item();
  if (value.isBoolean()) return value.toBool();
  return value.isFloatingPoint() ? Value(value.toDouble()) : Value(value.toLong());
}

Value to_device_or_dtype(Arguments& a) {
  const auto x = a.require<Tensor>("self");
  const bool like = a.peek() != nullptr && a.peek()->is<Tensor>();
  const auto other = like ? a.require<Tensor>("other") : Tensor();
  d2l::TensorOptions options;
  while (a.peek() != nullptr && !a.peek()->is<bool>()) {
    const Value value = a.require("device");
    if (value.is<d2l::ScalarType>()) {
      options = options.dtype(value.as<d2l::ScalarType>());
    } else if (!value.is<None>()) {
      options = options.device(to_device(value));
    }
  }
  options = take_options(a, options);
  const bool non_blocking = Taken<bool>::take(a, "non_blocking");
  const bool copy = Taken<bool>::take(a, "copy");
  return like ? x.to(other, non_blocking, copy) : x.to(options, non_blocking, copy);
}

Tensor transposed(const Tensor& x) {
  Dimensions reversed;
  for (auto d = x.dim() - 1; d >= 0; --d) reversed.push_back(d);
  return x.permute(reversed);
}

void expect_vectors(const Tensor& x, Integer dims, const Tensor& y, const char* otherwise) {
  if (x.dim() != dims || y.dim() != 1) throw Unsupported(otherwise);
}

template <class T>
Value or_none(const T& value, bool defined) {
  return defined ? Value(value) : Value(None{});
}

}  // namespace

Table tensor_methods() {
  return {
      UNARY_METHODS(UNARY) PROPERTIES(PROPERTY) BINARY_METHODS(BINARY) BINARY_ALPHA_METHODS(BINARY_ALPHA)
          REDUCTION(sum),
      REDUCTION(mean),
      EXTREME(max, maximum),
      EXTREME(min, minimum),
      CAST(float, d2l::kFloat),
      CAST(double, d2l::kDouble),
      CAST(int, d2l::kInt),
      CAST(long, d2l::kLong),
      CAST(bool, d2l::kBool),
      def("Tensor.data_ptr()", [](const Tensor& x) { return reinterpret_cast<Integer>(x.data_ptr()); }),
      def("Tensor.item()", item),
      def("Tensor.to", to_device_or_dtype),
      def("Tensor.cuda(self, device)",
          [](const Tensor& x, std::optional<d2l::Device> device) { return x.to(device.value_or(d2l::gpu())); }),
      def("Tensor.requires_grad_(self, requires_grad)",
          [](Tensor x, OrTrue wanted) { return Tensor(x.requires_grad_(wanted.value)); }),
      def("Tensor.backward(self, gradient, retain_graph)",
          [](const Tensor& x, const MaybeTensor& gradient, bool keeps) { x.backward(gradient, keeps); }),
      def("Tensor.__setattr__(self, name, value)",
          [](const Value& x, const std::string& name, const Value& value) { set_attribute(x, name, value); }),
      def("Tensor.log_softmax(input, dim)", [](const Tensor& x, Integer dim) { return x.log_softmax(dim); }),
      def("Tensor.dot(input, other)",
          [](const Tensor& x, const Tensor& y) {
            expect_vectors(x, 1, y, "dot of what is no vector");
            return x.matmul(y);
          }),
      def("Tensor.mv(input, vec)",
          [](const Tensor& x, const Tensor& y) {
            expect_vectors(x, 2, y, "mv of other dimensions");
            return x.matmul(y);
          }),
      def("Tensor.matmul(input, other)", [](const Tensor& x, const Tensor& y) { return x.matmul(y); }),
      def("Tensor.mm(input, mat2)", [](const Tensor& x, const Tensor& y) { return x.mm(y); }),
      def("Tensor.equal(input, other)", [](const Tensor& x, const Tensor& y) { return x.equal(y); }),
      def("Tensor.allclose(input, other, rtol, atol, equal_nan)",
          [](const Tensor& x, const Tensor& y, std::optional<double> rtol, std::optional<double> atol, bool equal_nan) {
            return x.allclose(y, rtol.value_or(1e-5), atol.value_or(1e-8), equal_nan);
          }),
      def("Tensor.fill_(self, value)", [](Tensor x, Scalar value) { return Tensor(x.fill_(value)); }),
      def("Tensor.copy_(self, src)", [](Tensor x, const Tensor& source) { return Tensor(x.copy_(source)); }),
      def("Tensor.view(self, size)", [](const Tensor& x, const Sizes& sizes) { return x.view(sizes); }),
      def("Tensor.reshape(input, shape)", [](const Tensor& x, const Sizes& sizes) { return x.reshape(sizes); }),
      def("Tensor.expand(self, size)", [](const Tensor& x, const Sizes& sizes) { return x.expand(sizes); }),
      def("Tensor.permute(input, dims)", [](const Tensor& x, const Sizes& dims) { return x.permute(dims); }),
      def("Tensor.unsqueeze(input, dim)", [](const Tensor& x, Integer dim) { return x.unsqueeze(dim); }),
      def("Tensor.squeeze(input, dim)",
          [](const Tensor& x, std::optional<Integer> dim) { return dim ? x.squeeze(*dim) : x.squeeze(); }),
      def("Tensor.transpose(input, dim0, dim1)",
          [](const Tensor& x, Integer first, Integer second) { return x.transpose(first, second); }),
      def("Tensor.select(input, dim, index)",
          [](const Tensor& x, Integer dim, Integer index) { return x.select(dim, index); }),
      def("Tensor.flatten(input, start_dim, end_dim)",
          [](const Tensor& x, std::optional<Integer> start, std::optional<Integer> end) {
            d2l::nn::FlattenOptions options;
            return d2l::nn::Flatten(options.start_dim(start.value_or(0)).end_dim(end.value_or(-1)))->forward(x);
          }),
      def("Tensor.size(self, dim)",
          [](const Tensor& x, std::optional<Integer> dim) {
            return dim ? Value(x.size(*dim)) : size_of(x.sizes(), SequenceKind::size);
          }),
      def("Tensor.stride(self, dim)",
          [](const Tensor& x, std::optional<Integer> dim) {
            return dim ? Value(x.stride(*dim)) : size_of(x.strides(), SequenceKind::tuple);
          }),
      def("Tensor.argmax(input, dim, keepdim)",
          [](const Tensor& x, std::optional<Integer> dim, bool keepdim) {
            return dim ? x.argmax(*dim, keepdim) : x.argmax();
          }),
      def("Tensor.norm(input, p, dim, keepdim)",
          [](const Tensor& x, const std::optional<Value>& p, const std::optional<Dimensions>& dims, bool keepdim) {
            if (p && !p->is_number()) throw Unsupported("norm of this kind");
            const Scalar order = p ? to_scalar(*p) : Scalar(2);
            return dims ? x.norm(order, *dims, keepdim) : x.norm(order);
          }),
  };
}

Value tensor_attribute(const Tensor& x, const std::string& name) {
  if (name == "shape") return size_of(x.sizes(), SequenceKind::size);
  if (name == "dtype") return x.dtype();
  if (name == "device") return x.device();
  if (name == "ndim") return x.dim();
  if (name == "is_cuda") return x.is_cuda();
  if (name == "T") return transposed(x);
  if (name == "requires_grad") return x.requires_grad();
  if (name == "is_leaf") return x.is_leaf();
  if (name == "grad") return or_none(x.grad(), x.grad().defined());
  if (name == "grad_fn") return or_none(x.grad_fn(), x.grad_fn() != nullptr);
  if (name == "data") return x.data();
  if (name == "_version") return x._version();
  throw Unsupported("Tensor." + name);
}

}  // namespace python_subset
