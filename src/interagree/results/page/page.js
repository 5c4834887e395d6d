/* What a report does in a browser: tables are sorted and searched, items looked through, ticked and taken away.

   Plain script, no dependency, no network.  Elements are made with createElement and textContent alone, so that no name,
   label or text can become markup.  What depends on a browser's mood (storage, clipboard) may fail and nothing else does.
   How an item of a kind is drawn is in views.js: interagree.views[view](element, item, data). */

"use strict";

var interagree = globalThis.interagree || { views: {} };

// ------------------------------------------------------------------------------------------------ elements

/** An element with attributes and children; strings become text, and a listener is given as a function. */
interagree.element = function (tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

/** Text with every letter that has no shape, or turns others around, spelled out. */
interagree.visible = function (text) {
  return String(text).replace(
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
    (sign) => (sign < "\u0100" ? "\\x" + sign.charCodeAt(0).toString(16).padStart(2, "0")
      : "\\u" + sign.codePointAt(0).toString(16).padStart(4, "0")),
  );
};

/** Tell those who cannot see it what has happened. */
interagree.tell = function (sentence) {
  document.getElementById("status").textContent = sentence;
};

interagree.number = (value, digits = 2) => (value === null || value === undefined ? "–" : value.toFixed(digits));
interagree.counted = (count, what) => count.toLocaleString("en") + " " + what + (count === 1 ? "" : "s");

// ------------------------------------------------------------------------------------- storage and clipboard

interagree.remember = function (key, value) {
  try {
    localStorage.setItem("interagree:" + key, JSON.stringify(value));
  } catch {
    // A page from a disk may have no storage; what was ticked is then forgotten with the page.
  }
};

interagree.remembered = function (key) {
  try {
    return JSON.parse(localStorage.getItem("interagree:" + key));
  } catch {
    return null;
  }
};

interagree.copy = async function (text, what) {
  let copied = false;
  try {
    await navigator.clipboard.writeText(text);
    copied = true;
  } catch {
    const area = interagree.element("textarea", { class: "unseen", "aria-hidden": "true", tabindex: "-1" });
    area.value = text;
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    copied = document.execCommand("copy");
    area.remove();
    if (before instanceof HTMLElement) before.focus();
  }
  interagree.tell(copied ? what + " copied" : "The browser did not allow copying");
  return copied;
};

interagree.copyButton = function (text, what) {
  const button = interagree.element("button", { type: "button", class: "copy", "aria-label": "Copy " + what.toLowerCase() }, "Copy");
  button.addEventListener("click", async () => {
    button.textContent = (await interagree.copy(text, what)) ? "Copied" : "Not allowed";
    button.addEventListener("blur", () => { button.textContent = "Copy"; }, { once: true });
  });
  return button;
};

// --------------------------------------------------------------------------------------------------- theme

interagree.theme = function (chosen) {
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
};

interagree.isDark = function () {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

interagree.themeButton = function () {
  const button = interagree.element("button", { type: "button", id: "theme" });
  const label = () => { button.textContent = interagree.isDark() ? "☀ Light" : "☾ Dark"; };
  button.addEventListener("click", () => {
    interagree.theme(interagree.isDark() ? "light" : "dark");
    interagree.remember("theme", document.documentElement.dataset.theme);
    label();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();
  return button;
};

// -------------------------------------------------------------------------------------------------- tables

/** A number as a table shows it; NaN where there is none. */
interagree.parsed = (text) => parseFloat(text.replace("−", "-").replaceAll(",", ""));

interagree.compare = function (numeric, descending) {
  const sign = descending ? -1 : 1;
  return ([a], [b]) => {
    if (!numeric) return (a === "") - (b === "") || sign * a.localeCompare(b, undefined, { numeric: true });
    const [x, y] = [interagree.parsed(a), interagree.parsed(b)];
    return Number.isNaN(x) - Number.isNaN(y) || (Number.isNaN(x) ? 0 : sign * (x - y));
  };
};

/** Let a click on a head sort the rows: up, down, and as they were. */
interagree.sortable = function (table) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) return;
  const before = [...body.rows];
  const heads = [...table.tHead.rows[0].cells].filter((cell) => cell.tagName === "TH");
  heads.forEach((head, column) => {
    const name = head.textContent;
    const button = interagree.element("button", { type: "button", class: "sort" }, name);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const next = { ascending: "descending", descending: null }[now] ?? (now === null ? "ascending" : null);
      for (const other of heads) other.removeAttribute("aria-sort");
      let rows = before;
      if (next) {
        head.setAttribute("aria-sort", next);
        const keyed = before.map((row) => [row.cells[column].textContent, row]);
        keyed.sort(interagree.compare(head.classList.contains("n"), next === "descending"));
        rows = keyed.map(([, row]) => row);
      }
      body.append(...rows);
      interagree.tell(next ? "Sorted by " + name + ", " + next : "In the order of the report");
    });
  });
};

