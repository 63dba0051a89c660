// SPDX-License-Identifier: MIT
// The list of what is passed over, by the names that Unsupported gives.
#include "python_subset/not_had.h"

#include <set>
#include <sstream>

namespace python_subset {
namespace {

// Modules, training and files: later milestones.
constexpr const char* later = R"(
    nn F requires_grad= Tensor.requires_grad Tensor.requires_grad_ Tensor.requires_grad= Tensor.grad
    Tensor.grad= Tensor.grad_fn Tensor.is_leaf Tensor.backward Tensor.detach Tensor.detach_ Tensor.data
    Tensor.data= Tensor.retain_grad Tensor.register_hook Tensor.__setattr__ torch.no_grad torch.enable_grad
    torch.set_grad_enabled torch.autograd.grad torch.optim.SGD torch.optim.Adam torch.nn.Linear
    torch.nn.functional.relu torch.save torch.load io copy torch.nn.utils.clip_grad_norm_
    torch.autograd.backward torch.nn.Parameter torch.is_grad_enabled
)";

// What only a PyTorch with or without CUDA has to say; our own text is tested where devices are.
constexpr const char* cuda_module = R"(
    torch.cuda.get_device_name torch.cuda.synchronize torch.cuda.is_available torch.cuda.device_count
    torch.cuda.current_device torch.cuda.set_device torch.cuda.Event torch.cuda.Stream
    torch.cuda.memory_allocated torch.cuda.get_device_properties torch.cuda.device
)";

// Functions and dtypes of torch that no lesson of this chapter needs.
constexpr const char* functions = R"(
    FloatTensor LongTensor Size Tensor absolute addcdiv addcmul addmm addmv all amax amin aminmax any argmin
    argsort as_tensor asarray atan2 baddbmm bernoulli bfloat16 bincount bitwise_and bitwise_not bitwise_or
    bitwise_xor bmm broadcast_shapes broadcast_tensors broadcast_to can_cast cartesian_prod cdist ceil cfloat
    channels_last chunk clamp clip combinations complex complex128 complex64 contiguous_format cos cosh
    cosine_similarity count_nonzero cross cumprod cumsum det diag diagonal dist divide dot dstack einsum
    empty_strided erf expm1 eye flatten flip float16 floor floor_divide fmod from_numpy frombuffer full_complex
    gather ger get_default_dtype greater half histc hstack hypot index_add index_select inf int16 int8 inverse
    is_tensor isclose isfinite isinf isnan kron kthvalue lerp less linalg.inv linalg.norm linalg.solve linspace
    log10 log1p log2 log_softmax logical_and logical_not logical_or logical_xor logspace logsumexp masked_select
    maximum median meshgrid minimum mode moveaxis movedim multinomial multiply mv nan nan_to_num narrow negative
    nonzero normal not_equal numel_of numpy outer pi positive prod promote_types qint8 randint randperm ravel
    reciprocal remainder renorm repeat_interleave result_type roll round rsqrt scatter set_default_dtype short
    sign sin sinh softmax sort special.expit split square squeeze_ std std_mean strided subtract svd swapaxes
    swapdims take tan tensor_split tensordot tile topk trace tril triu true_divide trunc unbind unflatten unique
    var var_mean view_as_real vstack where
)";

// Methods and attributes of its tensors, likewise.
constexpr const char* methods = R"(
    H __add__ __bool__ __contains__ __getitem__ __iter__ __len__ __radd__ __repr__ __setitem__ addcdiv_ addcmul_
    addmm addmm_ all amax amin any apply_ argmin argsort backward bernoulli_ bfloat16 bitwise_not bmm
    broadcast_to byte ceil char chunk clamp clamp_ clip copy cos cross cumprod cumsum det diag diagonal dist
    divide dot element eq_ expand_as flatten flip floor floor_ floor_divide fmod gather ger get_device grad_fn
    gt_ half imag index_add_ index_copy_ index_fill_ index_select indices inverse is_complex is_floating_point
    is_meta is_pinned is_same_size is_set_to is_shared is_sparse isfinite isinf isnan itemsize layout lerp
    log_softmax logical_not logsumexp lt_ mH mT map_ masked_fill masked_fill_ masked_select matrix_power maximum
    median minimum mode movedim multiply mv names narrow nbytes ndimension nelement new_empty new_full new_ones
    new_tensor new_zeros nonzero normal_ numpy outer pin_memory prod put_ random_ real reciprocal remainder
    repeat reshape_as resize_ resize_as_ roll round round_ rsqrt scatter_ set_ share_memory_ short sign sin
    slice softmax sort split square square_ squeeze_ std storage stride_of subtract sum_to_size swapaxes t_ take
    tile to_dense to_sparse tolist topk trace transpose_ tril triu true_divide trunc type type_as unbind
    unflatten unfold uniform_ unsqueeze_ untyped_storage values var view_as where
)";

// Operators, written "operator //".
constexpr const char* operators = "// % & | ^ ~ << >> //= %= &= |= ^= @=";

// Python's own: its syntax, its builtins, and keyword arguments.
constexpr const char* python = R"(
    with try for while def class if import del assert lambda in comprehension dict unpacking type list tuple
    range iter next sorted isinstance hasattr getattr setattr id hash print sum max min abs round enumerate zip
    map complex math np sys gc pickle copy len str torch.tensor(tensor) out= memory_format= generator= layout=
    names= rounding_mode= copy=
)";

// What the C++ compiler checks, or what has no form in C++.
const std::set<std::string> phrases{"argument type",
                                    "int() of what is no 64-bit integer",
                                    "integer beyond 64 bits",
                                    "number syntax",
                                    "string syntax",
                                    "an index for more dimensions than there are",
                                    "an index that is no integer",
                                    "sequence index",
                                    "norm of this kind",
                                    "view as a dtype",
                                    "dtype= of a reduction",
                                    "maximum of two tensors",
                                    "a literal this long",
                                    "repr of a slice",
                                    "indexing of what is no tensor",
                                    "call of a value",
                                    "attribute items",
                                    "attribute numel"};

std::set<std::string> words(const char* text, const std::string& prefix = "") {
  std::set<std::string> result;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) result.insert(prefix + word);
  return result;
}

std::set<std::string> all_names() {
  auto names = phrases;
  for (auto part : {words(later), words(cuda_module), words(functions, "torch."), words(methods, "Tensor."),
                    words(operators, "operator "), words(python)}) {
    names.merge(part);
  }
  return names;
}

}  // namespace

bool is_listed_as_not_had(const std::string& name) {
  static const std::set<std::string> names = all_names();
  return names.count(name) > 0 || name.rfind("torch.nn.", 0) == 0 || name.rfind("torch.optim.", 0) == 0;
}

}  // namespace python_subset
