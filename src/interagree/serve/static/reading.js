/* How the files were read, in which ways they can be read, and the part of each column to choose. */

import { address, get, post } from "./net.js";
import { acting, page, start, table } from "./pages.js";

const { element, visible } = interagree;
const HEADS = ["item", "annotator", "value"];

export async function reading({ show, state }) {
  const data = await get("/reading.json");
  const main = document.getElementById("main");
  if (data.doubt) return doubtful(data, show);
  if (state.state === "failed") {
    return page("This file was not read", element("section", {}, element("pre", { class: "sentence" }, visible(data.error))), await parts(show, true), start({ show }));
  }
  return page("How the files were read", element("section", {}, element("p", { dir: "auto" }, visible(data.policy)),
    element("p", { class: "quiet" }, "Decisions are kept in " + visible(data.project) + "."), acting("Change what each column is", async () => {
      const form = await parts(show, true);
      if (!form) return "These files say themselves what is what: they are not a table.";
      main.lastChild.append(form);
      form.querySelector("select").focus();
      return "";
    })));
}

async function doubtful({ doubt, name }, show) {
  const sections = doubt.readings.map((one, number) => element("section", { class: "reading" },
    element("h2", { dir: "auto" }, visible(one.sentence)),
    one.rows.length ? table("First rows, way " + (number + 1), one.header.length ? one.header : HEADS, one.rows) : element("p", { class: "quiet" }, "No rows can be shown of this reading."),
    acting("Read it this way", async () => { await post("/reading.json", { choice: number }); await show(); }, { class: "main" }),
    element("details", {}, element("summary", {}, "The same as a command and in Python"), element("pre", { tabindex: "0" }, visible(one.command)), element("pre", { tabindex: "0" }, visible(one.python)))));
  const said = doubt.message.charAt(0).toUpperCase() + doubt.message.slice(1);
  const form = await parts(show, !sections.length, "None of these? Say what each column is");
  return page("How is " + visible(name) + " meant?", element("p", { dir: "auto" }, visible(said) + " Nothing is computed until you say so."), ...sections,
    form || (doubt.closing ? element("details", {}, element("summary", {}, "None of these"), element("pre", { class: "sentence", tabindex: "0" }, doubt.closing)) : null));
}

/** The first rows of the table with the part of each column; null where the files are not a table. */
async function parts(show, open, title = "Say what each column is") {
  const { columns, parts: begun, choices } = await get("/columns.json");
  if (!columns.length) return null;
  const sent = () => Object.fromEntries(selects.flatMap((select, number) => (select.value ? [[number, select.value]] : [])));
  const preview = element("div", { "aria-live": "polite", class: "preview" });
  let turn = 0;

  async function tried() {
    const mine = ++turn;
    take.disabled = true;
    const data = await get(address("/columns.json", { parts: JSON.stringify(sent()) })).catch((failure) => ({ error: failure.message }));
    if (mine !== turn) return; // another part was chosen meanwhile
    take.disabled = Boolean(data.error);
    preview.replaceChildren(...(data.error ? [element("p", { class: "notice" }, visible(data.error.charAt(0).toUpperCase() + data.error.slice(1) + "."))] : [
      element("h3", {}, "Read this way: " + data.sizes), table("First rows as they would be read", data.header, data.rows),
      element("h3", {}, "The same as a command and in Python"), element("pre", { tabindex: "0" }, visible(data.command)), element("pre", { tabindex: "0" }, visible(data.python))]));
  }

  const selects = columns.map(({ name }, number) => element("select", { "aria-label": "What " + name + " is", change: tried },
    ...choices.map(([value, words]) => element("option", { value, selected: value === (begun[number] || "") }, words))));
  const heads = columns.map(({ name }, number) => {
    const head = element("th", { scope: "col",
      dragover: (event) => { event.preventDefault(); head.classList.add("over"); }, dragleave: () => head.classList.remove("over"),
      drop: (event) => {
        event.preventDefault();
        head.classList.remove("over");
        const part = event.dataTransfer.getData("text/plain");
        if (choices.some(([value]) => value === part)) { selects[number].value = part; tried(); }
      } }, element("bdi", {}, visible(name)), selects[number]);
    return head;
  });
  const chips = choices.filter(([value]) => value).map(([value, words]) => element("li", { draggable: "true", dragstart: (event) => event.dataTransfer.setData("text/plain", value) }, words));
  const rows = columns[0].cells.map((_, row) => element("tr", {}, ...columns.map(({ cells }) => element("td", { dir: "auto" }, visible(cells[row] ?? "")))));
  const button = acting("Read it this way", async () => { await post("/reading.json", { parts: sent() }); await show(); }, { class: "main" });
  const take = button.querySelector("button");
  const details = element("details", { class: "parts", open }, element("summary", {}, title),
    element("p", { class: "quiet" }, "Choose the part of each column, or drag one onto it. What plays no part is kept beside the answers: texts, times, comments."),
    element("ul", { class: "chips", "aria-hidden": "true" }, ...chips),
    element("div", { class: "table" }, element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "The first rows of the table" },
      element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)))),
    preview, button);
  const first = () => { if (details.open && !turn) tried(); };
  details.addEventListener("toggle", first);
  first();
  return element("section", {}, details);
}
