/* Text and numbers. Whatever comes from outside becomes a text node: nothing is read as HTML. */

let facts, candidates, byPlace;

/* Texts that many have stand in one list (_report/packed_facts.py). */
function unpack(candidate) {
  const text = (value) => (typeof value === "number" ? facts.texts[value] : value);
  candidate.steps = candidate.steps.map(text);
  for (const field of ["algorithm", "recipe", "why"]) candidate[field] = text(candidate[field]);
  if (candidate.why === undefined) candidate.why = candidate.steps[candidate.steps.length - 1];
  if (typeof candidate.brief === "number") candidate.brief = candidate.why.slice(0, candidate.brief);
  candidate.folds = candidate.folds || [];
}

/* What the page is about; while a run is being watched, new facts take the place of old ones. */
function take(found) {
  facts = found;
  candidates = facts.candidates;
  candidates.forEach(unpack);
  byPlace = new Map(candidates.map((each) => [each.place, each]));
}

take(JSON.parse(document.getElementById("facts").textContent));
const STATUSES = ["completed", "stopped", "running", "pruned", "failed"];
const LONG = 120;

function byId(id) {
  return document.getElementById(id);
}

/* make("p", {class: "muted"}, "text", element, ...) */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, ...children);
  return element;
}

function add(element, ...children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

function cut(text, length = LONG) {
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length > length ? characters.slice(0, length).join("") + "…" : text;
}

/* Text of the user's: isolated, so that right-to-left marks cannot reorder what stands around. */
function quoted(text, length = LONG) {
  const shown = cut(String(text), length);
  return make("bdi", /\S{25}/.test(shown) ? { class: "long" } : null, shown);
}

/* The same with a button for the rest, if there is more. */
function whole(text, length = LONG) {
  text = String(text);
  const shown = quoted(text, length);
  if (shown.textContent === text) return shown;
  const n = text.length.toLocaleString("en");
  const button = make("button", { type: "button", class: "plain small on-screen" });
  const show = (open) => {
    shown.textContent = open ? text : cut(text, length);
    shown.classList.toggle("long", /\S{25}/.test(shown.textContent));
    button.textContent = open ? "show less" : `show all ${n} characters`;
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => show(button.getAttribute("aria-expanded") !== "true"));
  show(false);
  return make("span", null, shown, " ", button);
}

function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

function score(value) {
  if (!known(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return minus(value.toExponential(3));
  if (size < 10) return minus(value.toFixed(4));
  return minus(value.toLocaleString("en", { maximumSignificantDigits: 6 }));
}

function signed(value) {
  if (!known(value)) return "–";
  return (value > 0 ? "+" : "") + (value === 0 ? "0" : minus(Number(value.toPrecision(2)).toString()));
}

function minus(text) {
  return text.replace(/-/g, "−");
}

function count(value, noun, plural) {
  return `${whole_number(value)} ${value === 1 ? noun : plural || noun + "s"}`;
}

function whole_number(value) {
  return value.toLocaleString("en");
}

function percent(share) {
  if (!known(share)) return "–";
  if (share > 0 && share < 0.0001) return "< 0.01%";
  return `${Number((100 * share).toPrecision(2))}%`;
}

function duration(seconds) {
  if (!known(seconds)) return "–";
  if (seconds < 0.001) return seconds === 0 ? "0 s" : "< 1 ms";
  if (seconds < 1) return `${Number((1000 * seconds).toPrecision(2))} ms`;
  if (seconds < 100) return `${Number(seconds.toPrecision(3))} s`;
  const whole = Math.round(seconds);
  if (seconds < 7200) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${whole_number(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/* A duration of which the seconds do not matter. */
function about(seconds) {
  if (seconds < 100) return duration(Number(seconds.toPrecision(2)));
  if (seconds < 7200) return `${Number((seconds / 60).toPrecision(2))} min`;
  return `${whole_number(Number((seconds / 3600).toPrecision(2)))} h`;
}

function range(low, high) {
  return known(low) && known(high) ? `${score(low)} to ${score(high)}` : null;
}
