/* A run that is being watched: asks for new facts and shows them where the old ones were. What the
   reader has opened, pressed, typed, zoomed and scrolled to stays as it is. */

const EVERY = 2000;
const PATIENCE = 5;
const REBUILT = ["title", "answer-body", "advice-body", "curves-filters", "time-body", "data-body", "settings-body"];
// By its name the server knows whether this page has seen how the run ended.
const NAME = Math.random().toString(36).slice(2);
let tag = null;
let failures = 0;
let shown = null;

const live = make("p", { id: "live", class: "live" });
byId("subtitle").after(live);
document.querySelector("footer p").textContent =
  "This page is served by curvewise on this machine while the run is being written. It asks nobody else, and changes nothing.";

function showLive() {
  const { running, seconds, left, under_way } = facts.live;
  if (!running) {
    live.textContent = "The run has ended, and this is all of it.";
    return;
  }
  const parts = [`Running for ${duration(seconds)}`];
  if (known(left)) parts.push(`about ${duration(Math.round(left))} left`);
  const fallen = candidates.filter((each) => ["pruned", "stopped", "failed"].includes(each.status)).length;
  parts.push(`${count(fallen, "candidate")} out`, `${whole_number(under_way)} in the race`);
  live.textContent = parts.join(" · ");
}

/* Which details are open, by their titles, and what has the focus, by its place among its kind. */
function reading() {
  const open = new Set([...document.querySelectorAll("details[open] > summary")].map((each) => each.textContent));
  const closed = new Set([...document.querySelectorAll("details:not([open]) > summary")].map((each) => each.textContent));
  const active = document.activeElement;
  const section = active && active.closest("section");
  const all = section ? [...section.querySelectorAll("button, input, summary, a, [tabindex]")] : [];
  return { open, closed, section, index: all.indexOf(active), top: topmost() };
}

/* The part of the page that is being read: the last section that begins above the middle. */
function topmost() {
  const all = [...document.querySelectorAll("section:not([hidden])")];
  const shown = all.filter((each) => each.getBoundingClientRect().top < innerHeight / 2).pop();
  return shown ? [shown, shown.getBoundingClientRect().top] : null;
}

function restore({ open, closed, section, index, top }) {
  for (const summary of document.querySelectorAll("summary")) {
    if (open.has(summary.textContent)) summary.parentElement.open = true;
    else if (closed.has(summary.textContent)) summary.parentElement.open = false;
  }
  if (section && index >= 0 && !section.contains(document.activeElement)) {
    const same = section.querySelectorAll("button, input, summary, a, [tabindex]")[index];
    if (same) same.focus({ preventScroll: true });
  }
  if (top) scrollBy({ top: top[0].getBoundingClientRect().top - top[1], behavior: "instant" });
}

function renew(found) {
  const place = reading();
  take(found);
  takeAnswer();
  takeTable();
  for (const id of REBUILT) byId(id).replaceChildren();
  showText();
  if (JSON.stringify(facts.model) !== JSON.stringify(model)) {
    takeModel();
    showModel();
  }
  if (byId("rows")) find();
  else {
    byId("candidates-body").replaceChildren();
    showTable();
  }
  showCharts();
  showLive();
  restore(place);
  document.documentElement.dataset.seen = String(Number(document.documentElement.dataset.seen || 0) + 1);
}

/* Most of the time only the clock has moved. */
function show(found) {
  const { live: _, ...rest } = found;
  const text = JSON.stringify(rest);
  if (text === shown) {
    facts.live = found.live;
    showLive();
    return;
  }
  shown = text;
  renew(found);
}

/* Ask once: new facts, or null if there are none. */
async function answer_to_ask() {
  const answered = await fetch(`facts?${NAME}`, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
  if (answered.status === 304) return null;
  if (answered.status !== 200) throw new Error("gone");
  const found = await answered.json();
  tag = answered.headers.get("ETag");
  return found;
}

async function ask() {
  let found;
  try {
    found = await answer_to_ask();
    failures = 0;
  } catch {
    failures += 1;
    if (failures >= PATIENCE) {
      live.textContent = "The server has ended: this is the last that was seen of the run.";
      return;
    }
  }
  const { running } = found ? found.live : facts.live;
  if (running) setTimeout(ask, EVERY);
  // Afterwards: what cannot be shown is a fault of the page, and no reason to stop asking.
  if (found) show(found);
}

showLive();
addEventListener("DOMContentLoaded", () => setTimeout(ask, 0));
