// SPDX-License-Identifier: MIT
// A tag file with a few names, as Doxygen writes it but with more elements a line.
#pragma once

namespace d2l::weaver {

inline constexpr const char* some_tags = R"(<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<tagfile doxygen_version="1.9.4">
<compound kind="class"><name>d2l::Tensor</name><filename>classd2l_1_1Tensor.html</filename>
  <member kind="function"><name>device</name><anchorfile>classd2l_1_1Tensor.html</anchorfile><anchor>c1</anchor></member>
</compound>
<compound kind="class"><name>d2l::Parameter</name><filename>classd2l_1_1Parameter.html</filename>
  <base>d2l::Tensor</base>
  <member kind="function"><name>clear</name><anchorfile>classd2l_1_1Parameter.html</anchorfile><anchor>e1</anchor></member>
</compound>
<compound kind="class"><name>d2l::Ledger</name><filename>classd2l_1_1Ledger.html</filename>
  <member kind="function"><name>summary</name><anchorfile>classd2l_1_1Ledger.html</anchorfile><anchor>d1</anchor></member>
  <member kind="function"><name>clear</name><anchorfile>classd2l_1_1Ledger.html</anchorfile><anchor>d2</anchor></member>
</compound>
<compound kind="namespace"><name>d2l</name><filename>namespaced2l.html</filename>
  <member kind="function"><name>ones</name><anchorfile>namespaced2l.html</anchorfile><anchor>a1</anchor></member>
  <member kind="function"><name>ones</name><anchorfile>namespaced2l.html</anchorfile><anchor>a2</anchor></member>
  <member kind="enumeration" strong="yes"><name>Direction</name><anchorfile>namespaced2l.html</anchorfile><anchor>a9</anchor>
    <enumvalue file="namespaced2l.html" anchor="a3">device_to_host</enumvalue>
  </member>
</compound>
<compound kind="namespace"><name>d2l::nn</name><filename>namespaced2l_1_1nn.html</filename>
  <member kind="typedef"><name>Linear</name><anchorfile>namespaced2l_1_1nn.html</anchorfile><anchor>b1</anchor></member>
</compound>
</tagfile>
)";

}  // namespace d2l::weaver
