/* How each question stands, how much of it is decided, and the item that is worth most a look. */

import { address, get, listen, picture } from "./net.js";

const { element, counted, drawing } = interagree;
const two = (value) => (value === null ? "–" : (Math.round(value * 100) / 100).toFixed(2).replace("-", "−"));

/** The interval on the line from -1 or 0 to 1, with Krippendorff's limits where they are meant. */
export function interval({ value, low, high, thresholds }) {
  const from = Math.min(0, low ?? 0, value ?? 0) < 0 ? -1 : 0;
  const x = (number) => ((number - from) / (1 - from)) * 300;
  const { svg } = drawing;
  const picture = svg("svg", { class: "interval", viewBox: "-8 0 316 40", "aria-hidden": "true" });
  picture.append(svg("line", { class: "strip-axis", x1: 0, x2: 300, y1: 14, y2: 14 }));
  for (const at of [from, 0, ...thresholds, 1].filter((at, place, all) => all.indexOf(at) === place)) {
    picture.append(svg("line", { class: "strip-mark", x1: x(at), x2: x(at), y1: 4, y2: 24 }));
    const label = svg("text", { x: x(at), y: 38, "text-anchor": at === 0.8 ? "start" : at === thresholds[0] ? "end" : "middle" });
    label.textContent = String(Math.round(at * 1000) / 1000);
    picture.append(label);
  }
  if (low !== null) picture.append(svg("line", { class: "strip-interval", x1: x(low), x2: x(high), y1: 14, y2: 14 }));
  if (value !== null) picture.append(svg("circle", { class: "strip-value", cx: x(value), cy: 14, r: 6 }));
  return picture;
}

/** A question; where there are many, what its number means is folded. */
function card(one, many) {
  const settled = one.disagreements - one.open;
  const progress = element("progress", { max: Math.max(one.disagreements, 1), value: settled, "aria-label": "Decided" });
  const told = one.low === null ? "" : "(" + two(one.low) + " to " + two(one.high) + ")";
  const said = [element("p", { class: "quiet verdict-line", dir: "auto" }, interagree.visible(one.verdict)), one.first_step ? step(interagree.visible(one.first_step)) : null];
  return element("section", { class: "question" },
    element("header", {}, element("h2", { dir: "auto" }, interagree.visible(one.question)), element("span", { class: "badge" }, one.standing)),
    element("p", { class: "number" }, element("span", { class: "value" }, two(one.value)), element("span", { class: "quiet" }, [one.title, told].filter(Boolean).join(" "))),
    one.value === null ? null : interval(one),
    ...(many ? [element("details", { class: "meaning" }, element("summary", {}, one.meaning + "."), ...said.filter(Boolean))] : [element("p", { class: "meaning" }, one.meaning + "."), ...said]),
    one.why_not ? element("p", { class: "quiet" }, one.why_not) : element("div", { class: "todo" },
      element("a", { class: "button main", href: address("/decide", { question: one.question }) }, one.open ? "Decide " + counted(one.open, "disagreement") : "Look at the decisions"),
      element("span", { class: "quiet" }, settled.toLocaleString("en") + " of " + one.disagreements.toLocaleString("en") + " settled"), progress));
}

/** What to do first: what was found, and behind it by what. */
function step(sentence) {
  const [head, ...rest] = sentence.split(": ");
  if (!rest.length) return element("p", { class: "step", dir: "auto" }, element("strong", {}, "First: "), sentence);
  return element("details", { class: "step", dir: "auto" }, element("summary", {}, element("strong", {}, "First: "), head), element("p", {}, rest.join(": ")));
}

export async function overview(context) {
  if (context.state.live) context.leaving(listen((event) => { if (event === "study") context.show(); }));
  const data = await get("/overview.json");
  const first = data.cards.filter((one) => one.open).sort((a, b) => (a.value ?? 1) - (b.value ?? 1))[0];
  const item = first ? await get("/decide.json", { question: first.question }) : null;
  const many = data.cards.length > 2;
  const holder = element("div", { class: ["first", first ? "beside" : "", many ? "many-cards" : ""].join(" ").trim() },
    element("header", { class: "title" }, element("h1", { dir: "auto" }, interagree.visible(data.name)), element("p", { class: "quiet" }, data.sizes)),
    element("div", { class: "questions", ...(many ? { role: "region", tabindex: "0", "aria-label": "Questions" } : {}) }, ...data.cards.map((one) => card(one, many))));
  holder.style.setProperty("--cards", many ? 1 : data.cards.length);
  if (item && item.item !== null) {
    item.drawn.image = await picture(item);
    const view = element("div", { class: "view", role: "region", tabindex: "0", "aria-label": "The item worth most a look" });
    interagree.views[item.about.view](view, item.drawn, { ...item.about, items: [item.drawn] });
    holder.append(element("section", { class: "worst" }, element("h2", {}, "Worth most a look"),
      element("p", { class: "quiet", dir: "auto" }, interagree.visible(item.question + " · " + item.id + " · " + item.type)), view,
      element("p", {}, element("a", { href: address("/decide", { question: item.question, item: item.item }) }, "Decide this one"))));
  }
  return holder;
}
