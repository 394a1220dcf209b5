"use strict";

// What users and their data say gets into the page through textContent only, and into charts through
// plain(), because Plotly reads a few HTML tags in labels.
const experiments = JSON.parse(document.getElementById("facts").textContent);
const plain = (text) => String(text).replace(/[<>&]/g, (c) => ({ "<": "‹", ">": "›", "&": "+" })[c]);
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const INK = dark ? "#e7ecf1" : "#1d2733";
const LINE = dark ? "#33404d" : "#d7dde3";
const AXIS = "#8794a1";
const [METHOD, REFERENCE, FASTER, SLOWER] = [dark ? "#56b4e9" : "#0072b2", "#e69f00", "#009e73", "#d55e00"];
const COLORS = [METHOD, SLOWER, FASTER, "#cc79a7", REFERENCE, dark ? "#4c9fd0" : "#56b4e9", INK];
const MARKS = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x",
  "triangle-left", "triangle-right", "pentagon", "star"];
const narrow = innerWidth < 600;
const MOST_NAMES = narrow ? 4 : 20;

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

// Options: titles of the axes, where to draw a vertical line, and what else Plotly takes.
function chart(parent, traces, title, { height, x, y, at, legend = false, xaxis = {}, yaxis = {} }) {
  const figure = add(parent, "figure");
  add(figure, "figcaption", title);
  const place = add(figure, "div", "", "chart");
  // Not an image: its tools and its legend can be used.
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", title);
  const axis = (text) => ({
    gridcolor: LINE, zerolinecolor: AXIS, automargin: true, title: { text: text && plain(text) },
  });
  waiting.push(() => Plotly.newPlot(place, traces, {
    height,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: INK, size: 11 },
    margin: { t: 10, r: 15, b: 45, l: narrow ? 45 : 60 },
    showlegend: legend,
    legend: { orientation: "h", y: -70 / height, yanchor: "top" },
    hovermode: "closest",
    shapes: at === undefined ? [] : [{
      type: "line", x0: at, x1: at, yref: "paper", y0: 0, y1: 1, line: { color: AXIS, width: 1 },
    }],
    xaxis: { ...axis(x), ...xaxis },
    yaxis: { ...axis(y), ...yaxis },
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

const said = (number) => number.toLocaleString("en");
const numbers = (parent, headings, rows) =>
  sortable(parent, { title: "The numbers in the chart", headings, rows, notes: [] });
const sum = (values) => values.reduce((total, value) => total + value, 0);

// "26 of 45 cells" of some comparisons on some data sets; nothing if none is missing.
function cellsOf(comparisons, kept = () => true) {
  const n = sum(comparisons.map((one) => one.pairs.filter((pair) => kept(pair.dataset)).length));
  const missing = sum(comparisons.flatMap((one) =>
    Object.entries(one.missing).map(([name, n]) => (kept(name) ? n : 0))));
  return missing ? `${said(n)} of ${said(n + missing)} cells` : "";
}

// The same, and which methods have none.
function allCells(comparisons, kept = () => true) {
  const none = comparisons.filter((one) => !one.pairs.some((pair) => kept(pair.dataset)));
  const said = cellsOf(comparisons, kept);
  return none.length ? `${said}, none of ${none.map((one) => one.method).join(", ")}` : said;
}

// Seconds on a log scale, with whole numbers at its ticks.
function logSeconds(values) {
  const span = Math.max(...values) / Math.min(...values);
  const steps = span < 8 ? [1, 1.5, 2, 3, 4, 6, 8] : span < (narrow ? 100 : 1e4) ? [1, 2, 5] : [1];
  const ticks = [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6].flatMap((power) =>
    steps.map((step) => Number(`${step}e${power}`)));
  return { type: "log", tickvals: ticks, ticktext: ticks.map(said) };
}

const titled = (title, note) => (note ? `${title} (${note})` : title);

function boxes(parent, each, kept) {
  const charts = add(parent, "div", "", "charts");
  const row = (name, one) => [
    narrow ? plain(name).replace(" ", "<br>") : plain(name), cellsOf([one], kept).replace(" cells", ""),
  ].filter(Boolean).join("<br>");
  const box = (name, one, values, texts, color = METHOD) => ({
    type: "box", name: row(name, one), x: values, text: texts.map(plain), orientation: "h",
    boxpoints: "all", jitter: 0.4, pointpos: 0, boxmean: true, marker: { size: 4, color },
    line: { width: 1.5 },
  });
  const series = each.comparisons.map((one) => ({
    ...one,
    points: one.points.filter((point) => kept(point.dataset)),
    pairs: one.pairs.filter((pair) => kept(pair.dataset)),
  }));
  const byPoint = (name, one, value, color) =>
    box(name, one, one.points.map(value), one.points.map((p) => each.names[p.dataset]), color);
  const draw = (traces, title, more) => chart(charts, traces, titled(title, allCells(series, kept)), {
    height: Math.max(300, 80 + traces.length * (narrow ? 46 : 32)), ...more,
    yaxis: { autorange: "reversed" },
  });
  const most = new Map([...series].sort((a, b) => a.pairs.length - b.pairs.length)
    .map((one) => [one.reference, one]));
  const times = [
    ...series.map((one) => byPoint(one.method, one, (p) => p.own.seconds)),
    ...[...most].map(([name, one]) => byPoint(name, one, (p) => p.reference.seconds, REFERENCE)),
  ];
  draw(times, "Run time per data set",
    { x: "seconds", xaxis: logSeconds(times.flatMap((trace) => trace.x)) });
  draw(series.map((one) => byPoint(one.method, one, (p) => p.reference.seconds - p.own.seconds)),
    "Absolute reduction", { x: "seconds, more is better" });
  draw(series.map((one) => byPoint(one.method, one, (p) => p.ratio)),
    "Run time as a ratio to the reference", { x: "ratio, less is better", at: 1 });
  draw(series.map((one) => box(one.method, one, one.pairs.map((p) => p.gap),
    one.pairs.map((p) => `${each.names[p.dataset]}, seed ${p.seed}`))),
  "Difference in error, per cell", { x: "error less the reference's, less is better" });
  add(parent, "p", "Boxes: 25th to 75th percentile; line: median; dashed: mean; a point is a data " +
    "set, in the last chart a cell.", "muted");
}

const seeds = (point) => (point.n < point.n_all ? `${point.n} of ${point.n_all}` : `${point.n}`);

function scatter(parent, each, one) {
  const { linear, ticks } = each.errors;
  const bend = one.wide ? (error) => Math.asinh(error / linear) : (error) => error;
  const path = (points, ends, style) => ({
    type: "scatter", mode: "lines", hoverinfo: "skip", ...style,
    x: points.flatMap((p) => [...ends(p).map((end) => end[0]), null]),
    y: points.flatMap((p) => [...ends(p).map((end) => bend(end[1])), null]),
  });
  const between = (p) => [p.own, p.reference].map((spot) => [spot.seconds, spot.error]);
  const faster = (p) => p.own.seconds <= p.reference.seconds;
  const bars = (key, name, color) => path(one.points,
    (p) => [[p[key].seconds, p[key].low], [p[key].seconds, p[key].high]],
    { name: plain(`${name}: 10th to 90th percentile of seeds`), line: { color, width: 5 }, opacity: 0.4 });
  const dots = (key, name, color) => ({
    type: "scatter", name: plain(`${name}: mean`), marker: { color, size: 8 },
    mode: key === "own" ? "markers+text" : "markers",
    text: one.points.map((p, i) => `${i + 1} `), textposition: "middle left", textfont: { size: 10 },
    hovertext: one.points.map((p) => plain(`${each.names[p.dataset]}, ${name}: ` +
      `${p[key].seconds.toFixed(1)} s, error ${p[key].error.toFixed(4)}, seeds: ${seeds(p)}`)),
    hoverinfo: "text",
    x: one.points.map((p) => p[key].seconds), y: one.points.map((p) => bend(p[key].error)),
  });
  chart(parent, [
    path(one.points.filter(faster), between,
      { name: plain(`${one.method} is faster`), line: { color: FASTER, width: 1, dash: "dash" } }),
    path(one.points.filter((p) => !faster(p)), between,
      { name: plain(`${one.method} is slower`), line: { color: SLOWER, width: 1, dash: "dash" } }),
    bars("own", one.method, METHOD), bars("reference", one.reference, REFERENCE),
    dots("own", one.method, METHOD), dots("reference", one.reference, REFERENCE),
  ], titled(`${one.method} and ${one.reference}: run time and error`, cellsOf([one])), {
    height: narrow ? 620 : 600, legend: true,
    x: "run time of the search (s)", y: "error rate of the choice",
    xaxis: logSeconds(one.points.flatMap((p) => [p.own.seconds, p.reference.seconds])),
    yaxis: one.wide ? { tickvals: ticks.map(bend), ticktext: ticks.map(String) } : {},
  });
  const empty = Object.entries(one.missing).filter(([name]) =>
    !one.points.some((p) => p.dataset === name));
  numbers(parent, ["data set", "number", "error", `${one.reference}: error`, "seconds",
    `${one.reference}: seconds`, "ratio", "seeds"], [
    ...one.points.map((p, i) => [each.names[p.dataset], `${i + 1}`, p.own.error.toFixed(4),
      p.reference.error.toFixed(4), p.own.seconds.toFixed(1), p.reference.seconds.toFixed(1),
      p.ratio?.toFixed(2) || "", seeds(p)]),
    ...empty.map(([name, n]) => [each.names[name], "", "", "", "", "", "", `0 of ${n}`]),
  ]);
}

function differences(parent, each, one) {
  chart(parent, [{
    type: "scatter", mode: "markers", x: one.points.map((p) => p.ratio),
    y: one.points.map((p) => p.own.error - p.reference.error), hoverinfo: "text",
    text: one.points.map((p) => plain(`${each.names[p.dataset]}: ratio ${p.ratio?.toFixed(2)}, ` +
      `difference ${(p.own.error - p.reference.error).toFixed(4)}, seeds: ${seeds(p)}`)),
    marker: { size: 9, color: one.points.map((p) => (p.ratio <= 1 ? FASTER : SLOWER)) },
  }], titled(`${one.method} against ${one.reference}: ratio and difference`, cellsOf([one])), {
    height: 400, at: 1, x: `run time as a ratio to ${one.reference}`, y: `error less ${one.reference}'s`,
  });
}

function tradeOff(parent, each) {
  const found = each.comparisons.filter((one) => one.ratio !== null);
  const knobs = new Map();
  for (const one of found) knobs.set(one.knob, [...(knobs.get(one.knob) || []), one]);
  const few = found.length <= MOST_NAMES;
  const most = Math.max(...found.map((one) => one.ratio));
  chart(parent, [...knobs].map(([knob, own], i) => ({
    type: "scatter", mode: "lines+markers+text", name: plain(knob), hoverinfo: "text",
    x: own.map((one) => one.ratio), y: own.map((one) => one.gap),
    text: own.map((one) => (few ? plain(` ${one.method} `) : ` ${found.indexOf(one) + 1} `)),
    textposition: own.map((one) => (one.ratio > most / 2 ? "top left" : "top right")),
    hovertext: own.map((one) => plain(one.method)), textfont: { size: 10 },
    line: { width: 0.8, color: COLORS[i % COLORS.length] },
    marker: { size: 9, symbol: MARKS[i % MARKS.length] },
  })), titled("All methods: mean ratio of run times, mean difference in error",
    allCells(each.comparisons)), {
    height: 500, legend: !few && !narrow, xaxis: { rangemode: "tozero" }, at: 1,
    x: "run time as a ratio to the reference", y: "error less the reference's",
  });
  if (few) return;
  numbers(parent, ["method", "number", "ratio", "difference", "cells"], each.comparisons.map((one) => [
    one.method, found.includes(one) ? `${found.indexOf(one) + 1}` : "", one.ratio?.toFixed(3) || "",
    one.gap?.toFixed(4) || "", cellsOf([one]).replace(" cells", "") || said(one.pairs.length)]));
}

function curvesChart(parent, each, dataset) {
  chart(parent, each.curves.filter((curve) => curve.dataset === dataset).map((curve) => ({
    type: "scatter", mode: "lines+markers", name: plain(curve.learner),
    x: curve.points.map((point) => point[0]), y: curve.points.map((point) => point[1]),
    text: curve.points.map(() => plain(`${curve.learner}: excess ${curve.excess.toFixed(4)}`)),
    line: { width: 1, color: curve.excess > 0.01 ? SLOWER : METHOD }, marker: { size: 4 },
  })), titled(`Learning curves: ${dataset}; red: not convex by more than .01`, each.curves_missing), {
    height: 520, x: "training rows", y: "error rate", xaxis: { type: "log" },
  });
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
  const list = add(parent, "dl");
  for (const [term, text] of each.glance) {
    add(list, "dt", term);
    add(list, "dd", text);
  }
  const n = each.comparisons.length ? each.tables.length - 2 : 2;
  for (const grid of each.tables.slice(0, n)) sortable(parent, grid);
  const found = each.comparisons.filter((one) => one.pairs.length);
  if (found.length) {
    const sets = ["all data sets", `the slow ones (${each.slow.length})`];
    chooser(parent, "Box plots of", sets, (place, i) =>
      boxes(place, each, (name) => i === 0 || each.slow.includes(name)));
    chooser(parent, "Data set by data set:", found.map((one) => one.method), (place, i) => {
      scatter(place, each, found[i]);
      differences(place, each, found[i]);
    });
    tradeOff(parent, each);
    drawAll();
  }
  if (each.curves.length) {
    const names = [...new Set(each.curves.map((curve) => curve.dataset))];
    chooser(parent, "Curves of", names, (place, i) => curvesChart(place, each, names[i]));
  }
  for (const grid of each.tables.slice(n)) sortable(parent, grid);
  const details = add(parent, "details");
  add(details, "summary", "All settings and methods");
  add(details, "pre", JSON.stringify({ settings: each.settings, methods: each.methods }, null, 1));
}

for (const each of experiments) experiment(document.getElementById("experiments"), each);
