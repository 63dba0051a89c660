# SPDX-License-Identifier: MIT
# The course in a container, finished: docker build -t d2l . && docker run -it d2l. For amd64 and arm64.
ARG BASE=debian:bookworm-slim

# Everything that the course installs, and what an editor needs. This layer changes only with the list of packages.
FROM ${BASE} AS tools
COPY cmake/packages.txt /tmp/packages.txt
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      $(sed -n -E 's/^(needed|docs) ([^ ]+) .*/\2/p' /tmp/packages.txt) \
      bash-completion ca-certificates clang-format clangd gdb git less nano \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/debconf/*-old /tmp/packages.txt /usr/share/doc/* \
 && useradd --create-home --shell /bin/bash student
ENV LANG=C.UTF-8

# For .devcontainer, which builds the course in a folder of the host.
FROM tools AS devcontainer
RUN apt-get update \
 && apt-get install -y --no-install-recommends sudo \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin \
 && echo 'student ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/student
USER student

# The finished course: the runner, the lessons, what checks of exercises and CUDA programs need, and the book.
FROM tools AS course
USER student
WORKDIR /home/student/d2l
COPY --chown=student:student . .
RUN ./learn setup \
 && cmake --build build/cpu --target lessons learn_devices d2l_check d2l_cuda_emulator d2l_cuda_headers \
 && ./learn docs \
 && rm -f build/*.log
CMD ["bash"]
