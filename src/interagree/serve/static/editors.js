/* Editors of values: one for each kind that can be edited.  Each tells what it holds, in the form that the server takes. */

import { given, ofAll } from "./parts.js";
import { ranking } from "./ranking.js";
import { things } from "./things.js";

const { element, drawing, visible } = interagree;
const RADIOS = 12; // labels up to which all are shown at once

/** The editor of an item; null where its values are chosen whole. */
export function editor(item, changed, named) {
  const made = { label, set, number, text, ranking, spans, units: things, boundaries: things, boxes: things, polygons: things }[item.editor];
  return made ? made(item, changed, named) : null;
}

function label(item, changed) {
  if (item.options.length > RADIOS) {
    const select = element("select", { "aria-label": "Another label", change: () => { if (select.value) changed(Number(select.value)); } },
      element("option", { value: "" }, "Another label …"), ...item.options.map((name, place) => element("option", { value: place }, visible(name))));
    return { root: select, set: (value) => { select.value = String(value); }, focus: () => select.focus() };
  }
  const inputs = item.options.map((_, place) => element("input", { type: "radio", name: "label", change: () => changed(place) }));
  return {
    root: element("div", { class: "ticks", role: "radiogroup", "aria-label": "Labels" }, ...inputs.map((input, place) => element("label", { class: "tick" }, input, element("bdi", {}, visible(item.options[place]))))),
    set: (value) => inputs.forEach((input, place) => { input.checked = place === value; }),
    focus: () => (inputs.find((input) => input.checked) || inputs[0]).focus(),
  };
}

function set(item, changed) {
  const inputs = item.options.map(() => element("input", { type: "checkbox", change: () => changed(inputs.flatMap((input, place) => (input.checked ? [place] : []))) }));
  const put = (value) => inputs.forEach((input, place) => { input.checked = value.includes(place); });
  put(ofAll(item));
  return {
    root: element("div", {}, element("p", { class: "quiet" }, "Ticked are the labels that all gave, or those of the answer taken."), element("div", { class: "ticks", role: "group", "aria-label": "Labels" }, ...inputs.map((input, place) => element("label", { class: "tick" }, input, element("bdi", {}, visible(item.options[place])))))),
    set: put, focus: () => inputs[0]?.focus(),
  };
}

function number(item, changed) {
  const input = element("input", { type: "number", step: "any", "aria-label": "Another number" });
  input.addEventListener("input", () => { if (input.value !== "" && Number.isFinite(input.valueAsNumber)) changed(input.valueAsNumber); });
  return { root: input, set: (value) => { input.value = String(value); }, focus: () => input.focus() };
}

function text(item, changed) {
  const area = element("textarea", { rows: 4, dir: "auto", "aria-label": "Another text", input: () => { if (area.value.trim()) changed(area.value); } });
  return { root: area, set: (value) => { area.value = value; }, focus: () => area.focus() };
}

// --------------------------------------------------------------------------------------------------- spans

/** Where words begin and end; in scripts without spaces as the browser cuts them. */
export function words(content) {
  if (globalThis.Intl?.Segmenter) {
    const found = [];
    for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(content)) {
      if (segment.trim()) found.push([index, index + segment.length]);
    }
    return found;
  }
  return [...content.matchAll(/\S+/gu)].map((found) => [found.index, found.index + found[0].length]);
}

