// SPDX-License-Identifier: Apache-2.0
/// \file The script of the page.
#include "counterexamples/export/html_page.hpp"

namespace schedcheck {

const std::string_view kHtmlDraw = R"HTML("use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const NS = "http://www.w3.org/2000/svg";

/* All text goes through textContent: nothing in the data is read as markup. */
function element(name, attributes, ...children) {
  const svg = ["svg", "rect", "line", "path", "text", "g", "title"].includes(name);
  const node = svg ? document.createElementNS(NS, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  for (const child of children)
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  return node;
}
const taskColour = (task) => "hsl(" + (task * 137 + 210) % 360 + " 55% var(--task-l))";
const LEFT = 48, LANE = 22, CURVE = 46, TOP = 18;

/* Events take no time in the model: each gets a narrow column of its own after the time that
   passes in it. */
function columns(side) {
  const total = side.steps.length ? side.steps[side.steps.length - 1].ns - side.start_ns : 0;
  const moments = side.moment = total > 0 ? 18 : 44;
  const room = Math.max(200, 400 - side.steps.length * moments);
  let x = LEFT + moments, ns = side.start_ns;
  return side.steps.map((step) => {
    const from = x, from_ns = ns;
    ns = step.ns;
    const moment = from + (total > 0 ? (ns - from_ns) / total * room : 0);
    x = moment + moments;
    return { from, from_ns, to_ns: ns, moment, end: x };
  });
}

function block(svg, cpu, task, x, width, named) {
  if (task < 0 || width <= 0) return;
  const y = TOP + cpu * (LANE + CURVE);
  const g = element("g", { class: "task" },
    element("rect", { x, y: y + 2, width, height: LANE - 4, fill: taskColour(task) }),
    element("title", {}, "task " + task + " on CPU " + cpu));
  if (named || width >= 60) g.append(element("text", { x: x + 3, y: y + LANE - 7 }, task));
  svg.append(g);
}

function curve(side, cols, cpu) {
  const base = TOP + cpu * (LANE + CURVE) + LANE + CURVE - 6, scale = (CURVE - 10) / 1024;
  const y = (util) => base - Math.min(util, 1024) * scale;
  let path = "M" + LEFT + " " + y(side.start[cpu].util);
  cols.forEach((col, i) => {
    const width = col.moment - col.from, time = col.to_ns - col.from_ns;
    for (const s of side.samples)
      if (time > 0 && s.ns > col.from_ns && s.ns < col.to_ns)
        path += " L" + (col.from + (s.ns - col.from_ns) / time * width) + " " + y(s.util[cpu]);
    const util = side.steps[i].cpus[cpu].util;
    path += " L" + col.moment + " " + y(util) + " L" + col.end + " " + y(util);
  });
  return { path, y };
}

function timeline(side) {
  const cols = columns(side), cpus = side.start.length;
  const width = (cols.length ? cols[cols.length - 1].end : LEFT + side.moment) + 12;
  const height = TOP + cpus * (LANE + CURVE) + 16;
  const svg = element("svg", { width, height, viewBox: "0 0 " + width + " " + height, role: "img",
    "aria-label": "Timeline: who runs on each CPU, and its util_avg from 0 to 1024" });
  for (let cpu = 0; cpu < cpus; ++cpu) {
    const y = TOP + cpu * (LANE + CURVE);
    svg.append(element("text", { x: 2, y: y + 15 }, "CPU " + cpu),
      element("text", { x: 2, y: y + LANE + 18, class: "soft" }, "util"));
    block(svg, cpu, side.start[cpu].curr, LEFT, side.moment, true);
    cols.forEach((col, i) => {
      const time = col.to_ns - col.from_ns;
      for (const s of side.slices) {
        const from = Math.max(s.from, col.from_ns), to = Math.min(s.to, col.to_ns);
        if (s.cpu !== cpu || time <= 0 || to <= from) continue;
        const at = (ns) => col.from + (ns - col.from_ns) / time * (col.moment - col.from);
        block(svg, cpu, s.task, at(from), at(to) - at(from));
      }
      block(svg, cpu, side.steps[i].cpus[cpu].curr, col.moment, side.moment, true);
    });
    const drawn = curve(side, cols, cpu);
    if (data.limit > 0)
      svg.append(element("line", { class: "limit", x1: LEFT, x2: width - 12, y1: drawn.y(data.limit),
        y2: drawn.y(data.limit) }, element("title", {}, "spare capacity up to util " + data.limit)));
    svg.append(element("line", { class: "grid", x1: LEFT, x2: width - 12, y1: drawn.y(0),
      y2: drawn.y(0) }), element("path", { class: "util", d: drawn.path }));
  }
  cols.forEach((col, i) => {
    const bad = side.steps[i].violated.length > 0;
    svg.append(element("line", { class: bad ? "violated" : "event", x1: col.moment, x2: col.moment,
      y1: TOP - 4, y2: height - 16 }, element("title", {}, side.steps[i].text)));
    if (cols.length <= 60 || i % 10 === 9)
      svg.append(element("text", { x: col.moment + 2, y: 12, class: "soft" }, i + 1));
  });
  const cursor = element("line", { class: "cursor", y1: TOP - 6, y2: height - 12 });
  svg.append(cursor);
  return { svg, move(step) {
    const x = step === 0 ? LEFT + side.moment : cols[Math.min(step, cols.length) - 1].end;
    cursor.setAttribute("x1", x); cursor.setAttribute("x2", x);
    const box = svg.parentElement;
    if (x < box.scrollLeft || x > box.scrollLeft + box.clientWidth)
      box.scrollLeft = x - box.clientWidth / 2;
  } };
}
)HTML";

const std::string_view kHtmlShow = R"HTML(
function table(caption, heads, rows) {
  const t = element("table", {}, element("caption", { class: "soft" }, caption),
    element("tr", {}, ...heads.map((h) => element("th", { scope: "col" }, h))));
  for (const row of rows)
    t.append(element("tr", row.chosen ? { class: "chosen" } : {},
      ...row.cells.map((c) => element("td", {}, c))));
  return element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption }, t);
}

