// SPDX-License-Identifier: MIT
#include "graphs/user_objects.h"

#include <unordered_map>

#include "calls/call_site.h"
#include "graphs/graph.h"

struct CUuserObject_st {
  void* pointer;
  cudaHostFn_t destroy;
  unsigned references;
};

namespace d2l::emulator {
namespace {

std::unordered_map<cudaUserObject_t, std::unique_ptr<CUuserObject_st>>& user_objects() {
  static auto* const made = new std::unordered_map<cudaUserObject_t, std::unique_ptr<CUuserObject_st>>;
  return *made;
}

void require_object(cudaUserObject_t object, unsigned count) { require(count > 0 && user_objects().contains(object)); }

void release_object(cudaUserObject_t object, unsigned count) {
  require_object(object, count);
  require(count <= object->references);
  object->references -= count;
  if (object->references > 0) return;
  const auto node = user_objects().extract(object);
  node.mapped()->destroy(node.mapped()->pointer);
}

}  // namespace

UserReferences::~UserReferences() {
  for (const auto& [object, count] : counts_) release_object(object, count);
}

void UserReferences::retain_all(const UserReferences& other) {
  for (const auto& [object, count] : other.counts_) retain(object, count, false);
}

void UserReferences::retain(cudaUserObject_t object, unsigned count, bool move) {
  require_object(object, count);
  require(!move || count <= object->references);
  if (!move) object->references += count;
  counts_[object] += count;
}

void UserReferences::release(cudaUserObject_t object, unsigned count) {
  const auto found = counts_.find(object);
  require(found != counts_.end() && count > 0 && count <= found->second);
  found->second -= count;
  if (found->second == 0) counts_.erase(found);
  release_object(object, count);
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy, unsigned references,
                                 unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(object != nullptr && destroy != nullptr && references > 0 && flags == cudaUserObjectNoDestructorSync);
    auto made = std::make_unique<CUuserObject_st>(CUuserObject_st{pointer, destroy, references});
    *object = made.get();
    user_objects()[*object] = std::move(made);
  });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require_object(object, count);
    object->references += count;
  });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { release_object(object, count); });
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(flags == 0 || flags == cudaGraphUserObjectMove);
    graph_of(graph).objects().retain(object, count, flags == cudaGraphUserObjectMove);
  });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { graph_of(graph).objects().release(object, count); });
}
