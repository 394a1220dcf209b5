/* The data's profile, settings and versions: whatever the store has, as tables. */

const N_ROWS = 60;
const N_CLASSES = 20;
const N_OPEN = 12;
const PLURALS = { category: "categories", text: "texts" };

function isPlain(value) {
  return value === null || typeof value !== "object";
}

function words(value) {
  if (value === null) return "none";
  if (typeof value === "number" && Number.isInteger(value)) return whole_number(value);
  return String(value);
}

function named(key) {
  const text = key.replace(/_/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function pairs(rows, title, raw = false) {
  const lines = rows.map(([key, value]) =>
    make("tr", null, make("th", { scope: "row" }, whole(raw ? key : named(key))), make("td", null, whole(words(value), 300))),
  );
  return wrapped(title, null, lines, "pairs");
}

function grid(items, title) {
  const keys = [...new Set(items.flatMap((each) => Object.keys(each)))];
  const heads = keys.map((key) => make("th", { scope: "col" }, quoted(named(key), 40)));
  const lines = items.map((each) =>
    make("tr", null, keys.map((key) => make("td", null, whole(isPlain(each[key] ?? "") ? words(each[key] ?? "") : JSON.stringify(each[key]))))),
  );
  return wrapped(title, heads, lines);
}

/* A table; a long one shows its first rows, and the rest on demand. */
function wrapped(title, heads, lines, kind = null) {
  const body = make("tbody", null, lines.slice(0, N_ROWS));
  const box = make(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
    make("table", { class: kind }, make("caption", { class: "out-of-sight" }, title), heads ? make("thead", null, make("tr", null, heads)) : null, body),
  );
  if (lines.length <= N_ROWS) return box;
  const button = make("button", { type: "button" }, `Show all ${whole_number(lines.length)}`);
  button.addEventListener("click", () => {
    body.replaceChildren(...lines);
    button.remove();
  });
  return make("div", null, box, make("p", null, button));
}

function showValue(title, value) {
  if (Array.isArray(value)) {
    if (value.length && value.every((each) => each && typeof each === "object" && !Array.isArray(each))) return grid(value, title);
    return make("ul", null, value.map((each) => make("li", null, whole(isPlain(each) ? words(each) : JSON.stringify(each), 300))));
  }
  return pairs(Object.entries(value).map(([key, item]) => [key, isPlain(item) ? item : JSON.stringify(item)]), title, true);
}

/* What is plain in one table; everything else below, under its own heading. */
function showMapping(body, title, value, raw = false) {
  if (isPlain(value) || Array.isArray(value)) {
    add(body, isPlain(value) ? make("p", null, whole(words(value), 300)) : showValue(title, value));
    return;
  }
  const simple = Object.entries(value).filter(([, item]) => isPlain(item));
  if (simple.length) add(body, pairs(simple, title, raw));
  const rest = Object.entries(value).filter(([, item]) => !isPlain(item) && Object.keys(item).length);
  const columns = make("div", { class: "columns spaced" });
  for (const [key, item] of rest) add(columns, make("div", null, make("h3", null, quoted(named(key), 60)), showValue(cut(named(key), 60), item)));
  if (rest.length) add(body, columns);
}

/* What `curvewise select` notes about its table, in words. */
function showProfile(body, data) {
  const { target, kinds = {}, features = [], notes = [] } = data;
  const columns = Object.entries(kinds).map(([kind, n]) => count(n, kind, PLURALS[kind])).join(", ");
  const rows = [["table", data.name], ["source", data.source], ["task", data.task], ["rows", data.rows]];
  rows.push(["columns", `${whole_number(data.columns)}${columns ? ` (${columns})` : ""}`]);
  if (known(data.missing)) rows.push(["missing values", percent(data.missing)]);
  if (known(data.memory)) rows.push(["memory", bytes(data.memory)]);
  rows.push(["target", target.name]);
  for (const key of ["min", "mean", "max"]) if (known(target[key])) rows.push([`${key} of the target`, String(Number(target[key].toPrecision(6)))]);
  const sides = make("div", { class: "columns spaced" });
  add(sides, make("div", null, pairs(rows.filter(([, value]) => value !== undefined), "Profile of the data")));
  if (target.classes) add(sides, make("div", null, classes(target, data.rows)));
  add(body, sides);
  if (features.length) add(body, listOfFeatures(features, data.columns));
  showLeftOut(body);
  if (notes.length) add(body, make("h3", null, "Notes"), showValue("Notes", notes));
}

/* Which columns are no features, and why. */
function showLeftOut(body) {
  if (facts.left_out === null || isPlain(facts.left_out) || !Object.keys(facts.left_out).length) return;
  add(body, make("h3", null, "Columns left out"), showValue("Columns left out", facts.left_out));
}

function classes(target, n_rows) {
  const shown = target.classes.slice(0, N_CLASSES);
  const lines = shown.map(({ label, count: n }) => ({ class: label, rows: n, share: `${((100 * n) / n_rows).toFixed(1)}%` }));
  const n_more = target.n_classes - shown.length;
  const more = n_more > 0 ? make("p", { class: "muted" }, `and ${whole_number(n_more)} more`) : null;
  return make("div", null, make("h3", null, count(target.n_classes, "class", "classes")), grid(lines, "Classes"), more);
}

/* A few are shown, many are folded away. */
function listOfFeatures(features, n_columns) {
  const lines = features.map((each) => ({ column: each.name, kind: each.kind, missing: percent(each.missing), "distinct values": each.distinct }));
  const all = features.length === n_columns ? "All" : `The first ${whole_number(features.length)} of`;
  const title = `${all} ${count(n_columns, "column")}`;
  return make("details", { open: lines.length <= N_OPEN }, make("summary", null, title), grid(lines, title));
}

function bytes(n) {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(n, 1)) / 3));
  return `${Number((n / 1000 ** power).toPrecision(3))} ${["bytes", "kB", "MB", "GB"][power]}`;
}

function showData() {
  const body = byId("data-body");
  if (facts.profiled) {
    showProfile(body, facts.data);
    return;
  }
  if (facts.data !== null) {
    showMapping(body, "Profile of the data", facts.data);
    showLeftOut(body);
    return;
  }
  const print = facts.settings.find(([key]) => key === "fingerprint of the data");
  const shape = print && /^(\d+)x(\d+)-/.exec(print[1]);
  const size = shape ? `${count(Number(shape[1]), "row")} and ${count(Number(shape[2]), "column")}` : "a size that is not known";
  add(body, make("p", null, `A table of ${size}, of which each fold trains on up to ${count(facts.target, "row")}. The store has no further profile of the data.`));
}

function showSettings() {
  const body = byId("settings-body");
  if (facts.command) add(body, make("pre", { tabindex: "0", role: "region", "aria-label": "Command" }, quoted(words(facts.command), Infinity)));
  const when = [["begun", facts.run.created], ["last recorded", facts.run.updated]];
  const columns = make("div", { class: "columns spaced" });
  add(columns, make("div", null, make("h3", null, "The run"), pairs([...facts.settings, ...when], "Settings of the run", true)));
  const extra = make("div", null);
  if (facts.versions) {
    add(extra, make("h3", null, "Versions"));
    showMapping(extra, "Versions", facts.versions, true);
  }
  for (const [key, value] of Object.entries(facts.notes)) {
    add(extra, make("h3", null, quoted(named(key), 60)));
    showMapping(extra, cut(named(key), 60), value);
  }
  if (extra.childElementCount) add(columns, extra);
  add(body, columns);
}