function spans(item, changed, named) {
  const content = item.drawn.text;
  const cut = words(content);
  const state = { spans: ofAll(item), at: 0, from: null, label: item.options.length ? 0 : -1, current: -1 };
  const holder = element("div", { class: "v-text span-text", dir: "auto", tabindex: "0", role: "group", "aria-label": "Text to mark", "aria-describedby": "span-keys", keydown: (event) => pressed(event), mouseup: () => dragged() });
  const list = element("ul", { class: "span-list" });
  const labels = item.options.map((name, place) => element("option", { value: place }, visible(name)));
  const select = element("select", { id: "span-label", change: () => { state.label = Number(select.value); } }, ...labels);
  const told = element("p", { class: "quiet", role: "status" });
  const offered = given(item, {
    title: "Marks that somebody made", named, parts: (value) => value,
    words: (span) => [element("q", { dir: "auto" }, visible(content.slice(span[0], span[1]))), span[2] < 0 ? null : drawing.chip(item.options[span[2]])].filter(Boolean),
    sorted: (a, b) => a[0] - b[0] || a[1] - b[1],
    taken: (key, span, on) => {
      state.spans = state.spans.filter((other) => JSON.stringify(other) !== key);
      if (on) state.spans.push(span);
      state.current = -1;
      done();
    },
  });

  const covered = ([begin, end]) => content.slice(begin, end);
  const name = (place) => (place < 0 ? "" : visible(item.options[place]));
  const range = () => {
    if (!cut.length) return null;
    const [low, high] = state.from === null ? [state.at, state.at] : [Math.min(state.at, state.from), Math.max(state.at, state.from)];
    return [cut[low][0], cut[high][1]];
  };
  const done = () => { state.spans.sort((a, b) => a[0] - b[0] || a[1] - b[1]); draw(); changed(state.spans.map((span) => [...span])); };

  function mark([begin, end]) {
    const same = state.spans.findIndex((span) => span[0] === begin && span[1] === end && span[2] === state.label);
    if (same < 0) state.spans.push([begin, end, state.label]);
    state.from = null;
    done();
    state.current = state.spans.findIndex((span) => span[0] === begin && span[1] === end);
    draw();
    told.textContent = "marked: " + visible(covered([begin, end])) + " " + name(state.label);
  }

  function remove(place) {
    state.spans.splice(place, 1);
    state.current = -1;
    done();
    told.textContent = "removed";
  }

  /** One step left or right that cuts no character in two. */
  function step(place, by) {
    const to = place + by;
    const code = content.charCodeAt(to);
    return to > 0 && to < content.length && code >= 0xdc00 && code <= 0xdfff ? to + by : to;
  }

  function move(place, end, by) {
    const span = state.spans[place];
    if (!span) return;
    const to = step(span[end], by);
    if (to < 0 || to > content.length || (end === 0 ? to >= span[1] : to <= span[0])) return;
    span[end] = to;
    span.length = 3; // pieces that it had are now one
    const kept = span;
    done();
    state.current = state.spans.indexOf(kept);
    draw();
    told.textContent = visible(covered(span));
  }

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const number = "123456789".indexOf(event.key);
    const backwards = getComputedStyle(holder).direction === "rtl";
    const sideways = { ArrowLeft: backwards ? 1 : -1, ArrowRight: backwards ? -1 : 1 }[event.key];
    const under = () => { const [begin, end] = range() || [0, 0]; return state.spans.findIndex((span) => span[0] < end && begin < span[1]); };
    const current = () => (state.spans[state.current] ? state.current : under());
    let act = null;
    if (sideways) act = () => { if (!event.shiftKey) state.from = null; else if (state.from === null) state.from = state.at; state.at = Math.max(0, Math.min(cut.length - 1, state.at + sideways)); state.current = -1; draw(); };
    else if (event.key === " ") act = () => { if (range()) mark(range()); };
    else if (event.key === "Delete" || event.key === "Backspace") act = () => { if (current() >= 0) remove(current()); };
    else if ("[]{}".includes(event.key)) act = () => move(current(), "[]".includes(event.key) ? 1 : 0, "]}".includes(event.key) ? 1 : -1);
    else if (number >= 0 && number < item.options.length) act = () => { state.label = number; select.value = String(number); const at = current(); if (at >= 0 && state.from === null) { state.spans[at][2] = number; state.spans[at].length = 3; const kept = state.spans[at]; done(); state.current = state.spans.indexOf(kept); draw(); } };
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** What was selected with the mouse or a finger becomes a span. */
  function dragged() {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return;
    const place = (node, offset) => {
      const piece = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest("[data-at]");
      return piece && holder.contains(piece) ? Number(piece.dataset.at) + (node.nodeType === Node.TEXT_NODE ? offset : offset ? piece.textContent.length : 0) : null;
    };
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    let [begin, end] = [place(startContainer, startOffset), place(endContainer, endOffset)];
    selection.removeAllRanges();
    if (begin === null || end === null) return;
    while (begin < end && /\s/.test(content[begin])) begin += 1;
    while (end > begin && /\s/.test(content[end - 1])) end -= 1;
    if (begin < end) mark([begin, end]);
  }

  function draw() {
    const pieces = (span) => span[3] || [[span[0], span[1]]];
    const cursor = range();
    const edges = [...new Set([0, content.length, ...cut.flat(), ...state.spans.flatMap((span) => pieces(span).flat()), ...(cursor || [])])].sort((a, b) => a - b);
    holder.replaceChildren(...edges.slice(1).map((end, place) => {
      const begin = edges[place];
      const on = state.spans.filter((span) => pieces(span).some(([low, high]) => low <= begin && end <= high));
      const made = element("span", { "data-at": begin, class: [on.length ? "on v-s" + ((on[0][2] + 8) % 8) : "", on.length > 1 ? "several" : "", cursor && cursor[0] <= begin && end <= cursor[1] ? "cursor" : "", on.includes(state.spans[state.current]) ? "current" : ""].join(" ").trim() || null, title: on.map((span) => name(span[2])).join(", ") || null });
      made.textContent = content.slice(begin, end);
      return made;
    }));
    offered.show(new Set(state.spans.map((span) => JSON.stringify(span))));
    const cursorPiece = holder.querySelector(".cursor");
    if (cursorPiece) holder.scrollTop = Math.max(0, Math.min(holder.scrollTop, cursorPiece.offsetTop - holder.offsetTop - 40), cursorPiece.offsetTop - holder.offsetTop - holder.clientHeight + 60);
    list.replaceChildren(...state.spans.map((span, place) => {
      const quoted = visible(covered(span));
      const choose = element("select", { "aria-label": "Label of " + quoted, change: () => { span[2] = Number(choose.value); span.length = 3; done(); } }, ...item.options.map((option, number) => element("option", { value: number, selected: number === span[2] }, visible(option))));
      const ends = [["⇤", 0, -1, "Begin earlier"], ["↦", 0, 1, "Begin later"], ["↤", 1, -1, "End earlier"], ["⇥", 1, 1, "End later"]];
      return element("li", { class: place === state.current ? "current" : null }, element("q", { dir: "auto" }, quoted), item.options.length ? choose : null,
        element("span", { class: "ends" }, ...ends.map(([sign, end, by, words_]) => element("button", { type: "button", "aria-label": words_ + ": " + quoted, title: words_, click: () => move(place, end, by) }, sign)),
          element("button", { type: "button", "aria-label": "Remove " + quoted, title: "Remove", click: () => remove(place) }, "×")));
    }));
    if (!state.spans.length) list.append(element("li", { class: "quiet" }, "nothing marked"));
  }

  draw();
  return {
    root: element("div", {}, offered.root,
      labels.length ? element("label", { class: "field", for: "span-label" }, "Label to mark with") : null, labels.length ? select : null, holder,
      element("p", { class: "quiet", id: "span-keys" }, "You begin with the marks that all made, or with the answer taken. Select words with the mouse; or with the keys ← → (Shift for several), Space marks, 1–9 label, [ ] move the end, { } the beginning, Delete removes." + (item.whole_tokens ? " Spans of this study are of whole tokens." : "")), list, told),
    set: (value) => { state.spans = value.map((span) => [...span]); state.current = -1; state.from = null; draw(); },
    focus: () => holder.focus(),
  };
}
