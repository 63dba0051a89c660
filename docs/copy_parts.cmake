# SPDX-License-Identifier: MIT
# cmake -DFROM=folder -DTO=folder "-DPARTS=file;folder/…" -P copy_parts.cmake: copies some parts of a folder, and what
# links in it lead to.
foreach(part IN LISTS PARTS)
  if(NOT EXISTS "${FROM}/${part}")
    continue()
  endif()
  get_filename_component(folder "${TO}/${part}" DIRECTORY)
  file(COPY "${FROM}/${part}" DESTINATION "${folder}" FOLLOW_SYMLINK_CHAIN)
endforeach()
