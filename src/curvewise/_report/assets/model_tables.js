/* What the pictures of the model share: a part of the section, tables, intervals as whiskers. */

let model = facts.model;
// Charts are drawn when plotly has been read; what they say in words stands there before.
const modelCharts = [];

/* Begin anew with what is known now: the pictures of a run that is watched come at its end. */
function takeModel() {
  model = facts.model;
  modelCharts.length = 0;
  ranked.charts.length = 0;
  for (const id of [...charts.keys()]) if (id.startsWith("model-")) charts.delete(id);
  byId("model-body").replaceChildren();
}

/* A part of the section: a heading, a sentence, and whatever shows it. */
function part(id, title, lead, ...children) {
  return make("div", { class: "part", id: `model-${id}` }, make("h3", null, title), lead ? make("p", { class: "lead" }, lead) : null, ...children);
}

/* A chart with its caption; drawn later. */
function chartFigure(id, label, caption, build, hover, kind = "") {
  modelCharts.push(() => chart(id, build, { hover }));
  return make(
    "figure",
    null,
    make("div", { class: `chart ${kind}`, id, role: "img", "aria-label": label }),
    caption ? make("figcaption", null, caption) : null,
  );
}

/* A table: columns are [title, kind, cell(row)]; the first names the row. */
function tableOf(title, columns, rows, kind = "") {
  const heads = columns.map(([name, css]) => make("th", { scope: "col", class: css || null }, name));
  const lines = rows.map((row) =>
    make("tr", null, columns.map(([, css, cell], i) => make(i ? "td" : "th", { scope: i ? null : "row", class: css || null }, cell(row)))),
  );
  return make(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
    make("table", { class: `figures-table ${kind}` }, make("caption", { class: "out-of-sight" }, title), make("thead", null, make("tr", null, heads)), make("tbody", null, lines)),
  );
}

/* A table that says the same as a chart, folded away. */
function sameAsTable(title, columns, rows) {
  return make("details", null, make("summary", null, title), tableOf(title, columns, rows));
}

function share(value) {
  return known(value) ? `${(100 * value).toFixed(1)}%` : "–";
}

/* A number of the data's own scale, in four digits. */
function plainNumber(value) {
  if (typeof value === "string") return quoted(value, 60);
  if (!known(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return minus(value.toExponential(2));
  return minus(value.toLocaleString("en", { maximumSignificantDigits: size >= 1000 ? 6 : 4 }));
}

/* A value and its interval on a scale from low to high, with a line at one place. */
function dotOnScale({ value, low, high }, [from, to], line, label) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const x = (at) => `${(2 + (96 * (Math.min(Math.max(at, from), to) - from)) / (to - from || 1)).toFixed(2)}%`;
  const draw = (tag, attributes) => {
    const piece = document.createElementNS(space, tag);
    for (const [name, given] of Object.entries(attributes)) piece.setAttribute(name, given);
    svg.append(piece);
  };
  if (known(line)) draw("line", { x1: x(line), x2: x(line), y1: 0, y2: "100%", stroke: "var(--accent)", "stroke-width": 1.5 });
  if (known(low) && known(high)) draw("line", { x1: x(low), x2: x(high), y1: "50%", y2: "50%", stroke: "var(--curve-strong)", "stroke-width": 1.5 });
  if (known(value)) draw("circle", { cx: x(value), cy: "50%", r: 4, fill: "var(--curve-strong)" });
  return svg;
}

/* The range that has all of these in it. */
function rangeOf(values) {
  const all = values.filter(known);
  return all.length ? [Math.min(...all), Math.max(...all)] : [0, 1];
}

/* A row of buttons of which one is pressed. */
function choice(label, names, chosen, choose) {
  const buttons = names.map((name, i) =>
    make("button", { type: "button", "aria-pressed": String(i === chosen), click: () => press(i) }, quoted(name, 24)),
  );
  function press(i) {
    buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === i)));
    choose(i);
  }
  return make("div", { class: "filters" }, make("div", { role: "group", "aria-label": label }, make("span", { class: "label" }, label), buttons));
}
