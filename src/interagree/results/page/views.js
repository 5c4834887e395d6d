/* How an item is drawn, by what its values are: interagree.views[view](element, item, data) fills the card of an item.

   What a value is in each view is said in src/interagree/kinds/_views.py.  Elements are made by interagree.element
   (page.js) and by createElementNS, and colours and places are set from here, so that no text can become markup or style.
   Annotators are told apart by colour and by a second sign: a dash, a shape, a letter or a lane.  A picture is hidden from
   those who cannot see it, and beside it stands in words who said what. */

"use strict";

globalThis.interagree = globalThis.interagree || {};

/** Values in words, by view; those that are not here are a string or are told by page.js. */
globalThis.interagree.words = {
  image: (value, data) => (value.length ? value.map((thing) => globalThis.interagree.drawing.shapeInWords(thing, data)).join("; ") : "nothing marked"),
  tree: (value) => globalThis.interagree.drawing.brackets(value),
  arcs: (value, data, item) => value.map(([head, relation], place) => {
    const word = (at) => (at === 0 ? "root" : item.tokens ? item.tokens[at - 1] : String(at));
    return word(place + 1) + " ← " + word(head) + (relation < 0 ? "" : " (" + data.labels[relation] + ")");
  }).join("; "),
  relations: (value, data, item) => (value.length ? value.map((part) => globalThis.interagree.drawing.relationInWords(part, data, item)).join("; ") : "nothing related"),
  clusters: (value, data) => (value.length ? value.map((cluster) => cluster.map((mention) => data.labels[mention]).join(" = ")).join("; ") : "nothing marked"),
  vector: (value) => value.join(", "),
};

// ---------------------------------------------------------------------------------------------- what views share

