/* The pages and the way between them. */

import { Failure, get, outbox } from "./net.js";
import { overview } from "./overview.js";
import { after } from "./after.js";
import { decide } from "./decide.js";
import { badge, door } from "./enter.js";
import { live } from "./live.js";
import { annotators, decisions, exported, start } from "./pages.js";
import { reading } from "./reading.js";

const { element, counted } = interagree;
const PAGES = [
  ["/", "Overview", overview], ["/decide", "Decide", decide], ["/decisions", "Decisions", decisions],
  ["/live", "Live", live], ["/annotators", "Annotators", annotators], ["/after", "After", after], ["/reading", "Reading", reading], ["/export", "Export", exported],
];
const main = document.getElementById("main");
let leave = null; // what the page that is shown has to end
let turn = 0;

export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  return show();
}

function error(sentence) {
  return element("section", { class: "message" }, element("h1", {}, "This did not work"), element("p", {}, interagree.visible(sentence)),
    element("p", {}, element("a", { href: "/" }, "To the overview")));
}

async function show() {
  const mine = ++turn;
  if (leave) leave();
  leave = null;
  main.setAttribute("aria-busy", "true"); // until the page that was asked for is there
  const [, title, page] = PAGES.find(([path]) => path === location.pathname) || PAGES[0];
  let made;
  try {
    const state = await get("/state.json");
    outbox.open(state.id);
    if (mine !== turn) return;
    navigation(state);
    if (state.state === "reading") {
      main.replaceChildren(element("section", { class: "message" }, element("h1", {}, "Reading " + interagree.visible(state.name || "the files")), element("p", { class: "waiting" }, "Reading and measuring …")));
      setTimeout(() => { if (mine === turn) show(); }, 400);
      return;
    }
    if (state.state === "empty") made = start({ go, show });
    else if (state.state === "doubtful" || state.state === "failed") made = await reading({ go, show, state });
    else made = await page({ go, show, state, given: new URLSearchParams(location.search), leaving: (end) => { leave = end; } });
    document.title = title + " · " + interagree.visible(state.name || "interagree");
  } catch (failure) {
    if (mine !== turn) return;
    if (failure instanceof Failure && failure.body.closed === "enter") made = door({ show });
    else made = error(failure instanceof Failure ? failure.message : "The server does not answer. Start it again with the command that you used before, then load this page again.");
    if (!(failure instanceof Failure) && !(failure instanceof TypeError)) throw failure;
  }
  if (mine !== turn) return;
  main.replaceChildren(made);
  main.className = made.dataset.wide ? "full" : "wide";
  main.removeAttribute("aria-busy");
}

function navigation(state) {
  document.getElementById("study").textContent = interagree.visible(state.name || "interagree");
  const ready = state.state === "ready";
  document.getElementById("person").replaceChildren(...(state.person ? [badge(state.person, show)] : []));
  document.getElementById("pages").replaceChildren(...(ready ? PAGES : []).filter(([path]) => path !== "/live" || state.live).map(([path, title]) =>
    element("li", {}, element("a", { href: path, "aria-current": path === location.pathname ? "page" : null }, title))));
}

outbox.changed = (count, trouble) => {
  const banner = document.getElementById("banner");
  if (!count || !trouble) banner.replaceChildren();
  else banner.replaceChildren(element("p", {}, element("strong", {}, "Not saved: "), counted(count, "decision") + " kept in this browser and sent again. " + trouble));
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || link.hasAttribute("download")) return;
  event.preventDefault();
  go(link.getAttribute("href")).then(() => main.focus({ preventScroll: true }));
  scrollTo(0, 0);
});
addEventListener("popstate", show);
for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
show();