/** A box above a long table that leaves the rows that hold some words. */
interagree.searchable = function (holder) {
  const rows = [...holder.querySelector("table").tBodies[0].rows];
  const kept = interagree.element("span", {}, interagree.counted(rows.length, "row"));
  const box = interagree.element("input", { type: "search", placeholder: "Filter rows", "aria-label": "Filter rows of " + holder.querySelector(".scroll").getAttribute("aria-label") });
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLocaleLowerCase();
    let count = 0;
    for (const row of rows) {
      row.hidden = Boolean(wanted) && !row.textContent.toLocaleLowerCase().includes(wanted);
      count += !row.hidden;
    }
    kept.textContent = wanted ? count.toLocaleString("en") + " of " + interagree.counted(rows.length, "row") : interagree.counted(rows.length, "row");
    interagree.tell(kept.textContent);
  });
  holder.prepend(interagree.element("div", { class: "narrowing" }, box, kept));
};

/** What is as wide as its place is not a stop for the tabulator; what can be scrolled is. */
interagree.scrollable = function (region) {
  const fit = () => {
    const scrolls = region.scrollWidth > region.clientWidth + 1 || region.scrollHeight > region.clientHeight + 1;
    for (const [name, value] of [["tabindex", "0"], ["role", "region"]]) {
      if (scrolls) region.setAttribute(name, value);
      else region.removeAttribute(name);
    }
    if (scrolls) region.setAttribute("aria-label", label);
    else region.removeAttribute("aria-label");
  };
  const label = region.getAttribute("aria-label");
  new ResizeObserver(fit).observe(region);
};

// ------------------------------------------------------------------------------------------------ contents

/** The contents: open beside a wide page, closed above a narrow one, and marking what is read. */
interagree.contents = function () {
  const details = document.getElementById("contents");
  if (!details) return;
  const wide = matchMedia("(min-width: 62rem)");
  const fit = () => { details.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();
  details.querySelector("summary").addEventListener("click", (event) => { if (wide.matches) event.preventDefault(); });
  const links = new Map([...details.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) seen.add(entry.target.id);
      else seen.delete(entry.target.id);
    }
    const first = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) {
      if (id === first) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "0px 0px -60% 0px" });
  for (const id of links.keys()) watcher.observe(document.getElementById(id));
  for (const [id, link] of links) {
    link.addEventListener("click", () => {
      interagree.reveal(document.getElementById(id));
      if (!wide.matches) details.open = false;
    });
  }
};

// ------------------------------------------------------------------------------------------------- values

/** The label of an index; a dash where there is none. */
interagree.label = (data, index) => (index === -1 || index === null || index === undefined ? "–" : data.labels[index] ?? String(index));

/** A value with the labels that its numbers stand for, for programs. */
interagree.resolved = function (value, data) {
  const label = (index) => (index === -1 || index === null ? null : data.labels[index] ?? index);
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value; // of whatever view, where a value is not of its kind
  switch (data.view) {
    case "labels": return label(value);
    case "sets":
    case "ranking": return value.map(label);
    case "marks":
    case "timeline": return value.map(([start, end, index, pieces]) => ({ start, end, label: label(index), ...(pieces ? { pieces } : {}) }));
    case "image": return value.map((shape) => ({ ...shape, label: label(shape.label) }));
    case "arcs": return value.map(([head, relation]) => ({ head, relation: label(relation) }));
    case "clusters": return value.map((cluster) => cluster.map(label));
    case "relations":
      return value.map(([start, end, from, to, index, directed]) => ({ head: [start, end], tail: [from, to], label: label(index), directed: Boolean(directed) }));
    default: return value;
  }
};