function decision(step) {
  if (!step || !step.fork) return [element("p", { class: "soft" }, "No placement in this step.")];
  const parts = [];
  for (const level of step.fork.levels) {
    parts.push(table(level.domain + " domain of CPU " + level.cpu + ", imbalance " + level.pct + " %",
      ["group", "class", "running", "idle CPUs", "util", "spare up to", "runnable", "load"],
      level.groups.map((g) => ({ chosen: g.chosen, cells: [g.cpus + (g.local ? " (local)" : "") +
        (g.allowed ? "" : " (not allowed)"), g.type, g.nr, g.idle, g.util, g.spare, g.runnable,
        g.load] }))));
    parts.push(element("p", {}, level.reason));
  }
  parts.push(element("p", {}, "Task " + step.fork.child + " starts on CPU " + step.fork.chosen + "."));
  return parts;
}

/* Shares of util_sum: what living tasks contributed, what dead ones left, what bounds added. */
function ledger(step) {
  if (!step) return [element("p", { class: "soft" }, "Before the first event.")];
  const points = (sum, c) => (sum / c.divider).toFixed(1);
  const rows = step.cpus.map((c, cpu) => ({ cells: ["CPU " + cpu, c.util, points(c.live, c),
    points(c.dead, c), points(c.clamp, c), c.pending, points(c.busy, c), c.nr] }));
  const parts = [table("Points of util_avg", ["", "util_avg", "live", "dead", "bounds", "pending",
    "really busy", "running"], rows)];
  step.cpus.forEach((c, cpu) => {
    const full = Math.max(c.util_sum, c.live + Math.max(c.dead, 0) + Math.max(c.clamp, 0), 1);
    const part = (sum, colour) => element("i", { style: "width:" +
      Math.max(0, sum) / full * 100 + "%;background:var(--" + colour + ")" });
    const bar = element("div", { class: "bar", role: "img", "aria-label": "CPU " + cpu + ": live " +
      points(c.live, c) + ", dead " + points(c.dead, c) + " points" },
      part(c.live, "live"), part(c.dead, "dead"), part(c.clamp, "bound"));
    parts.push(element("div", { class: "soft" }, "CPU " + cpu), bar);
  });
  return parts;
}

const views = data.sides.map((side) => {
  const drawing = timeline(side);
  const groups = element("div", {}), account = element("div", {}), note = element("p", {});
  const key = element("p", { class: "key" });
  for (let task = 0; task < Math.min(side.tasks, 24); ++task)
    key.append(element("b", { style: "background:" + taskColour(task) }, "task " + task));
  byId("sides").append(element("section", { class: "side", "aria-label": side.name },
    element("h2", {}, side.name), element("p", { class: "soft" }, side.kernel),
    element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "timeline" },
      drawing.svg), key, note,
    element("h3", {}, "Decision"), groups, element("h3", {}, "Ledger"), account));
  return (number) => {
    const step = number > 0 ? side.steps[number - 1] : null;
    drawing.move(Math.min(number, side.steps.length));
    const ended = number > side.steps.length;
    note.textContent = ended ? "The next event is not enabled here: this run has ended."
      : step && step.violated.length ? "Violated: " + step.violated.join("; ") : "";
    note.className = ended ? "soft" : "bad";
    groups.replaceChildren(...decision(step));
    account.replaceChildren(...ledger(step));
  };
});

const steps = data.sides[0].steps;
function show(number) {
  const at = Math.max(0, Math.min(steps.length, number));
  byId("slider").value = at;
  byId("now").textContent = at === 0 ? "Before the first event." : at + " of " + steps.length + ": " +
    steps[at - 1].text;
  for (const view of views) view(at);
}
const current = () => Number(byId("slider").value);
for (const [id, text] of Object.entries(data.texts)) byId(id).textContent = text;
document.title = data.texts.title;
byId("slider").max = steps.length;
byId("slider").addEventListener("input", () => show(current()));
byId("first").addEventListener("click", () => show(0));
byId("back").addEventListener("click", () => show(current() - 1));
byId("next").addEventListener("click", () => show(current() + 1));
byId("last").addEventListener("click", () => show(data.violated));
document.addEventListener("keydown", (event) => {
  const plain = !event.ctrlKey && !event.altKey && !event.metaKey && event.target.id !== "slider";
  if (!plain || event.target.closest(".scroll")) return;
  if (event.key === "ArrowRight") show(current() + 1);
  if (event.key === "ArrowLeft") show(current() - 1);
});
show(data.violated);
</script>
</body>
</html>
)HTML";

}  // namespace schedcheck
