# SPDX-License-Identifier: MIT
# D2L_THRUST_INCLUDE: the folder with the headers of Thrust, for the library, the emulator and all programs. A user may set it.

# d2l_find_thrust([PREFERRED]): sets D2L_THRUST_INCLUDE unless the user has set it: to the folder PREFERRED if that has Thrust,
# else, with nvcc, to the toolkit's, else to what thrust_folder finds.
function(d2l_find_thrust)
  if(EXISTS "${D2L_THRUST_INCLUDE}/thrust/version.h")
    return()
  endif()
  if(D2L_THRUST_INCLUDE AND NOT D2L_THRUST_INCLUDE STREQUAL D2L_THRUST_FOUND)
    message(FATAL_ERROR "D2L_THRUST_INCLUDE is ${D2L_THRUST_INCLUDE}, and there is no thrust/version.h in that folder.\n"
                        "Set it to the folder that contains the folder thrust, or to nothing: then it is searched for.")
  endif()
  set(found "")
  if(EXISTS "${ARGV0}/thrust/version.h")
    set(found "${ARGV0}")
  elseif(CUDAToolkit_FOUND)  # the distribution's may be in /usr/include
    foreach(folder IN LISTS CUDAToolkit_INCLUDE_DIRS)
      foreach(one "${folder}/cccl" "${folder}")  # CUDA 13 has it in cccl
        if(NOT found AND EXISTS "${one}/thrust/version.h")
          set(found "${one}")
        endif()
      endforeach()
    endforeach()
  else()
    execute_process(COMMAND sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/thrust_folder" "${CMAKE_CXX_COMPILER}"
      OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  set(D2L_THRUST_INCLUDE "${found}" CACHE PATH "The folder that contains the folder thrust" FORCE)
  set(D2L_THRUST_FOUND "${found}" CACHE INTERNAL "What was found, which may be replaced when it is gone")
endfunction()

# d2l_thrust_version(OUT): "1.17.2" from the number in Thrust's version.h.
function(d2l_thrust_version out)
  file(STRINGS "${D2L_THRUST_INCLUDE}/thrust/version.h" line REGEX "define THRUST_VERSION [0-9]+")
  string(REGEX REPLACE ".*THRUST_VERSION ([0-9]+).*" "\\1" number "${line}")
  math(EXPR major "${number} / 100000")
  math(EXPR minor "${number} / 100 % 1000")
  math(EXPR patch "${number} % 100")
  set(${out} "${major}.${minor}.${patch}" PARENT_SCOPE)
endfunction()

# d2l_check_thrust(): compilers look in the folders of CPATH before that of Thrust, which is a system folder.
function(d2l_check_thrust)
  string(REPLACE ":" ";" folders "$ENV{CPATH}")
  foreach(folder IN LISTS folders)
    if(EXISTS "${folder}/thrust/version.h" AND NOT CUDAToolkit_FOUND)
      get_filename_component(first "${folder}" REALPATH)
      get_filename_component(chosen "${D2L_THRUST_INCLUDE}" REALPATH)
      if(NOT first STREQUAL chosen)
        message(WARNING "The compiler will take Thrust from ${folder}, because the variable CPATH names it, and not from "
                        "D2L_THRUST_INCLUDE, which is ${chosen}. Remove it from CPATH, or set D2L_THRUST_INCLUDE to it.")
      endif()
      return()
    endif()
  endforeach()
endfunction()

# d2l_thrust_options(OUT): what a command line without CMake needs; nothing where the compiler looks by itself, because
# that folder must keep its place after those of the standard library.
function(d2l_thrust_options out)
  set(options "")
  get_filename_component(folder "${D2L_THRUST_INCLUDE}" REALPATH)
  if(D2L_THRUST_INCLUDE AND NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    set(options "-isystem${D2L_THRUST_INCLUDE}")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
