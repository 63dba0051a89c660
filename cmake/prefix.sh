# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Packages without root, read by learn: the packages of Debian and Ubuntu that are missing are downloaded and unpacked into
# the folder $prefix. Its compiler/c++ and the variables that use_prefix sets make programs find them there.

# What belongs to a compiler. It comes from the folder or from the system as a whole: headers of both do not go together.
toolchain='^(g[+][+]|gcc|cpp|binutils|lib(c6|crypt|nsl|tirpc)-dev|libc-dev-bin|linux-libc-dev|rpcsvc-proto|lib(gcc|stdc[+][+])-[0-9]+-dev)'

# The folders of libraries in $prefix, with a colon before each.
prefix_libraries() {
  for folder in "$prefix"/usr/lib/*-linux-gnu* "$prefix"/usr/lib; do [ ! -d "$folder" ] || printf ':%s' "$folder"; done
}

# use_prefix: the programs of the system come first, then those of the folder; but its compiler is always used.
use_prefix() {
  libraries=${LD_LIBRARY_PATH:-}$(prefix_libraries)
  export PATH="$PATH:$prefix/usr/bin" CXX="$prefix/compiler/c++"
  export LD_LIBRARY_PATH="${libraries#:}" CMAKE_PREFIX_PATH="$prefix/usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}"
  export CMAKE_INCLUDE_PATH="$prefix/usr/share/doxygen-awesome-css:$prefix/usr/share/javascript/mathjax" # of ./learn docs
  for folder in "$prefix"/usr/lib/*-linux-gnu*/graphviz; do [ ! -d "$folder" ] || export GVBINDIR="$folder"; done
  [ ! -d "$prefix/etc/fonts" ] || [ -d /etc/fonts ] || export FONTCONFIG_PATH="$prefix/etc/fonts"
}

# apt with lists and packages of its own, and as if nothing were installed: so the packages of the system, which may be in
# any state, are no obstacle, and each package that the wanted ones need is named.
own_apt() {
  : >"$prefix/apt/status"
  LC_ALL=C apt-get -o "Dir::State=$prefix/apt" -o "Dir::State::status=$prefix/apt/status" -o "Dir::Cache=$prefix/apt/cache" \
    -o Debug::NoLocking=1 -o APT::Sandbox::User= -o APT::Install-Recommends=0 "$@"
}

# needed_packages PACKAGE...: lines "name=version" of these packages and of all that they need.
needed_packages() { own_apt -s install "$@" | sed -n 's/^Inst \([^ ]*\) (\([^ ]*\) .*/\1=\2/p'; }

# is_wanted PACKAGE: whether the folder needs it. What the system has need not be there twice; but if the compiler is the
# folder's, all headers are, because it reads no others.
is_wanted() {
  if printf '%s\n' "$1" | grep -q -E "$toolchain"; then
    [ "$own_compiler" = 1 ]
  else
    ! grep -q -x -F -e "$1" "$prefix/apt/installed" || case $own_compiler$1 in 1*-dev) ;; *) false ;; esac
  fi
}

