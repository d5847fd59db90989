// SPDX-License-Identifier: Apache-2.0
/// \file Style and frame of the page.
#include "counterexamples/export/html_page.hpp"

namespace schedcheck {

const std::string_view kHtmlHead = R"HTML(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>schedcheck</title>
<style>
:root { color-scheme: light dark; --bg: #fff; --fg: #1b1f24; --soft: #59636e; --line: #d1d9e0;
  --card: #f6f8fa; --accent: #0757b8; --bad: #b3202a; --live: #2a7f46; --dead: #b3202a;
  --bound: #8a6a00; --task-l: 62%; --on-task: #10131a; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #0f1318; --fg: #e6edf3; --soft: #9aa6b2; --line: #37414c; --card: #171d24;
    --accent: #6cb0ff; --bad: #ff7b72; --live: #56c878; --dead: #ff7b72; --bound: #d8b04a;
    --task-l: 58%; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--bg); color: var(--fg);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1.1rem; margin: 0 0 .4rem; }
h3 { font-size: 1rem; margin: .8rem 0 .2rem; }
.soft { color: var(--soft); } .bad { color: var(--bad); font-weight: 600; }
pre, code { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--card); border: 1px solid var(--line); padding: .6rem; overflow: auto;
  white-space: pre-wrap; max-height: 26rem; }
#controls { position: sticky; top: 0; z-index: 1; background: var(--bg); padding: .5rem 0;
  border-bottom: 1px solid var(--line); display: flex; gap: .5rem; align-items: center;
  flex-wrap: wrap; }
#slider { flex: 1 1 12rem; } #now { flex: 1 1 100%; min-height: 1.5em; }
button { font: inherit; padding: .15rem .7rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--card); color: var(--fg); cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr));
  gap: 1rem; margin-top: 1rem; }
.side { border: 1px solid var(--line); border-radius: 8px; padding: .8rem; min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
caption { text-align: left; padding: .2rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .15rem .4rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
tr.chosen td { font-weight: 600; background: var(--card); }
svg { display: block; } svg text { fill: var(--fg); font: 11px system-ui, sans-serif; }
svg .soft { fill: var(--soft); } svg .grid { stroke: var(--line); }
svg .util { stroke: var(--accent); fill: none; stroke-width: 1.6; }
svg .limit { stroke: var(--bad); stroke-dasharray: 4 3; }
svg .cursor { stroke: var(--fg); stroke-width: 2; } svg .event { stroke: var(--soft); }
svg .violated { stroke: var(--bad); stroke-width: 2; }
svg .task text, .key b { fill: var(--on-task); color: var(--on-task); }
.key b { padding: 0 .4rem; border-radius: 4px; margin-right: .3rem; font-weight: 500; }
.bar { display: flex; height: 12px; background: var(--card); border: 1px solid var(--line); }
.bar i { display: block; height: 100%; }
</style>
</head>
<body>
<script type="application/json" id="data">)HTML";

const std::string_view kHtmlFrame = R"HTML(</script>
<header>
<h1 id="title"></h1>
<p id="claim"></p>
<p id="why" class="soft"></p>
<p id="verdict"></p>
</header>
<noscript><p>This page needs JavaScript; the schedule stands in its source as JSON.</p></noscript>
<div id="controls" role="group" aria-label="Steps">
<button id="first" type="button">first</button>
<button id="back" type="button">back</button>
<label for="slider">step</label>
<input id="slider" type="range" min="0" value="0" step="1">
<button id="next" type="button">next</button>
<button id="last" type="button">violation</button>
<div id="now" role="status" aria-live="polite"></div>
</div>
<main>
<div id="sides"></div>
<h2>Why</h2>
<pre id="explained" tabindex="0"></pre>
<h2>To repeat</h2>
<p class="soft">Save the schedule below as FILE.</p>
<pre id="commands" tabindex="0"></pre>
<details><summary>The schedule</summary><pre id="schedule" tabindex="0"></pre></details>
</main>
<script>
)HTML";

}  // namespace schedcheck