/** A value in words; those of further views are in views.js. */
interagree.inWords = function (value, data, text) {
  const label = (index) => interagree.label(data, index);
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  switch (data.view) {
    case "labels": return label(value);
    case "sets": return value.length ? value.map(label).join("; ") : "none of the labels";
    case "ranking": return value.map(label).join(" > ");
    case "marks":
    case "timeline":
      if (!value.length) return "nothing marked";
      return value.map(([start, end, index]) => {
        const covered = data.view === "marks" && text ? " “" + text.slice(start, end) + "”" : "";
        return label(index) + " " + start + "–" + end + covered;
      }).join("; ");
    case "number": return String(value);
    default: return JSON.stringify(interagree.resolved(value, data));
  }
};

/** A value of an item in words, whatever its view. */
interagree.told = (value, item, data) => (value === null || value === undefined ? "" : interagree.drawing.worded(value, item, data));

/** The ways in which parts of answers may differ, where the view tells them apart. */
interagree.differences = function (data) {
  if (data.differences) return data.differences;
  return ["marks", "timeline"].includes(data.view) ? ["missing", "boundary", "label", "both"].map((type) => interagree.drawing.TYPES[type]) : [];
};

/** Those of an item. */
interagree.differencesOf = function (item, data) {
  if (item.differences) return item.differences.map((number) => data.differences[number]);
  return interagree.marks.compared(item).map((mark) => interagree.drawing.TYPES[mark.type]);
};

/** The labels that occur in a value. */
interagree.labelsIn = function (value, data) {
  if (value === null || value === undefined || typeof value === "string") return [];
  switch (data.view) {
    case "labels": return [value];
    case "sets":
    case "ranking": return value;
    case "marks":
    case "timeline": return value.map((mark) => mark[2]);
    case "image": return value.map((shape) => shape.label);
    case "arcs": return value.map((arc) => arc[1]);
    case "clusters": return value.flat();
    case "relations": return value.map((relation) => relation[4]);
    default: return [];
  }
};

// ------------------------------------------------------------------------------------------------- exports

/** Text as a cell that no spreadsheet program computes; as reading.formulas has it. */
interagree.defused = function (text) {
  const formula = /^'*[=+\-@\t\r\n][^]*[^=+\-@ \t\r\n]/.test(text);
  return formula && !/^[+-]?[0-9.,]+(?:[eE][+-]?[0-9]+)?%?$/.test(text) ? "'" + text : text;
};