globalThis.interagree.drawing = {
  SERIES: 8,
  DASHES: ["", "7 3", "2 2", "9 3 2 3", "12 4", "4 4", "1 3", "9 3 2 3 2 3"],
  FOLDED: 900, // characters of a text from which on it is folded
  CONTEXT: 140, // … and of those that stay around a mark
  TOO_MANY: 8, // annotators from which on their names stand upright
  CROWD: 16, // … and of whom not all are named at first
  LABEL: 90, // letters of a label that are written

  svg(tag, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, String(value));
    made.append(...children);
    return made;
  },

  /** Those who answered, with the number of their colour: the same throughout a page where there are few annotators. */
  people(item, data) {
    const few = data.annotators.length <= this.SERIES;
    return item.answers.map(([annotator, value], place) => ({
      name: interagree.visible(data.annotators[annotator] ?? annotator),
      value,
      series: (few ? annotator : place) % this.SERIES,
      suggested: item.suggested !== null && item.suggested !== undefined && JSON.stringify(value) === JSON.stringify(item.suggested),
    }));
  },

  /** Values that are the same, with those who gave them, the suggested one first and then the most common. */
  groups(item, data) {
    const groups = new Map();
    for (const person of this.people(item, data)) {
      const key = JSON.stringify(person.value);
      if (!groups.has(key)) groups.set(key, { value: person.value, people: [], suggested: person.suggested });
      groups.get(key).people.push(person);
    }
    return [...groups.values()].sort((a, b) => b.suggested - a.suggested || b.people.length - a.people.length);
  },

  /** A little sign in the colour and the shape of an annotator. */
  sign(series) {
    const shapes = [
      ["circle", { cx: 6, cy: 6, r: 4.5 }], ["rect", { x: 1.5, y: 1.5, width: 9, height: 9 }], ["path", { d: "M6 1 11 10.5H1Z" }],
      ["path", { d: "M6 .5 11.5 6 6 11.5 .5 6Z" }], ["path", { d: "M4 1h4v3h3v4h-3v3H4V8H1V4h3Z" }], ["path", { d: "M1 1.5h10L6 11Z" }],
      ["path", { d: "M6 .5 7.6 4.2 11.5 4.6 8.6 7.2 9.4 11 6 9 2.6 11 3.4 7.2.5 4.6 4.4 4.2Z" }], ["circle", { cx: 6, cy: 6, r: 3.5, class: "hollow" }],
    ];
    const [tag, attributes] = shapes[series];
    const sign = this.svg(tag, attributes);
    sign.classList.add("v-fill", "v-s" + series);
    return this.svg("svg", { class: "v-sign", viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" }, sign);
  },

  /** The name of an annotator with their sign. */
  who(person) {
    return interagree.element("span", { class: "v-who" }, this.sign(person.series), interagree.element("bdi", {}, person.name));
  },

  everybody(people) {
    return interagree.element("span", { class: "v-people" }, ...this.crowd(people, (person) => this.who(person)));
  },

  /** Something for each of some people; of many, the first few and a button for the others. */
  crowd(people, made) {
    if (people.length <= this.CROWD) return people.map(made);
    const few = this.CROWD - 4;
    const more = interagree.element("button", { type: "button", class: "v-fold" }, "and " + (people.length - few).toLocaleString("en") + " more");
    more.addEventListener("click", () => {
      const others = people.slice(few).map(made);
      more.replaceWith(...others);
      const first = others[0].querySelector("input") || others[0];
      if (first.tabIndex < 0) first.tabIndex = -1;
      first.focus();
    });
    return [...people.slice(0, few).map(made), more];
  },

  suggestion() {
    return interagree.element("span", { class: "v-suggested" }, "suggested");
  },

  /** The text and the image of an item, for views that draw neither. */
  context(element, item, data) {
    if (item.image && data.view !== "image") {
      element.append(interagree.element("img", { class: "v-image", src: item.image, alt: "Image of " + interagree.visible(item.id), loading: "lazy" }));
    }
    if (item.text === null || item.text === undefined || item.text === "") return;
    const holder = interagree.element("p", { class: "v-text", dir: "auto" });
    const long = item.text.length > this.FOLDED;
    const cut = long ? this.wordEnd(item.text, Math.round(this.FOLDED * 0.7)) : item.text.length;
    holder.append(this.plainText(item.text.slice(0, cut)));
    if (long) holder.append(this.fold(item.text.length - cut, () => [this.plainText(item.text.slice(cut))]));
    element.append(holder);
    this.cutNote(element, item);
  },

  cutNote(element, item) {
    if (item.cut) element.append(interagree.element("p", { class: "v-note" }, "[…] stands for text that this page has no room for."));
  },

  /** Text of data, with letters that have no shape spelled out; lines stay lines. */
  plainText(text) {
    return text.split("\n").map((line) => interagree.visible(line.replaceAll("\t", "    ").replaceAll("\r", ""))).join("\n");
  },

  /** The next end of a word, or of a character where words are long. */
  wordEnd(text, at) {
    for (let place = at; place < Math.min(at + 20, text.length); place += 1) if (/\s/.test(text[place])) return place;
    const code = text.charCodeAt(at);
    return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
  },

  /** A button in place of so many characters, which it makes way for. */
  fold(count, made) {
    const what = interagree.counted(count, "character");
    const button = interagree.element("button", { type: "button", class: "v-fold", "aria-label": "Show " + what + " more" }, "… " + what + " …");
    button.addEventListener("click", () => button.replaceWith(...made()));
    return button;
  },

  /** In words who said what, for those who cannot see a picture. */
  inWords(element, item, data, seen = false) {
    const list = interagree.element("ul", { class: seen ? "v-words" : "unseen" });
    for (const group of this.groups(item, data)) {
      const names = group.people.map((person) => person.name).join(", ");
      const words = interagree.visible(this.worded(group.value, item, data));
      list.append(interagree.element("li", { dir: "auto" }, names + (group.suggested ? " (suggested)" : "") + ": " + words));
    }
    element.append(list);
  },

  worded(value, item, data) {
    if (typeof value === "string") return value;
    const words = interagree.words[data.view];
    return words ? words(value, data, item) : interagree.inWords(value, data, item.text);
  },

  /** What is wider than its place can be scrolled, with the keyboard, too. */
  scroll(label, ...children) {
    const region = interagree.element("div", { class: "v-scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);
    if (globalThis.ResizeObserver) interagree.scrollable(region);
    return region;
  },

  /** A table with a row for each part of the answers and a column for each annotator; rows are {head, cells, type}. */
  grid(item, data, corner, rows, { types = false, label = "Who said what" } = {}) {
    const { element } = interagree;
    const people = this.people(item, data);
    const upright = people.length > this.TOO_MANY;
    const heads = people.map((person) => element("th", { scope: "col", class: upright ? "v-upright" : false },
      element("span", { title: person.name }, this.sign(person.series), element("bdi", {}, person.name), person.suggested ? this.suggestion() : null)));
    const table = element("table", { class: types ? "v-grid v-typed" : "v-grid" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, corner), types ? element("th", { scope: "col" }, "Difference") : null, ...heads)),
      element("tbody", {}, ...rows.map((row) => element("tr", { class: row.type ? "v-differs" : "v-same" },
        element("th", { scope: "row", dir: "auto" }, ...row.head),
        types ? element("td", { class: "v-type" }, row.type ? element("span", { class: "v-kind v-" + row.type }, this.TYPES[row.type] || row.type) : "agreed") : null,
        ...row.cells.map((cell, place) => element("td", { class: cell === null ? "v-no" : "v-yes" },
          ...(cell === null ? [element("span", { "aria-hidden": "true" }, "·"), element("span", { class: "unseen" }, "no")]
            : cell === true ? [this.sign(people[place].series), element("span", { class: "unseen" }, "yes")]
              : [element("bdi", {}, cell)])))))));
    return this.scroll(label, table);
  },

  TYPES: { boundary: "other ends", label: "other label", both: "other ends and label", missing: "not marked by all", differs: "differs" },

  /** A chip with a label. */
  chip(label, suggested, among = []) {
    const whole = interagree.visible(label);
    const [words] = this.apart([label, ...among].map((name) => interagree.visible(name)), this.LABEL);
    return interagree.element("span", { class: "v-chip" + (suggested ? " v-is-suggested" : ""), title: words === whole ? null : whole }, interagree.element("bdi", {}, words));
  },

  figure(element, ...children) {
    const figure = interagree.element("div", { class: "v-figure" }, ...children);
    element.append(figure);
    return figure;
  },

  /** Names with signs, each with a box that hides and shows what is theirs. */
  toggles(people, hide) {
    const { element } = interagree;
    return element("div", { class: "v-toggles", role: "group", "aria-label": "Shown annotators" }, ...this.crowd(people.map((person, place) => ({ person, place })), ({ person, place }) => {
      const box = element("input", { type: "checkbox" });
      box.checked = true;
      box.addEventListener("change", () => hide(place, !box.checked));
      return element("label", {}, box, this.sign(person.series), this.line(person.series), element("bdi", {}, person.name), person.suggested ? this.suggestion() : null);
    }));
  },

  /** A short line in the dash of an annotator. */
  line(series) {
    const line = this.svg("line", { x1: 0, y1: 5, x2: 26, y2: 5, "stroke-dasharray": this.DASHES[series], class: "v-stroke v-s" + series });
    return this.svg("svg", { class: "v-dash", viewBox: "0 0 26 10", width: 26, height: 10, "aria-hidden": "true" }, line);
  },

  short(text, most) {
    const letters = [...text];
    return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
  },

  /** Texts of so many letters at most; where the same letters would stay of two, those around what tells them apart. */
  apart(texts, most) {
    const cut = texts.map((text) => this.short(text, most));
    return texts.map((text, place) => {
      const alike = texts.filter((other, at) => other !== text && cut[at] === cut[place]).map((other) => [...other]);
      if (!alike.length) return cut[place];
      const letters = [...text];
      const differs = Math.min(...alike.map((other) => { let at = 0; while (at < letters.length && letters[at] === other[at]) at += 1; return at; }));
      const head = most >> 2;
      const room = most - head - 2;
      const from = Math.max(head, Math.min(differs - (room >> 1), letters.length - room));
      return letters.slice(0, head).join("") + "…" + letters.slice(from, from + room).join("") + (from + room < letters.length ? "…" : "");
    });
  },

  /** Round numbers between two ends, for an axis. */
  ticks(low, high, most = 6) {
    if (!(high > low)) return [low];
    const rough = (high - low) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((times) => times * power).find((wide) => wide >= rough);
    const made = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) made.push(Number((k * step).toPrecision(12)));
    return made;
  },

  /** The smallest and the largest of the numbers of all items, found once. */
  range(data, numbers) {
    this.ranges = this.ranges || new WeakMap();
    if (!this.ranges.has(data)) {
      let [low, high] = [Infinity, -Infinity];
      for (const item of data.items) {
        for (const [, value] of item.answers) for (const number of numbers(value)) { low = Math.min(low, number); high = Math.max(high, number); }
      }
      this.ranges.set(data, low < high ? [low, high] : [low - 1, high + 1]);
    }
    return this.ranges.get(data);
  },

  /** A number as it was given, but for what computers add to it; the very large and the very small with a power of ten. */
  number(value) {
    const size = Math.abs(value);
    if (size && (size >= 1e15 || size < 1e-4)) return Number(value.toPrecision(10)).toExponential().replace("e+", "e");
    return String(Number(value.toPrecision(15)));
  },

  /** A number of an axis. */
  tick(value) {
    const size = Math.abs(value);
    if (size && (size >= 1e6 || size < 1e-3)) return Number(value.toPrecision(6)).toExponential().replace("e+", "e");
    return String(Number(value.toPrecision(6)));
  },

  shapeInWords(thing, data) {
    const label = thing.label < 0 ? thing.shape : data.labels[thing.label] + " (" + thing.shape + ")";
    const numbers = thing.points.flat(Infinity).filter((number) => number !== null);
    const sides = [0, 1].map((side) => numbers.filter((_, place) => place % 2 === side));
    if (!numbers.length) return label;
    const [x, y] = sides.map((side) => [Math.min, Math.max].map((end) =>
      Math.round(side.reduce((sofar, number) => end(sofar, number)) * 10) / 10)); // a mask has more than one call takes
    return label + " from " + x[0] + ", " + y[0] + " to " + x[1] + ", " + y[1];
  },

  brackets(tree) {
    return typeof tree === "string" ? tree : "(" + tree.map((part, place) => (place ? this.brackets(part) : part)).join(" ") + ")";
  },

  between(begin, end, item) {
    return item.text ? "“" + interagree.visible(item.text.slice(begin, end)) + "”" : begin + "–" + end;
  },

  relationInWords([begin, end, from, to, label, directed], data, item) {
    const name = label < 0 ? "related to" : data.labels[label];
    return this.between(begin, end, item) + (directed ? " → " : " – ") + name + (directed ? " → " : " – ") + this.between(from, to, item);
  },
};

