"""The fixed parts of the HTML page: style, the first part of the body, and the script.

The script hides what does not meet the filter, sorts, and draws the edges that are left. The drawing places
nodes by forces, from a fixed start and for a fixed number of steps: the same graph gives the same drawing.
"""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #fff; --line: #c4c4cc; --soft: #f1f1f5; --mark: #0b57d0;
  --card: #0b57d0; --reference: #9a4a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6ea; --paper: #16161a; --line: #4a4a54; --soft: #24242b;
  --mark: #8ab4f8; --card: #8ab4f8; --reference: #ffb37a; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 90rem; padding: 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; }
form { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; margin: 1rem 0; }
label { display: grid; gap: .15rem; }
label.tick { display: flex; gap: .4rem; align-items: center; }
input, select, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line);
  border-radius: .3rem; padding: .3rem .5rem; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 1px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; font-weight: bold; padding: .3rem 0; }
th, td { text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); padding: .3rem .6rem;
  white-space: pre-wrap; overflow-wrap: anywhere; min-width: 5rem; }
thead th { background: var(--soft); }
tbody th { font-weight: normal; }
thead button { border: 0; background: none; padding: 0; font-weight: bold; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
svg { width: 100%; height: 34rem; border: 1px solid var(--line); border-radius: .3rem; }
svg text { font-size: 11px; fill: var(--ink); stroke: var(--paper); stroke-width: 3px; paint-order: stroke; }
.card { fill: var(--card); } .reference { fill: var(--reference); }
.edge { fill: none; stroke: var(--ink); stroke-opacity: .55; }
.when { stroke-dasharray: 6 4; } .unsettled { stroke-dasharray: 1.5 4; } .no-value { stroke-dasharray: 1.5 10; }
#tip { fill: var(--ink); }
"""

# {title}, {about}, {relations} and {answers} are filled in, escaped.
BODY_HEAD = """<body>
<a class="skip" href="#edges">Skip to the tables</a>
<header><h1 dir="auto">{title}</h1><p dir="auto">{about}</p></header>
<main>
<form id="filter" role="search" hidden>
<label>Search <input id="words" type="search" autocomplete="off" spellcheck="false"></label>
<label class="tick"><input id="exact" type="checkbox"> Match capitals and accents</label>
<label>Relation <select id="relation"><option value="">all</option>{relations}</select></label>
<label>Answer <select id="answer"><option value="">all</option>{answers}</select></label>
</form>
<p id="count" role="status"></p>
<figure id="figure" hidden>
<svg id="drawing" role="img" aria-labelledby="legend"></svg>
<figcaption id="legend">Drawing of the edges in the table: circles are cards, squares references; a dashed line
means \u201cwhen\u201d, a dotted one \u201cunsettled\u201d, one of few dots \u201cno-value\u201d.
<span id="limit"></span></figcaption>
</figure>
"""

SCRIPT = r"""
"use strict";
(() => {
  const MOST = 250, STEPS = 300, SVG = "http://www.w3.org/2000/svg";
  const byId = id => document.getElementById(id);
  const fold = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  const rows = id => [...byId(id).tBodies[0].rows].map(row => {
    const text = [...row.cells].map(cell => cell.textContent).join(" ");
    return { row, text, folded: fold(text) };
  });
  const edges = rows("edges"), nodes = rows("nodes");
  const nodeOf = new Map(nodes.map(node => [node.row.dataset.id, node]));

  function filter() {
    const exact = byId("exact").checked;
    const words = (exact ? byId("words").value : fold(byId("words").value)).split(/\s+/).filter(Boolean);
    const relation = byId("relation").value, answer = byId("answer").value;
    const found = item => words.every(word => (exact ? item.text : item.folded).includes(word));
    const ends = new Set();
    const shown = edges.filter(edge => {
      const data = edge.row.dataset;
      const fits = found(edge) && (!answer || data.answer === answer)
        && (!relation || edge.row.cells[1].textContent === relation);
      edge.row.hidden = !fits;
      if (fits) ends.add(data.source).add(data.target);
      return fits;
    });
    const narrowed = Boolean(words.length || relation || answer);
    let count = 0;
    for (const node of nodes) {
      const fits = !narrowed || ends.has(node.row.dataset.id) || (!relation && !answer && found(node));
      node.row.hidden = !fits;
      count += fits;
    }
    byId("count").textContent = `Showing ${shown.length} of ${edges.length} edges, ${count} of ${nodes.length} nodes.`;
    draw(shown, [...ends]);
  }

  // Fruchterman and Reingold (1991), with a pull to the middle that keeps separate parts together.
  function place(count, pairs) {
    const distance = 70;
    const points = Array.from({ length: count }, (_, i) => {
      const radius = distance / 2 * Math.sqrt(i + 0.5), angle = i * 2.399963;  // a sunflower: no two at one place
      return { x: radius * Math.cos(angle), y: radius * Math.sin(angle), dx: 0, dy: 0 };
    });
    const move = (a, b, strength) => {
      const x = (a.x - b.x) * strength, y = (a.y - b.y) * strength;
      a.dx += x; a.dy += y; b.dx -= x; b.dy -= y;
    };
    for (let step = 0; step < STEPS; step++) {
      for (const p of points) { p.dx = -p.x / 10; p.dy = -p.y / 10; }
      for (let i = 0; i < count; i++) for (let j = 0; j < i; j++) {
        const a = points[i], b = points[j];
        move(a, b, distance ** 2 / Math.max((a.x - b.x) ** 2 + (a.y - b.y) ** 2, 1));
      }
      for (const [i, j] of pairs) {
        const a = points[i], b = points[j];
        move(a, b, -Math.hypot(a.x - b.x, a.y - b.y) / distance);
      }
      const most = distance * (1 - step / STEPS);
      for (const p of points) {
        const scale = Math.min(1, most / Math.max(Math.hypot(p.dx, p.dy), 1e-9));
        p.x += p.dx * scale; p.y += p.dy * scale;
      }
    }
    return points;
  }

  // What to show of the plane: room for labels, and no more than life size.
  function frame(points) {
    const xs = points.map(p => p.x), ys = points.map(p => p.y);
    const left = Math.min(...xs) - 40, width = Math.max(...xs) + 200 - left, spareWidth = Math.max(0, 800 - width);
    const top = Math.min(...ys) - 60, height = Math.max(...ys) + 40 - top, spareHeight = Math.max(0, 500 - height);
    return `${left - spareWidth / 2} ${top - spareHeight / 2} ${width + spareWidth} ${height + spareHeight}`;
  }

  // A line from a to b, bent the more the more edges the two have already; a loop when they are one.
  function path(a, b, nth) {
    if (a === b) return `M${a.x},${a.y} c${-30 - 12 * nth},-50 ${30 + 12 * nth},-50 0,-8`;
    const x = b.x - a.x, y = b.y - a.y, length = Math.hypot(x, y) || 1, bend = 14 * (nth + 0.5);
    const end = Math.max(length - 9, 0) / length;
    const middle = `${a.x + x / 2 - y / length * bend},${a.y + y / 2 + x / length * bend}`;
    return `M${a.x},${a.y} Q${middle} ${a.x + x * end},${a.y + y * end}`;
  }

  function add(parent, name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return parent.appendChild(element);
  }

  function draw(shown, names) {
    const svg = byId("drawing"), fits = names.length > 0 && names.length <= MOST;
    svg.replaceChildren();
    svg.toggleAttribute("hidden", !fits);
    byId("limit").textContent = fits ? "" : names.length
      ? `These are ${names.length} nodes; narrow the search to at most ${MOST} to see them drawn.`
      : "No edge is left to draw.";
    if (!fits) return;
    const index = new Map(names.map((name, i) => [name, i]));
    const pairs = shown.map(({ row }) => [index.get(row.dataset.source), index.get(row.dataset.target)]);
    const points = place(names.length, pairs);
    svg.setAttribute("viewBox", frame(points));
    const tip = add(add(svg, "defs", {}), "marker",
      { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
    add(tip, "path", { d: "M0,0 L8,4 L0,8 z" });
    const seen = new Map();
    shown.forEach(({ row }, i) => {
      const [from, to] = pairs[i], pair = `${from} ${to}`, nth = seen.get(pair) ?? 0;
      seen.set(pair, nth + 1);
      const line = add(svg, "path", { class: `edge ${row.dataset.answer}`, d: path(points[from], points[to], nth),
        "marker-end": "url(#tip)" });
      add(line, "title", {}, [0, 1, 2, 3].map(cell => row.cells[cell].textContent).join(" \u00b7 "));
    });
    names.forEach((name, i) => {
      const { row } = nodeOf.get(name), { x, y } = points[i], label = row.cells[1].textContent || name;
      const group = add(svg, "g", { transform: `translate(${x},${y})` });
      if (row.dataset.kind === "card") add(group, "circle", { class: "card", r: 7 });
      else add(group, "rect", { class: "reference", x: -6, y: -6, width: 12, height: 12 });
      add(group, "title", {}, `${label} (${name})`);
      const letters = [...label.replace(/\s+/g, " ")], cut = letters.length > 32;
      add(group, "text", { x: 11, y: 4 }, cut ? letters.slice(0, 31).join("") + "\u2026" : letters.join(""));
    });
  }

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    const { compare } = new Intl.Collator(undefined, { numeric: true });
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const text = row => row.cells[column].textContent;
        const sorted = [...body.rows].sort((a, b) => (down ? -1 : 1) * compare(text(a), text(b)));
        body.append(...sorted);
      });
    });
  }

  for (const name of ["edges", "nodes"]) sortable(byId(name));
  byId("filter").hidden = byId("figure").hidden = false;
  byId("filter").addEventListener("submit", event => event.preventDefault());
  byId("filter").addEventListener("input", filter);
  filter();
})();
"""
