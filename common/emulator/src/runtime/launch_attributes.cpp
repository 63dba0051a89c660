// SPDX-License-Identifier: MIT
// Attributes of launches and streams.
#include <cstdio>

#include "calls/call_site.h"
#include "d2l_emulator/launches/attributes.h"
#include "runtime/device.h"
#include "runtime/errors.h"

namespace d2l::emulator {
namespace {

void require_stream_attribute(cudaLaunchAttributeID attribute, const void* value) {
  const bool known = attribute == cudaLaunchAttributeAccessPolicyWindow ||
                     attribute == cudaLaunchAttributeSynchronizationPolicy ||
                     attribute == cudaLaunchAttributePriority || attribute == cudaLaunchAttributeMemSyncDomainMap ||
                     attribute == cudaLaunchAttributeMemSyncDomain;
  require(known && value != nullptr);
}

}  // namespace

cudaError_t read_launch_attributes(const cudaLaunchConfig_t& config, bool& cooperative) {
  return plain_call([&] {
    cooperative = false;
    require(config.attrs != nullptr || config.numAttrs == 0);
    for (unsigned i = 0; i < config.numAttrs; ++i) {
      const cudaLaunchAttributeValue& value = config.attrs[i].val;
      const cudaLaunchAttributeID id = config.attrs[i].id;
      if (id == cudaLaunchAttributeCooperative) cooperative = value.cooperative != 0;
      if (id == cudaLaunchAttributeClusterDimension &&
          value.clusterDim.x * value.clusterDim.y * value.clusterDim.z > 1) {
        std::fputs("clusters of thread blocks are not supported by the emulator\n", stderr);
        throw Failure{cudaErrorNotSupported};
      }
    }
  });
}

}  // namespace d2l::emulator

using d2l::emulator::ApiCall;
using d2l::emulator::plain_call;
using d2l::emulator::stream_of;

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    d2l::emulator::require_stream_attribute(attribute, value);
    const auto of = stream_of(stream);
    const std::lock_guard lock(of->device().order());
    of->attributes()[attribute] = *value;
  });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    d2l::emulator::require_stream_attribute(attribute, value);
    const auto of = stream_of(stream);
    const std::lock_guard lock(of->device().order());
    const auto found = of->attributes().find(attribute);
    *value = found == of->attributes().end() ? cudaLaunchAttributeValue{} : found->second;
    if (found != of->attributes().end()) return;
    if (attribute == cudaLaunchAttributePriority) value->priority = of->priority();
    if (attribute == cudaLaunchAttributeSynchronizationPolicy) value->syncPolicy = cudaSyncPolicyAuto;
  });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    const auto source = stream_of(from);
    const auto target = stream_of(to);
    d2l::emulator::require(&source->device() == &target->device());
    const std::lock_guard lock(source->device().order());
    target->attributes() = source->attributes();
  });
}
