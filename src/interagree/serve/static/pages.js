/* The pages beside the two that are worked on: files, readings, annotators, decisions, export. */

import { address, download, get, post, upload } from "./net.js";

const { element, visible } = interagree;

export const page = (title, ...children) => element("div", { class: "first" }, element("header", { class: "title" }, element("h1", {}, title)), ...children);

export function table(caption, columns, rows) {
  return element("div", { class: "table" }, element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": caption },
    element("table", {}, element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, visible(name))))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => (cell instanceof Node ? element("td", {}, cell) : element("td", { dir: "auto" }, visible(cell ?? ""))))))))));
}

/** A button that says what became of what it did. */
export function acting(label, action, attributes = {}) {
  const said = element("span", { class: "said", role: "status" });
  const button = element("button", { type: "button", ...attributes, click: async () => {
    button.disabled = true;
    said.textContent = "";
    try {
      said.textContent = (await action()) || "";
    } catch (failure) {
      said.textContent = failure.message;
    }
    button.disabled = false;
  } }, label);
  return element("span", { class: "acting" }, button, said);
}

// --------------------------------------------------------------------------------------------------- files

export function start({ show }) {
  const said = element("p", { class: "said", role: "status" });
  const take = async (file) => {
    if (!file) return;
    said.textContent = "Taking " + visible(file.name) + " …";
    try {
      await upload(file);
      await show();
    } catch (failure) {
      said.textContent = failure.message;
    }
  };
  const input = element("input", { type: "file", id: "file", change: () => take(input.files[0]) });
  const drop = element("div", { class: "drop",
    dragover: (event) => { event.preventDefault(); drop.classList.add("over"); },
    dragleave: () => drop.classList.remove("over"),
    drop: (event) => { event.preventDefault(); drop.classList.remove("over"); take(event.dataTransfer.files[0]); } },
  element("p", {}, element("strong", {}, "Drop an export or a spreadsheet here")),
  element("p", { class: "quiet" }, "of Label Studio, Prodigy, doccano, INCEpTION, CVAT, … or a table; it stays on this machine"),
  element("label", { class: "button main", for: "file" }, "Choose a file"), input);
  return page("What did your annotators say?", drop, said,
    element("p", {}, "Nothing at hand? ", acting("Try sixty product reviews", async () => { await post("/sample.json", {}); await show(); })));
}

// ------------------------------------------------------------------------------------- annotators, decisions

export async function annotators() {
  const data = await get("/annotators.json");
  return page("Annotators", ...data.people.map((one) => element("section", {}, element("h2", { dir: "auto" }, visible(one.question)),
    ...one.lines.map((line) => element("p", { dir: "auto" }, visible(line))),
    one.why_not ? element("p", { class: "quiet" }, visible(one.why_not)) : null,
    one.rows.length ? table("Annotators: " + visible(one.question), one.columns, one.rows) : null)));
}

export async function decisions() {
  const data = await get("/decisions.json");
  if (!data.decisions.length) return page("Decisions", element("p", {}, "Nothing is decided yet."));
  const rows = data.decisions.map((one) => [
    new Date(one.time).toLocaleString(), one.who, one.item ? element("a", { href: address("/decide", { question: one.question, item: one.item }), dir: "auto" }, visible(one.id)) : "many",
    one.question, one.words, [one.reason, one.comment].filter(Boolean).join(": "), one.blind ? "names hidden" : ""]);
  return page("Decisions", element("section", {}, element("p", { class: "quiet" }, "Newest first. Nothing is overwritten: what was taken back stays in the log."),
    table("Decisions", ["when", "who", "item", "question", "decision", "reason", "blind"], rows)));
}

// --------------------------------------------------------------------------------------------------- export

const TABLES = [["jsonl", "JSON lines"], ["csv", "CSV"], ["json", "JSON"], ["excel_table", "Excel"]];
const LEFT_OUT = ["open", "changed", "skipped", "cannot be decided", "nothing right, left out", "several answers of one annotator, left out"];
const SAID = { open: "waiting for a decision", changed: "changed since they were decided" };

export async function exported() {
  const data = await get("/export.json");
  const file = (given, title) => acting(title, async () => "written: " + (await download("/file", given)));
  const sections = data.exports.map((one) => {
    if (one.why_not) return element("section", {}, element("h2", { dir: "auto" }, visible(one.question)), element("p", {}, one.why_not));
    const fetched = (to, title, attributes) => acting(title, async () => "written: " + (await download("/gold", { question: one.question, to })), attributes);
    const rows = Object.entries(one.origins).map(([origin, count]) => [SAID[origin] || origin, count.toLocaleString("en"), LEFT_OUT.includes(origin) ? "left out" : "in the gold"]);
    const unable = one.tools.filter((tool) => tool.why_not);
    const { back } = one;
    return element("section", {}, element("h2", { dir: "auto" }, visible(one.question)),
      table("Where answers come from: " + visible(one.question), ["answers", "items", "what becomes of them"], rows),
      back.said ? element("p", { class: "notice", dir: "auto" }, visible(back.said)) : null,
      element("h3", {}, "With where each answer comes from"), element("div", { class: "choices-row" }, ...TABLES.map(([to, title]) => fetched(to, title))),
      element("h3", {}, "For a tool to import"),
      element("div", { class: "choices-row" }, ...one.tools.filter((tool) => !tool.why_not).map((tool) => fetched(tool.name, tool.title + (tool.name === back.tool ? ", where it comes from" : ""), tool.name === back.tool ? { class: "main" } : {}))),
      unable.length ? element("details", {}, element("summary", {}, "Not for " + unable.map((tool) => tool.title).join(", ")), element("ul", {}, ...unable.map((tool) => element("li", { dir: "auto" }, tool.title + ": " + visible(tool.why_not))))) : null,
      element("h3", {}, "Beside the gold"),
      element("div", { class: "choices-row" }, ...[["csv", "Guideline log as CSV"], ["docx", "Guideline log for Word"]].map(([form, title]) => file({ what: "guideline", question: one.question, form }, title)),
        one.soft ? file({ what: "soft", question: one.question, form: "csv" }, "Soft labels: shares of what all said") : null));
  });
  return page("Take gold home", element("p", { class: "quiet measure" }, "The gold is not a further annotator: whoever decided saw the answers, and the items were chosen because annotators differ. Do not put it into a coefficient of agreement."),
    ...sections,
    data.together ? element("section", {}, element("h2", {}, "All questions together"), element("p", {}, "The tasks of Label Studio with the gold of every question; a task that lacks some of it is not marked as ground truth."),
      acting("Label Studio, where it comes from", async () => "written: " + (await download("/gold", { to: "label_studio" })), { class: "main" })) : null,
    element("section", {}, element("h2", {}, "To send on"), element("p", {}, "The report with what was decided, as one page that needs no server; and how all was measured and decided, as sentences for a paper."),
      element("div", { class: "choices-row" }, file({ what: "page", form: "html" }, "Report as a page"), ...[["docx", "Methods for Word"], ["md", "Methods as Markdown"]].map(([form, title]) => file({ what: "methods", form }, title)))),
    element("section", {}, element("h2", {}, "The log"), element("p", {}, "Every decision with who, when and why, also those taken back. A project can be made from it again: ", element("code", {}, "interagree serve FILE --project NEW.interagree --from-log decisions.jsonl")),
      acting("Log as JSON lines", async () => "written: " + (await download("/log.jsonl")))));
}