interagree.csv = function (rows) {
  const cell = (entry) => {
    const text = entry === null || entry === undefined ? "" : typeof entry === "number" ? String(entry) : interagree.defused(String(entry));
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";
};

interagree.queueAsCsv = function (items, data) {
  const heads = ["rank", "item", "type", "annotations", "suggested", "answers", "worth", "disagreement", "text"];
  const rows = items.map((item, place) => [
    place + 1, item.id, data.types[item.type] ?? "", item.answers.length, interagree.told(item.suggested, item, data),
    item.answers.map(([annotator, value]) => data.annotators[annotator] + ": " + interagree.told(value, item, data)).join("; "),
    item.worth, item.disagreement, item.text,
  ]);
  return interagree.csv([heads, ...rows]);
};

interagree.queueAsJson = function (items, data) {
  return JSON.stringify(items.map((item, place) => ({
    rank: place + 1,
    question: data.question,
    item: item.id,
    type: data.types[item.type] ?? null,
    worth: item.worth,
    disagreement: item.disagreement,
    text: item.text ?? null,
    // Positions lie in this text, and not in that of the data where characters are counted otherwise or it was cut.
    ...(item.text && ["marks", "relations"].includes(data.view) ? { positions: "UTF-16 units of text" } : {}),
    ...(item.cut ? { cut: true } : {}),
    suggested: interagree.resolved(item.suggested, data),
    answers: item.answers.map(([annotator, value]) => ({ annotator: data.annotators[annotator], value: interagree.resolved(value, data) })),
  })), null, 1) + "\n";
};

/** The results of Label Studio that stand for a suggestion; none where it has no place for such a value. */
interagree.labelStudioResult = function (item, data, shown) {
  const value = interagree.resolved(item.suggested, data);
  const named = { from_name: data.question || "label", to_name: shown }; // as the writer of Python has it
  if (value === null || (typeof value === "string" && !["labels", "text"].includes(data.view))) return [];
  switch (data.view) {
    case "labels": return [{ ...named, type: "choices", value: { choices: [String(value)] } }];
    case "sets": return [{ ...named, type: "choices", value: { choices: value.map(String) } }];
    case "number": return [{ ...named, type: "number", value: { number: value } }];
    case "text": return [{ ...named, type: "textarea", value: { text: [value] } }];
    case "marks":
      return value.map(({ start, end, label }) => ({
        ...named, type: "labels",
        value: { start, end, ...(item.text ? { text: item.text.slice(start, end) } : {}), labels: label === null ? [] : [String(label)] },
      }));
    case "image": {
      if (!item.size || value.some((shape) => shape.shape !== "box")) return [];
      const [width, height] = item.size;
      return value.map(({ points: [x0, y0, x1, y1], label }) => ({
        ...named, type: "rectanglelabels",
        value: {
          x: (100 * x0) / width, y: (100 * y0) / height, width: (100 * (x1 - x0)) / width, height: (100 * (y1 - y0)) / height,
          rotation: 0, rectanglelabels: label === null ? [] : [String(label)],
        },
      }));
    }
    default: return [];
  }
};

interagree.queueAsLabelStudio = function (items, data) {
  const shown = data.view === "image" ? "image" : "text";
  return JSON.stringify(items.map((item, place) => {
    const result = interagree.labelStudioResult(item, data, shown);
    return {
      data: { item: item.id, [shown]: (shown === "image" ? item.image : item.text) ?? item.id },
      meta: {
        rank: place + 1,
        type: data.types[item.type] ?? null,
        worth: item.worth,
        ...(item.cut ? { cut: true } : {}),
        said: item.answers.map(([annotator, value]) => ({ annotator: data.annotators[annotator], value: interagree.resolved(value, data) })),
      },
      ...(result.length ? { predictions: [{ model_version: "interagree", result }] } : {}),
    };
  }), null, 1) + "\n";
};

interagree.download = function (name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type: type + ";charset=utf-8" }));
  const link = interagree.element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
};

interagree.fileName = (question, end) => "queue" + (question ? "-" + question.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 40) : "") + end;

// ---------------------------------------------------------------------------------- items to look through

interagree.PER_PAGE = 20;
interagree.ON_PAPER = 200;
interagree.browsers = [];