// ------------------------------------------------------------------------------------------------------ the views

globalThis.interagree.views = {
  plain(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const list = interagree.element("dl", { class: "v-list" });
    for (const group of drawing.groups(item, data)) {
      list.append(
        interagree.element("dt", {}, drawing.everybody(group.people), group.suggested ? drawing.suggestion() : null),
        interagree.element("dd", { dir: "auto" }, drawing.plainText(drawing.worded(group.value, item, data))));
    }
    element.append(list);
  },

  /** Labels with those who gave them; ordered ones in their order, with the steps between them. */
  labels(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const people = drawing.people(item, data);
    const given = new Map();
    for (const person of people) given.set(person.value, [...(given.get(person.value) || []), person]);
    let values = [...given.keys()];
    if (data.kind === "ordered") {
      const [low, high] = [Math.min(...values), Math.max(...values)];
      values = Array.from({ length: high - low + 1 }, (_, step) => low + step);
    } else values.sort((a, b) => given.get(b).length - given.get(a).length || a - b);
    const names = values.map((value) => interagree.label(data, value));
    const rows = values.map((value) => {
      const theirs = given.get(value) || [];
      const bar = interagree.element("span", { class: "v-bar", "aria-hidden": "true" });
      bar.style.setProperty("inline-size", (100 * theirs.length) / people.length + "%");
      const chip = drawing.chip(interagree.label(data, value), value === item.suggested, names);
      return interagree.element("tr", { class: theirs.length ? "" : "v-empty" },
        interagree.element("th", { scope: "row" }, chip, value === item.suggested ? drawing.suggestion() : null),
        interagree.element("td", { class: "v-share" }, bar, interagree.element("span", {}, String(theirs.length))),
        interagree.element("td", {}, theirs.length ? drawing.everybody(theirs) : interagree.element("span", { class: "v-quiet" }, "nobody")));
    });
    element.append(drawing.scroll("Who said what", interagree.element("table", { class: "v-labels" }, interagree.element("tbody", {}, ...rows))));
  },

  /** Sets of labels: which label was given by whom. */
  sets(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const often = new Map();
    for (const [, value] of item.answers) for (const label of value) often.set(label, (often.get(label) || 0) + 1);
    const all = item.answers.length;
    const suggested = new Set(item.suggested || []);
    const names = [...often.keys()].map((label) => interagree.label(data, label));
    const rows = [...often].sort((a, b) => (a[1] === all) - (b[1] === all) || b[1] - a[1] || a[0] - b[0]).map(([label, count]) => ({
      head: [drawing.chip(interagree.label(data, label), suggested.has(label), names)],
      cells: item.answers.map(([, value]) => (value.includes(label) ? true : null)),
      type: count < all ? "differs" : "",
    }));
    const none = item.answers.some(([, value]) => !value.length);
    if (none) rows.push({ head: [interagree.element("em", {}, "none of the labels")], cells: item.answers.map(([, value]) => (value.length ? null : true)), type: "differs" });
    element.append(drawing.grid(item, data, "Label", rows));
  },

  /** Numbers: a strip with a sign for each annotator, and the median. */
  number(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const [low, high] = drawing.range(data, (value) => [value]);
    const people = drawing.people(item, data).sort((a, b) => a.value - b.value);
    const [wide, left, right] = [data.short ? 420 : 640, 24, 24];
    const x = (value) => left + ((value - low) / (high - low)) * (wide - left - right);
    const rows = [];
    const placed = people.map((person) => {
      const at = x(person.value);
      let row = rows.findIndex((last) => at - last >= 13);
      if (row < 0) row = rows.length;
      rows[row] = at;
      return { ...person, at, row };
    });
    const base = 16 + rows.length * 14;
    const svg = drawing.svg("svg", { class: "v-svg", viewBox: "0 0 " + wide + " " + (base + 24), "aria-hidden": "true" });
    svg.append(drawing.svg("line", { x1: left, x2: wide - right, y1: base, y2: base, class: "v-axis" }));
    for (const tick of drawing.ticks(low, high, data.short ? 5 : 6)) {
      svg.append(drawing.svg("line", { x1: x(tick), x2: x(tick), y1: base, y2: base + 5, class: "v-axis" }),
        drawing.svg("text", { x: x(tick), y: base + 19, "text-anchor": "middle", class: "v-tick" }, drawing.tick(tick)));
    }
    const middle = (people[(people.length - 1) >> 1].value + people[people.length >> 1].value) / 2;
    svg.append(drawing.svg("line", { x1: x(middle), x2: x(middle), y1: 2, y2: base, class: "v-middle" }));
    for (const person of placed) {
      const sign = drawing.sign(person.series);
      for (const [name, value] of [["x", person.at - 6], ["y", base - 16 - person.row * 14]]) sign.setAttribute(name, value);
      sign.append(drawing.svg("title", {}, person.name + ": " + drawing.number(person.value)));
      svg.append(sign);
    }
    drawing.figure(element, svg);
    const list = interagree.element("ul", { class: "v-inline" }, ...drawing.crowd(people, (person) => interagree.element("li", {}, drawing.who(person), " ", interagree.element("b", {}, drawing.number(person.value)))).map((made) => (made.tagName === "LI" ? made : interagree.element("li", {}, made))));
    element.append(list, interagree.element("p", { class: "v-note" }, "Median " + drawing.number(middle) + " (line)"));
  },

  /** Spans in a text: a lane below the line for each annotator, and a table of what differs. */
  marks(element, item, data) {
    if (!item.text) return interagree.views.timeline(element, item, data);
    const { drawing } = interagree;
    const people = drawing.people(item, data);
    const marks = interagree.marks.compared(item);
    interagree.marks.numbered(marks.filter((mark) => mark.type));
    if (people.length > interagree.marks.LANES) element.append(interagree.element("p", { class: "v-note" }, "The darker, the more of " + people.length + " annotators marked it."));
    else element.append(interagree.element("div", { class: "v-legend" }, ...people.map((person) => {
      const key = interagree.element("span", { class: "v-lane", "aria-hidden": "true" });
      interagree.marks.paint(key, [person.series]);
      return interagree.element("span", { class: "v-who" }, key, interagree.element("bdi", {}, person.name), person.suggested ? drawing.suggestion() : null);
    })));
    element.append(interagree.marks.text(item, data, people, marks));
    drawing.cutNote(element, item);
    const rows = marks.filter((mark) => mark.type).sort((a, b) => a.number - b.number || a.begin - b.begin);
    const quoted = drawing.apart(marks.map((mark) => interagree.visible(interagree.marks.covered(mark, item))), 80);
    const row = (mark) => ({
      head: [mark.number ? interagree.element("span", { class: "v-number" }, String(mark.number)) : null,
        interagree.element("q", { dir: "auto" }, quoted[marks.indexOf(mark)]), " ",
        drawing.chip(interagree.label(data, mark.label))].filter(Boolean),
      cells: item.answers.map((_, place) => (mark.people.has(place) ? true : null)),
      type: mark.type,
    });
    if (rows.length) element.append(drawing.grid(item, data, "Marked", rows.map(row), { types: true }));
    const agreed = marks.filter((mark) => !mark.type);
    if (agreed.length) {
      const details = interagree.element("details", { class: "v-more" }, interagree.element("summary", {}, interagree.counted(agreed.length, "mark") + " made by all"));
      details.addEventListener("toggle", () => { if (details.childElementCount === 1) details.append(drawing.grid(item, data, "Marked", agreed.map(row), { label: "Marks made by all" })); });
      element.append(details);
    }
    return undefined;
  },

  /** Units without a text: a lane for each annotator, bars in the colour of their label. */
  timeline(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, data.view === "marks" ? { ...item, text: null } : item, data);
    const people = drawing.people(item, data);
    const marks = interagree.marks.compared(item);
    const ends = marks.flatMap((mark) => [mark.begin, mark.end]);
    const [low, high] = [Math.min(0, ...ends), Math.max(...ends, 1)];
    const labels = [...new Set(marks.map((mark) => mark.label))].sort((a, b) => a - b);
    const place = (bar, begin, end) => {
      bar.style.setProperty("inset-inline-start", (100 * (begin - low)) / (high - low) + "%");
      bar.style.setProperty("inline-size", (100 * (end - begin)) / (high - low) + "%");
    };
    const lanes = people.map((person, who) => {
      const lane = interagree.element("div", { class: "v-track" });
      const ends = [];
      for (const mark of marks.filter((mark) => mark.people.has(who)).sort((a, b) => a.begin - b.begin || b.end - a.end)) {
        let row = ends.findIndex((end) => end <= mark.begin);
        if (row < 0) row = ends.length;
        ends[row] = mark.end;
        const series = labels.indexOf(mark.label) % drawing.SERIES;
        const name = mark.label < 0 ? "" : interagree.visible(interagree.label(data, mark.label));
        for (const [begin, end] of mark.pieces || [[mark.begin, mark.end]]) {
          const bar = interagree.element("span", { class: "v-unit v-s" + series + (mark.type ? " v-differs" : ""), title: (name || "no label") + " " + begin + "–" + end + (mark.type ? " (" + drawing.TYPES[mark.type] + ")" : "") },
            interagree.element("bdi", {}, name));
          place(bar, begin, end);
          bar.style.setProperty("inset-block-start", row * 20 + 2 + "px");
          lane.append(bar);
        }
      }
      lane.style.setProperty("block-size", Math.max(ends.length, 1) * 20 + 4 + "px");
      return [interagree.element("span", { class: "v-name" }, interagree.element("bdi", {}, person.name), person.suggested ? drawing.suggestion() : null), lane];
    });
    const lengths = marks.map((mark) => mark.end - mark.begin).sort((a, b) => a - b);
    const needed = lengths.length ? ((high - low) / lengths[lengths.length >> 2]) * 14 : 0; // for a short one of them
    const wide = needed > 700 ? Math.min(needed, 8000) : 700;
    const axis = interagree.element("div", { class: "v-track v-ticks" }, ...drawing.ticks(low, high, wide / 90).map((tick) => {
      const mark = interagree.element("span", {}, drawing.tick(tick));
      mark.style.setProperty("inset-inline-start", (100 * (tick - low)) / (high - low) + "%");
      return mark;
    }));
    const picture = interagree.element("div", { class: "v-timeline", dir: "ltr", "aria-hidden": "true" }, ...lanes.flat(), interagree.element("span", {}), axis);
    if (wide > 700) picture.style.setProperty("inline-size", wide + "px");
    element.append(drawing.scroll("Timeline", picture));
    if (labels.some((label) => label >= 0)) {
      element.append(interagree.element("div", { class: "v-legend", "aria-hidden": "true" }, ...labels.map((label, series) => interagree.element("span", { class: "v-who" },
        interagree.element("span", { class: "v-unit v-key v-s" + (series % drawing.SERIES) }), interagree.element("bdi", {}, interagree.visible(interagree.label(data, label)))))));
    }
    const details = interagree.element("details", { class: "v-more" }, interagree.element("summary", {}, "Who marked what"));
    drawing.inWords(details, item, { ...data, view: "timeline" }, true);
    element.append(details);
  },

  /** Relations: which of them was drawn by whom. */
  relations(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const rows = new Map();
    item.answers.forEach(([, value], place) => value.forEach((part) => {
      const key = JSON.stringify(part);
      if (!rows.has(key)) rows.set(key, { part, people: new Set() });
      rows.get(key).people.add(place);
    }));
    const all = item.answers.length;
    const ends = (part) => part.slice(0, 4).join();
    const list = [...rows.values()].sort((a, b) => (a.people.size === all) - (b.people.size === all) || a.part[0] - b.part[0] || a.part[2] - b.part[2]);
    const type = ({ part, people }) => {
      if (people.size === all) return "";
      return list.some((other) => other.part !== part && ends(other.part) === ends(part)) ? "label" : "missing";
    };
    element.append(drawing.grid(item, data, "Relation", list.map((row) => {
      const [begin, end, from, to, label, directed] = row.part;
      const arrow = directed ? " → " : " – ";
      return {
        head: [interagree.element("bdi", {}, drawing.between(begin, end, item)), arrow, drawing.chip(label < 0 ? "related" : interagree.label(data, label)), arrow, interagree.element("bdi", {}, drawing.between(from, to, item))],
        cells: item.answers.map((_, place) => (row.people.has(place) ? true : null)),
        type: type(row),
      };
    }), { types: true }));
  },

  /** Clusters of mentions: the letter of the cluster that each mention is in, as near to the suggested ones as can be. */
  clusters(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const named = (item.suggested || item.answers[0][1]).map((cluster) => new Set(cluster));
    const letters = (number) => (number < 26 ? String.fromCharCode(65 + number) : letters(Math.floor(number / 26) - 1) + String.fromCharCode(65 + (number % 26)));
    let next = named.length;
    const columns = item.answers.map(([, value]) => {
      const of = new Map();
      const taken = new Set();
      const shared = (cluster) => Math.max(0, ...named.map((other) => cluster.filter((mention) => other.has(mention)).length));
      for (const cluster of [...value].sort((a, b) => shared(b) - shared(a))) {
        let best = -1;
        let most = 0;
        named.forEach((other, place) => {
          const count = cluster.filter((mention) => other.has(mention)).length;
          if (!taken.has(place) && count > most) [best, most] = [place, count];
        });
        if (best < 0) { best = next; next += 1; }
        taken.add(best);
        for (const mention of cluster) of.set(mention, letters(best));
      }
      return of;
    });
    const mentions = [...new Set(item.answers.flatMap(([, value]) => value.flat()))].sort((a, b) => a - b);
    const rows = mentions.map((mention) => {
      const cells = columns.map((of) => of.get(mention) ?? null);
      return { head: [drawing.chip(interagree.label(data, mention))], cells, type: new Set(cells).size > 1 ? "differs" : "" };
    });
    element.append(interagree.element("p", { class: "v-note" }, "The letter says which cluster a mention is in."), drawing.grid(item, data, "Mention", rows.sort((a, b) => Boolean(b.type) - Boolean(a.type))));
  },

  /** Objects in an image: the outlines of each annotator, on the image where the page may show it. */
  image(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const people = drawing.people(item, data);
    const numbers = people.flatMap((person) => person.value.flatMap((thing) => thing.points.flat(Infinity)));
    const [xs, ys] = [0, 1].map((side) => numbers.filter((number, place) => place % 2 === side && number !== null));
    const box = item.size ? [0, 0, ...item.size] : (() => {
      const [left, right, top, bottom] = xs.length ? [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] : [0, 1, 0, 1];
      const edge = Math.max(right - left, bottom - top, 1e-9) * 0.05;
      return [left - edge, top - edge, right - left + 2 * edge, bottom - top + 2 * edge];
    })();
    const svg = drawing.svg("svg", { class: "v-svg v-picture", viewBox: box.join(" "), preserveAspectRatio: "xMinYMin meet", "aria-hidden": "true" });
    const written = drawing.svg("g", {});
    let frame = box;
    const hidden = new Set();
    let scale = 0; // pixels of the screen for each of the image, once it is known
    const letters = () => (scale ? 13 / scale : Math.max(frame[2], frame[3]) / 45);
    const write = () => {
      const shown = people.filter((_, place) => !hidden.has(place));
      written.replaceChildren(...interagree.shapes.names(shown, data, frame, letters()).map(({ x, y, words }) => {
        const text = drawing.svg("text", { x, y, class: "v-name" }, words);
        text.style.setProperty("font-size", letters() + "px"); // pixels of the image, not of the screen
        text.style.setProperty("stroke-width", letters() / 5 + "px");
        return text;
      }));
    };
    svg.append(drawing.svg("rect", { x: box[0], y: box[1], width: box[2], height: box[3], class: "v-frame" }));
    if (item.image) {
      const picture = drawing.svg("image", { href: item.image, x: 0, y: 0, preserveAspectRatio: "none" });
      const place = (wide, high) => {
        picture.setAttribute("width", wide);
        picture.setAttribute("height", high);
        frame = [0, 0, wide, high];
        svg.setAttribute("viewBox", frame.join(" "));
        write();
      };
      if (item.size) place(...item.size);
      else {
        const probe = new Image();
        probe.addEventListener("load", () => { if (probe.naturalWidth) place(probe.naturalWidth, probe.naturalHeight); });
        probe.src = item.image;
      }
      svg.append(picture);
    }
    const layers = people.map((person) => {
      const layer = drawing.svg("g", { class: "v-stroke v-s" + person.series, "stroke-dasharray": drawing.DASHES[person.series] });
      for (const thing of person.value) layer.append(...interagree.shapes.drawn(thing, drawing, letters(), person.series));
      layer.append(drawing.svg("title", {}, person.name));
      return layer;
    });
    write();
    svg.append(...layers, written);
    if (globalThis.ResizeObserver) {
      new ResizeObserver(() => {
        const { width, height } = svg.getBoundingClientRect();
        if (!width || !height) return;
        scale = Math.min(width / frame[2], height / frame[3]);
        write();
      }).observe(svg);
    }
    drawing.figure(element, svg);
    element.append(drawing.toggles(people, (place, off) => {
      layers[place].classList.toggle("v-hidden", off);
      if (off) hidden.add(place);
      else hidden.delete(place);
      write();
    }));
    const counts = people.map((person) => person.name + ": " + person.value.length);
    if (new Set(people.map((person) => person.value.length)).size > 1) element.append(interagree.element("p", { class: "v-note", dir: "auto" }, "Number of objects: " + counts.join(", ")));
    drawing.inWords(element, item, data);
  },

  /** Trees: the suggested one, and beside it those that differ, with what they have and it has not. */
  tree(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const groups = drawing.groups(item, data);
    const spans = groups.map((group) => interagree.trees.constituents(group.value));
    const everywhere = (key) => spans.every((of) => of.has(key));
    groups.forEach((group, place) => {
      const differs = (key) => (place === 0 ? !everywhere(key) : !spans[0].has(key));
      const count = [...spans[place].keys()].filter(differs).length;
      const lacking = place === 0 ? 0 : [...spans[0].keys()].filter((key) => !spans[place].has(key)).length;
      const note = place === 0 ? interagree.counted(count, "node") + " not in all trees" : count + " added, " + lacking + " missing compared with the first";
      const draw = () => drawing.scroll("Tree of " + group.people.map((person) => person.name).join(", "), interagree.trees.drawn(group.value, differs));
      const head = [drawing.everybody(group.people), group.suggested ? drawing.suggestion() : null, interagree.element("span", { class: "v-quiet" }, note)];
      if (place < 2) element.append(interagree.element("div", { class: "v-tree-of" }, interagree.element("p", { class: "v-head" }, ...head.filter(Boolean)), draw()));
      else {
        const details = interagree.element("details", { class: "v-more" }, interagree.element("summary", {}, ...head.filter(Boolean)));
        details.addEventListener("toggle", () => { if (details.childElementCount === 1) details.append(draw()); });
        element.append(details);
      }
    });
    drawing.inWords(element, item, data);
  },

  /** Dependency parses: arcs that all drew above the words, those that differ below them. */
  arcs(element, item, data) {
    const { drawing } = interagree;
    const people = drawing.people(item, data);
    const length = Math.max(...people.map((person) => person.value.length));
    if (!item.tokens) drawing.context(element, item, data);
    const words = Array.from({ length }, (_, place) => interagree.visible(item.tokens ? item.tokens[place] : place + 1));
    element.append(drawing.toggles(people, (place, hidden) => layers[place].classList.toggle("v-hidden", hidden)));
    const { svg, layers } = interagree.arcs.drawn(words, people, data);
    element.append(drawing.scroll("Arcs", svg));
    const rows = [];
    for (let place = 0; place < length; place += 1) {
      const said = people.map((person) => (person.value[place] || []).join());
      if (new Set(said).size > 1) {
        rows.push({
          head: [interagree.element("bdi", {}, words[place])],
          cells: people.map((person) => {
            const [head, relation] = person.value[place] || [null, -1];
            return head === null ? null : (head === 0 ? "root" : words[head - 1]) + (relation < 0 ? "" : " · " + interagree.visible(interagree.label(data, relation)));
          }),
          type: new Set(people.map((person) => (person.value[place] || [null])[0])).size > 1 ? "differs" : "label",
        });
      }
    }
    if (rows.length) element.append(drawing.grid(item, data, "Word", rows));
  },

  /** Rankings: a column for each annotator, and a line for each entry from one to the next. */
  ranking(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const people = [...drawing.people(item, data)].sort((a, b) => b.suggested - a.suggested);
    const rows = Math.max(...people.map((person) => person.value.length));
    const [wide, step, top] = [150, 20, 26];
    const svg = drawing.svg("svg", { class: "v-svg v-fixed", viewBox: "0 0 " + people.length * wide + " " + (top + rows * step + 6), width: people.length * wide, height: top + rows * step + 6, "aria-hidden": "true" });
    const ranks = people.map((person) => new Map(person.value.map((label, rank) => [label, rank])));
    const spread = (label) => {
      const at = ranks.map((of) => of.get(label)).filter((rank) => rank !== undefined);
      return at.length > 1 ? Math.max(...at) - Math.min(...at) : 0;
    };
    const known = [...new Set(people.flatMap((person) => person.value))];
    const moved = new Map(known.filter((label) => spread(label) > 0).sort((a, b) => spread(b) - spread(a)).slice(0, drawing.SERIES).map((label, series) => [label, series]));
    const y = (rank) => top + rank * step + 10;
    const entries = drawing.apart(known.map((label) => interagree.visible(interagree.label(data, label))), 11);
    const written = (column, rank) => rank + 1 + ". " + entries[known.indexOf(people[column].value[rank])];
    const after = (column, rank) => column * wide + 10 + [...written(column, rank)].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 13 : 7.2), 0);
    for (let column = 1; column < people.length; column += 1) {
      for (const [label, rank] of ranks[column]) {
        const before = ranks[column - 1].get(label);
        if (before === undefined) continue;
        const series = moved.get(label);
        const line = drawing.svg("path", {
          d: "M" + Math.min(after(column - 1, before), column * wide - 30) + " " + y(before) + "C" + (column * wide - 20) + " " + y(before) + " " + (column * wide - 36) + " " + y(rank) + " " + column * wide + " " + y(rank),
          class: series === undefined ? "v-faint" : "v-stroke v-s" + series,
        });
        if (series !== undefined) line.setAttribute("stroke-dasharray", drawing.DASHES[series]);
        line.append(drawing.svg("title", {}, interagree.visible(interagree.label(data, label))));
        svg.append(line);
      }
    }
    people.forEach((person, column) => {
      svg.append(drawing.svg("text", { x: column * wide + 2, y: 14, class: "v-head" }, drawing.short(person.name, 15) + (person.suggested ? " ✓" : "")));
      person.value.forEach((label, rank) => {
        const name = interagree.visible(interagree.label(data, label));
        svg.append(drawing.svg("text", { x: column * wide + 4, y: y(rank) + 4, class: moved.has(label) ? "v-moved" : "v-tick" },
          drawing.svg("title", {}, rank + 1 + ". " + name), written(column, rank)));
      });
    });
    element.append(drawing.scroll("Rankings side by side", svg));
    if (moved.size) element.append(interagree.element("p", { class: "v-note", dir: "auto" }, "Placed most differently: " + [...moved.keys()].map((label) => interagree.visible(interagree.label(data, label)) + " (by " + spread(label) + ")").join(", ")));
    drawing.inWords(element, item, data);
  },

  /** Texts: the suggested one, and of the others the words that they have instead. */
  text(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const groups = drawing.groups(item, data);
    const base = interagree.diff.words(groups[0].value);
    const list = interagree.element("dl", { class: "v-list v-diff" });
    groups.forEach((group, place) => {
      const shown = interagree.element("dd", { dir: "auto" });
      if (place === 0) shown.append(drawing.plainText(group.value));
      else {
        for (const [kind, words] of interagree.diff.between(base, interagree.diff.words(group.value))) {
          const text = drawing.plainText(words.join(""));
          shown.append(kind === "same" ? text : interagree.element(kind, {}, text));
        }
      }
      list.append(interagree.element("dt", {}, drawing.everybody(group.people), group.suggested ? drawing.suggestion() : null), shown);
    });
    element.append(list, interagree.element("p", { class: "v-note" }, "Compared with the first: ", interagree.element("ins", {}, "added"), " and ", interagree.element("del", {}, "left out"), "."));
  },

  /** Vectors and series: a line for each annotator. */
  vector(element, item, data) {
    const { drawing } = interagree;
    drawing.context(element, item, data);
    const people = drawing.people(item, data);
    const [low, high] = drawing.range(data, (value) => value);
    const length = Math.max(...people.map((person) => person.value.length));
    const marks = drawing.ticks(low, high, 5);
    const [wide, high_, bottom] = [640, 220, 22];
    const left = 14 + 8 * Math.max(4, ...marks.map((tick) => drawing.tick(tick).length));
    const x = (place) => left + (length > 1 ? (place / (length - 1)) * (wide - left - 12) : (wide - left) / 2);
    const y = (value) => 8 + (1 - (value - low) / (high - low)) * (high_ - bottom - 16);
    const svg = drawing.svg("svg", { class: "v-svg", viewBox: "0 0 " + wide + " " + high_, "aria-hidden": "true" });
    for (const tick of marks) {
      svg.append(drawing.svg("line", { x1: left, x2: wide - 12, y1: y(tick), y2: y(tick), class: "v-rule" }),
        drawing.svg("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end", class: "v-tick" }, drawing.tick(tick)));
    }
    const every = Math.ceil(length / 16);
    for (let place = 0; place < length; place += every) svg.append(drawing.svg("text", { x: x(place), y: high_ - 5, "text-anchor": "middle", class: "v-tick" }, String(place + 1)));
    const layers = people.map((person) => {
      const points = person.value.map((value, place) => x(place).toFixed(1) + " " + y(value).toFixed(1));
      const layer = drawing.svg("g", {}, drawing.svg("path", { d: "M" + points.join("L"), class: "v-stroke v-s" + person.series, "stroke-dasharray": drawing.DASHES[person.series] }));
      if (length <= 40) {
        person.value.forEach((value, place) => {
          const sign = drawing.sign(person.series);
          for (const [name, at] of [["x", x(place) - 5], ["y", y(value) - 5], ["width", 10], ["height", 10]]) sign.setAttribute(name, at);
          layer.append(sign);
        });
      }
      layer.append(drawing.svg("title", {}, person.name));
      return layer;
    });
    svg.append(...layers);
    drawing.figure(element, svg);
    element.append(drawing.toggles(people, (place, hidden) => layers[place].classList.toggle("v-hidden", hidden)));
    drawing.inWords(element, item, data);
  },
};

