// SPDX-License-Identifier: MIT
// No atomicAdd has these types: the compiler lists all that there are.
__global__ void count(short* counter) { atomicAdd(counter, 1); }

int main() { count<<<1, 1>>>(nullptr); }
