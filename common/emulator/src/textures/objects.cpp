// SPDX-License-Identifier: MIT
// Texture objects and surface objects.
#include "calls/call_site.h"
#include "calls/unread_errors.h"
#include "checks/leaks.h"
#include "d2l_emulator/textures/api.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/memory.h"
#include "textures/handles.h"
#include "textures/resources.h"

namespace d2l::emulator {
namespace {

Handles<Texture>& textures() {
  static auto* const made = new Handles<Texture>(0);
  return *made;
}
Handles<Surface>& surfaces() {
  static auto* const made = new Handles<Surface>(std::uint64_t{1} << 63U);
  return *made;
}

template <class Object>
const Object& required(const Object* object, const char* why) {
  if (object != nullptr) return *object;
  explain_failure(why);
  throw Failure{cudaErrorInvalidValue};
}
constexpr const char* no_texture = "The number is not a texture object, or the object is destroyed";
constexpr const char* no_surface = "The number is not a surface object, or the object is destroyed";

/// For the report of objects that are never destroyed.
void note_created(const void* object, const char* call) {
  note_allocated(object, 0, checks_kernels() ? with_place(call) : call);
}

/// The kernels that may use an object end before it is destroyed. A program must not rely on this wait, so the checks
/// of the order do not learn of it.
void wait_for_kernels() {
  for (int i = 0; i < device_count(); ++i) {
    for (const auto& stream : device_at(i).streams()) stream->queue().wait_from_host(stream->queue().issued());
  }
}

template <class Object>
void destroy(Handles<Object>& objects, std::uint64_t handle, const char* why) {
  const Object& object = required(objects.find(handle), why);
  wait_for_kernels();
  note_freed(&object);
  objects.remove(handle);
}

}  // namespace

const Texture* texture_of(cudaTextureObject_t handle) noexcept { return textures().find(handle); }
const Surface* surface_of(cudaSurfaceObject_t handle) noexcept { return surfaces().find(handle); }

cudaError_t create_unlisted_texture(cudaTextureObject_t* texture, const cudaResourceDesc& resource,
                                    const cudaTextureDesc& description) {
  return device_call([&] { *texture = textures().add(make_texture(resource, description, nullptr)); });
}
cudaError_t create_unlisted_surface(cudaSurfaceObject_t* surface, const cudaResourceDesc& resource) {
  return device_call([&] { *surface = surfaces().add(make_surface(resource)); });
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(texture != nullptr && resource != nullptr && description != nullptr);
    *texture = textures().add(make_texture(*resource, *description, view));
    note_created(texture_of(*texture), "cudaCreateTextureObject");
  });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { destroy(textures(), texture, no_texture); });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(resource != nullptr);
    *resource = required(texture_of(texture), no_texture).resource;
  });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(description != nullptr);
    *description = required(texture_of(texture), no_texture).description;
  });
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(view != nullptr);
    const Texture& known = required(texture_of(texture), no_texture);
    if (known.view.format == cudaResViewFormatNone) explain_failure("The texture object was made without a view");
    require(known.view.format != cudaResViewFormatNone);
    *view = known.view;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(surface != nullptr && resource != nullptr);
    *surface = surfaces().add(make_surface(*resource));
    note_created(surface_of(*surface), "cudaCreateSurfaceObject");
  });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] { destroy(surfaces(), surface, no_surface); });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    require(resource != nullptr);
    *resource = required(surface_of(surface), no_surface).resource;
  });
}