// -------------------------------------------------------------------------------------------------- marks in texts

globalThis.interagree.marks = {
  LANES: 12, // annotators who each have a lane; of more, shades say how many

  /** The distinct marks of an item, with those who made them and how they differ from what the others marked there. */
  compared(item) {
    const marks = new Map();
    item.answers.forEach(([, value], place) => value.forEach(([begin, end, label, pieces]) => {
      const key = JSON.stringify([begin, end, label, pieces]);
      if (!marks.has(key)) marks.set(key, { begin, end, label, pieces, people: new Set() });
      marks.get(key).people.add(place);
    }));
    const all = [...marks.values()].sort((a, b) => a.begin - b.begin || a.end - b.end || a.label - b.label);
    const open = all.filter((mark) => mark.people.size < item.answers.length);
    for (const mark of all) mark.type = "";
    for (const mark of open) {
      const others = open.filter((other) => other !== mark && other.begin < mark.end && mark.begin < other.end && [...other.people].some((who) => !mark.people.has(who)));
      const same = (other) => other.begin === mark.begin && other.end === mark.end;
      mark.type = others.some(same) ? "label" : others.some((other) => other.label === mark.label) ? "boundary" : others.length ? "both" : "missing";
    }
    return all;
  },

  /** Marks that differ and overlap have one number, by which the text and the table refer to each other. */
  numbered(marks) {
    let number = 0;
    let reach = -Infinity;
    for (const mark of marks) {
      if (mark.begin >= reach) number += 1;
      reach = Math.max(reach, mark.end);
      mark.number = number;
    }
  },

  covered: (mark, item) => (mark.pieces || [[mark.begin, mark.end]]).map(([begin, end]) => item.text.slice(begin, end)).join(" … "),

  /** Stripes below a piece of text, one in the lane of each annotator; null leaves a lane empty. */
  paint(piece, series) {
    const lanes = series.map((number, lane) => [number, lane]).filter(([number]) => number !== null);
    const images = lanes.map(([number]) => "linear-gradient(90deg, var(--v-" + number + ") var(--v-on-" + number + "), transparent 0)");
    for (const [name, value] of [
      ["background-image", images.join(", ")],
      ["background-position", lanes.map(([, lane]) => "0 calc(100% - " + ((series.length - 1 - lane) * 5 + 1) + "px)").join(", ")],
      ["background-size", lanes.map(([number]) => "var(--v-step-" + number + ") 3px").join(", ")],
      ["background-repeat", "repeat-x"],
      ["padding-block-end", series.length * 5 + 1 + "px"],
    ]) piece.style.setProperty(name, value);
  },

  text(item, data, people, marks) {
    const { drawing } = interagree;
    const holder = interagree.element("div", { class: "v-text v-marked", dir: "auto" });
    const lanes = people.length > this.LANES ? 0 : people.length;
    holder.style.setProperty("line-height", "calc(1.5em + " + (lanes * 5 + 4) + "px)");
    holder.style.setProperty("padding-block-end", lanes * 2.5 + "px"); // half of the lanes lie below their line
    const edges = [...new Set([0, item.text.length, ...marks.flatMap((mark) => (mark.pieces || [[mark.begin, mark.end]]).flat())])].sort((a, b) => a - b);
    const open = marks.filter((mark) => mark.type);
    const numbers = new Set();
    const piece = (begin, end) => {
      const here = marks.filter((mark) => (mark.pieces || [[mark.begin, mark.end]]).some(([low, high]) => low <= begin && end <= high));
      const text = drawing.plainText(item.text.slice(begin, end));
      if (!here.length) return [text];
      const said = people.map((person, who) => here.filter((mark) => mark.people.has(who)));
      const differing = here.find((mark) => mark.type);
      const made = interagree.element("span", { class: "v-piece" + (differing ? " v-differs v-" + differing.type : "") }, text);
      made.title = people.map((person, who) => person.name + ": " + (said[who].map((mark) => interagree.visible(interagree.label(data, mark.label))).join(", ") || "nothing")).join("\n");
      if (lanes) this.paint(made, said.map((theirs, who) => (theirs.length ? people[who].series : null)));
      else {
        const share = said.filter((theirs) => theirs.length).length / people.length;
        made.style.setProperty("background-color", "color-mix(in srgb, var(--v-0) " + Math.round(10 + 40 * share) + "%, transparent)");
      }
      if (!differing || numbers.has(differing.number)) return [made];
      numbers.add(differing.number);
      return [interagree.element("sup", { class: "v-number" }, String(differing.number)), "\u2060", made]; // on one line
    };
    const pieces = (low, high) => {
      const cuts = [low, ...edges.filter((edge) => edge > low && edge < high), high];
      return cuts.slice(1).flatMap((end, place) => (cuts[place] < end ? piece(cuts[place], end) : []));
    };
    for (const { begin, end, folded } of this.stretches(item.text, open.length ? open : marks)) {
      if (folded) holder.append(drawing.fold(end - begin, () => pieces(begin, end)));
      else holder.append(...pieces(begin, end));
    }
    return holder;
  },

  /** The stretches of a text: those around what differs, and between them those that are folded where the text is long. */
  stretches(text, marks) {
    const { drawing } = interagree;
    if (text.length <= drawing.FOLDED || !marks.length) return [{ begin: 0, end: text.length, folded: false }];
    const kept = [];
    for (const mark of marks) {
      const low = mark.begin - drawing.CONTEXT <= 0 ? 0 : drawing.wordEnd(text, mark.begin - drawing.CONTEXT);
      const high = mark.end + drawing.CONTEXT >= text.length ? text.length : drawing.wordEnd(text, mark.end + drawing.CONTEXT);
      if (kept.length && low <= kept[kept.length - 1].end + 60) kept[kept.length - 1].end = Math.max(kept[kept.length - 1].end, high);
      else kept.push({ begin: low < 60 ? 0 : low, end: high, folded: false });
    }
    const made = [];
    let at = 0;
    for (const stretch of kept) {
      if (stretch.begin > at) made.push({ begin: at, end: stretch.begin, folded: true });
      made.push(stretch);
      at = stretch.end;
    }
    if (at < text.length) made.push({ begin: at, end: text.length, folded: text.length - at > 60 });
    return made;
  },
};

