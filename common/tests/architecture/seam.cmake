# SPDX-License-Identifier: MIT
# cmake -DROOT=… -P seam.cmake: fails where something above the seam knows of CUDA, or a public header includes what is
# private to the sources.
set(cuda "#[ \t]*include[ \t]*[<\"](cuda|cublas|curand|nvml|cub/)"
         "#[ \t]*(if|ifdef|ifndef|elif)[^\n]*(CUDA|NVCC)"
         "__global__|__device__|__host__"
         "<<<")
set(private "#[ \t]*include[ \t]*[<\"](fmt|nlohmann|CLI|thrust|Random123|cblas|omp)")

file(GLOB_RECURSE above
  "${ROOT}/chapters/*.cpp" "${ROOT}/exercises/*.cpp" "${ROOT}/exercises/*.h" "${ROOT}/solutions/*.cpp"
  "${ROOT}/common/include/*.h" "${ROOT}/common/src/*.cpp" "${ROOT}/common/src/*.h")
list(FILTER above EXCLUDE REGEX "/common/src/(backend|kernels)/")
list(LENGTH above count)
if(count EQUAL 0)
  message(FATAL_ERROR "no source found below ${ROOT}")
endif()

set(broken 0)
foreach(file IN LISTS above)
  file(READ "${file}" text)
  set(forbidden ${cuda})
  if(file MATCHES "/common/include/|/chapters/|/exercises/|/solutions/")
    list(APPEND forbidden "${private}")
  endif()
  foreach(pattern IN LISTS forbidden)
    if(text MATCHES "${pattern}")
      message(SEND_ERROR "${file} is above the seam, and has \"${CMAKE_MATCH_0}\"")
      math(EXPR broken "${broken} + 1")
    endif()
  endforeach()
endforeach()
message(STATUS "${count} files above the seam, ${broken} breaches")