interagree.Browser = class {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.key = root.dataset.key;
    this.at = 0; // the first of the cards that are shown
    this.shown = data.items;
    this.words = new Map();
    this.places = new Map(data.items.map((item, place) => [item.id, place]));
    const known = interagree.remembered("queue:" + this.key);
    this.ticked = new Set((Array.isArray(known) ? known : []).filter((id) => this.places.has(id)));
    this.build();
    this.update();
  }

  build() {
    const { element, visible } = interagree;
    const { data } = this;
    const select = (label, first, options) => {
      const made = element("select", { change: () => this.update() }, element("option", { value: "" }, first),
        ...options.map((words, index) => element("option", { value: index }, visible(words))));
      return [made, element("label", {}, label, made)];
    };
    this.search = element("input", { type: "search", placeholder: "Items, texts, labels", input: () => this.update() });
    const labels = [
      element("label", { class: "search" }, "Search", this.search),
    ];
    const add = (name, label, first, options, least = 2) => {
      const [made, holder] = select(label, first, options);
      this[name] = made;
      if (options.length >= least) labels.push(holder);
    };
    add("type", "Type", "All", data.types);
    this.named = interagree.differences(data);
    add("difference", "Difference", "All", this.named, 1);
    const labelled = data.items.some((item) => item.answers.some(([, value]) => interagree.labelsIn(value, data).length));
    add("label", "Label", "All", labelled ? data.labels : []);
    add("annotator", "Annotator", "All", data.annotators);
    add("other", "differing from", "Anybody", data.annotators, 3);
    this.order = element("select", { change: () => this.update() },
      ...[["worth", "Priority"], ["disagreement", "Most disagreement"], ["item", "Item"], ["type", "Type"], ["ticked", "Ticked first"]]
        .map(([value, words]) => element("option", { value }, words)));
    labels.push(element("label", {}, "Order", this.order));
    this.clear = element("button", { type: "button", click: () => this.reset() }, "Show all");
    this.count = element("p", { class: "of" });
    const button = (words, label, click) => element("button", { type: "button", "aria-label": label, click }, words);
    this.back = button("‹", "Items before", () => this.turn(-1));
    this.on = button("›", "Items after", () => this.turn(1));
    this.pageOf = element("span", {});
    // Short cards stand side by side where there is room.
    data.short = ["labels", "number"].includes(data.view) && data.items.every((item) => (item.text || "").length < 300);
    this.cards = element("ol", { class: "cards" + (data.short ? " short" : "") });
    this.said = element("strong", {});
    this.takers = [
      ["CSV", ".csv", "text/csv", interagree.queueAsCsv],
      ["JSON", ".json", "application/json", interagree.queueAsJson],
      ["Label Studio", "-label-studio.json", "application/json", interagree.queueAsLabelStudio],
    ].map(([words, end, type, made]) => element("button", {
      type: "button", class: "main", "aria-label": "Download the ticked items: " + words,
      click: () => interagree.download(interagree.fileName(data.question, end), type, made(this.queue(), data)),
    }, words));
    this.untick = element("button", { type: "button", click: () => { this.ticked.clear(); this.keep(); this.update(this.at); } }, "Untick all");
    this.tickAll = element("button", { type: "button", click: () => { for (const item of this.shown) this.ticked.add(item.id); this.keep(); this.update(this.at); } });
    const help = element("button", { type: "button", click: () => interagree.help() }, "Keys");
    this.root.append(
      element("div", { class: "controls", role: "search", "aria-label": "Filter items" + (data.question ? " of " + visible(data.question) : "") }, ...labels, this.clear, help),
      element("div", { class: "counted" }, this.count, element("div", { class: "pager" }, this.back, this.pageOf, this.on)),
      this.cards,
      this.bar = element("div", { class: "queue", role: "group", "aria-label": "Ticked items" }, this.said, this.tickAll, ...this.takers, this.untick),
    );
  }

  /** What of an item is searched. */
  searched(item) {
    let text = this.words.get(item);
    if (text === undefined) {
      const said = item.answers.map(([annotator, value]) => this.data.annotators[annotator] + " " + interagree.told(value, item, this.data));
      text = [item.id, item.text, item.where, ...said].filter(Boolean).join("\n").toLocaleLowerCase();
      this.words.set(item, text);
    }
    return text;
  }

  /** Whether annotators differ: one from another, or from anybody where only one is named. */
  differ(item, one, other) {
    const said = new Map(item.answers.map(([annotator, value]) => [annotator, JSON.stringify(value)]));
    if (one === "" && other === "") return true;
    if (one === "" || other === "") {
      const who = Number(one === "" ? other : one);
      return said.has(who) && [...said.values()].some((value) => value !== said.get(who));
    }
    return said.has(Number(one)) && said.has(Number(other)) && said.get(Number(one)) !== said.get(Number(other));
  }

  update(at = 0) {
    const { data } = this;
    const wanted = this.search.value.trim().toLocaleLowerCase();
    const label = this.label.value === "" ? null : Number(this.label.value);
    this.shown = data.items.filter((item) =>
      (this.type.value === "" || item.type === Number(this.type.value))
      && (this.difference.value === "" || interagree.differencesOf(item, data).includes(this.named[this.difference.value]))
      && (label === null || item.answers.some(([, value]) => interagree.labelsIn(value, data).includes(label)))
      && this.differ(item, this.annotator.value, this.other.value)
      && (!wanted || this.searched(item).includes(wanted)));
    const by = {
      worth: null,
      disagreement: (a, b) => (b.disagreement ?? -1) - (a.disagreement ?? -1),
      item: (a, b) => a.id.localeCompare(b.id, undefined, { numeric: true }),
      type: (a, b) => a.type - b.type,
      ticked: (a, b) => this.ticked.has(b.id) - this.ticked.has(a.id),
    }[this.order.value];
    if (by) this.shown = [...this.shown].sort(by);
    this.at = Math.min(at, Math.max(0, this.shown.length - 1));
    this.at -= this.at % interagree.PER_PAGE;
    this.draw();
    const all = this.shown.length === data.items.length;
    this.count.textContent = all ? interagree.counted(data.items.length, "item") : this.shown.length.toLocaleString("en") + " of " + interagree.counted(data.items.length, "item");
    this.clear.disabled = all;
    interagree.tell(this.count.textContent);
  }

  draw(most = interagree.PER_PAGE) {
    const page = this.shown.slice(this.at, this.at + most);
    this.cards.replaceChildren(...page.map((item) => this.card(item)));
    if (!page.length) this.cards.append(interagree.element("li", { class: "nothing" }, "No items match. “Show all” clears the filters."));
    const last = Math.min(this.at + most, this.shown.length);
    this.pageOf.textContent = page.length ? (this.at + 1).toLocaleString("en") + "–" + last.toLocaleString("en") : "";
    this.back.disabled = this.at === 0;
    this.on.disabled = last >= this.shown.length;
    this.countTicked();
  }

  card(item) {
    const { element, visible } = interagree;
    const { data } = this;
    const name = visible(item.id);
    const box = element("input", { type: "checkbox", "aria-label": "Tick " + name });
    box.checked = this.ticked.has(item.id);
    const body = element("div", { class: "view" });
    const made = element("li", { class: "card" + (box.checked ? " ticked" : ""), tabindex: "-1", "data-item": item.id },
      element("header", {},
        element("label", { class: "tick" }, box),
        element("h3", { dir: "auto" }, name),
        data.types.length && data.types[item.type] !== undefined ? element("span", { class: "badge", dir: "auto" }, visible(data.types[item.type])) : null,
        typeof item.disagreement === "number" ? element("span", { class: "worth", title: "Disagreement relative to chance: 1 is as bad as chance" }, interagree.number(item.disagreement) + " × chance") : null,
        this.link(item)),
      body,
      item.where ? element("p", { class: "where", dir: "auto" }, visible(item.where)) : null);
    box.addEventListener("change", () => this.tick(item, box.checked));
    try {
      (interagree.views[data.view] || interagree.views.plain)(body, item, data);
    } catch (problem) {
      body.replaceChildren();
      interagree.views.plain(body, item, data);
      console.error(problem);
    }
    return made;
  }

  link(item) {
    const to = new URLSearchParams(this.data.question ? { question: this.data.question, item: item.id } : { item: item.id });
    const button = interagree.copyButton(location.href.split("#")[0] + "#" + to, "Link to " + interagree.visible(item.id));
    button.textContent = "Link";
    return button;
  }

  tick(item, on = !this.ticked.has(item.id)) {
    if (on) this.ticked.add(item.id);
    else this.ticked.delete(item.id);
    this.keep();
    for (const made of this.cards.children) {
      if (made.dataset.item !== item.id) continue;
      made.classList.toggle("ticked", on);
      made.querySelector(".tick input").checked = on;
    }
    this.countTicked();
    interagree.tell(interagree.visible(item.id) + (on ? " ticked" : " unticked"));
  }

  keep() {
    interagree.remember("queue:" + this.key, [...this.ticked]);
  }

  countTicked() {
    this.said.textContent = this.ticked.size ? interagree.counted(this.ticked.size, "item") + " ticked" : "Tick items to download them";
    this.bar.classList.toggle("held", this.ticked.size > 0);
    this.tickAll.textContent = this.shown.length === this.data.items.length ? "Tick all " + interagree.counted(this.shown.length, "item") : "Tick the " + interagree.counted(this.shown.length, "item") + " found";
    this.tickAll.disabled = this.shown.every((item) => this.ticked.has(item.id));
    for (const button of [...this.takers, this.untick]) button.disabled = !this.ticked.size;
  }

  /** The ticked items, those worth most first. */
  queue() {
    return this.data.items.filter((item) => this.ticked.has(item.id));
  }

  reset() {
    this.search.value = "";
    for (const select of [this.type, this.difference, this.label, this.annotator, this.other]) select.value = "";
    this.update();
    this.search.focus();
  }

  turn(pages) {
    const to = this.at + pages * interagree.PER_PAGE;
    if (to < 0 || to >= this.shown.length) return false;
    this.at = to;
    this.draw();
    this.focus(pages > 0 ? 0 : this.cards.children.length - 1);
    return true;
  }

  focus(place) {
    const card = this.cards.children[place];
    if (!card) return;
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  }

  /** The place of the card that has the focus; -1 where none has. */
  place() {
    return [...this.cards.children].findIndex((card) => card.contains(document.activeElement));
  }

  step(cards) {
    const to = this.place() + cards;
    if (this.place() === -1) this.focus(0);
    else if (to < 0) this.turn(-1);
    else if (to >= this.cards.children.length) this.turn(1);
    else this.focus(to);
  }

  tickFocused() {
    const item = this.shown[this.at + this.place()];
    if (this.place() !== -1 && item) this.tick(item);
  }

  /** Show an item, whatever is filtered; whether it is there. */
  open(id) {
    if (!this.places.has(id)) return false;
    if (!this.shown.some((item) => item.id === id)) {
      this.search.value = "";
      for (const select of [this.type, this.difference, this.label, this.annotator, this.other]) select.value = "";
      this.update();
    }
    interagree.reveal(this.root);
    const place = this.shown.findIndex((item) => item.id === id);
    this.at = place - (place % interagree.PER_PAGE);
    this.draw();
    const card = this.cards.children[place - this.at];
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "start" });
    return true;
  }
};

