# SPDX-License-Identifier: MIT
# The kernels are templates on a policy, in common/tensors/src/kernels/families. The build generates the sources that instantiate
# them, one for each family so that they compile in parallel, and the header that lists the families.
set(folder "${PROJECT_SOURCE_DIR}/common/tensors/src/kernels/families")
file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/fill_*.h")
list(TRANSFORM headers REPLACE "\\.h$" "" OUTPUT_VARIABLE D2L_KERNEL_FAMILIES)

set(declarations "")
set(calls "")
foreach(family IN LISTS D2L_KERNEL_FAMILIES)
  string(APPEND declarations "template <class Policy>\nvoid ${family}(KernelTable& table);\n")
  string(APPEND calls "  ${family}<Policy>(table);\n")
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/kernels/kernels/kernel_families.h" @ONLY CONTENT "// Generated: every fill_…<Policy>(table).
#pragma once

#include \"kernels/kernel_table.h\"

namespace d2l::backend::kernels {

@declarations@
template <class Policy>
void fill_all(KernelTable& table) {
@calls@}

}  // namespace d2l::backend::kernels
")

# d2l_kernel_sources(OUT POLICY HEADER SUFFIX): the sources that instantiate every family for a policy, which HEADER defines.
function(d2l_kernel_sources out policy header suffix)
  set(sources)
  foreach(family IN LISTS D2L_KERNEL_FAMILIES)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${family}${suffix}")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT "// Generated.
#include \"@header@\"
#include \"kernels/families/@family@.h\"

template void d2l::backend::kernels::@family@<@policy@>(d2l::backend::KernelTable&);
")
    list(APPEND sources "${source}")
  endforeach()
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()