# link_system_libraries PACKAGE: the libraries of an installed package, also in the folder, where its headers' package looks.
link_system_libraries() {
  dpkg-query -L "$1" 2>/dev/null | grep -E '/(lib[^/]*|ld[^/]*)\.so[.0-9]*$' | while IFS= read -r file; do
    [ -e "$file" ] || continue
    case $file in /usr/*) here="$prefix$file" ;; *) here="$prefix/usr$file" ;; esac
    [ -e "$here" ] || { mkdir -p "$(dirname -- "$here")" && rm -f "$here" && ln -s "$file" "$here"; }
  done || true
}

# Absolute links, as of /etc/alternatives, lead out of the folder: those that have a target in it are set right.
repair_links() {
  find "$prefix/usr" "$prefix/etc" -type l 2>/dev/null | while IFS= read -r link; do
    target=$(readlink -- "$link")
    # A link to a library of the system (link_system_libraries) leads to the same file: it stays.
    case $target in /*) [ ! -e "$prefix$target" ] || [ "$prefix$target" -ef "$link" ] || ln -sfn "$prefix$target" "$link" ;; esac
  done
}

# The compiler that also finds what is in the folder, and whose programs find their libraries there without any variable.
write_compiler() {
  headers= real=\'$system_compiler\'
  if [ "$own_compiler" = 1 ]; then
    real=$(cd "$prefix/usr/bin" && printf '%s\n' *-linux-gnu*-g++-[0-9]* | sort -V | tail -n 1)
    real="\"\$prefix/usr/bin/$real\" --sysroot=\"\$prefix\" -B\"\$prefix/usr/bin\""
  else
    headers='"$prefix"/usr/include "$prefix"/usr/include/*-linux-gnu*'  # a sysroot has them
  fi
  cat >"$prefix/compiler/c++" <<END
#!/bin/sh
# Made by ./learn setup --prefix.
prefix=\$(dirname -- "\$(dirname -- "\$(readlink -f -- "\$0")")")
for folder in $headers; do
  [ ! -d "\$folder" ] || set -- "\$@" -idirafter "\$folder"
done
for folder in "\$prefix"/usr/lib/*-linux-gnu* "\$prefix"/usr/lib; do
  [ -d "\$folder" ] || continue
  set -- "\$@" "-L\$folder" "-Wl,-rpath,\$folder"
  LD_LIBRARY_PATH=\${LD_LIBRARY_PATH:+\$LD_LIBRARY_PATH:}\$folder
done
export LD_LIBRARY_PATH
exec $real "\$@" -Wl,--disable-new-dtags
END
  chmod +x "$prefix/compiler/c++"
}

# unpack NAME=VERSION...: downloads packages and unpacks them, without their documentation.
unpack() {
  (cd "$prefix/apt" && own_apt -q download "$@") || return
  for file in "$prefix"/apt/*.deb; do
    dpkg-deb --fsys-tarfile "$file" | tar -x -C "$prefix" --keep-directory-symlink --no-same-owner --no-same-permissions \
      --exclude './usr/share/doc/*' --exclude './usr/share/man/*' --exclude './usr/share/locale/*' || return
    rm -f "$file"
  done
}

# prepare_prefix: the folder as a system has it, where /lib is /usr/lib, and the lists of packages.
prepare_prefix() {
  mkdir -p "$prefix/compiler" "$prefix/etc" "$prefix/apt/lists/partial" "$prefix/apt/cache/archives/partial"
  for folder in bin sbin lib lib32 lib64 libx32; do
    mkdir -p "$prefix/usr/$folder"
    [ -e "$prefix/$folder" ] || ln -s "usr/$folder" "$prefix/$folder"
  done
  rm -f "$prefix"/apt/*.deb
  dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' | sed -n 's/^ii *//p' >"$prefix/apt/installed"
  own_apt update || echo "Not every list of packages could be updated."
}

# install_into_prefix PACKAGE...: these packages, and what they need.
install_into_prefix() {
  prepare_prefix
  system_compiler=$(PATH=$system_path && command -v "$system_cxx") && own_compiler=0 || own_compiler=1
  needed=$(needed_packages "$@") && [ -n "$needed" ] || return
  set --
  for package in $needed; do
    if ! is_wanted "${package%%=*}"; then
      link_system_libraries "${package%%=*}"
    elif ! grep -q -x -F -e "$package" "$prefix/packages" 2>/dev/null; then
      set -- "$@" "$package"
    fi
  done
  [ $# = 0 ] || unpack "$@" || return
  repair_links
  for folder in "$prefix"/usr/lib/*-linux-gnu*/graphviz; do
    [ ! -d "$folder" ] || LD_LIBRARY_PATH=$(prefix_libraries | cut -c 2-) GVBINDIR=$folder "$prefix/usr/bin/dot" -c || true
  done
  write_compiler
  printf '%s\n' "$@" >>"$prefix/packages"
  rm -rf "$prefix/apt"
}
