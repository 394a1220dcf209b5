"use strict";

// What users and their data say gets into the page through textContent only, and into charts through
// plain(), because Plotly reads a few HTML tags in labels.
const experiments = JSON.parse(document.getElementById("facts").textContent);
const plain = (text) => String(text).replace(/[<>&]/g, (c) => ({ "<": "‹", ">": "›", "&": "+" })[c]);
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const INK = dark ? "#e7ecf1" : "#1d2733";
const LINE = dark ? "#33404d" : "#d7dde3";
const [METHOD, REFERENCE, FASTER, SLOWER] = ["#0072b2", "#e69f00", "#009e73", "#d55e00"];

function add(parent, tag, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  parent.append(element);
  return element;
}

// Charts take the size of their place, which is known once all places are there.
const waiting = [];
const drawAll = () => waiting.splice(0).forEach((draw) => draw());

function chart(parent, traces, title, { tall = false, xaxis = {}, yaxis = {} } = {}) {
  const place = add(parent, "div", "", tall ? "chart tall" : "chart");
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", title);
  const axis = { gridcolor: LINE, zerolinecolor: LINE, automargin: true };
  waiting.push(() => Plotly.newPlot(place, traces, {
    title: { text: plain(title), font: { size: 13 } },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: INK, size: 11 },
    margin: { t: 40, r: 15, b: 45, l: 60 },
    showlegend: false,
    hovermode: "closest",
    xaxis: { ...axis, ...xaxis },
    yaxis: { ...axis, ...yaxis },
  }, { responsive: true, displaylogo: false }));
}