// ------------------------------------------------------------------------------------------------ shapes in images

globalThis.interagree.shapes = {
  points: (flat) => flat.flatMap((x, place) => (place % 2 || x === null ? [] : [[x, flat[place + 1]]])),

  drawn(thing, drawing, size, series) {
    if (thing.shape === "box") {
      const [x0, y0, x1, y1] = thing.points;
      return [drawing.svg("rect", { x: x0, y: y0, width: Math.max(x1 - x0, 0), height: Math.max(y1 - y0, 0) })];
    }
    if (thing.shape === "keypoints") {
      const points = this.points(thing.points);
      const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
      const [top, bottom] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
      const frame = points.length > 1 ? [drawing.svg("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "v-around" })] : [];
      return [...frame, ...points.map(([x, y]) => {
        const joint = drawing.sign(series);
        for (const [name, value] of [["x", x - size / 3], ["y", y - size / 3], ["width", size / 1.5], ["height", size / 1.5]]) joint.setAttribute(name, value);
        return joint;
      })];
    }
    const d = thing.points.map((ring) => "M" + this.points(ring).map((point) => point.join(" ")).join("L") + "Z").join("");
    return [drawing.svg("path", { d, "fill-rule": "evenodd" })];
  },

  /** Where the label of an object stands: the leftmost of its highest points. */
  corner(thing) {
    const points = this.points(thing.shape === "box" || thing.shape === "keypoints" ? thing.points : thing.points.flat());
    return points.reduce(([left, top], [x, y]) => [Math.min(left, x), Math.min(top, y)], [Infinity, Infinity]);
  },

  /** The labels of objects inside a frame; those that would lie on each other are one, with how often each was given. */
  names(people, data, [left, top, wide], letter) {
    const { drawing } = interagree;
    const placed = [];
    for (const thing of people.flatMap((person) => person.value)) {
      const [x, high] = thing.label < 0 ? [NaN, NaN] : this.corner(thing);
      if (!Number.isFinite(x)) continue;
      const words = drawing.short(interagree.visible(interagree.label(data, thing.label)), 24);
      const room = ([...words].length + 1) * 0.6 * letter;
      const y = Math.max(high - 0.3 * letter, top + letter);
      const near = placed.find((other) => Math.abs(other.y - y) < 1.2 * letter && x < other.x + other.room && other.x < x + room);
      if (near) {
        near.words.set(words, (near.words.get(words) || 0) + 1);
        near.room = Math.max(near.room, room);
      } else placed.push({ x, y, room, words: new Map([[words, 1]]) });
    }
    return placed.map(({ x, y, words }) => {
      const said = words.size === 1 ? [...words.keys()][0] : [...words].map(([word, count]) => word + (count > 1 ? " ×" + count : "")).join(", ");
      const room = [...said].length * 0.6 * letter;
      return { x: Math.max(Math.min(x, left + wide - room), left), y, words: said };
    });
  },
};

// ----------------------------------------------------------------------------------------------------------- trees

globalThis.interagree.trees = {
  /** The nodes of a tree by their label and the words below them. */
  constituents(tree) {
    const found = new Map();
    let words = 0;
    const walk = (node) => {
      if (typeof node === "string") { words += 1; return; }
      const first = words;
      const children = node.slice(1);
      if (children.length) children.forEach(walk);
      else words += 1;
      const key = node[0] + "\n" + first + "\n" + words;
      found.set(key, (found.get(key) || 0) + 1);
    };
    walk(tree);
    return found;
  },

  drawn(tree, differs) {
    const { element } = interagree;
    let words = 0;
    const walk = (node) => {
      if (typeof node === "string") { words += 1; return element("span", { class: "v-word" }, element("bdi", {}, interagree.visible(node))); }
      const first = words;
      const children = node.slice(1).map(walk);
      if (!children.length) words += 1;
      const key = node[0] + "\n" + first + "\n" + words;
      return element("span", { class: "v-node" + (differs(key) ? " v-differs" : "") },
        element("span", { class: "v-node-label" }, element("bdi", {}, interagree.visible(node[0] || "·"))),
        element("span", { class: "v-children" }, ...children));
    };
    return element("div", { class: "v-tree", "aria-hidden": "true" }, walk(tree));
  },
};

// ------------------------------------------------------------------------------------------------------------ arcs

globalThis.interagree.arcs = {
  drawn(words, people, data) {
    const { drawing } = interagree;
    const widths = words.map((word) => Math.max(34, [...word].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 15 : 8.4), 16)));
    const centres = [];
    let right = 10;
    for (const wide of widths) { centres.push(right + wide / 2); right += wide; }
    const common = [];
    const own = people.map(() => []);
    const length = words.length;
    for (let place = 0; place < length; place += 1) {
      const said = people.map((person) => (person.value[place] || []).join());
      if (new Set(said).size === 1) common.push([place, ...people[0].value[place]]);
      else people.forEach((person, who) => { if (person.value[place]) own[who].push([place, ...person.value[place]]); });
    }
    const far = (arcs) => Math.max(1, ...arcs.map(([place, head]) => (head === 0 ? 1 : Math.abs(head - 1 - place))));
    const height = (distance, furthest, room) => 16 + (room - 16) * Math.sqrt(distance / furthest);
    const [above, below] = [common.length ? 40 + 14 * Math.sqrt(far(common)) : 12, 40 + 22 * Math.sqrt(far(own.flat()))];
    const base = above + 18;
    const svg = drawing.svg("svg", { class: "v-svg v-fixed", width: right + 10, height: base + below + 34, "aria-hidden": "true" });
    const names = new Map();
    const arc = ([place, head, relation], furthest, room, up, shift) => {
      const from = up ? above : base + 12;
      const way = up ? -1 : 1;
      const name = (x, y, otherwise) => {
        const key = [up, place, head].join();
        if (!names.has(key)) names.set(key, { x, y, way, words: new Set() });
        names.get(key).words.add(relation < 0 ? otherwise : drawing.short(interagree.visible(data.labels[relation]), 14));
      };
      if (head === 0) {
        const x = centres[place] + shift;
        name(centres[place], from + way * 26 + (up ? -3 : 11), "root");
        return [drawing.svg("path", { d: "M" + x + " " + (from + way * 26) + "V" + from })];
      }
      const [x0, x1] = [centres[head - 1] + shift, centres[place] + shift];
      const tall = height(Math.abs(head - 1 - place), furthest, room);
      name((centres[head - 1] + centres[place]) / 2, from + way * tall + 3, "");
      return [
        drawing.svg("path", { d: "M" + x0 + " " + from + "C" + x0 + " " + (from + way * tall * 1.3) + " " + x1 + " " + (from + way * tall * 1.3) + " " + x1 + " " + from }),
        drawing.svg("path", { class: "v-tip", d: "M" + (x1 - 3.5) + " " + (from + way * 7) + "L" + x1 + " " + from + "L" + (x1 + 3.5) + " " + (from + way * 7) }),
      ];
    };
    const shared = drawing.svg("g", { class: "v-arcs v-common" });
    for (const one of common) shared.append(...arc(one, far(common), above - 14, true, 0));
    svg.append(shared);
    words.forEach((word, place) => svg.append(drawing.svg("text", { x: centres[place], y: base + 2, "text-anchor": "middle", class: "v-word" }, word)));
    const layers = people.map((person, who) => {
      const layer = drawing.svg("g", { class: "v-arcs v-stroke v-s" + person.series, "stroke-dasharray": drawing.DASHES[person.series] }, drawing.svg("title", {}, person.name));
      for (const one of own[who]) layer.append(...arc(one, far(own.flat()), below - 14, false, (who - (people.length - 1) / 2) * 5));
      return layer;
    });
    svg.append(...layers);
    const written = drawing.svg("g", { class: "v-arcs" });
    const placed = [];
    for (const { x, y: wanted, words: said, way } of [...names.values()].sort((a, b) => a.x - b.x)) {
      const told = [...said].join(" / ");
      const room = ([...told].length * 6.6) / 2 + 3;
      let y = wanted;
      while (placed.some((other) => Math.abs(other.x - x) < other.room + room && Math.abs(other.y - y) < 12)) y += way * 4;
      placed.push({ x, y, room });
      written.append(drawing.svg("text", { x, y, "text-anchor": "middle" }, told));
    }
    const [top, bottom] = placed.reduce(([low, high], { y }) => [Math.min(low, y - 14), Math.max(high, y + 8)], [0, base + below + 34]);
    svg.setAttribute("viewBox", [0, top, right + 10, bottom - top].join(" "));
    svg.setAttribute("height", bottom - top);
    svg.append(written);
    return { svg, layers };
  },
};

