/* A source that is watched: the interval that holds at all times, batches, days and annotators against their limits. */

import { get, latest, listen } from "./net.js";
import { interval } from "./overview.js";
import { page, table } from "./pages.js";

const { element, visible, drawing } = interagree;
const share = (entry) => (typeof entry === "number" ? (Number.isInteger(entry) ? entry.toLocaleString("en") : entry.toFixed(3).replace("-", "−")) : entry === null ? "–" : String(entry));
const WIDE = 640;
const HIGH = 140;

export async function live({ leaving }) {
  const holder = element("div", {});
  const draw = async () => { holder.replaceChildren(shown(await get("/live.json"))); };
  await draw();
  const heard = latest(draw);
  leaving(listen((event) => { if (event === "study") heard(); }));
  return holder;
}

function shown(data) {
  const source = visible(data.name || data.source);
  const trouble = data.error ? [element("p", { class: "notice", dir: "auto" }, visible(data.error))] : [];
  if (!data.standing) return page("Watching " + source, ...trouble, element("p", { class: "waiting" }, "No labels came yet."));
  const { standing } = data;
  const first = standing.first_two;
  const charts = Object.entries(standing.charts).filter(([, rows]) => rows.length > 1);
  const tabled = (caption, rows) => table(caption, Object.keys(rows[0]), rows.map((row) => Object.values(row).map(share)));
  return page("Watching " + source, ...trouble,
    element("section", {}, element("h2", {}, "First two labels of an item agree"),
      element("p", { class: "measure" }, data.first_two + ". This interval holds however often you look."),
      first.items ? interval({ value: first.value, low: first.low, high: first.high, thresholds: standing.at_least === null ? [] : [standing.at_least] }) : null),
    element("section", {}, element("h2", {}, "Alerts"), data.alerts.length ? element("ul", {}, ...data.alerts.map((one) => element("li", { dir: "auto" }, visible(one)))) : element("p", { class: "quiet" }, "none")),
    ...charts.map(([by, rows]) => element("section", {}, element("h2", {}, "By " + by), control(by, rows), tabled("By " + by, rows))),
    element("section", {}, element("h2", {}, "Coefficients so far"), tabled("Coefficients so far", standing.measures), element("p", { class: "quiet", dir: "auto" }, visible(data.policy))));
}

/** The agreement of each batch, day or annotator beside the limits that it keeps to when nothing is wrong. */
function control(by, rows) {
  const x = (place) => ((place + 0.5) / rows.length) * WIDE;
  const y = (value) => (1 - value) * HIGH;
  const { svg } = drawing;
  const picture = svg("svg", { class: "control", viewBox: "-4 -6 " + (WIDE + 8) + " " + (HIGH + 12), "aria-hidden": "true" });
  for (const at of [0, 0.5, 1]) picture.append(svg("line", { class: "strip-axis", x1: 0, x2: WIDE, y1: y(at), y2: y(at) }));
  rows.forEach((row, place) => {
    if (row.low === null || row.agreement === null) return;
    picture.append(svg("line", { class: "strip-interval", x1: x(place), x2: x(place), y1: y(row.low), y2: y(row.high) }),
      svg("circle", { class: row.out ? "strip-value out" : "strip-value", cx: x(place), cy: y(row.agreement), r: row.out ? 6 : 4 }));
  });
  return picture;
}