function sortable(parent, grid) {
  add(parent, "h3", grid.title);
  const holder = add(parent, "div", "", "scroll");
  const table = add(holder, "table");
  const head = add(add(table, "thead"), "tr");
  const body = add(table, "tbody");
  const rows = grid.rows.map((row) => {
    const line = add(body, "tr");
    for (const text of row) add(line, "td", text);
    return { row, line };
  });
  const number = (text) => parseFloat(text.replace(/[,%†]/g, ""));
  grid.headings.forEach((heading, i) => {
    const cell = add(head, "th");
    cell.scope = "col";
    const button = add(cell, "button", heading);
    let up = false;
    button.addEventListener("click", () => {
      up = !up;
      rows.sort((a, b) => {
        const [x, y] = [number(a.row[i]), number(b.row[i])];
        const order = isNaN(x) || isNaN(y) ? a.row[i].localeCompare(b.row[i]) : x - y;
        return up ? order : -order;
      });
      for (const { line } of rows) body.append(line);
      for (const other of head.children) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", up ? "ascending" : "descending");
    });
  });
  for (const note of grid.notes) add(parent, "p", note, "muted");
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function byDataset(pairs) {
  const groups = new Map();
  for (const pair of pairs) {
    if (!groups.has(pair.dataset)) groups.set(pair.dataset, []);
    groups.get(pair.dataset).push(pair);
  }
  return [...groups].map(([dataset, own]) => ({
    dataset,
    seconds: mean(own.map((pair) => pair.seconds)),
    reference: mean(own.map((pair) => pair.reference_seconds)),
    gap: mean(own.map((pair) => pair.gap)),
  }));
}

function boxes(parent, each, kept) {
  const charts = add(parent, "div", "", "charts");
  const box = (name, values, texts) => ({
    type: "box", name: plain(name), x: values, text: texts.map(plain), orientation: "h",
    boxpoints: "all", jitter: 0.4, pointpos: 0, boxmean: true, marker: { size: 4 },
  });
  const series = each.comparisons.map((one) => ({
    name: one.method,
    reference: one.reference,
    sets: byDataset(one.pairs.filter((pair) => kept(pair.dataset))),
    pairs: one.pairs.filter((pair) => kept(pair.dataset)),
  })).filter((one) => one.pairs.length);
  const names = (sets) => sets.map((set) => set.dataset);
  const references = new Map(series.map((one) => [one.reference, one.sets]));
  const times = series.map((one) => box(one.name, one.sets.map((s) => s.seconds), names(one.sets)));
  for (const [name, sets] of references) {
    times.push(box(name, sets.map((s) => s.reference), names(sets)));
  }
  chart(charts, times, "Run time per data set (s)", { xaxis: { type: "log" } });
  chart(charts, series.map((one) =>
    box(one.name, one.sets.map((s) => s.reference - s.seconds), names(one.sets))),
  "Absolute reduction (s)");
  chart(charts, series.map((one) =>
    box(one.name, one.sets.map((s) => s.seconds / s.reference), names(one.sets))),
  "Run time as a ratio to the reference");
  chart(charts, series.map((one) =>
    box(one.name, one.pairs.map((p) => p.gap), one.pairs.map((p) => `${p.dataset}, seed ${p.seed}`))),
  "Difference in error, per cell");
}

function pairsChart(parent, one) {
  const sets = byDataset(one.pairs);
  chart(parent, [{
    type: "scatter", mode: "markers", x: sets.map((s) => s.seconds / s.reference),
    y: sets.map((s) => s.gap), text: sets.map((s) => plain(
      `${s.dataset}: ${s.seconds.toFixed(1)} s, ${one.reference} ${s.reference.toFixed(1)} s`)),
    marker: { size: 9, color: sets.map((s) => (s.seconds <= s.reference ? FASTER : SLOWER)) },
  }], `${one.method} against ${one.reference}: ratio of run times, difference in error`, { tall: true });
}

function curvesChart(parent, curves, dataset) {
  chart(parent, curves.filter((curve) => curve.dataset === dataset).map((curve) => ({
    type: "scatter", mode: "lines+markers", name: plain(curve.learner),
    x: curve.points.map((point) => point[0]), y: curve.points.map((point) => point[1]),
    text: curve.points.map(() => plain(`${curve.learner}: excess ${curve.excess.toFixed(4)}`)),
    line: { width: 1, color: curve.excess > 0.01 ? SLOWER : METHOD }, marker: { size: 4 },
  })), `Learning curves: ${dataset}`, { tall: true, xaxis: { type: "log" } });
}

function chooser(parent, label, options, draw) {
  const line = add(parent, "p");
  const name = add(line, "label", `${label} `);
  const select = add(name, "select");
  for (const option of options) add(select, "option", option);
  const place = add(parent, "div");
  const show = () => {
    place.replaceChildren();
    draw(place, select.selectedIndex);
    drawAll();
  };
  select.addEventListener("change", show);
  show();
}

function experiment(parent, each) {
  add(parent, "h2", `${each.name}: ${each.title}`);
  const at = each.background;
  add(parent, "p", `${each.scale} settings; begun ${at.begun}; ${at.processor || ""}, ` +
    `${at.cores || "?"} cores, ${at.memory_gb || "?"} GB`, "muted");
  for (const grid of each.tables.slice(0, 2)) sortable(parent, grid);
  if (each.comparisons.some((one) => one.pairs.length)) {
    const sets = [`all data sets`, `the slow ones (${each.slow.length})`];
    chooser(parent, "Box plots of", sets, (place, i) =>
      boxes(place, each, (name) => i === 0 || each.slow.includes(name)));
    chooser(parent, "Data set by data set:", each.comparisons.map((one) => one.method),
      (place, i) => pairsChart(place, each.comparisons[i]));
  }
  if (each.curves.length) {
    const names = [...new Set(each.curves.map((curve) => curve.dataset))];
    chooser(parent, "Curves of", names, (place, i) => curvesChart(place, each.curves, names[i]));
  }
  for (const grid of each.tables.slice(2)) sortable(parent, grid);
  const details = add(parent, "details");
  add(details, "summary", "Settings, methods and versions");
  add(details, "pre", JSON.stringify(
    { settings: each.settings, methods: each.methods, machine: each.background }, null, 1));
}

for (const each of experiments) experiment(document.getElementById("experiments"), each);
