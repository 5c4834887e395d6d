/* Editors of things that lie somewhere: boxes and polygons over the drawing of an item, units and boundaries on a line.

   Each thing, and each of its handles, has a name, is reached with Tab, is moved with the arrows and dragged with the mouse
   or a finger.  A thing is {at: [numbers], label}; a form says what its numbers mean. */

import { given, ofAll } from "./parts.js";

const { element, drawing, visible } = interagree;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HELD = 12; // steps after which a key that is held down moves ten steps at once
const DRAWN = 4; // pixels that the mouse goes before something new is drawn
const two = (numbers) => numbers.map(drawing.number).join(", ");
const pairs = (numbers) => numbers.flatMap((x, place) => (place % 2 ? [] : [[x, numbers[place + 1]]]));
const every = (numbers, axes) => Array.from({ length: axes }, (_, axis) => numbers.flatMap((_, place) => (place % axes === axis ? [place] : [])));

const SIDES = [["Top left corner", [0], [1]], ["Top side", [], [1]], ["Top right corner", [2], [1]], ["Right side", [2], []], ["Bottom right corner", [2], [3]], ["Bottom side", [], [3]], ["Bottom left corner", [0], [3]], ["Left side", [0], []]];
const FORMS = {
  boxes: {
    noun: "box", nouns: "boxes", axes: 2, ends: [[0, 2], [1, 3]], fields: ["Left", "Top", "Right", "Bottom"], sizes: [[2], [3]],
    read: (part) => ({ at: part.slice(0, 4), label: part[4] }), write: ({ at, label }) => [...at, label],
    fresh: ([left, top], [right, bottom]) => [left, top, right, bottom],
    handles: () => SIDES.map(([name, ...grip]) => ({ name, grip })), words: ({ at }) => "from " + two(at.slice(0, 2)) + " to " + two(at.slice(2)),
    keys: "the arrows move, with Shift they size",
  },
  polygons: {
    noun: "polygon", nouns: "polygons", axes: 2, fields: ["Across", "Down"],
    read: ([label, ...rings]) => ({ at: rings.flat(), rings: rings.map((ring) => ring.length), label }),
    write: ({ at, rings, label }) => { let begin = 0; return [label, ...rings.map((length) => at.slice(begin, begin += length))]; },
    fresh: ([left, top], [right, bottom]) => [left, top, right, top, right, bottom, left, bottom],
    handles: ({ at }) => pairs(at).map((_, k) => ({ name: "Point " + (k + 1), grip: [[2 * k], [2 * k + 1]], point: k })),
    words: ({ at }) => at.length / 2 + " points from " + two([0, 1].map((axis) => Math.min(...at.filter((_, k) => k % 2 === axis)))),
    keys: "the arrows move it, or the point you are at; + adds a point after that one, Delete takes it away",
  },
  units: {
    noun: "unit", nouns: "units", axes: 1, ends: [[0, 1]], fields: ["Begin", "End"], sizes: [[1]],
    read: ([begin, end, label, pieces]) => ({ at: [begin, end], label, pieces }), write: ({ at, label, pieces }) => (pieces ? [...at, label, pieces] : [...at, label]),
    fresh: ([begin], [end]) => [begin, end],
    handles: () => [{ name: "Beginning", grip: [[0]] }, { name: "End", grip: [[1]] }], words: ({ at }) => drawing.number(at[0]) + "–" + drawing.number(at[1]),
    keys: "← → move, with Shift they move the end",
  },
  boundaries: {
    noun: "boundary", nouns: "boundaries", axes: 1, fields: ["After unit"], head: 1,
    read: ([place, label]) => ({ at: [place], label }), write: ({ at, label }) => [...at, label],
    fresh: (_, [place]) => [place], handles: () => [], words: ({ at }) => "after unit " + at[0], keys: "← → move",
  },
};