/** Unfold whatever an element is folded into. */
interagree.reveal = function (element) {
  for (let folded = element.closest("details:not([open])"); folded; folded = folded.parentElement.closest("details:not([open])")) folded.open = true;
};

/** Open the item that the address names, #question=…&item=…, or the section. */
interagree.follow = function () {
  const section = document.getElementById(location.hash.slice(1));
  if (section) {
    interagree.reveal(section);
    section.scrollIntoView({ block: "start" });
    return;
  }
  // A plus is a space where it was written by a program, and itself where a person wrote it.
  const [asked, literal] = [location.hash.slice(1), location.hash.slice(1).replaceAll("+", "%2B")].map((hash) => new URLSearchParams(hash));
  const item = asked.get("item");
  if (item === null || !interagree.browsers.length) return;
  const questions = [asked, literal].map((names) => names.get("question"));
  const meant = interagree.browsers.filter((browser) => questions.includes(null) || questions.includes(browser.data.question));
  if ([item, literal.get("item")].some((name) => meant.some((browser) => browser.open(name)))) return;
  const browser = meant[0] || interagree.browsers[0];
  const notice = interagree.element("p", { class: "notice missing", role: "alert", dir: "auto" }, "Item " + interagree.visible(item) + " is not among those on this page.");
  browser.root.querySelector(".missing")?.remove();
  browser.root.prepend(notice);
  interagree.reveal(browser.root);
  notice.scrollIntoView({ block: "center" });
};

