// SPDX-License-Identifier: MIT
// The methods and attributes of tensors, by their Python names.
#include <functional>
#include <map>

#include "python_subset/evaluator.h"
#include "python_subset/gradients.h"

namespace python_subset {
namespace {

using d2l::Scalar;
using d2l::Tensor;
using Method = std::function<Value(Tensor, Arguments&)>;

Sequence size_of(d2l::IntArrayRef list, SequenceKind kind) {
  Sequence result{kind, {}};
  for (const auto value : list) result.items.emplace_back(value);
  return result;
}

template <class Numbers, class Tensors>
Value with_operand(const Value& operand, const Tensors& tensors, const Numbers& numbers) {
  return operand.is<Tensor>() ? Value(tensors(operand.as<Tensor>())) : Value(numbers(to_scalar(operand)));
}

// NAME(other), of a tensor or a number.
#define BINARY(name)                                                                      \
  {                                                                                       \
#name, [](Tensor x, Arguments & a) {                                                    \
      return with_operand(                                                                  \
          a.require("other"), [&](const Tensor& other) { return Tensor(x.name(other)); },   \
          [&](const Scalar& other) { return Tensor(x.name(other)); });                      \
    } \
  }
// NAME(other, alpha=1).
#define BINARY_ALPHA(name)                                                                            \
  {                                                                                                   \
#name, [](Tensor x, Arguments & a) {                                                                \
      const Value operand = a.require("other");                                                         \
      const auto given = a.take_named("alpha");                                                         \
      const Scalar alpha = given ? to_scalar(*given) : Scalar(1);                                       \
      return with_operand(                                                                              \
          operand, [&](const Tensor& other) { return Tensor(x.name(other, alpha)); },                   \
          [&](const Scalar& other) { return Tensor(x.name(other, alpha)); });                           \
    } \
  }
#define UNARY(name)                                                     \
  {                                                                     \
#name, [](Tensor x, Arguments&) { return Value(Tensor(x.name())); } \
  }

Value reduce(const std::optional<Value>& dims, Arguments& a, const std::function<Tensor()>& all,
             const std::function<Tensor(d2l::IntArrayRef, bool)>& some) {
  if (a.take_named("dtype")) throw Unsupported("dtype= of a reduction");
  if (!dims || dims->is<None>()) return all();
  const auto list = to_integers(*dims);
  return some(list, a.flag("keepdim"));
}

Value pair(SequenceKind kind, const std::tuple<Tensor, Tensor>& values_and_indices) {
  return Sequence{kind, {std::get<0>(values_and_indices), std::get<1>(values_and_indices)}};
}

Value item(const Tensor& x) {
  const Scalar value = x.item();
  if (value.isBoolean()) return value.toBool();
  return value.isFloatingPoint() ? Value(value.toDouble()) : Value(value.toLong());
}

Value to(const Tensor& x, Arguments& a) {
  d2l::TensorOptions options;
  const bool like = a.peek() != nullptr && a.peek()->is<Tensor>();
  const Tensor other = like ? a.require("other").as<Tensor>() : Tensor();
  while (a.peek() != nullptr && !a.peek()->is<bool>()) {
    const Value value = a.require("device");
    if (value.is<d2l::ScalarType>()) {
      options = options.dtype(value.as<d2l::ScalarType>());
    } else if (!value.is<None>()) {
      options = options.device(to_device(value));
    }
  }
  const auto device = a.take_named("device");
  const auto dtype = a.take_named("dtype");
  if (device && !device->is<None>()) options = options.device(to_device(*device));
  if (dtype && dtype->is<d2l::ScalarType>()) options = options.dtype(dtype->as<d2l::ScalarType>());
  const bool non_blocking = a.flag("non_blocking");
  const bool copy = a.flag("copy");
  return like ? x.to(other, non_blocking, copy) : x.to(options, non_blocking, copy);
}

Value squeeze(const Tensor& x, Arguments& a) {
  const auto dim = a.take("dim");
  return dim ? x.squeeze(to_integer(*dim)) : x.squeeze();
}

Value flatten(const Tensor& x, Arguments& a) {
  d2l::nn::FlattenOptions options;
  const auto start = a.take("start_dim");
  const auto end = a.take("end_dim");
  options.start_dim(start ? to_integer(*start) : 0).end_dim(end ? to_integer(*end) : -1);
  return d2l::nn::Flatten(options)->forward(x);
}

Value matrix_times_vector(const Tensor& x, Arguments& a) {
  const Tensor vector = to_tensor(a.require("vec"));
  if (x.dim() != 2 || vector.dim() != 1) throw Unsupported("mv of other dimensions");
  return x.matmul(vector);
}

Value size(const Tensor& x, Arguments& a) {
  const auto dim = a.take("dim");
  return dim ? Value(x.size(to_integer(*dim))) : Value(size_of(x.sizes(), SequenceKind::size));
}

