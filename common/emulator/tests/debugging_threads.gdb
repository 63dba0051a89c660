# The names of indices in gdb, and breakpoints in one thread, as ./learn cuda --debug adds them.
set pagination off
set confirm off
set breakpoint pending off
break-thread 8
break-thread debugging.cu:8 0 7
run
print threadIdx
print blockIdx
print blockDim.x
print gridDim
delete
break-thread 10 0 33
continue
print i
print threadIdx.x
delete
break 10 if threadIdx.x < 3 && i == 2
continue
print threadIdx.x
delete
continue
