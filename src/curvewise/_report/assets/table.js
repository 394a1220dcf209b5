/* The table of candidates: searched, sorted, shown page by page; each row opens to its decisions. */

const PAGE = 50;
/* A column: its title, what it shows of a candidate (the facts of _report/candidate_facts.py), and
   what it is sorted by (none: it cannot be sorted). The first one is drawn with the row itself.
   Minor ones are left out on narrow screens. */
const COLUMNS = [
  { title: "Candidate", key: (each) => each.name.toLowerCase() },
  { title: "Algorithm", show: (each) => quoted(each.algorithm, 28), key: (each) => each.algorithm.toLowerCase(), kind: "minor" },
  { title: "Status", show: (each) => each.status, key: (each) => STATUSES.indexOf(each.status) },
  { title: "Score", show: scoreText, key: (each) => -rank.get(each), kind: "number", down: true, first: true, muted: (each) => !known(each.score) },
  { title: "From", show: (each) => basis(each) || "–", kind: "minor", muted: () => true },
  { title: "Time", show: (each) => duration(each.seconds), key: (each) => each.seconds || 0, kind: "number minor", down: true },
];
const table = { page: 0, words: [], column: COLUMNS.find((each) => each.first), down: true, open: new Set(), found: [] };
const haystacks = new Map();
let rank;

function takeTable() {
  rank = new Map(candidates.map((each, i) => [each, i]));
  haystacks.clear();
}

takeTable();

function haystack(each) {
  if (!haystacks.has(each)) {
    const { name, key, algorithm, status, why, recipe } = each;
    haystacks.set(each, [name, key, algorithm, status, why, recipe].filter(Boolean).join("\n").toLowerCase());
  }
  return haystacks.get(each);
}

function showTable() {
  const body = byId("candidates-body");
  if (!candidates.length) {
    add(body, make("p", { class: "muted" }, "There are no candidates yet."));
    return;
  }
  const search = make("input", { type: "search", id: "search", autocomplete: "off", spellcheck: "false" });
  search.addEventListener("input", () => {
    table.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    table.page = 0;
    find();
  });
  const heads = COLUMNS.map((column) => (column.head = make("th", { scope: "col", class: column.kind }, sorter(column))));
  add(
    body,
    make(
      "div",
      { class: "bar-tools" },
      make("label", null, "Search by name, algorithm, status, reason", search),
      make("p", { class: "muted small", role: "status", id: "found" }),
    ),
    make(
      "table",
      { class: "candidates" },
      make("caption", { class: "out-of-sight" }, "Candidates; each row opens to its decisions"),
      make("thead", null, make("tr", null, heads)),
      make("tbody", { id: "rows" }),
    ),
    make(
      "div",
      { class: "pager" },
      make("button", { type: "button", id: "before", click: () => turn(-1) }, "Previous"),
      make("span", { class: "muted small", id: "page" }),
      make("button", { type: "button", id: "after", click: () => turn(1) }, "Next"),
    ),
  );
  find();
}

function sorter(column) {
  if (!column.key) return column.title;
  const sort = () => {
    table.down = table.column === column ? !table.down : Boolean(column.down);
    table.column = column;
    table.page = 0;
    find();
  };
  return make("button", { type: "button", class: "sort", click: sort }, column.title);
}

function find() {
  const { words, column, down } = table;
  table.found = candidates.filter((each) => words.every((word) => haystack(each).includes(word)));
  const keys = new Map(table.found.map((each) => [each, column.key(each)]));
  const sign = down ? -1 : 1;
  table.found.sort((a, b) => {
    const [left, right] = [keys.get(a), keys.get(b)];
    return left < right ? -sign : left > right ? sign : rank.get(a) - rank.get(b);
  });
  for (const each of COLUMNS) {
    if (each === column) each.head.setAttribute("aria-sort", down ? "descending" : "ascending");
    else each.head.removeAttribute("aria-sort");
  }
  fill();
}

function turn(step) {
  table.page += step;
  fill();
  byId("candidates").scrollIntoView();
}

function fill() {
  const n = table.found.length;
  const n_pages = Math.max(1, Math.ceil(n / PAGE));
  const first = table.page * PAGE;
  const shown = table.found.slice(first, first + PAGE);
  byId("rows").replaceChildren(...shown.flatMap(row));
  byId("found").textContent = n
    ? `${whole_number(first + 1)} to ${whole_number(first + shown.length)} of ${count(n, "candidate")}`
    : "No candidate has these words.";
  byId("page").textContent = `Page ${whole_number(table.page + 1)} of ${whole_number(n_pages)}`;
  byId("before").disabled = table.page === 0;
  byId("after").disabled = table.page >= n_pages - 1;
  byId("before").parentElement.hidden = n_pages === 1;
}

function row(candidate) {
  const opened = table.open.has(candidate.place);
  const toggle = make(
    "button",
    { type: "button", class: "plain toggle", "aria-expanded": String(opened) },
    quoted(candidate.name),
  );
  const line = make(
    "tr",
    { class: candidate === winner ? "best" : null },
    make("th", { scope: "row" }, toggle, ending(candidate)),
    COLUMNS.slice(1).map((column) => cell(column, candidate)),
  );
  toggle.addEventListener("click", () => {
    const open = !table.open.has(candidate.place);
    if (open) line.after(opening(candidate));
    else line.nextElementSibling.remove();
    table.open[open ? "add" : "delete"](candidate.place);
    toggle.setAttribute("aria-expanded", String(open));
  });
  return opened ? [line, opening(candidate)] : [line];
}

function cell({ show, kind, muted }, candidate) {
  const names = [kind, muted && muted(candidate) ? "muted" : null].filter(Boolean).join(" ");
  return make("td", { class: names || null }, show(candidate));
}

/* How it ended, in a few words; the evidence is in the details. */
function ending({ status, brief, why }) {
  if (status === "completed") return null;
  return make("div", { class: "muted small why" }, quoted(brief || why, 100));
}

function opening(candidate) {
  const highlight = make("button", { type: "button", class: "on-screen" }, "Show its curve");
  highlight.addEventListener("click", () => {
    choose(candidate.place);
    byId("curves").scrollIntoView();
  });
  const cell = make("td", { colspan: COLUMNS.length }, details(candidate));
  if (points(candidate).length) add(cell, highlight);
  return make("tr", { class: "details" }, cell);
}
