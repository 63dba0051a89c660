# Steps one thread of a kernel over a barrier, while the other threads of its block run in between.
set pagination off
set confirm off
set breakpoint pending off
break debugging.cu:8 if i == 7
run
backtrace 1
print i
print *(uint3*)&d2l_emulator_thread_index
print values[i]
next
next
print i
print tile[63 - i]
next
print values[i]
delete
continue
