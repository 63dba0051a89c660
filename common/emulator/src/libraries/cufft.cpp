// SPDX-License-Identifier: MIT
// cuFFT: plans, and their execution on the queue's thread.
#include "cufft.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "calls/call_site.h"
#include "libraries/cufft_layout.h"
#include "runtime/errors.h"
#include "runtime/memory.h"

using namespace d2l::emulator;

namespace {

/// How a program lays out one side; nothing: without gaps.
struct Embedding {
  const long long* sizes = nullptr;
  long long stride = 1;
  long long distance = 0;
};

/// The sizes of a transform, as the program gives them.
struct Request {
  int rank;
  const long long* sizes;
  cufftType type;
  long long batch;
  Embedding in;
  Embedding out;
};

struct Plan {
  FftSizes sizes{};
  cufftType type = CUFFT_C2C;
  std::size_t batch = 0;  ///< 0: not made yet
  std::optional<FftLayout> in;
  std::optional<FftLayout> out;
  cudaStream_t stream = nullptr;
  bool automatic = true;  ///< the library allocates the work area
  void* work_area = nullptr;
};

/// The plans by their handles.
struct Plans {
  std::mutex mutex;
  std::map<cufftHandle, Plan> known;
  cufftHandle next = 1;
};
Plans& plans() {
  static auto* const all = new Plans;
  return *all;
}

/// Calls function(plan) for the plan of a handle.
template <class Function>
cufftResult with_plan(cufftHandle handle, const Function& function) {
  const std::lock_guard lock(plans().mutex);
  const auto found = plans().known.find(handle);
  return found == plans().known.end() ? CUFFT_INVALID_PLAN : function(found->second);
}

bool known(cufftType type) {
  constexpr cufftType types[] = {CUFFT_R2C, CUFFT_C2R, CUFFT_C2C, CUFFT_D2Z, CUFFT_Z2D, CUFFT_Z2Z};
  return std::ranges::find(types, type) != std::end(types);
}
bool from_real(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
bool to_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }
bool is_double(cufftType type) { return type == CUFFT_D2Z || type == CUFFT_Z2D || type == CUFFT_Z2Z; }

/// The sizes with those of missing dimensions before them.
FftSizes padded(int rank, const long long* sizes) {
  FftSizes all{1, 1, 1};
  for (int i = 0; i < rank; ++i)
    all[all.size() - static_cast<std::size_t>(rank - i)] = static_cast<std::size_t>(sizes[i]);
  return all;
}
FftSizes half(FftSizes sizes) {
  sizes[2] = sizes[2] / 2 + 1;
  return sizes;
}

cufftResult check(const Request& request) {
  if (!known(request.type)) return CUFFT_INVALID_TYPE;
  if (request.rank < 1 || request.rank > 3 || request.sizes == nullptr) return CUFFT_INVALID_VALUE;
  constexpr long long most = (1LL << 31) - 1;
  const auto possible = [](long long size) { return size >= 1 && size <= most; };
  if (!std::all_of(request.sizes, request.sizes + request.rank, possible)) return CUFFT_INVALID_SIZE;
  if (!possible(request.batch)) return CUFFT_INVALID_SIZE;
  for (const Embedding& side : {request.in, request.out}) {
    if (side.sizes == nullptr) continue;
    const bool right =
        side.stride >= 1 && side.distance >= 0 && std::all_of(side.sizes, side.sizes + request.rank, possible);
    if (!right) return CUFFT_INVALID_VALUE;
  }
  return CUFFT_SUCCESS;
}

std::optional<FftLayout> layout_of(const Embedding& side, int rank, const FftSizes& sizes) {
  if (side.sizes == nullptr) return std::nullopt;
  return FftLayout{sizes, padded(rank, side.sizes), static_cast<std::size_t>(side.stride),
                   static_cast<std::size_t>(side.distance)};
}

/// A card's work area, as an estimate: the complex numbers of all transforms.
std::size_t work_bytes_of(const FftSizes& sizes, std::size_t batch, cufftType type) {
  const FftSizes stored = from_real(type) || to_real(type) ? half(sizes) : sizes;
  return batch * stored[0] * stored[1] * stored[2] * (is_double(type) ? 16U : 8U);
}

cufftResult estimate(const Request& request, size_t* work_bytes) {
  if (const cufftResult status = check(request); status != CUFFT_SUCCESS) return status;
  if (work_bytes == nullptr) return CUFFT_INVALID_VALUE;
  *work_bytes =
      work_bytes_of(padded(request.rank, request.sizes), static_cast<std::size_t>(request.batch), request.type);
  return CUFFT_SUCCESS;
}

cufftResult make(cufftHandle handle, const Request& request, size_t* work_bytes) {
  return with_plan(handle, [&](Plan& plan) {
    if (plan.batch != 0) return CUFFT_INVALID_PLAN;
    if (const cufftResult status = estimate(request, work_bytes); status != CUFFT_SUCCESS) return status;
    plan.sizes = padded(request.rank, request.sizes);
    plan.type = request.type;
    plan.batch = static_cast<std::size_t>(request.batch);
    plan.in = layout_of(request.in, request.rank, to_real(plan.type) ? half(plan.sizes) : plan.sizes);
    plan.out = layout_of(request.out, request.rank, from_real(plan.type) ? half(plan.sizes) : plan.sizes);
    return CUFFT_SUCCESS;
  });
}

/// Creates a plan and makes it.
template <class Make>
cufftResult create(cufftHandle* handle, const Make& make_plan) {
  if (const cufftResult status = cufftCreate(handle); status != CUFFT_SUCCESS) return status;
  size_t work_bytes = 0;
  const cufftResult status = make_plan(*handle, &work_bytes);
  if (status != CUFFT_SUCCESS) cufftDestroy(std::exchange(*handle, CUFFT_PLAN_NULL));
  return status;
}

/// The transforms of a plan, in place or not.
FftTransforms transforms_of(const Plan& plan, bool in_place, bool inverse) {
  const FftSizes stored = half(plan.sizes);
  const std::size_t real_row = in_place ? 2 * stored[2] : plan.sizes[2];  // padded to the length of the complex row
  const auto dense = [&](bool real, bool other_is_real) {
    if (real) return FftLayout::dense(plan.sizes, real_row);
    return other_is_real ? FftLayout::dense(stored, stored[2]) : FftLayout::dense(plan.sizes, plan.sizes[2]);
  };
  const bool in_real = from_real(plan.type);
  const bool out_real = to_real(plan.type);
  return {plan.sizes, plan.batch, plan.in.value_or(dense(in_real, out_real)),
          plan.out.value_or(dense(out_real, in_real)), inverse};
}

template <class Real>
void run(const FftTransforms& transforms, cufftType type, const void* from, void* to) {
  const auto* const in = static_cast<const Real*>(contents_of(from));
  auto* const out = static_cast<Real*>(contents_of(to));
  if (from_real(type)) return transforms.real_to_complex(in, out);
  if (to_real(type)) return transforms.complex_to_real(in, out);
  transforms.complex_to_complex(in, out);
}

cufftResult check_data(const Plan& plan, cufftType type, const void* in, const void* out) {
  if (plan.batch == 0) return CUFFT_INVALID_PLAN;
  if (plan.type != type) return CUFFT_INVALID_TYPE;
  if (in == nullptr || out == nullptr) return CUFFT_INVALID_VALUE;
  const auto aligned = [type](const void* data, bool real) {
    const std::uintptr_t bytes = std::uintptr_t{is_double(type) ? 8U : 4U} * (real ? 1U : 2U);
    return reinterpret_cast<std::uintptr_t>(data) % bytes == 0;
  };
  if (!aligned(in, from_real(type)) || !aligned(out, to_real(type))) return CUFFT_UNALIGNED_DATA;
  return plan.automatic || plan.work_area != nullptr ? CUFFT_SUCCESS : CUFFT_NO_WORKSPACE;
}

cufftResult execute(const Plan& plan, const void* in, void* out, bool inverse) {
  const FftTransforms transforms = transforms_of(plan, in == out, inverse);
  const std::size_t real = is_double(plan.type) ? sizeof(double) : sizeof(float);
  const auto bytes = [real](bool is_real) { return is_real ? real : 2 * real; };
  // A card may use the input of a real result in several dimensions as its work area.
  const bool changes_input = to_real(plan.type) && plan.sizes[1] * plan.sizes[0] > 1;
  const cudaError_t error = push_library_work(
      plan.stream,
      {memory_of(in, transforms.in, plan.batch, bytes(from_real(plan.type)),
                 changes_input ? LibraryUse::both : LibraryUse::read),
       memory_of(out, transforms.out, plan.batch, bytes(to_real(plan.type)), LibraryUse::write)},
      [transforms, type = plan.type, in, out] {
        is_double(type) ? run<double>(transforms, type, in, out) : run<float>(transforms, type, in, out);
      });
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

cufftResult execute_as(cufftHandle handle, cufftType type, const void* in, void* out, int direction) {
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  Plan plan;
  const cufftResult found = with_plan(handle, [&](const Plan& known_plan) {
    plan = known_plan;
    return CUFFT_SUCCESS;
  });
  if (found != CUFFT_SUCCESS) return found;
  if (const cufftResult status = check_data(plan, type, in, out); status != CUFFT_SUCCESS) return status;
  return execute(plan, in, out, direction == CUFFT_INVERSE);
}

}  // namespace

cufftResult cufftCreate(cufftHandle* handle) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  if (cudaFree(nullptr) != cudaSuccess) return CUFFT_SETUP_FAILED;
  const std::lock_guard lock(plans().mutex);
  *handle = plans().next++;
  plans().known[*handle];
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
  if (handle == CUFFT_PLAN_NULL) return CUFFT_SUCCESS;
  const std::lock_guard lock(plans().mutex);
  return plans().known.erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, long long* onembed, long long ostride, long long odist, cufftType type,
                                long long batch, size_t* work_bytes) {
  return make(plan, {rank, n, type, batch, {inembed, istride, idist}, {onembed, ostride, odist}}, work_bytes);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* work_bytes) {
  if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_VALUE;
  long long wide[3][3] = {};
  const auto widen = [&](const int* from, long long* to) {
    if (from != nullptr) std::copy(from, from + rank, to);
    return from == nullptr ? nullptr : to;
  };
  return cufftMakePlanMany64(plan, rank, widen(n, wide[0]), widen(inembed, wide[1]), istride, idist,
                             widen(onembed, wide[2]), ostride, odist, type, batch, work_bytes);
}
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work_bytes) {
  const long long sizes[] = {nx};
  return make(plan, {1, sizes, type, batch, {}, {}}, work_bytes);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_bytes) {
  const long long sizes[] = {nx, ny};
  return make(plan, {2, sizes, type, 1, {}, {}}, work_bytes);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* work_bytes) {
  const long long sizes[] = {nx, ny, nz};
  return make(plan, {3, sizes, type, 1, {}, {}}, work_bytes);
}

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return create(plan, [=](cufftHandle made, size_t* bytes) { return cufftMakePlan1d(made, nx, type, batch, bytes); });
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return create(plan, [=](cufftHandle made, size_t* bytes) { return cufftMakePlan2d(made, nx, ny, type, bytes); });
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return create(plan, [=](cufftHandle made, size_t* bytes) { return cufftMakePlan3d(made, nx, ny, nz, type, bytes); });
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, cufftType type, int batch) {
  return create(plan, [=](cufftHandle made, size_t* bytes) {
    return cufftMakePlanMany(made, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, bytes);
  });
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* work_bytes) {
  const long long sizes[] = {nx};
  return estimate({1, sizes, type, batch, {}, {}}, work_bytes);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* work_bytes) {
  const long long sizes[] = {nx, ny};
  return estimate({2, sizes, type, 1, {}, {}}, work_bytes);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* work_bytes) {
  const long long sizes[] = {nx, ny, nz};
  return estimate({3, sizes, type, 1, {}, {}}, work_bytes);
}
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work_bytes) {
  return with_plan(plan, [&](const Plan&) { return cufftEstimate1d(nx, type, batch, work_bytes); });
}
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_bytes) {
  return with_plan(plan, [&](const Plan&) { return cufftEstimate2d(nx, ny, type, work_bytes); });
}
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* work_bytes) {
  return with_plan(plan, [&](const Plan&) { return cufftEstimate3d(nx, ny, nz, type, work_bytes); });
}
cufftResult cufftGetSize(cufftHandle handle, size_t* work_bytes) {
  return with_plan(handle, [&](const Plan& plan) {
    if (plan.batch == 0) return CUFFT_INVALID_PLAN;
    if (work_bytes == nullptr) return CUFFT_INVALID_VALUE;
    *work_bytes = work_bytes_of(plan.sizes, plan.batch, plan.type);
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftSetWorkArea(cufftHandle handle, void* memory) {
  return with_plan(handle, [&](Plan& plan) {
    plan.work_area = memory;
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic) {
  return with_plan(handle, [&](Plan& plan) {
    plan.automatic = automatic != 0;
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  return with_plan(handle, [&](Plan& plan) {
    plan.stream = stream;
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUFFT_INVALID_VALUE;
  constexpr int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  *value = parts[type];
  return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
  const ApiCall call(__builtin_return_address(0));
  return execute_as(plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
  const ApiCall call(__builtin_return_address(0));
  return execute_as(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
  const ApiCall call(__builtin_return_address(0));
  return execute_as(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction) {
  const ApiCall call(__builtin_return_address(0));
  return execute_as(plan, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
  const ApiCall call(__builtin_return_address(0));
  return execute_as(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) {
  const ApiCall call(__builtin_return_address(0));
  return execute_as(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
