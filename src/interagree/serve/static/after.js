/* After deciding: who gave what otherwise, how confused labels were solved, why, and how often all are wrong. */

import { address, download, get, newOp, post } from "./net.js";
import { acting, page, table } from "./pages.js";

const { element, visible, counted } = interagree;
const share = (entry) => (typeof entry === "number" && !Number.isInteger(entry) ? entry.toFixed(2).replace("-", "−") : entry === null ? "–" : entry.toLocaleString("en"));
const told = (data) => data.rows.map((row) => row.map(share));
const fetched = (given, title) => acting(title, async () => "written: " + (await download("/file", given)));

export async function after({ given, show }) {
  const [question, annotator] = ["question", "annotator"].map((name) => given.get(name));
  if (annotator !== null) return ofAnnotator(await get("/after.json", { question, annotator }));
  const data = await get("/after.json");
  return page("After deciding", element("p", { class: "quiet measure" }, data.note), ...data.after.map((one) => ofQuestion(one, data, show)));
}

function ofQuestion(one, data, show) {
  const section = (...children) => element("section", {}, element("h2", { dir: "auto" }, visible(one.question)), ...children);
  if (one.why_not) return section(element("p", {}, one.why_not));
  return section(
    element("p", {}, counted(one.decided, "item") + " decided."),
    element("h3", {}, "Who gave what otherwise"), people(one),
    ...solved(one),
    element("h3", {}, "Why"),
    one.reasons.rows.length ? table("Reasons: " + visible(one.question), one.reasons.columns, told(one.reasons)) : element("p", { class: "quiet" }, "No decision has a reason yet."),
    one.guideline ? element("div", { class: "choices-row" }, ...[["csv", "Guideline log as CSV"], ["docx", "Guideline log for Word"]].map(([form, title]) => fetched({ what: "guideline", question: one.question, form }, title))) : null,
    element("h3", {}, "Where all agree"), ...audit(one, data, show));
}

/** A row for each annotator, with the ends of an interval in the cell of what they belong to. */
function people(one) {
  const { columns, rows } = one.people;
  const end = (row, place, which) => row[columns.indexOf(columns[place].replace(" of ", " " + which + " of "))];
  const own = columns.map((name, place) => place).filter((place) => !/ (low|high) of /.test(columns[place]));
  const told = (row, place) => {
    const low = / of /.test(columns[place]) ? end(row, place, "low") : undefined;
    return share(row[place]) + (typeof low === "number" ? " (" + share(low) + " to " + share(end(row, place, "high")) + ")" : "");
  };
  const named = (name) => element("a", { href: address("/after", { question: one.question, annotator: name }), dir: "auto" }, visible(name));
  return table("Annotators against the gold: " + visible(one.question), own.map((place) => columns[place]),
    rows.map((row) => own.map((place) => (place ? told(row, place) : named(row[0])))));
}

function solved(one) {
  if (!one.solved || !one.solved.rows.length) return [];
  return [element("h3", {}, "Labels that were confused, and how they were solved"), table("Confused labels: " + visible(one.question), one.solved.columns, told(one.solved))];
}

function audit(one, data, show) {
  const { audit: found } = one;
  const size = element("input", { type: "number", id: "size-" + one.question, min: 1, max: 10000, value: Math.max(30, found.size) });
  const draw = async () => {
    await post("/decide.json", { op: newOp(), base: data.last, question: one.question, item: "", kind: "audit", fingerprint: "", value: { size: Number(size.value) } });
    await show();
  };
  if (!found.agreed) return [element("p", { class: "quiet" }, found.sentence)];
  return [element("p", { class: "measure" }, "Items on which all agree are not in the queue, and all may be wrong together. Look at some, drawn at random: " + found.sentence),
    found.size ? element("p", {}, element("a", { class: "button main", href: address("/decide", { question: one.question, audit: 1 }) }, "Look at the sample"), " " + found.judged.toLocaleString("en") + " of " + found.size.toLocaleString("en") + " decided") : null,
    element("div", { class: "choices-row" }, element("label", { class: "field", for: size.id }, "Items in the sample"), size, acting(found.size ? "Change its size" : "Draw a sample", draw))];
}

function ofAnnotator(data) {
  const link = (row) => (row.item ? element("a", { href: address("/decide", { question: data.question, item: row.item }), dir: "auto" }, visible(row.id)) : visible(row.id));
  const rows = data.rows.map((row) => [link(row), row.text, row.given, row.gold, row.reason, row.comment]);
  return page(visible(data.annotator) + ": decided otherwise",
    element("p", { dir: "auto" }, counted(data.total, "answer") + " to " + visible(data.question) + " decided otherwise. " + data.note),
    element("section", {}, rows.length ? table("Decided otherwise", ["item", "text", "given", "decided", "reason", "comment"], rows) : element("p", {}, "None."),
      data.total > rows.length ? element("p", { class: "quiet" }, "The first " + rows.length.toLocaleString("en") + "; a file has them all.") : null,
      element("h3", {}, "To give to " + visible(data.annotator)), element("p", { class: "quiet" }, "Names of other annotators are not in it."),
      element("div", { class: "choices-row" }, ...[["html", "A page"], ["xlsx", "Excel"], ["csv", "CSV"]].map(([form, title]) => fetched({ what: "annotator", question: data.question, annotator: data.annotator, form }, title)))));
}
