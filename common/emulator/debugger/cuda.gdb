# SPDX-License-Identifier: MIT
# What ./learn cuda --debug adds to gdb: the names of a kernel's indices, and breakpoints in one thread of a kernel.
macro define threadIdx (*(const uint3*)&d2l_emulator_thread_index)
macro define blockIdx (*(const uint3*)&d2l_emulator_block_index)
macro define blockDim (*(const uint3*)&d2l_emulator_block_size)
macro define gridDim (*(const uint3*)&d2l_emulator_grid_size)
macro define d2l_block_number (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z))
macro define d2l_thread_number (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))

define break-thread
  if $argc == 3
    break $arg0 if d2l_block_number == $arg1 && d2l_thread_number == $arg2
  else
    echo break-thread LINE BLOCK THREAD, for example: break-thread scale.cu:7 0 33\n
  end
end
document break-thread
Stops at a line of a kernel in one thread only: break-thread LINE BLOCK THREAD.
LINE is 7, scale.cu:7 or the name of a kernel. Blocks and threads of a block count from 0, x first, then y, then z.
The same for other conditions: break 7 if blockIdx.y == 1 && threadIdx.x < 3
end

# A signal with which the emulator finds the line of a kernel that does not end.
handle SIGURG nostop noprint pass
