// SPDX-License-Identifier: MIT
// The cores on which each virtual GPU runs the kernels of a program. All other work of a GPU runs on one.
#pragma once

namespace d2l::backend {

[[nodiscard]] int virtual_cores() noexcept;
void set_virtual_cores(int cores) noexcept;

}  // namespace d2l::backend