Value stride(const Tensor& x, Arguments& a) {
  const auto dim = a.take("dim");
  return dim ? Value(x.stride(to_integer(*dim))) : Value(size_of(x.strides(), SequenceKind::tuple));
}

Value argmax(const Tensor& x, Arguments& a) {
  const auto dim = a.take("dim");
  if (!dim || dim->is<None>()) return x.argmax();
  return x.argmax(to_integer(*dim), a.flag("keepdim"));
}

Value norm(const Tensor& x, Arguments& a) {
  const auto p = a.take("p");
  const auto dim = a.take("dim");
  if (p && !p->is_number()) throw Unsupported("norm of this kind");
  const Scalar order = p ? to_scalar(*p) : Scalar(2);
  if (!dim || dim->is<None>()) return x.norm(order);
  const auto dims = to_integers(*dim);
  return x.norm(order, dims, a.flag("keepdim"));
}

bool allclose(const Tensor& x, Arguments& a) {
  const Tensor other = a.require("other").as<Tensor>();
  const auto rtol = a.take("rtol");
  const auto atol = a.take("atol");
  return x.allclose(other, rtol ? to_scalar(*rtol).toDouble() : 1e-5, atol ? to_scalar(*atol).toDouble() : 1e-8,
                    a.flag("equal_nan"));
}

Tensor operand(Arguments& a, const std::string& name) {
  const Value value = a.require(name);
  if (!value.is<Tensor>()) throw Unsupported("argument type");
  return value.as<Tensor>();
}

template <class Extreme>
Value extreme(SequenceKind kind, Arguments& a, const Tensor& x, const Extreme& over_dim,
              Tensor (Tensor::*over_all)() const) {
  const auto dim = a.take("dim");
  if (!dim) return (x.*over_all)();
  if (dim->is<Tensor>()) throw Unsupported("maximum of two tensors");
  return pair(kind, over_dim(to_integer(*dim), a.flag("keepdim")));
}

