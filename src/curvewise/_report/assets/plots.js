/* What both charts share: colours from the styles, the frame, the tooltip, and print. */

const COARSE = matchMedia("(pointer: coarse)").matches;
const CONFIG = { displayModeBar: false, responsive: true, doubleClick: "reset", scrollZoom: false };
const PRINT_WIDTH = 660;
const charts = new Map();

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/* The layout of a chart; no text of the user's may be in it, because plotly reads tags in labels. */
function frame({ text: below, ...xaxis }, { text: beside, ...yaxis }) {
  const axis = {
    gridcolor: colour("line"), linecolor: colour("faint"), tickcolor: colour("faint"),
    zeroline: false, automargin: true, ticks: "outside", ticklen: 4,
  };
  return {
    autosize: true,
    margin: { l: 56, r: 14, t: 12, b: 46 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: colour("body"), size: 13, color: colour("muted") },
    hovermode: "closest",
    hoverdistance: 36,
    dragmode: COARSE ? false : "zoom",
    showlegend: false,
    xaxis: { ...axis, ...xaxis, title: titled(below), showgrid: false, showline: true },
    yaxis: { ...axis, ...yaxis, title: titled(beside), showline: false, ticks: "" },
  };
}

/* The title of an axis: plotly would read tags and entities in it. */
function titled(text) {
  const safe = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return { text: safe, font: { size: 13 }, standoff: 8 };
}

/* Draw a chart now, and again whenever the colours or the paper change. */
function chart(id, build, { hover, click }) {
  const element = byId(id);
  element.hidden = false;
  if (charts.has(id)) {
    charts.get(id)();
    return charts.get(id);
  }
  const draw = () => {
    const { traces, layout } = build();
    const printing = "print" in document.documentElement.dataset;
    if (printing) Object.assign(layout, { autosize: false, width: PRINT_WIDTH });
    Plotly.react(element, traces, layout, CONFIG);
  };
  draw();
  element.on("plotly_hover", ({ points, event }) => showTooltip(hover(points[0]), event));
  element.on("plotly_unhover", hideTooltip);
  if (click) element.on("plotly_click", ({ points }) => click(points[0]));
  charts.set(id, draw);
  return draw;
}

function redrawAll() {
  for (const draw of charts.values()) draw();
}

function followColours() {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.print = "";
    redrawAll();
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.print;
    redrawAll();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTooltip();
  });
}

function showTooltip(lines, event) {
  if (!lines || !event) return;
  const box = byId("tooltip");
  box.replaceChildren(...lines.map((line, i) => make(i ? "p" : "strong", i > 1 ? { class: "muted" } : null, line)));
  box.hidden = false;
  const { clientX, clientY } = event.touches && event.touches.length ? event.touches[0] : event;
  const room = document.documentElement.clientWidth - box.offsetWidth - 8;
  const below = clientY + box.offsetHeight + 24 < innerHeight;
  box.style.left = `${Math.max(8, Math.min(clientX + 14, room)) + scrollX}px`;
  box.style.top = `${(below ? clientY + 16 : Math.max(8, clientY - box.offsetHeight - 12)) + scrollY}px`;
}

function hideTooltip() {
  byId("tooltip").hidden = true;
}