export function things(item, changed, named) {
  const form = FORMS[item.editor];
  const parts = (value) => value.slice(form.head || 0);
  const known = item.choices.flatMap((choice) => parts(choice.edit || []).map(form.read));
  const numbers = known.flatMap(({ at }) => at);
  const size = item.drawn.size;
  const bare = !item.options.length || known.some(({ label }) => label < 0);
  const state = { things: [], head: [], current: null, handle: null, label: item.options.length ? 0 : -1, held: 0 };
  const extent = size ? Math.max(...size) : Math.max(...numbers, 1) - Math.min(...numbers, 0);
  const step = form.head || numbers.every(Number.isInteger) ? 1 : 10 ** Math.floor(Math.log10(extent / 500));
  const tidy = (number) => Number(number.toPrecision(12));
  const limits = () => {
    if (form.head) return [[1, state.head[0] - 1]];
    if (form.axes === 1) return [[Math.min(0, ...numbers), Infinity]];
    const [low, high] = item.drawn.image ? surface.frame() : [];
    return [0, 1].map((axis) => (size ? [0, size[axis]] : low ? [low[axis], high[axis]] : [-Infinity, Infinity]));
  };
  const called = (label) => (label < 0 ? "" : visible(item.options[label]));
  const nth = (thing) => form.noun + " " + (state.things.indexOf(thing) + 1);
  const whole = (thing) => every(thing.at, form.axes);

  // -------------------------------------------------------------------------------------------------- changes

  /** The numbers of a thing with those of a grip moved so far, or as far as they may go. */
  function moved(from, grip, far) {
    const at = [...from];
    grip.forEach((places, axis) => {
      if (!places.length) return;
      const held = places.map((place) => from[place]);
      const [least, most] = limits()[axis];
      let [low, high] = [Math.min(least - Math.min(...held), 0), Math.max(most - Math.max(...held), 0)];
      const [first, last] = form.ends ? form.ends[axis] : [];
      if (form.ends && places.length === 1) {
        const room = from[last] - from[first] - step;
        if (places[0] === first) high = Math.min(high, room);
        else low = Math.max(low, -room);
      }
      const by = Math.min(Math.max(far[axis], low), high);
      for (const place of places) at[place] = tidy(at[place] + by);
    });
    return at;
  }

  function put(thing, at) {
    if (at.every((number, place) => number === thing.at[place])) return false;
    thing.at = at;
    delete thing.pieces;
    return true;
  }

  const value = () => [...state.head, ...(form.axes === 1 ? [...state.things].sort((a, b) => a.at[0] - b.at[0]) : state.things).map(form.write)];
  const done = () => { draw(); changed(value()); };

  function focus(thing, handle = null, preventScroll = false) {
    Object.assign(state, { current: thing, handle });
    draw();
    const node = surface.node(thing, handle);
    if (node) node.focus({ preventScroll });
  }

  function add(at) {
    const thing = { at: at.map(tidy), label: state.label, ...(form === FORMS.polygons ? { rings: [at.length] } : {}) };
    state.things.push(thing);
    Object.assign(state, { current: thing, handle: null });
    done();
    return thing;
  }

  function remove(thing) {
    const place = state.things.indexOf(thing);
    state.things.splice(place, 1);
    state.current = null;
    done();
    interagree.tell("removed");
    const next = state.things[Math.min(place, state.things.length - 1)];
    if (next) focus(next);
    else more.focus();
  }

  function label(thing, number) {
    state.label = number;
    if (select) select.value = String(number);
    if (thing) { thing.label = number; delete thing.pieces; done(); }
  }

  /** A point after another, or one less, in the outline that has it. */
  function point(thing, place, adds) {
    let [ring, begin] = [0, 0];
    while (begin + thing.rings[ring] <= 2 * place) { begin += thing.rings[ring]; ring += 1; }
    if (!adds && thing.rings[ring] <= 6) { interagree.tell("An outline has at least three points"); return; }
    const next = 2 * place + 2 < begin + thing.rings[ring] ? 2 * place + 2 : begin;
    const between = [0, 1].map((axis) => tidy(Math.round((thing.at[2 * place + axis] + thing.at[next + axis]) / 2 / step) * step));
    const at = [...thing.at];
    if (adds) at.splice(2 * place + 2, 0, ...between);
    else at.splice(2 * place, 2);
    thing.at = at;
    thing.rings[ring] += adds ? 2 : -2;
    done();
    const now = adds ? place + 1 : Math.min(place, at.length / 2 - 1);
    focus(thing, form.handles(thing)[now]);
  }

  function pressed(event, thing, handle) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = ARROWS[event.key];
    const number = "123456789".indexOf(event.key);
    const sized = event.shiftKey && !handle && form.sizes;
    let act = null;
    if (way && form.axes === 1 && way[1]) return;
    if (way) {
      state.held = event.repeat ? state.held + 1 : 0;
      const far = way.map((by) => by * step * (state.held > HELD ? 10 : 1));
      act = () => { if (put(thing, moved(thing.at, handle ? handle.grip : sized || whole(thing), far))) done(); };
    } else if (event.key === "Delete" || event.key === "Backspace") act = () => (handle && handle.point !== undefined ? point(thing, handle.point, false) : remove(thing));
    else if (event.key === "+" && handle && handle.point !== undefined) act = () => point(thing, handle.point, true);
    else if (number >= 0 && number < item.options.length) act = () => label(thing, number);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  function grabbed(event, thing, handle) {
    if (event.button) return;
    event.preventDefault();
    event.stopPropagation();
    const [begin, from] = [surface.at(event), [...thing.at]];
    surface.still = true; // the picture keeps its place while something moves on it
    focus(thing, handle, true);
    let any = false;
    const move = (next) => {
      const to = surface.at(next);
      if (put(thing, moved(from, handle ? handle.grip : whole(thing), to.map((x, axis) => Math.round((x - begin[axis]) / step) * step)))) { any = true; draw(); }
    };
    const end = () => {
      removeEventListener("pointermove", move);
      for (const kind of ["pointerup", "pointercancel"]) removeEventListener(kind, end);
      surface.still = false;
      if (any) done();
    };
    addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end);
  }

  /** Where nothing is, the mouse draws something new; a finger scrolls the page. */
  function drawn(event) {
    if (event.button || event.pointerType === "touch" || form.head) return;
    event.preventDefault();
    const from = surface.at(event);
    let thing = null;
    const move = (next) => {
      if (!thing && Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY) < DRAWN) return;
      const to = surface.at(next);
      const sides = from.map((x, axis) => [x, to[axis]].map((end) => Math.min(Math.max(Math.round(end / step) * step, limits()[axis][0]), limits()[axis][1])).sort((a, b) => a - b));
      const ends = [sides.map(([low]) => low), sides.map(([low, high]) => Math.max(high, low + step))];
      surface.still = true;
      if (thing) { thing.at = form.fresh(...ends).map(tidy); draw(); } else thing = add(form.fresh(...ends));
    };
    const end = () => {
      removeEventListener("pointermove", move);
      for (const kind of ["pointerup", "pointercancel"]) removeEventListener(kind, end);
      surface.still = false;
      if (thing) { done(); focus(thing); }
    };
    addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end);
  }

  /** Something new where there is room for it. */
  function another() {
    const [low, high] = surface.frame();
    if (form.axes === 2) {
      const middle = low.map((begin, axis) => (begin + high[axis]) / 2 + (state.things.length % 5) * (high[axis] - begin) * 0.03);
      const ends = [-1, 1].map((side) => middle.map((x, axis) => Math.round((x + side * (high[axis] - low[axis]) / 8) / step) * step));
      return focus(add(form.fresh(ends[0], ends[1].map((x, axis) => Math.max(x, ends[0][axis] + step)))));
    }
    const taken = state.things.map(({ at }) => [at[0], at[at.length - 1]]).sort((a, b) => a[0] - b[0]);
    let reach = low[0];
    let gap = [low[0], low[0]];
    for (const [begin, end] of [...taken, [high[0], high[0]]]) {
      if (begin - reach > gap[1] - gap[0]) gap = [reach, begin];
      reach = Math.max(reach, end);
    }
    if (form.head) return focus(add([Math.round((gap[0] + gap[1]) / 2)]));
    const lengths = known.map(({ at }) => at[1] - at[0]).sort((a, b) => a - b);
    const length = Math.max(Math.min(lengths[lengths.length >> 1] || step, gap[1] - gap[0]), step);
    return focus(add(gap[1] > gap[0] ? [gap[0], gap[0] + length] : [reach, reach + length]));
  }

  // -------------------------------------------------------------------------------------------------- drawing

  const nodes = new Map();
  const key = (thing, handle) => thing.id + ":" + (handle ? handle.name : "");
  let count = 0;
  let built = null;

  /** Makes an element one that is reached, told, moved and dragged. */
  function grip(node, thing, handle = null) {
    const now = () => { if (state.current !== thing || (state.handle ? state.handle.name : "") !== (handle ? handle.name : "")) { Object.assign(state, { current: thing, handle }); draw(); } };
    for (const [name, entry] of [["role", "slider"], ["tabindex", "0"], ["aria-orientation", handle && form.axes === 2 && !handle.grip[0].length ? "vertical" : "horizontal"]]) node.setAttribute(name, entry);
    node.addEventListener("keydown", (event) => pressed(event, thing, handle));
    node.addEventListener("pointerdown", (event) => grabbed(event, thing, handle));
    node.addEventListener("focus", now);
    nodes.set(key(thing, handle), node);
    return node;
  }

  function told(thing, handle = null) {
    const node = nodes.get(key(thing, handle));
    const held = (handle ? handle.grip.flat() : Object.keys(thing.at)).map((place) => thing.at[place]);
    const [low, high] = surface.frame();
    const name = handle ? handle.name + " of " + nth(thing) : [called(thing.label), nth(thing) + " of " + state.things.length].filter(Boolean).join(", ");
    for (const [attribute, entry] of [["aria-label", name], ["aria-valuenow", held[0]], ["aria-valuemin", Math.min(low[0], held[0])], ["aria-valuemax", Math.max(high[0], held[0])], ["aria-valuetext", handle ? two(held) : form.words(thing)]]) node.setAttribute(attribute, entry);
    node.classList.toggle("current", thing === state.current && (handle ? handle.name : "") === (state.handle ? state.handle.name : ""));
  }

  /** Over the drawing of the item, which has the outlines of all annotators. */
  function picture() {
    const { svg } = drawing;
    const layer = svg("g", { class: "edit" });
    let root = null;
    const box = () => root.getAttribute("viewBox").split(" ").map(Number);
    const scale = () => (root.getScreenCTM() || { a: 0 }).a || 1;
    const made = new Map();
    return {
      still: false,
      attach(view) {
        root = view.querySelector("svg.v-picture");
        for (const child of root.children) child.setAttribute("aria-hidden", "true");
        root.removeAttribute("aria-hidden");
        for (const [name, entry] of [["role", "group"], ["aria-label", "The " + form.nouns + " that you decide on"], ["aria-describedby", "thing-keys"]]) root.setAttribute(name, entry);
        root.classList.add("v-edited");
        root.append(layer);
        root.addEventListener("pointerdown", drawn);
        if (globalThis.ResizeObserver) new ResizeObserver(draw).observe(root);
      },
      frame() { if (!root) return [[0, 0], [1, 1]]; const [x, y, wide, high] = box(); return [[x, y], [x + wide, y + high]]; },
      at(event) { const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM().inverse()); return [x, y]; },
      build() {
        made.clear();
        const area = ({ at }) => { const [xs, ys] = every(at, 2).map((places) => places.map((place) => at[place])); return (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys)); };
        layer.replaceChildren(...[...state.things].sort((a, b) => area(b) - area(a)).map((thing) => {
          const shape = grip(svg(form.ends ? "rect" : "path", { class: "shape", "fill-rule": "evenodd" }), thing);
          const name = svg("text", { class: "v-name", "aria-hidden": "true" });
          const handles = form.handles(thing).map((handle) => [handle, grip(svg("g", { class: "handle" }, svg("rect", { class: "reach" }), svg("rect", { class: "grip" })), thing, handle)]);
          const group = svg("g", {}, shape, name, ...handles.map(([, node]) => node));
          made.set(thing, { group, shape, name, handles });
          return group;
        }));
      },
      place() {
        if (!root) return;
        if (!this.still && !size && !item.drawn.image && state.things.length) {
          const [x, y, wide, high] = box();
          const [xs, ys] = [0, 1].map((axis) => state.things.flatMap(({ at }) => at.filter((_, place) => place % 2 === axis)));
          const [left, top] = [Math.min(x, ...xs), Math.min(y, ...ys)];
          root.setAttribute("viewBox", [left, top, Math.max(x + wide, ...xs) - left, Math.max(y + high, ...ys) - top].join(" "));
        }
        const one = 1 / scale();
        const square = (node, x, y, side) => { for (const [name, entry] of [["x", x - side / 2], ["y", y - side / 2], ["width", side], ["height", side]]) node.setAttribute(name, entry); };
        for (const [thing, { group, shape, name, handles }] of made) {
          const { at } = thing;
          const current = thing === state.current;
          group.setAttribute("class", current ? "thing chosen" : "thing");
          const [xs, ys] = [0, 1].map((axis) => at.filter((_, place) => place % 2 === axis));
          const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
          if (form.ends) for (const [side, entry] of [["x", left], ["y", top], ["width", right - left], ["height", bottom - top]]) shape.setAttribute(side, entry);
          else shape.setAttribute("d", form.write(thing).slice(1).map((ring) => "M" + pairs(ring).map((xy) => xy.join(" ")).join("L") + "Z").join(""));
          name.textContent = [state.things.indexOf(thing) + 1, drawing.short(called(thing.label), 24)].filter(Boolean).join(" ");
          for (const [side, entry] of [["x", left + 4 * one], ["y", top + 15 * one]]) name.setAttribute(side, entry);
          name.style.setProperty("font-size", 13 * one + "px");
          name.style.setProperty("stroke-width", 3 * one + "px");
          for (const [handle, node] of handles) {
            const [[x], [y]] = handle.grip;
            const tight = (x === undefined && right - left < 44 * one) || (y === undefined && bottom - top < 44 * one); // a corner is there as well
            node.setAttribute("display", current && !tight ? "inline" : "none");
            const [across, down] = [x === undefined ? (left + right) / 2 : at[x], y === undefined ? (top + bottom) / 2 : at[y]];
            square(node.firstChild, across, down, 22 * one);
            square(node.lastChild, across, down, 9 * one);
          }
        }
      },
    };
  }

  /** A line along which things lie, below that of each annotator. */
  function line() {
    const axis = element("div", { class: "ticks-line", "aria-hidden": "true" });
    const track = element("div", { class: "e-line", role: "group", "aria-label": "The " + form.nouns + " that you decide on", "aria-describedby": "thing-keys", pointerdown: (event) => drawn(event), click: (event) => { if (form.head && event.target === track) focus(add([Math.min(Math.max(Math.round(surface.at(event)[0]), 1), state.head[0] - 1)])); } });
    const made = new Map();
    let [low, high] = [0, 1];
    // Colours are those of the drawing above.
    const drawnLabels = [...new Set(item.drawn.answers.flatMap(([, marks]) => marks.map((mark) => mark[2])))].sort((a, b) => a - b).map((label) => item.about.labels[label]);
    const series = (label) => (label < 0 ? 0 : (drawnLabels.indexOf(item.options[label]) + drawing.SERIES) % drawing.SERIES);
    const share = (number) => (100 * (number - low)) / (high - low) + "%";
    const root = element("div", { class: "along", dir: "ltr" }, track, axis);
    return {
      root, still: false,
      frame: () => [[low], [form.head ? state.head[0] : high]],
      at: (event) => { const { left, width } = track.getBoundingClientRect(); return [low + ((event.clientX - left) / width) * (high - low)]; },
      build() {
        made.clear();
        track.replaceChildren(...state.things.flatMap((thing) => {
          const name = element("bdi", {});
          const bar = grip(element("span", { class: form.head ? "e-cut" : "e-bar" }, name), thing);
          const handles = form.handles(thing).map((handle) => [handle, grip(element("span", { class: "e-end" }), thing, handle)]);
          made.set(thing, { bar, name, handles });
          return [bar, ...handles.map(([, node]) => node)];
        }));
      },
      place() {
        if (!this.still) {
          const ends = [...numbers, ...state.things.flatMap(({ at }) => at)];
          [low, high] = form.head ? [0, state.head[0]] : [Math.min(0, ...ends), Math.max(...ends, 1)];
          if (!form.head) high += (high - low) * 0.05;
          const lengths = known.map(({ at }) => at[at.length - 1] - at[0]).sort((a, b) => a - b);
          const needed = form.head ? high * 3 : ((high - low) / (lengths[lengths.length >> 2] || high)) * 14; // for a short one of them
          root.style.setProperty("--needed", Math.min(needed, 8000) + "px");
          axis.replaceChildren(...drawing.ticks(low, high, Math.max(6, parseFloat(root.style.getPropertyValue("--needed")) / 90)).map((tick) => { const mark = element("span", {}, drawing.tick(tick)); mark.style.setProperty("left", share(tick)); return mark; }));
        }
        const rows = [];
        for (const thing of [...state.things].sort((a, b) => a.at[0] - b.at[0])) {
          const { bar, name, handles } = made.get(thing);
          const [begin, end] = [thing.at[0], thing.at[thing.at.length - 1]];
          let row = form.head ? Math.max(thing.label, 0) : rows.findIndex((reach) => reach <= begin);
          if (row < 0) row = rows.length;
          rows[row] = end;
          bar.className = (form.head ? "e-cut" : "e-bar") + " v-s" + series(thing.label) + (thing === state.current ? " chosen" : "");
          name.textContent = called(thing.label);
          bar.style.setProperty("left", share(begin));
          if (!form.head) bar.style.setProperty("width", (100 * (end - begin)) / (high - low) + "%");
          bar.style.setProperty("top", row * 34 + 4 + "px");
          for (const [handle, node] of handles) {
            node.hidden = thing !== state.current;
            node.style.setProperty("left", share(thing.at[handle.grip[0][0]]));
            node.style.setProperty("top", row * 34 + 4 + "px");
          }
        }
        track.style.setProperty("height", Math.max(rows.length, 1) * 34 + 4 + "px");
      },
    };
  }

  const surface = form.axes === 2 ? picture() : line();
  surface.node = (thing, handle) => nodes.get(key(thing, handle));

  // ----------------------------------------------------------------------------------------------------- list

  const list = element("ul", { class: "span-list" });
  const fields = element("div", { class: "fields" });
  const options = (chosen) => [...(bare ? [[-1, "no label"]] : []), ...item.options.map((name, place) => [place, visible(name)])].map(([place, name]) => element("option", { value: place, selected: place === chosen }, name));
  const select = item.options.length ? element("select", { id: "thing-label", change: () => { state.label = Number(select.value); } }, ...options(state.label)) : null;
  const more = element("button", { type: "button", click: () => another() }, "Add a " + form.noun);
  const offered = given(item, {
    title: form.nouns.charAt(0).toUpperCase() + form.nouns.slice(1) + " that somebody " + (form.axes === 2 ? "drew" : "set"), named, parts,
    words: (part) => { const thing = form.read(part); return [element("span", {}, form.words(thing)), thing.label < 0 ? null : drawing.chip(item.options[thing.label])].filter(Boolean); },
    sorted: (a, b) => form.read(a).at[0] - form.read(b).at[0] || form.read(a).at[1] - form.read(b).at[1],
    taken: (same, part, on) => {
      state.things = state.things.filter((thing) => JSON.stringify(form.write(thing)) !== same);
      if (on) state.things.push(form.read(part));
      state.current = on ? state.things[state.things.length - 1] : null;
      state.handle = null;
      done();
    },
  });

  function listed(anew) {
    if (anew) {
      list.replaceChildren(...state.things.map((thing) => {
        const choose = item.options.length ? element("select", { change: () => { state.current = thing; label(thing, Number(choose.value)); } }, ...options(thing.label)) : null;
        return element("li", {}, element("q", { class: "plain" }), choose, element("button", { type: "button", title: "Remove", click: () => remove(thing) }, "×"));
      }));
      if (!state.things.length) list.append(element("li", { class: "quiet" }, "none"));
    }
    state.things.forEach((thing, place) => {
      const row = list.children[place];
      row.classList.toggle("current", thing === state.current);
      row.firstChild.textContent = place + 1 + ". " + form.words(thing);
      const choose = row.querySelector("select");
      if (choose) { choose.value = String(thing.label); choose.setAttribute("aria-label", "Label of " + nth(thing)); }
      row.lastChild.setAttribute("aria-label", "Remove " + nth(thing));
    });
    const thing = state.current;
    const places = !thing ? [] : form.fields.length === thing.at.length ? thing.at.map((_, place) => place) : state.handle ? state.handle.grip.flat() : [];
    if (fields.contains(document.activeElement) && fields.children.length === places.length && fields.dataset.of === (thing ? key(thing, state.handle) : "")) return;
    fields.dataset.of = thing ? key(thing, state.handle) : "";
    fields.replaceChildren(...places.map((place, number) => {
      const input = element("input", { type: "number", step: "any", value: thing.at[place], change: () => {
        const far = input.valueAsNumber - thing.at[place];
        if (Number.isFinite(far) && put(thing, moved(thing.at, Array.from({ length: form.axes }, (_, axis) => (place % form.axes === axis || form.axes === 1 ? [place] : [])), Array(form.axes).fill(far)))) done();
        input.value = String(thing.at[place]);
      } });
      return element("label", {}, form.fields[number], input);
    }));
  }

  function draw() {
    for (const thing of state.things) if (!thing.id) thing.id = count += 1;
    const now = state.things.map((thing) => thing.id + ":" + form.handles(thing).length).join();
    const anew = now !== built;
    const held = anew ? [...nodes].find(([, node]) => node === document.activeElement) : null;
    if (anew) {
      nodes.clear();
      surface.build();
      built = now;
    }
    surface.place();
    for (const thing of state.things) {
      told(thing);
      for (const handle of form.handles(thing)) told(thing, handle);
    }
    listed(anew);
    offered.show(new Set(state.things.map((thing) => JSON.stringify(form.write(thing)))));
    if (held && nodes.has(held[0])) nodes.get(held[0]).focus({ preventScroll: true });
  }

  function set(begun) {
    state.head = begun.slice(0, form.head || 0);
    state.things = parts(begun).map(form.read);
    Object.assign(state, { current: null, handle: null });
    draw();
  }

  const first = item.choices.find((choice) => choice.edit);
  set(form.head ? [first ? first.edit[0] : 1, ...parts(ofAll(item))] : ofAll(item));
  return {
    root: element("div", {}, offered.root, surface.root || null,
      element("div", { class: "adding" }, select ? element("label", { class: "field", for: "thing-label" }, "Label of what is new") : null, select, more),
      element("p", { class: "quiet", id: "thing-keys" }, "You begin with what all gave, the answer taken, or what was decided before. Tab goes from " + form.noun + " to " + form.noun + (form.axes === 2 || form.sizes ? " and to its " + (form === FORMS.polygons ? "points" : "handles") : "") + "; " + form.keys + (item.options.length ? "; 1–9 set the label" : "") + "; Delete removes. With the mouse, drag them, or " + (form.head ? "click" : "draw a new one") + " where none is."),
      list, fields),
    over: surface.attach ? (view) => { surface.attach(view); draw(); } : null,
    set,
    focus: () => (state.things.length ? focus(state.current || state.things[0]) : more.focus()),
  };
}