const std::map<std::string, Method>& methods() {
  static const std::map<std::string, Method> table{
      BINARY_ALPHA(add),
      BINARY_ALPHA(sub),
      BINARY_ALPHA(add_),
      BINARY_ALPHA(sub_),
      BINARY(mul),
      BINARY(div),
      BINARY(pow),
      BINARY(mul_),
      BINARY(div_),
      BINARY(pow_),
      BINARY(eq),
      BINARY(ne),
      BINARY(lt),
      BINARY(le),
      BINARY(gt),
      BINARY(ge),
      UNARY(neg),
      UNARY(abs),
      UNARY(sqrt),
      UNARY(exp),
      UNARY(log),
      UNARY(relu),
      UNARY(sigmoid),
      UNARY(tanh),
      UNARY(neg_),
      UNARY(abs_),
      UNARY(sqrt_),
      UNARY(exp_),
      UNARY(log_),
      UNARY(relu_),
      UNARY(sigmoid_),
      UNARY(tanh_),
      UNARY(zero_),
      UNARY(cpu),
      UNARY(clone),
      UNARY(contiguous),
      UNARY(t),
      {"to", to},
      {"squeeze", squeeze},
      {"flatten", flatten},
      {"mv", matrix_times_vector},
      {"size", size},
      {"stride", stride},
      {"argmax", argmax},
      {"norm", norm},
      {"allclose", allclose},
      {"float", [](Tensor x, Arguments&) { return x.to(d2l::kFloat); }},
      {"double", [](Tensor x, Arguments&) { return x.to(d2l::kDouble); }},
      {"int", [](Tensor x, Arguments&) { return x.to(d2l::kInt); }},
      {"long", [](Tensor x, Arguments&) { return x.to(d2l::kLong); }},
      {"bool", [](Tensor x, Arguments&) { return x.to(d2l::kBool); }},
      {"item", [](Tensor x, Arguments&) { return item(x); }},
      {"dim", [](Tensor x, Arguments&) { return x.dim(); }},
      {"numel", [](Tensor x, Arguments&) { return x.numel(); }},
      {"element_size", [](Tensor x, Arguments&) { return x.element_size(); }},
      {"storage_offset", [](Tensor x, Arguments&) { return x.storage_offset(); }},
      {"is_contiguous", [](Tensor x, Arguments&) { return x.is_contiguous(); }},
      {"data_ptr", [](Tensor x, Arguments&) { return reinterpret_cast<std::int64_t>(x.data_ptr()); }},
      {"cuda",
       [](Tensor x, Arguments& a) {
         const auto device = a.take("device");
         return x.to(device ? to_device(*device) : d2l::gpu());
       }},
      {"detach", [](Tensor x, Arguments&) { return x.detach(); }},
      {"detach_", [](Tensor x, Arguments&) { return Tensor(x.detach_()); }},
      {"requires_grad_",
       [](Tensor x, Arguments& a) {
         const auto wanted = a.take("requires_grad");
         return Tensor(x.requires_grad_(!wanted || truth(*wanted)));
       }},
      {"backward",
       [](Tensor x, Arguments& a) {
         const auto gradient = a.take("gradient");
         const auto retain_graph = a.take("retain_graph");
         const bool keeps = retain_graph && !retain_graph->is<None>() && truth(*retain_graph);
         x.backward(gradient && !gradient->is<None>() ? to_tensor(*gradient) : Tensor(), keeps);
         return Value(None{});
       }},
      {"__setattr__",
       [](Tensor x, Arguments& a) {
         const Value name = a.require("name");
         set_attribute(x, to_text(name), a.require("value"));
         return Value(None{});
       }},
      {"log_softmax", [](Tensor x, Arguments& a) { return x.log_softmax(to_integer(a.require("dim"))); }},
      {"dot",
       [](Tensor x, Arguments& a) {
         const Tensor other = operand(a, "other");
         if (x.dim() != 1 || other.dim() != 1) throw Unsupported("dot of what is no vector");
         return x.matmul(other);
       }},
      {"fill_", [](Tensor x, Arguments& a) { return x.fill_(to_scalar(a.require("value"))); }},
      {"copy_", [](Tensor x, Arguments& a) { return x.copy_(operand(a, "src")); }},
      {"equal", [](Tensor x, Arguments& a) { return x.equal(operand(a, "other")); }},
      {"matmul", [](Tensor x, Arguments& a) { return x.matmul(operand(a, "other")); }},
      {"mm", [](Tensor x, Arguments& a) { return x.mm(operand(a, "mat2")); }},
      {"view",
       [](Tensor x, Arguments& a) {
         if (a.peek() != nullptr && a.peek()->is<d2l::ScalarType>()) throw Unsupported("view as a dtype");
         return x.view(a.take_sizes("size"));
       }},
      {"reshape", [](Tensor x, Arguments& a) { return x.reshape(a.take_sizes("shape")); }},
      {"expand", [](Tensor x, Arguments& a) { return x.expand(a.take_sizes("size")); }},
      {"permute", [](Tensor x, Arguments& a) { return x.permute(a.take_sizes("dims")); }},
      {"unsqueeze", [](Tensor x, Arguments& a) { return x.unsqueeze(to_integer(a.require("dim"))); }},
      {"transpose",
       [](Tensor x, Arguments& a) {
         const auto first = to_integer(a.require("dim0"));
         return x.transpose(first, to_integer(a.require("dim1")));
       }},
      {"select",
       [](Tensor x, Arguments& a) {
         const auto dim = to_integer(a.require("dim"));
         return x.select(dim, to_integer(a.require("index")));
       }},
      {"sum",
       [](Tensor x, Arguments& a) {
         return reduce(
             a.take("dim"), a, [&] { return x.sum(); },
             [&](d2l::IntArrayRef dims, bool keep) { return x.sum(dims, keep); });
       }},
      {"mean",
       [](Tensor x, Arguments& a) {
         return reduce(
             a.take("dim"), a, [&] { return x.mean(); },
             [&](d2l::IntArrayRef dims, bool keep) { return x.mean(dims, keep); });
       }},
      {"max",
       [](Tensor x, Arguments& a) {
         return extreme(
             SequenceKind::maximum, a, x, [&](std::int64_t dim, bool keep) { return x.max(dim, keep); }, &Tensor::max);
       }},
      {"min",
       [](Tensor x, Arguments& a) {
         return extreme(
             SequenceKind::minimum, a, x, [&](std::int64_t dim, bool keep) { return x.min(dim, keep); }, &Tensor::min);
       }},
  };
  return table;
}

#undef BINARY
#undef BINARY_ALPHA
#undef UNARY

Tensor transposed(const Tensor& x) {
  std::vector<std::int64_t> reversed;
  for (auto d = x.dim() - 1; d >= 0; --d) reversed.push_back(d);
  return x.permute(reversed);
}

}  // namespace

bool is_tensor_method(const std::string& name) { return methods().count(name) > 0; }

Value call_tensor_method(const Tensor& self, Arguments& arguments) {
  return methods().at(arguments.function())(self, arguments);
}

Value tensor_attribute(const Tensor& self, const std::string& name) {
  if (name == "shape") return size_of(self.sizes(), SequenceKind::size);
  if (name == "dtype") return self.dtype();
  if (name == "device") return self.device();
  if (name == "ndim") return self.dim();
  if (name == "is_cuda") return self.is_cuda();
  if (name == "T") return transposed(self);
  if (name == "requires_grad") return self.requires_grad();
  if (name == "is_leaf") return self.is_leaf();
  if (name == "grad") return self.grad().defined() ? Value(self.grad()) : Value(None{});
  if (name == "grad_fn") return self.grad_fn() ? Value(self.grad_fn()) : Value(None{});
  if (name == "data") return self.data();
  if (name == "_version") return self._version();
  throw Unsupported("Tensor." + name);
}

}  // namespace python_subset
