// SPDX-License-Identifier: MIT
// The style sheet of the report.
#pragma once

namespace d2l::emulator::report_page {

inline constexpr const char* style_sheet = R"css(
:root { color-scheme: light dark; --page: #ffffff; --text: #1c1e21; --pale: #5f6670; --line: #d5d9de; --code: #f5f6f8;
  --costly: #fdf0e3; --worst: #f9d9b8; --mark: #9a4a0c; --link: #1f5f9e;
  --none: #767d87; }
@media (prefers-color-scheme: dark) {
  :root { --page: #16181c; --text: #e4e6ea; --pale: #9aa2ad; --line: #3a3f47; --code: #1e2126;
    --costly: #33261a; --worst: #4f351d; --mark: #f0a35e; --link: #7fb8ef; --none: #878f9a; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1rem 1.25rem 4rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0.5rem; overflow-wrap: anywhere; }
p { margin: 0.4rem 0; max-width: 60rem; }
a { color: var(--link); }
.pale { color: var(--pale); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; margin-top: 0.75rem; }
th, td { padding: 0.1rem 0.55rem; text-align: right; vertical-align: top; white-space: nowrap; }
th { font-weight: 600; }
thead th { border-bottom: 1px solid var(--line); color: var(--pale); }
td.text, th.text { text-align: left; }
table.launches tbody td { border-bottom: 1px solid var(--line); }
td, .number { font-variant-numeric: tabular-nums; }
.source { width: 100%; }
.source .number { color: var(--pale); font: 0.8125rem/1.6 ui-monospace, monospace; width: 1%; }
.source .code { text-align: left; background: var(--code); width: 99%; white-space: pre-wrap; overflow-wrap: anywhere;
  min-width: 22rem; font: 0.8125rem/1.6 ui-monospace, monospace; }
.source tr.costly > * { background: var(--costly); }
.source tr.worst > * { background: var(--worst); }
.source tr.worst .number::before { content: "\25b6 "; color: var(--mark); }
.source td.none { color: var(--none); }
.source tr.sum > * { border-top: 1px solid var(--line); font-weight: 600; background: none; }
.source tr.cut td, .source tr.file th { text-align: left; color: var(--pale); font-weight: 400; padding-top: 0.5rem; }
.source tr.more > td { text-align: left; white-space: normal; padding-left: 3.2rem; padding-bottom: 0.5rem; }
.source tr.reported > td { border-left: 4px solid var(--mark); padding-left: 0.9rem; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--link); font-size: 0.8125rem; }
figure { margin: 0.5rem 0 1rem; max-width: 46rem; }
figure svg { display: block; width: 100%; min-width: 34rem; height: auto; }
figcaption { color: var(--pale); font-size: 0.8125rem; margin-top: 0.25rem; }
.finding { border-left: 4px solid var(--mark); padding: 0.25rem 0 0.25rem 0.9rem; margin: 1rem 0; }
.finding p { overflow-wrap: anywhere; }
@media (max-width: 760px) {
  body { padding: 0.5rem 0.6rem 3rem; }
  .source, .source tbody, .source tr, .source td, .source th { display: block; width: auto; }
  .source thead { display: none; }
  .source tr { display: flex; flex-wrap: wrap; }
  .source .number { flex: 0 0 2.6rem; padding-left: 0; }
  .source .code { flex: 1 1 calc(100% - 2.6rem); min-width: 0; }
  .source tr.sum .code { flex: 1 1 auto; }
  .source td[data-name] { flex: 0 0 25%; text-align: left; padding: 0 0.3rem; font-size: 0.8125rem; }
  .source td[data-name]::before { content: attr(data-name) " "; color: var(--pale); display: block;
    font-size: 0.6875rem; line-height: 1.2; }
  .source tr.more > td { padding-left: 0.3rem; flex: 1 1 100%; min-width: 0; }
}
@media print { body { max-width: none; } }
)css";

}  // namespace d2l::emulator::report_page