// ----------------------------------------------------------------------------------------------- words that differ

globalThis.interagree.diff = {
  MOST: 1500, // words of a text that are compared one by one

  /** The words of a text with the space after them; of scripts without spaces the characters. */
  words(text) {
    return text.trim().match(/[\u2e80-\u9fff\uf900-\ufaff\u3040-\u30ff\u0e00-\u0eff]|[^\s\u2e80-\u9fff\uf900-\ufaff\u3040-\u30ff\u0e00-\u0eff]+\s*|\s+/gu) || [];
  },

  /** Runs of words: ["same" | "del" | "ins", words]. */
  between(before, after) {
    if (before.length > this.MOST || after.length > this.MOST) return [["ins", after]];
    const plain = (word) => word.trim();
    const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
    for (let i = before.length - 1; i >= 0; i -= 1) {
      for (let j = after.length - 1; j >= 0; j -= 1) {
        rows[i][j] = plain(before[i]) === plain(after[j]) ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
      }
    }
    const runs = [];
    const add = (kind, word) => {
      if (runs.length && runs[runs.length - 1][0] === kind) runs[runs.length - 1][1].push(word);
      else runs.push([kind, [word]]);
    };
    let [i, j] = [0, 0];
    while (i < before.length || j < after.length) {
      if (i < before.length && j < after.length && plain(before[i]) === plain(after[j])) { add("same", after[j]); i += 1; j += 1; }
      else if (i < before.length && (j === after.length || rows[i + 1][j] >= rows[i][j + 1])) { add("del", before[i]); i += 1; }
      else { add("ins", after[j]); j += 1; }
    }
    return runs;
  },
};