// ---------------------------------------------------------------------------------------------------- keys

interagree.keys = { on: true };

interagree.help = function () {
  const { element } = interagree;
  let dialog = document.getElementById("keys");
  if (!dialog) {
    const rows = [[["j", "↓"], "the next item"], [["k", "↑"], "the item before"], [["x"], "tick or untick the item"], [["/"], "search"], [["?"], "this list"]];
    const box = element("input", { type: "checkbox", change: () => { interagree.keys.on = box.checked; interagree.remember("keys", box.checked); } });
    box.checked = interagree.keys.on;
    dialog = element("dialog", { id: "keys", "aria-labelledby": "keys-title" },
      element("h2", { id: "keys-title" }, "Keys"),
      element("dl", {}, ...rows.flatMap(([keys, words]) => [element("dt", {}, ...keys.flatMap((key, place) => [place ? " or " : "", element("kbd", {}, key)])), element("dd", {}, words)])),
      element("p", {}, element("label", { class: "tick" }, box, "Use single-key shortcuts on this page")),
      element("button", { type: "button", class: "main", click: () => dialog.close() }, "Close"));
    document.body.append(dialog);
  }
  if (!dialog.open) dialog.showModal();
};

/** The items that keys are meant for: those that have the focus, or else the first that can be seen. */
interagree.current = function () {
  const holds = interagree.browsers.find((browser) => browser.root.contains(document.activeElement));
  const seen = (browser) => {
    const { top, bottom } = browser.root.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  return holds || interagree.browsers.find(seen) || interagree.browsers[0];
};

interagree.pressed = function (event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("select, textarea, dialog, [contenteditable]") || (event.target.tagName === "INPUT" && event.target.type !== "checkbox")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const browser = interagree.current();
  if (!browser) return;
  const onCard = event.target.classList.contains("card");
  const single = { j: () => browser.step(1), k: () => browser.step(-1), x: () => browser.tickFocused(), "/": () => { browser.search.focus(); browser.search.select(); }, "?": () => interagree.help() };
  const arrows = { ArrowDown: single.j, ArrowUp: single.k };
  const act = (interagree.keys.on && Object.hasOwn(single, event.key) && single[event.key]) || (onCard && Object.hasOwn(arrows, event.key) && arrows[event.key]);
  if (!act) return;
  event.preventDefault();
  interagree.reveal(browser.root);
  act();
};

// --------------------------------------------------------------------------------------------------- paper

/** On paper there is nothing to press: everything is opened, and more items are shown. */
interagree.forPaper = function (printing) {
  for (const details of document.querySelectorAll("main details")) details.open = printing || details.dataset.open === "yes";
  for (const browser of interagree.browsers) browser.draw(printing ? interagree.ON_PAPER : undefined);
};

// --------------------------------------------------------------------------------------------------- start

interagree.start = function () {
  document.getElementById("tools").append(interagree.themeButton());
  interagree.contents();
  document.querySelectorAll("table.sortable").forEach(interagree.sortable);
  document.querySelectorAll(".table.long").forEach(interagree.searchable);
  document.querySelectorAll(".scroll").forEach(interagree.scrollable);
  document.querySelectorAll("code.command").forEach((code) => code.after(interagree.copyButton(code.textContent, "Command")));
  document.querySelectorAll("pre.copied").forEach((pre) => pre.parentElement.before(interagree.copyButton(pre.textContent, "BibTeX")));
  for (const root of document.querySelectorAll(".browser")) {
    const data = JSON.parse(root.nextElementSibling.textContent);
    interagree.browsers.push(new interagree.Browser(root, data));
  }
  if (interagree.remembered("keys") === false) interagree.keys.on = false;
  document.addEventListener("keydown", interagree.pressed);
  for (const details of document.querySelectorAll("main details")) {
    details.addEventListener("toggle", () => { if (!matchMedia("print").matches) details.dataset.open = details.open ? "yes" : "no"; });
  }
  matchMedia("print").addEventListener("change", (event) => interagree.forPaper(event.matches));
  addEventListener("hashchange", interagree.follow);
  interagree.follow();
  Object.freeze(interagree.views);
  Object.freeze(interagree);
};

interagree.theme(interagree.remembered("theme"));
document.addEventListener("DOMContentLoaded", interagree.start);
